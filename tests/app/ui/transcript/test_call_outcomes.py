"""What became of a call: why it was not run, and the same words wherever it is shown."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.api.events import PieceKind
from app.chat.call_log import CallLogEntry
from app.chat.items import CallState, ToolCall
from app.chat.transcript import Transcript, reply_items
from app.store.records import ReplyPiece
from app.viewmodels.tools.activity_texts import activity_row
from local_tools.ledger.steps import CallKey, Decider, RefusalReason
from tests.app.ui.transcript.conftest import Show
from tests.support.chat_fixtures import chat_kit
from tests.support.fake_service import FakeService

_CALL = ToolCall("c", "read_file", state=CallState.REFUSED, refusal=RefusalReason.NO_FOLDER)


def _row(call: ToolCall) -> ToolCall:
    [row] = reply_items(
        "t", [ReplyPiece(PieceKind.CALL, "read_file", call_id="c")], {"c": call}, None
    )
    assert isinstance(row, ToolCall)
    return row


def test_folder_is_offered_for_no_longer_than_the_chat_has_none(show: Show) -> None:
    transcript = Transcript()
    transcript.put(_row(_CALL))
    shown = show(transcript.items)
    key = transcript.items[0].key
    assert len(shown.targets(key)) == 2

    transcript.show_folder(has_folder=True)
    shown.replace(transcript.items[0])
    shown.settle()
    assert len(shown.targets(key)) == 1
    words = "not run\nNo folder was chosen for this chat at the time."
    assert shown.placed(key).row.shown_text.endswith(words)

    transcript.put(_row(replace(_CALL, title="Read file")))
    transcript.show_folder(has_folder=False)
    shown.replace(transcript.items[0])
    shown.settle()
    assert len(shown.targets(key)) == 2


@pytest.mark.anyio
async def test_a_chat_says_of_its_calls_whether_it_has_a_folder_now(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        chat = await kit.open()
        chat.session.transcript.put(_row(_CALL))
        chat.mirror[:] = chat.session.transcript.items

        for folder in (tmp_path, None):
            await chat.session.set_folder(folder)
            [row] = chat.mirror
            assert isinstance(row, ToolCall)
            assert row.has_folder_now is bool(folder)


def test_long_reason_of_a_call_is_broken_into_lines(show: Show) -> None:
    long = "The file could not be read because " + "it was locked by another program, " * 4
    short = replace(_row(_CALL), state=CallState.FAILED, refusal=None, output_text="No.")
    rows = [
        short,
        replace(short, key="l", output_text=long),
        replace(short, key="e", output_text=long * 9),
    ]
    shown = show(rows, width=500)
    least, two, most = (shown.placed(row.key).row.height for row in rows)

    assert least < two <= most
    assert most < 2 * least


@pytest.mark.parametrize(
    ("state", "decider", "words"),
    [
        (CallState.WAITING, None, "waiting for you"),
        (CallState.FAILED, Decider.USER, "failed"),
        (CallState.DENIED, Decider.USER, "denied by you"),
        (CallState.DENIED, Decider.FOLDER_RULE, "denied by your rule"),
        (CallState.ANSWERED, Decider.USER, "answered by you"),
        (CallState.REFUSED, None, "not run"),
        (CallState.INTERRUPTED, None, "interrupted"),
    ],
)
def test_outcome_has_the_same_words_in_the_chat_and_in_the_panel(
    state: CallState, decider: Decider | None, words: str, show: Show
) -> None:
    call = replace(_CALL, state=state, refusal=None, decider=decider)
    at = "2026-11-22T16:07:00+00:00"
    listed = activity_row(CallLogEntry(CallKey("p", "c", "1"), at, at, call))
    row = _row(call)

    assert words in listed.words.split(" · ")
    assert show([row]).placed(row.key).row.shown_text.endswith(words)
