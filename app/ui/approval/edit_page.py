"""A page of the answers on which the input of a call is changed, as JSON."""

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from app.ui.approval.answer_button import AnswerButton
from app.ui.approval.arming import Arming
from app.ui.approval.giving_up import GivingUp
from app.ui.parts.flow import Flow
from app.ui.parts.labels import one_line, plain_label
from app.ui.theme import Theme

_LINES: Final = 6
_SPARE_PX: Final = 14


class InputEdit(QPlainTextEdit):
    """The input as text, a few lines high. Tab leads on, as everywhere."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFont(theme.mono())
        self.setProperty("field", "code")
        self.setTabChangesFocus(True)

    def sizeHint(self) -> QSize:
        """Ask for a few lines."""
        lines = self.fontMetrics().lineSpacing() * _LINES
        return QSize(super().sizeHint().width(), lines + self._theme.px(_SPARE_PX))

    def minimumSizeHint(self) -> QSize:
        """Keep as many."""
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())


class EditPage(QWidget):
    """The input to change, a way back, and a button that shows the call with it.

    Nothing is allowed here: what was typed is checked, and asked about anew. Made by
    `CardAnswers`.
    """

    entered = Signal(str)
    """The person wants to see the call with this input."""
    left = Signal()
    """The person wants the other answers back."""

    def __init__(self, theme: Theme, arming: Arming) -> None:
        super().__init__()
        self._edit = InputEdit(theme)
        self._edit.setAccessibleName(self.tr("Input"))
        self._problem = plain_label("", theme, size="small", ink="bad", wraps=True)
        self._back = AnswerButton(self.tr("Back"), "quiet", theme, arming)
        self._show = AnswerButton(self.tr("Check and show"), "primary", theme, arming)
        arming.watch(self._edit)
        buttons = QWidget()
        row = Flow(buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.add(self._show)
        row.add_gap()
        row.add(self._back)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 14, 14)
        column.setSpacing(8)
        column.addWidget(self._edit)
        column.addWidget(self._problem)
        column.addWidget(buttons)
        GivingUp(self._edit).given_up.connect(self.left)
        self._back.answered.connect(self.left)
        self._show.answered.connect(self._on_show_answered)

    def offer(self, text: str, problem: str) -> None:
        """Show this text to be changed, and why the one before could not be taken."""
        if self._edit.toPlainText() != text:
            self._edit.setPlainText(text)
        self._problem.setText(one_line(problem))
        self._problem.setVisible(bool(problem))

    def begin(self) -> None:
        """Bring the keyboard to the text; the person asked for it."""
        self._edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_show_answered(self) -> None:
        self.entered.emit(self._edit.toPlainText())
