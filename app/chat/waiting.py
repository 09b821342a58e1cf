"""What a person does with the messages that wait: take one back, move it, send it after all."""

from app.chat.journal import Journal
from app.chat.notices import is_held, is_waiting, turn_of
from app.chat.outbox import Outbox
from app.store.errors import StoreError
from app.store.rows import KeptTurn, TurnState


class Waiting:
    """The messages of one chat that were not sent yet. Made by a session, lives as long."""

    def __init__(self, journal: Journal, outbox: Outbox) -> None:
        self._journal = journal
        self._outbox = outbox

    async def take_back(self, key: str) -> str:
        """Take back a message that was not sent; return its text, empty when it was too late.

        Raises:
            StoreError: it could not be written down; the message stays.
        """
        turn = self._find(key)
        if turn is None or not self._outbox.take_back(turn.turn_id):
            return ""
        try:
            await self._journal.withdraw(turn.turn_id)
        except StoreError:
            self._journal.hold(turn.turn_id)
            raise
        return turn.text

    async def move(self, key: str, by: int) -> None:
        """Let a message be sent before (`by` -1) or after (1) the one that waits beside it.

        Raises:
            StoreError: it could not be written down; the order stays.
        """
        turn = self._find(key)
        at_work = self._outbox.current
        if turn is not None and await self._journal.move(turn.turn_id, by, at_work):
            self._outbox.show_order()

    async def send(self, key: str) -> None:
        """Send a held message before others that are; a second click does nothing.

        Raises:
            StoreError: it could not be written down; the message stays held.
        """
        turn = self._find(key)
        if turn is None or not is_held(turn):
            return
        first = next(filter(is_held, self._journal.turns))
        if turn is first:
            await self._journal.advance(turn.turn_id, TurnState.QUEUED)
        else:
            await self._journal.requeue(turn.turn_id)
        self._outbox.add(turn.turn_id)

    def _find(self, key: str) -> KeptTurn | None:
        turn = self._journal.get(turn_of(key))
        return turn if turn is not None and is_waiting(turn) else None
