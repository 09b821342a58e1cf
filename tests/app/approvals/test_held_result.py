"""What leaves of a result that waited is what was chosen of it, and says what is missing."""

from dataclasses import replace

import pytest

from app.approvals.result_review import PendingResult, ReleaseChoice, names_secrets, review_result
from local_tools.secrets.scan import Secret
from local_tools.tool import ToolDefinition
from tests.support.rules import definition

pytestmark = pytest.mark.security(30)

_TEXT = "one=1111\ntwo=2222\nthree\n"
_HELD = PendingResult(
    "c1", "call", "Read file", "a", _TEXT, (Secret(4, 8, "key"), Secret(13, 17, "password"))
)
_ONE_MASKED = "[1 secret in this result was masked on the user's computer]"
_TWO_MASKED = "[2 secrets in this result were masked on the user's computer]"


@pytest.mark.parametrize(
    ("chosen", "told", "way"),
    [
        (
            ReleaseChoice(),
            f"one=[masked: key]\ntwo=[masked: password]\nthree\n\n{_TWO_MASKED}",
            "masked",
        ),
        (
            ReleaseChoice(frozenset({1})),
            f"one=[masked: key]\ntwo=2222\nthree\n\n{_ONE_MASKED}",
            "some",
        ),
        (ReleaseChoice(frozenset({0, 1})), _TEXT, "as_is"),
        (
            ReleaseChoice(part=(6, 18)),
            f"[masked: key]\ntwo=[masked: password]\n\n{_TWO_MASKED}\n"
            "[The user sent only a part of this result: 12 of 24 characters]",
            "part",
        ),
        (
            ReleaseChoice(frozenset({0, 9}), (-5, 99)),
            f"one=1111\ntwo=[masked: password]\nthree\n\n{_ONE_MASKED}\n"
            "[The user sent only a part of this result: 24 of 24 characters]",
            "part",
        ),
    ],
)
def test_chosen_form_of_the_result_is_released(chosen: ReleaseChoice, told: str, way: str) -> None:
    assert _HELD.released_text(chosen) == told
    assert _HELD.release_kind(chosen) == way


def _held(
    known: ToolDefinition | None, text: str, input_text: str, *, is_failure: bool = False
) -> PendingResult | None:
    return review_result(
        known,
        text,
        input_text,
        is_failure=is_failure,
        place=("c1", "call"),
        shown=("A tool", ""),
    )


def test_an_error_about_a_secret_file_waits_when_it_tells_what_a_program_wrote() -> None:
    command = definition("run_command")
    given = '{"argv": ["cat", ".env"]}'
    said = "Error: exit code 1 after 0.1 s. Output:\n\nCOLOUR=teal\n"

    held = _held(command, said, given, is_failure=True)

    assert held is not None
    assert "teal" not in held.released_text(ReleaseChoice())
    assert _held(command, "Error: there is no program “cat”.", given, is_failure=True) is None


def test_a_tool_of_ours_is_known_to_look_up_no_path_in_an_expression() -> None:
    given = '{"expression": "1 + my/.env"}'

    assert _held(definition("calculate"), "COLOUR=teal", given) is None
    assert _held(None, "COLOUR=teal", given) is not None


@pytest.mark.parametrize(
    ("input_text", "names_one"),
    [
        ("no JSON", False),
        ('{"path": "notes.txt"}', False),
        (r'{"path": "C:\\app\\.env"}', True),
        ('{"text": "a\\u005cid_rsa"}', True),
    ],
)
def test_input_names_a_file_with_secrets_by_any_of_its_parts(
    input_text: str, names_one: bool
) -> None:
    assert names_secrets(input_text) is names_one


def test_a_secret_file_that_begins_like_an_error_waits() -> None:
    held = _held(definition("read_file"), "Error: teal", '{"path": ".env"}')

    assert held is not None
    assert "teal" not in held.released_text(ReleaseChoice())


def test_result_of_a_removed_tool_is_held_as_if_it_had_read_everything() -> None:
    held = _held(None, "COLOUR=teal\n", '{"path": ".env"}')

    assert held is not None
    assert "teal" not in held.released_text(ReleaseChoice())


@pytest.mark.parametrize(
    ("said", "given"),
    [
        ("Error: COLOUR=teal", '{"path": ".env"}'),
        ("COLOUR=teal", '{"text": "notes/.env"}'),
        ("COLOUR=teal", '{"uri": "file:///home/me/%2Eenv"}'),
        ("COLOUR=teal", '{"files": {".env": true}}'),
    ],
)
def test_result_of_a_foreign_tool_about_a_secret_file_is_always_held(said: str, given: str) -> None:
    others = replace(definition("read_file"), source="mcp:files", name="files__read")

    held = _held(others, said, given)

    assert held is not None
    assert "teal" not in held.released_text(ReleaseChoice())
