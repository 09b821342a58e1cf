"""The attachments of the open chat's draft, as chips in the composer; stored on disk.

`DraftAttachments` attaches files one by one. `chip_of` makes the chip of an attachment, for the
composer and the transcript.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from PySide6.QtCore import QCoreApplication, QLocale, QObject, Signal

from app.chat.message_attachments import ATTACHMENTS_LIMIT, Attachments, is_image
from app.chat.workspace import Workspace
from app.common.error_messages import ErrorCode, ErrorMessage, explain
from app.common.errors import UserFacingError
from app.platform.screenshots import NoPortalError, screenshot_by_portal
from app.store.records import StoredAttachment
from app.tasks import OnError, TaskOwner
from app.viewmodels.chat.drawn_images import DrawnImages
from local_tools.attached_file import ContentImage
from local_tools.threads import run_in_thread

Place: TypeAlias = tuple[Attachments, str]
"""The attachments of a profile, and a chat there; an empty id is the one that is not yet a chat."""

THUMBNAIL_PX: Final = (92, 68)
"""The box that a thumbnail fits into: twice its size in the window, for high-DPI screens."""
# Of so many that are refused, the others are not looked at: whoever drops a whole folder waits.
_MOST_REFUSED: Final = 40
# After so many, some are left out whatever they are; a drop may name a hundred thousand.
_MOST_LOOKED_AT: Final = ATTACHMENTS_LIMIT + _MOST_REFUSED
_ICONS = {"xlsx": "file-spreadsheet", "csv": "file-spreadsheet", "image": "image"}


@dataclass(frozen=True, slots=True)
class AttachmentChip:
    """What is shown of an attachment: “offer.pdf”, “2 pages · 214 kB”.

    `details` are empty while it is taken in; it has no id then and cannot be removed. `thumbnail`
    are the pixels of an image, once they are drawn.
    """

    attachment_id: str
    name: str
    details: str
    icon: str = "file-text"
    thumbnail: ContentImage | None = None


class DraftAttachments(QObject):
    """Follows the attachments of one chat's draft at a time. Made by the chat's view model."""

    changed = Signal(object)
    """Other files are attached or being taken in; argument: tuple[AttachmentChip, ...]."""
    refused = Signal(object)
    """Why some of the files added last are not attached: tuple[ErrorMessage, ...].

    Empty when others are added, or other files are shown.
    """
    grab_needed = Signal()
    """A screenshot is wanted that only the window system can take."""

    def __init__(self, on_error: OnError, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._on_error = on_error
        self._tasks = TaskOwner(on_error)
        self._place: Place | None = None
        self._is_second_view = False
        self._items: tuple[StoredAttachment, ...] = ()
        # The names of files that are being taken in here, in order.
        self._awaited: list[tuple[Place, str]] = []
        self._refused: tuple[ErrorMessage, ...] = ()
        self.images = DrawnImages(on_error, self)
        self.images.drawn.connect(self._on_images_drawn)

    @property
    def items(self) -> tuple[StoredAttachment, ...]:
        """What goes with the next message."""
        return self._items

    @property
    def is_busy(self) -> bool:
        """Whether a file is being taken in here: a message would go without it."""
        return any(place == self._place for place, _ in self._awaited)

    @property
    def chips(self) -> tuple[AttachmentChip, ...]:
        """What is shown of them, those that are being taken in last, as far as there is room."""
        room = max(0, ATTACHMENTS_LIMIT - len(self._items))
        awaited = [name for place, name in self._awaited if place == self._place][:room]
        return (*map(self._chip, self._items), *(AttachmentChip("", name, "") for name in awaited))

    def _chip(self, item: StoredAttachment) -> AttachmentChip:
        chip = chip_of(item)
        thumbnail = self.images.pixels(item, THUMBNAIL_PX) if is_image(item) else None
        return chip if thumbnail is None else replace(chip, thumbnail=thumbnail)

    def _on_images_drawn(self) -> None:
        if any(map(is_image, self._items)):
            self.changed.emit(self.chips)

    def follow(
        self, workspace: Workspace | None, conversation_id: str, *, is_second_view: bool = False
    ) -> None:
        """Show what is attached in this chat; an empty id is the new one's.

        A second view has nothing attached: that stays with the first, like what is typed there.
        """
        self._is_second_view = is_second_view
        attachments = workspace.attachments if workspace and not is_second_view else None
        place = None if attachments is None else (attachments, conversation_id)
        if place == self._place:
            return
        self._place, self._items = place, ()
        self._show_refused(())
        self.images.follow(attachments, conversation_id)
        self.changed.emit(self.chips)
        self.reload()

    def reload(self) -> None:
        """Read again what is attached here, as a message was withdrawn."""
        if self._place is not None:
            self._tasks.start(self._reload(self._place), name="read attachments")

    def add_files(self, paths: Sequence[Path]) -> None:
        """Attach files; each that cannot be is refused with words, and the others are attached."""
        looked_at = paths[:_MOST_LOOKED_AT]
        beyond = len(paths) - len(looked_at)
        self._start([(path.name, path) for path in looked_at], beyond)

    def add_content(self, name: str, content: bytes) -> None:
        """Attach what was on the clipboard."""
        self._start([(name, content)])

    def add_made(self, name: str, make: Callable[[], bytes]) -> None:
        """Attach what `make` returns on a thread of its own."""
        self._tasks.start(self._add_made(name, make), name="make an attachment")

    def take_screenshot(self) -> None:
        """Attach a screenshot by the desktop's portal; without one, `grab_needed` asks for it."""
        self._tasks.start(self._take_screenshot(), name="take screenshot")

    def remove(self, attachment_id: str) -> None:
        """Remove a file from the draft."""
        if self._place is not None and attachment_id:
            self._tasks.start(self._remove(self._place, attachment_id), name="remove attachment")

    def note_sent(self, sent: Sequence[StoredAttachment]) -> None:
        """Show the files no more that went with a message."""
        gone = {item.attachment_id for item in sent}
        self._show(tuple(item for item in self._items if item.attachment_id not in gone))

    async def aclose(self) -> None:
        """End what is under way; what was taken in is kept."""
        await self.images.aclose()
        await self._tasks.aclose()

    def _start(self, sources: list[tuple[str, Path | bytes]], beyond: int = 0) -> None:
        place = self._place
        if place is None:
            is_second = self._is_second_view
            code = ErrorCode.ATTACHMENTS_ELSEWHERE if is_second else ErrorCode.NOT_CONNECTED
            self._on_error("attach files", UserFacingError(code))
            return
        # While others are still taken in, what was refused of them stays to be read.
        if not self.is_busy:
            self._show_refused(())
        self._awaited += [(place, name) for name, _ in sources]
        self.changed.emit(self.chips)
        self._tasks.start(self._take_in(place, sources, beyond), name="attach files")

    async def _take_in(
        self, place: Place, sources: list[tuple[str, Path | bytes]], beyond: int
    ) -> None:
        # Taken off one by one, so that a task that is cancelled leaves none of its names behind.
        left = [(place, name) for name, _ in sources]
        refused = 0
        try:
            for _, source in sources:
                reason = await self._take_in_one(place, left[0][1], source)
                refused += reason is not None
                is_full = reason == ErrorCode.ATTACHMENTS_TOO_MANY or refused == _MOST_REFUSED
                if is_full:
                    # The sentence speaks of all that are left.
                    values = {"limit": ATTACHMENTS_LIMIT, "count": len(left) + beyond}
                    too_many = UserFacingError(ErrorCode.ATTACHMENTS_TOO_MANY, values)
                    self._tell_refused(place, too_many)
                self._awaited.remove(left.pop(0))
                await self._reload(place)
                if is_full:
                    return
        finally:
            for awaited in left:
                self._awaited.remove(awaited)
            if place == self._place:
                self.changed.emit(self.chips)

    async def _take_in_one(self, place: Place, name: str, source: Path | bytes) -> str | None:
        """Take in a file, or return why not; unless there are too many, that is also told."""
        attachments, conversation_id = place
        try:
            if isinstance(source, bytes):
                await attachments.add_content(conversation_id, name, source)
            else:
                await attachments.add_file(conversation_id, source)
        except UserFacingError as exc:
            if exc.reason != ErrorCode.ATTACHMENTS_TOO_MANY:
                # The others are attached all the same.
                self._tell_refused(place, exc)
            return exc.reason
        return None

    def _tell_refused(self, place: Place, error: UserFacingError) -> None:
        if place != self._place:
            self._on_error("attach files", error)
        elif error.reason == ErrorCode.ATTACHMENTS_TOO_MANY:
            # First, as of many reasons only some are shown.
            self._show_refused((explain(error), *self._refused))
        else:
            self._show_refused((*self._refused, explain(error)))

    def _show_refused(self, refused: tuple[ErrorMessage, ...]) -> None:
        if refused != self._refused:
            self._refused = refused
            self.refused.emit(refused)

    async def _add_made(self, name: str, make: Callable[[], bytes]) -> None:
        self.add_content(name, await run_in_thread(make))

    async def _take_screenshot(self) -> None:
        try:
            path = await screenshot_by_portal()
        except NoPortalError:
            self.grab_needed.emit()
            return
        if path is not None:
            self.add_files([path])

    async def _reload(self, place: Place) -> None:
        attachments, conversation_id = place
        items = await attachments.of_draft(conversation_id)
        if place == self._place:
            self._show(items)

    async def _remove(self, place: Place, attachment_id: str) -> None:
        await place[0].remove(attachment_id)
        await self._reload(place)

    def _show(self, items: tuple[StoredAttachment, ...]) -> None:
        self._items = items
        self.changed.emit(self.chips)


def chip_of(item: StoredAttachment) -> AttachmentChip:
    """Return what is shown of an attachment."""
    size = QLocale().formattedDataSize(item.size_bytes, 0, QLocale.DataSizeFormat.DataSizeSIFormat)
    details = " · ".join(filter(None, (_parts(item), size)))
    return AttachmentChip(
        item.attachment_id, item.name, details, _ICONS.get(item.kind, "file-text")
    )


def _parts(item: StoredAttachment) -> str:
    translate, count = QCoreApplication.translate, item.count
    if item.width:
        return f"{QLocale().toString(item.width)} × {QLocale().toString(item.height)}"
    match item.unit:
        case "page":
            return translate("Attachments", "%n pages", "", count)
        case "slide":
            return translate("Attachments", "%n slides", "", count)
        case "chapter":
            return translate("Attachments", "%n chapters", "", count)
        case "sheet":
            return translate("Attachments", "%n sheets", "", count)
    return ""
