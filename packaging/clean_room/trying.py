"""The whole test of the installers of one build: how they are made, and what they do."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from installers import making
from installers.payload import Payload
from processes import Failed, run, say
from system_packages import SystemPackage, bring

from clean_room import base, checks, wine
from clean_room.steps import Steps

# Wine has its programs where nothing else looks, so its own word counts.
_PROGRAMS: Final = (
    SystemPackage("debootstrap", "debootstrap"),
    SystemPackage("makensis", "nsis"),
    SystemPackage(wine.wine_program(), "wine64"),
    SystemPackage("desktop-file-validate", "desktop-file-utils"),
    SystemPackage("appstreamcli", "appstream"),
    SystemPackage("lintian", "lintian"),
)
_CHECKS: Final = (checks.check_deb, checks.check_rpm, checks.check_archive)


def make_ready() -> None:
    """Installs what trying needs, or says how to.

    Raises:
        Failed: There can be no clean room, or something is missing that cannot be installed from
            here.
    """
    base.check_possible()
    bring(_PROGRAMS, "Trying installers")


def try_out(payload: Payload, made: Sequence[Path], releases: Sequence[str] = ()) -> list[Steps]:
    """Tries each installer in a clean room, and the one for Windows under wine.

    Args:
        payload: What the installers were made of.
        made: The installers, in the order of `making.make`.
        releases: The code names of the systems to try them on; this system's by default.

    Returns:
        What was done, and how long it took.

    Raises:
        Failed: An installer is missing or a step failed.
    """
    missing = [path.name for path in made if not path.is_file()]
    if missing:
        raise Failed(f"{', '.join(missing)}: make the installers first by dev.py build.")
    done = [check_form(made[0])]
    for release in releases or [base.own_release()]:
        done += _try_on(base.make_ready(release), payload, made)
    done.append(wine.check_windows())
    for steps in done:
        say(f"{steps.subject}: passed in {steps.seconds():.0f} s.")
    return done


def _try_on(root: Path, payload: Payload, made: Sequence[Path]) -> list[Steps]:
    with TemporaryDirectory(dir=base.FOLDER, prefix="files-") as work:
        folder = Path(work)
        folder.chmod(0o755)
        for path in made:
            shutil.copy(path, folder)
        earlier = making.make_earlier(payload, folder)
        depends = run(
            ["dpkg-deb", "--field", made[0], "Depends"], doing="Reading what is depended on"
        ).strip()
        return [
            check(root, checks.Release(folder, old.name, new.name, payload.version, depends))
            for check, old, new in zip(_CHECKS, earlier, made, strict=True)
        ]


def check_form(package: Path) -> Steps:
    """Has the programs of distributions look at the form of what is in the Debian package.

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
