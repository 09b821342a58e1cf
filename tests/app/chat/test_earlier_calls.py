"""Calls that earlier versions recorded in words are read as what they were."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from app.chat.call_log import CallLogEntry
from app.chat.items import CallState, ToolCall, tool_call
from app.viewmodels.tool_call_texts import decision_words
from app.viewmodels.tools.activity_texts import activity_row
from local_tools.ledger.ledger import Ledger
from local_tools.ledger.ledger_file import LedgerFile
from local_tools.ledger.steps import (
    INTERRUPTED_TEXT,
    CallFilter,
    CallKey,
    CallRecord,
    Decider,
    Decision,
    RefusalReason,
    ReleaseKind,
    Step,
    StepDetails,
)

pytestmark = pytest.mark.anyio

_MADE: Final = Path(__file__).parents[2] / "data" / "made-by-0.1.0.zip"
_KEY: Final = CallKey("home", "c1", "call-1")
_AT: Final = "2026-11-22T16:07:00.000+00:00"
_NO_FOLDER: Final = "Error: No folder is chosen for this chat, so a command has nowhere to run."

# The steps after `asked`, with details and words to the letter as versions up to 0.1.0 wrote them.
_Steps = list[tuple[Step, str, str]]


def _decided(details: str, words: str = "") -> tuple[Step, str, str]:
    return Step.DECIDED, details, words


def _ran(details: str, text: str) -> _Steps:
    return [(Step.STARTED, "{}", ""), (Step.FINISHED, details, text)]


_ALLOWED: Final = _decided('{"decided_by":"you","decision":"allowed"}')
_OK: Final = '{"duration_ms":4,"status":"ok"}'


@asynccontextmanager
async def _opened(path: Path) -> AsyncIterator[Ledger]:
    ledger = Ledger(path)
    assert await ledger.open() is None
    try:
        yield ledger
    finally:
        await ledger.close()


async def _record(folder: Path, steps: _Steps) -> CallRecord:
    """Write a call as an earlier version did, and read it as this one does."""
    path = folder / "ledger.db"
    with closing(LedgerFile(path)) as file:
        first = (Step.ASKED, "{}", '{"path":"a.md"}')
        for step, details, text in [first, *steps]:
            file.append(_KEY, step, _AT, details=details, text=text, what=("read_file", "d1"))
    async with _opened(path) as ledger:
        assert (await ledger.verify()).state == "ok"
        (record,) = await ledger.calls(_KEY.profile, _KEY.conversation_id)
    return record


@pytest.mark.parametrize(
    ("steps", "expected", "words"),
    [
        (
            [_ALLOWED, *_ran(_OK, "Noon.")],
            (CallState.DONE, Decision.ALLOWED, Decider.USER),
            "Decided by you",
        ),
        (
            [_decided('{"decided_by":"you","decision":"edited"}', "{}"), *_ran(_OK, "Noon.")],
            (CallState.DONE, Decision.EDITED, Decider.USER),
            "Decided by you, with the input that you changed",
        ),
        (
            [_decided('{"decided_by":"you, before","decision":"denied"}')],
            (CallState.DENIED, Decision.DENIED, Decider.USER_BEFORE),
            "Denied by you before, so not asked again",
        ),
        (
            [_decided('{"decided_by":"folder rule 1f2e","decision":"allowed"}'), *_ran(_OK, "x")],
            (CallState.DONE, Decision.ALLOWED, Decider.FOLDER_RULE),
            "Decided by your rule for this folder",
        ),
        (
            [_decided('{"decided_by":"input rule 1f2e","decision":"denied"}')],
            (CallState.DENIED, Decision.DENIED, Decider.INPUT_RULE),
            "Decided by your rule for this exact call",
        ),
        (
            [_decided('{"decided_by":"host rule 1f2e","decision":"denied"}')],
            (CallState.DENIED, Decision.DENIED, Decider.HOST_RULE),
            "Decided by your rule for this site",
        ),
        (
            [_decided('{"decided_by":"tool rule 1f2e","decision":"denied"}')],
            (CallState.DENIED, Decision.DENIED, Decider.TOOL_RULE),
            "Decided by your rule for this tool",
        ),
        (
            [_decided('{"decided_by":"somebody else","decision":"denied"}')],
            (CallState.DENIED, Decision.DENIED, None),
            "",
        ),
        (
            [_ALLOWED, *_ran('{"status":"crashed"}', INTERRUPTED_TEXT)],
            (CallState.INTERRUPTED, Decision.ALLOWED, Decider.USER),
            "Decided by you",
        ),
    ],
)
async def test_decider_and_status_of_earlier_calls_are_read_from_stored_sentences(
    tmp_path: Path,
    steps: _Steps,
    expected: tuple[CallState, Decision, Decider | None],
    words: str,
) -> None:
    record = await _record(tmp_path, steps)

    call = tool_call(record)
    assert (call.state, call.decision, call.decider) == expected
    assert decision_words(call) == words
    assert record.details.rule_id == ("1f2e" if call.decider and call.decider.is_rule else "")


async def test_a_call_that_was_refused_for_want_of_a_folder_still_offers_one(
    tmp_path: Path,
) -> None:
    refused = _decided('{"decision":"refused"}')
    for number, (text, reason) in enumerate(
        [(_NO_FOLDER, RefusalReason.NO_FOLDER), ("Error: unknown tool “x”.", None)]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        call = tool_call(await _record(folder, [refused, (Step.RELEASED, "{}", text)]))
        assert (call.state, call.refusal) == (CallState.REFUSED, reason)
        assert call.needs_folder is (reason is not None)


async def test_release_of_earlier_results_is_read_from_stored_sentences(tmp_path: Path) -> None:
    released = (Step.RELEASED, '{"masked":2,"release":"masked"}', "[masked: key]")
    call = tool_call(await _record(tmp_path, [_ALLOWED, *_ran(_OK, "key=1"), released]))

    assert (call.release, call.masked, call.output_text) == (
        ReleaseKind.MASKED,
        2,
        "[masked: key]",
    )
    assert "allowed by you · sent with 2 secrets masked · 4 ms" in _listed(call)


async def test_new_entries_hold_the_values_of_the_enums(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    decided = StepDetails(decision=Decision.DENIED, decider=Decider.TOOL_RULE, rule_id="1f2e")
    refused = StepDetails(decision=Decision.REFUSED, refusal=RefusalReason.NO_FOLDER)
    async with _opened(path) as ledger:
        for call_id, details in (("call-1", decided), ("call-2", refused)):
            key = replace(_KEY, call_id=call_id)
            await ledger.ask(key, tool="read_file", digest="d1", input_text="{}")
            await ledger.record(key, Step.DECIDED, details)
        records = await ledger.calls(_KEY.profile, _KEY.conversation_id)
        steps = await ledger.entries(CallFilter())

    assert [record.details for record in records] == [decided, refused]
    assert [step.entry.details for step in steps if step.entry.step == Step.DECIDED] == [
        '{"decider":"tool_rule","decision":"denied","rule_id":"1f2e"}',
        '{"decision":"refused","refusal":"no_folder"}',
    ]


async def test_the_calls_of_an_earlier_version_are_listed_as_before(tmp_path: Path) -> None:
    shutil.unpack_archive(_MADE, tmp_path)
    async with _opened(tmp_path / "data" / "ledger.db") as ledger:
        records = await ledger.calls("office", "one")
        assert (await ledger.verify()).state == "ok"

    calls = [tool_call(record) for record in records]
    assert [(call.tool, call.state, call.decider) for call in calls] == 3 * [
        ("current_time", CallState.DENIED, Decider.USER)
    ]
    assert all(_listed(call).startswith("denied by you · ") for call in calls)


def _listed(call: ToolCall) -> str:
    return activity_row(CallLogEntry(_KEY, _AT, _AT, call)).words
