"""Every character of a result has its place in what is shown of it."""

import pytest

from app.ui.approval.result_text import GOES_ON, show_result
from app.viewmodels.approval.approval import SecretView

pytestmark = pytest.mark.security(30)

_TEXT = "a 😀 \u202e\r\nkey=secret;\n" + "z" * 2000 + "\nlast"
_AT = _TEXT.index("secret")
_SECRETS = (SecretView(_AT, _AT + 6, "[masked]", "a secret"),)


@pytest.mark.parametrize("opened", [frozenset[int](), frozenset({0})])
@pytest.mark.parametrize("part", [(0, len(_TEXT)), (4, _AT + 3), (_AT + 2, len(_TEXT) - 9)])
def test_nothing_of_a_part_is_left_out_or_shown_twice(
    opened: frozenset[int], part: tuple[int, int]
) -> None:
    shown = show_result(_TEXT, _SECRETS, opened, part)

    assert shown.segments[0].start == part[0]
    assert shown.segments[-1].end == part[1]
    for before, after in zip(shown.segments, shown.segments[1:], strict=False):
        assert (before.end, before.last) == (after.start, after.first)
    units = len(shown.text.encode("utf-16-le")) // 2
    assert shown.segments[-1].last == units
    assert ("secret" in shown.text or "sec;" in shown.text) == (
        bool(opened) and part == (0, len(_TEXT))
    )


def test_a_line_without_an_end_goes_on_below_with_a_sign() -> None:
    """Our choice: Qt would take seconds for it."""
    text = "y" * 262_144
    shown = show_result(text, (), frozenset(), (0, len(text)))

    assert max(map(len, shown.text.split("\n"))) <= 512 + len(GOES_ON)
    assert shown.text.replace(f"\n{GOES_ON}", "") == text
    at = shown.position_of(200_000)
    (found,) = shown.between(at, at + 1)
    assert found.start <= 200_000 < found.end


def test_many_secrets_in_one_line_do_not_make_it_longer() -> None:
    text = "ab" * 3000
    secrets = [SecretView(at, at + 1, "[m]", "") for at in range(0, 6000, 4)]
    shown = show_result(text, secrets, frozenset(), (0, len(text)))

    assert max(map(len, shown.text.split("\n"))) <= 1024 + len(GOES_ON)


@pytest.mark.security(7)
@pytest.mark.parametrize(
    "escape",
    ["\x1b[2J", "\x1b]52;c;aGk=\x07", "\x1b[31m", "\x9b1A", "\x08\x08", "\u202e", "\u2066"],
)
def test_nothing_in_a_result_acts_on_what_is_shown(escape: str) -> None:
    text = f"before {escape} after"
    shown = show_result(text, (), frozenset(), (0, len(text))).text

    assert f"‹U+{ord(escape[0]):04X}›" in shown
    assert escape[0] not in shown
