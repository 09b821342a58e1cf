"""What is said to a server: the greeting, its tools, and calls. The one user of the SDK's client.

The SDK takes a second to import, so this module is imported when a server starts.
"""

import math
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, Literal, Protocol

import anyio
import httpx2
from mcp import Client
from mcp.client.session import ClientRequestContext
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    METHOD_NOT_FOUND,
    Implementation,
    ListRootsResult,
    LoggingMessageNotificationParams,
    Root,
    ToolListChangedNotification,
)
from pydantic import ValidationError

from local_tools.context import Progress, ProgressSink
from local_tools.errors import ToolError, named
from local_tools.mcp.config import ServerConfig
from local_tools.mcp.contents import result_text
from local_tools.mcp.log_tail import LogTail
from local_tools.mcp.offered import TOOLS_LIMIT, OfferedTool
from local_tools.mcp.signed_in import SignInNeeded
from local_tools.mcp.signs import Signs
from local_tools.phrases import QT_TRANSLATE_NOOP

# What a server, or the way to it, can do to those who speak with it.
FAULTS: Final = (
    *(ToolError, MCPError, ValidationError, OSError, RuntimeError, ExceptionGroup),
    *(httpx2.HTTPError, anyio.ClosedResourceError, anyio.BrokenResourceError),
)

_PAGES_LIMIT: Final = 20
_PROGRESS_CHARS: Final = 200
_US: Final = Implementation(name="Parley", version="1")


class Line(Protocol):
    """A way to a server; see `program_line` and `address_line`."""

    def streams(self) -> Any:
        """The two streams of the SDK, as an asynchronous context."""


class Conversation:
    """Speaks with one server over one line. Made by `opened`, ends with its context."""

    def __init__(self, client: Client, signs: Signs) -> None:
        self._client = client
        self._signs = signs

    @property
    def version(self) -> str:
        """Name and version that the server gives itself."""
        info = self._client.server_info
        return f"{info.name} {info.version}" if info else ""

    async def tools(self) -> tuple[OfferedTool, ...]:
        """All that it offers, at most `TOOLS_LIMIT`.

        Raises:
            ToolError: It does not tell, or not so that it can be understood.
        """
        found: list[OfferedTool] = []
        cursor: str | None = None
        for _ in range(_PAGES_LIMIT):
            try:
                page = await self._client.list_tools(cursor=cursor, cache_mode="bypass")
            except (MCPError, ValidationError) as exc:
                raise ToolError("It does not say which tools it has.") from exc
            found += [_offered(item) for item in page.tools]
            cursor = page.next_cursor
            if not cursor or len(found) > TOOLS_LIMIT:
                break
        return tuple(found[:TOOLS_LIMIT])

    async def call(self, name: str, values: Mapping[str, Any], on_progress: ProgressSink) -> str:
        """Call a tool. Being cancelled tells the server so.

        Raises:
            ToolError: The tool failed, or the server did.
        """

        async def report(progress: float, total: float | None, message: str | None) -> None:
            if math.isfinite(progress) and (total is None or math.isfinite(total)):
                on_progress(Progress(progress, total, (message or "")[:_PROGRESS_CHARS]))

        try:
            result = await self._client.call_tool(name, dict(values), progress_callback=report)
        except MCPError as exc:
            if exc.error.code == CONNECTION_CLOSED:
                raise ToolError("The server ended meanwhile.") from exc
            # It may have forgotten us, or be gone behind whoever answers in its place.
            self._signs.doubt()
            raise ToolError(f"The server says: {exc.error.message}") from exc
        except (anyio.ClosedResourceError, anyio.BrokenResourceError) as exc:
            raise ToolError("The server ended meanwhile.") from exc
        except (ValidationError, RuntimeError) as exc:
            raise ToolError("The server's answer could not be understood.") from exc
        text = result_text(result.content, result.structured_content)
        if result.is_error:
            raise ToolError(text)
        return text

    async def ask_whether_there(self) -> None:
        """Return when it answers; what comes otherwise is one of `FAULTS`.

        Raises:
            ToolError: It no longer knows us.
        """
        try:
            await self._client.session.send_ping()
        except MCPError as exc:
            # Since 2026 nothing has to know this question, and whoever says so is there.
            if exc.error.code != METHOD_NOT_FOUND:
                raise ToolError(
                    QT_TRANSLATE_NOOP("ToolServers", "It no longer answers as it did.")
                ) from exc


@asynccontextmanager
async def opened(
    config: ServerConfig, line: Line, signs: Signs, tail: LogTail
) -> AsyncIterator[Conversation]:
    """Greet a server. Enter and leave in one task.

    Nothing is offered to it but its folder: it cannot ask the model (sampling) or the user
    (elicitation).
    """

    async def on_message(message: object) -> None:
        if isinstance(message, ToolListChangedNotification):
            signs.change()

    async def on_log(params: LoggingMessageNotificationParams) -> None:
        tail.add(f"{params.level}: {params.data}")

    async def roots(context: ClientRequestContext) -> ListRootsResult:
        del context
        folder = config.bounds.folder
        found = [Root(uri=Path(folder).as_uri(), name=Path(folder).name)] if folder else []
        return ListRootsResult(roots=found)

    client = Client(
        line.streams(),
        mode="legacy" if config.speaks_legacy else "auto",
        message_handler=on_message,
        logging_callback=on_log,
        list_roots_callback=roots,
        client_info=_US,
        cache=None,
    )
    async with client, anyio.create_task_group() as group:
        group.start_soon(_follow_changes, client, signs)
        yield Conversation(client, signs)
        group.cancel_scope.cancel()


async def _follow_changes(client: Client, signs: Signs) -> None:
    """Hear of other tools from a server that only tells those who listen (2026 and later)."""
    with suppress(ListenNotSupportedError, SubscriptionLost, MCPError, TimeoutError):
        async with client.listen(tools_list_changed=True) as changes:
            async for _change in changes:
                signs.change()


def _offered(item: Any) -> OfferedTool:
    hints = (
        item.annotations.model_dump(by_alias=True, exclude_none=True) if item.annotations else {}
    )
    if item.title:
        hints["title of the tool"] = item.title
    return OfferedTool(item.name, item.description or "", item.input_schema, hints)


def kind_of(fault: BaseException) -> Literal["fault", "unreached", "signed_out"]:
    """Whether a connection ended because somebody has to sign in, or because nobody answers."""
    causes = tuple(_single(fault))
    if any(isinstance(cause, SignInNeeded) for cause in causes):
        return "signed_out"
    is_away = any(isinstance(cause, httpx2.TransportError) for cause in causes)
    return "unreached" if is_away else "fault"


def _single(fault: BaseException) -> Iterator[BaseException]:
    if isinstance(fault, BaseExceptionGroup):
        for part in fault.exceptions:
            yield from _single(part)
    else:
        yield fault


def words_of(fault: BaseException) -> str:
    """Why a connection ended or did not begin, as a sentence."""
    if isinstance(fault, ExceptionGroup):
        return words_of(fault.exceptions[0])
    if isinstance(fault, ToolError):
        return str(fault)
    if isinstance(fault, TimeoutError):
        return QT_TRANSLATE_NOOP("ToolServers", "It did not answer in time.")
    if isinstance(fault, MCPError):
        return f"It says: {named(fault.error.message)}"
    if isinstance(fault, httpx2.HTTPError):
        return f"It cannot be reached ({type(fault).__name__})."
    return f"What it says cannot be understood ({type(fault).__name__})."
