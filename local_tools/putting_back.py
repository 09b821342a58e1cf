"""How each change is undone.

Moved things are moved back, trashed ones are taken out of the trash, new files are removed, and
changed ones get their contents back.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from local_tools.confined import ABSENT, Precondition, look_at
from local_tools.errors import ToolError
from local_tools.phrases import QT_TRANSLATE_NOOP
from local_tools.target import Target
from local_tools.trash import find_in_trash, take_from_trash
from local_tools.undo_record import PlaceRecord, UndoRecord

_UNKNOWN: Final = QT_TRANSLATE_NOOP(
    "Undo", "What it made of {place} is not known, so it is left as it is."
)
_CHANGED: Final = QT_TRANSLATE_NOOP("Undo", "{place} changed since, so it is left as it is.")
_NO_COPY: Final = QT_TRANSLATE_NOOP("Undo", "Of {place} no copy was kept: it is too large.")
_NOT_IN_TRASH: Final = QT_TRANSLATE_NOOP(
    "Undo", "{place} is not in the trash any more, and no copy was kept."
)
_FOLDER_NOW: Final = QT_TRANSLATE_NOOP("Undo", "{place} is a folder now, so it is left as it is.")
_NO_CHANGE: Final = QT_TRANSLATE_NOOP("Undo", "It changed nothing.")
REASONS: Final = (_UNKNOWN, _CHANGED, _NO_COPY, _NOT_IN_TRASH, _FOLDER_NOW, _NO_CHANGE)
"""What `why_not` says, in which a place may have to be filled in."""


def why_not(record: UndoRecord, copies: Path, root: int) -> str:
    """Why a call cannot be undone, as a sentence; empty when it can.

    Args:
        record: What was noted about it.
        copies: The folder of the kept copies.
        root: The root's descriptor.
    """
    for item in record.places:
        place = _place(record, item)
        if item.after is None:
            return _UNKNOWN.format(place=place)
        try:
            found = look_at(root, item.parts, place)
        except ToolError as exc:
            return str(exc)
        if found != item.after:
            return _CHANGED.format(place=place)
    changed = tuple(_changed(record))
    if not changed:
        return _NO_CHANGE
    return next((said for item in changed if (said := _why_place(record, item, copies))), "")


def put_back(record: UndoRecord, copies: Path, root: int) -> None:
    """Put every place back; call it only when `why_not` has nothing to say.

    Raises:
        ToolError: When something changed in this very moment, or the system refuses.
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
            take_from_trash(name, target)
        else:
            target.replace((copies / item.copy).read_bytes(), mode=item.mode)


def _changed(record: UndoRecord) -> Iterator[PlaceRecord]:
    """The places that are not what they were; of a folder only identity counts."""
    return (item for item in record.places if item.after != item.before)


def _why_place(record: UndoRecord, item: PlaceRecord, copies: Path) -> str:
    place = _place(record, item)
    if item.before == ABSENT or _moved_to(record, item) is not None:
        is_folder = item.after is not None and item.after.kind == "folder"
        if is_folder and not _was_moved_here(record, item):
            return _FOLDER_NOW.format(place=place)
        return ""
    if item.copy and (copies / item.copy).is_file():
        return ""
    if item.after == ABSENT:
        return "" if _name_in_trash(item) is not None else _NOT_IN_TRASH.format(place=place)
    return _NO_COPY.format(place=place)


def _moved_to(record: UndoRecord, item: PlaceRecord) -> PlaceRecord | None:
    """Where the thing is that was here, if it is at another place of the same call."""
    if item.before == ABSENT or item.after != ABSENT:
        return None
    others = (other for other in record.places if other.before == ABSENT and other.after)
    return next((other for other in others if _is_same(other.after, item.before)), None)


def _was_moved_here(record: UndoRecord, item: PlaceRecord) -> bool:
    return any(_moved_to(record, other) is item for other in record.places)


def _is_same(one: Precondition | None, other: Precondition) -> bool:
    return one is not None and (one.device, one.inode) == (other.device, other.inode)


def _name_in_trash(item: PlaceRecord) -> str | None:
    if item.after != ABSENT:
        return None
    return find_in_trash(item.before.device, item.before.inode)


def _target(record: UndoRecord, item: PlaceRecord, root: int) -> Target:
    return Target(_place(record, item), item.parts, root, item.after or ABSENT)


def _place(record: UndoRecord, item: PlaceRecord) -> Path:
    return Path(record.root.path, *item.parts)
