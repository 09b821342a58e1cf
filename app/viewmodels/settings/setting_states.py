"""What the settings and the first run show, as plain values.

Text that came from elsewhere (names, input, output) is carried as it came; widgets draw it as
plain text.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from app.api.network import ProxyKind
from app.config.settings import ProjectColour, Provider


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
