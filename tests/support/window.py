"""The whole program in a test: the real window, the real bundled service, a folder of its own."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import keyring.errors
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QUrl, SignalInstance, Slot
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from app.chat.items import Action, ReplyPart
from app.composition import Composition
from app.config.key_store import KeyStore
from app.config.settings import ConnectionSettings, Settings, SettingsFile
from app.paths import Paths, paths_under
from app.self_test.ui_driver import find, press_enter, type_into, until
from app.ui.main_window import MainWindow
from app.ui.transcript.hit_targets import Choose, HitTarget
from app.ui.transcript.layout import PlacedRow
from app.ui.transcript.view import TranscriptView
from app.viewmodels.states import Dot
from tests.support.fake_service import FakeService
from tests.support.widgets import child

_TIMEOUT_S = 40.0


class KeyringInMemory:
    """A keyring that keeps what it is told."""

    def __init__(self) -> None:
        self.secrets: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.secrets.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.secrets[(service, username)] = password

    def delete_password(self, service: str, username: str) -> None:
        if (service, username) not in self.secrets:
            raise keyring.errors.PasswordDeleteError("no such password")
        del self.secrets[(service, username)]


class Browser(QObject):
    """Remembers what the system was asked to open."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[Path] = []

    @Slot(QUrl)
    def opens(self, url: QUrl) -> None:
        self.opened.append(Path(url.toLocalFile()))


def _target(
    view: TranscriptView, is_meant: Callable[[str, HitTarget], bool]
) -> tuple[PlacedRow, QRectF] | None:
    for placed in view._layout.placed:
        for target in placed.row.targets():
            if is_meant(placed.key, target):
                return placed, target.box
    return None


class Person:
    """Sits at the window: writes, and waits for what can be seen."""

    def __init__(self, program: Composition) -> None:
        self.program = program
        self.window = program.window

    @property
    def box(self) -> QPlainTextEdit:
        """The composer's box."""
        return find(self.window, QPlainTextEdit, "Message")

    @property
    def reply(self) -> str:
        """The text of the last reply, all its parts."""
        rows = self.program.chat.transcript.rows
        return "\n".join(row.text for row in rows if isinstance(row, ReplyPart))

    def write(self, text: str) -> None:
        """Type into the composer, and send nothing."""
        self.box.setFocus(Qt.FocusReason.OtherFocusReason)
        type_into(self.box, text)

    def say(self, text: str) -> None:
        """Type a message and press Enter."""
        self.write(text)
        press_enter(self.box)

    async def sees(self, is_so: Callable[[], bool], what: str, *more: SignalInstance) -> None:
        """Wait until `is_so()` is true; a failure says that `what` was not so in time."""
        chat, connection = self.program.chat, self.program.connection
        signals = [
            chat.transcript.rowsInserted,
            chat.transcript.rowsRemoved,
            chat.transcript.dataChanged,
            chat.transcript.modelReset,
            chat.state_changed,
            chat.accepted,
            chat.refused,
            chat.failed,
            chat.drafts.restored,
            chat.taken_back,
            chat.revisions.taken_back,
            chat.decline_needed,
            connection.status_changed,
            connection.banner_changed,
            self.program.approval.cards_changed,
            self.program.conversations.modelReset,
            self.program.conversations.rowsInserted,
            self.program.conversations.rowsRemoved,
            self.program.conversations.dataChanged,
            self.program.setup.settings_changed,
            self.program.setup.finished,
            *more,
        ]
        await until(is_so, signals, what, _TIMEOUT_S)

    async def asks(self, text: str) -> None:
        """Send a message, and wait until the reply has ended."""
        before = len(self.program.chat.transcript.rows)
        self.say(text)
        await self.sees(lambda: self._replies_after(before), "a reply that has ended")

    async def chooses(self, key: str, action: Action) -> None:
        """Scroll to an action under the message of a row, and click on it."""
        await self.presses(
            lambda row, target: row == key and target.action == Choose(action),
            f"“{action.value}” under the message",
        )

    def is_offered(self, action: Action) -> bool:
        """Whether the transcript has a button for this action, under any message."""
        view = child(self.window, TranscriptView)
        return _target(view, lambda _, target: target.action == Choose(action)) is not None

    async def presses(self, is_meant: Callable[[str, HitTarget], bool], what: str) -> None:
        """Scroll to what is meant of the transcript, by the key of its row, and click on it."""
        view = child(self.window, TranscriptView)
        # As long as what is there has just come into view, presses are ignored.
        await self.sees(
            lambda: _target(view, is_meant) is not None and not view._pointer.ignores_presses,
            f"{what}, to be pressed",
        )
        found = _target(view, is_meant)
        assert found
        view._layout.reveal(found[0].index, found[1].top(), found[1].bottom())
        view._arrange()
        found = _target(view, is_meant)
        assert found
        place = found[1].center() + QPointF(view._layout.column_left, found[0].top)
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place.toPoint())

    def _replies_after(self, row: int) -> bool:
        rows = self.program.chat.transcript.rows
        has_reply = any(isinstance(item, ReplyPart) for item in rows[row:])
        return has_reply and not self.program.chat.state.is_busy


@asynccontextmanager
async def built_program(
    folder: Path, keyring: KeyringInMemory | None = None
) -> AsyncIterator[Composition]:
    """Build the program with everything in `folder`; it is neither shown nor started."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    paths = paths_under(folder)
    paths.make()
    backend = keyring or KeyringInMemory()
    look = application.font(), application.palette()
    window = MainWindow(paths.window_file)
    program = Composition(application, paths, KeyStore(lambda: backend), window)
    try:
        yield program
    finally:
        program.window.close()
        await program.aclose()
        program.window.deleteLater()
        font, palette = look
        application.setFont(font)
        application.setPalette(palette)


@asynccontextmanager
async def running_program(
    folder: Path, keyring: KeyringInMemory | None = None
) -> AsyncIterator[Person]:
    """Run the program with everything in `folder` until the end of the block."""
    async with built_program(folder, keyring) as program:
        program.window.show()
        await program.start()
        yield Person(program)


def has_chosen_offline(folder: Path) -> Paths:
    """Write settings in which the bundled service is chosen already."""
    paths = paths_under(folder)
    paths.make()
    SettingsFile(paths.settings_file).save(Settings(connection=ConnectionSettings(kind="local")))
    return paths


def has_chosen_hosted(folder: Path, service: FakeService) -> KeyringInMemory:
    """Write settings in which this service is chosen already; return where its key is."""
    paths = paths_under(folder)
    paths.make()
    connection = ConnectionSettings(kind="hosted", base_url=service.base_url)
    SettingsFile(paths.settings_file).save(Settings(connection=connection))
    keyring = KeyringInMemory()
    keyring.set_password("parley", service.base_url, service.api_key.get_secret_value())
    return keyring


@asynccontextmanager
async def hosted_program(folder: Path, service: FakeService) -> AsyncIterator[Person]:
    """Run the program with this service as its project; it answers when the block begins."""
    keyring = has_chosen_hosted(folder, service)
    async with running_program(folder, keyring) as person:
        connection = person.program.connection
        await person.sees(lambda: connection.status.dot is Dot.GOOD, "the service answers")
        yield person


@asynccontextmanager
async def opened_chat(
    folder: Path, *messages: tuple[str, str]
) -> AsyncIterator[tuple[Person, FakeService]]:
    """Run the program with a service that copies chats, and open the only one there, `c1`."""
    async with FakeService() as service:
        service.forks = {}
        service.holds("c1", *messages)
        async with hosted_program(folder, service) as person:
            chat = person.program.chat
            chat.open("c1")
            await person.sees(
                lambda: len(chat.transcript.rows) == len(messages), "the chat shows its messages"
            )
            yield person, service
