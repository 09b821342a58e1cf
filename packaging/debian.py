"""Install Debian packages into the system, or unpack them beside the checkout without root."""

import os
import re
import shutil
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from processes import Failed, run

# Unpacked libraries would look for their data in the system; these variables name the unpacked one.
_DATA: Final = {
    "FONTCONFIG_PATH": "etc/fonts",
    "XKB_CONFIG_ROOT": "usr/share/X11/xkb",
}
_INSTALL: Final = ("install", "--no-install-recommends")


def is_here() -> bool:
    """Return whether this system has apt."""
    return shutil.which("apt-get") is not None


def lasting_command(packages: Sequence[str]) -> str:
    """Return the line with which a person installs `packages` for good."""
    return f"sudo apt-get install -y --no-install-recommends {' '.join(packages)}"


def install(packages: Sequence[str]) -> None:
    """Install into the system; needs root.

    Raises:
        Failed: apt did not find or could not install them.
    """
    # Another apt may be at work, as on a machine that has just started.
    options = ("-o", "DPkg::Lock::Timeout=120")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with _renewed_lists(options):
        run(
            ["apt-get", *_INSTALL, "-y", *options, *packages],
            doing="Installing system packages",
            env=env,
            # A half-installed package makes every later installation fail.
            may_be_stopped=False,
            asks_network=True,
        )


class Package(NamedTuple):
    """A package that is installed; `maintainer` is who makes it, without an address."""

    name: str
    version: str
    maintainer: str


def owners_of(paths: Collection[Path]) -> dict[Path, Package]:
    """Return the package that brought each file of the system; asks twice for all.

    Those that no package brought are left out.
    """
    names = {path: _names_of(path) for path in paths}
    if not names or shutil.which("dpkg-query") is None:
        return {}
    # dpkg-query fails if no package owns one of the files, and still prints the other owners.
    asking = ["dpkg-query", "--search", *sorted(set().union(*names.values()))]
    lines = run(asking, doing="Asking for packages", good_codes=(0, 1)).splitlines()
    said = [line.rpartition(": ") for line in lines if not line.startswith("diversion by ")]
    owners = {file: packages.partition(",")[0] for packages, _, file in said}
    found = {
        path: owners[name] for path, own in names.items() for name in sorted(own & owners.keys())
    }
    installed = _installed(sorted({*found.values()}))
    return {path: installed[owner] for path, owner in found.items()}


def _installed(packages: Sequence[str]) -> dict[str, Package]:
    """Return what is known of packages; names are without the machine that `--search` adds."""
    if not packages:
        return {}
    form = "--showformat=${binary:Package}\\t${Package}\\t${Version}\\t${Maintainer}\\n"
    asking = ["dpkg-query", "--show", form, *packages]
    shown = [line.split("\t") for line in run(asking, doing="Asking for versions").splitlines()]
    return {
        package: Package(name, version, maintainer.partition(" <")[0])
        for package, name, version, maintainer in shown
    }


def _names_of(path: Path) -> set[str]:
    """Return all names by which dpkg may know a file: /lib may be a link to /usr/lib."""
    resolved = path.resolve()
    return {str(path), str(resolved), str(Path("/", *resolved.parts[2:]))}


def unpack(packages: Sequence[str], folder: Path) -> None:
    """Download packages and their dependencies, and unpack them into `folder`; needs no root.

    Raises:
        Failed: apt did not find them, or the network did not answer.
    """
    with TemporaryDirectory(dir=folder.parent, prefix="packages-") as work:
        debs, root = Path(work, "debs"), Path(work, "root")
        for path in (debs, root):
            path.mkdir()
        _download(packages, debs, Path(work))
        for deb in sorted(debs.glob("*.deb")):
            run(["dpkg-deb", "--extract", deb, root], doing=f"Unpacking {deb.name}")
        shutil.rmtree(folder, ignore_errors=True)
        root.rename(folder)


def _download(packages: Sequence[str], debs: Path, work: Path) -> None:
    # The system's own lists may be missing or old, and only root may renew them.
    lists, cache = work / "lists", work / "cache"
    for path in (lists / "partial", cache / "archives" / "partial"):
        path.mkdir(parents=True)
    options = ("-o", f"Dir::State::Lists={lists}", "-o", f"Dir::Cache={cache}")
    with _renewed_lists(options):
        simulated = ["apt-get", *_INSTALL, "--simulate", *options, *packages]
        plan = run(simulated, doing="Looking up system packages")
        # "Inst NAME (new version": without the brackets of a version that is already installed.
        names = re.findall(r"^Inst (\S+) \(", plan, re.MULTILINE)
        fetching = ["apt-get", "download", *options, *names]
        run(fetching, doing="Fetching system packages", cwd=debs, asks_network=True)


@contextmanager
def _renewed_lists(options: Sequence[str]) -> Iterator[None]:
    """Renew apt's lists; report a failure of that only if the block fails as well.

    A single source that does not work must not prevent an installation from the others.
    """
    argv = ["apt-get", "update", "-o", "APT::Update::Error-Mode=any", *options]
    reason: Failed | None = None
    try:
        run(argv, doing="Reading the list of system packages", asks_network=True)
    except Failed as failure:
        reason = failure
    try:
        yield
    except Failed as failure:
        raise reason or failure from failure


def variables(folder: Path) -> dict[str, str]:
    """Return the environment in which programs find what `unpack` put into `folder`."""
    places = [str(place) for top in ("lib", "usr/lib") for place in folder.glob(f"{top}/*-linux-*")]
    found = [*places, *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    data = {
        name: str(folder / place)
        for name, place in _DATA.items()
        if (folder / place).is_dir() and not Path("/", place).exists()
    }
    return {"LD_LIBRARY_PATH": os.pathsep.join(found), **data}
