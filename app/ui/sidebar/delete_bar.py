"""`DeleteBar` confirms the deletion of chats, in the sidebar instead of a dialog."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QKeyEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.chat.conversation_rows import ConversationRow
from app.ui.sidebar.conversation_delegate import shown_title
from app.ui.theme import Theme
from app.ui.widgets.accessible import announce, set_role
from app.ui.widgets.buttons import push_button, set_button_text
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import breakable, plain_label, spoken
from app.ui.widgets.surfaces import set_card
from app.viewmodels.sidebar.conversation_list import NO_DELETION, DeletionView

_TITLE_LIMIT: Final = 60


class DeleteBar(QWidget):
    """Says what deleting means, waits for an answer, and then shows the progress.

    Esc keeps the chats. It names what could not be deleted and offers to try again. While it asks,
    it does not show the progress of another deletion. Made by the sidebar.
    """

    confirmed = Signal(object)
    """The chats should be deleted permanently; argument: their ids."""
    export_asked = Signal(object)
    """The chats should be exported first; argument: their ids."""
    dismissed = Signal()
    """The chats stay, or there is nothing more to say."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        # Screen readers do not read the name of a plain widget.
        set_role(self, QAccessible.Role.Grouping)
        self._rows: Sequence[ConversationRow] = ()
        self._asks = False
        self._deletion = NO_DELETION
        # The titles of the chats that are being deleted, by id.
        self._titles: dict[str, str] = {}
        self._is_archive = False
        self._question = plain_label(
            "", theme, size="secondary", weight=Weight.DemiBold, wraps=True
        )
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._export = push_button(self.tr("Export first…"), "secondary", theme)
        self._keep = push_button(self.tr("Cancel"), "secondary", theme)
        self._delete = push_button(self.tr("Delete permanently"), "danger", theme)
        self._export.clicked.connect(self._on_export_clicked)
        self._keep.clicked.connect(self._on_keep_clicked)
        self._delete.clicked.connect(self._on_delete_clicked)
        self._lay_out()
        self.hide()

    def show_archive(self, *, is_archive: bool) -> None:
        """Set whether the chats are imported ones, which exist on this computer only."""
        self._is_archive = is_archive

    def ask(self, rows: Sequence[ConversationRow]) -> None:
        """Ask about these chats."""
        self._rows = tuple(rows)
        self._asks = True
        self._say(self._question_for(rows), self._meaning_for(len(rows)))
        self._offer(keep=self.tr("Cancel"), delete=self.tr("Delete permanently"), can_export=True)
        self._keep.setFocus()

    def show_deletion(self, deletion: DeletionView) -> None:
        """Show the progress of deleting; hide when all chats are deleted."""
        self._deletion = deletion
        self._titles = {key: self._titles.get(key, "") for key in deletion.left}
        if not self._asks:
            self._show_deletion()

    def _show_deletion(self) -> None:
        deletion = self._deletion
        if deletion.is_running and deletion.total > 1:
            words = self.tr("Deleting {done} of {total}…")
            self._say(words.format(done=deletion.done, total=deletion.total), "")
            self._offer()
        elif deletion.left and not deletion.is_running:
            failure, why = self._failure_of(deletion), deletion.words
            self._say(failure, spoken(why) if why else "")
            announce(self, f"{failure} {self._words.text()}".rstrip())
            self._offer(keep=self.tr("Close"), delete=self.tr("Try again"))
        else:
            self.hide()

    def drop_all_but(self, is_listed: Callable[[str], bool]) -> None:
        """Leave out chats that are no longer listed; hide the question when none is left."""
        if not self._asks:
            return
        left = tuple(row for row in self._rows if is_listed(row.conversation_id))
        if not left:
            self._end_question()
        elif left != self._rows:
            self._rows = left
            self._show_question(self._question_for(left))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keep the chats on Esc."""
        if event.key() == Qt.Key.Key_Escape and self._keep.isVisible():
            self._on_keep_clicked()
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        buttons = FlowLayout()
        buttons.add(self._keep, self._delete, grows=True)
        card = QFrame()
        set_card(card, "plain")
        column = QVBoxLayout(card)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(6)
        column.addWidget(self._question)
        column.addWidget(self._words)
        column.addSpacing(2)
        column.addWidget(self._export)
        column.addSpacing(2)
        column.addLayout(buttons)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(8, 4, 8, 8)
        outside.addWidget(card)

    def _meaning_for(self, count: int) -> str:
        if self._is_archive:
            return self.tr("The imported copy is deleted from this computer.")
        if count == 1:
            return self.tr("It is permanently deleted from the service and from this computer.")
        return self.tr("They are permanently deleted from the service and from this computer.")

    def _question_for(self, rows: Sequence[ConversationRow]) -> str:
        if len(rows) == 1:
            return self.tr("Delete “{title}”?").format(title=shown_title(rows[0], _TITLE_LIMIT))
        return self.tr("Delete %n chats?", "", len(rows))

    def _failure_of(self, deletion: DeletionView) -> str:
        title = self._titles.get(deletion.left[0])
        if deletion.total == 1 and title:
            return self.tr("“{title}” was not deleted.").format(title=title)
        words = self.tr("{done} of {total} chats were deleted. The others were kept.")
        return words.format(done=deletion.done, total=deletion.total)

    def _say(self, question: str, words: str) -> None:
        self._show_question(question)
        self._words.setText(words)
        self.setAccessibleDescription(words)
        self._words.setVisible(bool(words))
        self.show()

    def _show_question(self, question: str) -> None:
        self._question.setText(breakable(question))
        self._question.setAccessibleName(question)
        self.setAccessibleName(question)

    def _offer(self, keep: str = "", delete: str = "", *, can_export: bool = False) -> None:
        self._export.setVisible(can_export)
        for button, words in ((self._keep, keep), (self._delete, delete)):
            button.setVisible(bool(words))
            if words:
                set_button_text(button, words)

    def _ids(self) -> tuple[str, ...]:
        """Return the chats that are asked about, or else those that could not be deleted."""
        if self._asks:
            return tuple(row.conversation_id for row in self._rows)
        return self._deletion.left

    def _end_question(self) -> None:
        """Say how a deletion goes that is under way, or nothing."""
        self._asks = False
        self._show_deletion()

    def _on_export_clicked(self) -> None:
        self.export_asked.emit(self._ids())

    def _on_keep_clicked(self) -> None:
        if self._asks:
            self._end_question()
        else:
            self.show_deletion(NO_DELETION)
        self.dismissed.emit()

    def _on_delete_clicked(self) -> None:
        ids = self._ids()
        if self._asks:
            self._titles |= {r.conversation_id: shown_title(r, _TITLE_LIMIT) for r in self._rows}
            self._end_question()
        self.confirmed.emit(ids)
