"""How a tool call stands, as an icon: the same one wherever the call is shown."""

from collections.abc import Mapping
from typing import Final

from app.chat.items import CallState
from app.ui.parts.tokens import Token

CALL_ICONS: Final[Mapping[CallState, tuple[str, Token]]] = {
    CallState.WAITING: ("clock", "warn"),
    CallState.RUNNING: ("refresh-cw", "ink-2"),
    CallState.DONE: ("check", "good"),
    CallState.FAILED: ("x", "bad"),
    CallState.DENIED: ("ban", "bad"),
    CallState.ANSWERED: ("message-square", "ink-2"),
    CallState.REFUSED: ("ban", "warn"),
    CallState.INTERRUPTED: ("triangle-alert", "warn"),
}
