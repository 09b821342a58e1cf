"""`MyInstructions` is the field for the user's own instructions, which every local agent gets."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.config.settings import MY_INSTRUCTIONS_LIMIT_CHARS
from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.fields import LengthNote, TextArea
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.scaling import hold_size
from app.ui.widgets.surfaces import stack

_HEIGHT_PX: Final = 120


class MyInstructions(QWidget):
    """Edits the instructions; a text that is too long stays in the field and is not saved.

    Made by the section about agents.
    """

    saved = Signal(str)
    """These should be the instructions from now on; empty for none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._kept = ""
        self._text = TextArea()
        self._text.setFont(theme.font("secondary"))
        self._text.setProperty("field", "text")
        self._text.setTabChangesFocus(True)
        self._text.setAccessibleName(self.tr("My instructions"))
        hold_size(self._text, height_px=_HEIGHT_PX)
        self._note = LengthNote(theme, self._text, MY_INSTRUCTIONS_LIMIT_CHARS, spacing_px=8)
        self._save = push_button(
            self.tr("Save"), "secondary", theme, name=self.tr("Save my instructions")
        )
        buttons = FlowLayout()
        buttons.add(self._save)
        stack(self, 8, self._text, self._note, buttons)
        self._text.textChanged.connect(self._show_length)
        self._save.clicked.connect(self._on_save_clicked)
        self._show_length()

    def show_text(self, text: str) -> None:
        """Show the stored text; unsaved edits stay until another text is stored."""
        if text != self._kept:
            self._kept = text
            if text != self._note.typed:
                self._text.setPlainText(text)
            self._show_length()

    def _show_length(self) -> None:
        is_short_enough = self._note.look()
        self._save.setEnabled(is_short_enough and self._note.typed != self._kept)

    def _on_save_clicked(self) -> None:
        self.saved.emit(self._note.typed)
