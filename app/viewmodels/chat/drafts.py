"""The drafts of chats: `Drafts` stores the unsent text of the composer while it is typed.

`LeftDrafts` has what a window left in a chat that another one still shows.
"""

import logging
from collections.abc import Callable, Sequence
from typing import TypeAlias

from PySide6.QtCore import QObject, QTimer, Signal

from app.chat.workspace import Workspace
from app.store.errors import StoreError
from app.tasks import OnError, TaskOwner

log = logging.getLogger(__name__)

# The kept text is at most this old, however fast somebody types.
_DELAY_MS = 400

Place: TypeAlias = tuple[Workspace, str]
"""A chat of a profile; an empty id is the one that is not yet a chat."""


class LeftDrafts:
    """What windows left in chats that others still show, until one holds it. One for the run."""

    def __init__(self) -> None:
        self._texts: dict[Place, dict[str, None]] = {}

    def at(self, place: Place) -> tuple[str, ...]:
        """Return what was left at this place."""
        return tuple(self._texts.get(place, ()))

    def add(self, place: Place, text: str) -> None:
        """Note what a window leaves at this place."""
        self._texts.setdefault(place, {})[text] = None

    def drop(self, place: Place, text: str) -> None:
        """Forget one text: it was sent."""
        self._texts.get(place, {}).pop(text, None)

    def take(self, place: Place) -> str:
        """Return what was left at this place, which is held again from now on."""
        return "\n".join(self._texts.pop(place, ()))


class Drafts(QObject):
    """Follows one chat's draft at a time. Made by the chat's view model, closed with it.

    A draft belongs to the window in which it is typed; what several windows hold for the same chat,
    or `left` there, is stored as one text. `others` returns the drafts of the other windows.
    """

    restored = Signal(str)
    """The composer should hold this text; argument: the draft."""
    begun = Signal()
    """Somebody begins to write."""

    def __init__(
        self,
        on_error: OnError,
        parent: QObject | None = None,
        *,
        others: Callable[[], Sequence["Drafts"]] = tuple,
        left: LeftDrafts | None = None,
    ) -> None:
        super().__init__(parent)
        self._tasks = TaskOwner(on_error)
        self._others = others
        self._left = left or LeftDrafts()
        # What this window left there, which may be under way to the service.
        self._left_by_me: dict[Place, str] = {}
        self._place: Place | None = None
        self._text = ""
        self._has_changed = False
        # What was typed while there was no place for it.
        self._unplaced = ""
        # What is not on the disk yet; only the last text of a place counts.
        self._due: dict[Place, str] = {}
        self._is_writing = False
        self._timer = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._timer.timeout.connect(self._start_writing)

    @property
    def place(self) -> Place | None:
        """The chat whose draft is followed."""
        return self._place

    @property
    def text(self) -> str:
        """What is typed there."""
        return self._text

    def follow(self, workspace: Workspace | None, conversation_id: str, *, restore: bool) -> None:
        """Keep what is typed in this chat from now on; an empty id is the new chat's.

        With `restore`, `restored` says what was typed there before, unless another window holds
        it. What was typed while there was nobody to talk to joins it.
        """
        if self._place is None:
            self._unplaced = self._text
        elif restore:
            self._leave(self._place)
        self._start_writing()
        self._place = (workspace, conversation_id) if workspace else None
        self._text = ""
        self._has_changed = False
        if self._place is None:
            self.restored.emit(self._unplaced)
        elif restore and (left := self._left.take(self._place)):
            self._show(left)
        elif restore and not self._texts_beside(self._place):
            self._tasks.start(self._restore(self._place), name="restore draft")

    def note(self, text: str) -> None:
        """Keep this text, within a moment."""
        if text == self._text:
            return
        has_begun = bool(text) and not self._text
        self._text = text
        self._has_changed = True
        if self._place:
            self._unplaced = ""
            self._due[self._place] = text
            # Not begun anew by each key: somebody who never pauses would have nothing kept.
            if not self._timer.isActive():
                self._timer.start()
        if has_begun:
            self.begun.emit()

    def discard(self, *, keeps_text: bool = False) -> None:
        """Drop what was typed here, as the chat is gone.

        With `keeps_text` it joins what was typed at the next place.
        """
        if self._place:
            self._due.pop(self._place, None)
            self._left.take(self._place)
        self._place = None
        if not keeps_text:
            self._text = ""

    async def forget(self, place: Place) -> None:
        """Delete what was typed at this place and sent; what is typed there since stays.

        Where that cannot be written down it is due with the next write: the message is kept.
        """
        text = self._text if place == self._place else ""
        self._due.pop(place, None)
        self._left.drop(place, self._left_by_me.pop(place, ""))
        try:
            await self._keep(place, text)
        except StoreError as exc:
            # What was typed there since is newer, and stays.
            self._due.setdefault(place, text)
            log.warning("Cannot remove the draft of a sent message: %s", exc.reason)

    async def aclose(self) -> None:
        """Keep what was typed last."""
        self._timer.stop()
        if self._place:
            self._leave(self._place)
        try:
            # Before anything is waited for: another window may show this chat already.
            await self._write()
        except StoreError as exc:
            log.warning("Cannot save the latest draft: %s", exc.reason)
        await self._tasks.aclose()

    async def _restore(self, place: Place) -> None:
        workspace, conversation_id = place
        draft = self._due.get(place)
        if draft is None:
            draft = await workspace.draft(conversation_id)
        # Do not overwrite what was typed in the meantime.
        if place != self._place or self._has_changed:
            return
        self._show(draft)

    def _show(self, draft: str) -> None:
        if self._unplaced and self._unplaced != draft:
            self.restored.emit(f"{draft}\n{self._unplaced}" if draft else self._unplaced)
        else:
            self._text = draft
            self.restored.emit(draft)

    async def _keep(self, place: Place, text: str) -> None:
        workspace, conversation_id = place
        texts = dict.fromkeys((*self._texts_beside(place), *self._left.at(place), text))
        await workspace.keep_draft(conversation_id, "\n".join(filter(None, texts)))

    def _texts_beside(self, place: Place) -> list[str]:
        """Return what other windows hold for this chat."""
        return [one.text for one in self._others() if one.place == place and one.text]

    def _leave(self, place: Place) -> None:
        """Leave what is held here to those who still show the chat; the last one keeps it all."""
        if any(one.place == place for one in self._others()):
            if self._text:
                self._left.add(place, self._text)
                self._left_by_me[place] = self._text
        elif left := self._left.take(place):
            self._due[place] = "\n".join(filter(None, (left, self._text)))

    def _start_writing(self) -> None:
        self._timer.stop()
        if self._due and not self._is_writing:
            self._is_writing = True
            self._tasks.start(self._write(), name="keep draft")

    async def _write(self) -> None:
        """Write until nothing is due; what could not be written stays due for the next time."""
        try:
            while self._due:
                place, text = next(iter(self._due.items()))
                await self._keep(place, text)
                # If the text has changed meanwhile, the new one is written next.
                if self._due.get(place) == text:
                    del self._due[place]
        finally:
            self._is_writing = False
