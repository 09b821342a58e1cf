"""Who owns the life of tool servers: what is switched on runs, and what is off does not."""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from pydantic import SecretStr, TypeAdapter, ValidationError

from app.error_text import Reason
from app.errors import UserFacingError
from app.key_store import KeyStore
from app.tasks import TaskOwner
from app.tool_servers.kept import (
    KeptServer,
    Pin,
    fingerprint,
    missing_secrets,
    read_kept,
    secrets_of,
    with_secrets,
    write_kept,
)
from local_tools.errors import ToolError
from local_tools.mcp.config import ServerBounds, ServerConfig
from local_tools.mcp.desk import ListedTool, ServerDesk
from local_tools.mcp.offered import OfferedTool
from local_tools.mcp.server import Surroundings, ToolServer

log = logging.getLogger(__name__)

_VALUES: Final = TypeAdapter(dict[str, str])


@dataclass(frozen=True, slots=True)
class ToolChange:
    """A tool that is not what it was when the user looked at it last.

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

    kept: KeptServer
    server: ToolServer | None = None
    tools: tuple[ListedTool, ...] = ()
    changes: tuple[ToolChange, ...] = ()
    problem: str = ""


@dataclass(slots=True)
class _Running:
    server: ToolServer
    task: asyncio.Task[None]
    seen: tuple[OfferedTool, ...] = ()


class ToolServers:
    """Keeps, starts and ends tool servers. Made by the program; `load` starts what is on.

    Whatever is changed here is in the file before it holds; when that fails, nothing changes.
    """

    def __init__(self, file: Path, keys: KeyStore, desk: ServerDesk, around: Surroundings) -> None:
        self._file = file
        self._keys = keys
        self._desk = desk
        self._around = around
        self._entries: dict[str, ServerEntry] = {}
        self._running: dict[str, _Running] = {}
        self._observers: list[Callable[[], None]] = []
        self._tasks = TaskOwner(_on_failed)

    @property
    def entries(self) -> tuple[ServerEntry, ...]:
        """The servers, in the order of the file."""
        return tuple(self._entries.values())

    def subscribe(self, on_change: Callable[[], None]) -> Callable[[], None]:
        """Be told when a server, its tools or its log changed; what is returned ends it."""
        self._observers.append(on_change)
        return lambda: self._observers.remove(on_change)

    async def load(self) -> None:
        """Read the file, and start what is on. A file that cannot be read counts as empty."""
        try:
            kept = await asyncio.to_thread(read_kept, self._file)
        except (OSError, ValueError) as exc:
            log.warning("The file of tool servers cannot be read: %s", type(exc).__name__)
            kept = ()
        self._entries = {item.config.name: ServerEntry(item) for item in kept}
        for item in kept:
            if item.is_on:
                await self._start(item.config.name)
        self._tell()

    async def is_confined(self) -> bool:
        """Whether a sandbox keeps programs to what is chosen for them."""
        state = await self._around.sandboxes.state()
        return state.holds_files and state.holds_network

    async def add(self, *configs: ServerConfig) -> None:
        """Keep more servers, switched off.

        Raises:
            UserFacingError: They could not be kept.
            ToolError: There is already one of that name.
        """
        for config in configs:
            if config.name in self._entries:
                raise ToolError(f"There is already a server named “{config.name}”.")
        added = {config.name: ServerEntry(KeptServer(config)) for config in configs}
        await self._write({**self._entries, **added})
        for config in configs:
            if values := secrets_of(config):
                await self._keys.save(_origin(config.name), SecretStr(json.dumps(values)))
        self._entries |= added
        self._tell()

    async def remove(self, name: str) -> None:
        """Forget a server, and what it was told in secret."""
        left = {key: entry for key, entry in self._entries.items() if key != name}
        await self._write(left)
        await self._stop(name)
        self._entries = {k: e for k, e in self._entries.items() if k != name}
        await self._keys.forget(_origin(name))
        self._tell()

    async def switch_on(self, name: str, bounds: ServerBounds) -> None:
        """Let a server run within these bounds, now and after every start.

        Raises:
            UserFacingError: It could not be kept.
        """
        kept = self._entries[name].kept
        config = replace(kept.config, bounds=bounds)
        # With other bounds every tool is another one, and none of them has changed by itself.
        pins = kept.pins if bounds == kept.config.bounds else {}
        await self._keep(replace(kept, config=config, approved=fingerprint(config), pins=pins))
        await self._stop(name)
        await self._start(name)
        self._tell()

    async def switch_off(self, name: str) -> None:
        """End a server, and do not start it again."""
        await self._keep(replace(self._entries[name].kept, approved=""))
        await self._stop(name)
        self._tell()

    async def offer(self, name: str, tool: str, *, is_on: bool) -> None:
        """Offer one of its tools, or do so no longer."""
        kept = self._entries[name].kept
        off = kept.tools_off - {tool} if is_on else kept.tools_off | {tool}
        await self._keep(replace(kept, tools_off=off))
        self._list(name)
        self._tell()

    async def accept_changes(self, name: str) -> None:
        """The user has seen what changed; from now on that is what it was."""
        await self._keep(replace(self._entries[name].kept, pins=_pins(self._entries[name].tools)))
        self._list(name)
        self._tell()

    async def aclose(self) -> None:
        """End all servers."""
        self._observers.clear()
        await self._tasks.aclose()

    async def _start(self, name: str) -> None:
        entry = self._entries[name]
        config = entry.kept.config
        if secrets_of(config):
            found = await self._keys.load(_origin(name))
            config = with_secrets(config, _values(found))
        if missing := missing_secrets(config):
            words = f"The keyring has no value for {', '.join(missing)}. Add the server again."
            self._entries[name] = replace(entry, problem=words)
            return
        server = ToolServer(config, self._around, lambda: self._on_change(name))
        task = self._tasks.start(server.serve(), name=f"tool server {name}")
        self._running[name] = _Running(server, task)
        self._entries[name] = replace(entry, server=server, problem="")

    async def _stop(self, name: str) -> None:
        running = self._running.pop(name, None)
        if running is not None:
            running.task.cancel()
            await asyncio.wait([running.task])
            self._desk.forget(running.server)
        self._entries[name] = ServerEntry(self._entries[name].kept)

    def _on_change(self, name: str) -> None:
        running = self._running.get(name)
        if running is None:
            return
        if running.server.life == "failed":
            self._desk.forget(running.server)
        elif running.server.life == "ready" and running.server.offered is not running.seen:
            running.seen = running.server.offered
            self._list(name)
            if not self._entries[name].kept.pins:
                self._tasks.start(self._pin(name), name=f"pin the tools of {name}")
        self._tell()

    async def _pin(self, name: str) -> None:
        """What a server offers when it is first switched on is what the user looks at then."""
        entry = self._entries.get(name)
        if entry and entry.tools and not entry.kept.pins:
            await self._keep(replace(entry.kept, pins=_pins(entry.tools)))
            self._tell()

    def _list(self, name: str) -> None:
        running, entry = self._running.get(name), self._entries[name]
        if running is None or running.server.life == "failed":
            return
        tools = self._desk.list_tools(running.server, entry.kept.tools_off)
        changes = _changes(entry.kept.pins, tools) if entry.kept.pins else ()
        self._entries[name] = replace(entry, tools=tools, changes=changes)

    async def _keep(self, kept: KeptServer) -> None:
        name = kept.config.name
        await self._write({**self._entries, name: replace(self._entries[name], kept=kept)})
        # It may have changed meanwhile in what is not kept.
        self._entries[name] = replace(self._entries[name], kept=kept)

    async def _write(self, entries: dict[str, ServerEntry]) -> None:
        kept = tuple(entry.kept for entry in entries.values())
        try:
            await asyncio.to_thread(write_kept, self._file, kept)
        except OSError as error:
            raise UserFacingError(Reason.CHOICE_NOT_KEPT) from error

    def _tell(self) -> None:
        for tell in tuple(self._observers):
            tell()


def _pins(tools: tuple[ListedTool, ...]) -> dict[str, Pin]:
    return {
        item.name: Pin("" if item.definition is None else item.definition.digest, item.said)
        for item in tools
    }


def _changes(pins: Mapping[str, Pin], tools: tuple[ListedTool, ...]) -> tuple[ToolChange, ...]:
    now = _pins(tools)
    gone = Pin("", "")
    return tuple(
        ToolChange(name, pins.get(name, gone).said, now.get(name, gone).said)
        for name in (*now, *(name for name in pins if name not in now))
        if pins.get(name) is None or now.get(name) is None or pins[name].digest != now[name].digest
    )


def _origin(name: str) -> str:
    return f"tool-server:{name}"


def _values(found: SecretStr | None) -> dict[str, str]:
    try:
        return _VALUES.validate_json(found.get_secret_value()) if found else {}
    except ValidationError:
        return {}


def _on_failed(name: str, error: BaseException) -> None:
    log.error("%s failed", name, exc_info=error)
