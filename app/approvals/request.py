"""What a person decides on."""

from dataclasses import dataclass

from local_tools.prepare import PreparedCall
from local_tools.sandbox.state import SandboxState, nothing_holds


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """One call that waits for a decision: what is shown is what would run.

    `prepared` is frozen with everything that the card shows, and `sandbox` is what was found to
    hold where it would run. `request_id` names this call with
    this content, so that an answer to anything else cannot be taken for an answer to it.
    """

    conversation_id: str
    call_id: str
    prepared: PreparedCall
    sandbox: SandboxState = nothing_holds("none")

    @property
    def request_id(self) -> str:
        """The call's id with the hash of all that would run."""
        return f"{self.call_id}#{self.prepared.sha256}"
