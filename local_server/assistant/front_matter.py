"""Read Markdown files with YAML front matter, the format of agents and skills.

`read_front_matter` parses such a file. `read_small_file` refuses files that are not regular, not
text or too large, since somebody else may have put them there.

Other programs read such files leniently, and people bring what worked there: unquoted text with a
colon in it is accepted.
"""

import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import yaml

_FENCE: Final = "---"
FILE_LIMIT_BYTES: Final = 256 * 1024
"""So large a file may be."""
# Reading YAML takes a millisecond for about 2 KiB, and other requests wait meanwhile.
MATTER_LIMIT_CHARS: Final = 16 * 1024
"""So long the lines between the fences may be together."""
_NAME_LIMIT_CHARS: Final = 64
_FIRST_LINE: Final = 2  # One entry of the YAML.
_ENTRY: Final = re.compile(r"([A-Za-z][\w-]*):(?:[ \t]+(.*)|[ \t]*)$")
_FLAGS: Final = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
# What follows one of these on further lines is no part of a sentence.
_NO_PROSE: Final = frozenset({"name", "tools", "model", "skills", "metadata"})
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_HALVES: Final = re.compile("[\ud800-\udfff]")


class SmallFileError(Exception):
    """The file is not read; the message says why, without its path.

    Attributes:
        line: Where in the file, as far as it can be told.
    """

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason)
        self.line = line


def read_small_file(path: Path, limit_bytes: int) -> str:
    """Read a text file; a mark of its byte order is left out.

    Raises:
        SmallFileError: When it cannot be read, or is no UTF-8 text of at most that size.
    """
    content = _content(path, limit_bytes + 1)
    if len(content) > limit_bytes:
        raise SmallFileError(f"the file is larger than {limit_bytes // 1024} KiB.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = content.count(b"\n", 0, exc.start) + 1
        raise SmallFileError("this is not UTF-8 text.", line) from exc


def _content(path: Path, most_bytes: int) -> bytes:
    try:
        with open(path, "rb", opener=_open) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise SmallFileError("this is not a regular file.")
            return file.read(most_bytes)
    except OSError as exc:
        raise SmallFileError(f"it cannot be read: {exc.strerror}.") from exc


def _open(path: str, flags: int) -> int:
    # A pipe must not keep us waiting for whoever writes into it.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


class FrontMatterError(Exception):
    """The file is not written as it should be; the message names file, line and reason."""

    def __init__(self, path: Path, reason: str, line: int = 1) -> None:
        super().__init__(f"{path}:{line}: {reason}")


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
            FrontMatterError: When it is missing or not plain text.
        """
        value = self.fields.get(name, "")
        if not isinstance(value, str):
            raise self.error(name, f"the field “{name}” must be text.")
        line = _one_line(value)
        if not line:
            raise self.error(name, f"the field “{name}” is missing.")
        return line

    def name(self) -> str:
        """Read the field `name`, by which requests, commands and models call the thing.

        Raises:
            FrontMatterError: When it cannot serve as a name.
        """
        name = self.text("name")
        if len(name) > _NAME_LIMIT_CHARS or not name.isprintable():
            raise self.error(
                "name", f"the name must have at most {_NAME_LIMIT_CHARS} characters, all visible."
            )
        return name

    def items(self, name: str) -> tuple[str, ...] | None:
        """Read a list, written as YAML's or with commas; None when the field is not there.

        Raises:
            FrontMatterError: When it is something else.
        """
        value = self.fields.get(name, "")
        if value == "":
            return None
        parts = _split(value) if isinstance(value, str) else value
        if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
            raise self.error(name, f"the field “{name}” must be a list of names.")
        return tuple(dict.fromkeys(line for part in parts if (line := _one_line(part))))

    def metadata(self, name: str) -> str | None:
        """Read one of our own fields, which live under `metadata`."""
        metadata = self.fields.get("metadata")
        value = metadata.get(name) if isinstance(metadata, dict) else None
        return _one_line(value) or None if isinstance(value, str) else None

    def flag(self, name: str, *, otherwise: bool) -> bool:
        """Read one of our own fields that is yes or no; without a clear word it is `otherwise`."""
        return _FLAGS.get((self.metadata(name) or "").casefold(), otherwise)

    def error(self, name: str, reason: str) -> FrontMatterError:
        """Make the error about a field, with its line."""
        places = (n for n, line in enumerate(self.lines) if line.startswith(f"{name}:"))
        return FrontMatterError(self.path, reason, next(places, -1) + _FIRST_LINE)


def read_front_matter(path: Path) -> FrontMatter:
    """Read a Markdown file and take its front matter apart.

    Raises:
        FrontMatterError: When the file cannot be read or has no front matter.
    """
    try:
        text = read_small_file(path, FILE_LIMIT_BYTES)
    except SmallFileError as exc:
        raise FrontMatterError(path, str(exc), exc.line) from exc
    return parse_front_matter(path, text)


def parse_front_matter(path: Path, text: str) -> FrontMatter:
    """Take apart the text of a file; `path` is where it lies, or is to lie.

    Raises:
        FrontMatterError: When it has no front matter.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    closing = [n for n, line in enumerate(lines) if line.rstrip() == _FENCE]
    if closing[:1] != [0] or len(closing) == 1:
        raise FrontMatterError(path, "there is no front matter between two lines of “---”.")
    matter, body = tuple(lines[1 : closing[1]]), "\n".join(lines[closing[1] + 1 :])
    if sum(map(len, matter)) > MATTER_LIMIT_CHARS:
        raise FrontMatterError(path, "the front matter is too long.")
    return FrontMatter(path, _fields(path, matter), body.strip(), matter)


def _fields(path: Path, matter: tuple[str, ...]) -> dict[str, object]:
    try:
        fields = _load_or_repair(matter)
    except yaml.YAMLError as exc:
        raise FrontMatterError(path, *_words(exc)) from exc
    except RecursionError as exc:
        raise FrontMatterError(path, "this YAML is nested too deeply.") from exc
    except (ValueError, OverflowError) as exc:
        # PyYAML leaves to Python what no character and no number can be, as in "\\UFFFFFFFF".
        reason = "this is not YAML: it has a character or a number that is too large."
        raise FrontMatterError(path, reason, _FIRST_LINE) from exc
    if not isinstance(fields, dict):
        reason = "the front matter must be lines of “name: value”."
        raise FrontMatterError(path, reason, _FIRST_LINE)
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


def _words(error: yaml.YAMLError) -> tuple[str, int]:
    """Describe what is wrong with YAML, and in which line of the file."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"this is not YAML: {error.problem}.", error.problem_mark.line + _FIRST_LINE
    return "this is not YAML: it has a character that is not allowed.", _FIRST_LINE


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
