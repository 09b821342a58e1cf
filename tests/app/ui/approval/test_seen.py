"""What has been on screen is known to the pixel."""

from hypothesis import given
from hypothesis import strategies as st

from app.ui.approval.revealed_text import ViewedRanges

_HEIGHT = 60
_PARTS = st.lists(st.tuples(st.integers(0, _HEIGHT), st.integers(0, _HEIGHT)), max_size=20)


@given(_PARTS)
def test_the_first_gap_is_the_first_pixel_that_was_in_no_part(
    parts: list[tuple[int, int]],
) -> None:
    seen = ViewedRanges()
    for top, bottom in parts:
        seen.add(top, bottom)

    unseen = set(range(_HEIGHT)) - {y for top, bottom in parts for y in range(top, bottom)}
    assert seen.first_gap(_HEIGHT) == min(unseen, default=None)


def test_nothing_is_seen_after_clearing() -> None:
    seen = ViewedRanges()
    seen.add(0, _HEIGHT)
    seen.clear()

    assert seen.first_gap(_HEIGHT) == 0
