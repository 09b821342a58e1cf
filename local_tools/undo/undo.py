"""Keep copies of what file tools change, and undo their calls.

Before a call, `UndoStore` stores copies, the diff that its card showed, and an `UndoRecord` in the
call's `RecordFolder`. `restore`
undoes each change if the file is unchanged since: moved files are moved back, trashed ones are
taken out of the trash, new files are removed, and changed ones get their contents back.

Blocking; called in threads. Copies are in the program's own folder, readable by their owner only,
and are deleted when they are too old or too many.
"""

import hashlib
import logging
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from pydantic import TypeAdapter, with_config

from local_tools.errors import ToolError
from local_tools.execution.prepare import PreparedCall
from local_tools.execution.worker_request import PathArgument, WorkerRequest
from local_tools.ledger.steps import CallKey
from local_tools.paths.beneath import (
    ABSENT,
    FileSnapshot,
    Root,
    opened_root,
    regular_file_beneath,
    snapshot,
)
from local_tools.paths.guarded_path import GuardedPath
from local_tools.recovery.files import write_atomically
from local_tools.translation_marks import QT_TRANSLATE_NOOP, MarkedSentence
from local_tools.undo.trash import find_in_trash, restore_from_trash

UndoState: TypeAlias = Literal["available", "done", "unavailable"]

_RECORD: Final = "record.json"
_DIFF: Final = "change.diff"
_AS_IT_IS: Final[Mapping[Path, FileSnapshot]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Undo:
    """Whether a call can be undone.

    Attributes:
        reason: Why it cannot; None if it can.
        paths: The paths that would be or were restored.
    """

    state: UndoState
    reason: MarkedSentence | None = None
    paths: tuple[str, ...] = ()


class UndoError(ToolError):
    """A call cannot be undone; `sentence` says why."""

    def __init__(self, sentence: MarkedSentence) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class PlaceRecord:
    """One path that a call names.

    Attributes:
        before: What was there before the call.
        after: What is there after the call; None before it was checked, or if it could not be.
        mode: The file's permissions before.
        copy: The file name of the copy; empty for none.
    """

    parts: tuple[str, ...]
    before: FileSnapshot
    after: FileSnapshot | None = None
    mode: int = 0
    copy: str = ""


@with_config(defer_build=True)
@dataclass(frozen=True, slots=True)
class UndoRecord:
    """The record of one call: its tool, root and paths, and whether it was undone."""

    tool: str
    root: Root
    places: tuple[PlaceRecord, ...]
    is_undone: bool = False


@dataclass(frozen=True, slots=True)
class KeptChange:
    """What a call was to change.

    Attributes:
        diff: The diff as it was shown before the call; empty if there was none.
        is_new: Whether there was nothing before at its only path.
    """

    diff: str
    is_new: bool


@dataclass(frozen=True, slots=True)
class RewindResult:
    """The result of undoing several calls.

    Attributes:
        restored: The paths that are now as before all of them.
        left: A sentence for each path that was not restored.
    """

    restored: tuple[str, ...] = ()
    left: tuple[MarkedSentence, ...] = ()


_ADAPTER: Final = TypeAdapter(UndoRecord)


class RecordFolder:
    """The folder with the record and the copies of one call, readable by their owner only."""

    def __init__(self, top: Path, key: CallKey) -> None:
        self.path: Final = conversation_folder(top, key.profile, key.conversation_id) / _name(
            key.call_id
        )

    def read(self) -> UndoRecord | None:
        """Return the record; None if it is missing or unreadable."""
        return _read(self.path / _RECORD)

    def write(self, record: UndoRecord) -> None:
        """Replace the record atomically.

        Raises:
            OSError: When it cannot be written.
        """
        write_atomically(self.path / _RECORD, _ADAPTER.dump_json(record))


def _read(path: Path) -> UndoRecord | None:
    try:
        return _ADAPTER.validate_json(path.read_bytes())
    except (OSError, ValueError):
        return None


def conversation_folder(top: Path, profile: str, conversation_id: str) -> Path:
    """Return a conversation's folder; named by a hash, as ids may not be valid file names."""
    return top / _name(f"{profile}\0{conversation_id}")


def write_private(path: Path, data: bytes) -> None:
    """Write a new file that only its owner can read, and sync it.

    Raises:
        OSError: When it cannot be written.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _name(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


_UNKNOWN: Final = QT_TRANSLATE_NOOP(
    "Undo", "It is not known how {place} was changed, so it was left as it is."
)
_CHANGED: Final = QT_TRANSLATE_NOOP(
    "Undo", "{place} has changed since then, so it was left as it is."
)
_NO_COPY: Final = QT_TRANSLATE_NOOP("Undo", "{place} is too large, so no copy was kept.")
_NOT_IN_TRASH: Final = QT_TRANSLATE_NOOP(
    "Undo", "{place} is no longer in the trash, and no copy was kept."
)
_FOLDER_NOW: Final = QT_TRANSLATE_NOOP("Undo", "{place} is a folder now, so it was left as it is.")
_NO_CHANGE: Final = QT_TRANSLATE_NOOP("Undo", "This call changed nothing.")


def undo_blocker(
    record: UndoRecord, copies: Path, root: int, put_back: Mapping[Path, FileSnapshot] = _AS_IT_IS
) -> MarkedSentence | None:
    """Return why a call cannot be undone; None if it can.

    Args:
        record: The call's record.
        copies: The folder of the kept copies.
        root: The root's descriptor.
        put_back: What will be at some paths after later calls were undone.
    """
    for item in record.places:
        place = _place(record, item)
        if item.after is None:
            return _about(_UNKNOWN, place)
        try:
            found = put_back.get(place) or snapshot(root, item.parts, place)
        except ToolError as exc:
            return MarkedSentence(str(exc))
        if found != item.after:
            return _about(_CHANGED, place)
    changed = tuple(_changed(record))
    if not changed:
        return MarkedSentence(_NO_CHANGE)
    blockers = (_place_blocker(record, item, copies) for item in changed)
    return next((blocker for blocker in blockers if blocker is not None), None)


def restore(record: UndoRecord, copies: Path, root: int) -> None:
    """Restore every path; call it only if `undo_blocker` returns None.

    Raises:
        ToolError: When a file changed since that check, or the system refuses.
    """
    for item in _changed(record):
        source = _moved_to(record, item)
        target = _target(record, item, root)
        if source is not None:
            _target(record, source, root).move_to(target)
        elif item.before == ABSENT:
            if not _was_moved_here(record, item):
                target.remove()
        elif (name := _name_in_trash(item)) is not None:
            restore_from_trash(name, target)
        else:
            target.replace((copies / item.copy).read_bytes(), mode=item.mode)


def _changed(record: UndoRecord) -> Iterator[PlaceRecord]:
    """Return the places that are not what they were; of a folder only identity counts."""
    return (item for item in record.places if item.after != item.before)


def _about(text: str, place: Path) -> MarkedSentence:
    return MarkedSentence(text, {"place": str(place)})


def _place_blocker(record: UndoRecord, item: PlaceRecord, copies: Path) -> MarkedSentence | None:
    place = _place(record, item)
    if item.before == ABSENT or _moved_to(record, item) is not None:
        is_folder = item.after is not None and item.after.kind == "folder"
        if is_folder and not _was_moved_here(record, item):
            return _about(_FOLDER_NOW, place)
        return None
    if item.copy and (copies / item.copy).is_file():
        return None
    if item.after == ABSENT:
        return None if _name_in_trash(item) is not None else _about(_NOT_IN_TRASH, place)
    return _about(_NO_COPY, place)


def _moved_to(record: UndoRecord, item: PlaceRecord) -> PlaceRecord | None:
    """Return where the thing is that was here, if it is at another place of the same call."""
    if item.before == ABSENT or item.after != ABSENT:
        return None
    others = (other for other in record.places if other.before == ABSENT and other.after)
    return next((other for other in others if _is_same(other.after, item.before)), None)


def _was_moved_here(record: UndoRecord, item: PlaceRecord) -> bool:
    return any(_moved_to(record, other) is item for other in record.places)


def _is_same(one: FileSnapshot | None, other: FileSnapshot) -> bool:
    return one is not None and (one.device, one.inode) == (other.device, other.inode)


def _name_in_trash(item: PlaceRecord) -> str | None:
    if item.after != ABSENT:
        return None
    return find_in_trash(item.before.device, item.before.inode)


def _target(record: UndoRecord, item: PlaceRecord, root: int) -> GuardedPath:
    return GuardedPath(_place(record, item), item.parts, root, item.after or ABSENT)


def _place(record: UndoRecord, item: PlaceRecord) -> Path:
    return Path(record.root.path, *item.parts)


log = logging.getLogger(__name__)

COPY_LIMIT_BYTES: Final = 8 * 1024 * 1024
_KEPT_LIMIT_BYTES: Final = 256 * 1024 * 1024
_KEPT_LIMIT_S: Final = 30 * 24 * 3600.0
_NOTHING_KEPT: Final = QT_TRANSLATE_NOOP("Undo", "No copy of the earlier contents was kept.")
_NOTHING_SENTENCE: Final = MarkedSentence(_NOTHING_KEPT)
_NOTHING: Final = Undo("unavailable", _NOTHING_SENTENCE)
_DONE: Final = QT_TRANSLATE_NOOP("Undo", "This call has already been undone.")
_OTHER_FOLDER: Final = QT_TRANSLATE_NOOP(
    "Undo", "{place} is a different folder now, so nothing was restored."
)
_PUT_BACK: Final = QT_TRANSLATE_NOOP("Undo", "Restored {places}.")
_TAKEN_AWAY: Final = QT_TRANSLATE_NOOP("Undo", "Removed {places}.")


class UndoStore:
    """The copies for undoing all calls. Made by the program at start; holds no open file."""

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
        """Store copies before an undoable call runs.

        If that fails the call may run all the same, but cannot be undone.
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
            if call.preview is not None and call.preview.kind == "diff":
                write_private(kept.path / _DIFF, call.preview.text.encode())
        except (OSError, ToolError) as exc:
            log.info("Cannot save a copy for undoing the call %s: %s", key.call_id, exc)

    def after(self, key: CallKey) -> None:
        """Record the state after the call. Call it also after a failure."""
        kept = RecordFolder(self._folder, key)
        record = kept.read()
        if record is None:
            return
        try:
            with opened_root(Path(record.root.path)) as (descriptor, _):
                places = tuple(_looked_at(descriptor, record.root, item) for item in record.places)
            kept.write(replace(record, places=places))
        except (OSError, ToolError) as exc:
            log.info("The outcome of the call %s is unknown: %s", key.call_id, exc)

    def look(self, key: CallKey) -> Undo:
        """Return whether a call can be undone now."""
        kept = RecordFolder(self._folder, key)
        record = kept.read()
        if record is None:
            return _NOTHING
        paths = tuple(str(Path(record.root.path, *item.parts)) for item in record.places)
        if record.is_undone:
            return Undo("done", MarkedSentence(_DONE), paths)
        try:
            with _opened(record.root) as descriptor:
                reason = undo_blocker(record, kept.path, descriptor)
        except UndoError as exc:
            reason = exc.sentence
        except ToolError as exc:
            reason = MarkedSentence(str(exc))
        return Undo("unavailable" if reason else "available", reason, paths)

    def change(self, key: CallKey) -> KeptChange | None:
        """Return what a call was to change; None if nothing is kept of it."""
        kept = RecordFolder(self._folder, key)
        record = kept.read()
        if record is None:
            return None
        try:
            # As it was shown: a carriage return in a line must not become a line end.
            diff = (kept.path / _DIFF).read_bytes().decode()
        except (OSError, ValueError):
            # There was none, or an earlier version made the record.
            diff = ""
        return KeptChange(diff, [item.before for item in record.places] == [ABSENT])

    def undone(self, keys: Iterable[CallKey]) -> frozenset[CallKey]:
        """Return which of these calls were undone."""
        records = ((key, RecordFolder(self._folder, key).read()) for key in keys)
        return frozenset(key for key, record in records if record and record.is_undone)

    def undo(self, key: CallKey) -> MarkedSentence:
        """Restore everything as before the call; return a sentence about it.

        Raises:
            UndoError: When the call cannot be undone; nothing was changed.
            ToolError: When restoring failed halfway.
        """
        state = self.look(key)
        kept = RecordFolder(self._folder, key)
        record = kept.read()
        if record is None or state.state != "available":
            raise UndoError(state.reason or _NOTHING_SENTENCE)
        with _opened(record.root) as descriptor:
            restore(record, kept.path, descriptor)
            now = {
                _place(record, item): (item.before, _found(descriptor, record, item))
                for item in _changed(record)
            }
        try:
            kept.write(replace(record, is_undone=True))
            self._lead_on(now)
        except OSError as exc:
            log.warning("Cannot save that a call was undone: %s", exc.strerror)
        is_gone = all(item.before == ABSENT for item in _changed(record))
        words = _TAKEN_AWAY if is_gone else _PUT_BACK
        return MarkedSentence(words, {"places": ", ".join(state.paths)})

    def restorable(self, keys: Sequence[CallKey]) -> tuple[str, ...]:
        """Return the paths that undoing these calls, newest first, would restore now."""
        put_back: dict[Path, FileSnapshot] = {}
        found: dict[str, None] = {}
        for key in keys:
            for item, place in self._restorable_places(key, put_back):
                put_back[place] = item.before
                found[str(place)] = None
        return tuple(found)

    def rewind(self, keys: Sequence[CallKey]) -> RewindResult:
        """Undo calls one by one, newest first; files that were changed since stay.

        Calls without a record, without changes, or already undone are skipped. Repeated after an
        interruption, it continues with the rest.
        """
        restored: dict[str, None] = {}
        left: dict[str, MarkedSentence] = {}
        for key in keys:
            record = RecordFolder(self._folder, key).read()
            if record is None or record.is_undone or not any(_changed(record)):
                continue
            paths = [str(_place(record, item)) for item in _changed(record)]
            try:
                self.undo(key)
            except UndoError as exc:
                # What the newest call says of a file is also why the older ones are left.
                left = dict.fromkeys(paths, exc.sentence) | left
            except (ToolError, OSError) as exc:
                left = dict.fromkeys(paths, MarkedSentence(str(exc))) | left
            else:
                restored |= dict.fromkeys(paths)
        whole = tuple(path for path in restored if path not in left)
        sentences = {str(sentence): sentence for sentence in left.values()}
        return RewindResult(whole, tuple(sentences.values()))

    def erase(self, profile: str, conversation_id: str) -> None:
        """Delete all copies of a conversation's calls.

        Raises:
            OSError: When some could not be deleted.
        """
        with suppress(FileNotFoundError):
            shutil.rmtree(conversation_folder(self._folder, profile, conversation_id))

    def _restorable_places(
        self, key: CallKey, put_back: Mapping[Path, FileSnapshot]
    ) -> list[tuple[PlaceRecord, Path]]:
        """Return what undoing a call would put back, once these places are as they say."""
        kept = RecordFolder(self._folder, key)
        record = kept.read()
        if record is None or record.is_undone:
            return []
        try:
            with _opened(record.root) as descriptor:
                blocker = undo_blocker(record, kept.path, descriptor, put_back)
        except ToolError:
            return []
        return [] if blocker else [(item, _place(record, item)) for item in _changed(record)]

    def _lead_on(self, now: Mapping[Path, tuple[FileSnapshot, FileSnapshot]]) -> None:
        """Note what is at some places now, in the records of the calls before the undone one.

        A file that was put back is another one of the same contents. Whoever left exactly what
        the undone call found can be undone now, too.

        Args:
            now: What the call had found at each place, and what is there now.

        Raises:
            OSError: When a record cannot be written.
        """
        for path in self._folder.glob(f"*/*/{_RECORD}"):
            record = _read(path)
            if record is None or record.is_undone:
                continue
            places = []
            for item in record.places:
                before, found = now.get(_place(record, item), (None, None))
                is_same = before is not None and before == item.after
                is_led = is_same and found and _is_put_back(found, before)
                places.append(replace(item, after=found) if is_led else item)
            if tuple(places) != record.places:
                write_atomically(path, _ADAPTER.dump_json(replace(record, places=tuple(places))))

    def _make_room(self) -> None:
        """Delete what is old, then the oldest while there is too much."""
        kept = sorted(self._records())
        total_bytes = sum(size_bytes for _, size_bytes, _ in kept)
        for changed_at, size_bytes, folder in kept:
            is_old = changed_at < self._clock() - _KEPT_LIMIT_S
            if not is_old and total_bytes + COPY_LIMIT_BYTES <= self._kept_limit_bytes:
                return
            shutil.rmtree(folder, ignore_errors=True)
            total_bytes -= size_bytes

    def _records(self) -> Iterator[tuple[float, int, Path]]:
        """Yield each call's folder with when it was changed last and how much it takes."""
        for folder in self._folder.glob("*/*"):
            with suppress(OSError):
                sizes = [item.stat().st_size for item in folder.iterdir()]
                yield folder.stat().st_mtime, sum(sizes), folder


@contextmanager
def _opened(root: Root) -> Iterator[int]:
    """Open the root and keep it open, if it still is the folder that it was.

    Raises:
        ToolError: When it is not.
    """
    with opened_root(Path(root.path)) as (descriptor, found):
        if found != root:
            raise UndoError(_about(_OTHER_FOLDER, Path(root.path)))
        yield descriptor


def _places(kept: RecordFolder, order: WorkerRequest, root: Root) -> Iterator[PlaceRecord]:
    with opened_root(Path(root.path)) as (descriptor, _):
        for number, item in enumerate(order.targets):
            yield _copied(kept, descriptor, item, Path(root.path, *item.parts), str(number))


def _copied(
    kept: RecordFolder, descriptor: int, item: PathArgument, place: Path, name: str
) -> PlaceRecord:
    """Keep the contents of a file that is not too large for it."""
    if item.expected.kind != "file" or item.expected.sha256 is None:
        return PlaceRecord(item.parts, item.expected)
    data = GuardedPath(place, item.parts, descriptor, item.expected).read()
    with regular_file_beneath(descriptor, item.parts, place) as (_, status):
        mode = status.st_mode & 0o777
    write_private(kept.path / name, data)
    return PlaceRecord(item.parts, item.expected, mode=mode, copy=name)


def _found(descriptor: int, record: UndoRecord, item: PlaceRecord) -> FileSnapshot:
    try:
        return snapshot(descriptor, item.parts, _place(record, item))
    except ToolError:
        return item.before


def _is_put_back(found: FileSnapshot, before: FileSnapshot | None) -> bool:
    """Return whether this is what was put back, and not what somebody has made of it since."""
    if before is None or found.kind != before.kind:
        return False
    if before.sha256 is not None:
        return found.sha256 == before.sha256
    # What has no hash: a folder, a large file that was moved, or nothing.
    return _is_same(found, before) and found.size_bytes == before.size_bytes


def _looked_at(descriptor: int, root: Root, item: PlaceRecord) -> PlaceRecord:
    try:
        after = snapshot(descriptor, item.parts, Path(root.path, *item.parts))
    except ToolError:
        return item
    return replace(item, after=after)
