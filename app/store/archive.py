"""Imported chats, stored as rows of a profile of their own; each is written whole."""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeAlias

from app.store.database import Database, read_time, storable, time_text
from app.store.records import ReplyPiece, StoredConversation, StoredMessage, TurnState
from app.store.search import ARCHIVE_PROFILE

_PUT_CONVERSATION: Final = (
    "INSERT INTO conversations (profile, conversation_id, title, message_count, updated_at)"
    " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET message_count = excluded.message_count,"
    " updated_at = excluded.updated_at"
)
_PUT_MESSAGE: Final = (
    "INSERT INTO messages (profile, conversation_id, message_id, role, text, created_at, position)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_PUT_TURN: Final = (
    "INSERT INTO turns (turn_id, profile, conversation_id, text, state, created_at,"
    " user_message_id, sequence) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_PUT_PIECE: Final = (
    "INSERT INTO pieces (turn_id, position, kind, text, message_id, agent_name,"
    " agent_display_name, call_id, title, target) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
# What is known of a version stays, whatever another file says.
_PUT_VERSION: Final = (
    "INSERT OR IGNORE INTO versions (profile, fork_id, source_id, parent_id, shared_count,"
    " conversation_id, turn_id) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_PARENT: Final = "SELECT parent_id FROM versions WHERE profile = ? AND conversation_id = ?"
_PUT_SHOWN: Final = "INSERT OR REPLACE INTO shown_versions VALUES (?, ?, ?)"
_PAGE: Final = (
    "SELECT conversation_id, title, message_count, updated_at FROM conversations"
    " WHERE profile = ? ORDER BY updated_at {order}, conversation_id LIMIT ? OFFSET ?"
)
_COUNT: Final = "SELECT count(*) FROM conversations WHERE profile = ?"
_SEQUENCE: Final = "SELECT coalesce(max(sequence), 0) FROM turns"
_TEXTS: Final = (
    "SELECT message_id, text FROM messages WHERE profile = ? AND conversation_id = ?"
    " ORDER BY position"
)

_OTHER_CHARS: Final = 16

_Texts: TypeAlias = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ArchivedReply:
    """The reply to a message: its pieces, whose text is in the chat's messages."""

    turn_id: str
    user: StoredMessage
    created_at: datetime
    pieces: tuple[ReplyPiece, ...]


@dataclass(frozen=True, slots=True)
class ArchivedVersion:
    """A version of a chat, which parts from `parent_id` behind its first `shared_count` messages.

    `chat` is None for the version that is shown. `turn_id` is the reply's to the message with which
    it goes on. The first version has no parent.
    """

    chat: "ArchivedChat | None"
    parent_id: str | None
    shared_count: int
    turn_id: str


@dataclass(frozen=True, slots=True)
class ArchivedChat:
    """A chat to be kept, oldest message first. The ids of its messages are unique in it.

    `versions` are all of them, oldest first and this one among them, where there are several.
    """

    conversation: StoredConversation
    messages: tuple[StoredMessage, ...]
    replies: tuple[ArchivedReply, ...]
    versions: tuple[ArchivedVersion, ...] = ()

    @property
    def all_messages(self) -> Iterator[StoredMessage]:
        """The messages of all versions."""
        chats = (self, *(version.chat for version in self.versions))
        return (message for chat in chats if chat is not None for message in chat.messages)


@dataclass(frozen=True, slots=True)
class Added:
    """What became of chats that were to be kept: new here, with more in them, or here already."""

    new: int = 0
    changed: int = 0
    known: int = 0


class ArchiveTable:
    """The imported chats. Made by `Store.archive`; lives as long as the store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, chats: Sequence[ArchivedChat]) -> Added:
        """Keep all of these or none; a chat that is here already stays one, and keeps its title.

        Raises:
            StoreError: they could not be kept.
        """

        def work(connection: sqlite3.Connection) -> Added:
            became = [_add(connection, chat) for chat in chats]
            return Added(became.count("new"), became.count("changed"), became.count("known"))

        return await self._database.write(work)

    async def page(
        self, limit: int, offset: int, *, is_newest_first: bool
    ) -> tuple[tuple[StoredConversation, ...], int]:
        """Return some chats in order of their times, and how many there are in all."""
        sql = _PAGE.format(order="DESC" if is_newest_first else "ASC")

        def work(connection: sqlite3.Connection) -> tuple[tuple[StoredConversation, ...], int]:
            (total,) = connection.execute(_COUNT, (ARCHIVE_PROFILE,)).fetchone()
            rows = connection.execute(sql, (ARCHIVE_PROFILE, limit, offset))
            kept = (StoredConversation(id_, title, n, read_time(at)) for id_, title, n, at in rows)
            return tuple(kept), total

        return await self._database.read(work)


def _add(connection: sqlite3.Connection, chat: ArchivedChat) -> str:
    """Keep a chat with all its versions; return what became of it."""
    became, shown_id = _add_one(connection, chat)
    outcomes = {became}
    ids: dict[str, str] = {}
    lineage = _Lineage(connection)
    for version in chat.versions:
        one, kept_id = (became, shown_id)
        if version.chat is not None:
            one, kept_id = _add_one(connection, version.chat)
        outcomes.add(one)
        own = version.chat or chat
        ids[own.conversation.conversation_id] = kept_id
        if version.parent_id is not None:
            parent_id = ids.get(version.parent_id, version.parent_id)
            if _put_version(connection, version, kept_id, parent_id, lineage):
                outcomes.add("changed")
    if outcomes == {"known"}:
        return "known"
    if chat.versions:
        first = next(reversed(lineage.parents(shown_id)), shown_id)
        connection.execute(_PUT_SHOWN, (ARCHIVE_PROFILE, first, shown_id))
    return "new" if outcomes <= {"new", "changed"} and became == "new" else "changed"


def _add_one(connection: sqlite3.Connection, chat: ArchivedChat) -> tuple[str, str]:
    """Keep one version of a chat; return what became of it, and its id here."""
    where = (ARCHIVE_PROFILE, chat.conversation.conversation_id)
    before: _Texts = connection.execute(_TEXTS, where).fetchall()
    after = [(m.message_id, storable(m.text)) for m in chat.messages]
    if before and set(before).isdisjoint(after):
        # Another chat that goes by the same id: nobody may lose one for the other.
        chat = _renamed(chat, after)
        where = (ARCHIVE_PROFILE, chat.conversation.conversation_id)
        before = connection.execute(_TEXTS, where).fetchall()
    # An older export has nothing that is not here.
    if before and set(after) <= set(before):
        return "known", where[1]
    connection.execute("DELETE FROM messages WHERE profile = ? AND conversation_id = ?", where)
    connection.execute("DELETE FROM turns WHERE profile = ? AND conversation_id = ?", where)
    _put(connection, chat, where)
    return ("changed" if before else "new"), where[1]


class _Lineage:
    """Knows which version each parts from. Made for one chat, as a file may tell thousands."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._known: dict[str, str | None] = {}

    def parents(self, chat_id: str) -> dict[str, None]:
        """Return the versions from which one parts, the nearest first."""
        found: dict[str, None] = {}
        at = self._parent(chat_id)
        while at is not None and at not in found:
            found[at] = None
            at = self._parent(at)
        return found

    def note(self, chat_id: str, parent_id: str) -> None:
        """Remember which parent was written for a version."""
        self._known[chat_id] = parent_id

    def _parent(self, chat_id: str) -> str | None:
        if chat_id not in self._known:
            row = self._connection.execute(_PARENT, (ARCHIVE_PROFILE, chat_id)).fetchone()
            self._known[chat_id] = None if row is None else row[0]
        return self._known[chat_id]


def _put_version(
    connection: sqlite3.Connection,
    version: ArchivedVersion,
    chat_id: str,
    parent_id: str,
    lineage: _Lineage,
) -> bool:
    """Note where a version parts, unless that is known; return whether that is new."""
    if chat_id == parent_id or chat_id in lineage.parents(parent_id):
        # Two files may each name the chat of the other as the parent.
        return False
    values = (ARCHIVE_PROFILE, chat_id, parent_id, parent_id, version.shared_count)
    cursor = connection.execute(_PUT_VERSION, (*values, chat_id, version.turn_id))
    if cursor.rowcount > 0:
        lineage.note(chat_id, parent_id)
    return cursor.rowcount > 0


def _put(connection: sqlite3.Connection, chat: ArchivedChat, where: tuple[str, str]) -> None:
    known = chat.conversation
    values = (storable(known.title), len(chat.messages), time_text(known.updated_at))
    connection.execute(_PUT_CONVERSATION, (*where, *values))
    connection.executemany(
        _PUT_MESSAGE,
        [
            (*where, m.message_id, m.role, storable(m.text), time_text(m.created_at), at)
            for at, m in enumerate(chat.messages)
        ],
    )
    (sequence,) = connection.execute(_SEQUENCE).fetchone()
    for number, reply in enumerate(chat.replies, start=sequence + 1):
        user = reply.user
        said = (storable(user.text), TurnState.DONE.value, reply.created_at.isoformat())
        connection.execute(_PUT_TURN, (reply.turn_id, *where, *said, user.message_id, number))
        connection.executemany(
            _PUT_PIECE, [_piece(reply.turn_id, at, p) for at, p in enumerate(reply.pieces)]
        )


def _renamed(chat: ArchivedChat, texts: _Texts) -> ArchivedChat:
    """Return the chat under an id that its own words make, the same each time."""
    end = hashlib.sha256(repr(texts).encode()).hexdigest()[:_OTHER_CHARS]
    conversation = replace(
        chat.conversation, conversation_id=f"{chat.conversation.conversation_id}-{end}"
    )
    replies = tuple(replace(reply, turn_id=f"{reply.turn_id}-{end}") for reply in chat.replies)
    return replace(chat, conversation=conversation, replies=replies)


def _piece(turn_id: str, position: int, piece: ReplyPiece) -> tuple[str | int | None, ...]:
    agent = (piece.agent_name and storable(piece.agent_name),)
    shown = (piece.agent_display_name and storable(piece.agent_display_name),)
    text = storable(piece.text)
    return (turn_id, position, piece.kind.value, text, piece.message_id, *agent, *shown, "", "", "")
