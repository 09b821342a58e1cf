"""What the user chose, kept as TOML that a person can read and edit."""

import contextlib
import os
import tempfile
import tomllib
from collections.abc import MutableMapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Self

import tomlkit
from pydantic import BaseModel, ConfigDict, Field, model_validator
from tomlkit.exceptions import TOMLKitError

from app.api.address import check_base_url

ThemeChoice = Literal["system", "light", "dark"]
ContrastChoice = Literal["system", "normal", "high"]
LanguageChoice = Literal["system", "en", "de"]
ChatOrder = Literal["newest", "oldest"]
ConnectionKind = Literal["undecided", "local", "hosted"]


class Section(BaseModel):
    """A table of the file: unknown keys are left alone, so that a newer file survives."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Appearance(Section):
    """How the window looks. An empty family stands for the typeface that ships."""

    theme: ThemeChoice = "system"
    contrast: ContrastChoice = "system"
    scale_percent: int = Field(default=100, ge=80, le=200)
    text_family: str = Field(default="", max_length=100)
    code_family: str = Field(default="", max_length=100)


class Language(Section):
    """What language the window speaks; another choice holds from the next start."""

    choice: LanguageChoice = "system"


class Chats(Section):
    """How the chats are listed."""

    order: ChatOrder = "newest"


class Connection(Section):
    """Whom the window talks to. The key is never here: `app.key_store` has it.

    `undecided` until the first-run page was answered. `base_url` counts for `hosted` only,
    `model` for `local` only.
    """

    kind: ConnectionKind = "undecided"
    base_url: str = ""
    model: str = "offline"

    @model_validator(mode="after")
    def _leads_somewhere(self) -> Self:
        if self.kind == "hosted":
            check_base_url(self.base_url)
        return self


class Settings(Section):
    """Everything the user chose, with defaults for what was not."""

    appearance: Appearance = Appearance()
    language: Language = Language()
    chats: Chats = Chats()
    connection: Connection = Connection()

    def section_like(self, section: Section) -> Section:
        """Returns the table that `section` is another state of."""
        found: Section = getattr(self, self._name_of(section))
        return found

    def with_section(self, section: Section) -> Self:
        """Returns these settings with this table in place of its earlier state."""
        return self.model_copy(update={self._name_of(section): section})

    def _name_of(self, section: Section) -> str:
        fields = type(self).model_fields
        return next(name for name, field in fields.items() if field.annotation is type(section))


class SettingsFile:
    """Reads and writes the settings.

    One for the run; `current` is always valid. A file that cannot be understood is kept beside
    the new one under a dated name, and `put_aside` says which.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.put_aside: Path | None = None
        self._current = self._read()

    @property
    def current(self) -> Settings:
        """The settings as they are now."""
        return self._current

    def save(self, settings: Settings) -> None:
        """Writes the file whole or not at all; comments and unknown keys in it stay.

        Raises:
            OSError: the file cannot be written; `current` is then what it was.
        """
        document = self._document()
        for name, section in settings.model_dump().items():
            table = document.setdefault(name, tomlkit.table())
            if not isinstance(table, MutableMapping):
                document[name] = table = tomlkit.table()
            table.update(section)
        _write_atomically(self._path, tomlkit.dumps(document))
        self._current = settings

    def hold(self, settings: Settings) -> None:
        """Lets the settings hold until the program ends, where they cannot be written."""
        self._current = settings

    def _document(self) -> tomlkit.TOMLDocument:
        try:
            return tomlkit.parse(self._path.read_text(encoding="utf-8-sig"))
        except FileNotFoundError:
            return tomlkit.document()
        except (TOMLKitError, UnicodeDecodeError, RecursionError):
            # Somebody spoilt it while the program ran.
            self.put_aside = self._keep_aside()
            return tomlkit.document()

    def _read(self) -> Settings:
        try:
            return Settings.model_validate(
                tomllib.loads(self._path.read_text(encoding="utf-8-sig"))
            )
        except FileNotFoundError:
            return Settings()
        except (OSError, ValueError, RecursionError):
            with contextlib.suppress(OSError):
                self.put_aside = self._keep_aside()
            return Settings()

    def _keep_aside(self) -> Path:
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
        aside = self._path.with_name(f"{self._path.stem}.unreadable-{stamp}{self._path.suffix}")
        self._path.replace(aside)
        return aside


def _write_atomically(path: Path, text: str) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
