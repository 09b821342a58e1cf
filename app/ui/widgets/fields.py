"""`LineEdit` is a QLineEdit whose name screen readers announce at its first focus.

`KeyEdit` hides what is typed. `Field` adds a label above and an error below. `SearchLineEdit` has a
magnifying glass; `FilterField` is the field above a list that filters it. `TextArea` has several
lines, and `LengthNote` below one shows the length of the text, and when it is too long.
`written_character` reads a key that was pressed outside every field.
"""

import re
from typing import Final

from PySide6.QtCore import QLocale, QMimeData, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.buttons import icon_button, tint_icon
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import beside_caret, one_line, plain_label, set_plain_tooltip
from app.ui.widgets.surfaces import stack

_ENDLESS_WORD: Final = re.compile(r"\S{20000}")
_ICON_PX: Final = 16
_ICON_LEFT_PX: Final = 11
_ICON_GAP_PX: Final = 6
_EYE_RIGHT_PX: Final = 3
_SECRET: Final = (
    Qt.InputMethodHint.ImhSensitiveData
    | Qt.InputMethodHint.ImhNoPredictiveText
    | Qt.InputMethodHint.ImhNoAutoUppercase
)


def written_character(event: QKeyEvent) -> str:
    """Return what a key writes; empty where it writes nothing, or is a command."""
    commands = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier
    text = event.text()
    # AltGr, which writes letters, is both keys at once on some systems.
    is_altgr = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
    is_command = bool(event.modifiers() & commands) != is_altgr
    return text if text.isprintable() and text.strip() and not is_command else ""


class LineEdit(QLineEdit):
    """A QLineEdit whose name screen readers announce at its first focus.

    A new QLineEdit emits its caret-moved event before its focus event; Orca then treats the field
    as already announced and says nothing.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCursorPosition(0)

    def setPlaceholderText(self, text: str) -> None:
        """Set the placeholder, drawn beside the caret instead of under it."""
        super().setPlaceholderText(beside_caret(text))


class KeyEdit(LineEdit):
    """One line for a key: dots, until the eye at its end is pressed.

    Dots again once it is empty, and once its page is left.
    """

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._name = name
        self.setFont(theme.font("secondary"))
        self.setAccessibleName(name)
        self._eye = icon_button("eye", "", theme)
        self._eye.setParent(self)
        self._eye.clicked.connect(self._on_eye_clicked)
        self.textChanged.connect(self._on_text_changed)
        theme.changed.connect(self._make_room)
        self._show(is_hidden=True)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Move the eye along with the end."""
        super().resizeEvent(event)
        self._make_room()

    def hideEvent(self, event: QHideEvent) -> None:
        """Hide the key: who comes back to the page need not be alone."""
        self._show(is_hidden=True)
        super().hideEvent(event)

    def _make_room(self) -> None:
        size = self._eye.sizeHint()
        self.setTextMargins(0, 0, size.width(), 0)
        left = self.width() - size.width() - self._theme.px(_EYE_RIGHT_PX)
        self._eye.setGeometry(QRect(QPoint(left, (self.height() - size.height()) // 2), size))

    def _show(self, *, is_hidden: bool) -> None:
        self.setEchoMode(QLineEdit.EchoMode.Password if is_hidden else QLineEdit.EchoMode.Normal)
        # Or keyboards on the screen would learn a key that is shown.
        self.setInputMethodHints(self.inputMethodHints() | _SECRET)
        words = self.tr("Show: {name}") if is_hidden else self.tr("Hide: {name}")
        self._eye.setAccessibleName(words.format(name=self._name))
        set_plain_tooltip(self._eye, self.tr("Show") if is_hidden else self.tr("Hide"))
        tint_icon(self._eye, "eye" if is_hidden else "eye-off", self._theme)

    def _on_eye_clicked(self) -> None:
        self._show(is_hidden=self.echoMode() is not QLineEdit.EchoMode.Password)

    def _on_text_changed(self, text: str) -> None:
        if not text:
            # Or undo would bring back a key that was stored, once the eye is pressed.
            self.setText("")
            self._show(is_hidden=True)


class Field(QWidget):
    """A labelled line edit.

    With `hides` it is a `KeyEdit`. A hint under the field gives way to an
    error. Made by the page that it stands on.
    """

    submitted = Signal()
    """Enter was pressed in the field."""
    edited = Signal(str)
    """Somebody typed; argument: the whole text as it is."""

    def __init__(
        self, theme: Theme, name: str, *, placeholder: str = "", hint: str = "", hides: bool = False
    ) -> None:
        super().__init__()
        self._hint = hint
        self._edit = KeyEdit(theme, name) if hides else LineEdit()
        self._edit.setFont(theme.font("secondary"))
        self._edit.setPlaceholderText(placeholder)
        self._edit.setAccessibleName(name)
        self._edit.returnPressed.connect(self.submitted)
        self._edit.textEdited.connect(self.edited)
        self._label = plain_label(name, theme, size="small", weight=Weight.Medium, ink="ink-2")
        self._label.setBuddy(self._edit)
        self._below = plain_label("", theme, size="small", ink="ink-3", wraps=True)
        self._wrong = plain_label("", theme, size="small", ink="bad", wraps=True)
        self.setFocusProxy(self._edit)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(5)
        for widget in (self._label, self._edit, self._below, self._wrong):
            column.addWidget(widget)
        self.show_hint(hint)
        self.show_error("")

    @property
    def text(self) -> str:
        """The text that is typed, without blanks around it."""
        return self._edit.text().strip()

    def set_text(self, text: str) -> None:
        """Replace what is typed."""
        self._edit.setText(text)

    def show_text(self, text: str) -> None:
        """Show this text, unless it is there; whoever types in it keeps the place."""
        if self._edit.text() != text:
            self._edit.setText(text)

    def show_hint(self, hint: str) -> None:
        """Show other words under the field."""
        self._hint = hint
        self._below.setText(hint)
        self._below.setVisible(bool(hint) and not self._wrong.text())

    def show_error(self, words: str) -> None:
        """Show what is wrong; empty words take that back."""
        is_new = bool(words) and words != self._wrong.text()
        self._wrong.setText(one_line(words))
        self._wrong.setVisible(bool(words))
        self._below.setVisible(bool(self._hint) and not words)
        self._edit.setAccessibleDescription(words or self._hint)
        self._edit.setProperty("wrong", "true" if words else "false")
        # A style sheet reads properties only when a widget is polished.
        self._edit.style().unpolish(self._edit)
        self._edit.style().polish(self._edit)
        # Focus last: screen readers repeat the description of a focused widget when it changes.
        if is_new:
            self._edit.setFocus()


class SearchLineEdit(LineEdit):
    """One line with a magnifying glass before the words. Made by what is searched."""

    def __init__(self, theme: Theme, name: str, *, has_icon: bool = True) -> None:
        super().__init__()
        self._theme = theme
        self._has_icon = has_icon
        self.setFont(theme.font("secondary"))
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        theme.changed.connect(self._make_room)
        self._make_room()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the field, and the magnifying glass in the room before its words."""
        super().paintEvent(event)
        if not self._has_icon:
            return
        px, ratio = self._theme.px, self.devicePixelRatioF()
        icon = self._theme.pixmap("search", "ink-3", px(_ICON_PX), ratio)
        QPainter(self).drawPixmap(px(_ICON_LEFT_PX), (self.height() - px(_ICON_PX)) // 2, icon)

    def _make_room(self) -> None:
        room = self._theme.px(_ICON_PX + _ICON_GAP_PX) if self._has_icon else 0
        self.setTextMargins(room, 0, 0, 0)


class FilterField(SearchLineEdit):
    """Esc empties it, and Down goes on to the list. Made by what has the list."""

    passed = Signal()
    """The keyboard should go on to the list."""

    def __init__(self, theme: Theme, name: str, *, has_icon: bool = True) -> None:
        super().__init__(theme, name, has_icon=has_icon)
        self.setClearButtonEnabled(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take Esc while there is something to empty, and Down."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() == Qt.Key.Key_Down:
            self.passed.emit()
        else:
            super().keyPressEvent(event)


class TextArea(QPlainTextEdit):
    """Several lines to type into; of a pasted word without end, its beginning.

    To break a word of a megabyte into lines would stop the window for minutes.
    """

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert what is pasted or dropped, up to a word that is too long to be drawn."""
        endless = _ENDLESS_WORD.search(source.text())
        if endless is not None:
            cut = QMimeData()
            cut.setText(source.text()[: endless.end()])
            source = cut
        super().insertFromMimeData(source)


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
        wrong = self.tr("The text has {count} characters. Shorten it to at most {most}.").format(
            count=count, most=most
        )
        self._length.setText(words)
        self._length.setHidden(is_too_long)
        self._too_long.setText(wrong if is_too_long else "")
        self._too_long.setVisible(is_too_long)
        self._text.setAccessibleDescription(wrong if is_too_long else "")
        return not is_too_long
