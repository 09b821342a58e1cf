"""The archive for any Linux: unpack it and start it, or install it for one user."""

import platform
import tarfile
from pathlib import Path
from typing import Final

from checkout import PACKAGING, ROOT
from processes import run

from installers import texts, tree
from installers.payload import Payload, make_uniform
from installers.product import NAME

_SCRIPT_MODE: Final = 0o755
_SUFFIX: Final = ".tar.xz"


def file_name(version: str) -> str:
    """What the archive of a version is called."""
    return f"{NAME}-{version}-linux-{platform.machine()}{_SUFFIX}"


def pack(payload: Payload, target: Path) -> None:
    """Packs the archive (see `forms.Form`); needs `xz`."""
    folder = target.parent / target.name.removesuffix(_SUFFIX)
    tree.lay_out(payload, folder)
    for name in ("install.sh", "uninstall.sh"):
        script = (PACKAGING / "linux" / name).read_bytes()
        tree.write(folder / name, script, _SCRIPT_MODE)
    tree.write(folder / "README", texts.fill("linux/README.in", payload))
    tree.write(folder / "LICENSE", (ROOT / "LICENSE").read_bytes())
    plain = target.with_suffix("")
    write_tar(folder, plain, payload.moment)
    # In blocks, so that the bytes do not depend on the number of cores.
    level = "-0" if payload.is_quick else "-8"
    doing = "Compressing (on Debian: apt-get install xz-utils)"
    run(["xz", level, "--threads=2", plain], doing=doing)


def write_tar(folder: Path, target: Path, moment: int) -> None:
    """Packs a folder as tar: in one order, with one owner, time and rights, whoever packs it."""
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
