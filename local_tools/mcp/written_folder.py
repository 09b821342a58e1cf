"""The folder that a tool server may write, looked through for what other programs would obey.

Other than the worker of a call, a server lives on and can write at any time. So the first look is
before its program starts, each other one after a call and after the program's end, and each is
compared with the last one: what was made between two calls is found as well. Whether it was the
server that made it, nobody can tell then; it is renamed, with nothing lost.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from local_tools.persistence.persistence_guard import OF_ANYTHING, Snapshot, aftermath_of, scan
from local_tools.threads import run_in_thread

_BY_WHOM: Final = (
    "It was made since the folder was last looked at, by the server or by somebody else."
)


def look_at_folder(root: Path) -> Snapshot:
    """Find out how the folder is before a server starts. Looks at files: call it in a thread."""
    return scan(root, OF_ANYTHING, Path.home())


class WrittenFolder:
    """The folder of a server from one start to its end."""

    def __init__(self, root: Path, before: Snapshot, kept: Sequence[Path]) -> None:
        """Take how it was before the start, and what of it the sandbox holds as it is."""
        self._root = root
        self._last = before
        self._kept = kept
        self._looking = asyncio.Lock()

    async def set_aside(self) -> str:
        """Rename what is new and steers other programs; gives what was done, in sentences."""
        async with self._looking:
            return await run_in_thread(self._set_aside)

    def _set_aside(self) -> str:
        found = aftermath_of(self._root, self._last, self._kept, OF_ANYTHING, Path.home())
        self._last = found.look
        return f"{found.words} {_BY_WHOM}" if found.names else found.words
