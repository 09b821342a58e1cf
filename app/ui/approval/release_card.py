"""The question whether a result may be told to the assistant, and with or without its secrets."""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QPlainTextEdit, QStackedLayout, QVBoxLayout, QWidget

from app.ui.approval.answer_button import AnswerButton
from app.ui.approval.arming import Arming
from app.ui.approval.line_page import LinePage
from app.ui.approval.rule_header import RuleHeader
from app.ui.parts.buttons import Kind
from app.ui.parts.flow import Flow
from app.ui.parts.labels import one_line, plain_label
from app.ui.parts.rounded_frame import RoundedFrame
from app.ui.parts.shown_text import shown_text
from app.ui.theme import Theme
from app.viewmodels.approval.held_words import HeldView

_RADIUS: Final = 10
_LINE: Final = 1
_INSET: Final = 8
_SIDE: Final = 14
_TEXT_PX: Final = 150
_LEAST_TEXT_PX: Final = 56


class ReleaseCard(RoundedFrame):
    """Shows a result to the letter as it would leave, and gives at most one answer about it.

    Its secrets are masked unless the person asks to see all of it and sends that. An answer counts
    only when armed. Made by the dock.
    """

    sent = Signal(str, int, bool)
    """The result may be told: request id, generation, and whether its secrets are masked."""
    kept_back = Signal(str, int, str)
    """The result may not be told: request id, generation, and the reason, which may be empty."""
    laid_out = Signal()
    """The card may want another height."""

    def __init__(self, theme: Theme, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(theme, _RADIUS, line="warn-line")
        self._view: HeldView | None = None
        self._has_answer = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._arming = Arming(self, clock)
        self._header = RuleHeader(theme, "shield-alert")
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setFont(theme.mono())
        self._text.setTabChangesFocus(True)
        self._text.setProperty("field", "code")
        self._text.setAccessibleName(self.tr("What the assistant would be told"))
        self._make_answers(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(_LINE, _LINE, _LINE, _LINE)
        column.setSpacing(0)
        column.addWidget(self._header)
        inset = QVBoxLayout()
        inset.setContentsMargins(_SIDE, _INSET, _SIDE, 0)
        inset.setSpacing(_INSET)
        inset.addWidget(self._words)
        inset.addWidget(self._text, 1)
        column.addLayout(inset, 1)
        column.addWidget(self._answers)

    def show_view(self, view: HeldView) -> None:
        """Ask about this result."""
        before, self._view = self._view, view
        if before == view:
            return
        self._has_answer = False
        self._arming.restart()
        about = " ".join(filter(None, (view.title, one_line(view.about))))
        self._header.show_words(view.question, "")
        self._words.setText(f"{one_line(about)}\n{view.words}")
        self.setAccessibleName(view.question)
        self._masked.setVisible(bool(view.secret_count))
        self._whole.setVisible(bool(view.secret_count))
        self._plain.setVisible(not view.secret_count)
        self._line_page.clear()
        self._turn_to(self._first_page)

    def disturb(self) -> None:
        """Something was over the card: answers count again once it was in sight for a while."""
        self._arming.restart()

    def wanted_height(self, width: int) -> int:
        """Return the height at which a few lines of the result are in sight."""
        return self._around(width) + self._theme.px(_TEXT_PX)

    def least_height(self, width: int) -> int:
        """Return the height at which the answers are there, and some lines to scroll through."""
        return self._around(width) + self._theme.px(_LEAST_TEXT_PX)

    def take_focus(self) -> None:
        """Bring the keyboard to the result, from where Tab leads to the answers."""
        self._text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Lead the keyboard to the result."""
        super().focusInEvent(event)
        self.take_focus()

    def event(self, event: QEvent) -> bool:
        """Keep the coloured band as high as the question."""
        is_done = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self.set_band("warn-soft", self._header.geometry().bottom() + 1)
        return is_done

    def _make_answers(self, theme: Theme) -> None:
        arming = self._arming
        self._masked = AnswerButton(self.tr("Send masked"), "primary", theme, arming)
        self._plain = AnswerButton(self.tr("Send"), "primary", theme, arming)
        self._whole = AnswerButton(self.tr("Send as it is…"), "secondary", theme, arming)
        keep = AnswerButton(self.tr("Keep back…"), "danger", theme, arming)
        self._first_page = _page(self._masked, self._plain, self._whole, last=keep)
        back = AnswerButton(self.tr("Back"), "quiet", theme, arming)
        sure = AnswerButton(self.tr("Send with its secrets"), "danger", theme, arming)
        self._whole_page = _page(back, last=sure)
        answer: tuple[str, Kind] = (self.tr("Keep back"), "danger")
        hint = self.tr("Why not? The assistant is told.")
        name = self.tr("Reason for keeping it back")
        self._line_page = LinePage(theme, arming, hint, name, answer)
        self._answers = QWidget()
        self._pages = QStackedLayout(self._answers)
        for page in (self._first_page, self._whole_page, self._line_page):
            self._pages.addWidget(page)
        self._masked.answered.connect(self._on_masked_answered)
        self._plain.answered.connect(self._on_plain_answered)
        self._whole.answered.connect(self._on_whole_answered)
        keep.answered.connect(self._on_keep_answered)
        back.answered.connect(self._on_left)
        sure.answered.connect(self._on_plain_answered)
        self._line_page.left.connect(self._on_left)
        self._line_page.entered.connect(self._on_line_entered)

    def _around(self, width: int) -> int:
        """How high everything is but the result."""
        inside, px = width - 2 * _LINE, self._theme.px
        answers = self._pages.currentWidget() or self._first_page
        parts = self._header.heightForWidth(inside) + answers.heightForWidth(inside)
        words = self._words.heightForWidth(inside - 2 * px(_SIDE)) + 2 * px(_INSET)
        return parts + words + 2 * _LINE

    def _turn_to(self, page: QWidget) -> None:
        self._pages.setCurrentWidget(page)
        if self._view:
            is_whole = page is self._whole_page
            self._text.setPlainText(
                shown_text(self._view.text if is_whole else self._view.masked_text)
            )
        self._arming.restart()
        self.laid_out.emit()

    def _send(self, *, is_masked: bool) -> None:
        if self._view and not self._has_answer:
            self._has_answer = True
            self.sent.emit(self._view.request_id, self._view.generation, is_masked)

    def _on_masked_answered(self) -> None:
        self._send(is_masked=True)

    def _on_plain_answered(self) -> None:
        self._send(is_masked=False)

    def _on_whole_answered(self) -> None:
        self._turn_to(self._whole_page)

    def _on_keep_answered(self) -> None:
        self._turn_to(self._line_page)
        self._line_page.begin()

    def _on_left(self) -> None:
        self._turn_to(self._first_page)
        self.take_focus()

    def _on_line_entered(self, reason: str) -> None:
        if self._view and not self._has_answer:
            self._has_answer = True
            self.kept_back.emit(self._view.request_id, self._view.generation, reason)


def _page(*first: QWidget, last: QWidget) -> QWidget:
    page = QWidget()
    row = Flow(page)
    row.setContentsMargins(14, 10, 14, 14)
    row.add(*first)
    row.add_gap()
    row.add(last)
    return page
