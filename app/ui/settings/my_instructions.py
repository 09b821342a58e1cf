"""`MyInstructions` is the field for what every agent of this computer is told first."""

from typing import Final

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.labels import plain_label
from app.ui.widgets.scaling import hold_size
from app.ui.widgets.surfaces import stack
from app.viewmodels.settings.agents import MOST_INSTRUCTIONS_CHARS

_HEIGHT_PX: Final = 120


class MyInstructions(QWidget):
    """Shows the instructions to be changed; what is too long cannot be saved, and stays there.

    Made by the section about agents.
    """

    saved = Signal(str)
    """These should be the instructions from now on; empty for none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._kept = ""
        self._text = QPlainTextEdit()
        self._text.setFont(theme.font("secondary"))
        self._text.setProperty("field", "text")
        self._text.setTabChangesFocus(True)
        self._text.setAccessibleName(self.tr("My instructions"))
        hold_size(self._text, height_px=_HEIGHT_PX)
        self._length = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._too_long = plain_label("", theme, size="small", ink="bad", wraps=True)
        self._save = push_button(
            self.tr("Save"), "secondary", theme, name=self.tr("Save my instructions")
        )
        buttons = FlowLayout()
        buttons.add(self._save)
        stack(self, 8, self._text, self._length, self._too_long, buttons)
        self._text.textChanged.connect(self._show_length)
        self._save.clicked.connect(self._on_save_clicked)
        self._show_length()

    def show_text(self, text: str) -> None:
        """Show what is kept; what was typed and not saved stays until other words are kept."""
        if text != self._kept:
            self._kept = text
            if text != self._typed():
                self._text.setPlainText(text)
            self._show_length()

    def _typed(self) -> str:
        return self._text.toPlainText().strip()

    def _show_length(self) -> None:
        length = len(self._typed())
        count, most = QLocale().toString(length), QLocale().toString(MOST_INSTRUCTIONS_CHARS)
        is_too_long = length > MOST_INSTRUCTIONS_CHARS
        words = self.tr("{count} of at most {most} characters").format(count=count, most=most)
        wrong = self.tr("{count} characters are too many: shorten them to at most {most}.").format(
            count=count, most=most
        )
        self._length.setText(words)
        self._length.setHidden(is_too_long)
        self._too_long.setText(wrong if is_too_long else "")
        self._too_long.setVisible(is_too_long)
        self._text.setAccessibleDescription(wrong if is_too_long else "")
        self._save.setEnabled(not is_too_long and self._typed() != self._kept)

    def _on_save_clicked(self) -> None:
        self.saved.emit(self._typed())
