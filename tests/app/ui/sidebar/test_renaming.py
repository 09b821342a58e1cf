"""Renaming in place: Enter keeps, Esc leaves, and nothing opens by it."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.chat.conversation_rows import ConversationRow
from app.chat.items import Moved, Replaced
from app.ui.sidebar.conversation_list import ConversationList
from app.ui.sidebar.sidebar import Sidebar
from app.ui.theme import Theme
from app.viewmodels.rows import RowsModel
from tests.support.announcements import announced, reader_listening
from tests.support.widgets import child, enter_text, press

_NOW = datetime(2026, 5, 20, 14, 30, tzinfo=UTC)

Index = QModelIndex | QPersistentModelIndex


class _Editable(RowsModel[ConversationRow]):
    """Notes what it is told to call a chat."""

    def __init__(self) -> None:
        super().__init__(lambda row: row.title)
        self.named: list[tuple[str, object]] = []

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def setData(self, index: Index, value: object, _role: int = Qt.ItemDataRole.EditRole) -> bool:
        self.named.append((self.rows[index.row()].conversation_id, value))
        return True


@pytest.fixture
def model() -> _Editable:
    rows = _Editable()
    rows.replace_all(
        [ConversationRow(f"c{n}", f"Chat {n}", 2, _NOW - timedelta(minutes=n)) for n in range(5)]
    )
    return rows


@pytest.fixture
def view(model: _Editable, theme: Theme, qtbot: QtBot) -> Iterator[ConversationList]:
    sidebar = Sidebar(model, theme, lambda: _NOW)
    qtbot.addWidget(sidebar)
    sidebar.resize(272, 700)
    sidebar.show()
    view = child(sidebar, ConversationList)
    view.setFocus()
    yield view
    sidebar.close()


def _field(view: ConversationList) -> QLineEdit:
    return child(view, QLineEdit)


def test_the_name_of_the_field_is_heard(view: ConversationList) -> None:
    with reader_listening():
        view.rename("c2")

    assert announced(view.window()) == ["Chat name"]


def test_enter_keeps_the_name_and_opens_nothing(
    view: ConversationList, model: _Editable, qtbot: QtBot
) -> None:
    view.rename("c2")
    assert (_field(view).text(), _field(view).selectedText()) == ("Chat 2", "Chat 2")
    with qtbot.assertNotEmitted(view.chosen):
        enter_text(_field(view), "Warm house")
        press(_field(view), Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: bool(model.named), timeout=20_000)

    assert model.named == [("c2", "Warm house")]
    qtbot.waitUntil(lambda: not view.findChildren(QLineEdit), timeout=20_000)


def test_escape_leaves_the_old_name(view: ConversationList, model: _Editable, qtbot: QtBot) -> None:
    view.rename("c2")
    enter_text(_field(view), "Warm house")

    press(_field(view), Qt.Key.Key_Escape)

    qtbot.waitUntil(lambda: not view.findChildren(QLineEdit), timeout=20_000)
    assert model.named == []


def test_typed_title_stays_when_its_row_changes_and_moves(
    view: ConversationList, model: _Editable, qtbot: QtBot
) -> None:
    view.rename("c3")
    enter_text(_field(view), "Warm")
    before = _field(view).y()
    rows = list(model.rows)
    rows[3] = ConversationRow("c3", "Named by the reply", 3, _NOW)
    model.mirror(Replaced(3), rows)
    rows.insert(0, rows.pop(3))

    model.mirror(Moved(3, 0), rows)

    qtbot.waitUntil(lambda: _field(view).y() < before, timeout=20_000)
    enter_text(_field(view), " house")
    press(_field(view), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: model.named == [("c3", "Warm house")], timeout=20_000)
