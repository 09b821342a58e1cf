"""Which installers are made where, and the programs of the system that make them."""

import sys
from pathlib import Path
from typing import Final

from processes import say
from system_packages import SystemPackage, bring

from installers import product
from installers.forms import LINUX, MACOS, WINDOWS, Form
from installers.payload import Payload

_PROGRAMS: Final = (
    SystemPackage("dpkg-deb", "dpkg"),
    SystemPackage("rpmbuild", "rpm"),
    SystemPackage("xz", "xz-utils"),
    SystemPackage("readelf", "binutils"),
)


def makeable() -> tuple[Form, ...]:
    """Return what this system can make, of what it froze or of what another one did."""
    if sys.platform == "win32":
        return ()
    return (MACOS,) if sys.platform == "darwin" else (*LINUX, WINDOWS)


def make(payload: Payload, into: Path) -> None:
    """Make every installer that this system makes of what it froze itself.

    Args:
        payload: The frozen folder; on macOS, the bundle is beside it.
        into: Where the files go.

    Raises:
        Failed: A program that is needed is missing, or did not succeed.
    """
    forms = [form for form in makeable() if form is not WINDOWS]
    if not forms:
        say("The installer for Windows is packed on Linux: dev.py build --pack-windows FOLDER.")
    if sys.platform == "linux":
        bring(_PROGRAMS, "Making installers")
    if forms and not product.IS_ADDRESS_READ:
        say(
            f"The installers name {product.ADDRESS} as their publisher's address, which nobody "
            "reads: set authors in pyproject.toml."
        )
    for form in forms:
        say(f"Making {form.file_name(payload.version)}.")
        form.make(payload, into)
