"""What the settings show of a person's own tools."""

from dataclasses import dataclass

from app.viewmodels.states import Dot


@dataclass(frozen=True, slots=True)
class OwnToolRow:
    """One tool of a folder. `problem` says why it is not offered."""

    name: str
    description: str
    effect_words: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class OwnSetRow:
    """One folder of tools, in a line and in full.

    Attributes:
        package: The package that brought it; empty for a folder of the person's own.
        dot: None while it is off.
        can_allow: It can be allowed as it is shown.
        findings: What is wrong with it, a sentence each.
        shown: Its whole code, or what changed in it.
        shown_title: Which of the two.
        fingerprint: Binds what is allowed to what was shown.
    """

    name: str
    title: str
    words: str
    is_on: bool
    dot: Dot | None
    package: str = ""
    can_allow: bool = False
    problem: str = ""
    tools: tuple[OwnToolRow, ...] = ()
    findings: tuple[str, ...] = ()
    shown: str = ""
    shown_title: str = ""
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class OwnToolsView:
    """All folders, and where they lie."""

    folder: str
    rows: tuple[OwnSetRow, ...] = ()
    problem: str = ""
