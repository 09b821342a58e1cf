"""What the open chat shows, as plain values.

Text that came from elsewhere (names, input, output) is carried as it came; widgets draw it as
plain text.
"""

from dataclasses import dataclass

from app.viewmodels.tools.states import OfferedTool


@dataclass(frozen=True, slots=True)
class AgentRow:
    """An agent in the picker; `name` is None for Auto, where the service chooses."""

    name: str | None
    display_name: str
    description: str
    is_default: bool = False


@dataclass(frozen=True, slots=True)
class SkillRow:
    """A skill in the right panel."""

    name: str
    display_name: str
    description: str
    version: str
    author: str | None


@dataclass(frozen=True, slots=True)
class ChatViewState:
    """Everything around the transcript of the open chat.

    `can_send` is false while there is nobody to send to; `placeholder` then says why. `agent` is
    the choice for the next message. `folder` is the chat's folder as shown ("~/notes"), or empty.
    `tools` are those that are on, `has_tools` whether there is any. While `is_read_only`, the chat
    is one that was imported.
    """

    is_open: bool
    title: str
    is_busy: bool
    is_asking: bool
    can_send: bool
    placeholder: str
    agent: AgentRow
    folder: str
    tools: tuple[OfferedTool, ...]
    is_read_only: bool = False
    has_tools: bool = True
