"""The answers below an approval card: allow once, or deny with a reason."""

from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QStackedLayout, QWidget

from app.ui.approval.answer_button import AnswerButton
from app.ui.approval.arming import Arming
from app.ui.parts.buttons import push_button
from app.ui.parts.flow import Flow
from app.ui.parts.labels import set_plain_tooltip
from app.ui.theme import Theme

_LONGEST_REASON: Final = 2000
_ANSWERS: Final = 0
_REASON: Final = 1


class ReasonEdit(QLineEdit):
    """One line for why not; Esc gives up the answer, whatever else Esc would do in the window."""

    given_up = Signal()
    """Esc was pressed."""

    def event(self, event: QEvent) -> bool:
        """Claim Esc before any short cut of the window does."""
        is_claim = event.type() == QEvent.Type.ShortcutOverride
        if is_claim and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Give up on Esc, else edit."""
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
        else:
            super().keyPressEvent(event)


class CardAnswers(QWidget):
    """Two pages: the answers, and the reason for a denial.

    Each answer counts only when armed. Made by an approval card; ends with it.
    """

    allowed = Signal()
    """The person allows this call, once."""
    denied = Signal(str)
    """The person denies this call: the reason, which may be empty."""
    scroll_requested = Signal()
    """The person wants to see the next part they have not seen."""

    def __init__(self, theme: Theme, arming: Arming, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._arming = arming
        self._allow = AnswerButton(self.tr("Allow once"), "primary", theme, arming)
        self._unseen = push_button(
            self.tr("Scroll through all of it to allow"),
            "quiet",
            theme,
            icon="arrow-down",
            elides=True,
        )
        set_plain_tooltip(self._unseen, self._unseen.accessibleName())
        self._open_reason = AnswerButton(self.tr("Deny…"), "danger", theme, arming)
        self._reason = self._reason_edit()
        self._back = AnswerButton(self.tr("Back"), "quiet", theme, arming)
        self._deny = AnswerButton(self.tr("Deny"), "danger", theme, arming)
        arming.watch(self._reason)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(_row(self._allow, self._unseen, None, self._open_reason))
        self._pages.addWidget(_row(self._reason, self._back, self._deny))
        self._connect()

    def start_over(self) -> None:
        """Offer the answers again, with no reason typed."""
        self._reason.clear()
        self._pages.setCurrentIndex(_ANSWERS)

    def set_read(self, is_read: bool) -> None:
        """Offer Allow only when everything was seen, else say how to get there.

        Whoever scrolls by clicking must not allow with the same series of clicks.
        """
        if is_read and not self._allow.isEnabled():
            self._arming.restart()
        self._allow.setEnabled(is_read)
        self._unseen.setVisible(not is_read)

    def _reason_edit(self) -> ReasonEdit:
        edit = ReasonEdit()
        edit.setMaxLength(_LONGEST_REASON)
        edit.setPlaceholderText(self.tr("Reason, if you like – the assistant is told"))
        edit.setAccessibleName(self.tr("Reason for denying"))
        return edit

    def _connect(self) -> None:
        self._allow.answered.connect(self.allowed)
        self._unseen.clicked.connect(self.scroll_requested)
        self._open_reason.answered.connect(self._on_open_reason_answered)
        self._reason.returnPressed.connect(self._on_reason_return_pressed)
        self._reason.given_up.connect(self._on_back_answered)
        self._back.answered.connect(self._on_back_answered)
        self._deny.answered.connect(self._on_deny_answered)

    def _on_open_reason_answered(self) -> None:
        self._pages.setCurrentIndex(_REASON)
        # The person asked for this field, so this is no stolen focus.
        self._reason.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_back_answered(self) -> None:
        self._pages.setCurrentIndex(_ANSWERS)
        self._open_reason.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_reason_return_pressed(self) -> None:
        if self._arming.is_armed:
            self._on_deny_answered()

    def _on_deny_answered(self) -> None:
        self.denied.emit(self._reason.text().strip())


def _row(*widgets: QWidget | None) -> QWidget:
    """Return a page with these widgets side by side; None stands for free space."""
    page = QWidget()
    row = Flow(page)
    row.setContentsMargins(14, 8, 14, 14)
    for widget in widgets:
        if widget is None:
            row.add_gap()
        else:
            row.add(widget, grows=isinstance(widget, QLineEdit))
    return page
