"""Test all installers of one build: their format, and installing, updating and removing them."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from installers import forms
from installers.payload import Payload
from processes import run, say
from system_packages import SystemPackage, bring

from clean_room import base, checks, wine
from clean_room.previous_release_stub import make_previous_release
from clean_room.room import Steps

# Debian installs Wine outside of PATH, so its full path is given.
_PROGRAMS: Final = (
    SystemPackage("debootstrap", "debootstrap"),
    SystemPackage("makensis", "nsis"),
    SystemPackage(wine.wine_program(), "wine64"),
    SystemPackage("desktop-file-validate", "desktop-file-utils"),
    SystemPackage("appstreamcli", "appstream"),
    SystemPackage("lintian", "lintian"),
)
CHECKS: Final = {
    forms.DEB: checks.check_deb,
    forms.RPM: checks.check_rpm,
    forms.ARCHIVE: checks.check_archive,
}


def make_ready(releases: Sequence[str] = ()) -> None:
    """Install what the tests need, or print how to, and check that the releases exist.

    Args:
        releases: The code names of the systems to test installers on.

    Raises:
        Failed: A clean room cannot be made here, or a prerequisite cannot be installed.
    """
    base.check_possible()
    bring(_PROGRAMS, "Testing installers")
    for release in releases:
        base.check_known(release)


def run_tests(payload: Payload, made: Path, releases: Sequence[str] = ()) -> list[Steps]:
    """Test each installer in a clean room, and the one for Windows under wine.

    Args:
        payload: What the installers were made of.
        made: Where the installers are, all of them.
        releases: The code names of the systems to test them on; this system's by default.

    Returns:
        What was done, and how long it took.

    Raises:
        Failed: A step did.
    """
    done = [check_form(made / forms.DEB.file_name(payload.version))]
    for release in releases or [base.own_release()]:
        done += _test_on(base.make_ready(release), payload, made)
    done.append(wine.check_windows())
    for steps in done:
        say(f"{steps.subject}: passed in {steps.seconds():.0f} s.")
    return done


def _test_on(root: Path, payload: Payload, made: Path) -> list[Steps]:
    with TemporaryDirectory(dir=base.FOLDER, prefix="files-") as work:
        folder = Path(work)
        folder.chmod(0o755)
        previous = make_previous_release(payload, folder / "previous")
        for form in CHECKS:
            shutil.copy(made / form.file_name(payload.version), folder)
            form.make(previous, folder)
        package = folder / forms.DEB.file_name(payload.version)
        depends = run(
            ["dpkg-deb", "--field", package, "Depends"], doing="Reading what is depended on"
        ).strip()
        return [
            check(root, _release(form, folder, previous, payload, depends))
            for form, check in CHECKS.items()
        ]


def _release(
    form: forms.Form, folder: Path, previous: Payload, payload: Payload, depends: str
) -> checks.Release:
    old, new = (form.file_name(one.version) for one in (previous, payload))
    return checks.Release(folder, old, new, payload.version, depends)


def check_form(package: Path) -> Steps:
    """Check the form of what is in the Debian package by the programs of distributions.

    Raises:
        Failed: One of them found an error.
    """
    steps = Steps(f"the form of {package.name}")
    with TemporaryDirectory() as work:
        run(["dpkg-deb", "--extract", package, work], doing="Unpacking the package")
        share = Path(work, "usr", "share")
        (desktop,) = share.glob("applications/*.desktop")
        (metainfo,) = share.glob("metainfo/*.xml")
        looks: dict[str, list[str | Path]] = {
            "desktop-file-validate": [desktop],
            "appstreamcli": ["validate", "--no-net", "--explain", metainfo],
            "lintian": ["--fail-on", "error", "--allow-root", package],
        }
        for name, argv in looks.items():
            with steps.step(f"{name} finds no error"):
                run([name, *argv], doing=f"Asking {name}")
    return steps
