"""The `GuardedPath` that a tool gets for a place that a card has shown."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from local_tools.paths.beneath import READ_FILE, open_beneath, opened_root, snapshot
from local_tools.paths.guarded_path import GuardedPath


@contextmanager
def shown(root: Path, relative: str) -> Iterator[GuardedPath]:
    """Yield a place below a root, for as long as the root is held open."""
    parts = tuple(relative.split("/")) if relative != "." else ()
    with opened_root(root) as (descriptor, _):
        place = root.joinpath(*parts)
        yield GuardedPath(place, parts, descriptor, snapshot(descriptor, parts, place))


def read_beneath(root: int, *parts: str) -> bytes:
    """Return what can be read at a place below a held root, or `refused`."""
    try:
        descriptor = open_beneath(root, parts, READ_FILE)
    except OSError:
        return b"refused"
    try:
        return os.read(descriptor, 100)
    finally:
        os.close(descriptor)
