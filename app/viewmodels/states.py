"""What widgets draw: frozen states, made by view models, one a widget.

Text that came from elsewhere (names, input, output) is carried as it came; widgets draw it as
plain text.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from app.api.network import ProxyKind
from app.error_text import ErrorText
from app.settings import ProjectColour, Provider


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

    `is_test` says that the key in use is a test key, `needs_key` that there is none, or that the
    service refused it.
    """

    dot: Dot
    name: str
    words: str
    is_test: bool = False
    needs_key: bool = False


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


@dataclass(frozen=True, slots=True)
class CardView:
    """One approval card.

    `facts` are made by the program ("Path", "/home/ada/notes/CHANGES.md"); together with
    `preview_text` they show the whole input to the letter. `note` is what else a person should
    know before deciding, such as that it was asked before. `rules` are what rules could be made
    of it, in words. `input_text` is the input as JSON, for changing it, or empty when it is too
    long for that; what could not be taken of that is `typed`, and `problem` says why. `generation`
    changes with whatever is shown: an answer names the one that the person saw. `position` counts
    from 1.
    """

    request_id: str
    generation: int
    question: str
    effect_words: str
    tool_name: str
    source_words: str
    facts: tuple[tuple[str, str], ...]
    preview_kind: Literal["none", "text", "diff"]
    preview_text: str
    sandbox_words: str
    position: int
    total: int
    note: str = ""
    rules: tuple[str, ...] = ()
    input_text: str = ""
    typed: str = ""
    problem: str = ""


class Choice(Enum):
    """The three choices of the first-run page."""

    THIS_COMPUTER = "this_computer"
    HOSTED = "hosted"
    OFFLINE = "offline"


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model of this computer; `model_id` is what the service is told.

    `server` names the program that it was found in ("Ollama").
    """

    model_id: str
    name: str
    server: str = ""


@dataclass(frozen=True, slots=True)
class FirstRunView:
    """The first-run page.

    `found_words` says what was found on this computer; `models` are empty while `is_looking`, and
    when none was found. The two errors belong to their fields and are empty when there is none.
    While `is_checking` an answer from the service is awaited.
    """

    found_words: str
    models: tuple[ModelRow, ...]
    is_looking: bool = False
    is_checking: bool = False
    address_error: str = ""
    key_error: str = ""


@dataclass(frozen=True, slots=True)
class SettingsView:
    """How the test of a project goes.

    `subject` is the id of the project that is tested, empty for a new one. While `is_checking` an
    answer is awaited; `check_words` say that it holds. The two errors belong to their fields.
    """

    subject: str = ""
    is_checking: bool = False
    check_words: str = ""
    address_error: str = ""
    key_error: str = ""


class CheckState(Enum):
    """How it stands with the check of a model."""

    NONE = "none"
    RUNNING = "running"
    GOOD = "good"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model in the settings.

    `words` say what it is. `is_added` ones were named by the person and can be removed.
    `check_words` say what the last check found, empty when there was none.
    """

    model_id: str
    name: str
    words: str
    is_now: bool = False
    is_added: bool = False
    check: CheckState = CheckState.NONE
    check_words: str = ""


@dataclass(frozen=True, slots=True)
class ProviderRow:
    """A provider of models elsewhere; `words` say where its key is, never what it is."""

    provider: Provider
    name: str
    words: str
    has_key: bool


ModelsPart = Literal["models", "add", "keys"]


@dataclass(frozen=True, slots=True)
class ModelsView:
    """The models in the settings.

    `said` is what a change has led to, `problem` why one does not hold, and `about` to which part
    of the page that belongs; both may be empty.
    """

    models: tuple[ModelChoice, ...]
    providers: tuple[ProviderRow, ...]
    is_looking: bool = False
    said: str = ""
    problem: str = ""
    about: ModelsPart = "models"


@dataclass(frozen=True, slots=True)
class ProjectRow:
    """A project that can be switched to; `address` is empty for the bundled service.

    `key_words` say where the key of the project at work is; `needs_key` that nothing can be sent
    before one is given.
    """

    project_id: str
    name: str
    address: str
    colour: ProjectColour
    is_now: bool = False
    is_test: bool = False
    key_words: str = ""
    needs_key: bool = False


@dataclass(frozen=True, slots=True)
class BannerView:
    """One sentence across the top of the chat, when it concerns the whole window."""

    dot: Dot
    words: ErrorText
    action: Literal["", "retry", "settings"] = ""


@dataclass(frozen=True, slots=True)
class AuthorityRow:
    """The certificate of an authority: accepted, or offered and to be compared.

    `name` is what it calls itself, empty where the file cannot be read; `words` say until when it
    is valid, `problem` why it does not count.
    """

    name: str
    file: str
    fingerprint: str
    words: str
    problem: str = ""
    is_offered: bool = False


@dataclass(frozen=True, slots=True)
class NetworkView:
    """How services are reached; `proxy_problem` belongs to the address as it was typed."""

    proxy: ProxyKind
    proxy_address: str
    proxy_problem: str = ""
    system_words: str = ""
    authority: AuthorityRow | None = None
    authority_problem: str = ""
