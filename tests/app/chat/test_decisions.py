"""What a person or a rule can decide, how it is told, and when nobody is asked again."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from app.approvals.queue import Allowed, AnsweredInstead, Denied, Edited
from app.approvals.rules import FolderScope, InputScope, RuleLifetime, ToolScope
from app.chat.dependencies import CALLS_BEFORE_PAUSE
from app.chat.items import CallState
from local_tools.canonical import freeze
from local_tools.ledger.steps import (
    CallKey,
    Decider,
    Decision,
    RefusalReason,
    Step,
    StepDetails,
)
from local_tools.sandbox.types import SandboxState
from tests.support.chat_fixtures import PROFILE, START, STOP, Chat, ChatKit, chat_kit, results
from tests.support.fake_service import FakeService, sse
from tests.support.refused_writes import refused_writes
from tests.support.rules import WHOLE, reading_in, rule

pytestmark = pytest.mark.anyio


async def whole() -> SandboxState:
    return WHOLE


@asynccontextmanager
async def ready(
    data: Path, calls_before_pause: int = CALLS_BEFORE_PAUSE
) -> AsyncIterator[tuple[FakeService, ChatKit, Chat]]:
    async with (
        FakeService() as service,
        chat_kit(data, service, sandbox=whole, calls_before_pause=calls_before_pause) as kit,
    ):
        service.holds("c1")
        chat = await kit.open()
        (data / "notes").mkdir(exist_ok=True)
        await chat.session.set_folder(data / "notes")
        yield service, kit, chat


def calls_stream(service: FakeService, name: str, inputs: list[dict[str, Any]]) -> None:
    uses = (sse("tool_use", id=f"t{n}", name=name, input=given) for n, given in enumerate(inputs))
    service.sends(START, *uses, STOP)
    for _ in inputs[:CALLS_BEFORE_PAUSE]:
        service.says("Next.")


async def test_a_call_that_a_rule_covers_runs_and_the_record_names_the_rule(
    tmp_path: Path,
) -> None:
    async with ready(tmp_path) as (service, kit, chat):
        (tmp_path / "notes" / "a.txt").write_text("forty-two", encoding="utf-8")
        granted = reading_in((tmp_path / "notes").resolve())
        await kit.rules.add(granted)
        service.asks_tool("read_file", {"path": "a.txt"})
        service.says("It says forty-two.")

        await chat.said("What do my notes say?")

        assert not any(state.is_asking for state in chat.states)
        assert "forty-two" in results(service)[0][1]
        (call,) = await kit.calls()
        assert call.details.rule_id == granted.rule_id
        assert (chat.tool_rows[0].state, chat.tool_rows[0].decider) == (
            CallState.DONE,
            Decider.FOLDER_RULE,
        )
        (used,) = kit.rules.rules
        assert used.use_count == 1
        assert used.last_used_at is not None


async def test_a_call_is_asked_when_the_use_of_its_rule_cannot_be_written(tmp_path: Path) -> None:
    async with ready(tmp_path) as (service, kit, chat):
        (tmp_path / "notes" / "a.txt").write_text("forty-two", encoding="utf-8")
        await kit.rules.add(reading_in((tmp_path / "notes").resolve()))
        service.asks_tool("read_file", {"path": "a.txt"})
        service.says("It says forty-two.")

        with refused_writes(tmp_path / "store.db", "UPDATE ON rules"):
            await chat.send("What do my notes say?")
            card = await chat.asks()
            assert card.request.prepared.tool_name == "read_file"
            await chat.deny()
            await chat.is_idle()

        (call,) = await kit.calls()
        assert call.details.decider is Decider.USER


async def test_refused_call_keeps_its_reason_and_its_row_names_the_target_after_a_restart(
    tmp_path: Path,
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("forty-two", encoding="utf-8")
    async with ready(tmp_path) as (service, kit, chat):
        calls_stream(service, "read_file", [{"path": "a.txt"}, {"path": 7}])
        await chat.send("Read")
        await chat.allow()
        await chat.is_idle()

        refusals = [call.details.refusal for call in await kit.calls()]
        assert refusals == [None, RefusalReason.INVALID_INPUT]
        live = [row.target for row in chat.tool_rows]
        async with chat_kit(tmp_path, service, sandbox=whole) as again:
            reopened = await again.open()
            assert [row.target for row in reopened.tool_rows] == live
    assert "a.txt" in live[0]


async def test_a_counted_rule_counts_each_call_once(tmp_path: Path) -> None:
    async with ready(tmp_path) as (service, kit, chat):
        counted = rule("calculate", scope=ToolScope(), span=RuleLifetime("c1", calls=1))
        await kit.rules.add(counted)
        calls_stream(service, "calculate", [{"expression": f"{n}+1"} for n in range(2)])

        await chat.send("Count")
        card = await chat.asks()

        assert card.request.call_id == "t1"
        assert [row.decider for row in chat.tool_rows] == [Decider.TOOL_RULE, None]
        await chat.deny()
        await chat.is_idle()
        assert kit.rules.rules == ()


async def test_call_that_a_rule_forbids_is_denied_without_asking(tmp_path: Path) -> None:
    async with ready(tmp_path) as (service, kit, chat):
        scope = FolderScope(str((tmp_path / "notes").resolve()), writes=True)
        await kit.rules.add(rule("write_file", scope=scope, denies=True))
        service.asks_tool("write_file", {"path": "a.txt", "content": "x"})
        service.says("Then not.")

        await chat.said("Write")

        assert results(service)[0][1].startswith("The user has a rule that forbids this")
        assert (chat.tool_rows[0].state, chat.tool_rows[0].decider) == (
            CallState.DENIED,
            Decider.FOLDER_RULE,
        )
        assert not (tmp_path / "notes" / "a.txt").exists()


async def test_an_edited_input_is_shown_again_and_the_assistant_is_told(tmp_path: Path) -> None:
    async with ready(tmp_path) as (service, kit, chat):
        service.asks_tool("write_file", {"path": "a.txt", "content": "wrong"})
        service.says("Good.")
        await chat.send("Write")
        first = await chat.asks()

        await chat.answer(Edited('{"path": "a.txt", "content": 7}'))
        await chat.until(lambda: bool(kit.approvals.waiting("c1")))
        refused = await chat.asks()
        assert refused.request.prepared == first.request.prepared
        assert "content" in refused.request.problem
        await chat.answer(Edited('{"path": "a.txt", "content": "right"}'))
        edited = await chat.asks()
        assert edited.generation > refused.generation > first.generation
        assert json.loads(edited.request.prepared.input_text)["content"] == "right"
        assert json.loads(edited.request.original_text)["content"] == "wrong"
        await chat.allow()
        await chat.is_idle()

        assert (tmp_path / "notes" / "a.txt").read_text(encoding="utf-8") == "right"
        ((_, told),) = results(service)
        assert told.startswith("The user changed the input of this call before allowing it.")
        assert "right" in told
        (row,) = chat.tool_rows
        assert (row.decision, row.decider) == (Decision.EDITED, Decider.USER)
        assert json.loads(row.input_text)["content"] == "right"
        (call,) = await kit.calls()
        assert call.details.decision == "edited"
        assert json.loads(call.input_text or "")["content"] == "wrong"
        assert json.loads(call.reason)["content"] == "right"


@pytest.mark.security(87)
async def test_why_a_call_cannot_run_is_told_only_once_it_is_allowed(tmp_path: Path) -> None:
    async with ready(tmp_path) as (service, _, chat):
        (tmp_path / "notes" / "a.txt").write_text("forty-two", encoding="utf-8")
        service.asks_tool("edit_file", {"path": "a.txt", "old_text": "seven", "new_text": "8"})
        service.says("I see.")
        await chat.send("Change it")

        card = await chat.asks()
        assert results(service) == []
        call = card.request.prepared
        words = f"{tmp_path / 'notes' / 'a.txt'} does not contain “seven”."
        facts = {fact.label: fact.value for fact in call.facts}
        assert (call.problem, call.preview) == (words, None)
        assert facts["Not possible"] == words
        assert facts["If allowed"] == "nothing is done, and the assistant is told why"
        assert (facts["Old text"], facts["New text"]) == ("seven", '"8"')
        await chat.allow()
        await chat.is_idle()

        assert results(service) == [("call-1", f"Error: {words}")]
        assert chat.tool_rows[0].state is CallState.FAILED
        assert (tmp_path / "notes" / "a.txt").read_text(encoding="utf-8") == "forty-two"


@pytest.mark.security(87)
async def test_a_rule_that_covers_the_place_lets_it_be_told_why_a_call_cannot_run(
    tmp_path: Path,
) -> None:
    async with ready(tmp_path) as (service, kit, chat):
        folder = (tmp_path / "notes").resolve()
        (folder / "a.txt").write_text("forty-two", encoding="utf-8")
        (folder / ".env").write_text("forty-two", encoding="utf-8")
        await kit.rules.add(rule("edit_file", scope=FolderScope(str(folder), writes=True)))
        given = {"old_text": "seven", "new_text": "eight"}
        calls_stream(service, "edit_file", [given | {"path": p} for p in ("a.txt", ".env")])

        await chat.send("Change it")
        card = await chat.asks()

        assert card.request.call_id == "t1"
        ((call_id, told),) = results(service)
        assert (call_id, "does not contain" in told) == ("t0", True)
        await chat.deny()
        await chat.is_idle()


@pytest.mark.security(87)
async def test_invalid_edited_input_is_not_reported_when_the_card_expires(
    tmp_path: Path,
) -> None:
    async with ready(tmp_path) as (service, kit, chat):
        service.asks_tool("write_file", {"path": "a.txt", "content": "first"})
        service.says("Good.")
        await chat.send("Write")
        await chat.answer(Edited('{"path": "new/a.txt", "content": "second"}'))
        refused = await chat.asks()
        assert "There is no folder" in refused.request.problem
        (tmp_path / "notes" / "new").mkdir()
        await chat.answer(Edited('{"path": "new/a.txt", "content": "second"}'))
        edited = await chat.asks()
        assert edited.request.original_text
        (tmp_path / "notes" / "new").rmdir()

        kit.clock.advance(601)
        assert not kit.approvals.is_current(edited.request.request_id, edited.generation)
        await chat.until(lambda: bool(kit.approvals.waiting("c1")))
        again = await chat.asks()
        assert "There is no folder" in again.request.prepared.problem
        assert results(service) == []
        await chat.deny()
        await chat.is_idle()


async def test_an_answer_instead_of_running_is_told_as_the_users_own(tmp_path: Path) -> None:
    async with ready(tmp_path) as (service, kit, chat):
        service.asks_tool("current_time", {})
        service.says("Thanks.")
        await chat.send("When?")

        await chat.answer(AnsweredInstead("Half past four. "))
        await chat.is_idle()

        assert results(service)[0][1] == (
            "The tool was not run. The user answered instead: Half past four."
        )
        (call,) = await kit.calls()
        assert (call.details.decision, call.reason) == ("answered", "Half past four. ")
        assert chat.tool_rows[0].state is CallState.ANSWERED


@pytest.mark.security(11)
async def test_the_same_denied_call_is_not_asked_again_in_a_turn(tmp_path: Path) -> None:
    async with ready(tmp_path) as (service, kit, chat):
        given = {"path": "a.txt", "content": "x"}
        calls_stream(service, "write_file", [given, given, {**given, "content": "y"}])
        await chat.send("Write")

        await chat.deny("Not there.")
        card = await chat.asks()

        assert card.request.call_id == "t2"
        await chat.deny()
        await chat.is_idle()
        told = [text for _, text in results(service)]
        assert told[1] == (
            "The user declined this same call before, so they were not asked again."
            " Reason: Not there."
        )
        assert [c.details.decider for c in await kit.calls()] == [
            Decider.USER,
            Decider.USER_BEFORE,
            Decider.USER,
        ]
        assert {c.details.decision for c in await kit.calls()} == {Decision.DENIED}


@pytest.mark.security(11)
async def test_a_hundred_calls_in_one_reply_are_twenty_six_questions_at_most(
    tmp_path: Path,
) -> None:
    async with ready(tmp_path) as (service, kit, chat):
        calls_stream(service, "calculate", [{"expression": f"{n}+1"} for n in range(100)])
        questions = 0
        await chat.send("Go")
        while True:
            await chat.until(lambda: kit.approvals.is_asking("c1"))
            questions += 1
            pause = kit.approvals.paused("c1")
            if pause is not None:
                break
            await chat.deny()

        assert questions == 26
        assert pause.call_count == 25
        chat.session.stop()
        await chat.is_idle()
        assert not kit.approvals.is_asking("c1")


async def test_a_paused_reply_goes_on_when_the_person_says_so(tmp_path: Path) -> None:
    async with ready(tmp_path, calls_before_pause=1) as (service, kit, chat):
        await kit.rules.add(rule("calculate", scope=ToolScope(), span=RuleLifetime("c1")))
        calls_stream(service, "calculate", [{"expression": f"{n}+1"} for n in range(2)])
        await chat.send("Go")
        await chat.until(lambda: kit.approvals.paused("c1") is not None)
        pause = kit.approvals.paused("c1")
        assert pause is not None

        assert kit.approvals.answer(pause.request_id, pause.generation, Allowed())
        await chat.is_idle()

        assert len(results(service)) == 2


@pytest.mark.security(21)
async def test_a_card_that_waited_ten_minutes_is_asked_again(tmp_path: Path) -> None:
    async with ready(tmp_path) as (service, kit, chat):
        service.asks_tool("write_file", {"path": "a.txt", "content": "x"})
        service.says("Good.")
        await chat.send("Write")
        first = await chat.asks()
        (tmp_path / "notes" / "a.txt").write_text("came meanwhile", encoding="utf-8")

        kit.clock.advance(601)
        assert not kit.approvals.answer(first.request.request_id, first.generation, Allowed())
        await chat.until(lambda: bool(kit.approvals.waiting("c1")))
        again = await chat.asks()

        assert again.is_again
        assert again.generation > first.generation
        assert again.request.request_id != first.request.request_id
        assert not kit.approvals.answer(first.request.request_id, first.generation, Allowed())
        await chat.allow()
        await chat.is_idle()
        assert (tmp_path / "notes" / "a.txt").read_text(encoding="utf-8") == "x"


async def test_call_forbidden_while_its_card_waits_is_not_asked_again(tmp_path: Path) -> None:
    async with ready(tmp_path) as (service, kit, chat):
        service.asks_tool("calculate", {"expression": "1+1"})
        service.says("Two, perhaps.")
        await chat.send("One and one?")
        card = await chat.asks()
        await kit.rules.add(rule("calculate", scope=ToolScope(), denies=True))
        kit.clock.advance(601)

        assert not kit.approvals.answer(card.request.request_id, card.generation, Allowed())
        await chat.is_idle()

        (call,) = await kit.calls()
        assert call.details.decision == "denied"
        assert call.details.decider is Decider.TOOL_RULE
        assert results(service)[0][1].startswith("The user")


async def test_a_no_counts_however_late(tmp_path: Path) -> None:
    async with ready(tmp_path) as (service, kit, chat):
        service.asks_tool("current_time", {})
        service.says("Good.")
        await chat.send("When?")
        card = await chat.asks()

        kit.clock.advance(8 * 3600)

        assert kit.approvals.answer(card.request.request_id, card.generation, Denied("No."))
        await chat.is_idle()
        assert results(service)[0][1].endswith("Reason: No.")


@pytest.mark.parametrize(
    ("details", "said", "told"),
    [
        (
            StepDetails(decision=Decision.ANSWERED, decider=Decider.USER),
            "Four.",
            "answered instead: Four.",
        ),
        (
            StepDetails(decision=Decision.DENIED, decider=Decider.FOLDER_RULE, rule_id="1"),
            "",
            "has a rule that forbids",
        ),
        (StepDetails(decision=Decision.EDITED, decider=Decider.USER), "{}", "nothing was run"),
    ],
    ids=["answered", "forbidden", "edited"],
)
async def test_after_a_restart_the_same_is_reported(
    tmp_path: Path, details: StepDetails, said: str, told: str
) -> None:
    key = CallKey(PROFILE, "c1", "call-1")
    async with ready(tmp_path) as (service, kit, chat):
        service.asks_tool("current_time", {})
        await chat.send("When?")
        await chat.asks()
    async with FakeService() as service, chat_kit(tmp_path, service, sandbox=whole) as kit:
        service.holds("c1")
        await kit.dependencies.ledger.record(key, Step.DECIDED, details, said)
        service.says("Good.")
        chat = await kit.open()
        await chat.is_idle()

        assert told in results(service)[0][1]


async def test_rules_of_a_chat_go_with_it(tmp_path: Path) -> None:
    async with ready(tmp_path) as (_service, kit, _chat):
        exact = InputScope(freeze({}).sha256, "shown words")
        await kit.rules.add(rule("current_time", scope=exact, span=RuleLifetime("c1")))
        lasting = reading_in(tmp_path)
        await kit.rules.add(lasting)

        await kit.store.conversations.forget("c1")
        await kit.rules.load()

        assert [kept.rule_id for kept in kit.rules.rules] == [lasting.rule_id]
