"""A minimal Debian-like root file system, made once by debootstrap and cached under `build`."""

import os
import re
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from checkout import ROOT
from processes import Failed, run, say

FOLDER: Final = ROOT / "build" / "clean-room"
_APT: Final = Path("/etc/apt")
_CODENAME: Final = re.compile(r"^VERSION_CODENAME=(\w+)", re.MULTILINE)
_CONFIGURATION: Final = re.compile(r'^Acquire::[^"]* "[^"]+";$', re.MULTILINE)
_LEFT_BY_TESTS: Final = ("room-", "files-", "wine-")
# Has one file for each release that debootstrap can make.
_SCRIPTS: Final = Path("/usr/share/debootstrap/scripts")
_OLD_S: Final = 6 * 3600.0
_TOOLS: Final = ("unshare", "pivot_root", "setpriv")

_SUFFIXES: Final = (".list", ".sources")
# Names in the sources files of distributions; sources of others may have suites of the same name.
_OWN: Final = ("debian", "ubuntu")
_OFF: Final = frozenset({"no", "No", "false", "off"})
_COMMENT: Final = re.compile(r"^#.*\n?", re.MULTILINE)
_LINE: Final = re.compile(r"^deb[ \t]+(?:\[[^]]*\][ \t]+)?(\S+)[ \t]+(\S+)", re.MULTILINE)
# A field with its continuation lines.
_FIELD: Final = re.compile(r"^(\w[\w-]*):(.*(?:\n[ \t].*)*)", re.MULTILINE)
# Names a file with a list of mirrors, in order of preference.
_MIRRORS: Final = "mirror+file:"


def own_release() -> str:
    """Return the code name of the Debian or relative that this is ("bookworm")."""
    match = _CODENAME.search(Path("/etc/os-release").read_text(encoding="utf-8"))
    if match is None:
        raise Failed("This system does not say which release it is; name one, such as bookworm.")
    return match[1]


def make_ready(release: str) -> Path:
    """Make the system of one release unless it exists; return its root.

    Packages come from the same mirror as those of this system.

    Raises:
        Failed: The network did not answer.
    """
    sweep(FOLDER, time.time())
    root = FOLDER / release
    if root.exists():
        return root
    say(f"Making a minimal {release} for the test of the installers.")
    unfinished = FOLDER / f"{release}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    mirror = find_mirror(_APT, (release, own_release()))
    run(
        ["debootstrap", "--variant=minbase", release, unfinished, mirror],
        doing="Making a minimal system",
        asks_network=True,
    )
    _configure(unfinished, release, mirror)
    unfinished.rename(root)
    return root


def sweep(folder: Path, now: float) -> None:
    """Delete what is left of tests that were killed before they could clean up.

    Args:
        folder: The folder with the rooms.
        now: The time, in seconds since 1970; younger folders may belong to a running test.
    """
    for path in folder.glob("*-*"):
        if path.name.startswith(_LEFT_BY_TESTS):
            # One that ends meanwhile takes its own away.
            with suppress(FileNotFoundError):
                if now - path.stat().st_mtime > _OLD_S:
                    shutil.rmtree(path)


def check_known(release: str, scripts: Path = _SCRIPTS) -> None:
    """Check that debootstrap can make a system of this release.

    Raises:
        Failed: It knows none of this name.
    """
    if not (scripts / release).is_file():
        raise Failed(
            f"debootstrap knows no release {release!r}; those that it knows are in {scripts}."
        )


def check_possible() -> None:
    """Check that a clean room can be made here, and that the programs which enter it are there.

    Raises:
        Failed: Rights or programs are missing.
    """
    if sys.platform != "linux" or os.geteuid() != 0:
        raise Failed("The clean room is made and entered as root on Linux.")
    missing = [name for name in _TOOLS if shutil.which(name) is None]
    if missing:
        raise Failed(
            f"The clean room needs {', '.join(missing)} (on Debian: apt-get install util-linux)."
        )


def components(root: Path) -> str:
    """Return the parts of the archive that hold what Parley depends on; Ubuntu has it in two."""
    words = (root / "etc" / "os-release").read_text(encoding="utf-8").splitlines()
    return "main universe" if "ID=ubuntu" in words else "main"


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


def _configure(root: Path, release: str, mirror: str) -> None:
    """Let the new system fetch packages as this one does: its mirror, its proxy, its caution."""
    apt = root / "etc" / "apt"
    (apt / "sources.list").write_text(
        f"deb {mirror} {release} {components(root)}\n", encoding="utf-8"
    )
    dump = run(["apt-config", "dump"], doing="Asking apt for its settings")
    lines = [line for line in _CONFIGURATION.findall(dump) if "::IndexTargets" not in line]
    settings = "\n".join(lines)
    path = apt / "apt.conf.d" / "90clean-room"
    # The system is thrown away afterwards, so it need not survive a power cut.
    own = 'APT::Install-Recommends "false";\nDPkg::Options { "--force-unsafe-io"; };'
    path.write_text(f"{settings}\n{own}\n", encoding="utf-8")


def _lists(apt: Path) -> list[Path]:
    """Return the files with sources: first those in which distributions have their own."""
    paths = [path for path in (apt / "sources.list.d").glob("*") if path.suffix in _SUFFIXES]
    return [apt / "sources.list", *sorted(paths, key=lambda path: (path.stem not in _OWN, path))]


def _sources(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each source of a file that brings programs: its address, and the suites of it."""
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
