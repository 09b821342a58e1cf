"""What the settings show of tool servers."""

from dataclasses import dataclass
from typing import Literal

from app.viewmodels.states import Dot


@dataclass(frozen=True, slots=True)
class SignInView:
    """How the sign-in at a server stands.

    Attributes:
        kind: `none` where nobody has to; `waiting` for the person in the browser.
        host: Whose page the browser shows; empty before it is known.
        problem: Why the last one came to nothing; empty for no reason.
        is_kept: Where one is done: it outlives the program.
    """

    kind: Literal["none", "wanted", "waiting", "done"] = "none"
    host: str = ""
    problem: str = ""
    is_kept: bool = True


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
        given: The variables or headers that it is given; without a value where that is secret.
        limits: What it may use of this computer; empty for an address.
        can_start_again: It ended for good, and could be started anew.
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
    limits: str = ""
    problem: str = ""
    can_start_again: bool = False
    sign_in: SignInView = SignInView()
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
