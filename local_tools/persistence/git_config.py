"""Find the files that a Git repository's settings refer to: hooks, included settings, programs.

A setting may name a file in the work tree, and then changing that file is as good as changing the
setting. The settings are parsed here, since running Git would already execute them.

Source: git-config(1), githooks(5).
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from local_tools.errors import ToolError
from local_tools.paths.beneath import READ_FILE, read_up_to
from local_tools.persistence.autorun import REPOSITORY, plain

_LIMIT_BYTES: Final = 1024 * 1024
_INCLUDES_LIMIT: Final = 100
# An included file may come from the repository, so it may name any number of places.
_WORDS_LIMIT: Final = 20_000
_PLACES_LIMIT: Final = 5_000
# No backtracking, so that no text takes long.
_ITEM: Final = re.compile(
    r"""
    [#;] [^\n]*+
  | \[ \s*+ (?P<section> [\w.-]++ ) (?: [ \t]++ "(?P<part> (?: [^"\\\n] | \\. )*+ )" )? \s*+ \]
  | (?P<name> [A-Za-z] [A-Za-z0-9-]*+ ) [ \t]*+
    (?: = (?P<value> (?: [^\\"\n#;] | \\. | "(?: [^"\\\n] | \\. )*+" )*+ ) (?: [#;] [^\n]*+ )? )?
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_ESCAPED: Final = re.compile(r'\\(.)|"', re.DOTALL)
_ESCAPES: Final = {"\n": "", "t": "\t", "b": "\b", "n": "\n"}
_WORDS: Final = re.compile(r"(?:\\.|[^\s\\'\";|&()<>!=$`])+")
_QUOTED: Final = re.compile(r"""'([^']*+)'|"([^"]*+)\"""")
# Expansions of a shell, whose values cannot be known.
_EXPANDED: Final = re.compile(r"\$\w+|\$\{[^}]*\}|\$\([^)]*\)|`[^`]*`")
_OF_USER: Final = (".gitconfig", ".config/git/config")
_OF_SYSTEM: Final = ("/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig")
_NAMING_VARIABLES: Final = ("GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL")
_GITDIR: Final = "gitdir:"
# Settings whose values are no programs, but may look like paths.
_HARMLESS: Final = frozenset(
    {"url", "pushurl", "fetch", "push", "merge", "remote", "email", "name"}
)
# `<transport>::<address>` names a program after all.
_TRANSPORT: Final = "::"
_FOLDERS: Final = frozenset({"core.hookspath", "init.templatedir"})
_HOOKS: Final = (
    *("applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit"),
    *("prepare-commit-msg", "commit-msg", "post-commit", "pre-rebase", "post-checkout"),
    *("post-merge", "pre-push", "pre-receive", "update", "proc-receive", "post-receive"),
    *("post-update", "reference-transaction", "push-to-checkout", "pre-auto-gc", "post-rewrite"),
    *("sendemail-validate", "fsmonitor-watchman", "post-index-change", "p4-changelist"),
    *("p4-prepare-changelist", "p4-post-changelist", "p4-pre-submit"),
)


@dataclass(frozen=True, slots=True)
class ReferencedPath:
    """A path that settings refer to; it may not exist."""

    path: Path
    shape: Literal["file", "folder"]


@dataclass(frozen=True, slots=True)
class ReferencedPaths:
    """The paths that settings refer to; `is_whole` is False if some settings were not read."""

    places: tuple[ReferencedPath, ...]
    is_whole: bool


@dataclass(frozen=True, slots=True)
class _Setting:
    """A setting as `section.name`, what is in quotes in its section's head, and its file."""

    key: str
    part: str
    value: str
    file: Path


def referenced_paths(
    repository: Path,
    home: Path | None,
    *,
    with_its_own: bool = True,
    with_missing: bool = False,
) -> ReferencedPaths:
    """Return the paths that the effective settings of a repository refer to; reads files.

    Args:
        repository: A `.git` (folder or file), or the folder of a bare repository.
        home: The user's home, whose settings apply as well.
        with_its_own: Also read the repository's own settings, not only the user's and the system's.
        with_missing: Include paths in commands where no file exists yet.
    """
    folder = _folder_of(repository)
    top = repository.parent if plain(repository.name) == REPOSITORY else repository
    reader = _Reader(folder, top, home)
    for file in _files_for_all(home):
        reader.read(file)
    if with_its_own:
        reader.read(_common(folder) / "config")
        reader.read(folder / "config.worktree")
    return reader.leads(with_missing=with_missing)


def repositories_around(folder: Path) -> tuple[Path, ...]:
    """Return each `.git` that may apply in a folder: its own, even if missing, and those above.

    Git ignores a `.git` that is not a complete repository.
    """
    above = (place / REPOSITORY for place in folder.parents)
    return (folder / REPOSITORY, *filter(os.path.lexists, above))


def _files_for_all(home: Path | None) -> Iterator[Path]:
    """Yield the settings that count in every repository, of the system and of the user."""
    yield from (Path(named) for name in _NAMING_VARIABLES if (named := os.environ.get(name)))
    yield from map(Path, _OF_SYSTEM)
    if folder := os.environ.get("XDG_CONFIG_HOME"):
        yield Path(folder, "git", "config")
    if home is not None:
        yield from (home / name for name in _OF_USER)


def _folder_of(repository: Path) -> Path:
    said = (_text(repository) or "").strip()
    if not said.startswith(_GITDIR):
        return repository
    return repository.parent / said.removeprefix(_GITDIR).strip().replace("\0", "")


def _common(folder: Path) -> Path:
    said = _text(folder / "commondir")
    return folder / said.strip().replace("\0", "") if said else folder


class _TooLargeError(Exception):
    """A file of settings has more than is read."""


class _Reader:
    """Collects where the settings of one repository lead; made for one reading."""

    def __init__(self, folder: Path, top: Path, home: Path | None) -> None:
        self._folder = folder
        self._top = top
        self._home = home
        self._settings: list[_Setting] = []
        self._seen: set[Path] = set()
        self._words = 0
        self._is_whole = True

    def read(self, file: Path) -> None:
        """Read a file of settings, and those that it includes."""
        if file in self._seen:
            return
        if len(self._seen) >= _INCLUDES_LIMIT:
            self._is_whole = False
            return
        self._seen.add(file)
        try:
            text = _text(file, must_fit=True) or ""
        except _TooLargeError:
            self._is_whole = False
            return
        for setting in _settings(text, file):
            self._settings.append(setting)
            if _is_include(setting):
                for included in self._paths(setting.value, (file.parent,)):
                    self.read(included)

    def leads(self, *, with_missing: bool) -> ReferencedPaths:
        """Return where all of them lead."""
        named = [item.value for item in self._settings if item.key == "core.worktree"]
        tops = (self._top, *(path for text in named for path in self._paths(text, [self._folder])))
        found = dict[ReferencedPath, None]()
        for setting in self._settings:
            for place in self._led_to(setting, tops, with_missing=with_missing):
                found[place] = None
            if len(found) > _PLACES_LIMIT or self._words > _WORDS_LIMIT:
                self._is_whole = False
                break
        return ReferencedPaths(tuple(found), self._is_whole)

    def _led_to(
        self, setting: _Setting, tops: Sequence[Path], *, with_missing: bool
    ) -> Iterator[ReferencedPath]:
        key, value = setting.key, setting.value
        if _is_include(setting):
            yield from (
                ReferencedPath(path, "file") for path in self._paths(value, (setting.file.parent,))
            )
        elif key in _FOLDERS:
            for path in self._paths(value, tops):
                yield from _led_to_hooks(path, tops, with_missing=with_missing)
        elif key == "core.attributesfile":
            yield from (ReferencedPath(path, "file") for path in self._paths(value, tops))
        elif key.rpartition(".")[2] not in _HARMLESS or _TRANSPORT in value:
            yield from self._programs(value, tops, with_missing=with_missing)
        if _TRANSPORT in setting.part:
            yield from self._programs(setting.part, tops, with_missing=with_missing)

    def _programs(
        self, value: str, tops: Sequence[Path], *, with_missing: bool
    ) -> Iterator[ReferencedPath]:
        """Yield the files that a command names; Git runs commands at the top of the work tree."""
        for word in dict.fromkeys(words_of(value, self._folder)):
            self._words += 1
            if self._words > _WORDS_LIMIT:
                return
            # A word without a slash or a dot is rather one of a command's own.
            is_named = with_missing and ("/" in word or "." in word)
            for path in self._paths(word, tops):
                if _is_program(path, is_named=is_named):
                    yield ReferencedPath(path, "file")

    def _paths(self, text: str, bases: Sequence[Path]) -> Iterator[Path]:
        """Yield what a text means as a path, seen from each folder."""
        start, slash, rest = text.partition("/")
        if "\0" in text:
            return
        if start == "~" and slash and self._home is not None:
            text = f"{self._home}/{rest}"
        elif start.startswith("~"):
            text = os.path.expanduser(text)  # noqa: PTH111 - it does not fail where nobody is
        yield from dict.fromkeys(Path(without_dots(os.path.join(base, text))) for base in bases)  # noqa: PTH118


def _is_program(path: Path, *, is_named: bool) -> bool:
    try:
        return path.is_file() or (is_named and not path.is_dir())
    except (OSError, ValueError):
        # No file can have such a name.
        return False


def _led_to_hooks(
    folder: Path, tops: Sequence[Path], *, with_missing: bool
) -> Iterator[ReferencedPath]:
    """Yield a folder of hooks, unless it is a work tree itself, and the hooks in it."""
    if folder not in tops:
        yield ReferencedPath(folder, "folder")
    hooks = (folder / name for name in _HOOKS)
    with suppress(OSError):
        yield from (
            ReferencedPath(path, "file") for path in hooks if with_missing or path.is_file()
        )


def _is_include(setting: _Setting) -> bool:
    return setting.key in ("include.path", "includeif.path")


def words_of(value: str, folder: Path) -> Iterator[str]:
    """Yield the words of a command that may be paths, parsed with and without a shell."""
    # Some settings are a path alone, which may have spaces.
    yield value
    text = value.replace(_TRANSPORT, " ")
    yield from (single or double for single, double in _QUOTED.findall(text))
    texts = [text]
    if "$" in text or "`" in text:
        texts += [place.join(_EXPANDED.split(text)) for place in (".", "~", str(folder))]
    for item in texts:
        yield from (word.replace("\\", "") for word in _WORDS.findall(item))


def without_dots(path: str) -> str:
    """Resolve each `..` as the system does, through links; keep other links."""
    done = "/"
    for part in path.split("/"):
        if part == "..":
            done = os.path.dirname(os.path.realpath(done))  # noqa: PTH120
        elif part not in ("", "."):
            done = os.path.join(done, part)  # noqa: PTH118
    return done


def _settings(text: str, file: Path) -> Iterator[_Setting]:
    """Yield each setting of a file, as Git reads it."""
    section, part = "", ""
    for item in _ITEM.finditer(text.replace("\r\n", "\n")):
        if item["section"]:
            section = item["section"].partition(".")[0].lower()
            part = item["part"] or ""
        elif item["name"] and section:
            value = _ESCAPED.sub(_unescaped, (item["value"] or "").strip())
            yield _Setting(f"{section}.{item['name'].lower()}", part, value, file)


def _unescaped(found: re.Match[str]) -> str:
    return _ESCAPES.get(found[1], found[1]) if found[1] else ""


def _text(file: Path, *, must_fit: bool = False) -> str | None:
    """Return the text of a file; None where there is none.

    Raises:
        _TooLargeError: There is more than is read, and it must not be.
    """
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
    if data is None and must_fit:
        raise _TooLargeError
    return None if data is None else data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
