"""Several chats at once: selecting never opens, and what is done is done with all of them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from app.chat.conversation_rows import ConversationRow
from app.chat.items import Inserted, Moved, Removed
from app.common.error_messages import ErrorMessage
from app.ui.sidebar.conversation_list import ConversationList
from app.ui.sidebar.delete_bar import DeleteBar
from app.ui.sidebar.sidebar import Sidebar
from app.ui.theme import Theme
from app.viewmodels.rows import RowsModel
from app.viewmodels.sidebar.conversation_list import DeletionView
from tests.support.announcements import announced, reader_listening
from tests.support.widgets import button_named, child, click, label_texts, press

_NOW = datetime(2026, 5, 20, 14, 30, tzinfo=UTC)
_CTRL = Qt.KeyboardModifier.ControlModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_NONE = Qt.KeyboardModifier.NoModifier


def _row(number: int, *, is_pinned: bool = False) -> ConversationRow:
    moment = _NOW - timedelta(minutes=number)
    return ConversationRow(f"c{number}", f"Chat {number}", 12, moment, is_pinned=is_pinned)


@pytest.fixture
def model() -> RowsModel[ConversationRow]:
    rows: RowsModel[ConversationRow] = RowsModel(lambda row: row.title)
    rows.replace_all([_row(number) for number in range(40)])
    return rows


@pytest.fixture
def sidebar(model: RowsModel[ConversationRow], theme: Theme, qtbot: QtBot) -> Iterator[Sidebar]:
    widget = Sidebar(model, theme, lambda: _NOW)
    qtbot.addWidget(widget)
    widget.resize(272, 700)
    widget.show()
    widget.show_open("c0")
    yield widget
    widget.close()


@pytest.fixture
def view(sidebar: Sidebar) -> ConversationList:
    return child(sidebar, ConversationList)


def _center(view: ConversationList, row: int) -> QPoint:
    return view.visualRect(view.model().index(row, 0)).center()


def _click(view: ConversationList, row: int, modifiers: Qt.KeyboardModifier = _NONE) -> None:
    at = _center(view, row)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, modifiers, at)


def _selected(view: ConversationList) -> list[str]:
    return [row.conversation_id for row in view.targets()]


def _menu(view: ConversationList, at: QPoint) -> dict[str, QAction]:
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(reason, at, at))
    menu = child(view, QMenu)
    menu.hide()
    return {action.text(): action for action in menu.actions() if action.text()}


def test_ctrl_and_shift_clicks_select_and_open_nothing(
    sidebar: Sidebar, view: ConversationList, qtbot: QtBot
) -> None:
    with qtbot.assertNotEmitted(sidebar.chat_chosen):
        _click(view, 2, _CTRL)
        assert _selected(view) == ["c0", "c2"]
        _click(view, 5, _SHIFT)
        assert _selected(view) == ["c2", "c3", "c4", "c5"]
        _click(view, 3, _CTRL)
        assert _selected(view) == ["c2", "c4", "c5"]

    with qtbot.waitSignal(sidebar.chat_chosen, timeout=20_000) as chosen:
        _click(view, 4)
    assert chosen.args == ["c4"]
    assert [index.row() for index in view.selectionModel().selectedIndexes()] == [0]


def test_shift_arrows_select_and_escape_lets_go(view: ConversationList) -> None:
    view.setFocus()
    view.setCurrentIndex(view.model().index(3, 0))
    for _ in range(2):
        QTest.keyClick(view, Qt.Key.Key_Down, _SHIFT)
    assert _selected(view) == ["c3", "c4", "c5"]
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_Up, _SHIFT)
    assert _selected(view) == ["c2", "c3"]

    press(view, Qt.Key.Key_Escape)
    assert [index.row() for index in view.selectionModel().selectedIndexes()] == [0]
    QTest.keyClick(view, Qt.Key.Key_A, _CTRL)
    assert len(_selected(view)) == 40


def test_a_press_that_is_let_go_elsewhere_opens_nothing(
    sidebar: Sidebar, view: ConversationList, qtbot: QtBot
) -> None:
    button, viewport = Qt.MouseButton.LeftButton, view.viewport()
    with qtbot.assertNotEmitted(sidebar.chat_chosen):
        QTest.mousePress(viewport, button, _NONE, _center(view, 1))
        QTest.mouseRelease(viewport, button, _NONE, _center(view, 2))


def test_several_are_deleted_after_one_question(
    sidebar: Sidebar, view: ConversationList, qtbot: QtBot
) -> None:
    _click(view, 2, _CTRL)
    press(view, Qt.Key.Key_Delete)
    assert any("Delete 2 chats?" in text for text in label_texts(sidebar))

    with qtbot.waitSignal(sidebar.export_requested, timeout=20_000) as exported:
        click(button_named(sidebar, "Export first…"))
    with qtbot.waitSignal(sidebar.delete_requested, timeout=20_000) as deleted:
        click(button_named(sidebar, "Delete permanently"))

    assert exported.args == deleted.args == [("c0", "c2")]


def test_progress_and_what_was_not_deleted_are_reported_and_tried_again(
    sidebar: Sidebar, view: ConversationList, qtbot: QtBot
) -> None:
    _click(view, 1, _CTRL)
    _click(view, 2, _CTRL)
    press(view, Qt.Key.Key_Delete)
    click(button_named(sidebar, "Delete permanently"))

    sidebar.show_deletion(DeletionView(3, ("c1", "c2"), is_running=True))
    assert "Deleting 1 of 3…" in label_texts(sidebar)
    assert not button_named(sidebar, "Delete permanently").isVisible()

    sidebar.show_deletion(
        DeletionView(3, ("c2",), is_running=False, words=ErrorMessage("No answer.", {}))
    )
    assert "2 of 3 chats were deleted. The others were kept." in label_texts(sidebar)
    assert "No answer." in label_texts(sidebar)
    with qtbot.waitSignal(sidebar.delete_requested, timeout=20_000) as again:
        click(button_named(sidebar, "Try again"))
    assert again.args == [("c2",)]

    sidebar.show_deletion(DeletionView(1, (), is_running=False))
    assert not child(sidebar, DeleteBar).isVisible()


def test_screen_reader_hears_the_question_before_deleting_and_its_failure(
    sidebar: Sidebar, view: ConversationList
) -> None:
    view.setFocus()
    press(view, Qt.Key.Key_Delete)

    bar = QAccessible.queryAccessibleInterface(child(sidebar, DeleteBar))
    # Of other kinds of boxes readers say no name.
    assert bar.role() == QAccessible.Role.Grouping
    assert bar.text(QAccessible.Text.Name) == "Delete “Chat 0”?"
    meaning = "It is permanently deleted from the service and from this computer."
    assert bar.text(QAccessible.Text.Description) == meaning
    with reader_listening():
        click(button_named(sidebar, "Delete permanently"))
        words = ErrorMessage("No answer.")
        sidebar.show_deletion(DeletionView(1, ("c0",), is_running=False, words=words))
    assert announced(sidebar) == ["“Chat 0” was not deleted. No answer."]


def test_question_stays_while_another_deletion_goes_on(
    sidebar: Sidebar, view: ConversationList, qtbot: QtBot
) -> None:
    sidebar.show_deletion(DeletionView(3, ("c1", "c2"), is_running=True))
    _click(view, 5, _CTRL)
    _click(view, 0, _CTRL)
    press(view, Qt.Key.Key_Delete)

    sidebar.show_deletion(DeletionView(3, ("c2",), is_running=True))

    assert "Delete “Chat 5”?" in label_texts(sidebar)
    click(button_named(sidebar, "Cancel"))
    assert "Deleting 2 of 3…" in label_texts(sidebar)

    press(view, Qt.Key.Key_Delete)
    with qtbot.waitSignal(sidebar.delete_requested, timeout=20_000) as deleted:
        click(button_named(sidebar, "Delete permanently"))
    assert deleted.args == [("c5",)]
    assert "Deleting 2 of 3…" in label_texts(sidebar)


def test_menu_is_about_the_selection_only_when_it_opens_on_it(
    sidebar: Sidebar, view: ConversationList, qtbot: QtBot
) -> None:
    _click(view, 2, _CTRL)
    one = _menu(view, _center(view, 5))
    assert "Rename" in one
    with qtbot.waitSignal(sidebar.pin_requested, timeout=20_000) as pinned:
        one["Pin"].trigger()
    assert pinned.args == [("c5",), True]

    several = _menu(view, _center(view, 2))
    assert "Rename" not in several
    with qtbot.waitSignal(sidebar.export_requested, timeout=20_000) as exported:
        several["Export 2 chats…"].trigger()
    assert exported.args == [("c0", "c2")]


def test_order_is_chosen_in_the_menu(
    sidebar: Sidebar, view: ConversationList, qtbot: QtBot
) -> None:
    sidebar.show_order("newest")
    offered = _menu(view, QPoint(40, 10))
    assert offered["Newest first"].isChecked()

    with qtbot.waitSignal(sidebar.order_requested, timeout=20_000) as ordered:
        offered["Oldest first"].trigger()

    assert ordered.args == ["oldest"]


def test_place_and_ring_stay_when_rows_come_go_and_move(
    view: ConversationList, model: RowsModel[ConversationRow]
) -> None:
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    row = view.indexAt(QPoint(40, 60)).row()
    view.setCurrentIndex(model.index(row, 0))
    title, top = model.rows[row].title, view.visualRect(model.index(row, 0)).top()

    rows = [_row(-1), *model.rows]
    model.mirror(Inserted(0, 1), rows)
    assert (view.currentIndex().data(), view.visualRect(view.currentIndex()).top()) == (title, top)

    rows = list(rows)
    rows.insert(0, rows.pop(30))
    model.mirror(Moved(30, 0), rows)
    assert (view.currentIndex().data(), view.visualRect(view.currentIndex()).top()) == (title, top)

    del rows[0:3]
    model.mirror(Removed(0, 3), rows)
    assert (view.currentIndex().data(), view.visualRect(view.currentIndex()).top()) == (title, top)


def test_uppermost_row_that_moves_away_does_not_take_the_view_along(
    view: ConversationList, model: RowsModel[ConversationRow]
) -> None:
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    uppermost = view.indexAt(QPoint(40, 0)).row()
    after = model.rows[uppermost + 2].title
    rows = list(model.rows)
    rows.insert(0, rows.pop(uppermost))

    model.mirror(Moved(uppermost, 0), rows)

    view.executeDelayedItemsLayout()
    assert bar.value() > 0
    shown = [view.indexAt(QPoint(40, y)).data() for y in range(0, 120, 10)]
    assert after in shown


def test_at_the_top_what_is_new_is_seen(
    view: ConversationList, model: RowsModel[ConversationRow]
) -> None:
    model.mirror(Inserted(0, 1), [_row(-1), *model.rows])

    assert view.visualRect(model.index(0, 0)).top() >= 0
    assert view.verticalScrollBar().value() == 0
