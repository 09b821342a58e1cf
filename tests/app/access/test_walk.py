"""Everything that can be done in a window is done by the keyboard alone, and is seen to happen."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QWidget

from app.self_test.ui_driver import until
from app.ui.commands import context_keys
from app.ui.help.help_page import HelpPage
from app.ui.main_window import MainWindow
from app.ui.palette.palette import Palette
from app.ui.panel.right_panel import RightPanel
from app.ui.settings.about import AboutSection, SelfTestGroup
from app.ui.settings.settings_page import SettingsPage
from app.ui.sidebar.delete_bar import DeleteBar
from app.ui.sidebar.sidebar import Sidebar
from app.ui.transcript.view import TranscriptView
from app.viewmodels.rows import RowsModel
from app.viewmodels.states import Dot
from tests.support.names import spoken_faults
from tests.support.plugins import LoopBackend
from tests.support.widgets import button_named, child
from tests.support.window import Person, has_chosen_offline, running_program

pytestmark = pytest.mark.anyio

_NO_MODIFIER: Final = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    return qt_loop


class _Walk:
    """Does commands one by one, and keeps which were done and what had no name of its own."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.window = person.window
        self.done: list[str] = []
        self.unnamed: dict[str, list[str]] = {}
        self._pulse = QTimer(person.window, interval=30)
        self._pulse.start()

    async def does(self, name: str, is_so: Callable[[], object]) -> None:
        """Do this by its keys, or else through the palette, and wait until it has happened."""
        assert not is_so(), f"{name} would change nothing"
        action = self.window.commands[name].action
        keys = [keys for keys in action.shortcuts() if _can_be_pressed(keys)]
        if keys:
            self.press(keys[0])
        else:
            await self._choose(action.text())
        await self.sees(is_so, name)
        self.done.append(name)
        self.check_names(name)

    async def sees(self, is_so: Callable[[], object], what: str) -> None:
        """Wait until `is_so()` is true, by polling, since each command has another signal."""
        await until(lambda: bool(is_so()), [self._pulse.timeout], what)

    async def returns(self) -> None:
        """Another window went: where there is a desktop, it brings this one back by itself."""
        self.window.activateWindow()
        await self.sees(QApplication.focusWidget, "the keyboard is back")

    def press(self, keys: QKeySequence | str) -> None:
        """Presses keys where the keyboard is now."""
        QTest.keySequence(_front(self.window), QKeySequence(keys))

    def check_names(self, where: str) -> None:
        front = _front(self.window).window()
        if faults := spoken_faults(front):
            self.unnamed[where] = faults

    async def _choose(self, text: str) -> None:
        self.press("Ctrl+K")
        palette = self.window.findChildren(Palette)[0]
        # All at once, as an input method writes a word: each key would search anew.
        words = QKeyEvent(QEvent.Type.KeyPress, 0, _NO_MODIFIER, text.removesuffix("…"))
        QApplication.sendEvent(_front(self.window), words)
        await self.sees(lambda: text in _texts(palette), f"“{text}” in the palette")
        self.press("Return")


def _can_be_pressed(keys: QKeySequence) -> bool:
    """Whether it is no key of its own for one thing, such as Zoom In, which has no letter."""
    return "+" in keys.toString() or keys.toString().startswith("F")


def _front(window: QWidget) -> QWidget:
    """Return what the keyboard is in."""
    return QApplication.activePopupWidget() or QApplication.focusWidget() or window


def _texts(palette: Palette) -> list[str]:
    [rows] = palette.findChildren(RowsModel)
    return [str(rows.data(rows.index(row))) for row in range(rows.rowCount())]


async def _changes_the_size(walk: _Walk) -> None:
    """First of all: the fuller a window is, the longer this takes."""
    preferences = walk.person.program.preferences

    def is_at(percent: int) -> bool:
        return preferences.current.appearance.scale_percent == percent

    for name, percent in (("text-larger", 110), ("text-usual", 100), ("text-smaller", 90)):
        await walk.does(name, partial(is_at, percent))


async def _writes(walk: _Walk) -> None:
    """Two chats, begun and gone through by keys."""
    chat = walk.person.program.chat
    await walk.person.asks("Hello there")
    await walk.does("new-chat", lambda: chat.conversation_id == "")
    await walk.person.asks("Hello again")
    newest = chat.conversation_id
    await walk.does("next-chat", lambda: chat.conversation_id != newest)
    await walk.does("previous-chat", lambda: chat.conversation_id == newest)
    await walk.sees(lambda: walk.person.reply, "the chat is read")


async def _goes_round(walk: _Walk) -> None:
    box = walk.person.box
    await walk.does("next-region", lambda: not box.hasFocus())
    await walk.does("previous-region", box.hasFocus)
    sidebar = child(walk.window, Sidebar)
    await walk.does("toggle-sidebar", sidebar.isHidden)
    walk.press("Ctrl+B")
    await walk.does("search-chats", lambda: sidebar.isAncestorOf(_front(walk.window)))
    walk.press("Esc")


async def _reads(walk: _Walk) -> None:
    view = child(walk.window, TranscriptView)
    await walk.does("find", lambda: "Find in chat" in _front(walk.window).accessibleName())
    QTest.keyClicks(_front(walk.window), "hello")
    found = view.finding

    def has_all() -> bool:
        # A message that changes, as one that the service tells again, is looked through anew.
        return found.count > 1 and found.number > 0 and not found.is_busy

    await walk.sees(has_all, "every hit is marked")
    first = found.number
    await walk.does("find-next", lambda: found.number != first)
    await walk.sees(has_all, "every hit is marked")
    await walk.does("find-previous", lambda: found.number == first)
    walk.press("Esc")
    walk.press("Ctrl+Up")
    walk.press("Ctrl+Up")

    def is_elsewhere(before: object) -> bool:
        return view.accessible_rows.current is not before

    for name in ("next-message", "previous-message"):
        await walk.does(name, partial(is_elsewhere, view.accessible_rows.current))
    for name in ("copy-shown", "copy-markdown", "copy-message", "copy-chat"):
        QGuiApplication.clipboard().setText("")
        await walk.does(name, lambda: "Hello" in QGuiApplication.clipboard().text())
    walk.window.resize(walk.window.minimumSize())
    walk.press("Home")
    await walk.does("latest", lambda: view.follows_end)
    walk.person.box.setFocus()


async def _arranges(walk: _Walk) -> None:
    """Use the list of chats: names, places, order, and the question before one goes."""
    walk.window.resize(1360, 860)
    rows = walk.person.program.conversations
    first = rows.rows[0].conversation_id
    await walk.does("order-chats", lambda: rows.rows[0].conversation_id != first)
    await walk.does("rename-chat", lambda: isinstance(_front(walk.window), QLineEdit))
    QTest.keyClicks(_front(walk.window), "Renamed")
    walk.press("Return")
    await walk.sees(lambda: any(row.title == "Renamed" for row in rows.rows), "the new name")
    await walk.does("pin-chat", lambda: any(row.is_pinned for row in rows.rows))
    bar = child(walk.window, DeleteBar)
    await walk.does("delete-chat", bar.isVisible)
    walk.press("Esc")
    await walk.sees(bar.isHidden, "the bar for deleting is hidden, with nothing deleted")


async def _opens_pages(walk: _Walk) -> None:
    shown = {
        "settings": lambda: _says(walk.window, "Settings"),
        "shortcuts": lambda: _says(
            walk.window, *(command.action.text() for command in walk.window.commands.all)
        ),
        "projects": lambda: _says(walk.window, "Connections"),
        "show-log": lambda: _says(walk.window, "Log"),
        "self-test": lambda: walk.window.focusWidget() is child(walk.window, SelfTestGroup).start,
    }
    for name, is_so in shown.items():
        await walk.does(name, is_so)
        walk.press("Esc")
        await walk.sees(child(walk.window, SettingsPage).isHidden, "the chat is shown again")
    await walk.does("palette", child(walk.window, Palette).isVisible)
    walk.press("Esc")


async def _shows_the_panel(walk: _Walk) -> None:
    panel = child(walk.window, RightPanel)
    for tab in ("tools", "activity", "skills"):
        await walk.does(f"show-{tab}", partial(_is_at, panel, tab))
    await walk.does("verify-record", lambda: _says(walk.window, "The record is intact: 0 calls."))


def _is_at(panel: RightPanel, tab: str) -> bool:
    return panel.tab == tab


async def _takes_along(walk: _Walk) -> None:
    """Menus and dialogs, and the chats that were imported."""
    for name in ("export-chat", "switch-project"):
        await walk.does(name, QApplication.activePopupWidget)
        walk.press("Esc")
    for name in ("export-all-chats", "import-chats", "export-record"):
        await walk.does(name, QApplication.activeModalWidget)
        walk.press("Esc")
        await walk.sees(lambda: not QApplication.activeModalWidget(), "the dialog is away")
        await walk.returns()
    archive = walk.person.program.archive
    await walk.does("imported-chats", lambda: archive.is_open)
    archive.close()


async def _opens_windows(walk: _Walk) -> None:
    windows, chat = walk.person.program.windows, walk.person.program.chat
    chat.open(walk.person.program.conversations.rows[0].conversation_id)
    for name in ("new-window", "open-in-new-window"):
        await walk.does(name, lambda: len(windows.all) == 2)
        windows.all[1].close()
        await walk.returns()


async def _reads_the_manual(walk: _Walk) -> None:
    """Open the manual at the page of where one is, and go back to there."""
    pages: list[HelpPage] = []

    def is_at(name: str) -> bool:
        pages[:] = walk.window.findChildren(HelpPage)
        return any(page.isVisible() and page.page_name == name for page in pages)

    await walk.does("manual", partial(is_at, "index"))
    QTest.keyClicks(_front(walk.window), "sandbox")
    walk.press("Return")
    await walk.sees(partial(is_at, "sandbox"), "the manual is at the hit “sandbox”")
    # Out of the section, out of the search, and back.
    for _ in range(3):
        walk.press("Esc")
    await walk.sees(pages[0].isHidden, "the chat is shown again")
    settings = child(walk.window, SettingsPage)
    walk.press("Ctrl+F1")
    await walk.sees(settings.isVisible, "the shortcuts")
    walk.press("F1")
    await walk.sees(partial(is_at, "chats"), "the page of the shortcuts")
    walk.press("Esc")
    await walk.sees(settings.isVisible, "the settings are shown again")
    about = child(walk.window, AboutSection)
    settings.show_section(about)
    button_named(about, "Open manual").click()
    await walk.sees(partial(is_at, "index"), "the first page")
    walk.press("Esc")
    await walk.sees(settings.isVisible, "the settings are shown again")
    walk.press("Esc")
    await walk.sees(settings.isHidden, "the chat is shown again")


async def _ends(walk: _Walk) -> None:
    program = walk.person.program
    loaded, closed, states = list[bool](), list[bool](), list[Dot]()
    program.catalog.loaded.connect(lambda: loaded.append(True))
    program.connection.status_changed.connect(lambda status: states.append(status.dot))
    program.windows.closed.connect(lambda: closed.append(True))
    await walk.does("reload", lambda: bool(loaded))
    await walk.does("restart-service", lambda: Dot.WARN in states)
    await walk.sees(lambda: program.connection.status.dot is Dot.GOOD, "the service is connected")
    await walk.does("quit", lambda: bool(closed))


def _says(window: QWidget, *words: str) -> bool:
    labels = window.findChildren(QLabel)
    return set(words) <= {label.text() for label in labels if label.isVisible()}


def _check_words_and_keys(window: MainWindow) -> None:
    commands = window.commands.all
    texts = [command.action.text() for command in commands]
    assert all(text.strip() for text in texts)
    assert len(texts) == len(set(texts)), "two commands read the same"
    keys = [keys.toString() for command in commands for keys in command.action.shortcuts()]
    assert len(keys) == len(set(keys)), "keys of two commands"
    of_parts = {QKeySequence(keys).toString() for key in context_keys() for keys in key.keys}
    bare = {short.key().toString() for short in window.findChildren(QShortcut)}
    assert bare - of_parts == set(), "keys of the window that are no command and in no table"
    assert not set(keys) & {"Tab", "Return", "Space", "Up", "Down"}


_PARTS: Final = (
    _changes_the_size,
    _writes,
    _goes_round,
    _arranges,
    _opens_pages,
    # By now the service has told the open chat again, which makes its messages anew.
    _reads,
    _shows_the_panel,
    _takes_along,
    _opens_windows,
    _reads_the_manual,
    _ends,
)


# It does nearly everything there is.
async def test_every_command_is_done_by_keys_or_the_palette_and_has_names_on_the_way(
    tmp_path: Path,
) -> None:
    has_chosen_offline(tmp_path)
    async with running_program(tmp_path) as person:
        walk = _Walk(person)
        status = person.program.connection.status_changed
        connection = person.program.connection
        await person.sees(
            lambda: connection.status.dot is Dot.GOOD, "the service is connected", status
        )
        person.window.activateWindow()
        _check_words_and_keys(person.window)
        for part in _PARTS:
            await part(walk)

        assert walk.unnamed == {}
        assert sorted(walk.done) == sorted(command.name for command in person.window.commands.all)
