"""The package for distributions that install by rpm."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap
from typing import Final

from processes import run

from installers import texts, tree
from installers.libraries import find_needs, rpm_requires
from installers.payload import Payload, make_uniform
from installers.product import DESCRIPTION, PACKAGE

_RELEASE: Final = "1"
# The sandbox is what a tool call is held by, so it is never left out.
_ALWAYS: Final = ("bubblewrap",)
_WIDTH: Final = 78


def make(payload: Payload, into: Path, *, is_quick: bool = False) -> Path:
    """Writes the package into the folder `into`.

    Args:
        payload: What is packed.
        into: Where the file goes.
        is_quick: Packs without compressing, for a package that is only installed once in a test.

    Returns:
        The file.

    Raises:
        Failed: `rpmbuild` or `readelf` is missing, or the payload is not whole.
    """
    with TemporaryDirectory(dir=into.absolute(), prefix="rpm-") as work:
        root, made = Path(work, "root"), Path(work, "made")
        root.mkdir()
        tree.lay_out(payload, root / "usr")
        tree.write(
            root / "usr" / "share" / "doc" / PACKAGE / "copyright",
            texts.fill("linux/copyright.in", payload),
        )
        make_uniform(root, payload.moment)
        spec = Path(work, f"{PACKAGE}.spec")
        spec.write_text(write_spec(payload), encoding="utf-8")
        settings = {
            "_topdir": f"{work}/top",
            "_tmppath": work,
            "_rpmdir": str(made),
            "_rpmfilename": "%{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm",
            "_binary_payload": "w0.gzdio" if is_quick else "w8T2.xzdio",
            "staged": str(root),
        }
        defined = [f"--define={name} {value}" for name, value in settings.items()]
        run(
            ["rpmbuild", "-bb", "--quiet", *defined, spec],
            doing="Making the RPM package (on Debian: apt-get install rpm)",
            env={**os.environ, "SOURCE_DATE_EPOCH": str(payload.moment), "LC_ALL": "C.UTF-8"},
        )
        (package,) = made.glob("*.rpm")
        return package.replace(into / package.name)


def write_spec(payload: Payload) -> str:
    """The spec: what the package is, and what must be installed with it."""
    requires = [*rpm_requires(find_needs(payload)), *_ALWAYS]
    return texts.fill(
        "linux/parley.spec.in",
        payload,
        RELEASE=_RELEASE,
        REQUIRES="\n".join(f"Requires: {name}" for name in requires),
        DESCRIPTION="\n\n".join("\n".join(wrap(text, _WIDTH)) for text in DESCRIPTION),
    )
