"""Writes chats into files: one file, or a folder with a file for each."""

import asyncio
import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Final

from app.exchange.files import appearing_file, appearing_folder
from app.exchange.gathering import ChatGatherer
from app.exchange.json_format import json_head, json_of, json_tail
from app.exchange.labels import Labels
from app.exchange.markdown import markdown_of
from app.exchange.names import file_stem, free_name
from app.exchange.whole_chat import WholeChat
from app.exchange.work_thread import WorkThread

# What may run on the window's thread before others get a turn.
_TURN_S: Final = 0.008


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
PaperStep = Callable[[], None] | None
"""What a thread has to do before the next step, if anything."""
PaperWriter = Callable[[WholeChat, Labels, datetime, Path], Generator[PaperStep, None, None]]
"""Writes a file in small steps; is run on the window's thread, which gets turns in between."""


@dataclass(frozen=True, slots=True)
class Writers:
    """How the formats are written that need the window's own drawing."""

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

        Raises:
            NotWritten: the files could not be written.
            AlreadyThere: there is something of this name, and it may not be replaced.
            StoreError: a chat could not be read.
        """
        async with WorkThread("export") as thread:
            if len(conversation_ids) == 1 or kind.holds_several:
                with appearing_file(target, may_replace=may_replace) as part:
                    await self._write_one(thread, conversation_ids, kind, part, on_progress)
            else:
                with appearing_folder(target) as folder:
                    await self._write_each(thread, conversation_ids, kind, folder, on_progress)
        return Exported(target, len(conversation_ids), self._incomplete)

    async def _write_one(
        self,
        thread: WorkThread,
        conversation_ids: Sequence[str],
        kind: ExportFormat,
        path: Path,
        on_progress: Callable[[int], None],
    ) -> None:
        if kind.holds_several:
            await self._write_all_json(thread, conversation_ids, path, on_progress)
        else:
            await self._write(thread, await self._gather(conversation_ids[0]), kind, path)
        on_progress(len(conversation_ids))

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
            chat = await self._gather(conversation_id)
            stem = file_stem(chat.title, self._labels.untitled)
            name = free_name(stem, kind.value, taken)
            taken.add(name)
            await self._write(thread, chat, kind, folder / name)
            on_progress(number)

    async def _write(
        self, thread: WorkThread, chat: WholeChat, kind: ExportFormat, path: Path
    ) -> None:
        if kind is ExportFormat.PDF:
            await _in_turns(thread, self._paper(chat, self._labels, self._now, path))
        else:
            chunks = self._texts[kind](chat, self._labels, self._now)
            await thread.run(partial(_write_text, path, chunks, thread))

    async def _write_all_json(
        self,
        thread: WorkThread,
        conversation_ids: Sequence[str],
        path: Path,
        on_progress: Callable[[int], None],
    ) -> None:
        await thread.run(partial(_write_text, path, [json_head(self._now)], thread))
        for number, conversation_id in enumerate(conversation_ids):
            chat = await self._gather(conversation_id)
            chunks = json_of(chat, is_first=number == 0)
            await thread.run(partial(_write_text, path, chunks, thread))
            on_progress(number + 1)
        await thread.run(partial(_write_text, path, [json_tail()], thread))

    async def _gather(self, conversation_id: str) -> WholeChat:
        chat = await self._gatherer.gather(conversation_id)
        self._incomplete += not chat.is_complete
        return chat


def _write_text(path: Path, chunks: Iterable[str], thread: WorkThread) -> None:
    with path.open("a", encoding="utf-8", errors="replace", newline="\n") as file:
        for chunk in chunks:
            if thread.stopped.is_set():
                return
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())


async def _in_turns(thread: WorkThread, steps: Generator[PaperStep, None, None]) -> None:
    turn_ends = time.monotonic() + _TURN_S
    with closing(steps):
        for step in steps:
            if step is not None:
                await thread.run(step)
                turn_ends = time.monotonic() + _TURN_S
            elif time.monotonic() >= turn_ends:
                await asyncio.sleep(0)
                turn_ends = time.monotonic() + _TURN_S
