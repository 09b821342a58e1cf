"""Keep one tool server running from being switched on until it is switched off.

`WrittenFolder` scans the folder that a server may write for files that other programs would run.
Unlike the worker of a call, a server can write at any time. So the folder is scanned before its
program starts, after each call and after the program's end, and each scan is compared with the last
one: files made between two calls are found as well. Who made them cannot be determined, so they are
    renamed, not deleted.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, ExitStack
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal, Protocol, TypeAlias

from local_tools.attached_file import AttachedContent
from local_tools.context import ProgressSink
from local_tools.errors import ToolError
from local_tools.log_tail import LogTail
from local_tools.mcp.config import LocalProgram, RemoteAddress, ServerConfig
from local_tools.mcp.connection_events import ConnectionEvents
from local_tools.mcp.launch import fetches, plan
from local_tools.mcp.remote_tool import RemoteTool, ToolOrigin
from local_tools.persistence.persistence_guard import (
    OF_ANYTHING,
    Snapshot,
    quarantine_new_files,
    scan,
)
from local_tools.sandbox.choice import SandboxChoice
from local_tools.threads import run_in_thread
from local_tools.translation_marks import QT_TRANSLATE_NOOP

log = logging.getLogger(__name__)

# States that only the user can leave.
_ENDS: Final = frozenset({"off", "signed_out", "failed"})

Life: TypeAlias = Literal[
    "off", "starting", "installing", "ready", "waiting", "signed_out", "failed"
]

GREETING_LIMIT_S: Final = 10.0
RESTARTS_LIMIT: Final = 3
_FETCHING_LIMIT_S: Final = 180.0
_LONGEST_WAIT_S: Final = 60.0
# After running this long, a crash counts as the first one again (no growing delay).
_LONG_LIFE_S: Final = 60.0
_LISTINGS_APART_S: Final = 1.0
# A program that ends closes its line. An address can be gone without a word.
_ASKED_APART_S: Final = 30.0
_CANNOT_FETCH: Final = QT_TRANSLATE_NOOP(
    "ToolServers",
    "Its command downloads the server, which needs the network. Allow the network, or install the "
    "server and enter the path of its program.",
)
_OUR_FAULT: Final = QT_TRANSLATE_NOOP("ToolServers", "It stopped because of an error in Parley.")
_BY_WHOM: Final = (
    "It was made since the folder was last looked at, by the server or by somebody else."
)
_NOT_INSTALLED: Final = "What speaks to tool servers is not installed: pip install parley[mcp]."


@dataclass(frozen=True, slots=True)
class ServerEnvironment:
    """What all servers are started with. Made once by the program.

    Attributes:
        environ: Parley's own environment; a few variables are passed on.
        client_for: Makes the HTTP client (httpx2) for an address; its caller closes it.
        sleep: Waits between restarts; replaced in tests.
        greeting_limit_s: How long initialization and listing the tools may take.
        fetching_limit_s: The same for a server that is downloaded at start.
        asked_apart_s: The time between two pings of an address.
        umask: The umask of servers; by default Parley's own.
    """

    sandboxes: SandboxChoice
    environ: Mapping[str, str]
    client_for: Callable[[RemoteAddress], Awaitable[Any]]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    greeting_limit_s: float = GREETING_LIMIT_S
    fetching_limit_s: float = _FETCHING_LIMIT_S
    asked_apart_s: float = _ASKED_APART_S
    umask: int = -1


@dataclass(frozen=True, slots=True)
class _End:
    """Why a connection ended, and of which kind that was; see `client_session.kind_of`."""

    why: str
    kind: Literal["fault", "unreached", "signed_out"] = "fault"


class ServerSession(Protocol):
    """The interface of `McpSession`, whose module takes a second to import."""

    @property
    def version(self) -> str:
        """The server's own name and version."""

    async def tools(self) -> tuple[RemoteTool, ...]:
        """Return the tools that the server offers."""

    async def call(
        self, name: str, values: Mapping[str, Any], on_progress: ProgressSink
    ) -> AttachedContent:
        """Call one of the server's tools."""

    async def ping(self) -> None:
        """Ping the server; return when it answers."""


class WrittenFolder:
    """The folder that a server may write, from its start to its end."""

    def __init__(self, root: Path, before: Snapshot, kept: Sequence[Path]) -> None:
        """Take how it was before the start, and what of it the sandbox holds as it is."""
        self._root = root
        self._last = before
        self._kept = kept
        self._looking = asyncio.Lock()

    async def set_aside(self) -> str:
        """Rename new files that other programs would run; return sentences about them."""
        async with self._looking:
            return await run_in_thread(self._set_aside)

    def _set_aside(self) -> str:
        found = quarantine_new_files(self._root, self._last, self._kept, OF_ANYTHING, Path.home())
        self._last = found.look
        return f"{found.words} {_BY_WHOM}" if found.names else found.words


class ToolServer:
    """Keeps one server running. `serve` is its only task; it opens and closes the connection.

    Attributes:
        life: Its state.
        reason: Why it waits or has failed, as a sentence.
        offered: The tools of its last list; kept during a restart.
        origin: The origin of these tools, always set together with them; None before the first
            list.
    """

    def __init__(
        self, config: ServerConfig, around: ServerEnvironment, on_change: Callable[[], None]
    ) -> None:
        """Take what it is; `on_change` is told when it, its tools or its log changed."""
        self.config: Final = config
        self.tail: Final = LogTail(self._secrets, on_change)
        self.life: Life = "off"
        self.reason = ""
        self.offered: tuple[RemoteTool, ...] = ()
        self.origin: ToolOrigin | None = None
        self._around = around
        self._on_change = on_change
        self._conversation: ServerSession | None = None
        self._written: WrittenFolder | None = None
        self._client: Any = None

    async def serve(self) -> None:
        """Run until cancelled or failed too often. Raises only for bugs of this program."""
        try:
            await self._live_again_and_again()
        except asyncio.CancelledError:
            self._show("off", "")
            raise
        finally:
            if self.life not in _ENDS:
                self._show("failed", _OUR_FAULT)

    async def _live_again_and_again(self) -> None:
        if self._fetches and not self.config.bounds.may_connect and await self._is_held():
            self._show("failed", _CANNOT_FETCH)
            return
        failures = 0
        while True:
            began_at = time.monotonic()
            self._show("waiting" if failures else self._first, self.reason)
            end = await self._live_once()
            self.tail.add(end.why)
            if end.kind == "signed_out":
                self._show("signed_out", end.why)
                return
            failures = 1 if time.monotonic() - began_at > _LONG_LIFE_S else failures + 1
            # The network of a computer on the way comes back; a program that ends ends again.
            is_only_away = self._is_far and end.kind == "unreached"
            if failures > RESTARTS_LIMIT and not is_only_away:
                self._show("failed", end.why)
                return
            self._show("waiting", end.why)
            await self._around.sleep(min(2.0 ** (failures - 1), _LONGEST_WAIT_S))

    async def call(
        self, name: str, values: Mapping[str, Any], on_progress: ProgressSink
    ) -> AttachedContent:
        """Call a tool by its name on the server.

        Raises:
            ToolError: The tool failed, or the server is not running.
        """
        if self._conversation is None:
            said = self.reason or "It is starting."
            raise ToolError(f"The tool server “{self.config.name}” is not ready. {said}")
        return await self._conversation.call(name, values, on_progress)

    async def set_aside(self) -> str:
        """Rename new files in its writable folder that other programs would run.

        Return sentences about them, which are logged as well; empty if there were none.
        """
        words = await self._written.set_aside() if self._written else ""
        if words:
            self.tail.add(words)
        return words

    async def _live_once(self) -> "_End":
        """Run one connection from the greeting to its end."""
        try:
            # The import takes a second, so it runs in a thread.
            sdk: Any = await asyncio.to_thread(import_module, "local_tools.mcp.client_session")
        except ImportError:
            return _End(_NOT_INSTALLED)
        signs = ConnectionEvents()
        try:
            with ExitStack() as held:
                line, origin = await self._line(signs, held)
                opening = sdk.opened(self.config, line, signs, self.tail)
                await self._converse(opening, signs, origin)
        except TimeoutError:
            return _End(f"It did not answer within {self._greeting_limit_s:g} s.", "unreached")
        except sdk.FAULTS as exc:
            return _End(signs.fault or sdk.words_of(exc), sdk.kind_of(exc))
        finally:
            self._conversation = None
            await self.set_aside()
            self._written = None
        return _End(signs.fault or QT_TRANSLATE_NOOP("ToolServers", "It stopped."))

    async def _converse(
        self,
        opening: AbstractAsyncContextManager[ServerSession],
        signs: ConnectionEvents,
        origin: ToolOrigin,
    ) -> None:
        async with AsyncExitStack() as stack:
            async with asyncio.timeout(self._greeting_limit_s):
                conversation = await stack.enter_async_context(opening)
                await self._look(conversation, origin)
            self._conversation = conversation
            self._show("ready", "")
            asked_apart_s = self._around.asked_apart_s if self._is_far else None
            while signs.fault is None:
                await signs.next(asked_apart_s)
                if signs.is_doubted:
                    signs.is_doubted = False
                    await self._ask_whether_there(conversation)
                if signs.has_changed:
                    signs.has_changed = False
                    await self._look_again(conversation, origin)

    @property
    def _fetches(self) -> bool:
        place = self.config.place
        return isinstance(place, LocalProgram) and fetches(place)

    @property
    def _first(self) -> Life:
        return "installing" if self._fetches else "starting"

    @property
    def _greeting_limit_s(self) -> float:
        around = self._around
        return around.fetching_limit_s if self._fetches else around.greeting_limit_s

    async def _is_held(self) -> bool:
        return (await self._around.sandboxes.state()).holds_network

    @property
    def _is_far(self) -> bool:
        return isinstance(self.config.place, RemoteAddress)

    async def _ask_whether_there(self, conversation: ServerSession) -> None:
        async with asyncio.timeout(self._around.greeting_limit_s):
            await conversation.ping()
        await self._around.sleep(_LISTINGS_APART_S)

    async def _look_again(self, conversation: ServerSession, origin: ToolOrigin) -> None:
        async with asyncio.timeout(self._around.greeting_limit_s):
            await self._look(conversation, origin)
        self._on_change()
        await self._around.sleep(_LISTINGS_APART_S)

    async def _look(self, conversation: ServerSession, origin: ToolOrigin) -> None:
        offered = await conversation.tools()
        self.offered, self.origin = offered, replace(origin, version=conversation.version)

    async def _line(self, signs: ConnectionEvents, held: ExitStack) -> tuple[Any, ToolOrigin]:
        """Return the transport for the SDK, and the origin that its tools get."""
        place = self.config.place
        if isinstance(place, RemoteAddress):
            from local_tools.mcp.http_transport import StreamableHttpTransport  # noqa: PLC0415 - the SDK

            self._client = await self._around.client_for(place)
            return StreamableHttpTransport(place, self._client, signs), ToolOrigin(self.config, "")
        from local_tools.mcp.stdio_transport import StdioTransport  # noqa: PLC0415 - the SDK

        launch = await asyncio.to_thread(plan, place, self.config.bounds, self._around.environ)
        sandbox = await self._around.sandboxes.sandbox()
        state = await self._around.sandboxes.state()
        is_confined = state.holds_files and state.holds_network
        program, terms = launch.program(counts_processes=state.holds_processes), launch.terms
        before: Snapshot | None = None
        if terms.root and terms.may_write and is_confined:
            # Without a sandbox it can write everywhere, and what it does is not looked after.
            before = await run_in_thread(scan, terms.root, OF_ANYTHING, Path.home())
        # What it makes ready is undone by `held`, so it has to be over before.
        start = await run_in_thread(sandbox.start, program, terms, held)
        if terms.root and before:
            self._written = WrittenFolder(terms.root, before, start.kept)
        origin = ToolOrigin(
            self.config,
            "",
            launch.argv,
            launch.identity,
            is_confined=is_confined,
            is_too_large=before is not None and not before.is_whole,
        )
        return StdioTransport(launch, start, self.tail, signs, self._around.umask), origin

    def _secrets(self) -> tuple[str, ...]:
        place = self.config.place
        given = place.environment if isinstance(place, LocalProgram) else place.headers
        auth = self._client.auth if self._client else None
        return (*given.values(), *(auth.secrets if auth else ()))

    def _show(self, life: Life, reason: str) -> None:
        self.life, self.reason = life, reason
        self._on_change()
