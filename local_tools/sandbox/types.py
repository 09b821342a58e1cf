"""The interface of sandboxes: what a call asks of one, and what the probe found."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

SandboxKind: TypeAlias = Literal["bubblewrap", "landlock", "seatbelt", "job-object", "none"]


@dataclass(frozen=True, slots=True)
class SandboxState:
    """What was found out by trying forbidden acts inside.

    Attributes:
        holds_files: Nothing outside the call's folder can be written, no secret can be read.
        holds_places: Even in a folder that may be written, what steers other programs
            (`.git/hooks`, `.mcp.json`, the files of a shell) cannot.
        holds_network: Nothing reaches the network, nor another program through a socket.
        holds_processes: No process of others can be seen, read or signalled, and none of its own
            survives the call.
        reasons: Why what does not hold does not, and why no better kind was taken; sentences that
            a window looks up in its own language. None when all holds.
    """

    kind: SandboxKind
    holds_files: bool
    holds_places: bool
    holds_network: bool
    holds_processes: bool
    reasons: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """The sentences as one text, in English."""
        return " ".join(self.reasons)

    @property
    def is_whole(self) -> bool:
        """Whether everything holds. Where it does not, a person decides about every call."""
        return (
            self.holds_files and self.holds_places and self.holds_network and self.holds_processes
        )


def nothing_holds(kind: SandboxKind, *reasons: str) -> SandboxState:
    """Return the state of a sandbox that does not work, or of none."""
    return SandboxState(kind, False, False, False, False, reasons)


@dataclass(frozen=True, slots=True)
class SandboxRequest:
    """What one call may reach.

    Attributes:
        root: The one folder, without links in its path; None when the call names no place.
        may_write: Whether the folder may be written; elsewhere nothing ever is.
        may_connect: Whether the network may be used.
    """

    root: Path | None = None
    may_write: bool = False
    may_connect: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """What is to run inside.

    Attributes:
        argv: The program and its arguments; the program's path is absolute.
        folders: Where its own parts lie: readable inside, and never writable.
    """

    argv: tuple[str, ...]
    folders: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class LaunchSpec:
    """How a confined program is started.

    Attributes:
        argv: What to start instead of the program itself.
        descriptors: What it must inherit, besides the three streams.
        process_limit: How many processes it may have at once, where they are counted apart from
            the user's others; 0 where they are not.
        tells_signals_as_codes: It says 128 + the number when the program was ended by a signal.
        kept: Places in the folder that the sandbox itself holds as they are.
    """

    argv: tuple[str, ...]
    descriptors: tuple[int, ...] = ()
    process_limit: int = 0
    tells_signals_as_codes: bool = False
    kept: tuple[Path, ...] = ()


class Sandbox(Protocol):
    """One way to confine a program. Made once; starts any number of programs."""

    @property
    def kind(self) -> SandboxKind:
        """Which way."""

    def missing(self) -> str:
        """Return why it cannot even be tried here, as a sentence; empty when it can."""

    def start(self, program: Program, terms: SandboxRequest, held: ExitStack) -> LaunchSpec:
        """Make ready to start `program` within `terms`. Looks at files: call it in a thread.

        Args:
            program: What is to run.
            terms: What it may reach.
            held: What must be undone after the program has ended is put here.

        Raises:
            ToolError: When it cannot be confined as the terms demand; then nothing may run.
        """
