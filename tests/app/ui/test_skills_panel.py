"""The skills panel: rows, none, and a failure with a way out."""

import pytest
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot

from app.common.error_messages import ErrorMessage
from app.ui.skills_panel import SkillsPanel
from app.ui.theme import Theme
from app.viewmodels.chat.catalog import SkillRow
from app.viewmodels.rows import RowsModel
from tests.support.markup import MARKUP
from tests.support.widgets import button_named, child, click, label_texts

_NOTES = SkillRow("notes", "Release notes", "Turns changes into notes.", "1.2.0", "Parley")
_NO_AUTHOR = SkillRow("plain", "Plain language", "Rewrites text.", "1.0.0", None)
_NONE = "This connection has no skills."


@pytest.fixture
def model() -> RowsModel[SkillRow]:
    return RowsModel(lambda row: row.display_name)


@pytest.fixture
def panel(model: RowsModel[SkillRow], theme: Theme, qtbot: QtBot) -> SkillsPanel:
    widget = SkillsPanel(model, theme)
    qtbot.addWidget(widget)
    widget.resize(300, 600)
    widget.show()
    return widget


def test_without_skills_the_panel_says_so_once_that_is_known(
    panel: SkillsPanel, model: RowsModel[SkillRow]
) -> None:
    assert _NONE not in label_texts(panel)

    panel.show_loaded()

    assert _NONE in label_texts(panel)
    assert not child(panel, QListView).isVisible()

    model.replace_all([_NOTES])

    assert _NONE not in label_texts(panel)
    assert child(panel, QListView).isVisible()


def test_failure_is_reported_with_a_way_to_try_again(
    panel: SkillsPanel, model: RowsModel[SkillRow], qtbot: QtBot
) -> None:
    model.replace_all([_NOTES])
    panel.show_failure(ErrorMessage("Nothing answers at {host}.", {"host": "example.org"}))
    assert "Nothing answers at example.org." in label_texts(panel)

    with qtbot.waitSignal(panel.reload_requested, timeout=20_000):
        click(button_named(panel, "Try again"))

    assert "Nothing answers at example.org." not in label_texts(panel)
    assert child(panel, QListView).isVisible()


def test_skills_panel_is_empty_until_another_project_has_answered(
    panel: SkillsPanel, model: RowsModel[SkillRow]
) -> None:
    panel.show_loaded()

    model.replace_all([])

    assert _NONE not in label_texts(panel)


def test_rows_stay_close_together_at_another_width(
    panel: SkillsPanel, model: RowsModel[SkillRow]
) -> None:
    model.replace_all([SkillRow("long", "Long", "many words " * 12, "1.0.0", None), _NOTES])
    view = child(panel, QListView)
    tops = []
    for width_px in (300, 200, 300):
        panel.resize(width_px, 600)
        tops.append(view.visualRect(model.index(1)).top())

    assert tops[0] == tops[2] < tops[1]


def test_failure_gives_way_to_skills_that_come(
    panel: SkillsPanel, model: RowsModel[SkillRow]
) -> None:
    panel.show_failure(ErrorMessage("Nothing answers."))

    model.replace_all([_NOTES])

    assert child(panel, QListView).isVisible()


def test_missing_author_is_a_dash(panel: SkillsPanel, model: RowsModel[SkillRow]) -> None:
    pictures = []
    for author in (None, "—", "Parley"):
        model.replace_all([SkillRow("a", "Plain language", "Rewrites.", "1.0.0", author)])
        pictures.append(panel.grab().toImage())

    assert pictures[0] == pictures[1] != pictures[2]


def test_longer_description_takes_more_lines(
    panel: SkillsPanel, model: RowsModel[SkillRow]
) -> None:
    long = SkillRow("long", "Long", "many words " * 12, "1.0.0", None)
    model.replace_all([_NO_AUTHOR, long])
    view = child(panel, QListView)

    short_height, long_height = (view.visualRect(model.index(row)).height() for row in (0, 1))
    panel.resize(600, 600)

    assert long_height > short_height + 30
    assert view.visualRect(model.index(1)).height() < long_height


@pytest.mark.security(5)
def test_text_of_a_skill_stays_text_and_keeps_its_row_small(
    panel: SkillsPanel, model: RowsModel[SkillRow]
) -> None:
    odd = [*MARKUP, "x" * 10_000, "\n" * 500]
    model.replace_all([SkillRow("odd", text, text, text, text) for text in odd])
    view = child(panel, QListView)

    heights = [view.visualRect(model.index(row)).height() for row in range(len(odd))]

    assert max(heights) < 220
    assert not panel.grab().isNull()
