"""Make the package for distributions with RPM."""

import os
import platform
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap
from typing import Final

from processes import run

from installers import tree
from installers.libraries import find_needs, rpm_requires
from installers.payload import Payload, make_uniform
from installers.product import DESCRIPTION, PACKAGE

_RELEASE: Final = "1"
# The sandbox of tool calls, so it is always a dependency.
_ALWAYS: Final = ("bubblewrap",)
_WIDTH: Final = 78


def file_name(version: str) -> str:
    """Return the file name of a version's package."""
    return f"{PACKAGE}-{version}-{_RELEASE}.{platform.machine()}.rpm"


def pack(payload: Payload, target: Path) -> None:
    """Pack the package (see `forms.Form`); needs `rpmbuild` and `readelf`."""
    root = target.parent / "root"
    tree.lay_out(payload, root / "usr")
    tree.write(
        root / "usr" / "share" / "doc" / PACKAGE / "copyright",
        tree.fill("linux/copyright.in", payload),
    )
    make_uniform(root, payload.moment)
    # rpmbuild cannot handle a blank or a percent sign in the path of its build root.
    with TemporaryDirectory(dir="/var/tmp", prefix="parley-rpm-") as elsewhere:
        place = Path(elsewhere, "work")
        place.symlink_to(target.parent)
        _build(payload, place, target.name)


def _build(payload: Payload, work: Path, name: str) -> None:
    spec = work / f"{PACKAGE}.spec"
    spec.write_text(write_spec(payload), encoding="utf-8")
    settings = {
        "_topdir": f"{work}/top",
        "_tmppath": f"{work}",
        "_rpmdir": f"{work}",
        "_rpmfilename": name,
        # Without a number of threads it is one stream, as by `tree.COMPRESSION`.
        "_binary_payload": "w0.gzdio" if payload.is_quick else "w9.xzdio",
        "staged": f"{work}/root",
    }
    defined = [f"--define={name} {value}" for name, value in settings.items()]
    run(
        ["rpmbuild", "-bb", "--quiet", *defined, spec],
        doing="Making the RPM package (on Debian: apt-get install rpm)",
        env={**os.environ, "SOURCE_DATE_EPOCH": str(payload.moment), "LC_ALL": "C.UTF-8"},
    )


def write_spec(payload: Payload) -> str:
    """Return the spec: what the package is, and what must be installed with it."""
    requires = [*rpm_requires(find_needs(payload)), *_ALWAYS]
    return tree.fill(
        "linux/parley.spec.in",
        payload,
        RELEASE=_RELEASE,
        REQUIRES="\n".join(f"Requires: {name}" for name in requires),
        DESCRIPTION="\n\n".join("\n".join(wrap(text, _WIDTH)) for text in DESCRIPTION),
    )
