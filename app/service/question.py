"""A question to the service's own program, which answers on its output and ends."""

import asyncio
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.service.command import service_environment

_TIMEOUT_S: Final = 15.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What the program said, and the code that it ended with."""

    code: int
    output: bytes
    errors: bytes


async def ask(command: Sequence[str], environ: Mapping[str, str]) -> Answer:
    """Runs the program to its end, which it reaches within 15 s or by force.

    Of `environ`, which is ours, it sees what the service sees.

    Raises:
        OSError: it cannot be started.
        TimeoutError: it took too long.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=service_environment(environ),
    )
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            output, errors = await process.communicate()
            return Answer(await process.wait(), output, errors)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
