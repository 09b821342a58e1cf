"""Writes a reply down while it streams, at most a moment behind."""

import asyncio
from collections.abc import Callable
from typing import Final

from app.chat.clock import Clock
from app.chat.journal import Journal
from app.store.rows import ReplyPiece

_INTERVAL_S: Final = 0.25


class ReplyRecorder:
    """Keeps the pieces of one live reply. Made for a turn; `run` is a task of its own.

    A write that fails is made good by the journal: the reply goes on meanwhile.
    """

    def __init__(
        self,
        journal: Journal,
        turn_id: str,
        pieces: Callable[[], tuple[ReplyPiece, ...]],
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._turn_id = turn_id
        self._pieces = pieces
        self._clock = clock
        self._changed = asyncio.Event()
        self._given = pieces()

    def note(self) -> None:
        """The reply has changed."""
        self._changed.set()

    async def run(self) -> None:
        """Write every change after at most a quarter of a second, until cancelled."""
        while True:
            await self._changed.wait()
            await self._clock.sleep(_INTERVAL_S)
            await self.flush()

    async def flush(self) -> None:
        """Write what changed, now."""
        self._changed.clear()
        before, pieces = self._given, self._pieces()
        self._given = pieces
        changed = {
            at: piece
            for at, piece in enumerate(pieces)
            if at >= len(before) or piece is not before[at]
        }
        await self._journal.keep_pieces(self._turn_id, changed)
