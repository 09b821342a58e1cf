"""`NotificationController` words news as desktop notifications and follows clicks on them.

A `NotificationBackend` shows them. `TrayNotifications` is the one for systems without D-Bus: there
Qt shows messages at the tray icon.
"""

from typing import Final, Protocol

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QSystemTrayIcon

from app.platform.desktop_notifications import DesktopNotification, OnChosen
from app.ui.widgets.labels import one_line, title_line
from app.ui.windows import Windows
from app.viewmodels.notices import News, NewsKind, NoticesViewModel

_TITLE_LIMIT: Final = 80
_WORDS_LIMIT: Final = 160


class NotificationBackend(Protocol):
    """Shows notices on the desktop."""

    def follow(self, on_chosen: OnChosen) -> None:
        """Call `on_chosen` at each click on a notice."""

    def show(self, subject: str, note: DesktopNotification) -> None:
        """Show a notice, in place of the one about the same subject."""

    def withdraw(self, subject: str) -> None:
        """Remove the notice about this subject."""

    async def look(self) -> bool:
        """Return whether notices can be shown on this desktop."""

    async def aclose(self) -> None:
        """Remove every notice."""


class NotificationController(QObject):
    """Tells the view model when another window comes to the front, and shows news by the backend.

    One for the run, made after the windows.
    """

    def __init__(
        self, notices: NoticesViewModel, backend: NotificationBackend, windows: Windows
    ) -> None:
        super().__init__(windows)
        self._backend = backend
        self._notices = notices
        self._windows = windows
        windows.front_changed.connect(self._on_windows_front_changed)
        notices.posted.connect(self._on_notices_posted)
        notices.withdrawn.connect(backend.withdraw)
        backend.follow(self._on_backend_chosen)

    def _on_windows_front_changed(self) -> None:
        self._notices.look_again()
        if self._windows.is_put_away:
            self._notices.tell_waiting()

    def _on_notices_posted(self, news: News) -> None:
        # Untrusted text stands below our heading, so that it cannot pass for words of ours.
        lines = title_line(news.title, _TITLE_LIMIT), one_line(news.words, _WORDS_LIMIT)
        body = "\n".join(line for line in lines if line)
        note = DesktopNotification(self._heading(news.kind), body, self.tr("Show chat"))
        self._backend.show(news.conversation_id, note)

    def _heading(self, kind: NewsKind) -> str:
        if kind is NewsKind.WAITING:
            return self.tr("Waiting for your decision")
        if kind is NewsKind.FAILED:
            return self.tr("Message or reply failed")
        return self.tr("Reply finished")

    def _on_backend_chosen(self, conversation_id: str, token: str) -> None:
        """Bring the chat to the front; what waits there is decided there."""
        self._windows.show_chat(conversation_id, token)


class TrayNotifications(QObject):
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
        """Call `on_chosen` at each click on a notice."""
        self._on_chosen = on_chosen

    def show(self, subject: str, note: DesktopNotification) -> None:
        """Show a notice. It has no room for a button: a click on it does the one thing."""
        if not self._icon.isVisible():
            self._is_ours = True
            self._icon.show()
        self._newest = subject
        self._subjects.add(subject)
        self._icon.showMessage(note.heading, note.body, self._icon.icon())

    def withdraw(self, subject: str) -> None:
        """Take the icon away again with the last notice; what was said fades by itself."""
        self._subjects.discard(subject)
        if self._is_ours and not self._subjects:
            self._is_ours = False
            self._icon.hide()

    async def look(self) -> bool:
        """Tell whether the system lets an icon speak."""
        return QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()

    async def aclose(self) -> None:
        """Remove every notice."""
        for subject in tuple(self._subjects):
            self.withdraw(subject)

    def _on_icon_message_clicked(self) -> None:
        if self._on_chosen and self._newest:
            self._on_chosen(self._newest, "")
