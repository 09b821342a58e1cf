"""The archive for any Linux: unpack and start it, or install it for one user."""

import platform
import tarfile
import textwrap
from pathlib import Path
from typing import Final

from checkout import PACKAGING, ROOT
from processes import run

from installers import tree
from installers.libraries import Needs, debian_names, find_needs
from installers.payload import Payload, make_uniform
from installers.product import NAME

_SCRIPT_MODE: Final = 0o755
_SUFFIX: Final = ".tar.xz"
_INSTALL: Final = "  sudo apt-get install bubblewrap"
_WIDTH: Final = 96


def file_name(version: str) -> str:
    """Return the file name of a version's archive."""
    return f"{NAME}-{version}-linux-{platform.machine()}{_SUFFIX}"


def pack(payload: Payload, target: Path) -> None:
    """Pack the archive (see `forms.Form`); needs `xz` and `readelf`."""
    folder = target.parent / target.name.removesuffix(_SUFFIX)
    tree.lay_out(payload, folder)
    for name in ("install.sh", "uninstall.sh"):
        script = (PACKAGING / "linux" / name).read_bytes()
        tree.write(folder / name, script, _SCRIPT_MODE)
    tree.write(folder / "README", read_me(payload, find_needs(payload)))
    tree.write(folder / "LICENSE", (ROOT / "LICENSE").read_bytes())
    plain = target.with_suffix("")
    write_tar(folder, plain, payload.moment)
    compression = ("-0",) if payload.is_quick else tree.COMPRESSION
    doing = "Compressing (on Debian: apt-get install xz-utils)"
    run(["xz", *compression, plain], doing=doing)


def read_me(payload: Payload, needs: Needs) -> str:
    """Return what to read first: how it is started and installed, and what it needs of the system.

    Raises:
        Failed: It needs a library of which no package is known.
    """
    names = " ".join([_INSTALL, *debian_names(needs)])
    lines = textwrap.wrap(
        names, _WIDTH, subsequent_indent="    ", break_on_hyphens=False, break_long_words=False
    )
    return tree.fill("linux/README.in", payload, PACKAGES=" \\\n".join(lines))


def write_tar(folder: Path, target: Path, moment: int) -> None:
    """Pack a folder as tar: in one order, with one owner, time and rights, whoever packs it."""
    make_uniform(folder, moment)
    with tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as archive:
        for path in (folder, *sorted(folder.rglob("*"))):
            entry = archive.gettarinfo(path, path.relative_to(folder.parent).as_posix())
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            if entry.isreg():
                with path.open("rb") as file:
                    archive.addfile(entry, file)
            else:
                archive.addfile(entry)
