"""One question: may this call run, exactly as shown?"""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from app.approvals.reveal import reveal
from app.ui.approval.answers import CardAnswers
from app.ui.approval.arming import Arming
from app.ui.approval.body import CardBody
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import plain_label
from app.ui.parts.rounded_frame import RoundedFrame
from app.ui.theme import Theme
from app.viewmodels.states import CardView

_RADIUS: Final = 10
_LINE: Final = 1
_ICON_SIDE_PX: Final = 18


class ApprovalCard(RoundedFrame):
    """Asks about the call it was last shown, and gives at most one answer to it.

    An answer counts only when everything was seen and nothing has moved for a while. It never
    takes the keyboard by itself. Made by the dock, which shows it one call after the other.
    """

    allowed = Signal(str, int)
    """The call may run once: request id and generation."""
    denied = Signal(str, int, str)
    """The call may not run: request id, generation, and the reason, which may be empty."""
    laid_out = Signal()
    """The card may want another height."""

    def __init__(
        self,
        theme: Theme,
        clock: Callable[[], float] = time.monotonic,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, _RADIUS, line="warn-line", parent=parent)
        self._view: CardView | None = None
        self._has_answer = False
        self._arming = Arming(self, clock)
        self._icon = plain_label("", theme)
        self._question = plain_label("", theme, weight=Weight.DemiBold, wraps=True)
        self._position = plain_label("", theme, size="small", ink="warn")
        self._effect = plain_label("", theme, size="small", weight=Weight.Medium, ink="warn")
        self._header = self._make_header()
        self._body = CardBody(theme)
        self._answers = CardAnswers(theme, self._arming)
        self._lay_out()
        self._connect()
        self._tint()

    def show_view(self, view: CardView) -> None:
        """Ask about this call; a call that is already shown keeps its place and what was read."""
        before, self._view = self._view, view
        if view == before:
            return
        self._arming.restart()
        self._position.setText(self._position_words(view))
        if before and (before.request_id, before.generation) == (view.request_id, view.generation):
            return
        self._keep_focus_off_the_answers()
        self._has_answer = False
        self._question.setText(reveal(view.question, breaks_lines=False))
        self._effect.setText(reveal(view.effect_words, breaks_lines=False))
        self.setAccessibleName(view.question)
        self._body.show_view(view)
        self._answers.start_over()

    def disturb(self) -> None:
        """Something was over the card: answers count again once it was in sight for a while."""
        self._arming.restart()

    def wanted_height(self, width: int) -> int:
        """Return the height at which nothing needs to scroll."""
        inside = width - 2 * _LINE
        header, answers = self._header.heightForWidth(inside), self._answers.sizeHint().height()
        return header + self._body.wanted_height(inside) + answers + 2 * _LINE

    def take_focus(self) -> None:
        """Bring the keyboard to the text of the card, from where Tab leads to the answers."""
        self._body.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the coloured band as high as the question."""
        super().resizeEvent(event)
        self.set_band("warn-soft", self._header.geometry().bottom() + 1)

    def _make_header(self) -> QWidget:
        header = QWidget()
        row = QHBoxLayout(header)
        row.setContentsMargins(14, 11, 14, 11)
        row.setSpacing(10)
        row.addWidget(self._icon)
        row.addWidget(self._question, 1)
        row.addWidget(self._position)
        row.addWidget(self._effect)
        return header

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(_LINE, _LINE, _LINE, _LINE)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(self._body, 1)
        column.addWidget(self._answers)

    def _connect(self) -> None:
        self._theme.changed.connect(self._tint)
        self._arming.watch(self._body)
        self._body.looked.connect(self._on_body_looked)
        self._body.laid_out.connect(self.laid_out)
        self._body.focus_changed.connect(self._on_body_focus_changed)
        self._answers.scroll_requested.connect(self._body.show_unseen)
        self._answers.allowed.connect(self._on_answers_allowed)
        self._answers.denied.connect(self._on_answers_denied)

    def _tint(self) -> None:
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(self._theme.pixmap("shield-alert", "warn", _ICON_SIDE_PX, ratio))

    def _position_words(self, view: CardView) -> str:
        if view.total < 2:
            return ""
        return self.tr("{0} of {1}").format(view.position, view.total)

    def _keep_focus_off_the_answers(self) -> None:
        focus = QApplication.focusWidget()
        if focus and self.isAncestorOf(focus):
            self._body.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_body_looked(self) -> None:
        self._answers.set_read(self._body.is_read)

    def _on_body_focus_changed(self, has_focus: bool) -> None:
        self.set_line("warn" if has_focus else "warn-line")

    def _on_answers_allowed(self) -> None:
        if self._view and not self._has_answer and self._body.is_read:
            self._has_answer = True
            self.allowed.emit(self._view.request_id, self._view.generation)

    def _on_answers_denied(self, reason: str) -> None:
        if self._view and not self._has_answer:
            self._has_answer = True
            self.denied.emit(self._view.request_id, self._view.generation, reason)
