"""Links on the way to a file: each path by which the system passes, as it is named."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

# As many as Linux follows.
_LINKS_LIMIT: Final = 40


def names_of(path: Path) -> Iterator[Path]:
    """Yield an absolute path, and what becomes of it as one link after the other is followed.

    The last one has no link in it.
    """
    yield path
    for _ in range(_LINKS_LIMIT):
        following = _followed(path)
        if following == path:
            break
        path = following
        yield path


def has_link_below(path: Path, folder: Path) -> bool:
    """Say whether a link lies between `folder` and `path`, which is beneath it, or is its end."""
    between = path.relative_to(folder).parts
    places = (folder.joinpath(*between[:count]) for count in range(1, len(between) + 1))
    return any(place.is_symlink() for place in places)


def _followed(path: Path) -> Path:
    """The path with its first link replaced by where that leads; the same one if it has none."""
    for place in (*reversed(path.parents), path):
        if place.is_symlink():
            there = os.path.normpath(place.parent / place.readlink())
            return Path(there, *path.parts[len(place.parts) :])
    return path
