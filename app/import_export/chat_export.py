"""Write chats into files: one file, or a folder with a file for each.

`ChatExport` is one export. `appearing_file` and `appearing_folder` give it files and folders that
appear whole or not at all; `file_stem` and `free_name` make names from titles that every system
takes.
"""

import os
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from functools import partial
from pathlib import Path
from threading import Event
from typing import Final

from app.api.errors import NotFound
from app.common.clock import utc_now
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.import_export.chat_import import WorkThread
from app.import_export.formats.parley import json_head, json_of, json_tail
from app.import_export.loading import ConversationLoader, ExportedConversation, Labels
from app.import_export.markdown_format import markdown_of


class NotWritten(UserFacingError):
    """A file could not be written; nothing of it is left."""


class AlreadyThere(UserFacingError):
    """Something of this name is there, and was left alone."""

    def __init__(self, path: Path) -> None:
        super().__init__(ErrorCode.EXPORT_EXISTS, {"name": path.name})


@contextmanager
def appearing_file(target: Path, *, may_replace: bool) -> Iterator[Path]:
    """Give a path to write to; at the end of the block it becomes `target`.

    Whatever ends the block early leaves nothing behind.

    Raises:
        AlreadyThere: the target exists and may not be replaced.
        NotWritten: the disk is full, or the folder may not be written.
    """
    with _in_words(target), _own_folder(target) as folder:
        if target.is_dir():
            raise IsADirectoryError
        part = folder / target.name
        yield part
        if not may_replace:
            _reserve(target)
        part.replace(target)


@contextmanager
def appearing_folder(target: Path) -> Iterator[Path]:
    """Give an empty folder to write into; at the end of the block it becomes `target`.

    Raises:
        AlreadyThere: the target exists.
        NotWritten: the disk is full, or the folder may not be written.
    """
    with _in_words(target), _own_folder(target) as folder:
        part = folder / "chats"
        part.mkdir()
        yield part
        if target.exists():
            raise AlreadyThere(target)
        part.replace(target)


def settle(files: Iterable[Path]) -> None:
    """Sync these files before they are renamed, so that a name never has older contents."""
    for path in files:
        # On Windows, fsync needs a file that is open for writing.
        with path.open("r+b") as file:
            os.fsync(file.fileno())


def names_in(folder: Path) -> frozenset[str]:
    """Return the names that are taken in a folder; none where nobody may look."""
    try:
        return frozenset(path.name for path in folder.iterdir())
    except OSError:
        return frozenset()


@contextmanager
def _own_folder(target: Path) -> Iterator[Path]:
    """Make a private folder beside the target, so that the last step is a rename."""
    folder = Path(tempfile.mkdtemp(dir=target.parent, prefix=".parley-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _reserve(target: Path) -> None:
    try:
        # Made, not looked for: another program could make it after a look.
        target.open("x").close()
    except FileExistsError:
        raise AlreadyThere(target) from None


@contextmanager
def _in_words(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        raise NotWritten(ErrorCode.EXPORT_NOT_WRITTEN, {"name": target.name}) from exc


_LONGEST_CHARS: Final = 80
# A name may have 255 bytes; the rest is for what is added to it.
_LONGEST_BYTES: Final = 200
# On Windows; other systems forbid fewer.
_FORBIDDEN: Final = re.compile(r'[<>:"/\\|?*]')
_HIDDEN: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
# Names that Windows keeps for devices, whatever their extension.
_DEVICES: Final = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])( *\..*)?", re.IGNORECASE
)


def file_stem(title: str, fallback: str) -> str:
    """Return a name without an extension; `fallback` where nothing of the title is left."""
    shown = "".join(
        " " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c
        for c in unicodedata.normalize("NFC", title)
        if unicodedata.category(c) not in _HIDDEN - {"Cc", "Zl", "Zp"}
    )
    words = " ".join(_FORBIDDEN.sub(" ", shown).split())
    # Windows drops dots and blanks at the end; in front, a dot hides a file, and "-" and "~" mean
    # other things to a shell.
    stem = _cut(words).strip(" .-~")
    if not stem:
        return fallback
    return f"{stem}_" if _DEVICES.fullmatch(stem) else stem


def free_name(stem: str, extension: str, taken: Collection[str]) -> str:
    """Return a name that is none of `taken`, whatever their case.

    `extension` has no dot, or is empty.
    """
    ending = f".{extension}" if extension else ""
    # To Windows and macOS, names that differ in case only are one.
    known = {name.casefold() for name in taken}
    name, number = f"{stem}{ending}", 2
    while name.casefold() in known:
        name, number = f"{stem} ({number}){ending}", number + 1
    return name


def _cut(words: str) -> str:
    cut = words[:_LONGEST_CHARS]
    return cut.encode()[:_LONGEST_BYTES].decode(errors="ignore")


class ExportFormat(Enum):
    """What a chat can be written as; the value is the extension of the file."""

    MARKDOWN = "md"
    JSON = "json"
    HTML = "html"
    PDF = "pdf"

    @property
    def holds_several(self) -> bool:
        """Whether one file takes any number of chats."""
        return self is ExportFormat.JSON


TextWriter = Callable[[ExportedConversation, Labels, datetime], Iterator[str]]
"""Yields the text of a file; is run in a thread."""
PaperWriter = Callable[[ExportedConversation, Labels, datetime, Path, Event], None]
"""Writes a file; is run in a thread, and ends early once the event is set."""


@dataclass(frozen=True, slots=True)
class Writers:
    """How the formats are written that need Qt."""

    html: TextWriter
    pdf: PaperWriter


@dataclass(frozen=True, slots=True)
class Exported:
    """What became of an export: where it lies, how many chats, and how many of them have gaps."""

    path: Path
    count: int
    incomplete: int


class ChatExport:
    """One export on its way. Made for it, `run` once; cancelling leaves nothing behind."""

    def __init__(self, gatherer: ConversationLoader, writers: Writers, labels: Labels) -> None:
        self._gatherer = gatherer
        self._texts: Mapping[ExportFormat, TextWriter] = {
            ExportFormat.MARKDOWN: markdown_of,
            ExportFormat.HTML: writers.html,
        }
        self._paper = writers.pdf
        self._labels = labels
        self._now = utc_now()
        self._incomplete = 0
        self._gone: list[NotFound] = []

    async def run(
        self,
        conversation_ids: Sequence[str],
        kind: ExportFormat,
        target: Path,
        *,
        may_replace: bool,
        on_progress: Callable[[int], None],
    ) -> Exported:
        """Write these chats; `target` is a folder that is made if each gets a file of its own.

        `on_progress` is told after each chat how many are done.

        Chats that are gone meanwhile are left out.

        Raises:
            NotWritten: the files could not be written.
            AlreadyThere: there is something of this name, and it may not be replaced.
            NotFound: all of them are gone.
            StoreError: a chat could not be read.
        """
        async with WorkThread("export") as thread:
            if len(conversation_ids) == 1 or kind.holds_several:
                with appearing_file(target, may_replace=may_replace) as part:
                    await self._write_one(thread, conversation_ids, kind, part, on_progress)
                    self._check_found(len(conversation_ids))
                    await thread.run(partial(settle, [part]))
            else:
                with appearing_folder(target) as folder:
                    await self._write_each(thread, conversation_ids, kind, folder, on_progress)
                    self._check_found(len(conversation_ids))
                    await thread.run(lambda: settle(folder.iterdir()))
        return Exported(target, len(conversation_ids) - len(self._gone), self._incomplete)

    async def _write_one(
        self,
        thread: WorkThread,
        conversation_ids: Sequence[str],
        kind: ExportFormat,
        path: Path,
        on_progress: Callable[[int], None],
    ) -> None:
        if kind.holds_several:
            await thread.run(partial(_write_text, path, [json_head(self._now)], thread))
        is_first = True
        for number, conversation_id in enumerate(conversation_ids, start=1):
            if chat := await self._gather(conversation_id, kind):
                await self._write(thread, chat, kind, path, is_first=is_first)
                is_first = False
            on_progress(number)
        if kind.holds_several:
            await thread.run(partial(_write_text, path, [json_tail()], thread))

    async def _write_each(
        self,
        thread: WorkThread,
        conversation_ids: Sequence[str],
        kind: ExportFormat,
        folder: Path,
        on_progress: Callable[[int], None],
    ) -> None:
        taken: set[str] = set()
        for number, conversation_id in enumerate(conversation_ids, start=1):
            if chat := await self._gather(conversation_id, kind):
                stem = file_stem(chat.title, self._labels.untitled)
                name = free_name(stem, kind.value, taken)
                taken.add(name)
                await self._write(thread, chat, kind, folder / name)
            on_progress(number)

    async def _write(
        self,
        thread: WorkThread,
        chat: ExportedConversation,
        kind: ExportFormat,
        path: Path,
        *,
        is_first: bool = True,
    ) -> None:
        if kind is ExportFormat.PDF:
            stopped = thread.stopped
            chat = await self._gatherer.with_drawn_images(chat)
            await thread.run(partial(self._paper, chat, self._labels, self._now, path, stopped))
            return
        if kind is ExportFormat.JSON:
            chunks = json_of(chat, is_first=is_first)
        else:
            chunks = self._texts[kind](chat, self._labels, self._now)
        await thread.run(partial(_write_text, path, chunks, thread))

    async def _gather(
        self, conversation_id: str, kind: ExportFormat
    ) -> ExportedConversation | None:
        """Read a chat; None if it is gone."""
        try:
            chat = await self._gatherer.gather(
                conversation_id, with_versions=kind is ExportFormat.JSON
            )
        except NotFound as exc:
            self._gone.append(exc)
            return None
        self._incomplete += not chat.is_complete
        return chat

    def _check_found(self, count: int) -> None:
        if self._gone and len(self._gone) == count:
            raise self._gone[0]


def _write_text(path: Path, chunks: Iterable[str], thread: WorkThread) -> None:
    with path.open("a", encoding="utf-8", errors="replace", newline="\n") as file:
        for chunk in chunks:
            if thread.stopped.is_set():
                return
            file.write(chunk)
