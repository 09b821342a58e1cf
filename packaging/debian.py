"""Installing packages of Debian and its relatives: into the system, or beside the checkout."""

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from processes import Failed, run

# Libraries that are not where the system looks also look for their data elsewhere.
_DATA: Final = {
    "FONTCONFIG_PATH": "etc/fonts",
    "XKB_CONFIG_ROOT": "usr/share/X11/xkb",
}
_INSTALL: Final = ("install", "--no-install-recommends")


def is_here() -> bool:
    """Tells whether this system installs its packages by apt."""
    return shutil.which("apt-get") is not None


def lasting_command(packages: Sequence[str]) -> str:
    """The line with which a person installs `packages` for good."""
    return f"sudo apt-get install -y --no-install-recommends {' '.join(packages)}"


def install(packages: Sequence[str]) -> None:
    """Installs into the system; needs root.

    Raises:
        Failed: apt did not find or could not install them.
    """
    # Another apt may be at work, as on a machine that has just started.
    apt = ("apt-get", "-o", "DPkg::Lock::Timeout=120")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run([*apt, "update"], doing="Reading the list of system packages", env=env)
    run([*apt, *_INSTALL, "-y", *packages], doing="Installing system packages", env=env)


def unpack(packages: Sequence[str], folder: Path) -> None:
    """Downloads packages with all that they need and unpacks them into `folder`; needs no rights.

    Raises:
        Failed: apt did not find them, or the network did not answer.
    """
    work = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(work, ignore_errors=True)
    debs, lists, cache = work / "debs", work / "lists", work / "cache"
    for path in (debs, lists / "partial", cache / "archives" / "partial"):
        path.mkdir(parents=True)
    # The system's own lists may be missing or old, and only root may renew them.
    apt = ("apt-get", "-o", f"Dir::State::Lists={lists}", "-o", f"Dir::Cache={cache}")
    run([*apt, "update"], doing="Reading the list of system packages")
    plan = run([*apt, "--simulate", *_INSTALL, *packages], doing="Looking up system packages")
    # "Inst NAME (new version": without the brackets of a version that is already installed.
    names = re.findall(r"^Inst (\S+) \(", plan, re.MULTILINE)
    run([*apt, "download", *names], doing="Fetching system packages", cwd=debs)
    for deb in sorted(debs.glob("*.deb")):
        run(["dpkg-deb", "--extract", deb, work / "root"], doing=f"Unpacking {deb.name}")
    if not (work / "root").is_dir():
        raise Failed(f"There is nothing to unpack for {' '.join(packages)}.")
    shutil.rmtree(folder, ignore_errors=True)
    (work / "root").rename(folder)
    shutil.rmtree(work)


def variables(folder: Path) -> dict[str, str]:
    """The environment in which programs find what `unpack` put into `folder`."""
    places = [str(place) for top in ("lib", "usr/lib") for place in folder.glob(f"{top}/*-linux-*")]
    found = [*places, *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    data = {
        name: str(folder / place)
        for name, place in _DATA.items()
        if (folder / place).is_dir() and not Path("/", place).exists()
    }
    return {"LD_LIBRARY_PATH": os.pathsep.join(found), **data}
