"""`PauseCard` asks whether a reply that has used many tools may go on."""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAccessible, QFocusEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.approval.answer_button import AnswerButton, InteractionDelay
from app.ui.approval.rule_card import RuleHeader
from app.ui.theme import Theme
from app.ui.widgets.accessible import set_role
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.labels import plain_label
from app.ui.widgets.surfaces import RoundedFrame
from app.viewmodels.approval.rule_texts import PauseView

_RADIUS: Final = 10
_LINE: Final = 1


class PauseCard(RoundedFrame):
    """Asks once for each pause; an answer counts only when armed. Made by the dock."""

    resumed = Signal(str, int)
    """The reply may go on: request id and generation."""
    stopped = Signal()
    """The reply ends here."""

    def __init__(self, theme: Theme, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(theme, _RADIUS, line="warn-line")
        # Not the role Grouping: screen readers would read some of its text unasked, then again.
        set_role(self, QAccessible.Role.Section)
        self._view: PauseView | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._arming = InteractionDelay(self, clock)
        self._header = RuleHeader(theme, "timer")
        self._words = plain_label("", theme, size="secondary", ink="ink-2", wraps=True)
        self._words.setContentsMargins(14, 10, 14, 4)
        self._resume = AnswerButton(self.tr("Continue"), "primary", theme, self._arming)
        self._stop = AnswerButton(self.tr("Stop"), "danger", theme, self._arming)
        answers = QWidget()
        row = FlowLayout(answers)
        row.setContentsMargins(14, 8, 14, 14)
        row.add(self._resume)
        row.add_gap()
        row.add(self._stop)
        column = QVBoxLayout(self)
        column.setContentsMargins(_LINE, _LINE, _LINE, _LINE)
        column.setSpacing(0)
        for part in (self._header, self._words, answers):
            column.addWidget(part)
        self._resume.answered.connect(self._on_resume_answered)
        self._stop.answered.connect(self.stopped)

    def show_view(self, view: PauseView) -> None:
        """Ask about this pause."""
        self._view = view
        self._arming.restart()
        self._header.show_words(view.question, "")
        self._words.setText(view.words)
        self.setAccessibleName(view.question)
        self.setAccessibleDescription(view.words)

    def disturb(self) -> None:
        """Start the delay of the answers again, as something was over the card."""
        self._arming.restart()

    def wanted_height(self, width: int) -> int:
        """Return the height at which everything is in sight."""
        return self.heightForWidth(width)

    def least_height(self, width: int) -> int:
        """Return the whole height: the card is never scrolled."""
        return self.heightForWidth(width)

    def take_focus(self) -> None:
        """Bring the keyboard to the question, from where Tab leads to the answers."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that the keyboard is here."""
        super().focusInEvent(event)
        self.set_line("warn")

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that it has gone."""
        super().focusOutEvent(event)
        self.set_line("warn-line")

    def event(self, event: QEvent) -> bool:
        """Keep the coloured band as high as the question."""
        is_done = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self.set_band("warn-soft", self._header.geometry().bottom() + 1)
        return is_done

    def _on_resume_answered(self) -> None:
        if self._view:
            self.resumed.emit(self._view.request_id, self._view.generation)
