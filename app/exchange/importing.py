"""Brings the chats of a file into the archive: read in a thread, kept a batch at a time."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Final

from app.error_text import Reason
from app.exchange.archiving import archived
from app.exchange.dialects.chatgpt import is_chatgpt, read_chatgpt
from app.exchange.dialects.claude import is_claude, read_claude
from app.exchange.dialects.own import is_own, is_too_new, read_own
from app.exchange.dialects.reading import ForeignChat, UnreadableChat, as_object
from app.exchange.labels import Labels
from app.exchange.raw_chats import DamagedJson, RawChat, raw_chats
from app.exchange.sources import BoundedReader, CutShortError, NotImported, opened_sources, size_of
from app.exchange.work_thread import WorkThread
from app.store.archive import ArchivedChat, ArchiveTable

_BATCH_CHATS: Final = 20
_BATCH_CHARS: Final = 2 * 1024**2


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a file.

    `unreadable` chats are in the file and could not be understood. `is_cut`: the file ended, or
    was damaged, in the middle; what stood before is here. `left_branches` are the other ways that
    chats went on: of each chat, what was shown last is kept.
    """

    new: int = 0
    changed: int = 0
    known: int = 0
    unreadable: int = 0
    is_cut: bool = False
    left_branches: int = 0

    def __add__(self, other: "Imported") -> "Imported":
        return Imported(
            self.new + other.new,
            self.changed + other.changed,
            self.known + other.known,
            self.unreadable + other.unreadable,
            self.is_cut or other.is_cut,
            self.left_branches + other.left_branches,
        )

    @property
    def readable(self) -> int:
        """How many chats could be read."""
        return self.new + self.changed + self.known

    @property
    def total(self) -> int:
        """How many chats were met."""
        return self.readable + self.unreadable


@dataclass(slots=True)
class _Batch:
    chats: list[ArchivedChat] = field(default_factory=list)
    unreadable: int = 0
    share: float = 0.0
    is_cut: bool = False
    left_branches: int = 0

    @property
    def is_full(self) -> bool:
        chars = sum(len(m.text) for chat in self.chats for m in chat.messages)
        return len(self.chats) >= _BATCH_CHATS or chars >= _BATCH_CHARS


class ChatImport:
    """One file on its way into the archive. Made for it, `run` once.

    Cancelling keeps the batches that were kept already, which the next try knows again.
    """

    def __init__(self, path: Path, archive: ArchiveTable, labels: Labels) -> None:
        self._path = path
        self._archive = archive
        self._labels = labels
        self.outcome = Imported()

    async def run(self, on_progress: Callable[[float, Imported], None]) -> Imported:
        """Read the file to its end; `on_progress` is told the share that is read, 0 to 1.

        Raises:
            NotImported: nothing in the file is a chat.
            StoreError: a batch could not be kept; those before it are.
        """
        async with WorkThread("import") as thread:
            batches = _batches(self._path, self._labels, thread.stopped)
            try:
                while (batch := await thread.run(lambda: next(batches, None))) is not None:
                    await self._keep(batch)
                    on_progress(batch.share, self.outcome)
            finally:
                # Also when it was cancelled while a batch was being read.
                thread.stopped.set()
                await thread.run(batches.close)
        if not self.outcome.readable:
            raise NotImported(Reason.IMPORT_NOTHING_FOUND, self._path)
        return self.outcome

    async def _keep(self, batch: _Batch) -> None:
        added = await self._archive.add(batch.chats)
        kept = Imported(added.new, added.changed, added.known)
        left = Imported(
            unreadable=batch.unreadable, is_cut=batch.is_cut, left_branches=batch.left_branches
        )
        self.outcome += kept + left


def _batches(path: Path, labels: Labels, stopped: Event) -> Generator[_Batch, None, None]:
    size, read = size_of(path), 0
    with opened_sources(path, stopped) as sources:
        for source in sources:
            for batch in _batches_of(source, path, labels):
                batch.share = min((read + source.count_bytes) / size, 1.0)
                yield batch
            read += source.count_bytes


def _batches_of(source: BoundedReader, path: Path, labels: Labels) -> Generator[_Batch, None, None]:
    batch = _Batch()
    try:
        for raw in raw_chats(source):
            if is_too_new(raw.head):
                raise NotImported(Reason.IMPORT_NEWER, path)
            _take(batch, raw, labels)
            if batch.is_full:
                yield batch
                batch = _Batch()
    except (DamagedJson, CutShortError):
        batch.is_cut = True
    yield batch


def _take(batch: _Batch, raw: RawChat, labels: Labels) -> None:
    try:
        read = _read(raw)
        chat = archived(read, labels)
    except UnreadableChat:
        batch.unreadable += 1
    else:
        batch.left_branches += read.left_branches
        # A chat in which nothing was said is nothing to keep.
        batch.chats += [chat] if chat.messages else []


def _read(raw: RawChat) -> ForeignChat:
    told = as_object(raw.value)
    if is_own(raw.head):
        return read_own(told)
    if is_chatgpt(told):
        return read_chatgpt(told)
    if is_claude(told):
        return read_claude(told)
    raise UnreadableChat
