"""What a change in the settings has led to, or why it does not hold."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.parts.labels import one_line, plain_label
from app.ui.theme import Theme


class Outcome(QWidget):
    """Takes no room while there is nothing to say. Made by the section it stands in."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._said = plain_label("", theme, size="secondary", ink="good", wraps=True)
        self._problem = plain_label("", theme, size="secondary", ink="bad", wraps=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._said)
        column.addWidget(self._problem)
        self.show_words("", "")

    def show_words(self, said: str, problem: str) -> None:
        """Says what holds now, or what is wrong; empty words take that back."""
        for label, words in ((self._said, said), (self._problem, problem)):
            label.setText(one_line(words))
            label.setVisible(bool(words))
        self.setVisible(bool(said or problem))
