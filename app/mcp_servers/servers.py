"""Start, watch and stop the user's tool servers."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.config.key_store import KeyStore
from app.mcp_servers.config_file import (
    ServerRecord,
    ServerSecrets,
    ServersFile,
    ToolPin,
    fingerprint,
    has_secrets,
    missing_secrets,
    secrets_of,
    with_secrets,
)
from app.tasks import TaskOwner
from local_tools.errors import ToolError
from local_tools.mcp.config import ServerBounds, ServerConfig
from local_tools.mcp.registry_bridge import ListedTool, McpToolProvider
from local_tools.mcp.remote_tool import RemoteTool
from local_tools.mcp.server import ServerEnvironment, ToolServer
from local_tools.recovery.files import PutAside
from local_tools.skeleton import look_of
from local_tools.threads import run_in_thread

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ToolChange:
    """A tool that is not what it was when the user looked at it last; until then it waits.

    Attributes:
        before: Everything the server said of it then; empty when it is new.
        now: What it says now; empty when it is gone.
    """

    name: str
    before: str
    now: str


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """One server as it stands now. `problem` says why one that is on cannot be started."""

    kept: ServerRecord
    server: ToolServer | None = None
    tools: tuple[ListedTool, ...] = ()
    changes: tuple[ToolChange, ...] = ()
    problem: str = ""


@dataclass(slots=True)
class _Running:
    server: ToolServer
    task: asyncio.Task[None]
    seen: tuple[RemoteTool, ...] | None = None
    # The tools that count as seen by the user, until they are in the file.
    pins: Mapping[str, ToolPin] | None = None


class ToolServers:
    """Keeps, starts and ends tool servers. Made by the program; `load` starts what is on.

    Whatever is changed here is in the file before it holds; when that fails, nothing changes. One
    change is made at a time, in order; what is asked of a server that is gone by then is nothing.

    Attributes:
        put_aside: The file, if it could not be read; known after `load`.
    """

    def __init__(
        self, file: Path, keys: KeyStore, provider: McpToolProvider, around: ServerEnvironment
    ) -> None:
        self.put_aside: PutAside | None = None
        self._file = ServersFile(file)
        self._secrets = ServerSecrets(keys)
        self._provider = provider
        self._around = around
        self._entries: dict[str, ServerEntry] = {}
        self._running: dict[str, _Running] = {}
        self._observers: list[Callable[[], None]] = []
        self._changing = asyncio.Lock()
        self._is_closed = False
        self._tasks = TaskOwner(_on_failed)

    @property
    def entries(self) -> tuple[ServerEntry, ...]:
        """The servers, in the order of the file."""
        return tuple(self._entries.values())

    def subscribe(self, on_change: Callable[[], None]) -> Callable[[], None]:
        """Call `on_change` when a server, its tools or its log changed; returns what ends that."""
        self._observers.append(on_change)
        return lambda: self._observers.remove(on_change)

    async def load(self) -> None:
        """Read the file; what is on is started, which nobody has to wait for.

        A file that cannot be read counts as empty.
        """
        async with self._changing:
            starting = await self._take_over_file()
        self._tasks.start(self._start_later(starting), name="start tool servers")
        self._tell()

    async def is_confined(self) -> bool:
        """Return whether a sandbox keeps programs to what is chosen for them."""
        state = await self._around.sandboxes.state()
        return state.holds_files and state.holds_network

    async def add(self, *configs: ServerConfig) -> None:
        """Keep more servers, switched off.

        Raises:
            UserFacingError: They could not be kept.
            ToolError: There is already one of that name, or one whose name looks like it.
        """
        async with self._change():
            names = [config.name for config in configs]
            for number, name in enumerate(names):
                _refuse_taken(name, (*self._entries, *names[:number]))
            added = {config.name: ServerEntry(ServerRecord(config)) for config in configs}
            await self._write({**self._entries, **added})
            for config in configs:
                await self._secrets.keep(config)
            self._entries |= added

    async def remove(self, name: str) -> None:
        """Forget a server, and what it was told in secret."""
        async with self._change():
            left = {key: entry for key, entry in self._entries.items() if key != name}
            if name in self._entries:
                # The file first: forgotten in memory alone, it would be back at the next start.
                await self._write(left)
                await self._drop(name)
                await self._secrets.forget(name)

    async def switch_on(
        self, name: str, bounds: ServerBounds, seen: ServerConfig | None = None
    ) -> None:
        """Start a server within these bounds, now and after every start.

        If it is not what the person has `seen` any more, nothing is switched on.

        Raises:
            UserFacingError: It could not be kept.
        """
        async with self._change():
            if name not in self._entries or _runs_within(self._entries[name], bounds):
                return
            kept = self._entries[name].kept
            config = replace(kept.config, bounds=bounds)
            if seen and fingerprint(replace(seen, bounds=bounds)) != fingerprint(config):
                return
            pins = kept.pins or None
            if pins and bounds != kept.config.bounds:
                # New bounds change the digest of every tool, although no tool has changed.
                pins = {tool: replace(pin, digest="") for tool, pin in pins.items()}
            await self._keep(replace(kept, config=config, approved=fingerprint(config), pins=pins))
            await self._stop(name)
            await self._start(name)

    async def start_again(self, name: str) -> None:
        """End a server that is on, and start it anew."""
        async with self._change():
            if name in self._entries and self._entries[name].kept.is_on:
                await self._stop(name)
                await self._start(name)

    async def switch_off(self, name: str) -> None:
        """End a server, and do not start it again."""
        async with self._change():
            if name in self._entries:
                await self._keep(replace(self._entries[name].kept, approved=""))
                await self._stop(name)

    async def offer(self, name: str, tool: str, *, is_on: bool) -> None:
        """Offer one of its tools, or do so no longer."""
        async with self._change():
            if name in self._entries:
                kept = self._entries[name].kept
                off = kept.tools_off - {tool} if is_on else kept.tools_off | {tool}
                await self._keep(replace(kept, tools_off=off))
                self._list(name)

    async def accept_changes(self, name: str, seen: tuple[ToolChange, ...]) -> None:
        """Record that the user has seen a tool as it is shown, if it is still so."""
        async with self._change():
            entry = self._entries.get(name)
            # The server may have changed its tools again while the user looked.
            if entry and entry.changes == seen:
                await self._keep(replace(entry.kept, pins=_pins(entry.tools)))
                if running := self._running.get(name):
                    running.pins = None
                self._list(name)

    async def aclose(self) -> None:
        """End all servers; none is started any more."""
        self._is_closed = True
        self._observers.clear()
        await self._tasks.aclose()

    @asynccontextmanager
    async def _change(self) -> AsyncIterator[None]:
        """Change what the file says by now, one at a time, and notify the observers at the end."""
        async with self._changing:
            try:
                if await run_in_thread(lambda: self._file.has_changed):
                    await self._start_all(await self._take_over_file())
                yield
            except asyncio.CancelledError:
                # The write may or may not have happened: the next change reads the file again.
                self._file.doubt()
                raise
            finally:
                self._tell()

    async def _take_over_file(self) -> tuple[str, ...]:
        """Take over what is in the file; return the servers that have to be started."""
        kept = {i.config.name: i for i in await run_in_thread(self._file.read)}
        if self._file.put_aside != self.put_aside:
            log.info("Cannot read the file of tool servers")
            self.put_aside = self._file.put_aside
        before = {name: entry.kept for name, entry in self._entries.items()}
        for name in before.keys() - kept.keys():
            await self._drop(name)
        other = [name for name, item in kept.items() if not _is_same(before.get(name), item)]
        for name in other:
            await self._stop(name)
            self._entries[name] = ServerEntry(kept[name])
        self._entries = {name: self._entries[name] for name in kept}
        for name in other:
            await self._secrets.keep(kept[name].config)
        if any(has_secrets(item.config) for item in kept.values()):
            # If the keyring fails, the secrets stay in the file, where the user wrote them.
            with suppress(UserFacingError):
                await self._write(self._entries)
        return tuple(n for n, item in kept.items() if item.is_on and n not in self._running)

    async def _start_later(self, names: Iterable[str]) -> None:
        async with self._changing:
            await self._start_all(names)
        self._tell()

    async def _start_all(self, names: Iterable[str]) -> None:
        # Together, as a locked keyring makes each of them wait.
        await asyncio.gather(*(self._start(name) for name in names))

    async def _start(self, name: str) -> None:
        entry = self._entries.get(name)
        if entry is None or not entry.kept.is_on or name in self._running:
            return  # Something was changed before its turn came.
        config = await self._secrets.filled(entry.kept.config)
        if missing := missing_secrets(config):
            words = f"The keyring has no value for {', '.join(missing)}. Add the server again."
            self._entries[name] = replace(entry, problem=words)
            return
        if self._is_closed:
            return  # What was waiting for its turn must not fail for that.
        server = ToolServer(config, self._around, lambda: self._on_change(name))
        task = self._tasks.start(server.serve(), name=f"tool server {name}")
        self._running[name] = _Running(server, task)
        self._entries[name] = replace(entry, server=server, problem="")

    async def _stop(self, name: str) -> None:
        running = self._running.pop(name, None)
        if running is not None:
            self._provider.forget(running.server)
            running.task.cancel()
            await asyncio.wait([running.task])
        if name in self._entries:
            self._entries[name] = ServerEntry(self._entries[name].kept)

    async def _drop(self, name: str) -> None:
        await self._stop(name)
        self._entries = {key: entry for key, entry in self._entries.items() if key != name}

    def _on_change(self, name: str) -> None:
        running = self._running.get(name)
        if running is None:
            return
        if running.server.life == "failed":
            self._provider.forget(running.server)
        elif running.server.life == "ready" and running.server.offered is not running.seen:
            running.seen = running.server.offered
            self._list(name)
            if running.pins is not None:
                self._tasks.start(self._pin(name, running), name=f"pin the tools of {name}")
        self._tell()

    async def _pin(self, name: str, running: _Running) -> None:
        """Count as seen what a server offers when it is first switched on: the user looks at it."""
        async with self._change():
            entry = self._entries.get(name)
            # The server may have been stopped or started anew while this waited for its turn.
            if entry and self._running.get(name) is running and running.pins is not None:
                await self._keep(replace(entry.kept, pins=running.pins))
                running.pins = None

    def _list(self, name: str) -> None:
        running, entry = self._running.get(name), self._entries[name]
        if running is None or running.server.life == "failed":
            return
        pins = entry.kept.pins if running.pins is None else running.pins
        is_seen = None if pins is None else lambda item: _is_seen(item, pins)
        tools = self._provider.list_tools(running.server, entry.kept.tools_off, is_seen)
        now = _pins(tools)
        changes = () if pins is None else _changes(pins, now)
        if pins is None or (pins != now and not changes):
            running.pins = now
        self._entries[name] = replace(entry, tools=tools, changes=changes)

    async def _keep(self, kept: ServerRecord) -> None:
        name = kept.config.name
        await self._write({**self._entries, name: replace(self._entries[name], kept=kept)})
        # The entry may have changed meanwhile in its fields that are not stored.
        self._entries[name] = replace(self._entries[name], kept=kept)

    async def _write(self, entries: dict[str, ServerEntry]) -> None:
        kept = tuple(entry.kept for entry in entries.values())
        try:
            await run_in_thread(self._file.write, kept)
        except OSError as error:
            raise UserFacingError(ErrorCode.CHOICE_NOT_KEPT) from error

    def _tell(self) -> None:
        for tell in tuple(self._observers):
            tell()


def _runs_within(entry: ServerEntry, bounds: ServerBounds) -> bool:
    is_alive = entry.server is not None and entry.server.life != "failed"
    return entry.kept.is_on and is_alive and entry.kept.config.bounds == bounds


def _is_same(known: ServerRecord | None, found: ServerRecord) -> bool:
    """Return whether the file has the known record; the record has its secrets filled in."""
    if known is None or has_secrets(found.config):
        return False
    values = dict.fromkeys(secrets_of(known.config), "")
    return replace(known, config=with_secrets(known.config, values)) == found


def _pins(tools: tuple[ListedTool, ...]) -> dict[str, ToolPin]:
    return {item.name: _pin_of(item) for item in tools}


def _pin_of(item: ListedTool) -> ToolPin:
    return ToolPin("" if item.definition is None else item.definition.digest, item.said)


def _is_seen(item: ListedTool, pins: Mapping[str, ToolPin]) -> bool:
    return item.name in pins and pins[item.name].fits(_pin_of(item))


def _changes(pins: Mapping[str, ToolPin], now: Mapping[str, ToolPin]) -> tuple[ToolChange, ...]:
    gone = ToolPin("", "")
    return tuple(
        ToolChange(name, pins.get(name, gone).said, now.get(name, gone).said)
        for name in (*now, *(name for name in pins if name not in now))
        if name not in pins or name not in now or not pins[name].fits(now[name])
    )


def _on_failed(name: str, error: BaseException) -> None:
    log.error("%s failed", name, exc_info=error)


def _refuse_taken(name: str, others: Iterable[str]) -> None:
    for other in others:
        if other == name:
            raise ToolError(f"There is already a server named “{name}”.")
        if look_of(other) == look_of(name):
            raise ToolError(f"“{name}” is easily taken for the server “{other}”.")
