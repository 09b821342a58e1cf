"""Find the files that a Mercurial repository's settings refer to: hooks, extensions, includes.

Source: hgrc(5).
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from local_tools.errors import ToolError
from local_tools.paths.beneath import READ_FILE, read_up_to
from local_tools.persistence.git_config import (
    ReferencedPath,
    ReferencedPaths,
    without_dots,
    words_of,
)

_LIMIT_BYTES: Final = 1024 * 1024
_FILES_LIMIT: Final = 100
_WORDS_LIMIT: Final = 20_000
_OF_USER: Final = (".hgrc", ".config/hg/hgrc")
_OF_REPOSITORY: Final = ("hgrc", "hgrc-not-shared")
_INCLUDE: Final = "%include"
_NO_SETTING: Final = ("#", ";", "[")
# `python:file:function`; a `!` before its path disables an extension.
_AROUND_PATH: Final = re.compile(r"[:!]")


def referenced_paths(store: Path, home: Path, *, with_its_own: bool) -> ReferencedPaths:
    """Return the paths that the effective settings of a repository refer to; reads files.

    Args:
        store: The `.hg` folder.
        home: The user's home, whose settings apply as well.
        with_its_own: Also read the repository's own settings, not only the user's.
    """
    waiting = [home / name for name in _OF_USER]
    if with_its_own:
        waiting += [store / name for name in _OF_REPOSITORY]
    found, seen, count = dict[ReferencedPath, None](), set[Path](), 0
    while waiting and len(seen) < _FILES_LIMIT:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        text = _text(file)
        if text is None:
            return ReferencedPaths(tuple(found), is_whole=False)
        included = list(_included(text, file.parent))
        waiting += included
        found |= {ReferencedPath(path, "file"): None for path in included}
        for word in _values(text, store):
            count += 1
            if count > _WORDS_LIMIT:
                return ReferencedPaths(tuple(found), is_whole=False)
            path = _path(word, store.parent)
            if "/" in word and not os.path.isdir(path):  # noqa: PTH112 - it may be no path at all
                found[ReferencedPath(path, "file")] = None
    return ReferencedPaths(tuple(found), is_whole=not waiting)


def _included(text: str, folder: Path) -> Iterator[Path]:
    for line in text.splitlines():
        if line.startswith(_INCLUDE):
            yield _path(line.removeprefix(_INCLUDE).strip(), folder)


def _values(text: str, store: Path) -> Iterator[str]:
    """Yield what may be a path in the values, which may go on in lines that begin with a space."""
    for line in text.splitlines():
        if line.strip() and not line.startswith(_NO_SETTING):
            value = line.partition("=")[2] or line
            for word in words_of(value.strip(), store):
                yield from dict.fromkeys((word, *_AROUND_PATH.split(word)))


def _path(text: str, folder: Path) -> Path:
    return Path(without_dots(str(folder / os.path.expanduser(text.replace("\0", "")))))  # noqa: PTH111


def _text(file: Path) -> str | None:
    """Return the text of a file; empty if there is none, None if it is too long."""
    try:
        descriptor = os.open(file, READ_FILE)
    except OSError:
        return ""
    try:
        with suppress(ToolError):
            data = read_up_to(descriptor, _LIMIT_BYTES, file)
            return None if data is None else data.decode("utf-8", "surrogateescape")
        return ""
    finally:
        os.close(descriptor)
