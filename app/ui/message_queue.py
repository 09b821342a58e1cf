"""The messages that wait for the reply before them, above the box."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.ui.buttons import icon_button
from app.ui.labels import one_line, plain_label
from app.ui.surfaces import set_card
from app.ui.theme import Theme
from app.viewmodels.states import QueuedMessage


class MessageQueue(QFrame):
    """One line a message, first to be sent on top, each with a way back into the box.

    Hidden while nothing waits. Made by the composer; ends with it.
    """

    withdraw_requested = Signal(str)
    """The person wants this message back: its key."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        set_card(self, "plain")
        self._messages: tuple[QueuedMessage, ...] = ()
        self._rows: list[QWidget] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 6, 6, 6)
        self._column.setSpacing(0)
        self._column.addWidget(
            plain_label(self.tr("Sent after this reply"), theme, size="small", ink="ink-3")
        )
        self.setAccessibleName(self.tr("Messages that wait"))
        self.hide()

    def show_messages(self, messages: Sequence[QueuedMessage]) -> None:
        """Show what waits now."""
        if tuple(messages) == self._messages:
            return
        self._messages = tuple(messages)
        for row in self._rows:
            self._column.removeWidget(row)
            row.deleteLater()
        self._rows = [self._row(message) for message in messages]
        for row in self._rows:
            self._column.addWidget(row)
        self.setVisible(bool(messages))

    def _row(self, message: QueuedMessage) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        shown = one_line(message.text)
        line.addWidget(plain_label(shown, self._theme, size="secondary", elides=True), 1)
        name = self.tr("Edit: take back “{0}”").format(shown)
        edit = icon_button("square-pen", name, self._theme)
        edit.setProperty("key", message.key)
        edit.clicked.connect(self._on_edit_clicked)
        line.addWidget(edit)
        return row

    def _on_edit_clicked(self) -> None:
        self.withdraw_requested.emit(self.sender().property("key"))
