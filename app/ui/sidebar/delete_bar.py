"""Asks in the sidebar, and not in a window of its own, whether a chat should be deleted."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.chat.conversations import ConversationRow
from app.ui.parts.buttons import push_button
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import plain_label
from app.ui.parts.surfaces import set_card
from app.ui.sidebar.conversation_delegate import shown_title
from app.ui.theme import Theme

_TITLE_LIMIT = 60


class DeleteBar(QWidget):
    """Says what deleting means, and waits for one of two buttons; Esc keeps the chat.

    Made by the sidebar.
    """

    confirmed = Signal(str)
    """The chat should be deleted for ever; argument: its id."""
    dismissed = Signal()
    """The chat stays."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.conversation_id = ""
        self._question = plain_label(
            "", theme, size="secondary", weight=Weight.DemiBold, wraps=True
        )
        words = plain_label(
            self.tr("The service removes it for ever, with everything kept here."),
            theme,
            size="small",
            ink="ink-2",
            wraps=True,
        )
        self._keep = push_button(self.tr("Keep"), "secondary", theme)
        self._delete = push_button(self.tr("Delete for ever"), "danger", theme)
        self._keep.clicked.connect(self._on_keep_clicked)
        self._delete.clicked.connect(self._on_delete_clicked)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self._keep)
        buttons.addWidget(self._delete, 1)
        card = QFrame()
        set_card(card, "plain")
        column = QVBoxLayout(card)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(6)
        column.addWidget(self._question)
        column.addWidget(words)
        column.addSpacing(4)
        column.addLayout(buttons)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(8, 4, 8, 8)
        outside.addWidget(card)
        self.hide()

    def ask(self, row: ConversationRow) -> None:
        """Asks about this chat."""
        self.conversation_id = row.conversation_id
        shown = shown_title(row, _TITLE_LIMIT)
        self._question.setText(self.tr("Delete “{title}”?").format(title=shown))
        self.setAccessibleName(self._question.text())
        self.show()
        self._keep.setFocus()

    def dismiss(self) -> None:
        """Asks no longer."""
        self.conversation_id = ""
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keeps the chat on Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self._on_keep_clicked()
        else:
            super().keyPressEvent(event)

    def _on_keep_clicked(self) -> None:
        self.dismiss()
        self.dismissed.emit()

    def _on_delete_clicked(self) -> None:
        conversation_id = self.conversation_id
        self.dismiss()
        self.confirmed.emit(conversation_id)
