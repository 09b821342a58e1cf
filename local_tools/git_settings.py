"""Where the settings of a Git repository lead: hooks, further settings, and programs.

A setting that stays as it is may name a place in the work tree, and what lies there is obeyed like
the setting. The settings are read here by ourselves, since Git would follow them.

Source: git-config(1).
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from local_tools.autorun import REPOSITORY, plain
from local_tools.confined import READ_FILE, read_up_to
from local_tools.errors import ToolError

_LIMIT_BYTES: Final = 256 * 1024
_INCLUDES_LIMIT: Final = 20
# An included file may be under version control, and name no end of them.
_PLACES_LIMIT: Final = 200
_SECTION: Final = re.compile(r"\s*\[\s*([\w.-]+)[^\]]*\]")
_SETTING: Final = re.compile(r"\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$")
_COMMENT: Final = re.compile(r'^((?:[^"#;\\]|\\.|"(?:[^"\\]|\\.)*")*)[#;].*$')
_ESCAPED: Final = re.compile(r"\\(.)")
_WORDS: Final = re.compile(r"[^\s'\";|&()<>!=$`]+")
_OF_USER: Final = (".gitconfig", ".config/git/config")
_GITDIR: Final = re.compile(r"gitdir:\s*+(.+)")
# They name no program, and addresses may look like files.
_HARMLESS: Final = frozenset(
    {"url", "pushurl", "fetch", "push", "merge", "remote", "email", "name"}
)


@dataclass(frozen=True, slots=True)
class LedTo:
    """A place that settings name, there or not."""

    path: Path
    shape: Literal["file", "folder"]


def places_led_to(
    repository: Path,
    home: Path | None,
    *,
    with_its_own: bool = True,
    with_missing: bool = False,
) -> tuple[LedTo, ...]:
    """Where the settings lead that count for a repository; looks at files.

    Args:
        repository: A `.git`, whether folder or file, or the folder of one without a work tree.
        home: Of the user, whose own settings count, too.
        with_its_own: Read those of the repository, and not only the user's.
        with_missing: Count what commands name by a path where no file is yet, too.
    """
    folder = _folder_of(repository)
    top = repository.parent if plain(repository.name) == REPOSITORY else repository
    files = [] if home is None else [home / name for name in _OF_USER]
    if with_its_own:
        files += [_common(folder) / "config", folder / "config.worktree"]
    reader = _Reader(top, home, with_missing=with_missing)
    for file in files:
        reader.read(file)
    return tuple(dict.fromkeys(reader.found))


def repository_around(folder: Path) -> Path:
    """The `.git` that counts in a folder: its own, there or not, or that of a folder above."""
    places = (place / REPOSITORY for place in (folder, *folder.parents))
    return next((place for place in places if os.path.lexists(place)), folder / REPOSITORY)


def _folder_of(repository: Path) -> Path:
    said = _text(repository)
    found = None if said is None else _GITDIR.fullmatch(said.strip())
    return repository.parent / found[1] if found else repository


def _common(folder: Path) -> Path:
    said = _text(folder / "commondir")
    return folder / said.strip() if said else folder


class _Reader:
    """Collects where the settings of one repository lead."""

    def __init__(self, top: Path, home: Path | None, *, with_missing: bool) -> None:
        self.found: list[LedTo] = []
        self._top = top
        self._home = home
        self._with_missing = with_missing
        self._seen: set[Path] = set()

    def read(self, file: Path) -> None:
        """Take a file of settings, and those that it includes."""
        if file in self._seen or len(self._seen) > _INCLUDES_LIMIT:
            return
        self._seen.add(file)
        for key, value in _settings(_text(file) or ""):
            if len(self.found) < _PLACES_LIMIT:
                self._take(key, value, file)

    def _take(self, key: str, value: str, file: Path) -> None:
        name = key.rpartition(".")[2]
        if key in ("include.path", "includeif.path"):
            included = self._path(value, file.parent)
            self.found.append(LedTo(included, "file"))
            self.read(included)
        elif key == "core.hookspath":
            self.found.append(LedTo(self._path(value, self._top), "folder"))
        elif key == "core.attributesfile":
            self.found.append(LedTo(self._path(value, self._top), "file"))
        elif name not in _HARMLESS:
            self._take_programs(value)

    def _take_programs(self, value: str) -> None:
        """The files that a command names; Git runs commands at the top of the work tree."""
        for word in _WORDS.findall(value):
            path = self._path(word, self._top)
            with suppress(OSError, ValueError):
                # A word without a slash or a dot is rather one of a command's own.
                is_named = self._with_missing and ("/" in word or "." in word)
                if path.is_file() or (is_named and not path.is_dir()):
                    self.found.append(LedTo(path, "file"))

    def _path(self, text: str, base: Path) -> Path:
        if text.startswith("~/") and self._home is not None:
            return self._home / text[2:]
        return Path(os.path.normpath(base / text))


def _settings(text: str) -> Iterator[tuple[str, str]]:
    """Each setting as `section.name`, without what is in quotes in a section's head."""
    section = ""
    for line in re.sub(r"\\\r?\n", "", text).splitlines():
        head = _SECTION.match(line)
        if head:
            section = head[1].partition(".")[0].lower()
        bare = _COMMENT.sub(r"\1", line[head.end() :] if head else line)
        if section and (found := _SETTING.match(bare)):
            value = (found[2] or "").strip().replace('"', "\0")
            value = _ESCAPED.sub(r"\1", value.replace("\\\0", '"')).replace("\0", "")
            yield f"{section}.{found[1].lower()}", value


def _text(file: Path) -> str | None:
    try:
        descriptor = os.open(file, READ_FILE)
    except (OSError, ValueError):
        return None
    try:
        data = read_up_to(descriptor, _LIMIT_BYTES, file)
    except ToolError:
        return None
    finally:
        os.close(descriptor)
    return None if data is None else data.decode("utf-8", "surrogateescape")
