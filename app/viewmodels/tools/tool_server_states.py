"""What the settings show of tool servers."""

from dataclasses import dataclass

from app.viewmodels.states import Dot


@dataclass(frozen=True, slots=True)
class ServerToolRow:
    """One tool of a server. `problem` says why it is not taken; then it cannot be switched on."""

    name: str
    description: str
    effect_words: str
    is_on: bool
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ServerChangeRow:
    """What became of a tool: a sentence, and the change as a diff or a text."""

    words: str
    text: str


@dataclass(frozen=True, slots=True)
class ServerRow:
    """One server, in a line and in full.

    Attributes:
        dot: None while it is off.
        start_text: Exactly what is started or asked.
        is_program: It runs on this computer, so that its bounds can be chosen.
        folder: The one folder that it sees; empty for none.
        given: The names of the variables or headers that it is given.
        hint: What will probably not go as hoped; empty for nothing.
        log: The last that it said, a line each.
    """

    name: str
    words: str
    is_on: bool
    dot: Dot | None
    start_text: str
    is_program: bool
    folder: str
    may_write: bool
    may_connect: bool
    given: tuple[str, ...]
    hint: str = ""
    problem: str = ""
    tools: tuple[ServerToolRow, ...] = ()
    changes: tuple[ServerChangeRow, ...] = ()
    log: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A server of another program, to be taken over. `problem` says why it cannot be.

    Attributes:
        key: Names it among those that were found.
        asks: What has to be answered first, by name, in words.
    """

    key: str
    program: str
    name: str
    start_text: str
    given: tuple[str, ...]
    asks: tuple[tuple[str, str], ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ServersView:
    """All servers. `found` is None until another program's were looked for."""

    rows: tuple[ServerRow, ...] = ()
    problem: str = ""
    found: tuple[FoundRow, ...] | None = None
