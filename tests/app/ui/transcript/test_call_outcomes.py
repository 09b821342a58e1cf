"""What became of a call: why it was not run, and the same words wherever it is shown."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.api.events import PieceKind
from app.chat.call_log import CallLogEntry
from app.chat.items import CallState, ToolCallStatus, ToolRow
from app.chat.transcript import Transcript, reply_items
from app.store.records import ReplyPiece
from app.viewmodels.tools.activity_texts import activity_row
from local_tools.ledger.ledger import CallKey
from local_tools.paths.resolve import NO_FOLDER
from tests.app.ui.transcript.conftest import Show
from tests.support.chat_fixtures import chat_kit
from tests.support.fake_service import FakeService

_FACTS = ToolCallStatus(state=CallState.REFUSED, output_text=f"Error: {NO_FOLDER}")


def _row(facts: ToolCallStatus) -> ToolRow:
    [row] = reply_items(
        "t", [ReplyPiece(PieceKind.CALL, "read_file", call_id="c")], {"c": facts}, None
    )
    assert isinstance(row, ToolRow)
    return row


def test_folder_is_offered_for_no_longer_than_the_chat_has_none(show: Show) -> None:
    transcript = Transcript()
    transcript.put(_row(_FACTS))
    shown = show(transcript.items)
    key = transcript.items[0].key
    assert len(shown.targets(key)) == 2

    transcript.show_folder(has_folder=True)
    shown.replace(transcript.items[0])
    shown.settle()
    assert len(shown.targets(key)) == 1
    words = "not run\nNo folder was chosen for this chat then."
    assert shown.placed(key).row.shown_text.endswith(words)

    transcript.put(_row(replace(_FACTS, title="Read file")))
    transcript.show_folder(has_folder=False)
    shown.replace(transcript.items[0])
    shown.settle()
    assert len(shown.targets(key)) == 2


@pytest.mark.anyio
async def test_a_chat_says_of_its_calls_whether_it_has_a_folder_now(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        chat = await kit.open()
        chat.session.transcript.put(_row(_FACTS))
        chat.mirror[:] = chat.session.transcript.items

        for folder in (tmp_path, None):
            await chat.session.set_folder(folder)
            [row] = chat.mirror
            assert isinstance(row, ToolRow)
            assert row.has_folder_now is bool(folder)


def test_long_reason_of_a_call_is_broken_into_lines(show: Show) -> None:
    long = "The file could not be read because " + "it was locked by another program, " * 4
    short = replace(_row(_FACTS), state=CallState.FAILED, needs_folder=False, output_text="No.")
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
    ("state", "decided_by", "words"),
    [
        (CallState.WAITING, "", "waiting for you"),
        (CallState.FAILED, "you", "failed"),
        (CallState.DENIED, "you", "denied by you"),
        (CallState.DENIED, "folder rule", "denied by your rule"),
        (CallState.ANSWERED, "you", "answered by you"),
        (CallState.REFUSED, "", "not run"),
        (CallState.INTERRUPTED, "", "interrupted"),
    ],
)
def test_outcome_has_the_same_words_in_the_chat_and_in_the_panel(
    state: CallState, decided_by: str, words: str, show: Show
) -> None:
    facts = replace(_FACTS, state=state, output_text="", decided_by=decided_by)
    at = "2026-11-22T16:07:00+00:00"
    booked = activity_row(CallLogEntry(CallKey("p", "c", "1"), "read_file", at, at, facts))
    row = _row(facts)

    assert words in booked.words.split(" · ")
    assert show([row]).placed(row.key).row.shown_text.endswith(words)
