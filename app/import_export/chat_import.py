"""Bring the chats of a file into the archive: read in a thread, kept a batch at a time.

`ChatImport` is one import. It runs on a `WorkThread`, as an export does: a thread for one long
piece of work, which can be stopped and is waited for. `archived` makes the rows that the archive
keeps from a chat that another program wrote down.
"""

import asyncio
import hashlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Final, Self, TypeVar, get_args

from app.api.events import PieceKind
from app.chat.items import ToolCall, title_from
from app.common.error_messages import ErrorCode
from app.import_export.formats.chatgpt import is_chatgpt, read_chatgpt
from app.import_export.formats.claude import is_claude, read_claude
from app.import_export.formats.parley import is_own, is_too_new, read_own
from app.import_export.formats.reading import (
    ForeignChat,
    ForeignVersion,
    Origin,
    UnreadableChat,
    as_object,
)
from app.import_export.json_stream import DamagedJson, JsonObjectStream, raw_chats
from app.import_export.loading import (
    ExportedHandover,
    ExportedImage,
    ExportedMessage,
    Labels,
    TextPart,
    ThoughtPart,
)
from app.import_export.markdown_format import call_markdown
from app.import_export.sources import (
    BoundedReader,
    CutShortError,
    NotImported,
    opened_sources,
    size_of,
)
from app.store.archive import ArchivedChat, ArchivedReply, ArchivedVersion, ArchiveTable
from app.store.records import ReplyPiece, StoredConversation, StoredMessage

_ORIGINS: Final[tuple[Origin, ...]] = get_args(Origin)
_DIGEST_CHARS: Final = 32


def archived(chat: ForeignChat, labels: Labels) -> ArchivedChat:
    """Make the rows of a chat; the same chat gets the same ids each time."""
    shown = _archived(chat, labels)
    versions = [_archived_version(chat, version, shown, labels) for version in chat.versions]
    return replace(shown, versions=tuple(versions))


def _archived_version(
    chat: ForeignChat, version: ForeignVersion, shown: ArchivedChat, labels: Labels
) -> ArchivedVersion:
    is_shown = version.origin_id == chat.origin_id
    alone = ForeignChat(
        chat.origin,
        version.origin_id,
        shown.conversation.title,
        version.updated_at,
        version.messages,
    )
    kept = shown if is_shown else _archived(alone, labels)
    # A message may become several, and one without words none.
    beginning = _with_ids(version.messages[: version.shared_count])
    count = sum(bool(message.text) for message in _one_run_each(beginning, labels))
    parent_id = version.parent_id and _chat_id(chat.origin, version.parent_id)
    # The message need not have a turn: one without a time has none.
    first = next((m.message_id for m in kept.messages[count:]), "")
    turn_id = _turn_id(kept.conversation.conversation_id, first)
    return ArchivedVersion(None if is_shown else kept, parent_id, count, turn_id)


def _archived(chat: ForeignChat, labels: Labels) -> ArchivedChat:
    # The parts of a divided message may get the id of another message: hence twice.
    whole = tuple(_with_ids(_one_run_each(_with_ids(chat.messages), labels)))
    chat_id = _chat_id(chat.origin, chat.origin_id or _all_words(whole))
    messages = tuple(
        StoredMessage(m.message_id, m.role, m.text, m.created_at) for m in whole if m.text
    )
    title = chat.title or title_from(next((m.text for m in messages if m.role == "user"), ""))
    conversation = StoredConversation(chat_id, title, len(messages), chat.updated_at)
    return ArchivedChat(conversation, messages, tuple(_replies(chat_id, whole)))


def _chat_id(origin: Origin, origin_id: str) -> str:
    return f"{origin}-{_digest(origin_id)}"


def _turn_id(chat_id: str, message_id: str) -> str:
    return _digest(f"{chat_id} {message_id}")


def origin_of_chat(chat_id: str) -> Origin | None:
    """Tell where a chat of the archive came from."""
    return next((origin for origin in _ORIGINS if chat_id.startswith(f"{origin}-")), None)


def _with_ids(messages: Iterable[ExportedMessage]) -> Iterator[ExportedMessage]:
    """Give every message an id of its own; hostile files repeat them."""
    seen = set[str]()
    for number, message in enumerate(messages):
        id_ = message.message_id or f"#{number}"
        while id_ in seen:
            id_ = f"{id_}#{number}"
        seen.add(id_)
        yield replace(message, message_id=id_)


def _one_run_each(messages: Iterator[ExportedMessage], labels: Labels) -> Iterator[ExportedMessage]:
    """Divide messages at hand-overs, so that each has one run of words by one agent."""
    for message in messages:
        run: list[str] = []
        count = 0
        first = TextPart("")
        for part in message.parts:
            if isinstance(part, ExportedHandover):
                yield _run_of(message, count, first, run)
                yield replace(message, message_id=f"{message.message_id}>{count}", parts=(part,))
                count, run, first = count + 1, [], TextPart("", *_agent_of(part))
                continue
            if isinstance(part, ExportedImage | ThoughtPart):
                # The text names the attachment; an archive stores text only.
                continue
            if isinstance(part, TextPart) and first.agent_name is None:
                first = part
            run.append(call_markdown(part, labels) if isinstance(part, ToolCall) else part.text)
        yield _run_of(message, count, first, run)


def _agent_of(part: ExportedHandover) -> tuple[str | None, str | None]:
    return (part.agent_name, part.agent_display_name)


def _run_of(
    message: ExportedMessage, count: int, first: TextPart, run: list[str]
) -> ExportedMessage:
    id_ = f"{message.message_id}/{count}" if count else message.message_id
    words = replace(first, text="\n\n".join(text for text in run if text))
    return replace(message, message_id=id_, parts=(words,))


def _replies(chat_id: str, messages: Sequence[ExportedMessage]) -> Iterator[ArchivedReply]:
    """Return who answered, for each message of the user that has a time."""
    for said, behind in _exchanges(messages):
        pieces = tuple(_pieces(behind))
        if pieces and said.text and said.created_at is not None:
            user = StoredMessage(said.message_id, "user", said.text, said.created_at)
            turn_id = _turn_id(chat_id, said.message_id)
            yield ArchivedReply(turn_id, user, said.created_at, pieces)


def _exchanges(
    messages: Sequence[ExportedMessage],
) -> Iterator[tuple[ExportedMessage, Sequence[ExportedMessage]]]:
    """Yield each message of the user, with what was said before the next one."""
    asked = [at for at, message in enumerate(messages) if message.role == "user"]
    for at, end in pairwise([*asked, len(messages)]):
        yield messages[at], messages[at + 1 : end]


def _pieces(messages: Sequence[ExportedMessage]) -> Iterator[ReplyPiece]:
    for message in messages:
        part = message.parts[0]
        others = (ToolCall, ExportedImage, ThoughtPart)
        agent = (part.agent_name, part.agent_display_name) if not isinstance(part, others) else ()
        if isinstance(part, ExportedHandover):
            yield ReplyPiece(PieceKind.HANDOVER, part.from_display_name, "", *agent)
        elif message.text:
            # The words stand in the message; here is only who wrote them.
            yield ReplyPiece(PieceKind.TEXT, "", message.message_id, *agent)


def _all_words(messages: Sequence[ExportedMessage]) -> str:
    return "\0".join(message.text for message in messages)


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:_DIGEST_CHARS]


T = TypeVar("T")


class WorkThread:
    """Runs work in order, on a thread of its own: `async with WorkThread("export") as thread`.

    Leaving the block sets `stopped`, which work looks at between its steps, and waits for what
    still runs: files that it writes can then be removed.
    """

    def __init__(self, name: str) -> None:
        self.stopped: Final = Event()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def run(self, work: Callable[[], T]) -> T:
        """Run `work` and give what it returns, or raise what it raises."""
        return await asyncio.wrap_future(self._thread.submit(work))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stopped.set()
        ended = asyncio.wrap_future(self._thread.submit(_nothing))
        self._thread.shutdown(wait=False)
        cancelled: asyncio.CancelledError | None = None
        while not ended.done():
            try:
                await asyncio.wait({ended})
            except asyncio.CancelledError as again:
                # Wait on, so that nothing is removed while the thread still uses it.
                cancelled = again
        if cancelled is not None:
            raise cancelled


def _nothing() -> None:
    """Do nothing, after everything that was asked before."""


_BATCH_CHATS: Final = 20
_BATCH_CHARS: Final = 2 * 1024**2


@dataclass(frozen=True, slots=True)
class Imported:
    """The outcome of importing a file: how many of its chats were read, and what was left out.

    `unreadable` chats are in the file and could not be understood. `is_cut`: the file ended, or
    was damaged, in the middle; what stood before is here. `left_branches` are the other ways that
    chats went on: of each chat, what was shown last is kept. `left_versions` are versions that
    make no sense beside the others of their chat.
    """

    new: int = 0
    changed: int = 0
    known: int = 0
    unreadable: int = 0
    is_cut: bool = False
    left_branches: int = 0
    left_versions: int = 0

    def __add__(self, other: "Imported") -> "Imported":
        return Imported(
            self.new + other.new,
            self.changed + other.changed,
            self.known + other.known,
            self.unreadable + other.unreadable,
            self.is_cut or other.is_cut,
            self.left_branches + other.left_branches,
            self.left_versions + other.left_versions,
        )

    @property
    def readable(self) -> int:
        """The number of chats that could be read."""
        return self.new + self.changed + self.known

    @property
    def total(self) -> int:
        """The number of chats in the file."""
        return self.readable + self.unreadable


@dataclass(slots=True)
class _Batch:
    chats: list[ArchivedChat] = field(default_factory=list)
    unreadable: int = 0
    share: float = 0.0
    is_cut: bool = False
    left_branches: int = 0
    left_versions: int = 0

    @property
    def is_full(self) -> bool:
        chars = sum(len(m.text) for chat in self.chats for m in chat.all_messages)
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
        """Read the file to its end; `on_progress` is called with the share that is read, 0 to 1.

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
            raise NotImported(ErrorCode.IMPORT_NOTHING_FOUND, self._path)
        return self.outcome

    async def _keep(self, batch: _Batch) -> None:
        added = await self._archive.add(batch.chats)
        kept = Imported(added.new, added.changed, added.known)
        left = Imported(
            unreadable=batch.unreadable,
            is_cut=batch.is_cut,
            left_branches=batch.left_branches,
            left_versions=batch.left_versions,
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
                raise NotImported(ErrorCode.IMPORT_NEWER, path)
            _add_chat(batch, raw, labels)
            if batch.is_full:
                yield batch
                batch = _Batch()
    except (DamagedJson, CutShortError):
        batch.is_cut = True
    yield batch


def _add_chat(batch: _Batch, raw: JsonObjectStream, labels: Labels) -> None:
    try:
        read = _read(raw)
        chat = archived(read, labels)
    except UnreadableChat:
        batch.unreadable += 1
    else:
        batch.left_branches += read.left_branches
        batch.left_versions += read.left_versions
        # A chat in which nothing was said is nothing to keep.
        batch.chats += [chat] if chat.messages else []


def _read(raw: JsonObjectStream) -> ForeignChat:
    value = as_object(raw.value)
    if is_own(raw.head):
        return read_own(value)
    if is_chatgpt(value):
        return read_chatgpt(value)
    if is_claude(value):
        return read_claude(value)
    raise UnreadableChat
