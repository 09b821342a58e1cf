"""What is noted about a call so that it can be undone, and how it lies on the disk."""

import hashlib
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from pydantic import TypeAdapter

from local_tools.confined import Precondition, Root
from local_tools.steps import CallKey

UndoState: TypeAlias = Literal["available", "done", "unavailable"]

_RECORD: Final = "record.json"


@dataclass(frozen=True, slots=True)
class Undo:
    """Whether a call can be undone, said honestly.

    Attributes:
        reason: Why not, as a sentence; empty when it can.
        paths: What it would put back, or did.
    """

    state: UndoState
    reason: str = ""
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlaceRecord:
    """One place that a call names.

    Attributes:
        before: What was there when the call was shown.
        after: What it became; None while nobody looked, or when it could not be looked at.
        mode: The file's permissions before.
        copy: The name of the kept copy; empty when there is none.
    """

    parts: tuple[str, ...]
    before: Precondition
    after: Precondition | None = None
    mode: int = 0
    copy: str = ""


@dataclass(frozen=True, slots=True)
class UndoRecord:
    """One call: its tool, the root that its places lie in, and whether it was undone."""

    tool: str
    root: Root
    places: tuple[PlaceRecord, ...]
    is_undone: bool = False


_ADAPTER: Final = TypeAdapter(UndoRecord)


class RecordFolder:
    """Where the record and the copies of one call lie, readable by their owner only."""

    def __init__(self, top: Path, key: CallKey) -> None:
        self.path: Final = conversation_folder(top, key.profile, key.conversation_id) / _name(
            key.call_id
        )

    def read(self) -> UndoRecord | None:
        """The record; None when there is none that can be read."""
        try:
            return _ADAPTER.validate_json((self.path / _RECORD).read_bytes())
        except (OSError, ValueError):
            return None

    def write(self, record: UndoRecord) -> None:
        """Put a record in place of the one before, whole or not at all.

        Raises:
            OSError: When it cannot be written.
        """
        temporary = self.path / f"{_RECORD}.new"
        with suppress(FileNotFoundError):
            temporary.unlink()
        write_private(temporary, _ADAPTER.dump_json(record))
        temporary.replace(self.path / _RECORD)


def conversation_folder(top: Path, profile: str, conversation_id: str) -> Path:
    """Where everything about a conversation lies; ids are no names for folders."""
    return top / _name(f"{profile}\0{conversation_id}")


def write_private(path: Path, data: bytes) -> None:
    """Write a new file that only its owner can read; it is on disk when this returns.

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
