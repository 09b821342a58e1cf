"""Rows in order: what is told of a change makes a follower's rows the same, whatever changes."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.chat.conversation_rows import ConversationRow, ConversationRows
from app.chat.items import Change, Inserted, Moved, Removed, Reset
from tests.support.chat_fixtures import mirror_change

_NOON = datetime(2026, 5, 20, 12, tzinfo=UTC)


def _row(number: int, minutes: int | None = None) -> ConversationRow:
    moment = None if minutes is None else _NOON - timedelta(minutes=minutes)
    return ConversationRow(f"c{number}", f"Chat {number}", 2, moment)


class _Follower:
    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.mirror: list[ConversationRow] = []
        self.rows = ConversationRows(self._on_change)

    @property
    def ids(self) -> list[str]:
        return [row.conversation_id for row in self.rows.all]

    def _on_change(self, change: Change) -> None:
        self.changes.append(change)
        mirror_change(self.mirror, change, self.rows.all)
        assert self.mirror == list(self.rows.all)


def test_row_that_speaks_moves_to_the_top_as_one_move() -> None:
    follower = _Follower()
    follower.rows.add(_row(number, number) for number in range(5))

    follower.rows.put(replace(_row(3), updated_at=_NOON + timedelta(hours=1)), is_news=True)

    assert follower.ids == ["c3", "c0", "c1", "c2", "c4"]
    assert follower.changes[1:] == [Moved(3, 0)]


def test_rows_that_are_the_same_again_change_nothing() -> None:
    follower = _Follower()
    rows = [_row(number, number) for number in range(40)]
    follower.rows.replace_all(rows)

    follower.rows.replace_all(rows)

    assert follower.changes == [Inserted(0, 40)]


def test_rows_that_go_away_in_the_middle_are_named_by_place_and_number() -> None:
    follower = _Follower()
    rows = [_row(number, number) for number in range(9)]
    follower.rows.replace_all(rows)

    follower.rows.replace_all([rows[0], rows[3], rows[4], rows[8]])

    assert follower.ids == ["c0", "c3", "c4", "c8"]
    assert follower.changes[1:] == [Removed(5, 3), Removed(1, 2)]


def test_equal_times_keep_the_order_of_the_service_and_newer_rows_come_first() -> None:
    follower = _Follower()
    follower.rows.add([_row(1, 0), _row(2, 0), _row(3)])
    follower.rows.put(_row(4, 0), is_news=True)
    follower.rows.add([_row(5, 0)])

    assert follower.ids == ["c4", "c1", "c2", "c5", "c3"]


def test_oldest_first_keeps_pinned_ones_in_front_and_undated_ones_behind() -> None:
    follower = _Follower()
    follower.rows.add([_row(1, 1), _row(2, 2), replace(_row(3, 3), is_pinned=True), _row(4)])

    follower.rows.sort("asc")

    assert follower.ids == ["c3", "c2", "c1", "c4"]
    assert follower.changes[1:] == [Reset()]


@pytest.mark.parametrize("seed", range(5))
def test_followers_stay_the_same_through_any_changes(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - any row will do
    follower = _Follower()
    for _ in range(150):
        number, minutes = chance.randrange(30), chance.choice([None, *range(12)])
        row = replace(_row(number, minutes), is_pinned=chance.random() < 0.2)
        match chance.randrange(6):
            case 0:
                follower.rows.remove(f"c{number}")
            case 1:
                follower.rows.replace_all(_row(n, chance.randrange(12)) for n in range(number))
            case 2:
                follower.rows.add(_row(n, chance.randrange(12)) for n in range(number, 30))
            case 3:
                follower.rows.sort(chance.choice(["asc", "desc"]))
            case _:
                follower.rows.put(row, is_news=chance.random() < 0.5)
        assert all(follower.rows.get(row.conversation_id) is row for row in follower.rows.all)
        assert len(set(follower.ids)) == len(follower.ids)
