"""`ApprovalViewModel` has the approval cards of the open chat and takes the decisions.

`PendingResultView` is a result with secrets that waits for a decision, as its card shows it.
`FolderOffer` offers a rule by which a folder that was just chosen may be read without asking.
"""

import asyncio
import json
import os
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale, QObject, Signal

from app.approvals.queue import (
    Allowed,
    AnsweredInstead,
    ApprovalQueue,
    Denied,
    Edited,
    PendingApproval,
    PendingPause,
    PendingRelease,
    Released,
    Resolution,
)
from app.approvals.result_review import PendingResult, ReleaseChoice
from app.approvals.rule_engine import suggest_rules
from app.approvals.rules import FolderScope
from app.chat.workspace import RulePermissions
from app.common.error_messages import ErrorMessage
from app.tasks import TaskOwner
from app.viewmodels.approval.call_texts import (
    CardView,
    effect_words,
    no_rule_words,
    question_of,
    said_fact,
    sandbox_words,
    source_words,
)
from app.viewmodels.approval.rule_page import RulePage
from app.viewmodels.approval.rule_texts import PauseView, menu_words, short_path
from app.viewmodels.i18n import error_handler, translate_marked
from local_tools.secrets.scan import Secret
from local_tools.tool import FactKind


class FolderOffer(QObject):
    """An offer of a rule for the folder that was just chosen. One for the window's life."""

    changed = Signal(str)
    """The folder that is offered, as it is shown, or nothing."""
    failed = Signal(object)
    """The rule could not be kept; argument: the `ErrorMessage`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        self._permissions: RulePermissions | None = None
        self._folder: Path | None = None
        self._unsubscribe: Callable[[], None] | None = None

    def show_permissions(self, permissions: RulePermissions | None) -> None:
        """Keep rules with this profile from now on; None where there are none."""
        self._follow(permissions)
        self.decline()

    def make(self, folder: Path) -> None:
        """Offer this folder, unless it may be read already or no sandbox would hold."""
        self.decline()
        if self._permissions is not None:
            self._tasks.start(self._offer(self._permissions, folder), name="offer a folder")

    def accept(self) -> None:
        """Allow reading in the folder without asking, in every chat."""
        folder, permissions = self._folder, self._permissions
        if folder is not None and permissions is not None:
            self._tasks.start(permissions.allow_reading(folder), name="allow reading")
        self.decline()

    def decline(self) -> None:
        """Withdraw the offer; every call asks as before."""
        self._folder = None
        self.changed.emit("")

    async def aclose(self) -> None:
        """End what is under way."""
        self._follow(None)
        await self._tasks.aclose()

    def _follow(self, permissions: RulePermissions | None) -> None:
        if self._unsubscribe:
            self._unsubscribe()
        self._permissions = permissions
        self._unsubscribe = (
            permissions.rules.subscribe(self._on_rules_changed) if permissions else None
        )

    def _on_rules_changed(self) -> None:
        if self._folder is not None and self._permissions is not None:
            self._tasks.start(self._withdraw(self._permissions, self._folder), name="look at rules")

    async def _withdraw(self, permissions: RulePermissions, folder: Path) -> None:
        """Withdraw the offer of a folder that a rule made elsewhere has opened."""
        if folder == self._folder and await _may_be_read(permissions, folder):
            self.decline()

    async def _offer(self, permissions: RulePermissions, folder: Path) -> None:
        if not (await permissions.sandbox()).is_whole:
            return
        if await _may_be_read(permissions, folder):
            return
        self._folder = folder
        self.changed.emit(short_path(str(folder), permissions.home))

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self.failed.emit(words)


async def _may_be_read(permissions: RulePermissions, folder: Path) -> bool:
    # Rules name folders by their real paths; resolving one may wait for a slow drive.
    real = await asyncio.to_thread(os.path.realpath, folder)
    return any(
        isinstance(rule.scope, FolderScope) and rule.scope.folder == real and not rule.ended
        for rule in permissions.rules.rules
    )


@dataclass(frozen=True, slots=True)
class SecretView:
    """One secret: where it stands in the text, `mark` in its place, `words` about it."""

    start: int
    end: int
    mark: str
    words: str


@dataclass(frozen=True, slots=True)
class PendingResultView:
    """A result that would be told to the assistant; an answer names `request_id`, `generation`.

    `text` is all of it, with nothing masked. `about` is what the tool was about, shown in the
    typeface of code. `is_statement` says that `question` states what was found and asks nothing.
    """

    request_id: str
    generation: int
    question: str
    title: str
    about: str
    words: str
    text: str
    secrets: tuple[SecretView, ...] = ()
    is_statement: bool = False


def pending_result_view(card: PendingRelease) -> PendingResultView:
    """Return the card of a result that waits."""
    translate, result = QCoreApplication.translate, card.result
    count = len(result.secrets)
    question = translate("Approval", "This result contains %n secrets", "", count)
    words = translate(
        "Approval",
        "The assistant would receive the text below and a note that something was masked. "
        "Nothing has been sent yet.",
    )
    if not count:
        question = translate("Approval", "Send this result to the assistant?")
        words = translate(
            "Approval", "The assistant would receive the text below. Nothing has been sent yet."
        )
    return PendingResultView(
        request_id=card.request_id,
        generation=card.generation,
        question=question,
        title=translate_marked("Tools", result.title),
        about=result.target,
        words=words,
        text=result.text,
        secrets=_secrets_of(result),
        is_statement=bool(count),
    )


def _secrets_of(result: PendingResult) -> tuple[SecretView, ...]:
    # Counted once for all secrets: a result may be long.
    breaks = [at for at, sign in enumerate(result.text) if sign == "\n"] if result.secrets else []
    return tuple(_secret_view(secret, breaks) for secret in result.secrets)


def _secret_view(secret: Secret, breaks: Sequence[int]) -> SecretView:
    translate, count = QCoreApplication.translate, QLocale().toString
    kind = translate_marked("Secrets", secret.kind)
    words = translate("Approval", "{kind}, line {line}, {count} characters").format(
        kind=kind[:1].upper() + kind[1:],
        line=count(bisect_right(breaks, secret.start) + 1),
        count=count(secret.end - secret.start),
    )
    mark = translate("Approval", "[masked: {kind}]").format(kind=kind)
    return SecretView(secret.start, secret.end, mark, words)


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
    pending_result_changed = Signal(object)
    """Whether a result may be told is asked; argument: a `PendingResultView`, or None."""

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

    def show_permissions(self, permissions: RulePermissions | None) -> None:
        """Keep rules with this profile from now on; None where there are none."""
        self.rule_page.show_permissions(permissions)
        self.folder_offer.show_permissions(permissions)

    @property
    def pending_result(self) -> PendingResultView | None:
        """The result that waits; None where none does."""
        found = (
            self._queue.pending_release(self._conversation_id) if self._conversation_id else None
        )
        return pending_result_view(found) if found else None

    def show(self, conversation_id: str | None) -> None:
        """Show this conversation's cards from now on."""
        self._conversation_id = conversation_id
        # The folder that is offered was chosen in the chat before.
        self.folder_offer.decline()
        self._emit_changes()

    def allow(self, request_id: str, generation: int) -> bool:
        """Allow the call once; return False when the card shown is no longer the one that waits."""
        return self._answer(request_id, generation, Allowed())

    def deny(self, request_id: str, generation: int, reason: str) -> bool:
        """Deny the call; the assistant is told the reason unless it is empty."""
        return self._answer(request_id, generation, Denied(reason))

    def forbid(self, request_id: str, generation: int, reason: str) -> None:
        """Deny the call, and every later one of its tool in this chat, without asking."""
        for card in self._waiting():
            if (card.request_id, card.generation) == (request_id, generation):
                self.rule_page.forbid(card, reason)

    def release(self, request_id: str, generation: int, chosen: ReleaseChoice) -> bool:
        """Send what was chosen of a result; `deny` keeps it back."""
        return self._answer(request_id, generation, Released(chosen))

    def answer_instead(self, request_id: str, generation: int, text: str) -> bool:
        """Send `text` to the assistant in place of a result; nothing runs."""
        return self._answer(request_id, generation, AnsweredInstead(text))

    def edit(self, request_id: str, generation: int, input_text: str) -> bool:
        """Show the call with this input instead; it is asked again and not allowed by this."""
        return self._answer(request_id, generation, Edited(input_text))

    def open_rule(self, request_id: str, generation: int, index: int) -> None:
        """Open the page for the rule of this number among those that the card offers."""
        for card in self._waiting():
            if (card.request_id, card.generation) == (request_id, generation):
                self.rule_page.open(card, index)

    async def aclose(self) -> None:
        """Stop following the queue, and end what is under way."""
        self._unsubscribe()
        await self.rule_page.aclose()
        await self.folder_offer.aclose()

    def _answer(self, request_id: str, generation: int, resolution: Resolution) -> bool:
        return self._queue.answer(request_id, generation, resolution)

    def _on_queue_change(self, conversation_id: str) -> None:
        if conversation_id == self._conversation_id:
            self._emit_changes()

    def _waiting(self) -> tuple[PendingApproval, ...]:
        return self._queue.waiting(self._conversation_id) if self._conversation_id else ()

    def _emit_changes(self) -> None:
        self.rule_page.keep_open(self._waiting())
        self.cards_changed.emit(self.cards)
        self.pause_changed.emit(self.pause)
        self.pending_result_changed.emit(self.pending_result)


def _view_of(card: PendingApproval, position: int, total: int, *, can_rule: bool) -> CardView:
    request, call = card.request, card.request.prepared
    offers = suggest_rules(request) if can_rule else ()
    preview = call.preview
    blocker = request.call_scope.blocker if request.call_scope is not None else None
    return CardView(
        request_id=card.request.request_id,
        generation=card.generation,
        question=question_of(call),
        effect_words=effect_words(call),
        tool_name=call.tool_name,
        source_words=source_words(call.definition),
        facts=tuple(said_fact(fact) for fact in call.facts if fact.kind is not FactKind.TOOL),
        preview_kind="none" if preview is None else ("diff" if preview.kind == "diff" else "text"),
        preview_text="" if preview is None else preview.text,
        sandbox_words=sandbox_words(call, card.request.sandbox),
        position=position,
        total=total,
        note=_note(card),
        rules=tuple(menu_words(offer.scope) for offer in offers),
        no_rule_words=no_rule_words(blocker) if can_rule and blocker is not None else "",
        input_text=_editable(call.input_text),
        typed=request.typed,
        problem=request.problem,
    )


def _editable(input_text: str) -> str:
    """Return the input with a line for each part; empty when nobody could edit so much by hand."""
    if len(input_text) > _LONGEST_EDITED:
        return ""
    return json.dumps(json.loads(input_text), ensure_ascii=False, indent=2)


def _note(card: PendingApproval) -> str:
    translate = QCoreApplication.translate
    if card.is_again:
        return translate("Approval", "This request waited a long time, so it was checked again.")
    if card.request.original_text:
        return translate("Approval", "You changed the input. The assistant will be told.")
    return ""


def _pause_of(card: PendingPause) -> PauseView:
    translate = QCoreApplication.translate
    return PauseView(
        request_id=card.request_id,
        generation=card.generation,
        question=translate("Approval", "Continue after %n tool calls?", "", card.call_count),
        words=translate(
            "Approval", "This reply has used many tools. It is paused until you continue."
        ),
    )
