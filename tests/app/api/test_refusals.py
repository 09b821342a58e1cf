"""How long a service asks us to wait, in whatever form it says so."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.refusals import read_retry_after

_NOW = datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Thu, 02 Jan 2025 03:04:35 GMT", 30),
        ("Thu, 02 Jan 2025 04:04:35 +0100", 30),
        ("Thu, 02 Jan 2025 03:04:35", 30),
        ("Thu, 02 Jan 2025 03:00:00 GMT", 1),
        ("Fri, 02 Jan 2026 03:04:05 GMT", 120),
        (" 12 ", 12),
        ("0", 1),
        ("1e9", None),
        ("-5", None),
        ("soon", None),
        ("", None),
    ],
)
def test_the_time_to_wait_is_read_and_kept_within_bounds(text: str, seconds: float | None) -> None:
    assert read_retry_after(text, _NOW) == seconds


@given(st.text(max_size=60))
def test_no_text_can_upset_it(text: str) -> None:
    seconds = read_retry_after(text, _NOW)
    assert seconds is None or 1 <= seconds <= 120
