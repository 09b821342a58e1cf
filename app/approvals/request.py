"""What a person decides on."""

from dataclasses import dataclass
from typing import Final

from app.approvals.reach import Reach
from local_tools.prepare import PreparedCall
from local_tools.sandbox.state import SandboxState, nothing_holds

_NO_SANDBOX: Final = nothing_holds("none")


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """One call that waits for a decision: what is shown is what would run.

    `prepared` is frozen with everything that the card shows, and `sandbox` is what was found to
    hold where it would run. `request_id` names this call with this content, so that an answer to
    anything else cannot be taken for an answer to it.

    Attributes:
        reach: What it would touch, for rules about it; None where rules are not known.
        original_text: What the assistant asked for, when the person changed the input.
        problem: Why the input that the person typed could not be taken, and `typed` what it was.
    """

    conversation_id: str
    call_id: str
    prepared: PreparedCall
    sandbox: SandboxState = _NO_SANDBOX
    reach: Reach | None = None
    original_text: str = ""
    typed: str = ""
    problem: str = ""

    @property
    def request_id(self) -> str:
        """The call's id with the hash of all that would run."""
        return f"{self.call_id}#{self.prepared.sha256}"
