"""The approval cards of the open chat."""

import json
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.approvals.gate import Chosen
from app.approvals.offers import offers_for
from app.approvals.queue import (
    Allowed,
    Answered,
    ApprovalQueue,
    Card,
    Decision,
    Denied,
    Edited,
    PauseCard,
    Released,
)
from app.chat.permissions import Permissions
from app.viewmodels.approval.folder_offer import FolderOffer
from app.viewmodels.approval.held_words import HeldView, held_view
from app.viewmodels.approval.rule_page import RulePage
from app.viewmodels.approval.rule_states import PauseView
from app.viewmodels.approval.rule_words import menu_words
from app.viewmodels.approval.sandbox_words import sandbox_words
from app.viewmodels.approval.states import CardView
from app.viewmodels.approval.tool_words import effect_words, question_of, said_fact, source_words

_LONGEST_EDITED: Final = 20_000


class ApprovalViewModel(QObject):
    """Shows what waits for a decision in one conversation, and takes the decision.

    What a card says is made here from the prepared call, never from the assistant's prose. One
    for the window's life; `show` points it at another conversation or at none.
    """

    cards_changed = Signal(object)
    """The cards to show now, in order; argument: a tuple of `CardView`."""
    pause_changed = Signal(object)
    """Whether the reply may go on is asked; argument: a `PauseView`, or None."""
    held_changed = Signal(object)
    """Whether a result may be told is asked; argument: a `HeldView`, or None."""

    def __init__(self, queue: ApprovalQueue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue = queue
        self.rule_page = RulePage(queue, self)
        self.folder_offer = FolderOffer(self)
        self._conversation_id: str | None = None
        self._unsubscribe: Callable[[], None] = queue.subscribe(self._on_queue_change)

    @property
    def cards(self) -> tuple[CardView, ...]:
        """The cards of the shown conversation."""
        if self._conversation_id is None:
            return ()
        waiting = self._waiting()
        can_rule = self.rule_page.can_open
        return tuple(
            _view_of(card, position, len(waiting), can_rule=can_rule)
            for position, card in enumerate(waiting, 1)
        )

    @property
    def pause(self) -> PauseView | None:
        """The question whether the reply may go on, if that waits."""
        found = self._queue.paused(self._conversation_id) if self._conversation_id else None
        return _pause_of(found) if found else None

    def show_permissions(self, permissions: Permissions | None) -> None:
        """Keeps rules with this profile from now on; None where there are none."""
        self.rule_page.show_permissions(permissions)
        self.folder_offer.show_permissions(permissions)

    @property
    def held(self) -> HeldView | None:
        """The result that waits, if one does."""
        found = self._queue.held(self._conversation_id) if self._conversation_id else None
        return held_view(found) if found else None

    def show(self, conversation_id: str | None) -> None:
        """Shows this conversation's cards from now on."""
        self._conversation_id = conversation_id
        self.folder_offer.decline()
        self._tell()

    def allow(self, request_id: str, generation: int) -> bool:
        """Lets the call run once; false when the card shown is no longer the one that waits."""
        return self._answer(request_id, generation, Allowed())

    def deny(self, request_id: str, generation: int, reason: str) -> bool:
        """Declines the call, and tells the assistant why if `reason` is not empty."""
        return self._answer(request_id, generation, Denied(reason))

    def forbid(self, request_id: str, generation: int, reason: str) -> None:
        """Declines the call, and from now on each call of its tool in this chat, unasked."""
        for card in self._waiting():
            if (card.request_id, card.generation) == (request_id, generation):
                self.rule_page.forbid(card, reason)

    def release(self, request_id: str, generation: int, chosen: Chosen) -> bool:
        """Lets what was chosen of a result be told; `deny` keeps it back."""
        return self._answer(request_id, generation, Released(chosen))

    def answer_instead(self, request_id: str, generation: int, text: str) -> bool:
        """Tells the assistant `text` in place of a result; nothing runs."""
        return self._answer(request_id, generation, Answered(text))

    def edit(self, request_id: str, generation: int, input_text: str) -> bool:
        """Shows the call with this input instead; it is asked again and not allowed by this."""
        return self._answer(request_id, generation, Edited(input_text))

    def open_rule(self, request_id: str, generation: int, index: int) -> None:
        """Opens the page for the rule of this number among those that the card offers."""
        for card in self._waiting():
            if (card.request_id, card.generation) == (request_id, generation):
                self.rule_page.open(card, index)

    async def aclose(self) -> None:
        """Stops following the queue, and ends what is under way."""
        self._unsubscribe()
        await self.rule_page.aclose()
        await self.folder_offer.aclose()

    def _answer(self, request_id: str, generation: int, decision: Decision) -> bool:
        return self._queue.answer(request_id, generation, decision)

    def _on_queue_change(self, conversation_id: str) -> None:
        if conversation_id == self._conversation_id:
            self._tell()

    def _waiting(self) -> tuple[Card, ...]:
        return self._queue.waiting(self._conversation_id) if self._conversation_id else ()

    def _tell(self) -> None:
        self.rule_page.keep_open(self._waiting())
        self.cards_changed.emit(self.cards)
        self.pause_changed.emit(self.pause)
        self.held_changed.emit(self.held)


def _view_of(card: Card, position: int, total: int, *, can_rule: bool) -> CardView:
    request, call = card.request, card.request.prepared
    offers = offers_for(request) if can_rule else ()
    preview = call.preview
    return CardView(
        request_id=card.request.request_id,
        generation=card.generation,
        question=question_of(call),
        effect_words=effect_words(call),
        tool_name=call.tool_name,
        source_words=source_words(call.definition),
        facts=tuple(said_fact(fact) for fact in call.facts if fact.label != "Tool"),
        preview_kind="none" if preview is None else ("diff" if preview.kind == "diff" else "text"),
        preview_text="" if preview is None else preview.text,
        sandbox_words=sandbox_words(call, card.request.sandbox),
        position=position,
        total=total,
        note=_note(card),
        rules=tuple(menu_words(offer.box) for offer in offers),
        input_text=_editable(call.input_text),
        typed=request.typed,
        problem=request.problem,
    )


def _editable(input_text: str) -> str:
    """The input with a line for each part; empty when nobody could edit so much by hand."""
    if len(input_text) > _LONGEST_EDITED:
        return ""
    return json.dumps(json.loads(input_text), ensure_ascii=False, indent=2)


def _note(card: Card) -> str:
    translate = QCoreApplication.translate
    if card.is_again:
        return translate("Approval", "This waited for long, so it was looked at anew.")
    if card.request.original_text:
        return translate("Approval", "You changed the input. The assistant will be told.")
    return ""


def _pause_of(card: PauseCard) -> PauseView:
    translate = QCoreApplication.translate
    return PauseView(
        request_id=card.request_id,
        generation=card.generation,
        question=translate("Approval", "Go on after %n calls?", "", card.call_count),
        words=translate(
            "Approval", "This reply has used tools many times. It waits until you say so."
        ),
    )
