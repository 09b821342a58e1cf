"""The sidebar: choosing, deleting with a question, paging, and what it shows."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QImage
from PySide6.QtWidgets import QApplication, QListView, QMenu
from pytestqt.qtbot import QtBot

from app.chat.conversation_rows import ConversationRow
from app.chat.items import Inserted, Removed, Replaced
from app.chat.sessions import ConversationStatus
from app.common.error_messages import ErrorMessage
from app.config.settings import AppearanceSettings
from app.ui.sidebar.conversation_list import ConversationList
from app.ui.sidebar.delete_bar import DeleteBar
from app.ui.sidebar.sidebar import Sidebar
from app.ui.theme import Theme
from app.ui.widgets.labels import one_line
from app.viewmodels.rows import RowsModel
from app.viewmodels.states import Dot, StatusView
from tests.support.markup import MARKUP
from tests.support.widgets import button_named, child, click, label_texts, press

_NOW = datetime(2026, 5, 20, 14, 30, tzinfo=UTC)


class _Clock:
    def __init__(self) -> None:
        self.time = _NOW

    def __call__(self) -> datetime:
        return self.time


class _PagedModel(RowsModel[ConversationRow]):
    """Has more rows than it shows, and notes that it was asked for them."""

    def __init__(self) -> None:
        super().__init__(lambda row: row.title)
        self.asked = 0

    def canFetchMore(self, _parent: QModelIndex | QPersistentModelIndex) -> bool:
        return self.asked == 0

    def fetchMore(self, _parent: QModelIndex | QPersistentModelIndex) -> None:
        self.asked += 1


def _row(
    number: int, days: int = 0, title: str = "", mark: ConversationStatus = ConversationStatus.NONE
) -> ConversationRow:
    return ConversationRow(
        f"c{number}", title or f"Chat {number}", 12, _NOW - timedelta(days=days), mark
    )


@pytest.fixture
def model() -> RowsModel[ConversationRow]:
    rows: RowsModel[ConversationRow] = RowsModel(lambda row: row.title)
    rows.replace_all([_row(1), _row(2), _row(3, days=1), _row(4, days=40)])
    return rows


@pytest.fixture
def sidebar(model: RowsModel[ConversationRow], theme: Theme, qtbot: QtBot) -> Iterator[Sidebar]:
    widget = Sidebar(model, theme, lambda: _NOW)
    qtbot.addWidget(widget)
    widget.resize(272, 700)
    widget.show()
    yield widget
    widget.close()


def _list(sidebar: Sidebar) -> QListView:
    return child(sidebar, ConversationList)


def _rect(sidebar: Sidebar, row: int) -> QRect:
    view = _list(sidebar)
    return view.visualRect(view.model().index(row, 0))


def test_clicked_chat_is_opened(sidebar: Sidebar, qtbot: QtBot) -> None:
    with qtbot.waitSignal(sidebar.chat_chosen, timeout=20_000) as chosen:
        click(_list(sidebar).viewport(), _rect(sidebar, 1).center())

    assert chosen.args == ["c2"]


def test_click_on_a_caption_opens_nothing(sidebar: Sidebar, qtbot: QtBot) -> None:
    caption = _rect(sidebar, 2).topLeft() + QPoint(40, -10)

    with qtbot.assertNotEmitted(sidebar.chat_chosen):
        click(_list(sidebar).viewport(), caption)


def test_arrows_move_and_enter_opens(sidebar: Sidebar, qtbot: QtBot) -> None:
    view = _list(sidebar)
    view.setFocus()
    view.setCurrentIndex(view.model().index(0, 0))
    with qtbot.assertNotEmitted(sidebar.chat_chosen):
        press(view, Qt.Key.Key_Down)
        press(view, Qt.Key.Key_Down)

    with qtbot.waitSignal(sidebar.chat_chosen, timeout=20_000) as chosen:
        press(view, Qt.Key.Key_Return)

    assert chosen.args == ["c3"]


def test_open_chat_is_selected_and_stays_so_when_rows_come(
    sidebar: Sidebar, model: RowsModel[ConversationRow]
) -> None:
    sidebar.show_open("c2")
    model.mirror(Inserted(0, 1), [_row(9)])

    selected = _list(sidebar).selectionModel().selectedIndexes()
    assert [index.row() for index in selected] == [2]

    model.replace_all([_row(2)])
    assert [index.row() for index in _list(sidebar).selectionModel().selectedIndexes()] == [0]


def test_delete_key_asks_and_a_second_yes_deletes(sidebar: Sidebar, qtbot: QtBot) -> None:
    view = _list(sidebar)
    view.setCurrentIndex(view.model().index(2, 0))
    with qtbot.assertNotEmitted(sidebar.delete_requested):
        press(view, Qt.Key.Key_Delete)

    assert "Delete “Chat 3”?" in label_texts(sidebar)
    assert any("permanently" in text for text in label_texts(sidebar))
    with qtbot.waitSignal(sidebar.delete_requested, timeout=20_000) as deleted:
        click(button_named(sidebar, "Delete permanently"))
    assert deleted.args == [("c3",)]
    assert not button_named(sidebar, "Delete permanently").isVisible()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape])
def test_no_key_alone_deletes(sidebar: Sidebar, qtbot: QtBot, key: Qt.Key) -> None:
    view = _list(sidebar)
    view.setCurrentIndex(view.model().index(0, 0))
    press(view, Qt.Key.Key_Delete)

    with qtbot.assertNotEmitted(sidebar.delete_requested):
        press(button_named(sidebar, "Cancel"), key)


def test_escape_and_keep_dismiss_the_question(sidebar: Sidebar) -> None:
    view = _list(sidebar)
    view.setCurrentIndex(view.model().index(0, 0))
    for answer in (Qt.Key.Key_Escape, Qt.Key.Key_Space):
        press(view, Qt.Key.Key_Delete)
        keep = button_named(sidebar, "Cancel")
        assert keep.isVisible()
        press(keep, answer)
        assert not keep.isVisible()


def test_question_goes_away_with_its_chat(
    sidebar: Sidebar, model: RowsModel[ConversationRow]
) -> None:
    view = _list(sidebar)
    view.setCurrentIndex(view.model().index(0, 0))
    press(view, Qt.Key.Key_Delete)

    model.mirror(Removed(0, 1), [])

    assert not button_named(sidebar, "Cancel").isVisible()


def test_context_menu_offers_what_can_be_done_with_a_chat(sidebar: Sidebar, qtbot: QtBot) -> None:
    view = _list(sidebar)
    at = _rect(sidebar, 1).center()
    menu = child(view, QMenu)
    QApplication.sendEvent(
        view.viewport(),
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.viewport().mapToGlobal(at)),
    )
    assert [action.text() for action in menu.actions() if action.text()] == [
        "Open",
        "Open in a new window",
        "Rename",
        "Pin",
        "Export…",
        "Newest first",
        "Oldest first",
        "Select all",
        "Delete…",
    ]

    with qtbot.waitSignal(sidebar.chat_chosen, timeout=20_000) as chosen:
        menu.actions()[0].trigger()
    with qtbot.waitSignal(sidebar.window_requested, timeout=20_000) as moved:
        menu.actions()[1].trigger()
    menu.actions()[-1].trigger()
    menu.close()

    assert chosen.args == moved.args == ["c2"]
    assert "Delete “Chat 2”?" in label_texts(sidebar)


def test_windows_of_imported_chats_stay_and_the_menu_does_not_grow(
    sidebar: Sidebar,
) -> None:
    view = _list(sidebar)
    at = _rect(sidebar, 1).center()
    menu = child(view, QMenu)
    sidebar.show_archive(is_archive=True)
    parts = set[int]()
    for _ in range(3):
        QApplication.sendEvent(
            view.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, at)
        )
        parts.add(len(menu.findChildren(QObject)))
        menu.close()

    assert "Open in a new window" not in [action.text() for action in menu.actions()]
    assert len(parts) == 1


def test_context_menu_on_the_empty_part_is_about_the_list(sidebar: Sidebar) -> None:
    view = _list(sidebar)
    below = QPoint(100, _rect(sidebar, 3).bottom() + 20)

    QApplication.sendEvent(
        view.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, below, below)
    )

    texts = [action.text() for action in child(view, QMenu).actions() if action.text()]
    assert texts == ["Newest first", "Oldest first", "Select all"]
    child(view, QMenu).close()


def test_next_page_is_asked_for_when_the_end_is_in_sight(theme: Theme, qtbot: QtBot) -> None:
    model = _PagedModel()
    model.replace_all([_row(number) for number in range(100)])
    sidebar = Sidebar(model, theme, lambda: _NOW)
    qtbot.addWidget(sidebar)
    sidebar.resize(272, 500)
    with qtbot.waitExposed(sidebar, timeout=20_000):
        sidebar.show()
    assert model.asked == 0

    bar = _list(sidebar).verticalScrollBar()
    bar.setValue(bar.maximum())

    qtbot.waitUntil(lambda: model.asked == 1, timeout=20_000)


def test_empty_sidebar_says_so_until_a_chat_comes(
    sidebar: Sidebar, model: RowsModel[ConversationRow]
) -> None:
    model.replace_all([])
    sidebar.show_status(StatusView(Dot.WARN, "Work", "connecting…"))
    # Nobody knows yet whether there are chats.
    assert "No chats yet" not in label_texts(sidebar)
    sidebar.show_status(StatusView(Dot.GOOD, "Work", "connected"))
    assert "No chats yet" in label_texts(sidebar)
    sidebar.show_archive(is_archive=True)
    assert "No imported chats yet" in label_texts(sidebar)
    sidebar.show_archive(is_archive=False)

    sidebar.show_status(StatusView(Dot.BAD, "Work", "no key", needs_key=True))
    assert "No chats yet" not in label_texts(sidebar)
    assert "Enter the key to see your chats" in label_texts(sidebar)
    sidebar.show_status(StatusView(Dot.GOOD, "Work", "connected"))
    assert "No chats yet" in label_texts(sidebar)

    model.mirror(Inserted(0, 1), [_row(1)])
    assert "No chats yet" not in label_texts(sidebar)


def test_new_chat_and_settings_are_one_click_away(sidebar: Sidebar, qtbot: QtBot) -> None:
    with qtbot.waitSignal(sidebar.new_chat_requested, timeout=20_000):
        click(button_named(sidebar, "New chat"))
    with qtbot.waitSignal(sidebar.settings_requested, timeout=20_000):
        click(button_named(sidebar, "Settings"))


def test_foot_says_who_is_talked_to_and_how_that_is_going(sidebar: Sidebar) -> None:
    sidebar.show_status(StatusView(Dot.BAD, "service.example.com", "unreachable", is_test=True))

    assert {"service.example.com", "unreachable", "test key"} <= label_texts(sidebar)

    sidebar.show_status(StatusView(Dot.GOOD, "Local service", "ready"))
    assert {"Local service", "ready"} <= label_texts(sidebar)
    assert "test key" not in label_texts(sidebar)


def test_problem_is_said_where_it_happened_until_it_is_over(sidebar: Sidebar) -> None:
    sidebar.show_problem(ErrorMessage("Nothing answers at {host}.", {"host": "example.org\u202e"}))
    assert "Nothing answers at example.org‹U+202E›." in label_texts(sidebar)

    sidebar.show_problem(None)
    assert not any("Nothing answers" in text for text in label_texts(sidebar))


def _gap_above(sidebar: Sidebar, row: int) -> int:
    above = _rect(sidebar, row - 1).bottom() + 1 if row else 0
    return _rect(sidebar, row).top() - above


def test_first_row_of_each_group_has_a_caption(sidebar: Sidebar) -> None:
    gaps = [_gap_above(sidebar, row) for row in range(4)]

    assert gaps[0] == gaps[2] == gaps[3] > gaps[1] == 0


def test_caption_moves_when_a_chat_gets_another_time(
    sidebar: Sidebar, model: RowsModel[ConversationRow]
) -> None:
    model.replace_all([_row(1), _row(2)])
    assert _gap_above(sidebar, 1) == 0

    model.mirror(Replaced(1), [_row(1), _row(2, days=3)])

    assert _gap_above(sidebar, 1) > 0


def test_captions_move_on_at_midnight(
    model: RowsModel[ConversationRow], theme: Theme, qtbot: QtBot
) -> None:
    clock = _Clock()
    sidebar = Sidebar(model, theme, clock)
    qtbot.addWidget(sidebar)
    model.replace_all([_row(1), _row(2, days=1)])
    assert _gap_above(sidebar, 1) > 0

    clock.time += timedelta(days=20)
    for timer in _list(sidebar).findChildren(QTimer):
        timer.timeout.emit()

    assert _gap_above(sidebar, 1) == 0


def test_chat_without_date_or_title_can_be_shown(
    sidebar: Sidebar, model: RowsModel[ConversationRow]
) -> None:
    model.replace_all([ConversationRow("c1", "", 0, None, ConversationStatus.NONE)])
    view = _list(sidebar)
    view.setCurrentIndex(model.index(0, 0))

    assert not sidebar.grab().isNull()
    press(view, Qt.Key.Key_Delete)
    assert "Delete “New chat”?" in label_texts(sidebar)


@pytest.mark.parametrize(
    "mark", [mark for mark in ConversationStatus if mark is not ConversationStatus.NONE]
)
def test_each_mark_is_seen_in_its_row(
    sidebar: Sidebar, model: RowsModel[ConversationRow], mark: ConversationStatus
) -> None:
    model.replace_all([_row(1)])
    plain = sidebar.grab().toImage()
    model.replace_all([_row(1, mark=mark)])

    assert sidebar.grab().toImage() != plain


@pytest.mark.security(5)
def test_titles_are_never_laid_out_as_markup(
    sidebar: Sidebar, model: RowsModel[ConversationRow]
) -> None:
    model.replace_all([_row(1), *(_row(number, title=text) for number, text in enumerate(MARKUP))])
    view = _list(sidebar)
    for row, text in enumerate(MARKUP, start=1):
        view.setCurrentIndex(model.index(row, 0))
        press(view, Qt.Key.Key_Delete)
        shown = {words.replace("\u200b", "") for words in label_texts(sidebar)}
        assert f"Delete “{one_line(text, 60)}”?" in shown


def test_colours_of_the_list_follow_the_theme(sidebar: Sidebar, theme: Theme) -> None:
    light: QImage = sidebar.grab().toImage()
    theme.wear(AppearanceSettings(theme="dark"))
    dark: QImage = sidebar.grab().toImage()

    assert light.pixelColor(2, 300).lightness() > 200
    assert dark.pixelColor(2, 300).lightness() < 50
    assert dark.pixelColor(2, 300) == theme.color("side")


def test_question_about_one_long_word_does_not_widen_the_sidebar(
    sidebar: Sidebar, model: RowsModel[ConversationRow]
) -> None:
    model.replace_all([_row(1, title="W" * 200)])
    view = _list(sidebar)
    view.setCurrentIndex(model.index(0, 0))

    press(view, Qt.Key.Key_Delete)

    assert child(sidebar, DeleteBar).isVisible()
    assert sidebar.minimumSizeHint().width() <= 272


def test_chats_without_a_title_are_told_when_they_stand_in_the_window(
    sidebar: Sidebar, model: RowsModel[ConversationRow], qtbot: QtBot
) -> None:
    rows = [_row(number) for number in range(100)]
    rows[1::2] = [replace(row, title="") for row in rows[1::2]]

    with qtbot.waitSignal(sidebar.untitled_seen, timeout=20_000) as seen:
        model.replace_all(rows)

    assert seen.args is not None
    assert seen.args[0][:3] == ("c1", "c3", "c5")
    assert len(seen.args[0]) < 15
