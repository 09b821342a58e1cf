"""Make the package for Debian and its derivatives."""

import hashlib
import os
import platform
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap
from typing import Final

from checkout import PACKAGING
from processes import run

from installers import tree
from installers.libraries import debian_packages, find_needs
from installers.payload import Payload, make_uniform
from installers.product import DESCRIPTION, MAINTAINER, NAME, PACKAGE, SUMMARY

_SCRIPT_MODE: Final = 0o755
# Debian's names of architectures, where they differ from the machine's.
_ARCHITECTURES: Final = {"x86_64": "amd64", "aarch64": "arm64"}
# The sandbox of tool calls, so it is a dependency and no recommendation.
_ALWAYS: Final = ("bubblewrap",)
_RECOMMENDS: Final = "default-dbus-session-bus | dbus-session-bus, gnome-keyring, ripgrep"
_OVERRIDES: Final = "linux/lintian-overrides"
_WIDTH: Final = 78
# The members of a package, in the required order.
_PARTS: Final = ("debian-binary", "control.tar", "data.tar")


def file_name(version: str) -> str:
    """Return the file name of a version's package."""
    return f"{PACKAGE}_{version}_{_architecture()}.deb"


def pack(payload: Payload, target: Path) -> None:
    """Pack the package (see `forms.Form`); needs `dpkg-deb`, `ar`, `xz` and `readelf`."""
    root = target.parent / "root"
    tree.lay_out(payload, root / "usr")
    _add_documents(payload, root / "usr" / "share")
    _add_control(payload, root)
    write_package(root, target, payload.moment, is_quick=payload.is_quick)


def write_package(root: Path, target: Path, moment: int, *, is_quick: bool) -> None:
    """Pack a folder as it will be installed, with its control files, as if root had made it.

    Args:
        root: The folder; below `DEBIAN`, the control files.
        target: The file that is written.
        moment: The time of everything in it.
        is_quick: Compress nothing.

    Raises:
        Failed: A program is missing, or `dpkg-deb` refused a control file.
    """
    make_uniform(root, moment)
    run(
        ["dpkg-deb", "--root-owner-group", "-Znone", "--build", root, target],
        doing="Making the Debian package",
        env={**os.environ, "SOURCE_DATE_EPOCH": str(moment), "LC_ALL": "C.UTF-8"},
    )
    if not is_quick:
        _compress(target)


def _compress(package: Path) -> None:
    """Compress the members of a package, each as one stream.

    `dpkg-deb` itself compresses in blocks, and each block would repeat what the programs share.
    """
    doing = "Compressing the Debian package (on Debian: apt-get install binutils xz-utils)"
    with TemporaryDirectory(dir=package.parent) as work:
        run(["ar", "x", package, *_PARTS], doing=doing, cwd=Path(work))
        run(["xz", *tree.COMPRESSION, *_PARTS[1:]], doing=doing, cwd=Path(work))
        package.unlink()
        parts = [Path(work, name) for name in (_PARTS[0], *(f"{name}.xz" for name in _PARTS[1:]))]
        # Without an index (S), times and owners (D), and not one written over another (q).
        run(["ar", "qcSD", package, *parts], doing=doing)


def control(payload: Payload, size_kib: int) -> str:
    """Return the control file: what the package is, and what must be installed with it."""
    depends = [*debian_packages(find_needs(payload)), *_ALWAYS]
    fields = {
        "Package": PACKAGE,
        "Version": payload.version,
        "Architecture": _architecture(),
        "Maintainer": MAINTAINER,
        "Installed-Size": str(size_kib),
        "Depends": ", ".join(depends),
        "Recommends": _RECOMMENDS,
        "Conflicts": NAME,
        "Section": "net",
        "Priority": "optional",
        "Description": "\n".join([SUMMARY, *_description_lines()]),
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items())


def profile() -> bytes:
    """Return the AppArmor profile; its last line shows postinst and postrm whether it changed."""
    text = (PACKAGING / "linux" / "apparmor").read_bytes()
    return text + f"# {hashlib.sha256(text).hexdigest()}\n".encode()


def _architecture() -> str:
    machine = platform.machine()
    return _ARCHITECTURES.get(machine, machine)


def _description_lines() -> list[str]:
    """Return the description as control files want it: a blank before each line, a dot if empty."""
    paragraphs = ["\n".join(f" {line}" for line in wrap(text, _WIDTH)) for text in DESCRIPTION]
    return "\n .\n".join(paragraphs).splitlines()


def _add_documents(payload: Payload, share: Path) -> None:
    documents = share / "doc" / PACKAGE
    moment = format_datetime(datetime.fromtimestamp(payload.moment, UTC))
    news = "\n".join(f"  {line}" for line in tree.changes().replace("\n- ", "\n* ").splitlines())
    changelog = (
        f"{PACKAGE} ({payload.version}) stable; urgency=medium\n\n  * Packed by the build.\n\n"
        f" -- {MAINTAINER}  {moment}\n"
    )
    tree.write(documents / "changelog.gz", tree.compress(changelog))
    tree.write(documents / "NEWS.gz", tree.compress(f"Changes in Parley\n\n{news}\n"))
    tree.write(documents / "copyright", tree.fill("linux/copyright.in", payload))
    tree.write(share / NAME / "apparmor", profile())
    overrides = (PACKAGING / _OVERRIDES).read_bytes()
    tree.write(share / "lintian" / "overrides" / PACKAGE, overrides)


def _add_control(payload: Payload, root: Path) -> None:
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    size_kib = sum(-(-path.stat().st_size // 1024) for path in files)
    sums = "".join(f"{_md5(path)}  {path.relative_to(root)}\n" for path in files)
    tree.write(root / "DEBIAN" / "md5sums", sums)
    tree.write(root / "DEBIAN" / "control", control(payload, size_kib))
    for name in ("postinst", "postrm"):
        script = (PACKAGING / "linux" / name).read_bytes()
        tree.write(root / "DEBIAN" / name, script, _SCRIPT_MODE)


def _md5(path: Path) -> str:
    # What dpkg compares installed files with; it knows no other.
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
