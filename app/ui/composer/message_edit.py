"""`MessageEdit` is the composer's text area: grows with its text, accepts plain text only."""

import re
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QResizeEvent,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget

from app.chat.session import MESSAGE_LIMIT_CHARS
from app.ui.widgets.labels import beside_caret

_MOST_LINES: Final = 10
_MARGIN: Final = 2
_ENTER_KEYS: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
# WORKAROUND Qt looks for a word's end anew on every line of a long word, which takes minutes for a
# megabyte without a blank: such text is wrapped at any letter instead.
_LONG_WORD: Final = re.compile(r"\S{4000}")


class MessageEdit(QPlainTextEdit):
    """One to ten lines of plain text; Enter submits, Shift+Enter breaks the line.

    Made by the composer; ends with it.
    """

    submitted = Signal()
    """Enter was pressed, and no input method was composing."""
    recall_requested = Signal(int)
    """Another of the chat's own messages is wanted; argument: 1 for an older, -1 for a newer."""
    files_dropped = Signal(object)
    """Local files were dropped or pasted: tuple[Path, ...]."""
    image_pasted = Signal(object)
    """An image without a file was pasted or dropped; argument: the QImage."""
    long_text_pasted = Signal(str)
    """More text was pasted or dropped than a message can hold, and is not put in; argument: it."""
    unusable_pasted = Signal()
    """Something that is neither text nor file nor image was pasted or dropped."""
    focus_changed = Signal(bool)
    """The keyboard came or went: whether it is here."""
    hover_changed = Signal(bool)
    """Something that can be dropped came over the box or left it: whether it is here."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._recalled = ""
        self._most_lines = _MOST_LINES
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(_MARGIN)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.textChanged.connect(self._on_text_changed)
        self._fit()

    def set_text(self, text: str) -> None:
        """Replace everything by `text`, with the cursor at its end."""
        self._wrap_for(text)
        self.setPlainText(text)
        self.moveCursor(self.textCursor().MoveOperation.End)

    def show_recalled(self, text: str) -> None:
        """Show an earlier message; as long as it is not changed, Up and Down walk on."""
        self._recalled = text
        self.set_text(text)

    def insert_text(self, text: str) -> None:
        """Insert `text` at the cursor; one undo removes it."""
        self._wrap_for(text)
        self.insertPlainText(text)
        self.ensureCursorVisible()

    def show_prompt(self, words: str) -> None:
        """Show these words as long as the box is empty."""
        shown = beside_caret(words)
        if shown == self.placeholderText():
            return
        self.setPlaceholderText(shown)
        # WORKAROUND Qt paints a placeholder when it comes or goes, not when it says something else.
        self.viewport().update()

    def set_most_lines(self, lines: int) -> None:
        """Grow to so many lines, and scroll from there on."""
        self._most_lines = lines
        self._fit()
        self.ensureCursorVisible()

    def sizeHint(self) -> QSize:
        """Return the size for as many lines as there are, up to the limit."""
        return QSize(super().sizeHint().width(), self._wanted_height())

    def minimumSizeHint(self) -> QSize:
        """Return the width of a few words."""
        return QSize(120, self._wanted_height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send on Enter, walk through what was sent from the empty box, else edit."""
        is_shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() in _ENTER_KEYS and not is_shifted:
            event.accept()
            if not self._is_composing() and not event.isAutoRepeat():
                self.submitted.emit()
        elif event.key() in _ENTER_KEYS:
            self.textCursor().insertBlock()
            self.ensureCursorVisible()
        elif step := self._recall_step(event):
            self.recall_requested.emit(step)
        else:
            super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Accept text and local files; anything else is refused with words."""
        return source.hasText() or source.hasUrls() or source.hasImage()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert text as plain text; hand on local files, and text that is too long."""
        paths = tuple(Path(url.toLocalFile()) for url in source.urls() if url.isLocalFile())
        if paths:
            self.files_dropped.emit(paths)
        elif source.hasText():
            self._insert_or_refuse(source.text())
        elif isinstance(image := source.imageData(), QImage) and not image.isNull():
            self.image_pasted.emit(image)
        else:
            self.unusable_pasted.emit()

    def _insert_or_refuse(self, text: str) -> None:
        # Each megabyte is laid out for a second, in which the window stands still.
        if self.document().characterCount() + len(text) > MESSAGE_LIMIT_CHARS + 1:
            self.long_text_pasted.emit(text)
        else:
            self.insert_text(text)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Signal that something may be dropped."""
        super().dragEnterEvent(event)
        self.hover_changed.emit(event.isAccepted())

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Signal that nothing will be dropped."""
        super().dragLeaveEvent(event)
        self.hover_changed.emit(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Insert what was dropped."""
        super().dropEvent(event)
        self.hover_changed.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Count the lines again: another width wraps differently."""
        super().resizeEvent(event)
        self._fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Signal that the keyboard is here."""
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Signal that the keyboard has gone."""
        super().focusOutEvent(event)
        self.focus_changed.emit(False)

    def _is_composing(self) -> bool:
        return bool(self.textCursor().block().layout().preeditAreaText())

    def _is_empty(self) -> bool:
        return self.document().isEmpty() and not self._is_composing()

    def _recall_step(self, event: QKeyEvent) -> int:
        """Return the step of an arrow through sent messages; 0 when it only moves the cursor."""
        arrows = {Qt.Key.Key_Up: (QTextCursor.MoveOperation.Up, 1)}
        is_recalled = bool(self._recalled) and self.toPlainText() == self._recalled
        if is_recalled:
            arrows[Qt.Key.Key_Down] = (QTextCursor.MoveOperation.Down, -1)
        move, step = arrows.get(Qt.Key(event.key()), (QTextCursor.MoveOperation.NoMove, 0))
        if not step or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return 0
        if not (self._is_empty() or is_recalled):
            return 0
        # In a message of several lines an arrow moves the cursor until it can go no further.
        return 0 if self.textCursor().movePosition(move) else step

    def _wrap_for(self, text: str) -> None:
        if _LONG_WORD.search(text):
            self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)

    def _on_text_changed(self) -> None:
        if self.document().isEmpty():
            self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

    def _wanted_height(self) -> int:
        # The plain text layout counts its height in lines, wrapped ones included.
        lines = min(max(1, round(self.document().size().height())), self._most_lines)
        return lines * self.fontMetrics().lineSpacing() + 2 * _MARGIN

    def _fit(self) -> None:
        lines = round(self.document().size().height())
        policy = Qt.ScrollBarPolicy
        is_long = lines > self._most_lines
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if is_long else policy.ScrollBarAlwaysOff
        )
        self.setFixedHeight(self._wanted_height())
