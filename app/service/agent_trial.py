"""Try out an agent in a conversation that is not stored and runs no tool.

`AgentTrial` starts a separate service in a folder that is deleted afterwards. Tool calls of the
agent are reported, and answered with a sentence that nothing was run.
"""

import asyncio
import shutil
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import JsonValue

from app.api.client import ApiClient
from app.api.events import StreamError, TextDelta, ToolUse
from app.api.models import ToolDefinition
from app.api.sse import ReplyStream
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.service.catalog import AgentDraft, AgentNotWritten, ServiceCatalog
from app.service.child import ModelKeys
from app.service.models import throwaway_service

_NOT_RUN: Final = (
    "Not run: this is a try-out of the assistant. In a chat, the user would have been asked. Go on "
    "without the result, or say what you would do with it."
)
# A model that asks for tools without end would never come to its reply.
_MOST_CALLS: Final = 12
_LARGEST_FILE_BYTES: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class TrialLaunch:
    """The configuration of the trial's service: that of the running service."""

    model: str
    models: Sequence[str]
    keys: ModelKeys


@dataclass(frozen=True, slots=True)
class TrialCall:
    """A tool call that would have needed approval in a real chat."""

    tool: str
    input: Mapping[str, JsonValue]


TrialPiece = str | TrialCall
"""The text that follows in the reply, or a call."""


class AgentTrial:
    """One conversation with a draft of an agent; `aclose` deletes all of it.

    Made for one state of the draft, by the view model of the editor.

    Args:
        draft: the agent as it is now; it need not be saved.
        skills: the folder with the person's own skills; those that the draft may use are copied.
        launch: says what the service is started with.
        catalog_of: makes the catalog of a folder.
    """

    def __init__(
        self,
        draft: AgentDraft,
        skills: Path,
        launch: Callable[[], Awaitable[TrialLaunch]],
        catalog_of: Callable[[Path], ServiceCatalog],
    ) -> None:
        self._draft = draft
        self._skills = skills
        self._launch = launch
        self._catalog_of = catalog_of
        self._opened = AsyncExitStack()
        self._client: ApiClient | None = None
        self._conversation_id = ""
        self._agent_name = ""
        self._open_calls: deque[str] = deque()

    async def ask(
        self, question: str, tools: Sequence[ToolDefinition]
    ) -> AsyncGenerator[TrialPiece]:
        """Yield the reply piece by piece; the first question starts the service.

        Raises:
            UserFacingError: the service cannot be started, or the reply breaks off.
        """
        client = self._client or await self._start()
        # Calls of a reply that broke off are never answered; the next question leaves them behind.
        self._open_calls.clear()
        stream = client.chat_stream(
            self._conversation_id, question, tools, agent_name=self._agent_name
        )
        for _ in range(_MOST_CALLS):
            async with stream as reply, aclosing(self._pieces(reply)) as pieces:
                async for piece in pieces:
                    yield piece
            if not self._open_calls:
                return
            call_id = self._open_calls.popleft()
            stream = client.tool_result(self._conversation_id, call_id, _NOT_RUN)

    async def _pieces(self, reply: ReplyStream) -> AsyncGenerator[TrialPiece]:
        async for event in reply:
            match event:
                case TextDelta(text):
                    yield text
                case ToolUse(call_id, name, given):
                    self._open_calls.append(call_id)
                    yield TrialCall(name, given)
                case StreamError(message):
                    raise UserFacingError(ErrorCode.MODEL_SILENT, {"message": message})
                case _:
                    pass

    async def aclose(self) -> None:
        """End the service and delete its folder, with all that was said."""
        self._client = None
        await self._opened.aclose()

    async def _start(self) -> ApiClient:
        launch = await self._launch()
        service = await self._opened.enter_async_context(
            throwaway_service(launch.model, launch.keys, launch.models, self._prepare)
        )
        address = service.address
        client = ApiClient(address.base_url, address.api_key)
        self._client = await self._opened.enter_async_context(client)
        self._conversation_id = (await client.create_conversation()).id
        return client

    async def _prepare(self, folder: Path) -> None:
        try:
            saved = await self._catalog_of(folder).save_agent(self._draft, "")
        except AgentNotWritten as error:
            raise UserFacingError(ErrorCode.CATALOG_FAILED, {"message": error.reason}) from error
        self._agent_name = saved.draft.name
        if self._skills.is_dir():
            await asyncio.to_thread(self._copy_skills, folder / "skills")

    def _copy_skills(self, target: Path) -> None:
        """Copy what can be copied; a skill that is missing is told by the reply, if it matters."""
        with suppress(OSError, shutil.Error):
            shutil.copytree(self._skills, target, ignore=_large_files)


def _large_files(folder: str, names: list[str]) -> list[str]:
    """Leave out what no skill gives to a model: links, and files that are too large to be read."""
    paths = (Path(folder, name) for name in names)
    return [path.name for path in paths if path.is_symlink() or _is_large(path)]


def _is_large(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size > _LARGEST_FILE_BYTES
    except OSError:
        return True
