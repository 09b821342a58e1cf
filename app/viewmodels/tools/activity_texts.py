"""Tool calls of the record in words: a row each, and everything about one of them."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale

from app.chat.call_log import CallDetails, CallLogEntry, CallLogStep
from app.chat.items import CallState, is_rule
from app.viewmodels.dates import local_now, short_time
from app.viewmodels.i18n import translate_formatted, translate_marked
from app.viewmodels.tool_call_texts import (
    duration_words,
    outcome_words,
    release_words,
    said_in_turn,
)
from local_tools.ledger.ledger import CallKey, Step, Verification
from local_tools.undo.undo import SENTENCES

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
class StoryView:
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


def activity_row(call: CallLogEntry) -> ActivityRow:
    """Return a call as a row."""
    facts = call.facts
    title, words = translate_marked("Tools", facts.title), _words(call)
    return ActivityRow(call.key, call.tool, title, facts.target, words, facts.state, call.asked_at)


def spoken_row(row: ActivityRow) -> str:
    """Return what a screen reader says of a row."""
    return ", ".join(filter(None, (row.title, row.target, row.words)))


def story_view(story: CallDetails) -> StoryView:
    """Everything about one call."""
    undo, row = story.undo, activity_row(story.call)
    return StoryView(
        row=row,
        input_text=story.input_text,
        result=story.result,
        sent=story.sent,
        remarks=tuple(_remarks(story)),
        steps=tuple((_step_words(step), _exact_time(step.at)) for step in story.steps),
        can_undo=undo.state == "available",
        output=story.output,
        undo_words=_undo_words(story),
    )


def undo_said(sentence: str) -> str:
    """Return what is said of undoing, in the language of the window."""
    return translate_formatted("Undo", SENTENCES, sentence)


def verdict_words(found: Verification) -> str:
    """Return what checking the record has shown."""
    verdict = _verdict_words(found)
    if not found.begun_at:
        return verdict
    words = QCoreApplication.translate(
        "Activity",
        "It was begun anew on {date}, because the record before it was damaged: {kept} of its "
        "{before} entries could be taken over.",
    )
    day = f"{datetime.fromisoformat(found.begun_at).astimezone():%Y-%m-%d}"
    begun = words.format(date=day, kept=f"{found.kept_count:,}", before=f"{found.before_count:,}")
    return f"{verdict} {begun}"


def _verdict_words(found: Verification) -> str:
    translate = QCoreApplication.translate
    if found.state == "broken":
        words = translate("Activity", "The record is broken at entry {number}.")
        return words.format(number=f"{found.broken_at or 0:,}")
    if found.state == "erased":
        return translate(
            "Activity",
            "The record is whole: %n calls. Of deleted chats only the words are gone.",
            "",
            found.call_count,
        )
    return translate("Activity", "The record is whole: %n calls.", "", found.call_count)


def decider_title(decided_by: str) -> str:
    """Who or what decided, in two words; `decided_by` is in the words of `app.chat.items`."""
    translate = QCoreApplication.translate
    words = {
        "folder rule": translate("Activity", "folder rule"),
        "input rule": translate("Activity", "rule for exactly this"),
        "host rule": translate("Activity", "site rule"),
        "tool rule": translate("Activity", "tool rule"),
    }
    return words.get(decided_by, decided_by)


def _words(call: CallLogEntry) -> str:
    facts = call.facts
    outcome = outcome_words(facts.state, facts.decided_by)
    if facts.state in (CallState.WAITING, CallState.RUNNING):
        return outcome
    has_run = facts.state in (CallState.DONE, CallState.FAILED)
    moment = datetime.fromisoformat(call.asked_at if has_run else call.changed_at)
    return said_in_turn(
        _allowed_words(facts.decided_by) if facts.state in _ALLOWED else "",
        outcome,
        release_words(facts.release, facts.masked) if has_run else "",
        duration_words(facts.duration_ms) if has_run else "",
        short_time(moment, local_now()),
    )


def _allowed_words(decided_by: str) -> str:
    translate = QCoreApplication.translate
    if is_rule(decided_by):
        return said_in_turn(translate("Activity", "allowed"), decider_title(decided_by))
    if decided_by == "you, edited":
        return translate("Activity", "changed and allowed by you")
    return translate("Activity", "allowed by you") if decided_by else ""


def _undo_words(story: CallDetails) -> str:
    translate = QCoreApplication.translate
    if story.undo.state == "available" or not story.changes:
        return ""
    if story.undo.state == "done":
        return translate("Activity", "Undone.")
    words = translate("Activity", "Undo: {reason}")
    return words.format(reason=undo_said(story.undo.reason))


def _remarks(story: CallDetails) -> list[str]:
    translate = QCoreApplication.translate
    remarks = []
    if story.reason:
        remarks.append(translate("Activity", "You said: {words}").format(words=story.reason))
    if story.release:
        remarks.append(
            {
                "masked": translate("Activity", "You sent the result with its secrets masked."),
                "some": translate("Activity", "You sent the result, some secrets masked."),
                "part": translate("Activity", "You sent a part of the result."),
                "as_is": translate("Activity", "You looked at the result and sent it as it is."),
                "kept_back": translate("Activity", "You kept the result back."),
            }.get(story.release, "")
        )
    if story.cut_bytes:
        words = translate("Activity", "{count} bytes were left out of the result.")
        remarks.append(words.format(count=QLocale().toString(story.cut_bytes)))
    if story.is_erased:
        remarks.append(translate("Activity", "The words were deleted with their chat."))
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
