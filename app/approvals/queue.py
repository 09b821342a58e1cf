"""The decisions that are waited for: each request ends exactly once."""

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from app.approvals.observers import Observers
from app.approvals.request import ToolRequest


@dataclass(frozen=True, slots=True)
class Allowed:
    """The call may run, this once."""


@dataclass(frozen=True, slots=True)
class Denied:
    """The call may not run; `reason` is what the person wrote, or empty."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Nobody decided, and nobody will: the queue was closed."""


Decision: TypeAlias = Allowed | Denied | Withdrawn


@dataclass(frozen=True, slots=True)
class Card:
    """A request that waits; an answer has to name its `generation`, which is never used again."""

    request: ToolRequest
    generation: int


class ApprovalQueue:
    """Holds one future for each request, in order for each conversation; decides nothing itself.

    A request ends by an answer, by cancellation of whoever asked, or by `close`; its card is gone
    at that moment, and a later answer is dropped. Made once for the program.
    """

    def __init__(self) -> None:
        self._waiting: dict[int, tuple[Card, asyncio.Future[Decision]]] = {}
        self._generations = itertools.count(1)
        self._observers: Observers[[str]] = Observers()
        self._is_closed = False

    async def ask(self, request: ToolRequest) -> Decision:
        """Show a card for `request` and wait for its end."""
        if self._is_closed:
            return Withdrawn()
        future: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        card = Card(request, next(self._generations))
        self._waiting[card.generation] = (card, future)
        self._observers.tell(request.conversation_id)
        try:
            return await future
        finally:
            # An answer has already taken the card away; a cancellation has not.
            if self._waiting.pop(card.generation, None) is not None:
                self._observers.tell(request.conversation_id)

    def waiting(self, conversation_id: str) -> tuple[Card, ...]:
        """The cards of a conversation, in the order in which they were asked."""
        return tuple(
            card
            for card, _ in self._waiting.values()
            if card.request.conversation_id == conversation_id
        )

    def answer(self, request_id: str, generation: int, decision: Decision) -> bool:
        """Decide about the card that was shown; False when that is not the one that waits."""
        entry = self._waiting.get(generation)
        if entry is None or entry[0].request.request_id != request_id or entry[1].done():
            return False
        self._end(entry[0], decision)
        return True

    def decline(self, conversation_id: str, reason: str) -> None:
        """Deny whatever waits in a conversation."""
        for card in self.waiting(conversation_id):
            self._end(card, Denied(reason))

    def subscribe(self, on_change: Callable[[str], None]) -> Callable[[], None]:
        """Be told the conversation whose cards changed; what is returned ends it."""
        return self._observers.add(on_change)

    def close(self) -> None:
        """Withdraw every request, now and from now on: the program ends."""
        self._is_closed = True
        for card, _ in tuple(self._waiting.values()):
            self._end(card, Withdrawn())

    def _end(self, card: Card, decision: Decision) -> None:
        _, future = self._waiting.pop(card.generation)
        if not future.done():
            future.set_result(decision)
        self._observers.tell(card.request.conversation_id)
