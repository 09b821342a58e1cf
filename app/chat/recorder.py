"""Writes a reply down while it streams, at most a moment behind."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from app.chat.clock import Clock
from app.chat.journal import Journal
from app.store.errors import StoreError
from app.store.rows import ReplyPiece

log = logging.getLogger(__name__)

_INTERVAL_S: Final = 0.25


class ReplyRecorder:
    """Keeps the pieces of one live reply. Made for a turn; `run` is a task of its own.

    A write that fails is tried again with the next one: the reply goes on meanwhile.
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
        self._written = pieces()
        self._is_up_to_date = True

    @property
    def is_up_to_date(self) -> bool:
        """Whether the last write succeeded."""
        return self._is_up_to_date

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
        pieces = self._pieces()
        before = self._written
        changed = {
            at: piece
            for at, piece in enumerate(pieces)
            if at >= len(before) or piece is not before[at]
        }
        if not changed:
            return
        self._is_up_to_date = False
        try:
            await self._journal.keep_pieces(self._turn_id, changed)
        except StoreError as exc:
            log.warning("A part of a reply was not kept: %s", exc.reason)
        else:
            self._written = pieces
            self._is_up_to_date = True
