"""Load a whole chat from the store and the service, for export; changes neither.

`ConversationLoader` makes an `ExportedConversation`, the input of every export format and the
output of every import. `Labels` has the headings of an exported file, translated by the window.
"""

import asyncio
import logging
import sys
from base64 import b64encode
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import groupby, islice, takewhile
from math import prod
from typing import Final, Literal, TypeGuard

from app.api.errors import NotFound
from app.api.events import PieceKind
from app.api.models import ConversationDetail, SentImage
from app.chat.items import CallState, ToolCall, title_from, with_images
from app.chat.message_attachments import images_to_send, is_image
from app.chat.reconcile import USER, MatchedTurn, match_turns, merge_reply
from app.chat.sync import followers_of
from app.chat.workspace import Workspace
from app.common.errors import UserFacingError
from app.store.records import ReplyPiece, StoredAttachment, StoredMessage, StoredTurn
from local_tools.attached_file import ContentImage
from local_tools.ledger.steps import Decider, Decision

Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class TextPart:
    """A run of text; in a reply with the agent and model that wrote it, if known."""

    text: str
    agent_name: str | None = None
    agent_display_name: str | None = None


@dataclass(frozen=True, slots=True)
class ExportedHandover:
    """A hand-over: another agent continues the reply."""

    from_display_name: str
    agent_name: str | None
    agent_display_name: str | None


@dataclass(frozen=True, slots=True)
class ExportedImage:
    """An image that went with a message, or that a tool returned.

    `drawn` are its pixels, for paper; they come from a worker, as only workers decode images.
    """

    name: str
    media_type: str
    data: bytes = field(repr=False)
    drawn: ContentImage | None = field(default=None, repr=False)

    @property
    def address(self) -> str:
        """All of it, as an address: nothing is fetched to show it."""
        return f"data:{self.media_type};base64,{b64encode(self.data).decode()}"


@dataclass(frozen=True, slots=True)
class ThoughtPart:
    """What the model thought before it went on; no part of the reply."""

    text: str


Part = TextPart | ExportedHandover | ToolCall | ExportedImage | ThoughtPart


@dataclass(frozen=True, slots=True)
class ExportedMessage:
    """One message with its parts in order.

    `message_id` is the service's, or empty for what the service does not have. `is_delivered` is
    false for a message of the user that did not reach the service, as far as is known.
    """

    message_id: str
    role: Role
    created_at: datetime | None
    parts: tuple[Part, ...]
    is_delivered: bool = True

    @property
    def text(self) -> str:
        """The text of the message alone, without its other parts, such as tool calls."""
        return "\n\n".join(part.text for part in self.parts if isinstance(part, TextPart))


@dataclass(frozen=True, slots=True)
class ExportedVersion:
    """A version of a chat, and where it parts from an earlier one.

    `messages` follow on the first ones of the version `parent_id`, which are called `shared` here;
    None for the version that is shown, whose messages are all in its chat. The first version has
    no parent.
    """

    version_id: str
    parent_id: str | None
    shared: tuple[str, ...]
    updated_at: datetime | None
    messages: tuple[ExportedMessage, ...] | None
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class ExportedConversation:
    """A chat and its messages, oldest first. `is_complete`: nothing is known to be missing.

    `versions` are all of them, oldest first, where there are several and they were asked for.
    """

    chat_id: str
    title: str
    updated_at: datetime | None
    messages: tuple[ExportedMessage, ...]
    is_complete: bool = True
    versions: tuple[ExportedVersion, ...] = ()


log = logging.getLogger(__name__)

_PAGE_SIZE: Final = 100
PAPER_BOX_PX: Final = (480, 360)
"""What an image on paper fits into, in pixels of a web page."""
_SHARPEST: Final = 2.5
# All pixels of a chat are in memory at once: the more images it has, the coarser they are.
_DRAWN_LIMIT_BYTES: Final = 128 * 1024 * 1024


class ConversationLoader:
    """Reads the chats of one profile, whole. Made for one export; holds nothing open.

    The service is asked first. Once it could not be asked, the rest comes from what is kept here.
    """

    def __init__(self, workspace: Workspace, *, has_thoughts: bool = False) -> None:
        """Make one; with `has_thoughts` it tells what models thought, too."""
        self._workspace = workspace
        self._has_thoughts = has_thoughts
        self._asks_service = True

    async def gather(
        self, conversation_id: str, *, with_versions: bool = False
    ) -> ExportedConversation:
        """Read one chat as this version of it went, and the others if they are wanted.

        Raises:
            NotFound: it is gone there, and nothing of it is kept here.
            StoreError: what is kept here cannot be read.
        """
        shown = await self._gather(conversation_id)
        if not with_versions:
            return shown.chat
        await self._workspace.sessions.versions.load()
        versions = tuple([version async for version in self._versions_of(shown)])
        return replace(
            shown.chat,
            is_complete=shown.chat.is_complete and all(one.is_complete for one in versions),
            versions=versions if len(versions) > 1 else (),
        )

    async def _gather(self, conversation_id: str) -> "_Gathered":
        store = self._workspace.store
        kept = await store.conversations.get(conversation_id)
        gone: NotFound | None = None
        try:
            messages = told = await self._ask(conversation_id)
        except NotFound as exc:
            messages = told = None
            gone = exc
        if messages is None:
            messages = await store.messages.of_conversation(conversation_id)
        turns = await store.turns.of_conversation(conversation_id)
        if gone and not messages and not turns:
            raise gone
        calls = with_images(await self._calls(conversation_id), turns)
        known = await self._known(conversation_id, turns)
        images = await self._images(conversation_id, turns)
        beside = _Beside(calls, images, self._has_thoughts)
        # In a thread: a long chat takes longer than a frame.
        whole = await asyncio.to_thread(_whole, messages, turns, known, beside)
        is_complete = told is not None or 0 < kept.message_count <= len(messages)
        title = kept.title or _made_title(whole)
        chat = ExportedConversation(conversation_id, title, kept.updated_at, whole, is_complete)
        return _Gathered(chat, tuple(message.message_id for message in messages))

    async def _versions_of(self, shown: "_Gathered") -> AsyncIterator[ExportedVersion]:
        """Yield all versions of a chat, but for those that are gone, oldest first."""
        there: dict[str, _Beginnings] = {}
        for version_id in self._workspace.sessions.versions.members(shown.chat.chat_id):
            is_shown = version_id == shown.chat.chat_id
            try:
                told = shown if is_shown else await self._gather(version_id)
            except NotFound:
                continue
            parent_id, count = self._parting(version_id, there)
            parent = there.get(parent_id or "")
            mine = there[version_id] = _Beginnings.of(told)
            shared = mine.delivered(count)
            # If version and parent do not have the same messages there, it is written whole.
            if parent is None or len(parent.delivered(count)) != len(shared):
                shared = ()
            chat = told.chat
            rest = chat.messages[mine.end_of(len(shared)) :]
            messages = None if is_shown else rest
            times = (chat.updated_at, messages, chat.is_complete)
            yield ExportedVersion(version_id, parent_id, shared, *times)

    def _parting(self, version_id: str, there: Collection[str]) -> tuple[str | None, int]:
        """Return from which version that is there this one parts, and behind how many messages."""
        versions, least, at = self._workspace.sessions.versions, sys.maxsize, version_id
        while (parting := versions.parting(at)) is not None:
            at, count = parting
            least = min(least, count)
            if at in there:
                return at, least
        return next(iter(there), None), 0

    async def _calls(self, conversation_id: str) -> dict[str, ToolCall]:
        """Return the calls of a version: its own, and those that it was copied with."""
        sources = self._workspace.sessions.versions.sources(conversation_id)
        calls: dict[str, ToolCall] = {}
        for source_id in (*reversed(sources), conversation_id):
            calls |= await self._workspace.calls(source_id)
        return calls

    async def with_drawn_images(self, chat: ExportedConversation) -> ExportedConversation:
        """Return a chat with the pixels of its images; those that cannot be drawn stay without."""
        attachments = self._workspace.attachments
        images = {part.data: part for m in chat.messages for part in m.parts if _is_image(part)}
        if attachments is None or not images:
            return chat
        scale = min(_SHARPEST, (_DRAWN_LIMIT_BYTES / (len(images) * 4 * prod(PAPER_BOX_PX))) ** 0.5)
        width, height = (max(1, round(side * scale)) for side in PAPER_BOX_PX)
        drawn = {
            data: await attachments.draw(image.name, data, width, height)
            for data, image in images.items()
        }
        messages = (
            replace(
                message,
                parts=tuple(
                    replace(part, drawn=drawn[part.data]) if _is_image(part) else part
                    for part in message.parts
                ),
            )
            for message in chat.messages
        )
        return replace(chat, messages=tuple(messages))

    async def all_ids(self) -> tuple[str, ...]:
        """Return the ids of the profile's chats, or of those known here if the service is away.

        Of the versions of a chat, it is the one that is shown.

        Raises:
            StoreError: what is kept of versions cannot be read.
        """
        ids: dict[str, None] = {}
        try:
            while True:
                page = await self._workspace.client.list_conversations(_PAGE_SIZE, len(ids))
                known = len(ids)
                ids.update(dict.fromkeys(summary.id for summary in page.data))
                # Nothing new: a service that repeats its rows would keep this going for ever.
                if len(ids) == known or len(ids) >= page.meta.total:
                    break
        except UserFacingError as exc:
            log.info("The export uses the stored list of chats: %s", exc.reason)
        ids.update(dict.fromkeys(row.conversation_id for row in self._workspace.conversations.rows))
        versions = self._workspace.sessions.versions
        await versions.load()
        shown = dict.fromkeys(versions.current(id_) for id_ in ids)
        return tuple(id_ for id_ in shown if not versions.is_hidden(id_))

    async def _images(
        self, conversation_id: str, turns: Iterable[StoredTurn]
    ) -> dict[str, SentImage]:
        table = self._workspace.store.attachments
        content = partial(table.content, conversation_id)
        images: dict[str, SentImage] = {}
        kept = (item for turn in turns for item in (*turn.attachments, *turn.call_images))
        for sha256, item in {item.sha256: item for item in filter(is_image, kept)}.items():
            for image in await images_to_send([item], content):
                images[sha256] = image
        return images

    async def _ask(self, conversation_id: str) -> tuple[StoredMessage, ...] | None:
        if not self._asks_service:
            return None
        try:
            detail = await self._workspace.client.get_conversation(conversation_id)
        except NotFound:
            # Only this chat is gone; the service still has the others.
            raise
        except UserFacingError as exc:
            log.info("The export uses the stored messages: %s", exc.reason)
            self._asks_service = False
            return None
        return _kept(detail)

    async def _known(
        self, conversation_id: str, turns: Iterable[StoredTurn]
    ) -> dict[str, frozenset[str]]:
        messages = self._workspace.store.messages
        return {
            turn.turn_id: await messages.known_ids(conversation_id, turn.known_upto)
            for turn in turns
            if turn.known_upto is not None and turn.user_message_id is None
        }


def _is_image(part: Part) -> TypeGuard[ExportedImage]:
    return isinstance(part, ExportedImage)


@dataclass(frozen=True, slots=True)
class _Gathered:
    """A chat as it is exported, and the ids of the messages that it was made of."""

    chat: ExportedConversation
    message_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Beginnings:
    """What is remembered of a version to tell where others part from it.

    `message_ids` are the service's, `told_ids` those of the messages that are exported, empty for
    what the service does not have.
    """

    message_ids: tuple[str, ...]
    told_ids: tuple[str, ...]

    @classmethod
    def of(cls, told: _Gathered) -> "_Beginnings":
        return cls(told.message_ids, tuple(m.message_id for m in told.chat.messages))

    def delivered(self, count: int) -> tuple[str, ...]:
        """Return the exported messages up to the first that is not among these of the service."""
        first = frozenset(self.message_ids[:count])
        with_ids = (id_ for id_ in self.told_ids if id_)
        return tuple(takewhile(first.__contains__, with_ids))

    def end_of(self, count: int) -> int:
        """Return how many exported messages there are up to the `count`th that the service has."""
        ends = (at for at, id_ in enumerate(self.told_ids, start=1) if id_)
        return next(islice(ends, count - 1, None), 0) if count else 0


def _kept(detail: ConversationDetail) -> tuple[StoredMessage, ...]:
    return tuple(
        StoredMessage(m.id, m.role.value, m.content, m.created_at) for m in detail.messages
    )


def _made_title(messages: Sequence[ExportedMessage]) -> str:
    return title_from(next((m.text for m in messages if m.role == "user"), ""))


@dataclass(frozen=True, slots=True)
class _Beside:
    """What is kept here of a chat beside its messages: calls by id, images by hash.

    `has_thoughts` is whether what models thought is told.
    """

    calls: Mapping[str, ToolCall]
    images: Mapping[str, SentImage]
    has_thoughts: bool = False

    def told(self, pieces: Iterable[ReplyPiece]) -> tuple[ReplyPiece, ...]:
        """Return the pieces of a reply that are exported: thoughts only where they are wanted."""
        return tuple(p for p in pieces if self.has_thoughts or p.kind is not PieceKind.THOUGHT)

    def images_of(self, items: Iterable[StoredAttachment]) -> Iterable[ExportedImage]:
        """Yield the images among attachments, as far as they are here."""
        for item in items:
            image = self.images.get(item.sha256)
            if image is not None:
                yield ExportedImage(item.name, image.media_type, image.data)


def _whole(
    messages: Sequence[StoredMessage],
    turns: Sequence[StoredTurn],
    known: Mapping[str, frozenset[str]],
    beside: _Beside,
) -> tuple[ExportedMessage, ...]:
    matches = match_turns(messages, turns, known)
    return tuple(_all_messages(messages, turns, matches, beside))


def _all_messages(
    messages: Sequence[StoredMessage],
    turns: Sequence[StoredTurn],
    matches: Mapping[str, MatchedTurn],
    beside: _Beside,
) -> Iterable[ExportedMessage]:
    """Yield what the service has in its order, and behind each turn ours that it does not have."""
    by_message = {match.user.message_id: turn_id for turn_id, match in matches.items()}
    by_id = {turn.turn_id: turn for turn in turns}
    unsent = followers_of(turns, matches)
    told: set[str] = set()
    for message in messages:
        turn_id = by_message.get(message.message_id)
        if turn_id is not None:
            yield from _exchange_of(by_id[turn_id], matches[turn_id], beside)
            told |= {reply.message_id for reply in matches[turn_id].reply}
            yield from _never_arrived(unsent.get(turn_id, ()), beside)
        elif message.message_id not in told:
            yield _as_told(message)
    yield from _never_arrived(unsent.get("", ()), beside)


def _exchange_of(
    turn: StoredTurn, match: MatchedTurn, beside: _Beside
) -> Iterable[ExportedMessage]:
    user = match.user
    said: tuple[Part, ...] = (TextPart(turn.text), *beside.images_of(turn.attachments))
    yield ExportedMessage(user.message_id, "user", user.created_at, said)
    times = {reply.message_id: reply.created_at for reply in match.reply}
    first = match.reply[0].created_at if match.reply else turn.created_at
    pieces = _thoughts_with_words(beside.told(merge_reply(turn.pieces, match.reply)))
    for message_id, group in groupby(pieces, key=lambda piece: piece.message_id):
        parts = tuple(_parts(group, beside))
        yield ExportedMessage(message_id, "assistant", times.get(message_id, first), parts)


def _never_arrived(turns: Iterable[StoredTurn], beside: _Beside) -> Iterable[ExportedMessage]:
    for turn in turns:
        said: tuple[Part, ...] = (TextPart(turn.text), *beside.images_of(turn.attachments))
        yield ExportedMessage("", "user", turn.created_at, said, is_delivered=False)
        if pieces := beside.told(turn.pieces):
            parts = tuple(_parts(pieces, beside))
            yield ExportedMessage("", "assistant", turn.created_at, parts)


def _as_told(message: StoredMessage) -> ExportedMessage:
    role: Role = "user" if message.role == USER else "assistant"
    return ExportedMessage(message.message_id, role, message.created_at, (TextPart(message.text),))


def _thoughts_with_words(pieces: Sequence[ReplyPiece]) -> Sequence[ReplyPiece]:
    """Let each thought belong to the message that it led to."""
    told = list(pieces)
    for at in reversed(range(len(told) - 1)):
        if told[at].kind is PieceKind.THOUGHT:
            told[at] = replace(told[at], message_id=told[at + 1].message_id)
    return told


def _parts(pieces: Iterable[ReplyPiece], beside: _Beside) -> Iterable[Part]:
    for piece in pieces:
        if piece.kind is PieceKind.TEXT:
            yield TextPart(piece.text, piece.agent_name, piece.agent_display_name)
        elif piece.kind is PieceKind.THOUGHT:
            yield ThoughtPart(piece.text)
        elif piece.kind is PieceKind.HANDOVER:
            yield ExportedHandover(piece.text, piece.agent_name, piece.agent_display_name)
        elif piece.kind is PieceKind.CALL:
            call = _call(piece, beside.calls.get(piece.call_id))
            yield call
            yield from beside.images_of(call.images)


def _call(piece: ReplyPiece, call: ToolCall | None) -> ToolCall:
    call = call or ToolCall(piece.call_id, piece.text)
    title, target = call.title or piece.title or piece.text, call.target or piece.target
    return replace(call, tool=piece.text, title=title, target=target)


_STATES: Mapping[CallState, str] = {
    CallState.WAITING: "not decided",
    CallState.RUNNING: "running",
    CallState.DONE: "done",
    CallState.FAILED: "failed",
    CallState.DENIED: "denied",
    CallState.ANSWERED: "answered by you",
    CallState.REFUSED: "not run",
    CallState.INTERRUPTED: "interrupted",
}


@dataclass(frozen=True, slots=True)
class Labels:
    """English unless given otherwise; `{…}` are filled in here.

    `code` is the language as web pages name it ("en").
    """

    code: str = "en"
    you: str = "You"
    assistant: str = "Assistant"
    untitled: str = "Chat"
    exported: str = "Exported from Parley, {date}"
    incomplete: str = "Some messages may be missing because the service could not be reached."
    not_delivered: str = "not delivered"
    handed_over: str = "{name} continues"
    thought: str = "Thought"
    allowed_by_you: str = "allowed by you"
    allowed_by_rule: str = "allowed by a rule"
    allowed_by_attaching: str = "allowed by attaching"
    allowed_changed: str = "changed and allowed by you"
    input_words: str = "Input"
    output_words: str = "Output"
    left_out: str = "Shortened ({count}). Export as Markdown or JSON for the full text."
    states: Mapping[CallState, str] = field(default_factory=lambda: dict(_STATES))

    def author(self, message: ExportedMessage) -> str:
        """Return the name of who wrote a message."""
        if message.role == "user":
            return self.you
        named = (p for p in message.parts if isinstance(p, TextPart))
        first = next(named, None)
        name = (first.agent_display_name or first.agent_name) if first else None
        return one_line(name) if name else self.assistant

    def heading(self, message: ExportedMessage) -> str:
        """Return the heading of a message: who, when, and whether it arrived."""
        said = [self.author(message)]
        if message.created_at is not None:
            said.append(moment_words(message.created_at))
        if not message.is_delivered:
            said.append(self.not_delivered)
        return " · ".join(said)

    def call_words(self, call: ToolCall) -> str:
        """Return how a tool call went, in a few words."""
        said = [self.states[call.state]]
        if call.decider and call.state not in (CallState.DENIED, CallState.ANSWERED):
            said.insert(0, self._allowed_words(call.decider, call.decision))
        if call.duration_ms is not None:
            said.append(f"{call.duration_ms} ms")
        return ", ".join(said)

    def _allowed_words(self, decider: Decider, decision: Decision | None) -> str:
        if decision is Decision.EDITED:
            return self.allowed_changed
        if decider is Decider.ATTACHING:
            return self.allowed_by_attaching
        return self.allowed_by_rule if decider.is_rule else self.allowed_by_you


def moment_words(moment: datetime) -> str:
    """Return a time of this computer's zone, in the one form that nobody misreads."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def one_line(text: str) -> str:
    """Return untrusted text on one line, for a heading."""
    return " ".join(text.split())
