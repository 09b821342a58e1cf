"""`ApprovalCard` asks one question: may this call run, exactly as shown?

`CardHeader` is its top: what is asked, how many calls wait, and what the call would do. `CardBody`
is its scrolling middle, which knows what has been on screen. Contents and answers are in
`card_contents` and `call_answers`.
"""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QFocusEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QVBoxLayout, QWidget

from app.approvals.visible_text import escape_invisible
from app.ui.approval.answer_button import InteractionDelay
from app.ui.approval.call_answers import CardAnswers
from app.ui.approval.card_contents import CallCardContents
from app.ui.approval.revealed_text import ViewedRanges
from app.ui.theme import Theme
from app.ui.widgets.accessible import set_role
from app.ui.widgets.buttons import IconLabel
from app.ui.widgets.column import ShrinkingScrollArea
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import plain_label
from app.ui.widgets.surfaces import RoundedFrame
from app.viewmodels.approval.call_texts import CardView

_LEAST_BODY_PX: Final = 48


class CardBody(QScrollArea):
    """Shows the contents of a card, and remembers which parts of them were on screen.

    Made by an approval card; ends with it.
    """

    looked = Signal()
    """What has been seen of the contents changed; a resize makes it unseen again."""
    laid_out = Signal()
    """The contents may want another height."""
    focus_changed = Signal(bool)
    """The keyboard came or went: whether it is here."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._seen = ViewedRanges()
        self._page: QWidget | None = None
        self._contents: CallCardContents | None = None
        self._head: QWidget | None = None
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.verticalScrollBar().valueChanged.connect(self._look)

    def show_view(self, view: CardView) -> None:
        """Show another card from its top, nothing of it seen yet."""
        page = QWidget()
        self._column = QVBoxLayout(page)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        if self._head:
            self._column.addWidget(self._head)
        self._contents = CallCardContents(view, self._theme)
        self._contents.shown_wanted.connect(self._on_contents_shown_wanted)
        self.setAccessibleName(escape_invisible(view.question, breaks_lines=False))
        self.setAccessibleDescription(self._contents.spoken(view))
        self._column.addWidget(self._contents, 1)
        self._theme.fit(page)
        page.installEventFilter(self)
        self._page = page
        self._seen.clear()
        self.setWidget(page)
        page.setAutoFillBackground(False)  # setWidget has switched it on.
        self._begin()

    @property
    def has_head(self) -> bool:
        """Whether something scrolls above the contents."""
        return self._head is not None

    def set_head(self, head: QWidget | None) -> None:
        """Scroll this widget above the contents; the one before loses its parent."""
        if self._head:
            self._head.setParent(None)
        self._head = head
        if head and self._page:
            self._column.insertWidget(0, head)
            head.show()
        self._seen.clear()
        self._begin()

    @property
    def is_read(self) -> bool:
        """Whether every part of the contents, as laid out now, was on screen."""
        is_whole = self._contents is not None and self._contents.is_whole()
        return is_whole and self._first_unseen() is None

    def wanted_height(self, width: int) -> int:
        """Return the height at which nothing needs to scroll."""
        return self._page.heightForWidth(width) if self._page else 0

    def minimumSizeHint(self) -> QSize:
        """Return room for some lines to scroll through; contents that are lower need less."""
        least = min(self.wanted_height(self.width()), self._theme.px(_LEAST_BODY_PX))
        return QSize(super().minimumSizeHint().width(), least)

    def show_unseen(self) -> None:
        """Scroll to the first part that has not been on screen."""
        unseen = self._first_unseen()
        if unseen is not None:
            self.verticalScrollBar().setValue(unseen)

    def focus_end(self) -> None:
        """Bring the keyboard to the last of the contents, from where Tab leads to the answers."""
        last = self._contents.stops[-1:] if self._contents else []
        for place in last or [self]:
            place.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Count everything as unseen: the new layout may show what the old one never drew."""
        self._offer_bar()
        super().resizeEvent(event)
        self._seen.clear()
        self._look()

    def showEvent(self, event: QShowEvent) -> None:
        """Record the part that is on screen now."""
        super().showEvent(event)
        self._look()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Say that the keyboard is here."""
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Say that the keyboard has gone."""
        super().focusOutEvent(event)
        self.focus_changed.emit(False)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002 - Qt's name.
        """Go through the contents in the order of reading: they come and go, after the answers."""
        places = [self, *(self._contents.stops if self._contents else ())]
        focus = QApplication.focusWidget()
        at = (places.index(focus) if focus in places else 0) + (1 if next else -1)
        if at < 0:
            return super().focusNextPrevChild(next)
        goal = places[at] if at < len(places) else self._after()
        if goal is None:
            return False
        reason = Qt.FocusReason.TabFocusReason if next else Qt.FocusReason.BacktabFocusReason
        goal.setFocus(reason)
        if goal in places[1:]:
            self.ensureWidgetVisible(goal)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the layout of the contents: at another width, lines are elsewhere."""
        if watched is self._page:
            if isinstance(event, QResizeEvent):
                self._on_page_resized(event)
            elif event.type() == QEvent.Type.LayoutRequest:
                self._offer_bar()
                self.laid_out.emit()
        is_done = super().eventFilter(watched, event)
        if watched is self._page and event.type() == QEvent.Type.LayoutRequest:
            self._look()
        return is_done

    def _on_contents_shown_wanted(self, text: QWidget, box: QRect) -> None:
        if self._page:
            place = text.mapTo(self._page, box.center())
            self.ensureVisible(place.x(), place.y(), 0, box.height())

    def _after(self) -> QWidget | None:
        """Return what the keyboard comes to after all of the contents."""
        widget = self.nextInFocusChain()
        while widget is not None and widget is not self:
            takes_tab = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            if takes_tab and widget.isEnabled() and widget.isVisible():
                return widget
            widget = widget.nextInFocusChain()
        return None

    def _begin(self) -> None:
        self.verticalScrollBar().setValue(0)
        self._look()

    def _on_page_resized(self, event: QResizeEvent) -> None:
        if event.size().width() != event.oldSize().width():
            self._seen.clear()
        self._look()
        self.laid_out.emit()

    def _offer_bar(self) -> None:
        """Take the scroll bar away where all fits in without it.

        By itself the bar would stay where only its own width makes the contents too high.
        """
        room, policy = self.maximumViewportSize(), Qt.ScrollBarPolicy.ScrollBarAsNeeded
        if self.wanted_height(room.width()) <= room.height():
            policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)

    def _first_unseen(self) -> int | None:
        return self._seen.first_gap(self._page.height()) if self._page else 0

    def _look(self) -> None:
        # A minimised window lays out and scrolls as well, and nobody sees it.
        if self.isVisible() and not self.window().isMinimized():
            top = self.verticalScrollBar().value()
            height = self.viewport().height()
            self._seen.add(top, top + height)
            # More of the contents is made before the reader gets to the end of what is here.
            if self._page and self._contents and top + 2 * height >= self._page.height():
                self._contents.show_more()
        self.looked.emit()


_SPACING_PX: Final = 10
_ICON_SIDE_PX: Final = 18


class CardHeader(QWidget):
    """Shows the question. Made by an approval card; ends with it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._question = plain_label("", theme, weight=Weight.DemiBold, wraps=True)
        self._position = plain_label("", theme, size="small", ink="warn")
        self._effect = plain_label("", theme, size="small", weight=Weight.Medium, ink="warn")
        row = FlowLayout(self, spacing_px=_SPACING_PX)
        row.setContentsMargins(14, 11, 14, 11)
        row.add(IconLabel("shield-alert", theme, "warn", _ICON_SIDE_PX))
        row.add(self._question, grows=True)
        row.add(self._position, self._effect)

    def show_view(self, view: CardView) -> None:
        """Show the question of this card."""
        self._question.setText(escape_invisible(view.question, breaks_lines=False))
        self._effect.setText(escape_invisible(view.effect_words, breaks_lines=False))

    def show_position(self, view: CardView) -> None:
        """Show which of the cards that wait this is."""
        words = self.tr("{0} of {1}").format(view.position, view.total)
        self._position.setText(words if view.total > 1 else "")
        self._position.setVisible(view.total > 1)


_RADIUS: Final = 10
_LINE: Final = 1
_LEAST_ANSWERS_PX: Final = 100


class ApprovalCard(RoundedFrame):
    """Asks about the call it was last shown, and gives at most one answer to it.

    An answer counts only when everything was seen and nothing has moved for a while. It never
    takes the keyboard by itself. Made by the dock, which shows it one call after the other.
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
    laid_out = Signal()
    """The card may want another height."""

    def __init__(
        self,
        theme: Theme,
        clock: Callable[[], float] = time.monotonic,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, _RADIUS, line="warn-line", parent=parent)
        # Not the role Grouping: screen readers would read some of its text unasked, then again.
        set_role(self, QAccessible.Role.Section)
        self._view: CardView | None = None
        self._has_answer = False
        self._arming = InteractionDelay(self, clock)
        self._header = CardHeader(theme)
        self._body = CardBody(theme)
        self._answers = CardAnswers(theme, self._arming)
        self._lay_out()
        self._connect()

    def show_view(self, view: CardView) -> None:
        """Ask about this call; a call that is already shown keeps its place and what was read."""
        before, self._view = self._view, view
        if view == before:
            return
        self._arming.restart()
        self._header.show_position(view)
        if before and (before.request_id, before.generation) == (view.request_id, view.generation):
            return
        # A key that was meant for the card before must not answer this one.
        self._keep_focus_off_the_answers()
        self._has_answer = False
        self._header.show_view(view)
        self.setAccessibleName(escape_invisible(view.question, breaks_lines=False))
        self._body.show_view(view)
        self._answers.start_over(view)

    def disturb(self) -> None:
        """Start the delay of the answers again, as something was over the card."""
        self._arming.restart()

    def wanted_height(self, width: int) -> int:
        """Return the height at which nothing needs to scroll."""
        inside = width - 2 * self._theme.px(_LINE)
        header = 0 if self._body.has_head else self._header.heightForWidth(inside)
        return header + self._body.wanted_height(inside) + self._around(inside)

    def least_height(self, width: int) -> int:
        """Return the height at which the answers are there, and some lines to scroll through."""
        answers = self._answers.heightForWidth(width - 2 * self._theme.px(_LINE))
        least = min(answers, self._theme.px(_LEAST_ANSWERS_PX))
        return least + 2 * self._theme.px(_LINE) + self._theme.px(_LEAST_BODY_PX)

    def take_focus(self) -> None:
        """Bring the keyboard to the text of the card, from where Tab leads to the answers."""
        self._body.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def mend_input(self) -> None:
        """Bring the keyboard to the input that could not be taken."""
        self._answers.mend_input()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Scroll the question with the rest where it would leave too little room for that."""
        super().resizeEvent(event)
        self._place_header()

    def event(self, event: QEvent) -> bool:
        """Place the header anew when the question or the font has changed its height."""
        is_done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:
            self._place_header()
        return is_done

    def _lay_out(self) -> None:
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(_LINE, _LINE, _LINE, _LINE)
        self._column.setSpacing(0)
        self._column.addWidget(self._header)
        self._column.addWidget(self._body, 1)
        self._column.addWidget(
            ShrinkingScrollArea(self._theme, self._answers, self, _LEAST_ANSWERS_PX)
        )

    def _around(self, inside: int) -> int:
        """Return how high everything is that always stays in sight."""
        return self._answers.heightForWidth(inside) + 2 * self._theme.px(_LINE)

    def _place_header(self) -> None:
        """Put the question above what scrolls, on its coloured band, or into it."""
        inside = self.width() - 2 * self._theme.px(_LINE)
        header = self._header.heightForWidth(inside)
        is_short = self.height() < header + self.least_height(self.width())
        if is_short != self._body.has_head:
            if is_short:
                self._body.set_head(self._header)
            else:
                self._body.set_head(None)
                self._column.insertWidget(0, self._header)
                self._header.show()
            self._column.activate()
        self.set_band("warn-soft", 0 if is_short else header + self._theme.px(_LINE))

    def _connect(self) -> None:
        self._arming.watch(self._body)
        self._body.looked.connect(self._on_body_looked)
        self._body.laid_out.connect(self.laid_out)
        self._body.focus_changed.connect(self._on_body_focus_changed)
        self._answers.scroll_requested.connect(self._body.show_unseen)
        self._answers.allowed.connect(self._on_answers_allowed)
        self._answers.denied.connect(self._on_answers_denied)
        self._answers.forbidden.connect(self._on_answers_forbidden)
        self._answers.answered_instead.connect(self._on_answers_answered_instead)
        self._answers.edited.connect(self._on_answers_edited)
        self._answers.rule_requested.connect(self._on_answers_rule_requested)
        self._answers.page_changed.connect(self.laid_out)

    def _keep_focus_off_the_answers(self) -> None:
        focus = QApplication.focusWidget()
        if focus and self.isAncestorOf(focus):
            self._body.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_body_looked(self) -> None:
        if self._body.is_read and self._answers.is_scrolled_by_key:
            # The button hides: Qt would focus an answer, which the next press would give.
            self._body.focus_end()
        self._answers.set_read(self._body.is_read)

    def _on_body_focus_changed(self, has_focus: bool) -> None:
        self.set_line("warn" if has_focus else "warn-line")

    def _on_answers_allowed(self) -> None:
        if self._view and not self._has_answer and self._body.is_read:
            self._has_answer = True
            self.allowed.emit(self._view.request_id, self._view.generation)

    def _on_answers_denied(self, reason: str) -> None:
        # To deny, nothing has to be read.
        if self._view and not self._has_answer:
            self._has_answer = True
            self.denied.emit(self._view.request_id, self._view.generation, reason)

    def _on_answers_forbidden(self, reason: str) -> None:
        if self._view and not self._has_answer:
            self._has_answer = True
            self.forbidden.emit(self._view.request_id, self._view.generation, reason)

    def _on_answers_answered_instead(self, text: str) -> None:
        if self._view and not self._has_answer:
            self._has_answer = True
            self.answered_instead.emit(self._view.request_id, self._view.generation, text)

    def _on_answers_edited(self, input_text: str) -> None:
        if self._view and not self._has_answer:
            self._has_answer = True
            self.edited.emit(self._view.request_id, self._view.generation, input_text)

    def _on_answers_rule_requested(self, number: int) -> None:
        # No answer yet: the rule has a page of its own, from which a person may come back.
        if self._view and not self._has_answer and self._body.is_read:
            self.rule_requested.emit(self._view.request_id, self._view.generation, number)
