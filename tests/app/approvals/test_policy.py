"""What becomes of a call before a person sees it."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from pydantic import JsonValue

from app.api.events import ToolUse
from app.approvals.policy import Policy, Refusal, Verdict
from app.approvals.queue import ApprovalRequest
from local_tools.ledger.steps import RefusalReason
from local_tools.registry import ToolRegistry

pytestmark = pytest.mark.anyio

REGISTRY = ToolRegistry.built_in()
DECLARED = {definition.name: definition.digest for definition in REGISTRY.definitions()}


async def judged(
    name: str,
    given: Mapping[str, JsonValue],
    folder: Path | None = None,
    declared: Mapping[str, str] = DECLARED,
) -> Verdict:
    call = ToolUse("call-1", name, given)
    return await Policy(REGISTRY, home=Path("/")).judge("c1", call, declared, folder)


async def test_valid_call_of_a_known_tool_asks_with_everything_that_would_run(
    tmp_path: Path,
) -> None:
    request = await judged("read_file", {"path": "a.txt"}, tmp_path)

    assert isinstance(request, ApprovalRequest)
    assert (request.conversation_id, request.call_id) == ("c1", "call-1")
    assert request.request_id == f"call-1#{request.prepared.sha256}"
    assert request.prepared.tool_name == "read_file"


@pytest.mark.security(16)
@pytest.mark.parametrize("declared", [{}, {"read_file": "another digest"}], ids=["no", "changed"])
async def test_a_tool_that_was_not_declared_like_this_is_unknown(
    tmp_path: Path, declared: Mapping[str, str]
) -> None:
    verdict = await judged("read_file", {"path": "a.txt"}, tmp_path, declared)

    assert verdict == Refusal(RefusalReason.UNKNOWN_TOOL, "Error: unknown tool “read_file”.")


@pytest.mark.security(18)
@pytest.mark.parametrize("given", [{}, {"path": 1}, {"path": "a", "b": 1}, {"path": "x" * 300_000}])
async def test_what_does_not_fit_is_refused_in_a_sentence(
    tmp_path: Path, given: Mapping[str, JsonValue]
) -> None:
    verdict = await judged("read_file", given, tmp_path)

    assert isinstance(verdict, Refusal)
    assert verdict.result.startswith("Error: ")


async def test_a_command_without_a_folder_is_refused() -> None:
    verdict = await judged("run_command", {"argv": ["true"]})

    assert isinstance(verdict, Refusal)
    assert verdict.reason is RefusalReason.NO_FOLDER
    assert "folder" in verdict.result


async def test_a_note_is_for_the_file_that_was_picked_for_notes(tmp_path: Path) -> None:
    picked = tmp_path / "notes.md"
    picked.write_text("", encoding="utf-8")
    policy = Policy(REGISTRY, home=Path("/"), notes_file=lambda: picked)
    call = ToolUse("call-1", "take_note", {"text": "Buy milk"})

    request = await policy.judge("c1", call, DECLARED, None)

    assert isinstance(request, ApprovalRequest)
    assert request.prepared.target == str(picked)
    assert request.sandbox.kind == "none"


async def test_an_edited_input_is_for_the_tool_that_was_shown(tmp_path: Path) -> None:
    request = await judged("read_file", {"path": "a.txt"}, tmp_path)
    assert isinstance(request, ApprovalRequest)
    policy = Policy(REGISTRY, home=Path("/"))

    edited = await policy.with_input(request, '{"path": "b.txt"}', tmp_path)
    assert (edited.problem, edited.original_text) == ("", '{"path":"a.txt"}')
    back = await policy.with_input(edited, '{"path": "a.txt"}', tmp_path)
    assert back.original_text == ""
    gone = await Policy(ToolRegistry()).with_input(request, "{}", tmp_path)
    assert gone.prepared == request.prepared
    assert "not what it was" in gone.problem
    twice = await policy.with_input(request, '{"path": "a", "path": "b"}', tmp_path)
    assert "twice" in twice.problem


async def test_an_edited_input_that_cannot_run_leads_back_to_the_request(tmp_path: Path) -> None:
    request = await judged("write_file", {"path": "a.txt", "content": "x"}, tmp_path)
    assert isinstance(request, ApprovalRequest)
    (tmp_path / "folder").mkdir()
    typed = '{"path": "folder", "content": "x"}'

    back = await Policy(REGISTRY, home=Path("/")).with_input(request, typed, tmp_path)

    assert (back.prepared, back.typed) == (request.prepared, typed)
    assert "is a folder" in back.problem
