"""`InstructionsDialog` asks for the instructions of one chat."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from app.api.client import MOST_INSTRUCTIONS_CHARS
from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.fields import LengthNote, TextArea
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import breakable, one_line, plain_label
from app.ui.widgets.screen_fit import ScreenFit
from app.ui.widgets.surfaces import set_surface

_WIDTH_PX: Final = 560
_HEIGHT_PX: Final = 380


class InstructionsDialog(QDialog):
    """Edits the instructions of a chat; a text that is too long cannot be saved.

    `ask` may be called repeatedly. Made by the chat page.
    """

    saved = Signal(str)
    """These should be the chat's instructions from now on; empty for none."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Instructions for this chat"))
        self.setModal(True)
        self._theme = theme
        set_surface(self, "bg")
        self._text = TextArea()
        self._text.setFont(theme.font("secondary"))
        self._text.setProperty("field", "text")
        self._text.setTabChangesFocus(True)
        self._text.setAccessibleName(self.windowTitle())
        self._text.textChanged.connect(self._show_length)
        self._note = LengthNote(theme, self._text, MOST_INSTRUCTIONS_CHARS, spacing_px=10)
        self._own = plain_label("", theme, size="secondary", ink="ink-2", wraps=True)
        self._cancel = push_button(self.tr("Cancel"), "quiet", theme)
        self._save = push_button(self.tr("Save"), "secondary", theme)
        self._cancel.clicked.connect(self.reject)
        self._save.clicked.connect(self._on_save_clicked)
        self._lay_out()
        self._show_length()
        ScreenFit(self)

    def ask(self, instructions: str, own: str = "") -> None:
        """Open the dialog with these instructions, without blocking; a signal brings the new ones.

        `own` are the user's own instructions, which every agent gets first.
        """
        words = self.tr("Your own instructions come first: {words}").format(words=one_line(own))
        self._own.setText(breakable(words))
        self._own.setVisible(bool(own.strip()))
        self._text.setPlainText(instructions)
        self._text.moveCursor(QTextCursor.MoveOperation.End)
        self.resize(self._theme.px(_WIDTH_PX), self._theme.px(_HEIGHT_PX))
        self.open()
        self._text.setFocus()

    def _lay_out(self) -> None:
        theme = self._theme
        title = plain_label(self.windowTitle(), theme, size="title", weight=Weight.DemiBold)
        words = self.tr("Added to the agent’s own instructions, from your next message on.")
        buttons = FlowLayout()
        buttons.add_gap()
        buttons.add(self._cancel, self._save)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(10)
        column.addWidget(title)
        column.addWidget(plain_label(words, theme, size="secondary", ink="ink-2", wraps=True))
        column.addWidget(self._own)
        column.addWidget(self._text, 1)
        column.addWidget(self._note)
        column.addLayout(buttons)

    def _show_length(self) -> None:
        self._save.setEnabled(self._note.look())

    def _on_save_clicked(self) -> None:
        self.accept()
        self.saved.emit(self._note.typed)
