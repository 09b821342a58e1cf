"""What every installer says of the product, in one place."""

import re
import tomllib
from pathlib import Path
from typing import Final

from checkout import ROOT
from processes import Failed

NAME: Final = "parley"
TITLE: Final = "Parley"
# As packages of Linux name it: distributions have a "parley" of somebody else, which they would
# offer as its newer version, and which has a program of the same name.
PACKAGE: Final = "parley-chat"
# As macOS, AppStream and Flatpak name a program: from an address, turned round.
APP_ID: Final = "org.parley.Parley"
PUBLISHER: Final = "The Parley authors"
# Whoever publishes packages puts an address here that is read.
MAINTAINER: Final = f"{PUBLISHER} <packages@parley.invalid>"
LICENCE: Final = "Apache-2.0"
SUMMARY: Final = "chat with assistants that ask before they act on your computer"
DESCRIPTION: Final = (
    "You write, a reply streams in. When the assistant needs something from your computer, such as "
    "a file, a folder or a command, Parley shows exactly what would run, and runs nothing before "
    "you have said yes.",
    "Parley talks to any service that implements its interface, and brings one along that works "
    "offline.",
)
# The window, the service, and the tools with their workers.
PROGRAMS: Final = ("parley", "parley-server", "parley-tools")
_PROJECT: Final = ROOT / "pyproject.toml"
# As `app/updates` reads it in an announcement.
_VERSION: Final = re.compile(r"\d{1,6}(?:\.\d{1,6}){1,3}")


def read_version(project: Path = _PROJECT) -> str:
    """The version in pyproject.toml, which is the only place that holds it.

    Raises:
        Failed: It is none that updates and every kind of installer can compare.
    """
    with project.open("rb") as file:
        version = str(tomllib.load(file)["project"]["version"])
    if not _VERSION.fullmatch(version):
        raise Failed(
            f"The version {version} in {project.name} is not two to four numbers with dots, such "
            "as 1.2.3: nobody could be told what is newer."
        )
    return version
