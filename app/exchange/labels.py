"""The words that stand in an exported file. The window gives them in its own language."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from app.chat.items import CallState
from app.exchange.whole_chat import Call, WholeMessage, Words

_STATES: Mapping[CallState, str] = {
    CallState.WAITING: "not decided",
    CallState.RUNNING: "running",
    CallState.DONE: "done",
    CallState.FAILED: "failed",
    CallState.DENIED: "denied",
    CallState.ANSWERED: "answered by you",
    CallState.REFUSED: "not run",
    CallState.INTERRUPTED: "interrupted",
}


@dataclass(frozen=True, slots=True)
class Labels:
    """English unless given otherwise; `{…}` are filled in here.

    `code` is the language as web pages name it ("en").
    """

    code: str = "en"
    you: str = "You"
    assistant: str = "Assistant"
    untitled: str = "Chat"
    exported: str = "Exported from Parley, {date}"
    incomplete: str = "Some messages may be missing: the service could not be asked."
    not_delivered: str = "not delivered"
    handed_over: str = "{name} goes on"
    allowed_by_you: str = "allowed by you"
    allowed_by_rule: str = "allowed by a rule"
    input_words: str = "Input"
    output_words: str = "Output"
    left_out: str = "Shortened here ({count}). The export as Markdown or JSON has all of it."
    states: Mapping[CallState, str] = field(default_factory=lambda: dict(_STATES))

    def author(self, message: WholeMessage) -> str:
        """Who wrote a message."""
        if message.role == "user":
            return self.you
        named = (p for p in message.parts if isinstance(p, Words))
        first = next(named, None)
        name = (first.agent_display_name or first.agent_name) if first else None
        return one_line(name) if name else self.assistant

    def heading(self, message: WholeMessage) -> str:
        """What stands above a message: who, when, and whether it arrived."""
        said = [self.author(message)]
        if message.created_at is not None:
            said.append(moment_words(message.created_at))
        if not message.is_delivered:
            said.append(self.not_delivered)
        return " · ".join(said)

    def call_words(self, call: Call) -> str:
        """How a tool call went, in a few words."""
        said = [self.states[call.state]]
        if call.decided_by and call.state not in (CallState.DENIED, CallState.ANSWERED):
            is_rule = call.decided_by.endswith("rule")
            said.insert(0, self.allowed_by_rule if is_rule else self.allowed_by_you)
        if call.duration_ms is not None:
            said.append(f"{call.duration_ms} ms")
        return ", ".join(said)


def moment_words(moment: datetime) -> str:
    """A time of this computer's zone, in the one form that nobody misreads."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def one_line(text: str) -> str:
    """Untrusted text for a heading: on one line."""
    return " ".join(text.split())
