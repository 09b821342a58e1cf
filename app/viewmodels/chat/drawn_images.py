"""Pixels of the open chat's images, decoded by workers when they become visible.

The program itself never decodes attachments or images from tools.
"""

import asyncio
import tempfile
from collections import OrderedDict
from pathlib import Path
from typing import Final, TypeAlias

from PySide6.QtCore import QObject, Signal

from app.chat.message_attachments import Attachments
from app.common.errors import UserFacingError
from app.import_export.chat_export import file_stem
from app.store.records import StoredAttachment
from app.tasks import OnError, TaskOwner
from local_tools.attached_file import ContentImage
from local_tools.recovery.files import write_atomically

_CACHE_BYTES: Final = 24 * 1024 * 1024
# A worker each; more would keep the processor from what is read meanwhile.
_AT_ONCE: Final = 2

ImageSize: TypeAlias = tuple[int, int]
_Key: TypeAlias = tuple[str, int, int]


class DrawnImages(QObject):
    """A cache of recently drawn pixels. Made by the chat's view model; ends with it."""

    drawn = Signal()
    """The pixels of an image that was asked for are here, or it is known that there are none."""
    opened = Signal(Path)
    """An image is in this file, for the system's own program to show."""

    def __init__(self, on_error: OnError, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = TaskOwner(on_error)
        self._attachments: Attachments | None = None
        self._conversation_id = ""
        self._cache: OrderedDict[_Key, ContentImage | None] = OrderedDict()
        self._cached_bytes = 0
        # What is wanted, newest last: that is drawn first, as it is what is looked at.
        self._wanted: OrderedDict[_Key, StoredAttachment] = OrderedDict()
        self._under_way: set[_Key] = set()
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def follow(self, attachments: Attachments | None, conversation_id: str) -> None:
        """Draw images of this chat from now on; drop pending ones of other chats."""
        if (attachments, conversation_id) != (self._attachments, self._conversation_id):
            self._attachments, self._conversation_id = attachments, conversation_id
            self._wanted.clear()

    @property
    def is_idle(self) -> bool:
        """Whether no image is being decoded."""
        return not self._wanted and not self._under_way

    def pixels(self, item: StoredAttachment, size: ImageSize) -> ContentImage | None:
        """Return an image at a size; None while it is decoded, then `drawn` is emitted."""
        key = (item.sha256, *size)
        if key in self._cache:
            self._cache.move_to_end(key)
            return self._cache[key]
        if key not in self._under_way and self._attachments is not None:
            self._wanted[key] = item
            self._wanted.move_to_end(key)
            self._begin()
        return None

    def has_failed(self, item: StoredAttachment, size: ImageSize) -> bool:
        """Return whether an image cannot be drawn: it is gone, or damaged."""
        key = (item.sha256, *size)
        return key in self._cache and self._cache[key] is None

    def open(self, item: StoredAttachment) -> None:
        """Write an image into a private file, and say where that is."""
        if self._attachments is not None:
            work = self._open(self._attachments, self._conversation_id, item)
            self._tasks.start(work, name="open image")

    async def aclose(self) -> None:
        """End what is under way, and remove what was opened."""
        # First: each image that ends would begin the next, and each painting would ask for more.
        self.follow(None, "")
        await self._tasks.aclose()
        if self._folder is not None:
            await asyncio.to_thread(self._folder.cleanup)

    def _begin(self) -> None:
        while self._wanted and len(self._under_way) < _AT_ONCE and self._attachments is not None:
            key, item = self._wanted.popitem()
            self._under_way.add(key)
            work = self._draw(self._attachments, self._conversation_id, item, key)
            self._tasks.start(work, name="draw image")

    async def _draw(
        self, attachments: Attachments, conversation_id: str, item: StoredAttachment, key: _Key
    ) -> None:
        try:
            image = await attachments.drawn(conversation_id, item, key[1], key[2])
        except UserFacingError:
            # Asked for again at each painting, it would fail at each.
            self._keep(key, None)
            raise
        else:
            self._keep(key, image)
        finally:
            self._under_way.discard(key)
            self._begin()
            if key in self._cache:
                self.drawn.emit()

    def _keep(self, key: _Key, image: ContentImage | None) -> None:
        self._cache[key] = image
        self._cached_bytes += len(image.data) if image is not None else 0
        # The last one stays, whatever its size: dropped, it would be drawn again at each painting.
        while self._cached_bytes > _CACHE_BYTES and len(self._cache) > 1:
            _, oldest = self._cache.popitem(last=False)
            self._cached_bytes -= len(oldest.data) if oldest is not None else 0

    async def _open(
        self, attachments: Attachments, conversation_id: str, item: StoredAttachment
    ) -> None:
        content = await attachments.content(conversation_id, item)
        if content is None:
            return
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="parley-images-")
        stem = file_stem(Path(item.name).stem, "image")
        suffix = ".png" if content.startswith(b"\x89PNG") else ".jpg"
        # With the hash, since images of different messages may have one name.
        path = Path(self._folder.name) / f"{item.sha256[:16]}-{stem}{suffix}"
        await asyncio.to_thread(write_atomically, path, content)
        self.opened.emit(path)
