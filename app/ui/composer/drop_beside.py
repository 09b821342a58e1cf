"""Drops beside the text: they go where drops on the text go."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from app.ui.composer.message_edit import MessageEdit


class DropBeside(QObject):
    """Takes for `edit` what is dropped on `area` around it. Made by the composer, its `area`."""

    hover_changed = Signal(bool)
    """Something that can be dropped came over the area or left it: whether it is here."""

    def __init__(self, area: QWidget, edit: MessageEdit) -> None:
        super().__init__(area)
        self._edit = edit
        area.setAcceptDrops(True)
        area.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Answers what is dragged over the area."""
        if isinstance(event, QDragEnterEvent):
            event.setAccepted(self._edit.canInsertFromMimeData(event.mimeData()))
            self.hover_changed.emit(event.isAccepted())
            return True
        if event.type() is QEvent.Type.DragLeave:
            self.hover_changed.emit(False)
        elif event.type() is QEvent.Type.Drop and isinstance(event, QDropEvent):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self._edit.insertFromMimeData(event.mimeData())
            self.hover_changed.emit(False)
            return True
        return super().eventFilter(watched, event)
