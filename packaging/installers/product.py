"""The product's names and texts, shared by all installers."""

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
# The reverse-DNS name for macOS, AppStream and Flatpak.
APP_ID: Final = "org.parley.Parley"
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
# Without characters that have a special meaning in one of the files that get the name.
_NAME_OF_PUBLISHER: Final = re.compile(r"[^\"$%<>\\\x00-\x1f]+")
_ADDRESS_OF_PUBLISHER: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
# As `app/updates` reads it in an announcement.
_VERSION: Final = re.compile(r"\d{1,6}(?:\.\d{1,6}){1,3}")


def read_publisher(project: Path = _PROJECT) -> tuple[str, str]:
    """Return name and email address of the publisher, from pyproject.toml.

    Raises:
        Failed: It has no author with both.
    """
    with project.open("rb") as file:
        authors = tomllib.load(file)["project"].get("authors", [])
    match authors:
        case [{"name": str(name), "email": str(address)}] if _NAME_OF_PUBLISHER.fullmatch(
            name
        ) and _ADDRESS_OF_PUBLISHER.fullmatch(address):
            return name, address
    raise Failed(f"authors in {project.name} must be one name and address: packages name them.")


def read_version(project: Path = _PROJECT) -> str:
    """Return the version in pyproject.toml, which is the only place that holds it.

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


PUBLISHER, ADDRESS = read_publisher()
MAINTAINER: Final = f"{PUBLISHER} <{ADDRESS}>"
# Addresses that nobody can have end so (RFC 2606).
IS_ADDRESS_READ: Final = not ADDRESS.endswith(".invalid")
