"""The text of a tool call's state, the same wherever a call is shown."""

import re
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication

from app.chat.items import CallState, ToolCall
from local_tools.diff import line_counts
from local_tools.ledger.steps import Decider, Decision, ReleaseKind

_STARTED: Final = frozenset(
    {CallState.RUNNING, CallState.DONE, CallState.FAILED, CallState.INTERRUPTED}
)


def target_words(target: str) -> str:
    """Return what a call is about as it is shown: places in the home folder begin with "~"."""
    home = re.escape(str(Path.home()))
    return re.sub(rf"(?:^|(?<=, )){home}(?=[/\\]|, |$)", "~", target)


def outcome_words(call: ToolCall) -> str:
    """Return how a call stands, and who kept it from running; empty once it has run well."""
    translate = QCoreApplication.translate
    if call.state is CallState.DENIED and call.decider is not None and call.decider.is_rule:
        return translate("Calls", "denied by your rule")
    return {
        CallState.WAITING: translate("Calls", "waiting for you"),
        CallState.RUNNING: translate("Calls", "running"),
        CallState.DONE: "",
        CallState.FAILED: translate("Calls", "failed"),
        CallState.DENIED: translate("Calls", "denied by you"),
        CallState.ANSWERED: translate("Calls", "answered by you"),
        CallState.REFUSED: translate("Calls", "not run"),
        CallState.INTERRUPTED: translate("Calls", "interrupted"),
    }[call.state]


def decision_words(call: ToolCall) -> str:
    """Return who decided about a call, as a sentence; empty where nobody did."""
    translate = QCoreApplication.translate
    if call.decider is None:
        return ""
    if call.decision is Decision.EDITED:
        return translate("Transcript", "Decided by you, with the input that you changed")
    return {
        Decider.USER: translate("Transcript", "Decided by you"),
        Decider.USER_BEFORE: translate("Transcript", "Denied by you before, so not asked again"),
        Decider.FOLDER_RULE: translate("Transcript", "Decided by your rule for this folder"),
        Decider.INPUT_RULE: translate("Transcript", "Decided by your rule for this exact call"),
        Decider.HOST_RULE: translate("Transcript", "Decided by your rule for this site"),
        Decider.TOOL_RULE: translate("Transcript", "Decided by your rule for this tool"),
        Decider.ATTACHING: translate("Transcript", "Allowed by attaching the file"),
    }[call.decider]


def allowed_words(call: ToolCall) -> str:
    """Return who allowed a call that was started, in two words; empty where nobody did."""
    translate = QCoreApplication.translate
    if call.decider is None:
        return ""
    if call.decision is Decision.EDITED:
        return translate("Activity", "changed and allowed by you")
    if call.decider is Decider.ATTACHING:
        return translate("Activity", "allowed by attaching")
    if not call.decider.is_rule:
        return translate("Activity", "allowed by you")
    return joined_words(translate("Activity", "allowed"), rule_words(call.decider))


def facts_words(call: ToolCall) -> str:
    """Return what an opened call says of itself: what it changed, who allowed it, how long."""
    decided = _allower_words(call) if call.state in _STARTED else decision_words(call)
    return joined_words(_change_words(call), decided, duration_words(call.duration_ms))


def _change_words(call: ToolCall) -> str:
    if call.change is None or not call.change.diff or call.state is not CallState.DONE:
        return ""
    added, removed = line_counts(call.change.diff)
    translate = QCoreApplication.translate
    if call.change.is_new:
        return translate("Calls", "New file, %n lines", "", added)
    if not added:
        return translate("Calls", "%n lines removed", "", removed) if removed else ""
    words = translate("Calls", "%n lines added", "", added)
    rest = translate("Calls", "%n removed", "", removed) if removed else ""
    return ", ".join(filter(None, (words, rest)))


def _allower_words(call: ToolCall) -> str:
    translate = QCoreApplication.translate
    by_rule = {
        Decider.FOLDER_RULE: translate("Calls", "allowed by your rule for this folder"),
        Decider.INPUT_RULE: translate("Calls", "allowed by your rule for this exact call"),
        Decider.HOST_RULE: translate("Calls", "allowed by your rule for this site"),
        Decider.TOOL_RULE: translate("Calls", "allowed by your rule for this tool"),
    }
    return by_rule[call.decider] if call.decider in by_rule else allowed_words(call)


def rule_words(decider: Decider) -> str:
    """Return which kind of rule decided, in two words; empty where none did."""
    translate = QCoreApplication.translate
    words = {
        Decider.FOLDER_RULE: translate("Activity", "folder rule"),
        Decider.INPUT_RULE: translate("Activity", "rule for this exact call"),
        Decider.HOST_RULE: translate("Activity", "site rule"),
        Decider.TOOL_RULE: translate("Activity", "tool rule"),
    }
    return words.get(decider, "")


def release_words(call: ToolCall) -> str:
    """Return what a person has kept of a result; empty where it left whole, or nobody was asked."""
    translate = QCoreApplication.translate
    match call.release:
        case ReleaseKind.KEPT_BACK:
            return translate("Calls", "not sent")
        case _ if call.masked:
            return translate("Calls", "sent with %n secrets masked", "", call.masked)
        case ReleaseKind.MASKED | ReleaseKind.SOME:
            return translate("Calls", "sent with secrets masked")
        case ReleaseKind.PART:
            return translate("Calls", "partly sent")
    return ""


def undone_words(call: ToolCall) -> str:
    """Return that what a call changed was put back; empty where it was not."""
    return QCoreApplication.translate("Calls", "undone") if call.is_undone else ""


def duration_words(duration_ms: int | None) -> str:
    """Return how long something took; empty where that is not known."""
    if duration_ms is None:
        return ""
    if duration_ms < 1000:
        return QCoreApplication.translate("Calls", "{count} ms").format(count=duration_ms)
    seconds = f"{duration_ms / 1000:.1f}"
    return QCoreApplication.translate("Calls", "{count} s").format(count=seconds)


def joined_words(*words: str) -> str:
    """Join the texts that are not empty, on one line."""
    return " · ".join(filter(None, words))
