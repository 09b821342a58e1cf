"""Rows under captions: where they are is worked out, and agrees with laying them out one by one."""

import random
from dataclasses import dataclass

import pytest

from app.chat.conversation_rows import ConversationRow
from app.ui.sidebar.grouped_list import NOWHERE, Groups

_ROW = 50
_CAPTION = 30


def _rows(sizes: list[int]) -> list[ConversationRow]:
    """Rows whose title is the caption of their group."""
    titles = [f"group {number}" for number, size in enumerate(sizes) for _ in range(size)]
    return [ConversationRow(f"c{n}", title, 1, None) for n, title in enumerate(titles)]


@dataclass
class _Counting:
    asked: int = 0

    def __call__(self, row: ConversationRow) -> str:
        self.asked += 1
        return row.title


@pytest.mark.parametrize("seed", range(8))
def test_places_are_those_of_rows_laid_out_one_by_one(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - any sizes will do
    rows = _rows([chance.choice([1, 1, 2, 3, 17]) for _ in range(chance.randrange(9))])
    groups = Groups(rows, lambda row: row.title, _ROW, _CAPTION)

    y, captions = 0, []
    for number, row in enumerate(rows):
        is_first = number == 0 or rows[number - 1].title != row.title
        assert groups.has_caption(number) is is_first
        if is_first:
            captions.append((row.title, y))
            assert groups.row_at(y) == groups.row_at(y + _CAPTION - 1) == NOWHERE
            assert groups.first_below(y) == number
            y += _CAPTION
        assert groups.top_of(number) == y
        assert groups.row_at(y) == groups.row_at(y + _ROW - 1) == number
        assert groups.first_below(y + _ROW - 1) == number
        y += _ROW

    assert list(groups.captions()) == captions
    assert groups.height == y
    assert groups.row_at(y) == groups.row_at(-1) == NOWHERE


def test_finding_the_groups_of_many_rows_takes_few_steps() -> None:
    caption_of = _Counting()
    Groups(_rows([3000, 7000]), caption_of, _ROW, _CAPTION)

    assert caption_of.asked < 100
