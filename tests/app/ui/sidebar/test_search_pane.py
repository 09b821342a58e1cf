"""The search of the sidebar: what is typed and shown, and what keys and clicks do."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QListView
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from app.common.error_messages import ErrorMessage
from app.config.settings import AppearanceSettings
from app.store.search import SearchResults, TextHit, TitleHit
from app.store.search_terms import Snippet
from app.ui.sidebar.search_pane import SearchField, SearchPane
from app.ui.theme import Theme
from app.ui.widgets.marked_text import MarkedPen, MarkedText
from app.viewmodels.sidebar.search import HitRows, Results
from tests.support.markup import MARKUP
from tests.support.widgets import child, click, enter_text, label_texts, press

_NOW = datetime(2026, 5, 20, 14, 30, tzinfo=UTC)
TITLE = TitleHit("home", "c1", "Tidy the release notes", ((9, 12),), 12, _NOW)
TEXT = TextHit(
    "home", "c2", "m7", "user", Snippet("the last release, in one", ((9, 12),)), "Boat", _NOW
)
RESULTS = Results("rel", SearchResults((TITLE,), (TEXT,)))


@pytest.fixture
def pane(theme: Theme, qtbot: QtBot) -> Iterator[SearchPane]:
    made = SearchPane(theme, lambda: _NOW, QLabel("the list"))
    qtbot.addWidget(made)
    made.resize(272, 500)
    with qtbot.waitActive(made, timeout=20_000):
        made.show()
        made.activateWindow()
    yield made
    made.close()


def _field(pane: SearchPane) -> SearchField:
    return child(pane, SearchField)


def _type(pane: SearchPane, text: str) -> None:
    pane.take_focus()
    enter_text(_field(pane), text)


def test_typed_text_is_searched_and_hits_replace_the_list(
    pane: SearchPane,
) -> None:
    asked: list[str] = []
    pane.typed.connect(asked.append)

    _type(pane, "rel")
    assert "the list" in label_texts(pane)
    pane.show_results(RESULTS)

    assert asked == ["r", "re", "rel"]
    assert "the list" not in label_texts(pane)
    assert child(pane, QListView).model().rowCount() == 2


def test_enter_opens_the_first_hit_and_arrows_go_to_others(pane: SearchPane) -> None:
    chosen: list[object] = []
    pane.hit_chosen.connect(chosen.append)
    _type(pane, "rel")
    pane.show_results(RESULTS)

    press(_field(pane), Qt.Key.Key_Return)
    press(_field(pane), Qt.Key.Key_Down)
    press(_field(pane), Qt.Key.Key_Down)
    press(_field(pane), Qt.Key.Key_Return)

    assert chosen == [TITLE, TEXT]
    assert _field(pane).hasFocus()


def test_clicked_hit_is_opened(pane: SearchPane, qtbot: QtBot) -> None:
    _type(pane, "rel")
    pane.show_results(RESULTS)
    view = child(pane, QListView)

    with qtbot.waitSignal(pane.hit_chosen, timeout=20_000) as chosen:
        click(view.viewport(), view.visualRect(view.model().index(1, 0)).center())

    assert chosen.args == [TEXT]


def test_list_of_hits_is_reached_by_tab_and_works_by_keyboard(pane: SearchPane) -> None:
    chosen: list[object] = []
    pane.hit_chosen.connect(chosen.append)
    _type(pane, "rel")
    pane.show_results(RESULTS)
    view = child(pane, QListView)

    press(_field(pane), Qt.Key.Key_Tab)
    assert view.hasFocus()
    press(view, Qt.Key.Key_Down)
    press(view, Qt.Key.Key_Return)
    press(view, Qt.Key.Key_Escape)

    assert chosen == [TEXT]
    assert _field(pane).hasFocus()
    assert _field(pane).text() == "rel"


def test_rows_grow_with_the_text_size(pane: SearchPane, theme: Theme) -> None:
    _type(pane, "rel")
    pane.show_results(RESULTS)
    view = child(pane, QListView)
    before = view.visualRect(view.model().index(0, 0)).height()

    theme.wear(AppearanceSettings(theme="light", scale_percent=200))

    assert view.visualRect(view.model().index(0, 0)).height() > 1.8 * before


def test_long_word_stays_within_its_row(theme: Theme) -> None:
    ink = theme.color("ink")
    pen = MarkedPen(theme.font(), ink, ink)

    assert MarkedText("y" * 300, (), pen, 200, max_lines=2).height == 2 * pen.line_height()


def test_escape_empties_the_field_and_then_leaves_it(pane: SearchPane, qtbot: QtBot) -> None:
    _type(pane, "rel")
    pane.show_results(RESULTS)

    with qtbot.assertNotEmitted(pane.left):
        press(_field(pane), Qt.Key.Key_Escape)
    assert "the list" in label_texts(pane)
    with qtbot.waitSignal(pane.left, timeout=20_000):
        press(_field(pane), Qt.Key.Key_Escape)


def test_late_search_result_does_not_restore_cleared_hits(pane: SearchPane) -> None:
    _type(pane, "rel")
    _field(pane).clear()

    pane.show_results(RESULTS)

    assert "the list" in label_texts(pane)


def test_count_is_in_words_and_nothing_found_is_reported(pane: SearchPane) -> None:
    _type(pane, "rel")

    pane.show_results(Results("rel", SearchResults((TITLE,), (TEXT,), has_more=True)))
    assert "More than 2 found" in label_texts(pane)
    pane.show_results(Results("rel", SearchResults()))
    assert "No matching chats" in label_texts(pane)


def test_failed_search_is_explained(pane: SearchPane) -> None:
    _type(pane, "rel")

    pane.show_failure(ErrorMessage("The disk is full."))

    assert "The disk is full." in label_texts(pane)


def test_keys_that_lead_there_show_while_the_field_is_empty(pane: SearchPane) -> None:
    pane.show_keys("Ctrl F")
    assert "Ctrl F" in label_texts(pane)

    _type(pane, "r")
    assert "Ctrl F" not in label_texts(pane)


@pytest.mark.parametrize("hit", [TITLE, TEXT])
def test_words_that_were_looked_for_stand_out(pane: SearchPane, hit: TitleHit | TextHit) -> None:
    _type(pane, "rel")
    pictures = []
    for marks in ((), ((9, 12),)):
        found = (
            SearchResults((replace(TITLE, marks=marks),))
            if isinstance(hit, TitleHit)
            else SearchResults(texts=(replace(TEXT, excerpt=Snippet(TEXT.excerpt.text, marks)),))
        )
        pane.show_results(Results("rel", found))
        pictures.append(child(pane, QListView).grab().toImage())

    assert pictures[0] != pictures[1]


@pytest.mark.security(75)
def test_hits_are_never_laid_out_as_markup(pane: SearchPane) -> None:
    _type(pane, "rel")
    texts = tuple(
        TextHit("home", "c", "m", "user", Snippet(markup, ((0, 3),)), markup, _NOW)
        for markup in MARKUP
    )
    titles = tuple(TitleHit("home", "c", markup, ((0, 3),), 1, _NOW) for markup in MARKUP)
    pane.show_results(Results("rel", SearchResults(titles, texts)))
    view = child(pane, QListView)

    heights = [view.visualRect(view.model().index(row, 0)).height() for row in range(len(titles))]

    assert len(set(heights)) == 1
    assert not view.grab().isNull()


def test_rows_behave_as_a_model_empty_filled_and_longer(qtmodeltester: ModelTester) -> None:
    rows = HitRows()
    qtmodeltester.check(rows)
    rows.show(RESULTS)
    rows.show(Results("rel", SearchResults((TITLE,), (TEXT, TEXT), has_more=True)))
    qtmodeltester.check(rows)

    assert rows.rowCount() == 3
    assert rows.canFetchMore(rows.index(-1, -1))


def test_rows_before_stay_when_more_come(qtbot: QtBot) -> None:
    rows = HitRows()
    rows.show(RESULTS)

    inserted = qtbot.waitSignal(rows.rowsInserted, timeout=20_000)
    with qtbot.assertNotEmitted(rows.modelReset), inserted:
        rows.show(Results("rel", SearchResults((TITLE,), (TEXT, TEXT))))
