"""What became of a tool call, in the same words wherever it is shown."""

from PySide6.QtCore import QCoreApplication

from app.chat.items import CallState, is_rule


def outcome_words(state: CallState, decided_by: str) -> str:
    """How a call stands, and who kept it from running; empty once it has run well.

    `decided_by` is in the words of `app.chat.items`.
    """
    translate = QCoreApplication.translate
    if state is CallState.DENIED and is_rule(decided_by):
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
    }[state]


def release_words(way: str, masked: int) -> str:
    """Return what a person has kept of a result; empty where it left whole, or nobody was asked.

    Args:
        way: As in `local_tools.ledger.steps.StepDetails`; empty where nobody was asked.
        masked: How many secrets were masked; older records do not know it.
    """
    translate = QCoreApplication.translate
    if way == "kept_back":
        return translate("Calls", "kept back")
    if masked:
        return translate("Calls", "sent with %n secrets masked", "", masked)
    if way in ("masked", "some"):
        return translate("Calls", "sent with secrets masked")
    return translate("Calls", "sent in part") if way == "part" else ""


def duration_words(duration_ms: int | None) -> str:
    """How long something took."""
    if duration_ms is None:
        return ""
    if duration_ms < 1000:
        return QCoreApplication.translate("Calls", "{count} ms").format(count=duration_ms)
    seconds = f"{duration_ms / 1000:.1f}"
    return QCoreApplication.translate("Calls", "{count} s").format(count=seconds)


def said_in_turn(*words: str) -> str:
    """One thing after the other on a line, without those that are empty."""
    return " · ".join(filter(None, words))
