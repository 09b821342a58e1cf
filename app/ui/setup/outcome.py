"""What a change in the settings has led to, or why it does not hold."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.parts.announcing import announce
from app.ui.parts.labels import one_line, plain_label
from app.ui.theme import Theme


class Outcome(QWidget):
    """Takes no room while there is nothing to say. Made by the section it stands in."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._note = plain_label("", theme, size="secondary", ink="ink-2", wraps=True)
        self._said = plain_label("", theme, size="secondary", ink="good", wraps=True)
        self._problem = plain_label("", theme, size="secondary", ink="bad", wraps=True)
        self._shown = "", ""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._note)
        column.addWidget(self._said)
        column.addWidget(self._problem)
        self.show_words("", "")

    def show_words(self, said: str, problem: str, note: str = "") -> None:
        """Says what holds now, or what is wrong, or what is neither; empty words take that back."""
        is_other = (said, problem) != self._shown
        self._shown = said, problem
        shown = ((self._note, note), (self._said, said), (self._problem, problem))
        for label, words in shown:
            label.setText(one_line(words))
            label.setVisible(bool(words))
        self.setVisible(any(words for _, words in shown))
        if is_other and self.isVisible():
            announce(self, one_line(problem or said))
