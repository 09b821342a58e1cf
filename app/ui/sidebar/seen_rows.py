"""Which rows of the list of chats somebody sees who has no name for them."""

from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer, Signal

from app.ui.sidebar.grouped_list import GroupedList

# Rows that only pass by while somebody scrolls are not looked at.
_LOOK_MS: Final = 400


class SeenRows(QObject):
    """Looks at what a list paints, once it has stood still. Made by the sidebar; ends with it."""

    untitled_seen = Signal(object)
    """Chats without a title stand in the window; argument: their ids, from above."""

    def __init__(self, view: GroupedList) -> None:
        super().__init__(view)
        self._view = view
        self._timer = QTimer(self, singleShot=True, interval=_LOOK_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        view.verticalScrollBar().valueChanged.connect(self._timer.stop)
        view.viewport().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Notes that something was painted."""
        if event.type() is QEvent.Type.Paint and not self._timer.isActive():
            self._timer.start()
        return False

    def _on_timer_timeout(self) -> None:
        untitled = tuple(
            row.conversation_id
            for row in self._view.rows_in_view()
            if not row.title and row.message_count
        )
        if untitled:
            self.untitled_seen.emit(untitled)
