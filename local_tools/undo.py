"""Putting back what a file tool changed.

A copy is kept first, and only what is unchanged since is put back.

Blocking; called in threads. Copies lie in the program's own folder, readable by their owner only,
and are let go when they are old or too many.
"""

import logging
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from local_tools.confined import Root, look_at, opened_root, regular_file_beneath
from local_tools.errors import ToolError
from local_tools.order import OrderedTarget, WorkOrder
from local_tools.phrases import QT_TRANSLATE_NOOP
from local_tools.prepare import PreparedCall
from local_tools.putting_back import REASONS, put_back, why_not
from local_tools.steps import CallKey
from local_tools.target import Target
from local_tools.undo_record import (
    PlaceRecord,
    RecordFolder,
    Undo,
    UndoRecord,
    conversation_folder,
    write_private,
)

log = logging.getLogger(__name__)

COPY_LIMIT_BYTES: Final = 8 * 1024 * 1024
_KEPT_LIMIT_BYTES: Final = 256 * 1024 * 1024
_KEPT_LIMIT_S: Final = 30 * 24 * 3600.0
_NOTHING_KEPT: Final = QT_TRANSLATE_NOOP("Undo", "No copy of what was there is kept.")
_NOTHING: Final = Undo("unavailable", _NOTHING_KEPT)
_DONE: Final = QT_TRANSLATE_NOOP("Undo", "It was undone.")
_OTHER_FOLDER: Final = QT_TRANSLATE_NOOP(
    "Undo", "{place} is another folder now, so nothing is put back."
)
_PUT_BACK: Final = QT_TRANSLATE_NOOP("Undo", "Put back {places}.")
SENTENCES: Final = (*REASONS, _NOTHING_KEPT, _DONE, _OTHER_FOLDER, _PUT_BACK)
"""What is said of undoing, in which places may have to be filled in."""


class UndoStore:
    """The kept copies of all calls. Made by the program at start; holds nothing open."""

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], float] = time.time,
        kept_limit_bytes: int = _KEPT_LIMIT_BYTES,
    ) -> None:
        self._folder = folder
        self._clock = clock
        self._kept_limit_bytes = kept_limit_bytes

    def before(self, key: CallKey, call: PreparedCall) -> None:
        """Keep what is there before an undoable call runs.

        When no copy can be kept the call may run all the same; it can then not be undone.
        """
        root = call.order.root
        if root is None:
            return
        try:
            self._make_room()
            kept = RecordFolder(self._folder, key)
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            kept.path.parent.mkdir(mode=0o700, exist_ok=True)
            kept.path.mkdir(mode=0o700)
            kept.write(UndoRecord(call.tool_name, root, tuple(_places(kept, call.order, root))))
        except (OSError, ToolError) as exc:
            log.info("No copy is kept for the call %s: %s", key.call_id, exc)

    def after(self, key: CallKey) -> None:
        """Note what the call has made of it. Call it however the call ended."""
        kept = RecordFolder(self._folder, key)
        record = kept.read()
        if record is None:
            return
        try:
            with opened_root(Path(record.root.path)) as (descriptor, _):
                places = tuple(_looked_at(descriptor, record.root, item) for item in record.places)
            kept.write(replace(record, places=places))
        except (OSError, ToolError) as exc:
            log.info("What the call %s became is unknown: %s", key.call_id, exc)

    def look(self, key: CallKey) -> Undo:
        """Whether a call can be undone now."""
        kept = RecordFolder(self._folder, key)
        record = kept.read()
        if record is None:
            return _NOTHING
        paths = tuple(str(Path(record.root.path, *item.parts)) for item in record.places)
        if record.is_undone:
            return Undo("done", _DONE, paths)
        try:
            with _opened(record.root) as descriptor:
                reason = why_not(record, kept.path, descriptor)
        except ToolError as exc:
            reason = str(exc)
        return Undo("unavailable" if reason else "available", reason, paths)

    def undo(self, key: CallKey) -> str:
        """Put everything back as it was before the call; gives a sentence that says so.

        Raises:
            ToolError: When it cannot be undone; nothing was changed then, unless it says so.
        """
        state = self.look(key)
        kept = RecordFolder(self._folder, key)
        record = kept.read()
        if record is None or state.state != "available":
            raise ToolError(state.reason)
        with _opened(record.root) as descriptor:
            put_back(record, kept.path, descriptor)
        try:
            kept.write(replace(record, is_undone=True))
        except OSError as exc:
            log.warning("That a call was undone could not be noted: %s", exc.strerror)
        return _PUT_BACK.format(places=", ".join(state.paths))

    def erase(self, profile: str, conversation_id: str) -> None:
        """Remove every copy of a conversation's calls for good.

        Raises:
            OSError: When some could not be removed.
        """
        with suppress(FileNotFoundError):
            shutil.rmtree(conversation_folder(self._folder, profile, conversation_id))

    def _make_room(self) -> None:
        """Let go of what is old, and of the oldest while there is too much."""
        kept = sorted(self._records())
        total_bytes = sum(size_bytes for _, size_bytes, _ in kept)
        for changed_at, size_bytes, folder in kept:
            is_old = changed_at < self._clock() - _KEPT_LIMIT_S
            if not is_old and total_bytes + COPY_LIMIT_BYTES <= self._kept_limit_bytes:
                return
            shutil.rmtree(folder, ignore_errors=True)
            total_bytes -= size_bytes

    def _records(self) -> Iterator[tuple[float, int, Path]]:
        """Each call's folder with when it was changed last and how much it takes."""
        for folder in self._folder.glob("*/*"):
            with suppress(OSError):
                sizes = [item.stat().st_size for item in folder.iterdir()]
                yield folder.stat().st_mtime, sum(sizes), folder


@contextmanager
def _opened(root: Root) -> Iterator[int]:
    """Hold the root open, if it still is the folder that it was.

    Raises:
        ToolError: When it is not.
    """
    with opened_root(Path(root.path)) as (descriptor, found):
        if found != root:
            raise ToolError(_OTHER_FOLDER.format(place=root.path))
        yield descriptor


def _places(kept: RecordFolder, order: WorkOrder, root: Root) -> Iterator[PlaceRecord]:
    with opened_root(Path(root.path)) as (descriptor, _):
        for number, item in enumerate(order.targets):
            yield _copied(kept, descriptor, item, Path(root.path, *item.parts), str(number))


def _copied(
    kept: RecordFolder, descriptor: int, item: OrderedTarget, place: Path, name: str
) -> PlaceRecord:
    """Keep the contents of a file that is not too large for it."""
    if item.expected.kind != "file" or item.expected.sha256 is None:
        return PlaceRecord(item.parts, item.expected)
    data = Target(place, item.parts, descriptor, item.expected).read()
    with regular_file_beneath(descriptor, item.parts, place) as (_, status):
        mode = status.st_mode & 0o777
    write_private(kept.path / name, data)
    return PlaceRecord(item.parts, item.expected, mode=mode, copy=name)


def _looked_at(descriptor: int, root: Root, item: PlaceRecord) -> PlaceRecord:
    try:
        after = look_at(descriptor, item.parts, Path(root.path, *item.parts))
    except ToolError:
        return item
    return replace(item, after=after)
