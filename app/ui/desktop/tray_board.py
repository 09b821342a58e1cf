"""Notices where there is no D-Bus: Qt lets the icon in the tray speak."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QSystemTrayIcon

from app.notifications import Note, OnChosen


class TrayBoard(QObject):
    """Shows notices at the icon in the tray, which stands there while there are any.

    The system shows the newest only, and tells of a click, not on which. One for the run.
    """

    def __init__(self, icon: QSystemTrayIcon) -> None:
        super().__init__(icon)
        self._icon = icon
        self._on_chosen: OnChosen | None = None
        self._newest = ""
        self._subjects: set[str] = set()
        self._is_ours = False
        icon.messageClicked.connect(self._on_icon_message_clicked)

    def follow(self, on_chosen: OnChosen) -> None:
        """Tells of clicks."""
        self._on_chosen = on_chosen

    def show(self, subject: str, note: Note) -> None:
        """Shows a notice. It has no room for a button: a click on it does the one thing."""
        if not self._icon.isVisible():
            self._is_ours = True
            self._icon.show()
        self._newest = subject
        self._subjects.add(subject)
        self._icon.showMessage(note.heading, note.body, self._icon.icon())

    def withdraw(self, subject: str) -> None:
        """Takes the icon away again with the last notice; what was said fades by itself."""
        self._subjects.discard(subject)
        if self._is_ours and not self._subjects:
            self._is_ours = False
            self._icon.hide()

    async def look(self) -> bool:
        """Tells whether the system lets an icon speak."""
        return QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()

    async def aclose(self) -> None:
        """Takes every notice away."""
        for subject in tuple(self._subjects):
            self.withdraw(subject)

    def _on_icon_message_clicked(self) -> None:
        if self._on_chosen and self._newest:
            self._on_chosen(self._newest, "")
