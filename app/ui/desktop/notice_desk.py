"""Puts news into words for the system's notices, and follows clicks on them."""

from typing import Final, Protocol

from PySide6.QtCore import QObject

from app.notifications import Note, OnChosen
from app.ui.desktop.activation import activated_by
from app.ui.parts.labels import one_line, title_line
from app.ui.windows import Windows
from app.viewmodels.notices import News, NewsKind, NoticesViewModel

_TITLE_LIMIT: Final = 80
_WORDS_LIMIT: Final = 160


class Board(Protocol):
    """Where notices are put up."""

    def follow(self, on_chosen: OnChosen) -> None:
        """Tells of clicks."""

    def show(self, subject: str, note: Note) -> None:
        """Shows a notice, in place of the one about the same subject."""

    def withdraw(self, subject: str) -> None:
        """Takes the notice about this subject away."""

    async def look(self) -> bool:
        """Tells whether notices can be shown here."""

    async def aclose(self) -> None:
        """Takes every notice away."""


class NoticeDesk(QObject):
    """Tells the view model when another window comes to the front, and the board what is news.

    One for the run, made after the windows.
    """

    def __init__(self, notices: NoticesViewModel, board: Board, windows: Windows) -> None:
        super().__init__(windows)
        self._board = board
        self._notices = notices
        self._windows = windows
        windows.front_changed.connect(self._on_windows_front_changed)
        notices.posted.connect(self._on_notices_posted)
        notices.withdrawn.connect(board.withdraw)
        board.follow(self._on_board_chosen)

    def _on_windows_front_changed(self) -> None:
        self._notices.look_again()
        if self._windows.is_put_away:
            self._notices.tell_waiting()

    def _on_notices_posted(self, news: News) -> None:
        # What comes from elsewhere stands below, so that it cannot pass for words of ours.
        lines = title_line(news.title, _TITLE_LIMIT), one_line(news.words, _WORDS_LIMIT)
        body = "\n".join(line for line in lines if line)
        note = Note(self._heading(news.kind), body, self.tr("Show the chat"))
        self._board.show(news.conversation_id, note)

    def _heading(self, kind: NewsKind) -> str:
        if kind is NewsKind.WAITING:
            return self.tr("A question waits for your answer")
        if kind is NewsKind.FAILED:
            return self.tr("A message or its reply failed")
        return self.tr("A reply is finished")

    def _on_board_chosen(self, conversation_id: str, token: str) -> None:
        """Brings the chat forward; what waits there is decided there."""
        with activated_by(token):
            self._windows.show_chat(conversation_id)
