"""What the assistant is told about a decision: plainly, and nothing but what happened."""

from typing import Final

from app.chat.call_facts import is_rule
from local_tools.ledger import CallRecord

STOPPED_TEXT: Final = "Error: stopped by the user"
# Seconds; what was written until then follows.
_STOPPED_AFTER: Final = f"{STOPPED_TEXT} after {{:.1f}} s"
_NEVER_STARTED_TEXT: Final = "Error: interrupted before it was started; nothing was run"
_RULE_TEXT: Final = (
    "The user has a rule that forbids this, so it was not run and they were not asked."
)


def denial_text(reason: str) -> str:
    """Told plainly: an `Error:` makes models try another way around."""
    declined = "The user declined to run this tool."
    return f"{declined} Reason: {reason.strip()}" if reason.strip() else declined


def denied_before_text(reason: str) -> str:
    """The same call was denied in this reply, and nobody was asked again."""
    again = "The user declined this same call before, so they were not asked again."
    return f"{again} Reason: {reason.strip()}" if reason.strip() else again


def forbidden_text() -> str:
    """A rule of the user says no."""
    return _RULE_TEXT


def answer_text(answer: str) -> str:
    """The user said something in place of a result."""
    return f"The tool was not run. The user answered instead: {answer.strip()}"


def stopped_text(seconds: float, set_aside: str, written: str | None) -> str:
    """The user ended it while it ran.

    `set_aside` says what of it was set aside, in sentences; `written` is what its program wrote,
    None without one.
    """
    stopped = _STOPPED_AFTER.format(seconds)
    if set_aside:
        stopped = f"{stopped}. {set_aside.removesuffix('.')}"
    if written is None:
        return stopped
    return f"{stopped}. Output until then:\n\n{written}" if written else f"{stopped}. No output."


def edited_text(input_text: str, output: str) -> str:
    """The user changed the input before it ran."""
    return (
        "The user changed the input of this call before allowing it. "
        f"It ran with this input: {input_text}\n\n{output}"
    )


def text_without_run(record: CallRecord) -> str:
    """The result of a recorded call that was decided, and not started before a restart."""
    match record.details.decision:
        case "denied" if is_rule(record.details.decided_by):
            return forbidden_text()
        case "denied":
            return denial_text(record.reason)
        case "answered":
            return answer_text(record.reason)
        case _:
            return _NEVER_STARTED_TEXT


def text_after_run(record: CallRecord) -> str:
    """The result of a recorded call that ended, as it has to be told."""
    output = record.result_text or ""
    if record.details.decision == "edited":
        return edited_text(record.reason, output)
    return output
