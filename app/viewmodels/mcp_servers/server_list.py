"""The tool servers (MCP) in the settings: add, switch, allow, remove."""

import asyncio
import shlex
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from app.common.error_messages import ErrorMessage
from app.mcp_servers.servers import ServerEntry, ToolServers
from app.mcp_servers.sign_ins import SignIns
from app.tasks import TaskOwner
from app.viewmodels.i18n import error_handler, localized, translate_marked
from app.viewmodels.mcp_servers.server_texts import ServersView, found_row, row_of
from app.viewmodels.mcp_servers.sign_ins import McpSignIns
from local_tools.errors import ToolError
from local_tools.mcp.config import LocalProgram, RemoteAddress, ServerBounds, ServerConfig
from local_tools.mcp.config_files import ForeignServer, find_foreign

# A server may write its log faster than anybody reads.
_SHOWN_APART_MS = 150


class McpServersViewModel(QObject):
    """Shows the servers, and does what is chosen for them. One for the run."""

    changed = Signal(object)
    """The servers, or what is said of them, have changed; argument: a `ServersView`."""
    added = Signal()
    """What was typed has become a server."""

    def __init__(
        self,
        servers: ToolServers,
        sign_ins: SignIns,
        home: Path,
        environ: Mapping[str, str],
        parent: QObject | None = None,
    ) -> None:
        """Follow the servers, and find those of other programs below `home` and by `environ`.

        The attribute `sign_ins` is the view model for signing in and out.
        """
        super().__init__(parent)
        self.sign_ins = McpSignIns(servers, sign_ins, self)
        self._servers = servers
        self._home = home
        self._environ = environ
        self._found: tuple[ForeignServer, ...] = ()
        self._is_confined: bool | None = None
        self._looks = False
        # What the person sees of each, so that nothing else is switched on or accepted.
        self._shown: dict[str, ServerEntry] = {}
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        self._timer = QTimer(self, singleShot=True, interval=_SHOWN_APART_MS)
        self._timer.timeout.connect(self._show_rows)
        self._unsubscribe = servers.subscribe(self._on_servers_change)
        self.sign_ins.changed.connect(self._show_rows)
        self.view = ServersView()
        self._show_rows()

    def translate(self) -> None:
        """Show the servers in another language, which the program speaks from now on."""
        self._say("")
        self._show_rows()

    def add_program(self, name: str, command: str, variables: str) -> None:
        """Keep a program as a server, switched off.

        Args:
            name: As the person calls it.
            command: The program and its arguments, as a shell would read them.
            variables: `NAME=value`, separated by blanks, as a shell would read them.
        """
        try:
            argv = shlex.split(command)
            pairs = [item.partition("=") for item in shlex.split(variables)]
            place = LocalProgram(
                argv[0] if argv else "", tuple(argv[1:]), {key: text for key, _, text in pairs}
            )
        except ValueError:
            words = QCoreApplication.translate("ToolServers", "A quotation mark is missing.")
            self._say(words)
        except ToolError as error:
            self._say(str(error))
        else:
            self._add(name, place)

    def add_address(self, name: str, url: str, header: str) -> None:
        """Keep an address as a server, switched off; `header` is like `Name: value`."""
        key, _, value = header.partition(":")
        try:
            place = RemoteAddress(url, {key.strip(): value.strip()} if header else {})
        except ToolError as error:
            self._say(str(error))
        else:
            self._add(name, place)

    def switch_on(self, name: str, folder: str, may_write: bool, may_connect: bool) -> None:
        """Start a server within these bounds, now and every time."""
        bounds = ServerBounds(folder, may_write, may_connect)
        shown = self._shown.get(name)
        if shown:
            seen = shown.kept.config
            self._do(self._servers.switch_on(name, bounds, seen), f"switch on {name}")

    def switch_off(self, name: str) -> None:
        """End a server, and do not start it again."""
        self.sign_ins.give_up(name)
        self._do(self._servers.switch_off(name), f"switch off {name}")

    def start_again(self, name: str) -> None:
        """Start a server anew that ended."""
        self._do(self._servers.start_again(name), f"start {name} again")

    def remove(self, name: str) -> None:
        """Forget a server."""
        self._do(self.sign_ins.remove(name), f"remove {name}")

    def offer(self, name: str, tool: str, is_on: bool) -> None:
        """Turn a tool of a server on or off."""
        self._do(self._servers.offer(name, tool, is_on=is_on), f"offer {tool}")

    def accept_changes(self, name: str) -> None:
        """Record that the person has seen what changed."""
        shown = self._shown.get(name)
        if shown:
            accepting = self._servers.accept_changes(name, shown.changes)
            self._do(accepting, f"accept changes of {name}")

    def find_importable(self) -> None:
        """Look for servers that other programs on this computer have; take nothing over."""
        self._do(self._look(), "look for servers of other programs")

    def import_server(self, key: str, answers: Mapping[str, str]) -> None:
        """Import a found server, switched off; `answers` are those to its questions."""
        found = next((f for f in self._found if f"{f.program}/{f.name}" == key), None)
        if found is None:
            return
        taken = {row.name for row in self.view.rows}
        numbered = (f"{found.name[:30]} {number}" for number in count(2))
        free = next(name for name in chain((found.name,), numbered) if name not in taken)
        try:
            config = found.config(free, self._environ, answers)
        except ToolError as error:
            self._say(str(error))
        else:
            self._do(self._keep(config), "take a tool server over")

    async def _look(self) -> None:
        found = await asyncio.to_thread(find_foreign, self._home, self._environ)
        self._found = found
        rows = tuple(found_row(server, self._environ) for server in found)
        self._show(replace(self.view, found=rows))

    async def aclose(self) -> None:
        """End what is under way; the servers themselves end with their owner."""
        self._unsubscribe()
        self._timer.stop()
        await self._tasks.aclose()
        await self.sign_ins.aclose()

    def _add(self, name: str, place: LocalProgram | RemoteAddress) -> None:
        try:
            config = ServerConfig(name, place)
        except ToolError as error:
            self._say(str(error))
        else:
            self._do(self._keep(config), "add a tool server")

    async def _keep(self, config: ServerConfig) -> None:
        try:
            await self._servers.add(config)
        except ToolError as error:
            self._say(str(error))
        else:
            self.added.emit()

    def _do(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._say("")
        self._tasks.start(work, name=name)

    def _on_servers_change(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _show_rows(self) -> None:
        entries = self._servers.entries
        if entries and self._is_confined is None:
            # A card says how its server is sandboxed, so find that out first.
            if not self._looks:
                self._looks = True
                self._tasks.start(self._look_at_sandbox(), name="look at the sandbox")
            return
        rows = tuple(
            row_of(entry, is_confined=bool(self._is_confined), sign_in=self.sign_ins.view_of(entry))
            for entry in entries
        )
        self._shown = {entry.kept.config.name: entry for entry in entries}
        self._show(replace(self.view, rows=rows))

    async def _look_at_sandbox(self) -> None:
        self._is_confined = await self._servers.is_confined()
        self._show_rows()

    def _say(self, problem: str) -> None:
        self._show(replace(self.view, problem=translate_marked("ToolServers", problem)))

    def _show(self, view: ServersView) -> None:
        if view != self.view:
            self.view = view
            self.changed.emit(view)

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self._say(localized(words))
