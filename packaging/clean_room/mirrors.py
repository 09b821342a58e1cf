"""Where a system of Debian's kind has its packages from, as the sources of its apt say."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from processes import Failed

_SUFFIXES: Final = (".list", ".sources")
# What distributions call their own files; others may have suites of the same name.
_OWN: Final = ("debian", "ubuntu")
_OFF: Final = frozenset({"no", "No", "false", "off"})
_COMMENT: Final = re.compile(r"^#.*\n?", re.MULTILINE)
_LINE: Final = re.compile(r"^deb[ \t]+(?:\[[^]]*\][ \t]+)?(\S+)[ \t]+(\S+)", re.MULTILINE)
# With the lines by which it goes on.
_FIELD: Final = re.compile(r"^(\w[\w-]*):(.*(?:\n[ \t].*)*)", re.MULTILINE)
# A file with mirrors, the first of which is asked first.
_MIRRORS: Final = "mirror+file:"


def find_mirror(apt: Path, releases: Sequence[str]) -> str:
    """Return the address that a system has the packages of its distribution from.

    Args:
        apt: Its folder of settings for apt.
        releases: The code names to look for; a later one counts where no earlier one is named.

    Raises:
        Failed: There is none.
    """
    sources = [source for path in _lists(apt) for source in _sources(path)]
    for release in releases:
        for address, suites in sources:
            if release in suites:
                return _first_mirror(address)
    raise Failed(f"apt is not told here where packages of {releases[0]} come from.")


def _lists(apt: Path) -> list[Path]:
    """Return the files with sources: first those in which distributions have their own."""
    paths = [path for path in (apt / "sources.list.d").glob("*") if path.suffix in _SUFFIXES]
    return [apt / "sources.list", *sorted(paths, key=lambda path: (path.stem not in _OWN, path))]


def _sources(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Each source of a file that brings programs: its address, and the suites of it."""
    if not path.exists():
        return
    text = _COMMENT.sub("", path.read_text(encoding="utf-8"))
    if path.suffix != ".sources":
        yield from ((address, [suite]) for address, suite in _LINE.findall(text))
        return
    for stanza in text.split("\n\n"):
        fields = {name.lower(): value.split() for name, value in _FIELD.findall(stanza)}
        if "deb" in fields.get("types", []) and _OFF.isdisjoint(fields.get("enabled", [])):
            yield from ((address, fields.get("suites", [])) for address in fields.get("uris", []))


def _first_mirror(address: str) -> str:
    if not address.startswith(_MIRRORS):
        return address
    listed = Path(address.removeprefix(_MIRRORS))
    return listed.read_text(encoding="utf-8").split()[0]
