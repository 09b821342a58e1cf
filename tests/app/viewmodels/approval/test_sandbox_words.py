"""What a card says of the sandbox that a call would run in."""

from pathlib import Path

import pytest

from app.viewmodels.approval.call_texts import sandbox_banner, sandbox_words
from local_tools.sandbox.types import SandboxState, nothing_holds
from tests.support.confined_tools import connects
from tests.support.tool_calls import built_in, prepared

WHOLE = SandboxState("bubblewrap", True, True, True, True)
GAP = "The sandbox does not hide other processes, or a process may outlive its call."
WITH_GAPS = SandboxState("landlock", True, True, True, False, (GAP,))


@pytest.mark.security(44)
@pytest.mark.parametrize(
    ("state", "words"),
    [
        (WHOLE, "runs in a sandbox; can change only files in its folder; without network access"),
        (
            WITH_GAPS,
            "runs in an incomplete sandbox; can change only files in its folder; "
            f"without network access; {GAP}",
        ),
        (
            nothing_holds("none", "bubblewrap is not installed."),
            "runs in its own process with your permissions, without a sandbox",
        ),
    ],
)
def test_the_card_says_what_holds(tmp_path: Path, state: SandboxState, words: str) -> None:
    call = prepared(built_in("write_file"), tmp_path, path="a", content="x")
    assert sandbox_words(call, state) == words


def test_the_card_says_what_a_call_may_reach(tmp_path: Path) -> None:
    reading = prepared(built_in("list_folder"), tmp_path, path=".")
    thinking = prepared(built_in("current_time"))
    reaching = prepared(connects, script="")
    host = prepared(built_in("read_clipboard"))
    assert (
        sandbox_words(reading, WHOLE)
        == "runs in a sandbox; cannot change anything; without network access"
    )
    assert sandbox_words(thinking, WHOLE).split("; ")[1] == "cannot see your files"
    assert sandbox_words(reaching, WHOLE).endswith("; with network access")
    assert sandbox_words(host, WHOLE) == "done by Parley itself, as shown here"


@pytest.mark.security(44)
def test_missing_protection_is_shown_before_any_approval() -> None:
    nothing = sandbox_banner(nothing_holds("none", "bubblewrap is not installed."))
    gaps = sandbox_banner(WITH_GAPS)
    assert sandbox_banner(WHOLE) is None
    assert nothing is not None
    assert nothing.words.sentence.startswith("No sandbox works on this computer")
    assert gaps is not None
    assert gaps.words.sentence.startswith("The sandbox on this computer is incomplete")
