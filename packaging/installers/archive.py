"""The archive for any Linux: unpack it and start it, or install it for one user."""

import os
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from checkout import PACKAGING, ROOT
from processes import run

from installers import texts, tree
from installers.payload import Payload, make_uniform
from installers.product import NAME

_SCRIPT_MODE: Final = 0o755


def make(payload: Payload, into: Path, *, is_quick: bool = False) -> Path:
    """Writes the archive into the folder `into`.

    Args:
        payload: What is packed.
        into: Where the file goes.
        is_quick: Hardly compresses, for an archive that is only unpacked once in a test.

    Returns:
        The file.

    Raises:
        Failed: `xz` is missing, or the payload is not whole.
    """
    top = f"{NAME}-{payload.version}-linux-{os.uname().machine}"
    target = into / f"{top}.tar.xz"
    with TemporaryDirectory(dir=into, prefix="archive-") as work:
        folder = Path(work, top)
        tree.lay_out(payload, folder)
        for name in ("install.sh", "uninstall.sh"):
            script = (PACKAGING / "linux" / name).read_bytes()
            tree.write(folder / name, script, _SCRIPT_MODE)
        tree.write(folder / "README", texts.fill("linux/README.in", payload))
        tree.write(folder / "LICENSE", (ROOT / "LICENSE").read_bytes())
        plain = Path(work, f"{top}.tar")
        pack(folder, plain, payload.moment)
        # In blocks, so that the bytes do not depend on the number of cores.
        level = "-0" if is_quick else "-8"
        doing = "Compressing (on Debian: apt-get install xz-utils)"
        run(["xz", level, "--threads=2", plain], doing=doing)
        Path(f"{plain}.xz").replace(target)
    return target


def pack(folder: Path, target: Path, moment: int) -> None:
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
