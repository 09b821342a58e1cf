"""A minimal system of Debian's kind, made once by debootstrap and kept under `build`."""

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Final

from checkout import ROOT
from processes import Failed, run, say

FOLDER: Final = ROOT / "build" / "clean-room"
_APT: Final = Path("/etc/apt")
_MIRROR: Final = re.compile(r"^(?:URIs:|deb(?: \[[^]]*\])?) +(\S+)", re.MULTILINE)
# A file with mirrors, the first of which is asked first.
_MIRRORS: Final = "mirror+file:"
_CODENAME: Final = re.compile(r"^VERSION_CODENAME=(\w+)", re.MULTILINE)
_CONFIGURATION: Final = re.compile(r'^Acquire::[^"]* "[^"]+";$', re.MULTILINE)
_TOOLS: Final = ("unshare", "pivot_root", "setpriv")


def own_release() -> str:
    """The code name of the Debian or relative that this is ("bookworm")."""
    match = _CODENAME.search(Path("/etc/os-release").read_text(encoding="utf-8"))
    if match is None:
        raise Failed("This system does not say which release it is; name one, such as bookworm.")
    return match[1]


def make_ready(release: str) -> Path:
    """Makes the system of one release unless it is there, and gives its root.

    Packages come from where this system has its own from.

    Raises:
        Failed: The network did not answer.
    """
    root = FOLDER / release
    if root.exists():
        return root
    say(f"Making a minimal {release} for the test of the installers.")
    unfinished = FOLDER / f"{release}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    mirror = find_mirror(_APT)
    run(
        ["debootstrap", "--variant=minbase", release, unfinished, mirror],
        doing="Making a minimal system",
        asks_network=True,
    )
    _configure(unfinished, release, mirror)
    unfinished.rename(root)
    return root


def check_possible() -> None:
    """Looks whether there may be a clean room here, and for what it is entered with.

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


def find_mirror(apt: Path) -> str:
    """The address that a system has its packages from.

    Args:
        apt: Its folder of settings for apt.

    Raises:
        Failed: There is none.
    """
    for path in (*sorted(apt.glob("sources.list.d/*.sources")), apt / "sources.list"):
        match = _MIRROR.search(path.read_text(encoding="utf-8")) if path.exists() else None
        if match is not None and match[1].startswith(_MIRRORS):
            listed = Path(match[1].removeprefix(_MIRRORS))
            return listed.read_text(encoding="utf-8").split()[0]
        if match is not None:
            return match[1]
    raise Failed("apt is not told here where packages come from.")


def components(root: Path) -> str:
    """The parts of the archive that hold what Parley depends on; Ubuntu has it in two."""
    words = (root / "etc" / "os-release").read_text(encoding="utf-8").splitlines()
    return "main universe" if "ID=ubuntu" in words else "main"


def _configure(root: Path, release: str, mirror: str) -> None:
    """Lets the new system fetch packages as this one does: its mirror, its proxy, its caution."""
    apt = root / "etc" / "apt"
    (apt / "sources.list").write_text(
        f"deb {mirror} {release} {components(root)}\n", encoding="utf-8"
    )
    dump = run(["apt-config", "dump"], doing="Asking apt for its settings")
    lines = [line for line in _CONFIGURATION.findall(dump) if "::IndexTargets" not in line]
    settings = "\n".join(lines)
    path = apt / "apt.conf.d" / "90clean-room"
    # It is thrown away: what a power cut would leave of it does not matter.
    own = 'APT::Install-Recommends "false";\nDPkg::Options { "--force-unsafe-io"; };'
    path.write_text(f"{settings}\n{own}\n", encoding="utf-8")
