"""The settings: frozen models, and the TOML file that they are read from and written to."""

import contextlib
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, Self, TypeGuard, get_args
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from app.api.address import check_base_url, check_proxy_address
from app.api.network import ProxyKind
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.common.languages import LanguageChoice
from app.config.validation import InvalidValue, Place, changed_toml, validate_leniently
from local_tools.recovery.files import PutAside, back_up, is_no_file, put_aside, write_atomically
from local_tools.translation_marks import QT_TRANSLATE_NOOP

ThemeChoice = Literal["system", "light", "dark"]
MotionChoice = Literal["system", "full", "reduced"]
ContrastChoice = Literal["system", "normal", "high"]
ChatOrder = Literal["newest", "oldest"]
NoticeText = Literal["kind", "title", "words"]
ConnectionKind = Literal["undecided", "local", "hosted"]
ProjectColour = Literal["green", "blue", "violet", "orange", "red", "grey"]
Provider = Literal[
    "openai",
    "anthropic",
    "google",
    "openrouter",
    "deepseek",
    "groq",
    "mistral",
    "together",
    "fireworks",
    "xai",
]

LOCAL_PROJECT: Final = "local"
MY_INSTRUCTIONS_LIMIT_CHARS: Final = 16_000
# Where a table of a file begins.
_TABLE: Final = re.compile(r"^(?=\[)", re.MULTILINE)


class SettingsTable(BaseModel):
    """A table of the settings file. Unknown keys are kept, so that a newer file survives.

    `label` says what the table is called in the window, the `title` of a field what that setting
    is called where it has a name of its own; both in English, marked for translation as "Change".
    """

    model_config = ConfigDict(defer_build=True, frozen=True, extra="ignore")
    label: ClassVar[str] = ""


class AppearanceSettings(SettingsTable):
    """How the window looks. An empty family stands for the typeface that ships."""

    label = QT_TRANSLATE_NOOP("Change", "appearance")

    theme: ThemeChoice = Field(default="system", title=QT_TRANSLATE_NOOP("Change", "theme"))
    contrast: ContrastChoice = Field(
        default="system", title=QT_TRANSLATE_NOOP("Change", "contrast")
    )
    motion: MotionChoice = Field(default="system", title=QT_TRANSLATE_NOOP("Change", "motion"))
    scale_percent: int = Field(
        default=100, ge=80, le=200, title=QT_TRANSLATE_NOOP("Change", "zoom")
    )
    text_family: str = Field(
        default="", max_length=100, title=QT_TRANSLATE_NOOP("Change", "text font")
    )
    code_family: str = Field(
        default="", max_length=100, title=QT_TRANSLATE_NOOP("Change", "code font")
    )


class LanguageSettings(SettingsTable):
    """What language the window speaks; another choice holds from the next start."""

    label = QT_TRANSLATE_NOOP("Change", "language")

    choice: LanguageChoice = "system"


class ChatListSettings(SettingsTable):
    """How the chats are listed."""

    label = QT_TRANSLATE_NOOP("Change", "chat order")

    order: ChatOrder = "newest"


class NoticeSettings(SettingsTable):
    """Which events make desktop notifications while no window is in front, and what these show.

    `kind` shows no more than what happened, `title` the chat's title too, `words` also how the
    reply begins.
    """

    label = QT_TRANSLATE_NOOP("Change", "notifications")

    finished: bool = True
    waiting: bool = True
    failed: bool = True
    shows: NoticeText = Field(
        default="title", title=QT_TRANSLATE_NOOP("Change", "notification content")
    )


class TraySettings(SettingsTable):
    """Whether an icon stands in the tray, and closing the last window leaves Parley there."""

    label = QT_TRANSLATE_NOOP("Change", "tray icon")

    is_shown: bool = False
    keeps_running: bool = False


class ToolSettings(SettingsTable):
    """What tools need to be told, and when a person is asked again.

    Without a notes file no notes are taken. A card that has waited for `card_minutes` is asked
    again, and a reply pauses after `calls_per_reply` tool calls.
    """

    label = QT_TRANSLATE_NOOP("Change", "tools")

    notes_file: str = Field(
        default="", max_length=4096, title=QT_TRANSLATE_NOOP("Change", "notes file")
    )
    card_minutes: int = Field(
        default=10, ge=1, le=60, title=QT_TRANSLATE_NOOP("Change", "time before asking again")
    )
    calls_per_reply: int = Field(
        default=25, ge=1, le=100, title=QT_TRANSLATE_NOOP("Change", "tool calls before a pause")
    )


class Project(SettingsTable):
    """A hosted project. Its rows in the store and its key belong to its `id`.

    `id` never changes, whatever becomes of name, colour and address. `is_test` says what kind of
    key it was given last.
    """

    label = QT_TRANSLATE_NOOP("Change", "connection settings")

    id: str = Field(min_length=1, max_length=400)
    name: str = Field(
        default="", max_length=60, title=QT_TRANSLATE_NOOP("Change", "connection name")
    )
    base_url: str
    colour: ProjectColour = Field(
        default="blue", title=QT_TRANSLATE_NOOP("Change", "connection colour")
    )
    is_test: bool = False

    @model_validator(mode="after")
    def _leads_somewhere(self) -> Self:
        check_base_url(self.base_url)
        return self


class ProjectSettings(SettingsTable):
    """The projects that can be switched between; the bundled service is always one more."""

    label = QT_TRANSLATE_NOOP("Change", "connections")

    local_name: str = Field(
        default="",
        max_length=60,
        title=QT_TRANSLATE_NOOP("Change", "name of the local connection"),
    )
    local_colour: ProjectColour = Field(
        default="green", title=QT_TRANSLATE_NOOP("Change", "colour of the local connection")
    )
    hosted: tuple[Project, ...] = ()

    def with_project(self, project: Project) -> Self:
        """Return these with the project in place of its earlier state, or as the last one."""
        ids = [other.id for other in self.hosted]
        if project.id not in ids:
            return self.model_copy(update={"hosted": (*self.hosted, project)})
        changed = tuple(project if other.id == project.id else other for other in self.hosted)
        return self.model_copy(update={"hosted": changed})

    def without(self, project_id: str) -> Self:
        """Return these without the project."""
        left = tuple(project for project in self.hosted if project.id != project_id)
        return self.model_copy(update={"hosted": left})


class ModelSettings(SettingsTable):
    """What the bundled service may answer with, beside what it finds on this computer.

    `added` are ids as the service writes them ("openai:NAME"). `keyed` are the providers whose
    keys `app.config.key_store` was given; no other one is asked for there. `servers` are the
    addresses of other model servers for which there is a key, as models are listed there.
    `engine` is the path of another llama-server that runs model files, empty for the bundled one,
    and `window` how many tokens they may have there, 0 for what fits.
    """

    label = QT_TRANSLATE_NOOP("Change", "models")

    added: tuple[str, ...] = ()
    keyed: tuple[Provider, ...] = ()
    servers: tuple[str, ...] = ()
    engine: str = Field(default="", title=QT_TRANSLATE_NOOP("Change", "engine for model files"))
    window: int = Field(
        default=0, ge=0, le=10_000_000, title=QT_TRANSLATE_NOOP("Change", "context window")
    )


class AgentSettings(SettingsTable):
    """Who answers in new chats: the name of an agent by project; who has none begins with Auto.

    `instructions` are the person's own: the bundled service puts them before each agent's.
    """

    label = QT_TRANSLATE_NOOP("Change", "agents")

    instructions: str = Field(
        default="",
        max_length=MY_INSTRUCTIONS_LIMIT_CHARS,
        title=QT_TRANSLATE_NOOP("Change", "my instructions"),
    )

    new_chats: Mapping[str, str] = Field(
        default={}, title=QT_TRANSLATE_NOOP("Change", "agent for new chats")
    )


class NetworkSettings(SettingsTable):
    """How services are reached. `proxy_address` counts for `address` only.

    Of an authority of one's own the file is known, and the fingerprint (SHA-256) that was shown
    when it was chosen: another certificate in the same file does not count.
    """

    label = QT_TRANSLATE_NOOP("Change", "network")

    proxy: ProxyKind = Field(default="none", title=QT_TRANSLATE_NOOP("Change", "proxy"))
    proxy_address: str = Field(
        default="", max_length=400, title=QT_TRANSLATE_NOOP("Change", "proxy address")
    )
    authority_file: str = Field(
        default="", max_length=4096, title=QT_TRANSLATE_NOOP("Change", "custom certificate")
    )
    authority_fingerprint: str = Field(
        default="", max_length=100, title=QT_TRANSLATE_NOOP("Change", "custom certificate")
    )

    @model_validator(mode="after")
    def _leads_somewhere(self) -> Self:
        if self.proxy == "address":
            check_proxy_address(self.proxy_address)
        return self


class ConnectionSettings(SettingsTable):
    """Whom the window talks to. The key is never here: `app.config.key_store` has it.

    `undecided` until the first-run page was answered. `project` names one of the `Projects` and
    counts for `hosted` only, `model` for `local` only. Files of earlier versions have no
    `project`, but a `base_url`.
    """

    label = QT_TRANSLATE_NOOP("Change", "connection")

    kind: ConnectionKind = "undecided"
    project: str = ""
    base_url: str = ""
    model: str = "offline"

    @model_validator(mode="after")
    def _leads_somewhere(self) -> Self:
        if self.kind == "hosted" and not self.project:
            check_base_url(self.base_url)
        return self


class UpdateSettings(SettingsTable):
    """Whether Parley asks for newer versions when it starts, where its packager set an address."""

    label = QT_TRANSLATE_NOOP("Change", "update check")

    at_start: bool = False


class Settings(SettingsTable):
    """Everything the user chose, with defaults for what was not."""

    appearance: AppearanceSettings = AppearanceSettings()
    language: LanguageSettings = LanguageSettings()
    chats: ChatListSettings = ChatListSettings()
    notices: NoticeSettings = NoticeSettings()
    tray: TraySettings = TraySettings()
    connection: ConnectionSettings = ConnectionSettings()
    projects: ProjectSettings = ProjectSettings()
    models: ModelSettings = ModelSettings()
    agents: AgentSettings = AgentSettings()
    network: NetworkSettings = NetworkSettings()
    tools: ToolSettings = ToolSettings()
    updates: UpdateSettings = UpdateSettings()

    @model_validator(mode="after")
    def _names_a_project(self) -> Self:
        connection = self.connection
        taken = {LOCAL_PROJECT}
        doubles: list[Place] = []
        for number, project in enumerate(self.projects.hosted):
            if project.id in taken:
                doubles.append(("projects", "hosted", number))
            taken.add(project.id)
        if doubles:
            raise _fault("two projects have one id", *doubles)
        if (
            connection.kind == "hosted"
            and connection.project
            and (connection.project not in taken - {LOCAL_PROJECT})
        ):
            raise _fault("the connection names no project", ("connection",))
        return self

    @property
    def hosted(self) -> tuple[Project, ...]:
        """Every hosted project, the one that an earlier version knew included."""
        connection = self.connection
        if connection.kind != "hosted" or connection.project:
            return self.projects.hosted
        first = Project(id=first_id_at(connection.base_url), base_url=connection.base_url)
        return self.projects.with_project(first).hosted

    @property
    def hosted_now(self) -> Project | None:
        """The hosted project that the window talks to."""
        connection = self.connection
        if connection.kind != "hosted":
            return None
        wanted = connection.project or first_id_at(connection.base_url)
        return next(project for project in self.hosted if project.id == wanted)

    def with_connection(self, connection: ConnectionSettings) -> Self:
        """Return these settings with another connection, and no project lost by that."""
        projects = self.projects.model_copy(update={"hosted": self.hosted})
        return self.model_copy(update={"connection": connection, "projects": projects})

    def table_like(self, table: SettingsTable) -> SettingsTable:
        """Return the current state of the table that `table` is another state of."""
        found: SettingsTable = getattr(self, self._name_of(table))
        return found

    def subject_of(self, table: SettingsTable) -> str:
        """Return the table and the first field in which `table` differs ("network.proxy")."""
        before = self.table_like(table)
        fields = type(table).model_fields
        differs = (name for name in fields if getattr(table, name) != getattr(before, name))
        return ".".join((self._name_of(table), *list(differs)[:1]))

    def with_table(self, table: SettingsTable) -> Self:
        """Return these settings with `table` in place of its earlier state."""
        return self.model_copy(update={self._name_of(table): table})

    def _name_of(self, table: SettingsTable) -> str:
        fields = type(self).model_fields
        return next(name for name, field in fields.items() if field.annotation is type(table))


def setting_label(names: Sequence[str]) -> str:
    """Return the label of the setting at this place, else that of the table that it stands in.

    In English, marked for translation as "Change"; empty where no such table is known.
    """
    model: type[SettingsTable] = Settings
    label = ""
    for name in names:
        field = model.model_fields.get(name)
        if field is None:
            break
        inner = (field.annotation, *get_args(field.annotation))
        tables = (kind for kind in inner if _is_table(kind))
        model = next(tables, SettingsTable)
        label = field.title or model.label or label
    return label


def _is_table(kind: object) -> TypeGuard[type[SettingsTable]]:
    return isinstance(kind, type) and issubclass(kind, SettingsTable)


def first_id_at(base_url: str) -> str:
    """Return the id of the first project at this address: what earlier versions called it."""
    return f"hosted:{origin_of(base_url)}"


def origin_of(base_url: str) -> str:
    """Return scheme, host and port: what a key belongs to."""
    parts = urlsplit(base_url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return f"{parts.scheme}://{parts.hostname}:{port}"


def _fault(words: str, *places: Place) -> PydanticCustomError:
    return PydanticCustomError("settings", words, {"places": places})


def _offline(settings: Settings) -> Settings:
    """Return the settings without those that make the program connect to the network at start."""
    connection = settings.connection
    if connection.kind == "hosted":
        connection = connection.model_copy(update={"kind": "undecided"})
    return settings.model_copy(update={"connection": connection, "updates": UpdateSettings()})


def _readable_tables(content: bytes) -> str:
    """Return those tables of a damaged file that can be read; wrong bytes become U+FFFD."""
    text = content.decode("utf-8-sig", "replace")
    kept = "".join(table for table in _TABLE.split(text) if _is_toml(table)).strip()
    return kept if _is_toml(kept) else ""


def _is_toml(text: str) -> bool:
    try:
        return bool(tomllib.loads(text))
    except (ValueError, RecursionError):
        return False


class SettingsFile:
    """Reads and writes the settings.

    One for the run; `current` is always valid. A value that is not understood, as one of a newer
    version, falls back to its default alone, and stays in the file until another one is chosen.

    Attributes:
        invalid: What was not understood when the file was read.
        backup: A copy of the file as it was, where the next write would lose some of that.
        put_aside: The file, if it was no TOML at all and a new one took its place.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.put_aside: PutAside | None = None
        self.backup: Path | None = None
        self.invalid: tuple[InvalidValue, ...] = ()
        # What was understood of the file, which may hold more; None: write everything.
        self._in_file: Settings | None = None
        self._current = self._in_file = self._read()

    @property
    def current(self) -> Settings:
        """The settings as they are now."""
        return self._current

    def save(self, settings: Settings) -> None:
        """Write the file whole or not at all; comments and unknown keys in it stay.

        Raises:
            OSError: the file cannot be written; `current` is then what it was.
        """
        before = self._in_file.model_dump() if self._in_file else {}
        write_atomically(self._path, self._changed_text(settings.model_dump(), before))
        self._current = self._in_file = settings

    def keep(self, settings: Settings) -> None:
        """Write the file as `save` does, for a choice that must not hold unless it is kept.

        Raises:
            UserFacingError: the file cannot be written; `current` is then what it was.
        """
        try:
            self.save(settings)
        except OSError as error:
            raise UserFacingError(ErrorCode.CHOICE_NOT_KEPT) from error

    def use_unsaved(self, settings: Settings) -> None:
        """Use the settings until the program ends, where they cannot be written."""
        self._current = settings

    def _changed_text(self, now: dict[str, Any], before: dict[str, Any]) -> str:
        try:
            return changed_toml(self._path.read_text(encoding="utf-8-sig"), now, before)
        except FileNotFoundError:
            return changed_toml("", now, before)
        except ValueError:
            # Somebody damaged it while the program ran.
            self.put_aside = PutAside(put_aside(self._path))
            return changed_toml("", now, before)

    def _read(self) -> Settings:
        try:
            # Editors on Windows may begin a file with a byte order mark, which is no TOML.
            text = self._path.read_text(encoding="utf-8-sig")
            if not text:
                # An empty file is damaged: the program never writes one.
                return self._salvage()
            return self._validate(tomllib.loads(text))
        except FileNotFoundError:
            return self._salvage() if is_no_file(self._path) else Settings()
        except (OSError, ValueError, RecursionError):
            return self._salvage()

    def _salvage(self) -> Settings:
        """Put the file aside, and a new one in its place with the tables that can be read."""
        try:
            text = _readable_tables(self._path.read_bytes())
        except OSError:
            text = ""
        with contextlib.suppress(OSError):
            self.put_aside = PutAside(put_aside(self._path), is_salvaged=bool(text))
        if not text:
            return Settings()
        document = tomllib.loads(text)
        # Unreadable network settings may have named a proxy: see `_validate`.
        is_network_known = "\ufffd" not in str(document.get("network", "\ufffd"))
        try:
            settings = self._validate(document, is_network_known=is_network_known)
        except ValueError:
            return Settings()
        with contextlib.suppress(OSError):
            write_atomically(self._path, text)
            if not is_network_known:
                self.save(settings)
        return settings

    def _validate(self, document: dict[str, Any], *, is_network_known: bool = True) -> Settings:
        """Return the settings, with the default for whatever is invalid.

        Raises:
            ValidationError: it is not known what is wrong.
        """
        settings, self.invalid = validate_leniently(document, Settings)
        if any(found.is_item or isinstance(found.value, dict) for found in self.invalid):
            with contextlib.suppress(OSError):
                self.backup = back_up(self._path)
        if is_network_known and not any(found.place[0] == "network" for found in self.invalid):
            return settings
        # Stay offline: the user may have chosen a proxy, so do not connect without one.
        return _offline(settings)
