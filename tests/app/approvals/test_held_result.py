"""What leaves of a result that waited is what was chosen of it, and says what is missing."""

import pytest

from app.approvals.gate import Chosen, HeldResult
from local_tools.secrets.scan import Secret

pytestmark = pytest.mark.security(30)

_TEXT = "one=1111\ntwo=2222\nthree\n"
_HELD = HeldResult(
    "c1", "call", "Read file", "a", _TEXT, (Secret(4, 8, "key"), Secret(13, 17, "password"))
)
_ONE_MASKED = "[1 secret in this result was masked on the user's computer]"
_TWO_MASKED = "[2 secrets in this result were masked on the user's computer]"


@pytest.mark.parametrize(
    ("chosen", "told", "way"),
    [
        (
            Chosen(),
            f"one=[masked: key]\ntwo=[masked: password]\nthree\n\n{_TWO_MASKED}",
            "masked",
        ),
        (
            Chosen(frozenset({1})),
            f"one=[masked: key]\ntwo=2222\nthree\n\n{_ONE_MASKED}",
            "some",
        ),
        (Chosen(frozenset({0, 1})), _TEXT, "as_is"),
        (
            Chosen(part=(6, 18)),
            f"[masked: key]\ntwo=[masked: password]\n\n{_TWO_MASKED}\n"
            "[The user sent only a part of this result: 12 of 24 characters]",
            "part",
        ),
        (
            Chosen(frozenset({0, 9}), (-5, 99)),
            f"one=1111\ntwo=[masked: password]\nthree\n\n{_ONE_MASKED}\n"
            "[The user sent only a part of this result: 24 of 24 characters]",
            "part",
        ),
    ],
)
def test_what_was_chosen_leaves(chosen: Chosen, told: str, way: str) -> None:
    assert _HELD.told(chosen) == told
    assert _HELD.way(chosen) == way
