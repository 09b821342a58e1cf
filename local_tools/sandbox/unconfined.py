"""No sandbox: the program runs with all the rights of the user, and the state says so."""

from contextlib import ExitStack
from typing import Final

from local_tools.sandbox.state import Program, SandboxKind, Start, Terms


class Unconfined:
    """Starts programs as they are. Lives as long as the program."""

    kind: Final[SandboxKind] = "none"

    def missing(self) -> str:
        """Nothing is needed for it."""
        return ""

    def start(self, program: Program, terms: Terms, held: ExitStack) -> Start:
        """The program itself, whatever the terms."""
        del terms, held
        return Start(program.argv)
