"""Places as they are after a card was shown."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from local_tools.confined import look_at, opened_root
from local_tools.target import Target


@contextmanager
def shown(root: Path, relative: str) -> Iterator[Target]:
    """A place below a root, for as long as the root is held open."""
    parts = tuple(relative.split("/")) if relative != "." else ()
    with opened_root(root) as (descriptor, _):
        place = root.joinpath(*parts)
        yield Target(place, parts, descriptor, look_at(descriptor, parts, place))
