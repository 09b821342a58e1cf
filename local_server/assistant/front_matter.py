"""Read Markdown files with YAML front matter, the format of agents and skills.

`read_front_matter` parses such a file. `read_small_file` refuses files that are not regular, not
text or too large, since somebody else may have put them there. A `DefinitionProblem` is what is
wrong with a file, for programs by its `DefinitionFault` and for people as a sentence.

Other programs read such files leniently, and people bring what worked there: unquoted text with a
colon in it is accepted.
"""

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

import yaml

_FENCE: Final = "---"
FILE_LIMIT_BYTES: Final = 256 * 1024
"""The maximum size of a definition file."""
# Reading YAML takes a millisecond for about 2 KiB, and other requests wait meanwhile.
MATTER_LIMIT_CHARS: Final = 16 * 1024
"""The maximum length of the YAML between the two fences."""
_NAME_LIMIT_CHARS: Final = 64
# The line of the file where the YAML begins, after the fence.
_FIRST_LINE: Final = 2
# One entry of the YAML.
_ENTRY: Final = re.compile(r"([A-Za-z][\w-]*):(?:[ \t]+(.*)|[ \t]*)$")
_FLAGS: Final = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
# What follows one of these on further lines is no part of a sentence.
_NO_PROSE: Final = frozenset({"name", "tools", "model", "skills", "metadata"})
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_HALVES: Final = re.compile("[\ud800-\udfff]")


class DefinitionFault(StrEnum):
    """What can be wrong with the file of an agent, of a skill or of a project's choices.

    The values stand in the JSON of `agents list` and `skills list`.
    """

    CANNOT_BE_READ = "cannot_be_read"
    NOT_REGULAR = "not_regular"
    NOT_TEXT = "not_text"
    TOO_LARGE = "too_large"
    NO_FRONT_MATTER = "no_front_matter"
    LONG_FRONT_MATTER = "long_front_matter"
    NO_ENTRIES = "no_entries"
    NOT_YAML = "not_yaml"
    BAD_CHARACTER = "bad_character"
    BAD_VALUE = "bad_value"
    DEEP_YAML = "deep_yaml"
    FIELD_MISSING = "field_missing"
    FIELD_NOT_TEXT = "field_not_text"
    FIELD_NOT_LIST = "field_not_list"
    BAD_NAME = "bad_name"
    LONG_DESCRIPTION = "long_description"
    SAME_NAME = "same_name"
    NOT_TOML = "not_toml"
    DEEP_TOML = "deep_toml"
    LARGE_NUMBER = "large_number"
    CHOICE_NOT_NAME = "choice_not_name"
    CHOICE_NOT_FLAG = "choice_not_flag"
    NO_SUCH_DEFAULT = "no_such_default"
    ALL_OFF = "all_off"


_SENTENCES: Final[Mapping[DefinitionFault, str]] = {
    DefinitionFault.CANNOT_BE_READ: "it cannot be read: {detail}.",
    DefinitionFault.NOT_REGULAR: "this is not a regular file.",
    DefinitionFault.NOT_TEXT: "this is not UTF-8 text.",
    DefinitionFault.TOO_LARGE: "the file is larger than {detail} KiB.",
    DefinitionFault.NO_FRONT_MATTER: "there is no front matter between two lines of “---”.",
    DefinitionFault.LONG_FRONT_MATTER: "the front matter is too long.",
    DefinitionFault.NO_ENTRIES: "the front matter must be lines of “name: value”.",
    DefinitionFault.NOT_YAML: "this is not YAML: {detail}.",
    DefinitionFault.BAD_CHARACTER: "this is not YAML: it has a character that is not allowed.",
    DefinitionFault.BAD_VALUE: (
        "this is not YAML: there is a character code or a number that is too large."
    ),
    DefinitionFault.DEEP_YAML: "this YAML is nested too deeply.",
    DefinitionFault.FIELD_MISSING: "the field “{detail}” is missing.",
    DefinitionFault.FIELD_NOT_TEXT: "the field “{detail}” must be text.",
    DefinitionFault.FIELD_NOT_LIST: "the field “{detail}” must be a list of names.",
    DefinitionFault.BAD_NAME: "the name must have at most {detail} characters, all visible.",
    DefinitionFault.LONG_DESCRIPTION: (
        "the description has more than about 100 tokens; only its beginning is used."
    ),
    DefinitionFault.SAME_NAME: "{detail} has the same name and is used instead.",
    DefinitionFault.NOT_TOML: "this is not TOML: {detail}.",
    DefinitionFault.DEEP_TOML: "this TOML is nested too deeply.",
    DefinitionFault.LARGE_NUMBER: "it has a number that is too large.",
    DefinitionFault.CHOICE_NOT_NAME: "“{detail}” must be a name in quotes.",
    DefinitionFault.CHOICE_NOT_FLAG: "“{detail}” must be true or false.",
    DefinitionFault.NO_SUCH_DEFAULT: (
        "the default agent “{detail}” is not one of the project’s enabled agents, so there is none."
    ),
    DefinitionFault.ALL_OFF: "no agent and no skill is used until this can be read.",
}


@dataclass(frozen=True)
class DefinitionProblem:
    """What is wrong with a file; as a text, a sentence for logs and terminals.

    Attributes:
        detail: What the sentence is about: a field, another file, what the system or a parser says.
    """

    path: str
    line: int
    fault: DefinitionFault
    detail: str = ""

    @property
    def message(self) -> str:
        """The sentence without the place."""
        return _SENTENCES[self.fault].format(detail=self.detail)

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


class DefinitionError(Exception):
    """A file is not written as it should be; the message names file, line and reason."""

    def __init__(self, problem: DefinitionProblem) -> None:
        super().__init__(str(problem))
        self.problem: Final = problem


class SmallFileError(Exception):
    """The file is not read; the message says why, without its path."""

    def __init__(self, fault: DefinitionFault, detail: str = "", line: int = 1) -> None:
        super().__init__(_SENTENCES[fault].format(detail=detail))
        self._fault = fault
        self._detail = detail
        self._line = line

    def at(self, path: Path) -> DefinitionProblem:
        """Return the problem with the file that has this path."""
        return DefinitionProblem(str(path), self._line, self._fault, self._detail)


def read_small_file(path: Path, limit_bytes: int) -> str:
    """Read a small UTF-8 text file, without its byte order mark.

    Raises:
        SmallFileError: When it cannot be read, is too large, or is not UTF-8.
    """
    content = _content(path, limit_bytes + 1)
    if len(content) > limit_bytes:
        raise SmallFileError(DefinitionFault.TOO_LARGE, str(limit_bytes // 1024))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = content.count(b"\n", 0, exc.start) + 1
        raise SmallFileError(DefinitionFault.NOT_TEXT, line=line) from exc


def _content(path: Path, most_bytes: int) -> bytes:
    try:
        with open(path, "rb", opener=_open) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise SmallFileError(DefinitionFault.NOT_REGULAR)
            return file.read(most_bytes)
    except OSError as exc:
        raise SmallFileError(DefinitionFault.CANNOT_BE_READ, str(exc.strerror)) from exc


def _open(path: str, flags: int) -> int:
    # A pipe must not keep us waiting for whoever writes into it.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


@dataclass(frozen=True)
class FrontMatter:
    """The two parts of such a file. All values are text, as they were written.

    Attributes:
        fields: What the YAML says, also what nobody here knows.
        body: What follows it, without blank lines around it.
    """

    path: Path
    fields: dict[str, object]
    body: str
    lines: tuple[str, ...] = field(default=(), repr=False)

    def text(self, name: str) -> str:
        """Read a required field as one line.

        Raises:
            DefinitionError: When it is missing or not plain text.
        """
        value = self.fields.get(name, "")
        if not isinstance(value, str):
            raise self._error(name, DefinitionFault.FIELD_NOT_TEXT)
        line = _one_line(value)
        if not line:
            raise self._error(name, DefinitionFault.FIELD_MISSING)
        return line

    def name(self) -> str:
        """Read the field `name`, by which requests, commands and models call the thing.

        Raises:
            DefinitionError: When it cannot serve as a name.
        """
        name = self.text("name")
        if len(name) > _NAME_LIMIT_CHARS or not name.isprintable():
            raise self._error("name", DefinitionFault.BAD_NAME, str(_NAME_LIMIT_CHARS))
        return name

    def items(self, name: str) -> tuple[str, ...] | None:
        """Read a list, written as YAML's or with commas; None when the field is not there.

        Raises:
            DefinitionError: When it is something else.
        """
        value = self.fields.get(name, "")
        if value == "":
            return None
        parts = _split(value) if isinstance(value, str) else value
        if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
            raise self._error(name, DefinitionFault.FIELD_NOT_LIST)
        return tuple(dict.fromkeys(line for part in parts if (line := _one_line(part))))

    def metadata(self, name: str) -> str | None:
        """Read one of our own fields, which live under `metadata`."""
        metadata = self.fields.get("metadata")
        value = metadata.get(name) if isinstance(metadata, dict) else None
        return _one_line(value) or None if isinstance(value, str) else None

    def flag(self, name: str, *, otherwise: bool) -> bool:
        """Read one of our own fields that is yes or no; without a clear word it is `otherwise`."""
        return _FLAGS.get((self.metadata(name) or "").casefold(), otherwise)

    def _error(
        self, name: str, fault: DefinitionFault, detail: str | None = None
    ) -> DefinitionError:
        """Make the error about a field, with its line."""
        places = (n for n, line in enumerate(self.lines) if line.startswith(f"{name}:"))
        line = next(places, -1) + _FIRST_LINE
        return _problem(self.path, fault, name if detail is None else detail, line)


def read_front_matter(path: Path) -> FrontMatter:
    """Read a Markdown file and take its front matter apart.

    Raises:
        DefinitionError: When the file cannot be read or has no front matter.
    """
    try:
        text = read_small_file(path, FILE_LIMIT_BYTES)
    except SmallFileError as exc:
        raise DefinitionError(exc.at(path)) from exc
    return parse_front_matter(path, text)


def parse_front_matter(path: Path, text: str) -> FrontMatter:
    """Take apart the text of a file; `path` is where it lies, or is to lie.

    Raises:
        DefinitionError: When it has no front matter.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    closing = [n for n, line in enumerate(lines) if line.rstrip() == _FENCE]
    if closing[:1] != [0] or len(closing) == 1:
        raise _problem(path, DefinitionFault.NO_FRONT_MATTER)
    matter, body = tuple(lines[1 : closing[1]]), "\n".join(lines[closing[1] + 1 :])
    if sum(map(len, matter)) > MATTER_LIMIT_CHARS:
        raise _problem(path, DefinitionFault.LONG_FRONT_MATTER)
    return FrontMatter(path, _fields(path, matter), body.strip(), matter)


def _problem(
    path: Path, fault: DefinitionFault, detail: str = "", line: int = 1
) -> DefinitionError:
    return DefinitionError(DefinitionProblem(str(path), line, fault, detail))


def _fields(path: Path, matter: tuple[str, ...]) -> dict[str, object]:
    try:
        fields = _load_or_repair(matter)
    except yaml.YAMLError as exc:
        raise _yaml_problem(path, exc) from exc
    except RecursionError as exc:
        raise _problem(path, DefinitionFault.DEEP_YAML) from exc
    except (ValueError, OverflowError) as exc:
        # PyYAML leaves to Python what no character and no number can be, as in "\\UFFFFFFFF".
        raise _problem(path, DefinitionFault.BAD_VALUE, line=_FIRST_LINE) from exc
    if not isinstance(fields, dict):
        raise _problem(path, DefinitionFault.NO_ENTRIES, line=_FIRST_LINE)
    return {str(name): value for name, value in fields.items()}


def _load_or_repair(matter: tuple[str, ...]) -> object:
    try:
        return _load("\n".join(matter))
    except yaml.YAMLError:
        return _load("\n".join(_repaired(matter)))


def _load(text: str) -> object:
    # Keeps `1.10` and `on` the text they are.
    loaded: object = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - makes nothing but text, lists and mappings
    return loaded


def _yaml_problem(path: Path, error: yaml.YAMLError) -> DefinitionError:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        line = error.problem_mark.line + _FIRST_LINE
        return _problem(path, DefinitionFault.NOT_YAML, str(error.problem), line)
    return _problem(path, DefinitionFault.BAD_CHARACTER, line=_FIRST_LINE)


def _repaired(matter: tuple[str, ...]) -> list[str]:
    """Quote each entry that cannot be read alone though it is plainly `name: some text`."""
    return [line for entry in entries_of(matter) for line in _repaired_entry(entry)]


def entries_of(matter: tuple[str, ...]) -> list[list[str]]:
    """Cut the lines between the fences into their entries, each with the lines that belong to it.

    Comments belong to the entry above them; what stands before the first is an entry, too.
    """
    entries: list[list[str]] = []
    for line in matter:
        if _ENTRY.match(line) or not entries:
            entries.append([])
        entries[-1].append(line)
    return entries


def entry_name(entry: list[str]) -> str:
    """Return the name of an entry's field; empty where it has none."""
    found = _ENTRY.match(entry[0])
    return found[1] if found else ""


def _repaired_entry(entry: list[str]) -> list[str]:
    try:
        _load("\n".join(entry))
    except yaml.YAMLError:
        first = _ENTRY.match(entry[0])
        value = _one_line(" ".join([first[2] or "", *entry[1:]])) if first else ""
        if first is None or not _is_prose(first[1], value, is_long=len(entry) > 1):
            return entry
        # The blank lines keep every other line where it was, for the errors that name it.
        return [f"{first[1]}: '{value.replace(chr(39), chr(39) * 2)}'", *[""] * len(entry[1:])]
    return entry


def _is_prose(name: str, value: str, *, is_long: bool) -> bool:
    """Return whether a value is a sentence: no list left open, no fields run together."""
    is_open = value.startswith(("[", "{")) and not re.search(r"[\]}]", value)
    return bool(value) and not is_open and not (is_long and name in _NO_PROSE)


def _one_line(text: str) -> str:
    if _HALVES.search(text):
        # As JSON writes what is beyond 16 bits; a half that is alone could not be sent.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return " ".join(_CONTROL.sub(" ", text).split())


def _split(text: str) -> list[str]:
    """Split `Read, Bash(git log, git diff)` at the commas outside parentheses."""
    return re.split(r",(?![^(]*\))", text)
