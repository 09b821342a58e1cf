"""Writes chats into files: one file, or a folder with a file for each."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from functools import partial
from pathlib import Path
from threading import Event

from app.api.errors import NotFound
from app.exchange.files import appearing_file, appearing_folder, settle
from app.exchange.gathering import ChatGatherer
from app.exchange.json_format import json_head, json_of, json_tail
from app.exchange.labels import Labels
from app.exchange.markdown import markdown_of
from app.exchange.names import file_stem, free_name
from app.exchange.whole_chat import WholeChat
from app.exchange.work_thread import WorkThread


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


TextWriter = Callable[[WholeChat, Labels, datetime], Iterator[str]]
"""Yields the text of a file; is run in a thread."""
PaperWriter = Callable[[WholeChat, Labels, datetime, Path, Event], None]
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

    def __init__(self, gatherer: ChatGatherer, writers: Writers, labels: Labels) -> None:
        self._gatherer = gatherer
        self._texts: Mapping[ExportFormat, TextWriter] = {
            ExportFormat.MARKDOWN: markdown_of,
            ExportFormat.HTML: writers.html,
        }
        self._paper = writers.pdf
        self._labels = labels
        self._now = datetime.now(UTC)
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
            if chat := await self._gather(conversation_id):
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
            if chat := await self._gather(conversation_id):
                stem = file_stem(chat.title, self._labels.untitled)
                name = free_name(stem, kind.value, taken)
                taken.add(name)
                await self._write(thread, chat, kind, folder / name)
            on_progress(number)

    async def _write(
        self,
        thread: WorkThread,
        chat: WholeChat,
        kind: ExportFormat,
        path: Path,
        *,
        is_first: bool = True,
    ) -> None:
        if kind is ExportFormat.PDF:
            stopped = thread.stopped
            await thread.run(partial(self._paper, chat, self._labels, self._now, path, stopped))
            return
        if kind is ExportFormat.JSON:
            chunks = json_of(chat, is_first=is_first)
        else:
            chunks = self._texts[kind](chat, self._labels, self._now)
        await thread.run(partial(_write_text, path, chunks, thread))

    async def _gather(self, conversation_id: str) -> WholeChat | None:
        """Read a chat; None if it is gone."""
        try:
            chat = await self._gatherer.gather(conversation_id)
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
