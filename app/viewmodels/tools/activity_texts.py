"""The text of recorded tool calls: the row of each, and the details of one."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale

from app.chat.call_log import CallDetails, CallLogEntry, CallLogStep
from app.chat.items import CallState
from app.viewmodels.dates import local_now, short_time
from app.viewmodels.i18n import translate_marked, translate_sentence
from app.viewmodels.tool_call_texts import (
    allowed_words,
    duration_words,
    joined_words,
    outcome_words,
    release_words,
    undone_words,
)
from local_tools.ledger.chain import Verification
from local_tools.ledger.steps import CallKey, ReleaseKind, Step

_ALLOWED: Final = frozenset({CallState.DONE, CallState.FAILED, CallState.INTERRUPTED})


@dataclass(frozen=True, slots=True)
class ActivityRow:
    """A call in the list; `words` say who decided, and how it ended."""

    key: CallKey
    tool: str
    title: str
    target: str
    words: str
    state: CallState
    asked_at: str


@dataclass(frozen=True, slots=True)
class CallDetailsView:
    """Everything about one call.

    `sent` is what the assistant was told where that is not `result`; `steps` are words with times.
    `output` is the file with the whole result, where that was cut. `undo_words` say why the call
    cannot be undone, or that it was; empty while it `can_undo`.
    """

    row: ActivityRow
    input_text: str
    result: str
    sent: str
    remarks: tuple[str, ...]
    steps: tuple[tuple[str, str], ...]
    can_undo: bool
    undo_words: str
    output: Path | None = None


def activity_row(entry: CallLogEntry) -> ActivityRow:
    """Return a call as a row."""
    call = entry.call
    title, words = translate_marked("Tools", call.title), _words(entry)
    return ActivityRow(entry.key, call.tool, title, call.target, words, call.state, entry.asked_at)


def spoken_row(row: ActivityRow) -> str:
    """Return what a screen reader says of a row."""
    return ", ".join(filter(None, (row.title, row.target, row.words)))


def call_details_view(details: CallDetails) -> CallDetailsView:
    """Return everything about one call, in words."""
    undo = details.undo
    return CallDetailsView(
        row=activity_row(details.entry),
        input_text=details.input_text,
        result=details.result,
        sent=details.sent,
        remarks=tuple(_remarks(details)),
        steps=tuple((_step_words(step), _exact_time(step.at)) for step in details.steps),
        can_undo=undo.state == "available",
        output=details.output,
        undo_words=_undo_words(details),
    )


def verdict_words(found: Verification) -> str:
    """Return what checking the record has shown."""
    verdict = _verdict_words(found)
    if not found.begun_at:
        return verdict
    words = QCoreApplication.translate(
        "Activity",
        "The record was restarted on {date} because the earlier one was damaged. {kept} of "
        "its {before} entries were recovered.",
    )
    day = f"{datetime.fromisoformat(found.begun_at).astimezone():%Y-%m-%d}"
    begun = words.format(date=day, kept=f"{found.kept_count:,}", before=f"{found.before_count:,}")
    return f"{verdict} {begun}"


def _verdict_words(found: Verification) -> str:
    translate = QCoreApplication.translate
    if found.state == "broken":
        words = translate("Activity", "The record is damaged at entry {number}.")
        return words.format(number=f"{found.broken_at or 0:,}")
    if found.state == "erased":
        return translate(
            "Activity",
            "The record is intact: %n calls. Only the text of deleted chats is gone.",
            "",
            found.call_count,
        )
    return translate("Activity", "The record is intact: %n calls.", "", found.call_count)


def _words(entry: CallLogEntry) -> str:
    call = entry.call
    outcome = outcome_words(call)
    if call.state in (CallState.WAITING, CallState.RUNNING):
        return outcome
    has_run = call.state in (CallState.DONE, CallState.FAILED)
    moment = datetime.fromisoformat(entry.asked_at if has_run else entry.changed_at)
    return joined_words(
        allowed_words(call) if call.state in _ALLOWED else "",
        outcome,
        release_words(call) if has_run else "",
        undone_words(call),
        duration_words(call.duration_ms) if has_run else "",
        short_time(moment, local_now()),
    )


def _undo_words(details: CallDetails) -> str:
    translate, undo = QCoreApplication.translate, details.undo
    if undo.state == "done":
        return translate("Activity", "Undone") if details.changes else ""
    if undo.reason is None or not details.changes:
        return ""
    words = translate("Activity", "Could not undo: {reason}")
    return words.format(reason=translate_sentence("Undo", undo.reason))


def _remarks(details: CallDetails) -> list[str]:
    translate = QCoreApplication.translate
    remarks = []
    if details.reason:
        remarks.append(translate("Activity", "Your reason: {words}").format(words=details.reason))
    release = details.entry.call.release
    if release is not None:
        remarks.append(
            {
                ReleaseKind.MASKED: translate(
                    "Activity", "You sent the result with its secrets masked."
                ),
                ReleaseKind.SOME: translate(
                    "Activity", "You sent the result with some secrets masked."
                ),
                ReleaseKind.PART: translate("Activity", "You sent part of the result."),
                ReleaseKind.AS_IS: translate(
                    "Activity", "You reviewed the result and sent it unchanged."
                ),
                ReleaseKind.KEPT_BACK: translate("Activity", "You did not send the result."),
            }[release]
        )
    if details.cut_bytes:
        words = translate("Activity", "{count} bytes of the result were left out.")
        remarks.append(words.format(count=QLocale().toString(details.cut_bytes)))
    if details.is_erased:
        remarks.append(translate("Activity", "The text was deleted with its chat."))
    return remarks


def _step_words(step: CallLogStep) -> str:
    translate = QCoreApplication.translate
    return {
        Step.ASKED: translate("Activity", "Asked"),
        Step.DECIDED: translate("Activity", "Decided"),
        Step.STARTED: translate("Activity", "Started"),
        Step.FINISHED: translate("Activity", "Finished"),
        Step.RELEASED: translate("Activity", "Released"),
        Step.POSTED: translate("Activity", "Sent"),
        Step.ACKNOWLEDGED: translate("Activity", "Received"),
    }[step.step]


def _exact_time(at: str) -> str:
    moment = datetime.fromisoformat(at).astimezone()
    return moment.strftime("%Y-%m-%d %H:%M:%S.") + f"{moment.microsecond // 1000:03}"
