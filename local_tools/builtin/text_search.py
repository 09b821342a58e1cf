"""Find lines in the files below a folder, opened by descriptor, never through links.

A `Finder` walks the folder. `Ignored` has the rules of its .gitignore files, `MaskedLines` returns
the found lines without their secrets, and `time_limit` ends code that Python cannot interrupt
itself, such as a regular expression.

Text inside a secret is neither shown nor matched: if it were matched, a series of searches could
guess the secret. A single line of a private key, or the middle of a long line, cannot be recognised
as secret by itself, so secrets are looked for in the whole file.
"""

import fnmatch
import json
import os
import re
import signal
import stat
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Final

from local_tools.builtin.ripgrep import Query, candidates
from local_tools.errors import ToolError, ToolTimeoutError, named
from local_tools.sandbox.protected_paths import ProtectedPaths
from local_tools.tool import GuardedPath, ToolContext

_NAME: Final = ".gitignore"
_LIMIT_BYTES: Final = 64 * 1024
_OPEN_FILE: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


class Ignored:
    """The .gitignore rules of the folders entered so far. Made for one walk from the top down."""

    def __init__(self) -> None:
        self._rules: dict[str, Any] = {}

    def read(self, place: str, folder: int) -> None:
        """Read the .gitignore of a folder that the walk enters, if it has one.

        Args:
            place: The folder's path relative to the top; empty for the top.
            folder: Its descriptor.
        """
        with suppress(OSError):
            descriptor = os.open(_NAME, _OPEN_FILE, dir_fd=folder)
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    return
                text = file.read(_LIMIT_BYTES).decode("utf-8", "replace")
            self._rules[place] = _rules(text)

    def covers(self, path: str) -> bool:
        """Return whether a path below the top is ignored; a folder's path ends with a slash.

        The matching rule of the nearest folder wins, as in Git.
        """
        for place in _above(path):
            rules = self._rules.get(place)
            if rules is not None:
                said = rules.check_file(path.removeprefix(f"{place}/") if place else path).include
                if said is not None:
                    return bool(said)
        return False


def _rules(text: str) -> Any:
    import pathspec  # noqa: PLC0415 - only this tool needs it

    lines = []
    for line in text.splitlines():
        # Skip a line that is no pattern; the others still count.
        with suppress(ValueError):
            pathspec.GitIgnoreSpec.from_lines([line])
            lines.append(line)
    return pathspec.GitIgnoreSpec.from_lines(lines)


def _above(path: str) -> Iterator[str]:
    """Yield the folders that a path lies in, from the nearest to the top."""
    place = path.rstrip("/").rpartition("/")[0]
    while place:
        yield place
        place = place.rpartition("/")[0]
    yield ""


# What is secret says so on its own line or a near one, but for private keys.
_NEAR_LINES: Final = 2
_HOLE: Final = "\n"


@dataclass(frozen=True, slots=True)
class MaskedLine:
    """A line whose secrets are taken out.

    Attributes:
        text: The line with a line feed in place of each secret; no query contains a line feed.
        marks: The replacement text of each secret, in order.
    """

    text: str
    marks: tuple[str, ...]

    def part(self, start: int, end: int) -> str:
        """Return `text[start:end]` with its marks in place of the secrets."""
        before = self.text.count(_HOLE, 0, start)
        first, *others = self.text[start:end].split(_HOLE)
        pairs = zip(self.marks[before:], others, strict=False)
        return first + "".join(f"{mark}{other}" for mark, other in pairs)


class MaskedLines:
    """The lines of one file without their secrets. Made at the first match in the file."""

    def __init__(self, text: str, lines: list[str]) -> None:
        """Take a text and its lines, which line feeds part."""
        # Slow to import, and a search that finds nothing needs none of it.
        from local_tools.secrets import scan  # noqa: PLC0415

        self._scan = scan
        self._text = text
        self._starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
        self._keys = [(key.start, key.end, key.kind) for key in scan.find_private_keys(text)]

    def line(self, number: int) -> MaskedLine:
        """Return the line of this number, from 1."""
        start, end = self._starts[number - 1], self._starts[number] - 1
        parts, marks, at = [], [], start
        for first, last, kind in self._secrets_near(number):
            if first < end and last > at:
                parts.append(self._text[at : max(at, first)])
                marks.append(self._scan.mask_of(kind))
                at = min(last, end)
        return MaskedLine(_HOLE.join([*parts, self._text[at:end]]), tuple(marks))

    def _secrets_near(self, number: int) -> list[tuple[int, int, str]]:
        start = self._starts[max(0, number - 1 - _NEAR_LINES)]
        end = self._starts[min(len(self._starts) - 1, number + _NEAR_LINES)] - 1
        near = self._scan.find_secrets(self._text[start:end])
        return sorted([*self._keys, *((start + s.start, start + s.end, s.kind) for s in near)])


_FILES_LIMIT: Final = 50_000
_FILE_LIMIT_BYTES: Final = 2 * 1024 * 1024
_LINE_CHARS: Final = 400
_PROGRESS_EVERY: Final = 200


@dataclass(frozen=True, slots=True)
class FoundLines:
    """A line to return: the file's path below the folder, the line number from 1, the text."""

    path: str
    number: int
    text: str


@dataclass(slots=True)
class SearchOutcome:
    """The result of a search.

    Attributes:
        file_count: How many files were searched; binary files count but match nothing.
        skipped_count: How many were skipped because they are too large or cannot be opened.
        has_more: There are more matching lines than requested.
        is_cut: There are more files than the limit of a search.
    """

    lines: list[FoundLines] = field(default_factory=list)
    file_count: int = 0
    skipped_count: int = 0
    has_more: bool = False
    is_cut: bool = False


def make_pattern(query: Query) -> re.Pattern[str]:
    """Compile the query to a Python regular expression.

    Raises:
        ToolError: When it is not a valid regular expression, or is ambiguous.
    """
    if "\n" in query.text or "\0" in query.text:
        raise ToolError("The query must lie within one line.")
    text = query.text if query.is_regex else re.escape(query.text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return re.compile(text, re.IGNORECASE if query.ignore_case else 0)
    except (re.error, Warning, RecursionError, OverflowError) as exc:
        raise ToolError(f"“{named(query.text)}” is not a regular expression: {exc}.") from None


class Finder:
    """Searches files for one query. Made for one search."""

    def __init__(
        self,
        query: Query,
        file_pattern: str,
        *,
        include_hidden: bool,
        max_lines: int,
        places: ProtectedPaths | None = None,
    ) -> None:
        """Take what is looked for, and the places that nobody looks in, wherever this runs."""
        self._places = places
        self._closed: frozenset[str] = frozenset()
        self._query = query
        self._pattern = make_pattern(query)
        self._file_pattern = file_pattern
        self._include_hidden = include_hidden
        self._max_lines = max_lines
        self._searched = SearchOutcome()

    def in_file(self, target: GuardedPath) -> SearchOutcome:
        """Search one file."""
        self._look_through(target.absolute.name, target.read())
        return self._searched

    def in_folder(
        self, target: GuardedPath, context: ToolContext, ripgrep: str | None
    ) -> SearchOutcome:
        """Search the files below a folder, sorted by path.

        Args:
            target: The folder.
            context: Gets the number of searched files as progress.
            ripgrep: Its path, or None; it searches the worker's current folder.
        """
        if self._places is not None:
            hidden = self._places.hidden_in(target.absolute)
            self._closed = frozenset(str(p.path.relative_to(target.absolute)) for p in hidden)
        with target.opened_folder() as descriptor:
            paths = sorted(self._paths(descriptor))
            self._searched.is_cut = len(paths) > _FILES_LIMIT
            del paths[_FILES_LIMIT:]
            likely = self._likely(target.relative, paths, ripgrep)
            for number, path in enumerate(paths):
                if self._searched.has_more:
                    break
                if number % _PROGRESS_EVERY == 0:
                    context.progress(number, len(paths), path)
                if likely is None or path in likely:
                    self._look_at(descriptor, path)
                else:
                    self._searched.file_count += 1
        return self._searched

    def _likely(self, base: str, paths: Sequence[str], ripgrep: str | None) -> set[str] | None:
        if ripgrep is None or not paths:
            return None
        start = "./" if base == "." else f"./{base}/"
        found = candidates(ripgrep, self._query, [start + path for path in paths])
        return None if found is None else {path.removeprefix(start) for path in found}

    def _paths(self, folder: int) -> Iterator[str]:
        """Yield the files that count; `os.fwalk` follows no link, nor one that is swapped in."""
        ignored = Ignored()
        count = 0
        for base, folders, files, descriptor in os.fwalk(".", dir_fd=folder):
            place = base.removeprefix(".").removeprefix("/")
            if not self._include_hidden:
                ignored.read(place, descriptor)
            folders[:] = sorted(name for name in folders if self._counts(ignored, place, name, "/"))
            for name in files:
                is_meant = self._counts(ignored, place, name, "") and self._is_named(name)
                if is_meant and self._is_small_file(descriptor, name):
                    yield f"{place}/{name}" if place else name
                    count += 1
            if count > _FILES_LIMIT:
                return

    def _counts(self, ignored: Ignored, place: str, name: str, end: str) -> bool:
        path = f"{place}/{name}" if place else name
        if path in self._closed:
            return False
        if self._include_hidden:
            return True
        return not name.startswith(".") and not ignored.covers(f"{path}{end}")

    def _is_small_file(self, folder: int, name: str) -> bool:
        """Return whether it may be opened, by us or by ripgrep: a pipe would keep them waiting."""
        try:
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError:
            return False
        is_small = status.st_size <= _FILE_LIMIT_BYTES
        self._searched.skipped_count += stat.S_ISREG(status.st_mode) and not is_small
        return stat.S_ISREG(status.st_mode) and is_small

    def _is_named(self, name: str) -> bool:
        return not self._file_pattern or fnmatch.fnmatchcase(name, self._file_pattern)

    def _look_at(self, folder: int, path: str) -> None:
        data: bytes | None = None
        with suppress(OSError):
            data = _read_beneath(folder, path)
        if data is None:
            self._searched.skipped_count += 1
        else:
            self._look_through(path, data)

    def _look_through(self, path: str, data: bytes) -> None:
        self._searched.file_count += 1
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return
        if "\0" in text:
            return
        lines = text.split("\n")
        told: MaskedLines | None = None
        for number, line in enumerate(lines, 1):
            if self._pattern.search(line) is None:
                continue
            told = told or MaskedLines(text, lines)
            shown = self._shown(told.line(number))
            if shown is None:
                continue
            if len(self._searched.lines) == self._max_lines:
                self._searched.has_more = True
                return
            self._searched.lines.append(FoundLines(_spoken(path), number, shown))

    def _shown(self, line: MaskedLine) -> str | None:
        """Return what is shown of a line; None when it was found by a secret in it."""
        if line.marks and self._query.is_regex:
            # An expression can say what must not be there, and so tells by finding nothing.
            return None
        found = self._pattern.search(line.text)
        return None if found is None else _shortened(line, found.start())


def _read_beneath(folder: int, path: str) -> bytes | None:
    """Return a file's contents; None when it is no file to look through."""
    current = os.dup(folder)
    try:
        *names, name = path.split("/")
        for item in names:
            flags = _OPEN_FILE | getattr(os, "O_DIRECTORY", 0)
            following = os.open(item, flags, dir_fd=current)
            os.close(current)
            current = following
        descriptor = os.open(name, _OPEN_FILE, dir_fd=current)
    finally:
        os.close(current)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _FILE_LIMIT_BYTES:
            return None
        data = file.read(_FILE_LIMIT_BYTES + 1)
    return data if len(data) <= _FILE_LIMIT_BYTES else None


def _shortened(line: MaskedLine, at: int) -> str:
    """Return the line, or of a long one the part around what was found."""
    length = len(line.text.removesuffix("\r"))
    if length <= _LINE_CHARS:
        return line.part(0, length)
    start = max(0, min(at - _LINE_CHARS // 4, length - _LINE_CHARS))
    end = start + _LINE_CHARS
    return f"{'…' if start else ''}{line.part(start, end)}{'…' if end < length else ''}"


def _spoken(path: str) -> str:
    # A name may contain a line feed; quoted, it cannot pass for two.
    return path if path.isprintable() else json.dumps(path)


@contextmanager
def time_limit(limit_s: float, sentence: str) -> Iterator[None]:
    """Interrupt the code of this block when it takes longer than `limit_s` seconds.

    Uses a signal, so it works in the main thread only and not on Windows. Elsewhere the worker's
    own limit ends the whole worker.

    Raises:
        ToolTimeoutError: With `sentence`.
    """
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise ToolTimeoutError(sentence)

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
