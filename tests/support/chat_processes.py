"""The program as another process that chats by itself, to be killed.

See `chat_child`, and `engine_chat_child` for one with its own service and a model file.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_LIMIT_S = 20.0


class Child:
    """The program as another process; made by `chatting`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    async def comes_to(self, line: str) -> None:
        """Wait until it says this."""
        assert self._process.stdout is not None
        async with asyncio.timeout(_LIMIT_S):
            async for said in self._process.stdout:
                if said.decode().strip() == line:
                    return
        raise AssertionError(f"the program ended before it came to {line!r}")

    async def is_killed(self) -> None:
        """Kill it."""
        self._process.kill()
        await self._process.wait()

    async def is_followed(self, on_line: Callable[[str], None], lines: int | None = None) -> None:
        """Pass on this many lines of its output, or all until its end."""
        assert self._process.stdout is not None
        heard = 0
        while lines is None or heard < lines:
            async with asyncio.timeout(_LIMIT_S):
                said = await self._process.stdout.readline()
            if not said and lines is None:
                return
            assert said, f"the program ended after {heard} lines"
            on_line(said.decode().strip())
            heard += 1


@asynccontextmanager
async def chatting(
    data: Path, address: tuple[str, str], text: str, *, mode: str = "watch"
) -> AsyncIterator[Child]:
    """Run `tests.support.chat_child` until the end of the block, or until it is killed."""
    async with _running("chat_child", str(data), *address, text, mode) as child:
        yield child


@asynccontextmanager
async def chatting_with_engine(data: Path, model: Path, name: str) -> AsyncIterator[Child]:
    """Run `tests.support.engine_chat_child` until the end of the block, or until it is killed."""
    async with _running("engine_chat_child", str(data), str(model), name) as child:
        yield child


@asynccontextmanager
async def _running(module: str, *arguments: str) -> AsyncIterator[Child]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", f"tests.support.{module}", *arguments),
        stdout=asyncio.subprocess.PIPE,
        cwd=_ROOT,
    )
    try:
        yield Child(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
