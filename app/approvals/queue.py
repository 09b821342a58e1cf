"""The decisions that are waited for: each request ends exactly once."""

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from app.approvals.gate import Chosen, HeldResult
from app.approvals.observers import Observers
from app.approvals.request import ToolRequest
from app.approvals.stopwatch import Clock, ComputerClock, Moment

EXPIRES_AFTER_S: Final = 600.0


@dataclass(frozen=True, slots=True)
class Allowed:
    """The call may run, this once."""


@dataclass(frozen=True, slots=True)
class Denied:
    """The call may not run; `reason` is what the person wrote, or empty."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """The call may not run; the person says `text` in place of its result."""

    text: str


@dataclass(frozen=True, slots=True)
class Edited:
    """The person wants to see the call with this input instead, as JSON; nothing is allowed yet."""

    input_text: str


@dataclass(frozen=True, slots=True)
class Released:
    """A result that waited may be told: what was chosen of it."""

    chosen: Chosen = field(default_factory=Chosen)


@dataclass(frozen=True, slots=True)
class Expired:
    """An answer came after so long that the call has to be looked at and asked again."""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Nobody decided, and nobody will: the queue was closed."""


Decision: TypeAlias = Allowed | Denied | Answered | Edited | Released | Expired | Withdrawn


@dataclass(frozen=True, slots=True)
class Card:
    """A request that waits; an answer has to name its `generation`, which is never used again.

    `is_again` says that it was asked before, and answered too late.
    """

    request: ToolRequest
    generation: int
    is_again: bool = False

    @property
    def conversation_id(self) -> str:
        """The chat that it stands in."""
        return self.request.conversation_id

    @property
    def request_id(self) -> str:
        """What an answer has to name."""
        return self.request.request_id


@dataclass(frozen=True, slots=True)
class PauseCard:
    """A reply has made many calls, and a person is asked whether it may go on."""

    conversation_id: str
    call_count: int
    generation: int

    @property
    def request_id(self) -> str:
        """What an answer has to name."""
        return f"pause#{self.call_count}"


@dataclass(frozen=True, slots=True)
class ReleaseCard:
    """A tool has run, and a person is asked whether its result may be told."""

    held: HeldResult
    generation: int

    @property
    def conversation_id(self) -> str:
        """The chat that it stands in."""
        return self.held.conversation_id

    @property
    def request_id(self) -> str:
        """What an answer has to name."""
        return f"release#{self.held.call_id}"


AnyCard: TypeAlias = Card | PauseCard | ReleaseCard


@dataclass(slots=True)
class _Waiting:
    card: AnyCard
    future: asyncio.Future[Decision]
    since: Moment


class ApprovalQueue:
    """Holds one future for each request, in order for each conversation; decides nothing itself.

    A request ends by an answer, by cancellation of whoever asked, or by `close`; its card is gone
    at that moment, and a later answer is dropped. A card that has waited too long is not allowed
    by a click: it ends, to be asked again. Made once for the program.
    """

    def __init__(
        self,
        clock: Clock | None = None,
        expires_after_s: Callable[[], float] = lambda: EXPIRES_AFTER_S,
    ) -> None:
        """Take the time, and how long a card may wait; that is asked for at each answer."""
        self._clock = clock or ComputerClock()
        self._expires_after_s = expires_after_s
        self._waiting: dict[int, _Waiting] = {}
        self._generations = itertools.count(1)
        self._observers: Observers[[str]] = Observers()
        self._is_closed = False

    async def ask(self, request: ToolRequest, *, is_again: bool = False) -> Decision:
        """Show a card for `request` and wait for its end."""
        return await self._wait(Card(request, next(self._generations), is_again))

    async def pause(self, conversation_id: str, call_count: int) -> Decision:
        """Ask whether a reply that made so many calls may go on."""
        return await self._wait(PauseCard(conversation_id, call_count, next(self._generations)))

    async def release(self, held: HeldResult) -> Decision:
        """Ask whether a result may be told; `Denied` keeps it back."""
        return await self._wait(ReleaseCard(held, next(self._generations)))

    def held(self, conversation_id: str) -> ReleaseCard | None:
        """The result that waits, if one does."""
        cards = (card for card in self._of(conversation_id) if isinstance(card, ReleaseCard))
        return next(cards, None)

    def waiting(self, conversation_id: str) -> tuple[Card, ...]:
        """The cards of a conversation, in the order in which they were asked."""
        return tuple(card for card in self._of(conversation_id) if isinstance(card, Card))

    def paused(self, conversation_id: str) -> PauseCard | None:
        """The question whether to go on, if that waits."""
        cards = (card for card in self._of(conversation_id) if isinstance(card, PauseCard))
        return next(cards, None)

    def is_asking(self, conversation_id: str) -> bool:
        """Whether anything waits for a person."""
        return bool(self._of(conversation_id))

    def is_current(self, request_id: str, generation: int) -> bool:
        """Whether this card waits and can still be allowed; one that waited too long ends."""
        entry = self._waiting.get(generation)
        if entry is None or entry.card.request_id != request_id or entry.future.done():
            return False
        if entry.since.passed_s(self._clock) > self._expires_after_s():
            self._end(entry, Expired())
            return False
        return True

    def answer(self, request_id: str, generation: int, decision: Decision) -> bool:
        """Decide about the card that was shown; False when that is not the one that waits.

        A no may come late.
        """
        is_yes = isinstance(decision, Allowed | Edited | Released)
        if is_yes and not self.is_current(request_id, generation):
            return False
        entry = self._waiting.get(generation)
        if entry is None or entry.card.request_id != request_id or entry.future.done():
            return False
        self._end(entry, decision)
        return True

    def decline(self, conversation_id: str, reason: str) -> None:
        """Deny whatever waits in a conversation."""
        for entry in tuple(self._waiting.values()):
            if entry.card.conversation_id == conversation_id:
                self._end(entry, Denied(reason))

    def subscribe(self, on_change: Callable[[str], None]) -> Callable[[], None]:
        """Be told the conversation whose cards changed; what is returned ends it."""
        return self._observers.add(on_change)

    def close(self) -> None:
        """Withdraw every request, now and from now on: the program ends."""
        self._is_closed = True
        for entry in tuple(self._waiting.values()):
            self._end(entry, Withdrawn())

    async def _wait(self, card: AnyCard) -> Decision:
        if self._is_closed:
            return Withdrawn()
        future: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self._waiting[card.generation] = _Waiting(card, future, Moment.of(self._clock))
        self._observers.tell(card.conversation_id)
        try:
            return await future
        finally:
            # An answer has already taken the card away; a cancellation has not.
            if self._waiting.pop(card.generation, None) is not None:
                self._observers.tell(card.conversation_id)

    def _of(self, conversation_id: str) -> tuple[AnyCard, ...]:
        cards = (entry.card for entry in self._waiting.values())
        return tuple(card for card in cards if card.conversation_id == conversation_id)

    def _end(self, entry: _Waiting, decision: Decision) -> None:
        del self._waiting[entry.card.generation]
        if not entry.future.done():
            entry.future.set_result(decision)
        self._observers.tell(entry.card.conversation_id)
