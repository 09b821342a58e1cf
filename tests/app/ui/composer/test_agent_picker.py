"""The agent picker: by keyboard and by mouse, Auto first."""

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QListView, QPushButton, QSlider, QWidget
from pytestqt.qtbot import QtBot

from app.api.models import AnswerSettings
from app.ui.composer.agent_picker import AgentLists, AgentPicker
from app.ui.composer.model_list import ModelList
from app.ui.theme import Theme
from app.ui.widgets.chips import Chip, ChoiceChip
from app.ui.widgets.fields import FilterField
from app.ui.widgets.labels import short_name
from app.viewmodels.chat.catalog import AgentRow
from app.viewmodels.chat.model_choice import ModelOption
from app.viewmodels.rows import ROW_ROLE, RowsModel
from tests.support.clipping import settle
from tests.support.markup import MARKUP
from tests.support.widgets import button_named, child, click, label_texts, press

_AUTO = AgentRow(None, "Auto", "Chooses the best agent for each message")
_WRITER = AgentRow("writer", "Writer", "Writes and edits text", is_default=True)
_CODER = AgentRow("coder", "Coder", "Reads and writes code")


@pytest.fixture
def model() -> RowsModel[AgentRow]:
    rows: RowsModel[AgentRow] = RowsModel(lambda row: row.display_name)
    rows.replace_all([_AUTO, _WRITER, _CODER])
    return rows


@pytest.fixture
def models() -> RowsModel[ModelOption]:
    return RowsModel(
        lambda row: row.display_name, spoken_of=lambda row: f"{row.display_name}, {row.details}"
    )


@pytest.fixture
def picker(
    model: RowsModel[AgentRow], models: RowsModel[ModelOption], theme: Theme, qtbot: QtBot
) -> Iterator[AgentPicker]:
    widget = AgentPicker(model, models, theme)
    qtbot.addWidget(widget)
    widget.show_agent(_AUTO)
    widget.show()
    yield widget
    for lists in widget.findChildren(AgentLists):
        lists.close()


def _agents(picker: AgentPicker) -> QListView:
    return next(one for one in picker.findChildren(QListView) if one.accessibleName() == "Agents")


def _chip(picker: AgentPicker) -> QPushButton:
    return next(one for one in picker.findChildren(Chip) if one.parentWidget() is picker)


def test_space_opens_arrows_move_and_enter_takes(picker: AgentPicker, qtbot: QtBot) -> None:
    press(_chip(picker), Qt.Key.Key_Space)
    agents = _agents(picker)
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

    assert _agents(picker).currentIndex().row() == 2


def test_letter_goes_to_the_agent_that_begins_with_it(picker: AgentPicker, qtbot: QtBot) -> None:
    picker.open()
    agents = _agents(picker)

    press(agents, Qt.Key.Key_C)
    with qtbot.waitSignal(picker.agent_chosen, timeout=20_000) as chosen:
        press(agents, Qt.Key.Key_Space)

    assert chosen.args == [_CODER]


def test_escape_closes_and_chooses_nobody(picker: AgentPicker, qtbot: QtBot) -> None:
    picker.open()
    agents = _agents(picker)

    with qtbot.assertNotEmitted(picker.agent_chosen):
        press(agents, Qt.Key.Key_Escape)

    assert not agents.isVisible()


def test_clicked_agent_is_taken(picker: AgentPicker, qtbot: QtBot) -> None:
    click(_chip(picker))
    agents = _agents(picker)

    with qtbot.waitSignal(picker.agent_chosen, timeout=20_000) as chosen:
        click(agents.viewport(), agents.visualRect(agents.model().index(2, 0)).center())

    assert chosen.args == [_CODER]


def test_chip_says_who_answers(picker: AgentPicker) -> None:
    picker.show_agent(_WRITER)

    assert _chip(picker).accessibleName() == "Agent: Writer"
    assert _chip(picker).text().strip() == "Writer"


def test_list_has_room_for_every_agent_without_scrolling(picker: AgentPicker) -> None:
    picker.open()

    assert _agents(picker).verticalScrollBar().maximum() == 0


def test_many_agents_scroll(picker: AgentPicker, model: RowsModel[AgentRow]) -> None:
    model.replace_all([_AUTO, *(AgentRow(f"a{n}", f"Agent {n}", "text") for n in range(40))])
    picker.open()
    window = _agents(picker).window()

    assert window.height() < 720
    assert _agents(picker).verticalScrollBar().maximum() > 0


@pytest.mark.security(5)
@pytest.mark.security(69)
def test_name_and_description_of_an_agent_stay_text(
    picker: AgentPicker, model: RowsModel[AgentRow]
) -> None:
    odd = [*MARKUP, "You\u202e", "x" * 10_000, "R&D"]
    model.replace_all([AgentRow(f"odd {text}", text, text) for text in odd])
    picker.open()
    agents = _agents(picker)

    for row, text in enumerate(odd):
        picker.show_agent(model.rows[row])
        assert _chip(picker).accessibleName() == f"Agent: {short_name(text)}"
        assert _chip(picker).sizeHint().width() < 300
        assert agents.sizeHintForRow(row) < 100
    assert not agents.grab().isNull()


_DEFAULT = ModelOption(None, "Small", "Default")
_SMALL = ModelOption("openai:small", "Small", "llama.cpp · 32k tokens · free")
_BIG = ModelOption("anthropic:big", "Big", "Anthropic · 200k tokens")
_GONE = ModelOption("ollama:gone", "Gone", "Its server does not answer.", is_available=False)


def _models_shown(picker: AgentPicker, models: RowsModel[ModelOption]) -> ModelList:
    models.replace_all([_DEFAULT, _SMALL, _BIG, _GONE])
    picker.show_model(_DEFAULT)
    picker.open()
    click(button_named(picker, "Model"))
    return child(picker, ModelList)


def test_chip_says_which_model_answers(picker: AgentPicker, models: RowsModel[ModelOption]) -> None:
    _models_shown(picker, models)
    picker.show_model(_BIG)

    assert _chip(picker).accessibleName() == "Agent: Auto · Big"


def test_model_is_taken_by_keyboard(
    picker: AgentPicker, models: RowsModel[ModelOption], qtbot: QtBot
) -> None:
    shown = child(_models_shown(picker, models), QListView)

    press(shown, Qt.Key.Key_Down)
    press(shown, Qt.Key.Key_Down)
    with qtbot.waitSignal(picker.model_chosen, timeout=20_000) as chosen:
        press(shown, Qt.Key.Key_Return)

    assert chosen.args == [_BIG]
    assert not shown.isVisible()


def test_model_that_is_not_there_is_not_taken_and_says_why(
    picker: AgentPicker, models: RowsModel[ModelOption], qtbot: QtBot
) -> None:
    shown = child(_models_shown(picker, models), QListView)

    press(shown, Qt.Key.Key_End)
    with qtbot.assertNotEmitted(picker.model_chosen):
        press(shown, Qt.Key.Key_Return)

    said = shown.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "Gone, Its server does not answer."
    assert shown.isVisible()


def test_many_models_are_searched_by_name_and_provider(
    picker: AgentPicker, models: RowsModel[ModelOption], qtbot: QtBot
) -> None:
    _models_shown(picker, models)
    others = [ModelOption(f"x:{n}", f"Model {n}", "Somewhere") for n in range(5000)]
    models.replace_all([_DEFAULT, *others, _BIG])
    field = child(picker, FilterField)
    assert field.isVisible()

    field.setText("anthropic")
    with qtbot.waitSignal(picker.model_chosen, timeout=20_000) as chosen:
        press(field, Qt.Key.Key_Return)

    assert chosen.args == [_BIG]


def test_search_without_a_find_says_so(picker: AgentPicker, models: RowsModel[ModelOption]) -> None:
    shown = _models_shown(picker, models)
    models.replace_all([ModelOption(f"x:{n}", f"Model {n}", "Somewhere") for n in range(20)])
    field = child(picker, FilterField)

    field.setText("nothing like it")
    assert "No matching models" in label_texts(shown)
    assert not child(shown, QListView).isVisible()
    click(button_named(shown, "Clear search"))
    assert child(shown, QListView).isVisible()


def test_rows_are_as_high_as_their_descriptions_at_the_width_of_the_list(
    picker: AgentPicker, model: RowsModel[AgentRow], qtbot: QtBot
) -> None:
    words = "Answers questions about a garden through the whole of the year and its weather"
    model.replace_all([AgentRow("one", "One", words), AgentRow("two", "Two", "Short")])
    box = QWidget()
    qtbot.addWidget(box)
    picker.stand_above(box)
    for width in (300, 700):
        box.resize(width, 100)
        picker.open()
        settle()
        _agents(picker).window().close()
    picker.open()
    settle()

    first, second = (_agents(picker).visualRect(model.index(row, 0)) for row in (0, 1))
    assert first.height() == second.height()


def test_models_open_at_the_one_in_use(picker: AgentPicker, models: RowsModel[ModelOption]) -> None:
    shown = child(_models_shown(picker, models), QListView)
    picker.show_model(_BIG)

    picker.open()
    assert shown.currentIndex().data(ROW_ROLE) == _BIG

    models.replace_all([_BIG, _DEFAULT])
    assert shown.currentIndex().row() == 0


def test_service_without_a_choice_says_so(picker: AgentPicker) -> None:
    picker.open()
    click(button_named(picker, "Model"))

    assert "The service chooses the model" in " ".join(label_texts(child(picker, ModelList)))


def test_answers_are_set_at_the_foot_and_said_why_not(picker: AgentPicker, qtbot: QtBot) -> None:
    picker.show_answers(AnswerSettings("short", 0.3), can_set=True)
    picker.open()
    assert button_named(picker, "Thinks briefly before it answers").isChecked()
    slider = child(picker, QSlider)
    assert slider.accessibleDescription() == "0.3"

    with qtbot.waitSignal(picker.answers_chosen) as chosen:
        click(button_named(picker, "Does not think before it answers"))
    assert chosen.args == [AnswerSettings("off", 0.3)]
    with qtbot.waitSignal(picker.answers_chosen) as chosen:
        press(slider, Qt.Key.Key_Right)
    assert chosen.args == [AnswerSettings("off", 0.4)]
    with qtbot.waitSignal(picker.answers_chosen) as chosen:
        qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=slider.rect().center())
    assert chosen.args == [AnswerSettings("off", 1.0)]
    with qtbot.waitSignal(picker.answers_chosen) as chosen:
        click(button_named(picker, "The model’s default temperature"))
    assert chosen.args == [AnswerSettings("off")]
    longest = next(
        chip
        for chip in picker.findChildren(ChoiceChip)
        if "Maximum length" in chip.accessibleName()
    )
    with qtbot.waitSignal(picker.answers_chosen) as chosen:
        longest.chosen.emit("2000")
    assert chosen.args == [AnswerSettings("off", None, 2000)]

    for can_set, words in (
        (False, "This service does not support settings or instructions for individual chats."),
        (None, "Settings for this chat appear here when the service is ready."),
    ):
        picker.show_answers(AnswerSettings(), can_set=can_set)
        assert words in label_texts(picker)
        assert not button_named(picker, "Add instructions to this chat…").isVisible()


def test_model_that_is_not_known_to_think_says_so(picker: AgentPicker) -> None:
    picker.show_model(ModelOption("small", "Small", "", has_thinking=False))
    picker.show_answers(AnswerSettings(), can_set=True)
    picker.open()
    assert "This model is not known to think before it answers." in label_texts(picker)


def test_thinking_that_cannot_be_turned_off_is_not_offered_off(picker: AgentPicker) -> None:
    always = ModelOption("deep", "Deep", "", always_thinks=True)
    for model, is_offered in ((always, False), (ModelOption("small", "Small", ""), True)):
        picker.show_model(model)
        picker.show_answers(AnswerSettings("off"), can_set=True)
        picker.open()
        off = button_named(picker, "Does not think before it answers")
        assert off.isVisible() is is_offered
        assert off.isChecked() is is_offered
        assert ("always thinks" in label_texts(picker)) is not is_offered


def test_ways_to_add_a_model_are_offered_on_this_computer_alone(
    picker: AgentPicker, models: RowsModel[ModelOption], qtbot: QtBot
) -> None:
    _models_shown(picker, models)
    for name, asked in (
        ("Download a model…", picker.download_requested),
        ("Open a model file…", picker.file_requested),
        ("Add a key…", picker.key_requested),
    ):
        picker.open()
        with qtbot.waitSignal(asked):
            click(button_named(picker, name))
        assert not child(picker, ModelList).isVisible()
    picker.show_ways(is_local=False)
    picker.open()
    assert button_named(picker, "Add a key…").isHidden()


def test_words_above_a_group_are_no_part_of_its_first_model(
    picker: AgentPicker, models: RowsModel[ModelOption], qtbot: QtBot
) -> None:
    shown = child(_models_shown(picker, models), QListView)
    models.replace_all([replace(_DEFAULT, group="Default"), replace(_BIG, group="By key")])
    row = shown.visualRect(shown.model().index(1, 0))

    with qtbot.assertNotEmitted(picker.model_chosen):
        click(shown.viewport(), row.topLeft() + QPoint(20, 8))
    with qtbot.waitSignal(picker.model_chosen, timeout=20_000) as chosen:
        click(shown.viewport(), row.bottomLeft() + QPoint(20, -8))
    assert chosen.args == [replace(_BIG, group="By key")]


@pytest.mark.parametrize("width", [320, 720])
def test_models_are_drawn_whole_in_columns_and_in_lines(
    picker: AgentPicker, models: RowsModel[ModelOption], width: int
) -> None:
    anchor = QWidget(picker)
    anchor.resize(width, 40)
    picker.stand_above(anchor)
    rows = [
        replace(_SMALL, group="Found", can_see=True, window="32k", price="free"),
        replace(_GONE, group="By key", state="unavailable"),
        *(ModelOption(f"odd {text}", text, text, where=text, group=text) for text in MARKUP),
    ]
    _models_shown(picker, models)
    models.replace_all(rows)
    shown = child(child(picker, ModelList), QListView)
    assert all(shown.sizeHintForRow(row) < 110 for row in range(len(rows)))
    assert not shown.grab().isNull()
    assert shown.horizontalScrollBar().maximum() == 0


def test_long_reasons_of_many_models_that_are_away_are_not_laid_out(
    picker: AgentPicker, models: RowsModel[ModelOption]
) -> None:
    shown = child(_models_shown(picker, models), QListView)
    rows = [replace(_GONE, model=f"{n}", details="a\u0301\u0302" * 2000) for n in range(2000)]
    begin_s = time.thread_time()
    models.replace_all([replace(_GONE, details="No."), *rows])
    one_line, more = (shown.visualRect(shown.model().index(n, 0)).height() for n in (0, 1))
    # Each took 20 ms, and a hostile service lists 5,000.
    assert time.thread_time() - begin_s < 1
    assert one_line < more < 2 * one_line


def test_foot_leads_to_the_instructions_and_says_whether_there_are_some(
    picker: AgentPicker, qtbot: QtBot
) -> None:
    picker.show_answers(AnswerSettings(), can_set=True)
    picker.show_model(ModelOption("small", "Small", "", has_thinking=False))
    picker.open()
    with qtbot.waitSignal(picker.instructions_requested):
        click(button_named(picker, "Add instructions to this chat…"))
    assert not _agents(picker).isVisible()

    picker.show_instructions("Answer in rhyme.")
    picker.open()
    with qtbot.waitSignal(picker.instructions_requested):
        press(button_named(picker, "Change the instructions of this chat…"), Qt.Key.Key_Space)


def test_switch_stays_where_it_is_pressed(
    picker: AgentPicker, models: RowsModel[ModelOption]
) -> None:
    models.replace_all([ModelOption(str(n), f"Model {n}", "", window="8k") for n in range(9)])
    picker.open()
    settle()
    places = []
    for name in ("Model", "Agent", "Model"):
        button = button_named(_agents(picker).window(), name)
        places.append(button.mapToGlobal(QPoint(0, 0)))
        button.click()
        settle()
        places.append(button.mapToGlobal(QPoint(0, 0)))
    assert places[::2] == places[1::2]


def test_who_turns_to_the_models_can_search_at_once(
    picker: AgentPicker, models: RowsModel[ModelOption], qtbot: QtBot
) -> None:
    models.replace_all([_DEFAULT, _SMALL, _BIG])
    picker.open()
    button = button_named(picker, "Model")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    assert button.window().focusWidget() is child(picker, ModelList).search


def test_lists_are_as_high_at_the_first_opening_as_later(picker: AgentPicker) -> None:
    picker.show_answers(AnswerSettings(), can_set=True)
    picker.open()
    lists = child(picker, AgentLists)
    height = lists.height()
    lists.hide()

    picker.open()
    assert lists.height() == height
