"""What stands around a transcript, as one frozen value."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from app.store.rows import TurnState


@dataclass(frozen=True, slots=True)
class ChatState:
    """What stands around a transcript.

    `turn` is where the turn at work stands, None when none is; `queued` messages wait behind it.
    `tools_off` are the tools that the chat goes without, `agent_name` is who was chosen to answer
    next, None for nobody. While `is_asking`, a tool call waits for
    a decision. `has_failed`: the newest message or its reply did not get through. `is_missing`:
    the service no longer has this conversation. `is_kept`: all that is known here of its turns is
    on the disk. `message_count` and `updated_at` are as far as is
    known here.
    """

    turn: TurnState | None = None
    queued: int = 0
    folder: Path | None = None
    tools_off: frozenset[str] = frozenset()
    agent_name: str | None = None
    is_busy: bool = False
    is_asking: bool = False
    is_missing: bool = False
    has_failed: bool = False
    is_kept: bool = True
    title: str = ""
    message_count: int = 0
    updated_at: datetime | None = None
