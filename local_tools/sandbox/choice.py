"""Choose the best sandbox that works on this computer; probes once.

`SandboxChoice` tries those of `sandboxes_of_system` in order. If none works, programs run with all
rights of the user, and the `SandboxState` says so: `Unconfined`, or on Windows `JobObject`.
"""

import asyncio
import logging
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias

from local_tools.programs import program_of
from local_tools.sandbox.bubblewrap import Bubblewrap
from local_tools.sandbox.job_object import JobObject
from local_tools.sandbox.landlock import Landlock
from local_tools.sandbox.probe import probe
from local_tools.sandbox.protected_paths import ProtectedPaths, protected_paths
from local_tools.sandbox.seatbelt import Seatbelt
from local_tools.sandbox.types import (
    LaunchSpec,
    Program,
    Sandbox,
    SandboxKind,
    SandboxRequest,
    SandboxState,
    nothing_holds,
)
from local_tools.threads import run_in_thread


class Unconfined:
    """Starts programs without a sandbox. Lives as long as the program."""

    kind: Final[SandboxKind] = "none"

    def missing(self) -> str:
        """Return an empty text: it is always available."""
        return ""

    def start(self, program: Program, terms: SandboxRequest, held: ExitStack) -> LaunchSpec:
        """Return the program itself, whatever the terms."""
        del terms, held
        return LaunchSpec(program.argv)


log = logging.getLogger(__name__)

Probe: TypeAlias = Callable[[Sandbox], SandboxState]


class SandboxChoice:
    """Chooses among sandboxes, best first. Lives as long as the program.

    If none confines files and network, programs run unconfined, and the state says so.
    """

    def __init__(self, kinds: Sequence[Sandbox], probe: Probe = probe) -> None:
        """Take what there is to choose from.

        Args:
            kinds: Best first.
            probe: Finds out what one holds; called in a thread, at most once for each.
        """
        self._kinds = tuple(kinds)
        self._probe = probe
        self._found: tuple[Sandbox, SandboxState] | None = None
        self._lock = asyncio.Lock()

    async def sandbox(self) -> Sandbox:
        """Return the chosen sandbox; the first call probes."""
        return (await self._choose())[0]

    async def state(self) -> SandboxState:
        """Return what the chosen sandbox enforces; the first call probes."""
        return (await self._choose())[1]

    def settled(self) -> "SandboxChoice | None":
        """Return a copy with the result, for another event loop; None before the probe."""
        if self._found is None:
            return None
        kind, state = self._found
        other = SandboxChoice((kind,), lambda _kind: state)
        other._found = self._found
        return other

    async def _choose(self) -> tuple[Sandbox, SandboxState]:
        async with self._lock:
            if self._found is None:
                # Its thread must not outlive the loop, whoever stops waiting meanwhile.
                self._found = await run_in_thread(self._try_each)
            return self._found

    def _try_each(self) -> tuple[Sandbox, SandboxState]:
        began_at = time.monotonic()
        doubts: list[str] = []
        chosen: tuple[Sandbox, SandboxState] | None = None
        for kind in self._kinds:
            state = self._probe(kind)
            doubts += [reason for reason in state.reasons if reason not in doubts]
            if state.holds_files and state.holds_network:
                chosen = kind, replace(state, reasons=tuple(doubts))
                break
        fallback = JobObject() if sys.platform == "win32" else Unconfined()
        found = chosen or (fallback, nothing_holds(fallback.kind, *doubts))
        took_ms = (time.monotonic() - began_at) * 1000
        log.info("Sandbox: %s (%.0f ms). %s", found[1].kind, took_ms, found[1].reason)
        return found


def sandboxes_of_system(
    places: ProtectedPaths | None = None, home: Path | None = None
) -> tuple[Sandbox, ...]:
    """Return all sandboxes, best first; those of other systems report themselves as missing."""
    found_home = home or Path.home()
    protected = places or protected_paths(found_home)
    return (
        Bubblewrap(protected, found_home),
        Landlock(protected, program_of("confine")),
        Seatbelt(protected),
    )
