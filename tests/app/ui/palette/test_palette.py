"""The palette over its window: keys, clicks, and what becomes of the keyboard."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from app.chat.conversation_rows import ConversationRow
from app.common.error_messages import ErrorMessage
from app.config.settings import AppearanceSettings
from app.ui.commands import CommandGroup, Commands
from app.ui.palette.entries import PaletteEntry, PaletteGroup
from app.ui.palette.entry_list import EntryList
from app.ui.palette.palette import Palette, PaletteInput
from app.ui.theme import Theme
from app.ui.widgets.surfaces import RoundedFrame
from tests.support.announcements import reader_listening
from tests.support.clipping import settle
from tests.support.markup import MARKUP
from tests.support.widgets import button_named, child, click, enter_text, label_texts, press

_NOW = datetime(2026, 5, 20, 14, 30, tzinfo=UTC)


def _entry(number: int, text: str = "", group: PaletteGroup = PaletteGroup.CHATS) -> PaletteEntry:
    row = ConversationRow(f"c{number}", text or f"Chat {number}", 2, _NOW)
    return PaletteEntry(group, f"chat {number}", row.title, "hint", "message-square", row)


ENTRIES = (_entry(1), _entry(2), _entry(3, "Run it", PaletteGroup.ACTIONS))


@dataclass
class Stage:
    """A window with a box, a button under the palette, and what the palette gave away."""

    window: QMainWindow
    palette: Palette
    box: QPlainTextEdit
    commands: Commands
    chosen: list[tuple[object, bool]] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)
    pressed: list[str] = field(default_factory=list)

    @property
    def line(self) -> PaletteInput:
        """The line that is typed into."""
        return child(self.palette, PaletteInput)

    def open(self, *, has_new_window: bool = True) -> None:
        """Open the palette with three entries."""
        self.palette.open()
        self.palette.show_entries(ENTRIES, has_new_window=has_new_window)


@pytest.fixture
def stage(theme: Theme, qtbot: QtBot) -> Iterator[Stage]:
    window = QMainWindow()
    window.resize(1000, 700)
    centre = QWidget()
    column = QVBoxLayout(centre)
    box, button = QPlainTextEdit(), QPushButton("Allow")
    column.addWidget(box)
    column.addWidget(button)
    window.setCentralWidget(centre)
    made = Stage(window, Palette(theme, window), box, Commands(window))
    made.commands.add(
        "act", "Act", lambda: made.pressed.append("act"), group=CommandGroup.CHAT, keys="F6"
    )
    button.clicked.connect(lambda: made.pressed.append("button"))
    made.palette.chosen.connect(lambda *given: made.chosen.append(given))
    made.palette.typed.connect(made.typed.append)
    qtbot.addWidget(window)
    with qtbot.waitActive(window, timeout=20_000):
        window.show()
        window.activateWindow()
    box.setFocus()
    yield made
    window.close()


def test_palette_opens_empty_and_focused_and_returns_the_focus(stage: Stage) -> None:
    stage.open()
    enter_text(stage.line, "re")
    assert stage.line.hasFocus()

    press(stage.line, Qt.Key.Key_Escape)

    assert not stage.palette.isVisible()
    assert stage.box.hasFocus()
    stage.open()
    assert stage.typed[:3] == ["", "r", "re"]
    assert stage.typed[-1] == ""
    assert stage.line.text() == ""


def test_readers_hear_of_the_line_before_anything_in_a_palette_that_opens_again(
    stage: Stage,
) -> None:
    stage.open()
    enter_text(stage.line, "re")
    press(stage.line, Qt.Key.Key_Escape)
    told: list[bool] = []
    stage.palette.typed.connect(lambda _typed: told.append(QAccessible.isActive()))

    with reader_listening():
        stage.open()
        assert QAccessible.isActive()

    # They are told of it once it is empty and has the keyboard.
    assert set(told) == {False}
    assert stage.line.hasFocus()


def test_arrows_go_round_and_enter_chooses(stage: Stage) -> None:
    stage.open()
    press(stage.line, Qt.Key.Key_Up)
    press(stage.line, Qt.Key.Key_Return)

    stage.open()
    press(stage.line, Qt.Key.Key_Tab)
    QTest.keyClick(stage.line, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

    assert stage.chosen == [(ENTRIES[2], False), (ENTRIES[1], True)]
    assert not stage.palette.isVisible()


def test_without_a_second_window_none_is_offered(stage: Stage) -> None:
    stage.open(has_new_window=False)
    assert not any("new window" in text for text in label_texts(stage.palette))

    QTest.keyClick(stage.line, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

    assert stage.chosen == [(ENTRIES[0], False)]


def test_entry_that_somebody_went_to_stays_current_when_others_come(stage: Stage) -> None:
    stage.open()
    press(stage.line, Qt.Key.Key_Down)

    stage.palette.show_entries((_entry(9), *ENTRIES), has_new_window=True)
    press(stage.line, Qt.Key.Key_Return)

    assert stage.chosen == [(ENTRIES[1], False)]


def test_first_entry_is_current_until_somebody_goes_elsewhere(stage: Stage) -> None:
    stage.open()

    stage.palette.show_entries((_entry(9), *ENTRIES), has_new_window=True)
    press(stage.line, Qt.Key.Key_Return)

    assert stage.chosen == [(_entry(9), False)]


def test_clicked_entry_is_chosen(stage: Stage) -> None:
    stage.open()
    view = child(stage.palette, EntryList)

    click(view.viewport(), view.visualRect(view.model().index(1, 0)).center())

    assert stage.chosen == [(ENTRIES[1], False)]


def test_no_key_of_the_window_works_behind_it(stage: Stage) -> None:
    stage.open()

    QTest.keyClick(stage.window.windowHandle(), Qt.Key.Key_F6)
    assert stage.pressed == []

    stage.palette.shut()
    QTest.keyClick(stage.window.windowHandle(), Qt.Key.Key_F6)
    assert stage.pressed == ["act"]


def test_click_beside_it_closes_it_and_presses_nothing(stage: Stage, qtbot: QtBot) -> None:
    stage.open()
    below = stage.window.rect().center() + QPoint(0, 340)
    place = stage.palette.mapFrom(stage.window, below)

    with qtbot.waitSignal(stage.palette.closed, timeout=20_000):
        QTest.mouseClick(
            stage.window.windowHandle(),
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            stage.palette.mapTo(stage.window, place),
        )

    assert stage.pressed == []
    assert stage.chosen == []
    assert stage.box.hasFocus()


def test_palette_closes_when_it_loses_the_focus(stage: Stage) -> None:
    stage.open()

    stage.box.setFocus()

    assert not stage.palette.isVisible()
    assert stage.box.hasFocus()


def test_palette_covers_the_window_at_every_size(stage: Stage) -> None:
    stage.open()

    stage.window.resize(720, 480)

    assert stage.palette.geometry() == stage.window.rect()
    assert stage.palette.rect().contains(child(stage.palette, RoundedFrame).geometry())


def test_nothing_that_fits_is_said(stage: Stage) -> None:
    stage.open()

    stage.palette.show_entries((), has_new_window=True)
    press(stage.line, Qt.Key.Key_Return)
    press(stage.line, Qt.Key.Key_Down)

    assert "No results" in label_texts(stage.palette)
    assert stage.palette.isVisible()
    assert stage.chosen == []

    stage.line.setText("nothing like it")
    click(button_named(stage.palette, "Clear search"))
    assert (stage.line.text(), stage.palette.isVisible()) == ("", True)


@pytest.mark.parametrize("height_px", [743, 700, 640, 520])
def test_last_row_in_view_is_shown_whole(height_px: int, stage: Stage) -> None:
    stage.window.resize(1000, height_px)
    stage.open()

    stage.palette.show_entries([_entry(number) for number in range(40)], has_new_window=False)
    settle()

    view = child(stage.palette, EntryList)
    rows = [view.visualRect(view.model().index(row, 0)) for row in range(40)]
    bottom = view.viewport().rect().bottom()
    assert [row for row in rows if row.top() <= bottom < row.bottom()] == []
    assert sum(row.bottom() <= bottom for row in rows) > 3


def test_failed_search_is_said_until_something_else_is_typed(stage: Stage) -> None:
    stage.open()

    stage.palette.show_failure(ErrorMessage("The disk is full."))
    assert "The disk is full." in label_texts(stage.palette)
    assert child(stage.palette, EntryList).isVisible()
    enter_text(stage.line, "r")

    assert "The disk is full." not in label_texts(stage.palette)


@pytest.mark.security(75)
def test_entries_are_never_laid_out_as_markup(stage: Stage) -> None:
    stage.open()
    entries = tuple(_entry(number, text) for number, text in enumerate(MARKUP))
    stage.palette.show_entries(entries, has_new_window=True)
    view = child(stage.palette, EntryList)

    heights = {view.sizeHintForRow(row) for row in range(1, len(entries))}

    assert len(heights) == 1
    assert not stage.window.grab().isNull()


def test_window_is_dimmed_in_both_themes(stage: Stage, theme: Theme) -> None:
    for look in (AppearanceSettings(theme="light"), AppearanceSettings(theme="dark")):
        theme.wear(look)
        before: QImage = stage.window.grab().toImage()
        stage.open()
        after: QImage = stage.window.grab().toImage()
        stage.palette.shut()

        assert after.pixelColor(3, 690).lightness() < before.pixelColor(3, 690).lightness()


def test_lines_behave_as_a_model(stage: Stage, qtmodeltester: ModelTester) -> None:
    view = child(stage.palette, EntryList)
    qtmodeltester.check(view.model())

    view.show_entries(ENTRIES)

    qtmodeltester.check(view.model())
