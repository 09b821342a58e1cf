"""A part of others that is in the frozen program, as the bill and the licences tell of it."""

import re
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Statement:
    """What somebody says of the licence of a part.

    Attributes:
        source: Where it is written.
        words: What is written there.
        expression: What that is called in SPDX, where it has another name there.
    """

    source: str
    words: str
    expression: str = ""


@dataclass(frozen=True)
class Licence:
    """What is known of the licence of a part.

    Attributes:
        words: An expression of SPDX or the name that was given; empty where nobody gave one.
        is_expression: Which of both.
        source: Where it is written.
    """

    words: str = ""
    is_expression: bool = False
    source: str = ""


@dataclass(frozen=True)
class Component:
    """One part.

    Attributes:
        name: Its name.
        kind: As CycloneDX tells components apart.
        purl: Its package URL; empty where it is in no index.
        version: Its version; empty where nobody says it.
        said: What is said of its licence, the most precise first.
        licence: What follows from that (`licence_names.settled`).
        description: What it is, where its name does not tell.
        sha256: Of the file, where it is a single one: as it lies in the folder, else as its
            makers gave it.
        supplier: Who gave it out as it is, where that is certain: of a package from an index, it
            is not.
        named_by: The list of its makers that names it, where its file cannot be seen.
        is_locked: The lock file has its hashes.
        needs: The packages that it asks for, by the names that indexes compare; None where nobody
            says.
        is_direct: The program itself asks for it.
        may_hold_more: It has code that others compiled, and no list of what went into that.
        parts: What is known to be in it.
    """

    name: str
    kind: Literal["library", "platform", "data"]
    purl: str = ""
    version: str = ""
    said: tuple[Statement, ...] = ()
    licence: Licence = Licence()
    description: str = ""
    sha256: str = ""
    supplier: str = ""
    named_by: str = ""
    is_locked: bool = False
    needs: tuple[str, ...] | None = None
    is_direct: bool = False
    may_hold_more: bool = False
    parts: tuple["Component", ...] = ()

    @property
    def normal_name(self) -> str:
        """Its name as indexes compare those of packages."""
        return normal_name(self.name)


def normal_name(name: str) -> str:
    """A package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()
