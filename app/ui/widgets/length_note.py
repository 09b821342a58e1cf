"""`LengthNote` says below a field of text how long it is, and when that is too long."""

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.ui.theme import Theme
from app.ui.widgets.labels import plain_label
from app.ui.widgets.surfaces import stack


class LengthNote(QWidget):
    """Counts the characters of a field against a limit. Made beside the field; ends with it."""

    def __init__(self, theme: Theme, text: QPlainTextEdit, most: int, *, spacing_px: int) -> None:
        super().__init__()
        self._text = text
        self._most = most
        self._length = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._too_long = plain_label("", theme, size="small", ink="bad", wraps=True)
        stack(self, spacing_px, self._length, self._too_long)

    @property
    def typed(self) -> str:
        """What is in the field, without space around it."""
        return self._text.toPlainText().strip()

    def look(self) -> bool:
        """Say the present length; return whether it is within the limit."""
        length = len(self.typed)
        count, most = QLocale().toString(length), QLocale().toString(self._most)
        is_too_long = length > self._most
        words = self.tr("{count} of at most {most} characters").format(count=count, most=most)
        wrong = self.tr("{count} characters are too many: shorten them to at most {most}.").format(
            count=count, most=most
        )
        self._length.setText(words)
        self._length.setHidden(is_too_long)
        self._too_long.setText(wrong if is_too_long else "")
        self._too_long.setVisible(is_too_long)
        self._text.setAccessibleDescription(wrong if is_too_long else "")
        return not is_too_long
