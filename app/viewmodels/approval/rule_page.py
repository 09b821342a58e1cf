"""The page that makes a rule from the waiting call and tries it on past calls."""

from dataclasses import replace
from pathlib import PurePosixPath

from PySide6.QtCore import QObject, Signal

from app.approvals.queue import Allowed, ApprovalQueue, Denied, PendingApproval
from app.approvals.rule_engine import RuleSuggestion, suggest_rules
from app.approvals.rule_simulation import SimulationReport
from app.approvals.rules import FolderScope, Rule, RuleLifetime, RuleScope
from app.chat.workspace import RulePermissions
from app.common.error_messages import ErrorMessage
from app.tasks import TaskOwner
from app.viewmodels.approval.call_texts import effect_words
from app.viewmodels.approval.rule_texts import (
    RulePageView,
    page_words,
    question_words,
    span_key,
    span_words,
    trial_rows,
    trial_words,
)
from app.viewmodels.i18n import error_handler


class RulePage(QObject):
    """Makes a rule of one offer: its exceptions and span are chosen, and it is tried each time.

    One for the window's life; `open` points it at a card, `close` away from it.
    """

    changed = Signal(object)
    """The page to show now; argument: a `RulePageView`, or None for none."""

    def __init__(self, queue: ApprovalQueue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue = queue
        route = error_handler(self._on_task_failed)
        # Apart: the next choice cancels a trial, but nothing cancels a rule that is being kept.
        self._tries, self._saves = TaskOwner(route), TaskOwner(route)
        self._permissions: RulePermissions | None = None
        self._card: PendingApproval | None = None
        self._offer: RuleSuggestion | None = None
        self._exceptions: tuple[str, ...] = ()
        self._span = RuleLifetime()
        self._report: SimulationReport | None = None
        self._tried: Rule | None = None
        self._problem: ErrorMessage | None = None

    def show_permissions(self, permissions: RulePermissions | None) -> None:
        """Keep rules with this profile from now on; None where there are none."""
        self._permissions = permissions
        self.close()

    @property
    def can_open(self) -> bool:
        """Whether there is anything to keep rules with."""
        return self._permissions is not None

    def open(self, card: PendingApproval, index: int) -> None:
        """Make a rule of the offer of this number (`suggest_rules`)."""
        offers = suggest_rules(card.request)
        if self._permissions is None or not 0 <= index < len(offers):
            return
        self._card, self._offer = card, offers[index]
        self._exceptions, self._span = (), self._offer.spans[0]
        self._report = self._problem = None
        self._try()

    def close(self) -> None:
        """Show no page; nothing was made."""
        if self._card is not None:
            self._card = self._offer = self._tried = None
            self._tries.cancel()
            self.changed.emit(None)

    def keep_open(self, cards: tuple[PendingApproval, ...]) -> None:
        """Close the page when its card is no longer the first that waits."""
        if self._card is not None and (not cards or cards[0] != self._card):
            self.close()

    def add_exception(self, text: str) -> None:
        """Except a place below the folder, such as "private/"."""
        names = PurePosixPath(text.strip().strip("/")).parts
        if names and ".." not in names and "/".join(names) not in self._exceptions:
            self._exceptions = (*self._exceptions, "/".join(names))
            self._try()

    def remove_exception(self, text: str) -> None:
        """Remove an exception."""
        self._exceptions = tuple(kept for kept in self._exceptions if kept != text)
        self._try()

    def choose_span(self, key: str) -> None:
        """Choose for how long the rule holds."""
        found = [span for span in self._spans() if span_key(span) == key]
        if found:
            self._span = found[0]
            self._try()

    def save(self) -> None:
        """Keep the rule, then allow the call that waits; each only if the other can be done."""
        rule, card, permissions = self._rule(), self._card, self._permissions
        if rule is None or card is None or permissions is None:
            return
        if self._queue.is_current(card.request_id, card.generation):
            self._saves.start(self._save(permissions, rule, card), name="keep a rule")

    def forbid(self, card: PendingApproval, reason: str) -> None:
        """Deny the call that waits, and every later one of its tool in the chat."""
        if self._permissions is None:
            self._queue.answer(card.request_id, card.generation, Denied(reason))
        else:
            self._saves.start(self._forbid(self._permissions, card, reason), name="forbid a tool")

    async def aclose(self) -> None:
        """End what is under way."""
        await self._tries.aclose()
        await self._saves.aclose()

    async def _save(self, permissions: RulePermissions, rule: Rule, card: PendingApproval) -> None:
        await permissions.rules.add(rule)
        if not self._queue.answer(card.request_id, card.generation, Allowed()):
            # The card was answered elsewhere, or expired, while the rule was being stored.
            await permissions.rules.revoke(rule.rule_id)

    async def _forbid(
        self, permissions: RulePermissions, card: PendingApproval, reason: str
    ) -> None:
        try:
            await permissions.forbid(card.request.prepared.definition, card.conversation_id)
        finally:
            # Whether or not the rule could be kept, this call is denied.
            self._queue.answer(card.request_id, card.generation, Denied(reason))

    def _try(self) -> None:
        rule, permissions = self._rule(), self._permissions
        self._tried = rule
        self._show()
        if rule is not None and permissions is not None:
            self._tries.cancel()
            self._tries.start(self._simulate(permissions, rule), name="try a rule")

    async def _simulate(self, permissions: RulePermissions, rule: Rule) -> None:
        report = await permissions.try_rule(rule)
        if rule is self._tried:
            self._report, self._tried = report, None
            self._show()

    def _spans(self) -> tuple[RuleLifetime, ...]:
        return self._offer.spans if self._offer else ()

    def _scope(self, offer: RuleSuggestion) -> RuleScope:
        if isinstance(offer.scope, FolderScope):
            return replace(offer.scope, exceptions=self._exceptions)
        return offer.scope

    def _rule(self) -> Rule | None:
        if self._offer is None or self._permissions is None:
            return None
        offer = self._offer
        return self._permissions.new_rule(offer.definition, self._scope(offer), self._span)

    def _show(self) -> None:
        card, offer, report = self._card, self._offer, self._report
        if card is None or offer is None or self._permissions is None:
            return
        self.changed.emit(
            RulePageView(
                request_id=card.request_id,
                generation=card.generation,
                question=question_words(offer.scope, self._span),
                effect_words=effect_words(card.request.prepared),
                words=page_words(offer, self._permissions.home),
                trial_words=trial_words(report) if report else "",
                trials=trial_rows(report) if report else (),
                is_trying=self._tried is not None,
                can_except=isinstance(offer.scope, FolderScope),
                exceptions=self._exceptions,
                spans=tuple((span_key(span), span_words(span)) for span in offer.spans),
                span=span_key(self._span),
                problem=self._problem,
            )
        )

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self._problem, self._tried = words, None
        self._show()
