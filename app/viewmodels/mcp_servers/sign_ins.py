"""The sign-ins at tool servers (OAuth in the browser), as the settings show them."""

import asyncio
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.common.error_messages import ErrorMessage
from app.mcp_servers.servers import ServerEntry, ToolServers
from app.mcp_servers.sign_ins import SignIns
from app.tasks import TaskOwner
from app.viewmodels.i18n import error_handler, localized, translate_marked
from app.viewmodels.mcp_servers.server_texts import SignInView
from local_tools.errors import ToolError
from local_tools.mcp.config import RemoteAddress
from local_tools.mcp.oauth_callback import PageWords

_NONE = SignInView()


@dataclass(slots=True)
class _UnderWay:
    task: asyncio.Task[None]
    host: str = ""


class McpSignIns(QObject):
    """Lets a person sign in at servers, one sign-in at a time for each. One for the run."""

    changed = Signal()
    """The state of a sign-in has changed."""

    def __init__(
        self, servers: ToolServers, sign_ins: SignIns, parent: QObject | None = None
    ) -> None:
        """Take the servers, and the store of their tokens."""
        super().__init__(parent)
        self._servers = servers
        self._sign_ins = sign_ins
        self._under_way: dict[str, _UnderWay] = {}
        self._problems: dict[str, str] = {}
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        self._last_asked = ""

    def view_of(self, entry: ServerEntry) -> SignInView:
        """Return how the sign-in at a server stands."""
        place, name = entry.kept.config.place, entry.kept.config.name
        if not isinstance(place, RemoteAddress) or not entry.kept.is_on:
            return _NONE
        under_way = self._under_way.get(name)
        if under_way:
            return SignInView("waiting", under_way.host)
        is_wanted = entry.server is not None and entry.server.life == "signed_out"
        problem = translate_marked("ToolServers", self._problems.get(name, ""))
        if is_wanted:
            return SignInView("wanted", problem=problem)
        if not self._sign_ins.is_signed_in(place):
            return _NONE
        return SignInView("done", is_kept=self._sign_ins.is_kept(place))

    def sign_in(self, name: str) -> None:
        """Open the page of a server's sign-in in the browser, and wait for the person."""
        place = self._place(name)
        if place is not None and name not in self._under_way:
            self._problems.pop(name, None)
            self._last_asked = name
            task = self._tasks.start(self._sign_in(name, place), name=f"sign in at {name}")
            self._under_way[name] = _UnderWay(task)
            self.changed.emit()

    def give_up(self, name: str) -> None:
        """Cancel the sign-in at a server, if one is under way."""
        if name in self._under_way:
            self._under_way[name].task.cancel()

    def sign_out(self, name: str) -> None:
        """Forget the tokens of a sign-in, and start the server again without them."""
        place = self._place(name)
        if place is not None:
            self._last_asked = name
            self._tasks.start(self._sign_out(name, place), name=f"sign out at {name}")

    async def remove(self, name: str) -> None:
        """Forget a server, with its sign-in unless another server has the same address."""
        place = self._place(name)
        self.give_up(name)
        await self._servers.remove(name)
        if place is not None and not self._is_used(place):
            await self._sign_ins.sign_out(place)

    async def aclose(self) -> None:
        """Give up what is under way."""
        await self._tasks.aclose()

    async def _sign_in(self, name: str, place: RemoteAddress) -> None:
        def show_host(host: str) -> None:
            self._under_way[name] = replace(self._under_way[name], host=host)
            self.changed.emit()

        try:
            await self._sign_ins.sign_in(place, show_host, _page_words())
        except ToolError as error:
            self._problems[name] = str(error)
        else:
            await self._servers.start_again(name)
        finally:
            del self._under_way[name]
            self.changed.emit()

    async def _sign_out(self, name: str, place: RemoteAddress) -> None:
        await self._sign_ins.sign_out(place)
        await self._servers.start_again(name)
        self.changed.emit()

    def _place(self, name: str) -> RemoteAddress | None:
        for entry in self._servers.entries:
            place = entry.kept.config.place
            if entry.kept.config.name == name and isinstance(place, RemoteAddress):
                return place
        return None

    def _is_used(self, place: RemoteAddress) -> bool:
        places = [entry.kept.config.place for entry in self._servers.entries]
        return any(isinstance(item, RemoteAddress) and item.url == place.url for item in places)

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self._problems[self._last_asked] = localized(words)
        self.changed.emit()


def _page_words() -> PageWords:
    translate = QCoreApplication.translate
    return PageWords(
        done=translate(
            "ToolServers", "You are signed in. You can close this page and go back to Parley."
        ),
        refused=translate(
            "ToolServers", "You are not signed in. You can close this page and go back to Parley."
        ),
        strange=translate("ToolServers", "This page does not belong to a current sign-in."),
    )
