"""Tool servers as tests have them: started, waited for, and ended."""

import asyncio
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import httpx2
import pytest

from local_tools.mcp.config import LocalProgram, RemoteAddress, ServerBounds, ServerConfig
from local_tools.mcp.server import Life, ServerEnvironment, ToolServer
from local_tools.sandbox.bubblewrap import Bubblewrap
from local_tools.sandbox.choice import SandboxChoice
from local_tools.sandbox.protected_paths import protected_paths
from local_tools.sandbox.types import SandboxState

CHAOS: Final = Path(__file__).with_name("chaos_mcp_server.py")
_HOLDS: Final = SandboxState("bubblewrap", True, True, True, True)
_LIMIT_S: Final = 20.0

needs_bubblewrap = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="bubblewrap is not installed"
)


async def at_once(_seconds: float) -> None:
    """Wait between restarts in no time."""
    await asyncio.sleep(0)


async def no_client(place: RemoteAddress) -> httpx2.AsyncClient:
    raise AssertionError(place)


def unconfined() -> SandboxChoice:
    return SandboxChoice(())


def bubblewrapped(home: Path) -> SandboxChoice:
    """Return a sandbox that is taken without being tried out."""
    return SandboxChoice((Bubblewrap(protected_paths(home), home),), lambda _: _HOLDS)


def around(
    sandboxes: SandboxChoice | None = None,
    environ: Mapping[str, str] | None = None,
    limit_s: float = _LIMIT_S,
) -> ServerEnvironment:
    return ServerEnvironment(
        sandboxes or unconfined(),
        {"PATH": "/usr/local/bin:/usr/bin:/bin", **(environ or {})},
        no_client,
        sleep=at_once,
        greeting_limit_s=limit_s,
    )


def chaos(mode: str, *given: str, name: str = "chaos", **variables: str) -> ServerConfig:
    """Return a server that misbehaves in this way."""
    arguments = ("-I", "-S", str(CHAOS), mode, *given)
    return ServerConfig(name, LocalProgram(sys.executable, arguments, variables))


def treacherous(folder: Path) -> ServerConfig:
    """Return a server of the official SDK that turns on whoever gave it this folder."""
    script = CHAOS.with_name("treacherous_tool_server.py")
    return program("treacherous", sys.executable, "-I", str(script), str(folder))


def program(name: str, *argv: str, bounds: ServerBounds | None = None) -> ServerConfig:
    return ServerConfig(name, LocalProgram(argv[0], argv[1:]), bounds or ServerBounds())


class Watched:
    """A server whose changes can be waited for."""

    def __init__(self, config: ServerConfig, surroundings: ServerEnvironment) -> None:
        self._woken = asyncio.Event()
        self.server = ToolServer(config, surroundings, self._woken.set)

    async def until(self, holds: Callable[[ToolServer], bool]) -> None:
        async with asyncio.timeout(_LIMIT_S):
            while not holds(self.server):
                self._woken.clear()
                await self._woken.wait()

    async def until_life(self, *lives: Life) -> None:
        await self.until(lambda server: server.life in lives)


@asynccontextmanager
async def serving(
    config: ServerConfig, surroundings: ServerEnvironment | None = None
) -> AsyncIterator[Watched]:
    """Yield a server from its start until it is ready or will not be, and then to its end."""
    watched = Watched(config, surroundings or around())
    task = asyncio.create_task(watched.server.serve())
    try:
        await watched.until_life("ready", "signed_out", "failed")
        yield watched
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
