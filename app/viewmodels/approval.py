"""The approval cards of the open chat."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.approvals.queue import Allowed, ApprovalQueue, Card, Decision, Denied
from app.viewmodels.sandbox_words import sandbox_words
from app.viewmodels.states import CardView
from app.viewmodels.tool_words import effect_words, question_of, said_fact


class ApprovalViewModel(QObject):
    """Shows what waits for a decision in one conversation, and takes the decision.

    What a card says is made here from the prepared call, never from the assistant's prose. One
    for the window's life; `show` points it at another conversation or at none.
    """

    cards_changed = Signal(object)
    """The cards to show now, in order; argument: a tuple of `CardView`."""

    def __init__(self, queue: ApprovalQueue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue = queue
        self._conversation_id: str | None = None
        self._unsubscribe: Callable[[], None] = queue.subscribe(self._on_queue_change)

    @property
    def cards(self) -> tuple[CardView, ...]:
        """The cards of the shown conversation."""
        if self._conversation_id is None:
            return ()
        waiting = self._queue.waiting(self._conversation_id)
        return tuple(
            _view_of(card, position, len(waiting)) for position, card in enumerate(waiting, 1)
        )

    def show(self, conversation_id: str | None) -> None:
        """Shows this conversation's cards from now on."""
        self._conversation_id = conversation_id
        self.cards_changed.emit(self.cards)

    def allow(self, request_id: str, generation: int) -> bool:
        """Lets the call run once; false when the card shown is no longer the one that waits."""
        return self._answer(request_id, generation, Allowed())

    def deny(self, request_id: str, generation: int, reason: str) -> bool:
        """Declines the call, and tells the assistant why if `reason` is not empty."""
        return self._answer(request_id, generation, Denied(reason))

    def close(self) -> None:
        """Stops following the queue."""
        self._unsubscribe()

    def _answer(self, request_id: str, generation: int, decision: Decision) -> bool:
        return self._queue.answer(request_id, generation, decision)

    def _on_queue_change(self, conversation_id: str) -> None:
        if conversation_id == self._conversation_id:
            self.cards_changed.emit(self.cards)


def _view_of(card: Card, position: int, total: int) -> CardView:
    call = card.request.prepared
    preview = call.preview
    return CardView(
        request_id=card.request.request_id,
        generation=card.generation,
        question=question_of(call),
        effect_words=effect_words(call),
        tool_name=call.tool_name,
        source_words=QCoreApplication.translate("Approval", "comes with Parley"),
        facts=tuple(said_fact(fact) for fact in call.facts if fact.label != "Tool"),
        preview_kind="none" if preview is None else ("diff" if preview.kind == "diff" else "text"),
        preview_text="" if preview is None else preview.text,
        sandbox_words=sandbox_words(call, card.request.sandbox),
        position=position,
        total=total,
    )
