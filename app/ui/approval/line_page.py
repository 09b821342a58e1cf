"""A page of the answers with one line to type: the reason for a denial, or an answer instead."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.ui.approval.answer_button import AnswerButton
from app.ui.approval.arming import Arming
from app.ui.approval.giving_up import GivingUp
from app.ui.parts.buttons import Kind
from app.ui.parts.flow import Flow
from app.ui.parts.line_edit import LineEdit
from app.ui.theme import Theme

_LONGEST: Final = 2000


class LinePage(QWidget):
    """A line, the answer that it belongs to, and a way back. Made by `CardAnswers`.

    `for_good` are the words of an answer that holds for what comes later, too; empty for none.
    """

    entered = Signal(str)
    """The person answers with this text."""
    entered_for_good = Signal(str)
    """The person answers with this text, and does not want to be asked again."""
    left = Signal()
    """The person wants the other answers back."""

    def __init__(
        self,
        theme: Theme,
        arming: Arming,
        hint: str,
        name: str,
        answer: tuple[str, Kind],
        *,
        for_good: str = "",
    ) -> None:
        super().__init__()
        self._arming = arming
        self._needs_words = False
        self._line = LineEdit()
        self._line.setMaxLength(_LONGEST)
        self._line.setPlaceholderText(hint)
        self._line.setAccessibleName(name)
        self._line.setProperty("field", "answer")
        self._answer = AnswerButton(*answer, theme, arming)
        arming.watch(self._line)
        row = Flow(self)
        row.setContentsMargins(14, 8, 14, 14)
        row.add(self._line, grows=True)
        row.add(self._answer)
        if for_good:
            button = AnswerButton(for_good, "quiet", theme, arming)
            button.answered.connect(self._on_for_good_answered)
            row.add(button)
        self._back = AnswerButton(self.tr("Back"), "quiet", theme, arming)
        row.add(self._back)
        self._line.returnPressed.connect(self._on_line_return_pressed)
        GivingUp(self._line).given_up.connect(self.left)
        self._back.answered.connect(self.left)
        self._answer.answered.connect(self._enter)

    def need_words(self) -> None:
        """Take no answer without words."""
        self._needs_words = True
        self._answer.setEnabled(False)
        self._line.textChanged.connect(self._on_line_text_changed)

    def begin(self) -> None:
        """Bring the keyboard to the line; the person asked for it."""
        self._line.setFocus(Qt.FocusReason.OtherFocusReason)

    def clear(self) -> None:
        """Forget what was typed."""
        self._line.clear()

    def _on_line_text_changed(self, text: str) -> None:
        self._answer.setEnabled(bool(text.strip()))

    def _on_line_return_pressed(self) -> None:
        if self._arming.is_armed:
            self._enter()

    def _on_for_good_answered(self) -> None:
        self.entered_for_good.emit(self._line.text().strip())

    def _enter(self) -> None:
        words = self._line.text().strip()
        if words or not self._needs_words:
            self.entered.emit(words)
