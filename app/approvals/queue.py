"""The queue of questions that wait for a person; each request ends exactly once.

`ApprovalRequest` is what a person decides on, the `Pending…` classes are what waits, and `Allowed`
to `Withdrawn` are the ways in which it ends. `ApprovalQueue` joins a request with its one end.
"""

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from app.approvals.call_scope import CallScope
from app.approvals.result_review import PendingResult, ReleaseChoice
from app.common.clock import Clock, SystemClock, Timestamp
from app.common.observable import Subscribers
from local_tools.execution.prepare import PreparedCall
from local_tools.sandbox.types import SandboxState, nothing_holds

_NO_SANDBOX: Final = nothing_holds("none")


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """One call that waits for a decision: what is shown is what would run.

    `prepared` is frozen with everything that the card shows, and `sandbox` is what was found to
    hold where it would run. `request_id` names this call with this content, so that an answer to
    anything else cannot be taken for an answer to it.

    Attributes:
        call_scope: What it would touch, for rules about it; None where rules are not known.
        original_text: What the assistant asked for, when the person changed the input.
        problem: Why the input that the person typed could not be taken, and `typed` what it was.
    """

    conversation_id: str
    call_id: str
    prepared: PreparedCall
    sandbox: SandboxState = _NO_SANDBOX
    call_scope: CallScope | None = None
    original_text: str = ""
    typed: str = ""
    problem: str = ""

    @property
    def request_id(self) -> str:
        """The call's id with the hash of all that would run."""
        return f"{self.call_id}#{self.prepared.sha256}"


EXPIRES_AFTER_S: Final = 600.0


@dataclass(frozen=True, slots=True)
class Allowed:
    """The call may run, this once."""


@dataclass(frozen=True, slots=True)
class Denied:
    """The call may not run; `reason` is what the person wrote, or empty."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class AnsweredInstead:
    """The call may not run; the person says `text` in place of its result."""

    text: str


@dataclass(frozen=True, slots=True)
class Edited:
    """The person wants to see the call with this input instead, as JSON; nothing is allowed yet."""

    input_text: str


@dataclass(frozen=True, slots=True)
class Released:
    """A person lets the assistant have a result that waited, as far as it was `chosen`."""

    chosen: ReleaseChoice = field(default_factory=ReleaseChoice)


@dataclass(frozen=True, slots=True)
class Expired:
    """An answer came after so long that the call has to be looked at and asked again."""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Nobody decided, and nobody will: the queue was closed."""


Resolution: TypeAlias = Allowed | Denied | AnsweredInstead | Edited | Released | Expired | Withdrawn


@dataclass(frozen=True, slots=True)
class PendingApproval:
    """A request that waits; an answer has to name its `generation`, which is never used again.

    `is_again` says that it was asked before, and answered too late.
    """

    request: ApprovalRequest
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
class PendingPause:
    """A reply has made many calls, and a person is asked whether it may go on."""

    conversation_id: str
    call_count: int
    generation: int

    @property
    def request_id(self) -> str:
        """What an answer has to name."""
        return f"pause#{self.call_count}"


@dataclass(frozen=True, slots=True)
class PendingRelease:
    """A tool has run, and a person is asked whether its result may be told."""

    result: PendingResult
    generation: int

    @property
    def conversation_id(self) -> str:
        """The chat that it stands in."""
        return self.result.conversation_id

    @property
    def request_id(self) -> str:
        """What an answer has to name."""
        return f"release#{self.result.call_id}"


AnyCard: TypeAlias = PendingApproval | PendingPause | PendingRelease


@dataclass(slots=True)
class _Waiting:
    card: AnyCard
    future: asyncio.Future[Resolution]
    since: Timestamp


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
        self._clock = clock or SystemClock()
        self._expires_after_s = expires_after_s
        self._waiting: dict[int, _Waiting] = {}
        # Never used again: a click on a card that was replaced under the pointer answers nothing.
        self._generations = itertools.count(1)
        self._observers: Subscribers[[str]] = Subscribers()
        self._is_closed = False

    async def ask(self, request: ApprovalRequest, *, is_again: bool = False) -> Resolution:
        """Show a card for `request` and wait for its end; `is_again` as in `PendingApproval`."""
        return await self._wait(PendingApproval(request, next(self._generations), is_again))

    async def pause(self, conversation_id: str, call_count: int) -> Resolution:
        """Ask whether a reply that made so many calls may go on."""
        return await self._wait(PendingPause(conversation_id, call_count, next(self._generations)))

    async def release(self, result: PendingResult) -> Resolution:
        """Ask whether a result may be told; `Denied` keeps it back."""
        return await self._wait(PendingRelease(result, next(self._generations)))

    def pending_release(self, conversation_id: str) -> PendingRelease | None:
        """Return the result that waits, if one does."""
        cards = (card for card in self._of(conversation_id) if isinstance(card, PendingRelease))
        return next(cards, None)

    def waiting(self, conversation_id: str) -> tuple[PendingApproval, ...]:
        """Return the cards of a conversation, in the order in which they were asked."""
        return tuple(
            card for card in self._of(conversation_id) if isinstance(card, PendingApproval)
        )

    def paused(self, conversation_id: str) -> PendingPause | None:
        """Return the question whether to go on, if that waits."""
        cards = (card for card in self._of(conversation_id) if isinstance(card, PendingPause))
        return next(cards, None)

    def is_asking(self, conversation_id: str) -> bool:
        """Return whether anything waits for a person."""
        return bool(self._of(conversation_id))

    def is_current(self, request_id: str, generation: int) -> bool:
        """Return whether this card waits and can still be allowed; one that has expired ends."""
        entry = self._waiting.get(generation)
        if entry is None or entry.card.request_id != request_id or entry.future.done():
            return False
        if entry.since.passed_s(self._clock) > self._expires_after_s():
            self._end(entry, Expired())
            return False
        return True

    def answer(self, request_id: str, generation: int, resolution: Resolution) -> bool:
        """Decide about the card that was shown; False when that is not the one that waits.

        A no may come late.
        """
        # A late no does no harm; a late yes would allow what nobody has looked at for long.
        is_yes = isinstance(resolution, Allowed | Edited | Released)
        if is_yes and not self.is_current(request_id, generation):
            return False
        entry = self._waiting.get(generation)
        if entry is None or entry.card.request_id != request_id or entry.future.done():
            return False
        self._end(entry, resolution)
        return True

    def decline(self, conversation_id: str, reason: str) -> None:
        """Deny whatever waits in a conversation."""
        # A copy: each end takes its entry out.
        for entry in tuple(self._waiting.values()):
            if entry.card.conversation_id == conversation_id:
                self._end(entry, Denied(reason))

    def subscribe(self, on_change: Callable[[str], None]) -> Callable[[], None]:
        """Call `on_change` with each conversation whose cards changed; returns what ends that."""
        return self._observers.subscribe(on_change)

    def close(self) -> None:
        """Withdraw every request, now and from now on: the program ends."""
        self._is_closed = True
        for entry in tuple(self._waiting.values()):
            self._end(entry, Withdrawn())

    async def _wait(self, card: AnyCard) -> Resolution:
        # A turn that comes late must not wait for a window that is gone.
        if self._is_closed:
            return Withdrawn()
        future: asyncio.Future[Resolution] = asyncio.get_running_loop().create_future()
        self._waiting[card.generation] = _Waiting(card, future, Timestamp.of(self._clock))
        self._observers.notify(card.conversation_id)
        try:
            return await future
        finally:
            # An answer has already taken the card away; a cancellation has not.
            if self._waiting.pop(card.generation, None) is not None:
                self._observers.notify(card.conversation_id)

    def _of(self, conversation_id: str) -> tuple[AnyCard, ...]:
        cards = (entry.card for entry in self._waiting.values())
        return tuple(card for card in cards if card.conversation_id == conversation_id)

    def _end(self, entry: _Waiting, resolution: Resolution) -> None:
        # Before the observers are told: whoever looks then sees no card that is answered.
        del self._waiting[entry.card.generation]
        if not entry.future.done():
            entry.future.set_result(resolution)
        self._observers.notify(entry.card.conversation_id)
