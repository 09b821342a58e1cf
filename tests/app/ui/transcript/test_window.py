"""Only what is seen is laid out, and what is seen stays where it is."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.chat.items import Inserted, Item, Removed
from app.config.settings import AppearanceSettings
from app.ui.theme import Theme
from app.ui.transcript.rows.reply_row import ReplyRow
from app.ui.widgets.column import Column
from tests.app.ui.transcript.conftest import Show
from tests.support.transcript_fixtures import asked, replied

_FEW = 40


def _chat(count: int) -> list[Item]:
    """Messages of many heights."""
    return [
        asked(str(i), f"question {i} " * (i % 7 + 1))
        if i % 2 == 0
        else replied(str(i), f"answer {i}\n\n" * (i % 11 + 1))
        for i in range(count)
    ]


def test_only_rows_in_the_window_are_laid_out(show: Show) -> None:
    shown = show(_chat(10_000))

    assert 0 < shown.view.laid_out_rows < _FEW
    assert shown.placed("9999").row.height > 0


def test_rows_far_from_the_window_are_let_go(show: Show) -> None:
    shown = show(_chat(2000))
    for _ in range(100):
        shown.scroll_by(-400)

    assert shown.view.laid_out_rows <= 2 * _FEW


def test_chat_opens_at_its_end(show: Show) -> None:
    shown = show(_chat(500))

    last = shown.placed("499")
    bar = shown.view.verticalScrollBar()
    assert bar.value() == bar.maximum()
    assert last.top + last.row.height <= shown.view.viewport().height()


def test_short_chat_begins_at_the_top(show: Show) -> None:
    shown = show([asked("a", "hello")])

    assert shown.placed("a").top == 24
    assert shown.view.verticalScrollBar().maximum() == 0


def test_scrolling_moves_the_text_by_the_same_distance_with_estimated_rows_above(
    show: Show,
) -> None:
    shown = show(_chat(3000))
    shown.view.verticalScrollBar().setValue(60_000)

    for _ in range(60):
        before = {placed.key: placed.top for placed in shown.view._layout.placed}
        shown.scroll_by(-37)
        after = {placed.key: placed.top for placed in shown.view._layout.placed}
        assert {after[key] - before[key] for key in before.keys() & after.keys()} == {37}


def test_beginning_and_end_can_be_reached(show: Show) -> None:
    shown = show(_chat(300))
    bar = shown.view.verticalScrollBar()

    bar.setValue(0)
    assert shown.placed("0").top == 24
    for _ in range(2000):
        if bar.value() >= bar.maximum():
            break
        shown.scroll_by(150)
    last = shown.placed("299")
    assert last.top + last.row.height == shown.view.viewport().height() - 24


def test_row_at_the_top_stays_there_when_the_width_changes(show: Show) -> None:
    shown = show(_chat(1000))
    shown.view.verticalScrollBar().setValue(30_000)
    top_key = shown.view._layout.placed[0].key

    for width in (500, 360, 788):
        shown.view.resize(width, 600)
        assert top_key in {placed.key for placed in shown.view._layout.placed[:2]}


def test_column_is_at_most_720_wide_and_in_the_middle(show: Show) -> None:
    wide = show(_chat(3), width=1400).view._layout
    narrow = show(_chat(3), width=400).view._layout

    assert (wide.column_width, wide.column_left) == (720, 340)
    assert narrow.column_width == 400 - 2 * 16


def test_rows_that_come_and_go_above_move_nothing(show: Show) -> None:
    shown = show(_chat(1000))
    shown.view.verticalScrollBar().setValue(30_000)
    before = [(placed.key, placed.top) for placed in shown.view._layout.placed]

    shown.items[0:0] = [asked("new", "older"), asked("newer", "older too")]
    shown.model.mirror(Inserted(0, 2), shown.items)
    shown.settle()
    assert [(p.key, p.top) for p in shown.view._layout.placed] == before

    del shown.items[0:2]
    shown.model.mirror(Removed(0, 2), shown.items)
    shown.settle()
    assert [(p.key, p.top) for p in shown.view._layout.placed] == before


def test_other_chat_is_shown_at_its_end(show: Show) -> None:
    shown = show(_chat(200))
    shown.scroll_by(-5000)

    shown.items = [asked("other", "another chat")]
    shown.model.replace_all(shown.items)
    shown.settle()

    assert [placed.key for placed in shown.view._layout.placed] == ["other"]
    assert shown.view.follows_end


def test_last_rows_can_be_removed(show: Show) -> None:
    shown = show(_chat(30))

    del shown.items[1:]
    shown.model.mirror(Removed(1, 29), shown.items)
    shown.settle()
    assert [placed.key for placed in shown.view._layout.placed] == ["0"]

    shown.items.clear()
    shown.model.mirror(Removed(0, 1), shown.items)
    shown.settle()
    assert shown.view._layout.placed == []


def test_only_visible_blocks_of_a_long_reply_are_laid_out(show: Show) -> None:
    shown = show([asked("q", "all"), replied("r", "A paragraph of words.\n\n" * 3000)])

    row = shown.placed("r").row
    assert isinstance(row, ReplyRow)
    assert row.measured_count < 600
    assert shown.view.follows_end


def test_bar_that_comes_moves_no_row(show: Show) -> None:
    short = show([asked("a", "hello")]).view._layout
    long = show(_chat(100)).view._layout

    assert long.maximum > 0 == short.maximum
    assert (long.column_left, long.column_width) == (short.column_left, short.column_width)


def test_items_that_share_a_key_have_rows_of_their_own(show: Show) -> None:
    shown = show([asked("same", "one"), replied("same", "two"), asked("same", "three")])

    placed = shown.view._layout.placed
    assert [row.row.shown_text for row in placed] == ["one", "two", "three"]
    tops = [row.top for row in placed]
    assert tops == sorted(set(tops))


def test_beginning_is_reached_at_once_though_it_is_higher_than_guessed(show: Show) -> None:
    shown = show([asked("first", "hello"), *(replied(str(i), "word\n\n" * 30) for i in range(3))])

    shown.view.verticalScrollBar().setValue(0)

    assert shown.placed("first").top == 24


@pytest.mark.parametrize("percent", [100, 200])
def test_rows_share_their_edges_with_the_composer(
    percent: int, show: Show, theme: Theme, qtbot: QtBot
) -> None:
    theme.wear(AppearanceSettings(theme="light", scale_percent=percent))
    shown = show([asked("u", "go")], width=640)
    box = QWidget()
    column = Column(theme, box)
    qtbot.addWidget(column)
    theme.fit(column)
    column.resize(640, 100)
    column.show()

    row = shown.view._layout

    # The layout of the column gives a pixel to each of its stretches.
    assert row.column_left == pytest.approx(box.x(), abs=1)
    assert row.column_width == pytest.approx(box.width(), abs=2)
