"""The interface of sandboxes: the request of a call, and the result of the probe."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

SandboxKind: TypeAlias = Literal["bubblewrap", "landlock", "seatbelt", "job-object", "none"]


@dataclass(frozen=True, slots=True)
class SandboxState:
    """What a sandbox enforces, as the probe found it.

    Attributes:
        holds_files: Nothing outside the call's folder can be written, no secret can be read.
        holds_places: Even in a folder that may be written, what steers other programs
            (`.git/hooks`, `.mcp.json`, the files of a shell) cannot.
        holds_network: Nothing reaches the network, nor another program through a socket.
        holds_processes: No process of others can be seen, read or signalled, and none of its own
            survives the call.
        reasons: Why a protection is missing, and why no better sandbox was chosen; English
            sentences that the window translates. Empty if everything holds.
    """

    kind: SandboxKind
    holds_files: bool
    holds_places: bool
    holds_network: bool
    holds_processes: bool
    reasons: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """The reasons as one English text."""
        return " ".join(self.reasons)

    @property
    def is_whole(self) -> bool:
        """Whether everything is enforced. Otherwise a person decides about every call."""
        return (
            self.holds_files and self.holds_places and self.holds_network and self.holds_processes
        )


def nothing_holds(kind: SandboxKind, *reasons: str) -> SandboxState:
    """Return the state of a sandbox that enforces nothing."""
    return SandboxState(kind, False, False, False, False, reasons)


@dataclass(frozen=True, slots=True)
class SandboxRequest:
    """What one call may access.

    Attributes:
        root: The only folder, its path without links; None if the call names no path.
        may_write: The folder may be written; nothing else ever may.
        may_connect: The network may be used.
    """

    root: Path | None = None
    may_write: bool = False
    may_connect: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """A program to run inside.

    Attributes:
        argv: The program (absolute path) and its arguments.
        folders: The program's own folders: readable inside, never writable.
    """

    argv: tuple[str, ...]
    folders: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class LaunchSpec:
    """The command that starts a confined program.

    Attributes:
        argv: The command to start instead of the program itself.
        descriptors: The descriptors to inherit besides the standard streams.
        process_limit: How many processes it may have at once; 0 for no limit, where the kernel
            would count all processes of the user.
        tells_signals_as_codes: Its exit code is 128 + N if the program was ended by signal N.
        kept: Paths in the folder that the sandbox itself protects.
    """

    argv: tuple[str, ...]
    descriptors: tuple[int, ...] = ()
    process_limit: int = 0
    tells_signals_as_codes: bool = False
    kept: tuple[Path, ...] = ()


class Sandbox(Protocol):
    """A way to confine programs. Made once; starts any number of programs."""

    @property
    def kind(self) -> SandboxKind:
        """The kind of sandbox."""

    def missing(self) -> str:
        """Return why it cannot even be tried here, as a sentence; empty when it can."""

    def start(self, program: Program, terms: SandboxRequest, held: ExitStack) -> LaunchSpec:
        """Prepare to start `program` within `terms`. Reads the disk: call it in a thread.

        Args:
            program: The program to run.
            terms: What it may access.
            held: Gets the clean-up to do after the program has ended.

        Raises:
            ToolError: When it cannot be confined as the terms demand; then nothing may run.
        """
