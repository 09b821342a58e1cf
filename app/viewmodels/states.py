"""What widgets draw: frozen states, made by view models, one a widget.

Text that came from elsewhere (names, input, output) is carried as it came; widgets draw it as
plain text.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from app.error_text import ErrorText
from app.settings import ProjectColour


class Dot(Enum):
    """The colour of the status dot."""

    GOOD = "good"
    WARN = "warn"
    BAD = "bad"


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
class StatusView:
    """The foot of the sidebar: who is talked to, and how that is going.

    `is_test` says that the key in use is a test key.
    """

    dot: Dot
    name: str
    words: str
    is_test: bool = False


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool that the assistant may ask for."""

    name: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class ChatViewState:
    """Everything around the transcript of the open chat.

    `can_send` is false while there is nobody to send to; `placeholder` then says why. `agent` is
    the choice for the next message. `folder` is the chat's folder as shown ("~/notes"), or empty.
    While `is_read_only`, the chat is one that was imported.
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


@dataclass(frozen=True, slots=True)
class CardView:
    """One approval card.

    `facts` are made by the program ("Path", "/home/ada/notes/CHANGES.md"), `input_text` is the
    exact input as it would run; unless `is_input_whole`, without what `preview_text` shows to the
    letter. `generation` changes with whatever is shown: an answer names the one that the person
    saw. `position` counts from 1.
    """

    request_id: str
    generation: int
    question: str
    effect_words: str
    tool_name: str
    source_words: str
    facts: tuple[tuple[str, str], ...]
    input_text: str
    is_input_whole: bool
    preview_kind: Literal["none", "text", "diff"]
    preview_text: str
    sandbox_words: str
    position: int
    total: int


class Choice(Enum):
    """The three choices of the first-run page."""

    THIS_COMPUTER = "this_computer"
    HOSTED = "hosted"
    OFFLINE = "offline"


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model that the bundled service can use; `model_id` is what the service is told."""

    model_id: str
    name: str


@dataclass(frozen=True, slots=True)
class FirstRunView:
    """The first-run page.

    `found_words` says what was found on this computer. The two errors belong to their fields and
    are empty when there is none. While `is_checking` an answer from the service is awaited.
    """

    found_words: str
    models: tuple[ModelRow, ...]
    is_checking: bool = False
    address_error: str = ""
    key_error: str = ""


@dataclass(frozen=True, slots=True)
class SettingsView:
    """The settings that exist.

    `key_words` says where the key is kept, never what it is. Neither `is_local`
    nor `is_hosted` while nobody has chosen yet.
    """

    is_local: bool
    is_hosted: bool
    address: str
    key_words: str
    models: tuple[ModelRow, ...]
    model_id: str
    version: str
    is_checking: bool = False
    check_words: str = ""
    address_error: str = ""
    key_error: str = ""


@dataclass(frozen=True, slots=True)
class ProjectRow:
    """A project that can be switched to; `address` is empty for the bundled service.

    `is_test` is known of the project at work only.
    """

    project_id: str
    name: str
    address: str
    colour: ProjectColour
    is_now: bool = False
    is_test: bool = False


@dataclass(frozen=True, slots=True)
class BannerView:
    """One sentence across the top of the chat, when it concerns the whole window."""

    dot: Dot
    words: ErrorText
    action: Literal["", "retry", "settings"] = ""
