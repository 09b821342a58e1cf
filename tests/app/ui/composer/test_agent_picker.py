"""The agent picker: by keyboard and by mouse, Auto first."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListView, QPushButton
from pytestqt.qtbot import QtBot

from app.ui.composer.agent_picker import AgentPicker
from app.ui.theme import Theme
from app.ui.widgets.labels import short_name
from app.viewmodels.chat.catalog import AgentRow
from app.viewmodels.rows import RowsModel
from tests.support.markup import MARKUP
from tests.support.widgets import child, click, press

_AUTO = AgentRow(None, "Auto", "Whoever fits the message answers")
_WRITER = AgentRow("writer", "Writer", "Writes and edits text", is_default=True)
_CODER = AgentRow("coder", "Coder", "Reads and writes code")


@pytest.fixture
def model() -> RowsModel[AgentRow]:
    rows: RowsModel[AgentRow] = RowsModel(lambda row: row.display_name)
    rows.replace_all([_AUTO, _WRITER, _CODER])
    return rows


@pytest.fixture
def picker(model: RowsModel[AgentRow], theme: Theme, qtbot: QtBot) -> Iterator[AgentPicker]:
    widget = AgentPicker(model, theme)
    qtbot.addWidget(widget)
    widget.show_agent(_AUTO)
    widget.show()
    yield widget
    child(widget, QListView).window().close()


def _chip(picker: AgentPicker) -> QPushButton:
    return child(picker, QPushButton)


def test_space_opens_arrows_move_and_enter_takes(picker: AgentPicker, qtbot: QtBot) -> None:
    agents = child(picker, QListView)
    press(_chip(picker), Qt.Key.Key_Space)
    assert agents.isVisible()
    assert agents.currentIndex().row() == 0

    press(agents, Qt.Key.Key_Down)
    with qtbot.waitSignal(picker.agent_chosen, timeout=20_000) as chosen:
        press(agents, Qt.Key.Key_Return)

    assert chosen.args == [_WRITER]
    assert not agents.isVisible()


def test_list_opens_at_the_agent_in_use(picker: AgentPicker) -> None:
    picker.show_agent(_CODER)

    picker.open()

    assert child(picker, QListView).currentIndex().row() == 2


def test_letter_goes_to_the_agent_that_begins_with_it(picker: AgentPicker, qtbot: QtBot) -> None:
    picker.open()
    agents = child(picker, QListView)

    press(agents, Qt.Key.Key_C)
    with qtbot.waitSignal(picker.agent_chosen, timeout=20_000) as chosen:
        press(agents, Qt.Key.Key_Space)

    assert chosen.args == [_CODER]


def test_escape_closes_and_chooses_nobody(picker: AgentPicker, qtbot: QtBot) -> None:
    picker.open()
    agents = child(picker, QListView)

    with qtbot.assertNotEmitted(picker.agent_chosen):
        press(agents, Qt.Key.Key_Escape)

    assert not agents.isVisible()


def test_clicked_agent_is_taken(picker: AgentPicker, qtbot: QtBot) -> None:
    click(_chip(picker))
    agents = child(picker, QListView)

    with qtbot.waitSignal(picker.agent_chosen, timeout=20_000) as chosen:
        click(agents.viewport(), agents.visualRect(agents.model().index(2, 0)).center())

    assert chosen.args == [_CODER]


def test_chip_says_who_answers(picker: AgentPicker) -> None:
    picker.show_agent(_WRITER)

    assert _chip(picker).accessibleName() == "Agent: Writer"
    assert _chip(picker).text().strip() == "Writer"


def test_list_has_room_for_every_agent_without_scrolling(picker: AgentPicker) -> None:
    picker.open()

    assert child(picker, QListView).verticalScrollBar().maximum() == 0


def test_many_agents_scroll(picker: AgentPicker, model: RowsModel[AgentRow]) -> None:
    model.replace_all([_AUTO, *(AgentRow(f"a{n}", f"Agent {n}", "text") for n in range(40))])
    picker.open()
    window = child(picker, QListView).window()

    assert window.height() < 600
    assert child(picker, QListView).verticalScrollBar().maximum() > 0


@pytest.mark.security(5)
@pytest.mark.security(69)
def test_name_and_description_of_an_agent_stay_text(
    picker: AgentPicker, model: RowsModel[AgentRow]
) -> None:
    odd = [*MARKUP, "You\u202e", "x" * 10_000, "R&D"]
    model.replace_all([AgentRow(f"odd {text}", text, text) for text in odd])
    agents = child(picker, QListView)

    for row, text in enumerate(odd):
        picker.show_agent(model.rows[row])
        assert _chip(picker).accessibleName() == f"Agent: {short_name(text)}"
        assert _chip(picker).sizeHint().width() < 300
        assert agents.sizeHintForRow(row) < 100
    assert not agents.grab().isNull()
