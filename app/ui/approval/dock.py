"""`ApprovalDock` shows the approval cards directly above the composer."""

import time
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final, TypeAlias, TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Signal
from PySide6.QtGui import (
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QVBoxLayout, QWidget

from app.approvals.visible_text import escape_invisible
from app.ui.approval.call_card import ApprovalCard
from app.ui.approval.pause_card import PauseCard
from app.ui.approval.release_card import ReleaseCard
from app.ui.approval.rule_card import RuleCard
from app.ui.theme import Theme
from app.ui.widgets.accessible import announce, set_tab_order
from app.viewmodels.approval.approval import PendingResultView
from app.viewmodels.approval.call_texts import CardView
from app.viewmodels.approval.rule_texts import PauseView, RulePageView

# How often `_settle` lays out: a new width changes the height, which may add a scroll bar and so
# change the width again.
_MOST_LAYOUTS: Final = 4
# In a window lower than this at its scale, half of the height is too little to read in.
_USUAL_PX: Final = 480
_MOST_SHARE, _USUAL_SHARE = 0.7, 0.5

Face: TypeAlias = ApprovalCard | RuleCard | PauseCard | ReleaseCard
_AnyFace = TypeVar("_AnyFace", ApprovalCard, RuleCard, PauseCard, ReleaseCard)


class ApprovalDock(QWidget):
    """Shows the first of the cards that wait; hidden when there is none.

    Each kind of card is made when the first of it waits: the start needs none.
    It is at most half as high as the window, or a little more in a window that is low for its
    text size. It stands in the layout and nothing lies over it. A new card does not take the
    focus: the next F6 moves it here from anywhere. One for the window's life.
    """

    allowed = Signal(str, int)
    """The call may run once: request id and generation."""
    denied = Signal(str, int, str)
    """The call may not run: request id, generation, and the reason, which may be empty."""
    forbidden = Signal(str, int, str)
    """No call of this tool may run in this chat: request id, generation, and the reason."""
    answered_instead = Signal(str, int, str)
    """The person answers in place of the tool: request id, generation, and the answer."""
    edited = Signal(str, int, str)
    """The person wants to see another input: request id, generation, and the input as JSON."""
    rule_requested = Signal(str, int, int)
    """The person wants to make a rule: request id, generation, and its number among the offers."""
    rule_saved = Signal()
    """The person wants the rule, and the call that waits to run."""
    rule_left = Signal()
    """The person wants the card back."""
    exception_added = Signal(str)
    """The rule gets an exception; argument: its path below the folder."""
    exception_removed = Signal(str)
    """The rule loses an exception; argument: its path below the folder."""
    span_chosen = Signal(str)
    """The person chose how long the rule holds; argument: the key of the span."""
    resumed = Signal(str, int)
    """The reply that paused may go on: request id and generation."""
    stopped = Signal()
    """The reply that paused ends here."""
    sent = Signal(str, int, object)
    """The result may be told: request id, generation, and what of it, a `ReleaseChoice`."""
    kept_back = Signal(str, int, str)
    """The result may not be told: request id, generation, and the reason, which may be empty."""
    emptied = Signal()
    """The last card went while it had the focus, which has to move elsewhere."""

    def __init__(
        self,
        theme: Theme,
        clock: Callable[[], float] = time.monotonic,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._clock = clock
        self._face: Face | None = None
        self._height = 0
        self._current: tuple[str, int] | None = None
        self._is_new = False
        # The call whose input the keyboard has just changed; empty for none.
        self._changed_call = ""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.setAccessibleName(self.tr("Waiting for your decision"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.hide()

    @cached_property
    def rule(self) -> RuleCard:
        """The page on which a rule is made."""
        rule = self._placed(RuleCard(self._theme, self._clock))
        rule.laid_out.connect(self._fit)
        rule.saved.connect(self.rule_saved)
        rule.left.connect(self.rule_left)
        rule.exception_added.connect(self.exception_added)
        rule.exception_removed.connect(self.exception_removed)
        rule.span_chosen.connect(self.span_chosen)
        return rule

    @cached_property
    def release(self) -> ReleaseCard:
        """The card that asks about a result."""
        release = self._placed(ReleaseCard(self._theme, self._clock))
        release.laid_out.connect(self._fit)
        release.sent.connect(self.sent)
        release.kept_back.connect(self.kept_back)
        return release

    @cached_property
    def _card(self) -> ApprovalCard:
        card = self._placed(ApprovalCard(self._theme, self._clock))
        card.laid_out.connect(self._fit)
        card.allowed.connect(self.allowed)
        card.denied.connect(self.denied)
        card.forbidden.connect(self.forbidden)
        card.answered_instead.connect(self.answered_instead)
        card.edited.connect(self._on_card_edited)
        card.rule_requested.connect(self.rule_requested)
        return card

    @cached_property
    def _pause(self) -> PauseCard:
        pause = self._placed(PauseCard(self._theme, self._clock))
        pause.resumed.connect(self.resumed)
        pause.stopped.connect(self.stopped)
        return pause

    def show_cards(self, cards: Sequence[CardView]) -> None:
        """Show the first of `cards`, or nothing when there is none."""
        if not cards:
            # A pause or a result is no card: it stays until it is answered.
            if not isinstance(self._face, PauseCard | ReleaseCard):
                self._empty()
            return
        first = cards[0]
        if not isinstance(self._face, RuleCard):
            self._turn_to(self._card)
        self._card.show_view(first)
        self._appear()
        if self._current != (first.request_id, first.generation):
            self._current = (first.request_id, first.generation)
            self._is_new = True
            self._announce(first)
            self._bring_keyboard_back(first)

    def show_rule(self, view: RulePageView | None) -> None:
        """Show the page on which a rule is made in place of the card, or the card again."""
        if view is not None:
            self.rule.show_view(view)
            self._turn_to(self.rule)
        elif isinstance(self._face, RuleCard):
            self._turn_to(self._card)

    def show_pause(self, view: PauseView | None) -> None:
        """Ask whether the reply may go on, or ask no longer."""
        if view is None:
            self._end(PauseCard)
            return
        self._pause.show_view(view)
        self._ask(self._pause, view)

    def show_pending_result(self, view: PendingResultView | None) -> None:
        """Ask whether a result may be told, or ask no longer."""
        if view is None:
            self._end(ReleaseCard)
            return
        self.release.show_view(view)
        self._ask(self.release, view)

    def disturb(self) -> None:
        """Restart the delay of the answers, since something covered the whole window."""
        if self._face:
            self._face.disturb()

    def is_new(self) -> bool:
        """Return whether the card that is shown has not had the focus yet."""
        return self._is_new

    def take_focus(self) -> None:
        """Bring the keyboard to the card, if there is one."""
        self._is_new = False
        if self._face and self.isVisible():
            self._face.take_focus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt the height to the new width."""
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        """Follow the height of the window this stands in."""
        super().showEvent(event)
        # At each show, since the window may be another one; Qt keeps a filter once.
        self.window().installEventFilter(self)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay within half of the window when it is resized."""
        if event.type() == QEvent.Type.Resize and watched is self.window():
            self._fit()
        return super().eventFilter(watched, event)

    def hasHeightForWidth(self) -> bool:
        """Return False: the height is that of `sizeHint`, not that of the card."""
        return False

    def sizeHint(self) -> QSize:
        """Ask for the height of the card, but for no more than half of the window."""
        width = self._face.sizeHint().width() if self._face else 0
        return QSize(width, self._height)

    def minimumSizeHint(self) -> QSize:
        """Keep at least the answers on screen, and some lines to scroll through."""
        if self._face is None:
            return QSize()
        least = self._face.least_height(self.width())
        return QSize(self._face.minimumSizeHint().width(), min(self._height, least))

    def _placed(self, face: _AnyFace) -> _AnyFace:
        """Put a face that was just made in its place, where it waits to be turned to."""
        self._column.addWidget(face)
        face.hide()
        self._theme.fit(face)
        set_tab_order(self, face)
        return face

    def _bring_keyboard_back(self, view: CardView) -> None:
        """Focus the card again whose input was edited here; no other card takes the focus."""
        is_back, self._changed_call = view.request_id == self._changed_call, ""
        if is_back and view.problem:
            self._is_new = False
            self._card.mend_input()
        elif is_back:
            self.take_focus()

    def _on_card_edited(self, request_id: str, generation: int, input_text: str) -> None:
        if self._has_keyboard():
            self._changed_call = request_id
        self.edited.emit(request_id, generation, input_text)

    def _has_keyboard(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and self.isAncestorOf(focus)

    def _ask(self, face: PauseCard | ReleaseCard, view: PauseView | PendingResultView) -> None:
        self._turn_to(face)
        self._appear()
        if self._current != (view.request_id, view.generation):
            self._current = (view.request_id, view.generation)
            self._is_new = True
            self._announce(view)

    def _end(self, kind: type[Face]) -> None:
        if isinstance(self._face, kind):
            self._empty()
            self._turn_to(self._card)

    def _fit(self) -> None:
        if self._face and self.isVisible():
            whole = self.window().height()
            share = _MOST_SHARE if whole < self._theme.px(_USUAL_PX) else _USUAL_SHARE
            most = max(int(whole * share), self._face.least_height(self.width()))
            self._height = min(self._face.wanted_height(self.width()), most)
            self.setMaximumHeight(self._height)
            self.updateGeometry()

    def _turn_to(self, face: Face) -> None:
        """Show this face in place of another; the keyboard stays in the dock."""
        if face is self._face:
            return
        had_focus = self._has_keyboard()
        if self._face:
            self._face.hide()
        self._face = face
        face.show()
        self._fit()
        if had_focus:
            face.take_focus()

    def _appear(self) -> None:
        if self.isHidden():
            self.show()
            self._settle()
        self._fit()

    def _settle(self) -> None:
        """Reach the final height at once: the height must not change after the first frame."""
        around: list[QWidget] = [self]
        while not around[-1].isWindow() and (parent := around[-1].parentWidget()):
            around.append(parent)
        for _ in range(_MOST_LAYOUTS):
            self._fit()
            before = self.size()
            # Upwards, each layout learns the new size hint; downwards, each assigns the sizes.
            for widget in (*around[1:], *around[::-1]):
                if layout := widget.layout():
                    layout.activate()
            if self.size() == before and self.height() == self._height:
                return

    def _empty(self) -> None:
        had_focus = self._has_keyboard()
        self._current = None
        self._is_new = False
        self.hide()
        if had_focus:
            self.emptied.emit()

    def _announce(self, view: CardView | PauseView | PendingResultView) -> None:
        is_statement = isinstance(view, PendingResultView) and view.is_statement
        words = f"{view.question}." if is_statement else view.question
        question = escape_invisible(words, breaks_lines=False)
        announce(self, self.tr("Your decision is needed: {0} Press F6.").format(question))
