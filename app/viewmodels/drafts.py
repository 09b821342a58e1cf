"""What is typed and not sent, kept for each chat a moment after the last key."""

from typing import TypeAlias

from PySide6.QtCore import QObject, QTimer, Signal

from app.chat.workspace import Workspace
from app.tasks import OnError, TaskOwner

_DELAY_MS = 400

Place: TypeAlias = tuple[Workspace, str]
"""A chat of a profile; an empty id is the one that is not yet a chat."""


class Drafts(QObject):
    """Follows one chat's draft at a time. Made by the chat's view model, closed with it."""

    restored = Signal(str)
    """The composer should hold this text; argument: the draft."""

    def __init__(self, on_error: OnError, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = TaskOwner(on_error)
        self._place: Place | None = None
        self._text = ""
        self._timer = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._timer.timeout.connect(self._on_timer_timeout)

    @property
    def place(self) -> Place | None:
        """The chat whose draft is followed."""
        return self._place

    def follow(self, workspace: Workspace | None, conversation_id: str, *, restore: bool) -> None:
        """Keeps what is typed in this chat from now on; an empty id is the new chat's.

        With `restore`, `restored` says what was typed there before.
        """
        self._keep_now()
        self._place = (workspace, conversation_id) if workspace else None
        if self._place and restore:
            self._tasks.start(self._restore(self._place), name="restore draft")

    def note(self, text: str) -> None:
        """Keeps this text, a moment after the last key."""
        self._text = text
        self._timer.start()

    def discard(self) -> None:
        """Nothing that was typed here shall be kept: the chat is gone."""
        self._timer.stop()
        self._place = None

    async def forget(self, place: Place) -> None:
        """What was typed at this place was sent; what is typed there since is kept in its turn.

        Raises:
            StoreError: it could not be written down.
        """
        await self._keep(place, "")

    async def aclose(self) -> None:
        """Keeps what was typed last."""
        if self._timer.isActive() and self._place:
            self._timer.stop()
            await self._keep(self._place, self._text)
        await self._tasks.aclose()

    async def _restore(self, place: Place) -> None:
        workspace, conversation_id = place
        draft = await workspace.draft(conversation_id)
        # Whoever has typed in the meantime keeps what was typed.
        if place == self._place and not self._timer.isActive():
            self.restored.emit(draft)

    async def _keep(self, place: Place, text: str) -> None:
        workspace, conversation_id = place
        await workspace.keep_draft(conversation_id, text)

    def _keep_now(self) -> None:
        if self._timer.isActive():
            self._timer.stop()
            self._on_timer_timeout()

    def _on_timer_timeout(self) -> None:
        if self._place:
            self._tasks.start(self._keep(self._place, self._text), name="keep draft")
