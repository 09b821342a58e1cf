"""The steps of the self-test, each as a person would do it."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil
from PySide6.QtCore import QItemSelectionModel, Qt, SignalInstance
from PySide6.QtWidgets import QAbstractButton, QListView, QPlainTextEdit, QWidget

from app.chat.items import CallState, Notice, ReplyPart, ToolRow
from app.composition import Composition
from app.self_test.hands import answer, click, find, press_delete, press_enter, type_into, until
from app.self_test.pictures import Pictures
from app.self_test.report import CheckFailed
from app.ui.approval.arming import Arming
from app.viewmodels.states import Dot

Step = Callable[[], Awaitable[None]]

_NOTE: Final = "# Changes\n\nfixed bug in the csv thing\nmade export faster (3x)\n"
_NEW_NOTE: Final = "# Changes\n\n## Faster export\nIt takes a third of the time."
_REPLY_TIMEOUT_S: Final = 15.0
_SERVICE_TIMEOUT_S: Final = 20.0


class Walk:
    """Does and looks; a step that does not find what it should raises `CheckFailed`.

    Made by `run_self_test` around one composition; `close` ends that composition.
    """

    def __init__(self, composition: Composition, notes: Path, pictures: Pictures) -> None:
        self._app = composition
        self._window = composition.window
        self._notes = notes
        self._pictures = pictures

    def steps(self) -> Sequence[tuple[str, Step]]:
        """Returns the steps in order, each with what it shows."""
        return (
            ("The window opens and asks where to connect", self._open),
            ("The bundled service starts and answers", self._choose_offline),
            ("Agents and skills are listed", self._see_catalog),
            ("A message is sent and its reply streams in", self._chat),
            ("A tool asks, is allowed, and the reply goes on with the file", self._allow),
            ("A tool asks, is denied, and the file stays as it was", self._deny),
            ("A second chat begins, and both are listed", self._begin_another),
            ("A chat is deleted", self._delete),
            ("The settings open, and lead back to the chat", self._look_at_settings),
            ("The service is killed in the middle of a reply and comes back", self._survive),
        )

    async def close(self) -> None:
        """Closes the window and what is behind it.

        Raises:
            CheckFailed: a process is left.
        """
        self._window.close()
        await self._app.aclose()
        left = psutil.Process().children(recursive=True)
        if left:
            names = ", ".join(process.name() for process in left)
            raise CheckFailed(f"still running: {names}")

    async def _open(self) -> None:
        self._window.show()
        await self._app.start()
        find(self._window, QAbstractButton, "Try it offline")
        setup = self._app.setup
        await until(
            lambda: not setup.first_run.is_looking,
            [setup.first_run_changed],
            "models are looked for on this computer",
            _SERVICE_TIMEOUT_S,
        )
        await self._pictures.take("first-run")

    async def _choose_offline(self) -> None:
        click(find(self._window, QAbstractButton, "Try it offline"))
        click(find(self._window, QAbstractButton, "Start chatting"))
        await until(
            lambda: self._app.connection.status.dot is Dot.GOOD,
            [self._app.connection.status_changed],
            "the service is ready",
            _SERVICE_TIMEOUT_S,
        )

    async def _see_catalog(self) -> None:
        catalog = self._app.catalog
        await until(
            lambda: len(catalog.agents.rows) > 1 and len(catalog.skills.rows) > 1,
            [catalog.loaded],
            "agents and skills are there",
        )

    async def _chat(self) -> None:
        await self._say("Show me some markdown")
        await self._until(lambda: self._streamed().count("\n") > 12, "the reply streams in")
        await self._pictures.take("streaming")
        await self._until_idle()

    async def _allow(self) -> None:
        self._notes.mkdir()
        (self._notes / "CHANGES.md").write_text(_NOTE, encoding="utf-8")
        self._app.chat.choose_folder(self._notes)
        await self._until(lambda: bool(self._app.chat.state.folder), "the folder is chosen")
        await self._say("read CHANGES.md")
        await self._answer("Allow once")
        await self._until_idle()
        self._expect_call(CallState.DONE)
        if "made export faster" not in self._reply_text():
            raise CheckFailed("the reply does not say what the file says")

    async def _deny(self) -> None:
        await self._say(
            "write CHANGES.md: # Changes\n\n## Faster export\nIt takes a third of the time."
        )
        arming = await self._card()
        await until(lambda: arming.is_armed, [arming.changed], "the card stands still")
        await self._pictures.take("approval")
        await self._answer("Deny…")
        type_into(find(self._window, QWidget, "Reason for denying"), "not now")
        await self._answer("Deny")
        await self._until_idle()
        self._expect_call(CallState.DENIED)
        if (self._notes / "CHANGES.md").read_text(encoding="utf-8") != _NOTE:
            raise CheckFailed("the file was written although it was denied")

    async def _begin_another(self) -> None:
        click(find(self._window, QAbstractButton, "New chat"))
        await self._say("Hello")
        await self._until_idle()
        await until(
            lambda: self._app.conversations.rowCount() == 2,
            [self._app.conversations.rowsInserted, self._app.conversations.modelReset],
            "both chats are listed",
        )

    async def _delete(self) -> None:
        conversations = self._app.conversations
        view = find(self._window, QListView, "Chats")
        view.setFocus()
        view.selectionModel().setCurrentIndex(
            view.model().index(view.model().rowCount() - 1, 0),
            QItemSelectionModel.SelectionFlag.ClearAndSelect,
        )
        press_delete(view)
        click(find(self._window, QAbstractButton, "Delete for ever"))
        await until(
            lambda: conversations.rowCount() == 1,
            [conversations.rowsRemoved, conversations.modelReset],
            "the chat is gone",
        )

    async def _look_at_settings(self) -> None:
        self._window.commands["settings"].action.trigger()
        click(find(self._window, QAbstractButton, "Appearance"))
        await self._pictures.take("settings")
        click(find(self._window, QAbstractButton, "Back to the chat"))
        find(self._window, QPlainTextEdit, "Message")

    async def _survive(self) -> None:
        await self._say("Show me some markdown")
        await self._until(lambda: len(self._streamed()) > 20, "the reply streams in")
        killed = _service_process()
        killed.kill()
        await self._until(
            lambda: any(isinstance(item, Notice) for item in self._app.chat.transcript.rows),
            "a notice says that the reply was cut",
        )
        await until(
            lambda: self._app.connection.status.dot is Dot.GOOD and _is_replaced(killed),
            [self._app.connection.status_changed],
            "the service is ready again",
            _SERVICE_TIMEOUT_S,
        )
        await self._say("Hello again")
        await self._until_idle()
        if "Hello" not in self._reply_text():
            raise CheckFailed("the chat did not go on")

    async def _say(self, text: str) -> None:
        box = find(self._window, QPlainTextEdit, "Message")
        box.setFocus(Qt.FocusReason.OtherFocusReason)
        type_into(box, text)
        press_enter(box)
        await self._until(lambda: self._app.chat.state.is_busy, "the message is on its way")

    async def _card(self) -> Arming:
        await until(
            lambda: bool(self._app.approval.cards),
            [self._app.approval.cards_changed],
            "an approval card appears",
        )
        return self._window.findChildren(Arming)[0]

    async def _answer(self, button: str) -> None:
        await self._card()
        await answer(self._window, button)

    async def _until_idle(self) -> None:
        await self._until(lambda: not self._app.chat.state.is_busy, "the reply ends")

    async def _until(self, is_so: Callable[[], bool], what: str) -> None:
        await until(is_so, self._signals(), what, _REPLY_TIMEOUT_S)

    def _signals(self) -> list[SignalInstance]:
        transcript = self._app.chat.transcript
        return [
            transcript.rowsInserted,
            transcript.dataChanged,
            transcript.modelReset,
            self._app.chat.state_changed,
        ]

    def _reply_text(self) -> str:
        parts = [item for item in self._app.chat.transcript.rows if isinstance(item, ReplyPart)]
        return parts[-1].text if parts else ""

    def _streamed(self) -> str:
        """What has come of the reply that is under way."""
        rows = self._app.chat.transcript.rows
        last = rows[-1] if rows else None
        return last.text if isinstance(last, ReplyPart) and last.is_streaming else ""

    def _expect_call(self, state: CallState) -> None:
        calls = [item for item in self._app.chat.transcript.rows if isinstance(item, ToolRow)]
        if not calls or calls[-1].state is not state:
            found = calls[-1].state.value if calls else "no call"
            raise CheckFailed(f"the tool call should be {state.value} and is {found}")


def _service_process() -> psutil.Process:
    for process in _service_processes():
        return process
    raise CheckFailed("the bundled service is not running")


def _is_replaced(killed: psutil.Process) -> bool:
    """Tell a service that came back from one whose end was not noticed yet."""
    return any(process != killed for process in _service_processes())


def _service_processes() -> Iterator[psutil.Process]:
    for process in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            if "--child" in process.cmdline():
                yield process
