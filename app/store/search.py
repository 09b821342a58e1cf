"""Full-text search over titles and kept messages.

`ChatSearch` searches. `index_batch` keeps the index of words in step with the kept messages, and
`erase_deleted` takes deleted words out of it.

Triggers note which messages changed; the index is brought up to date when somebody searches. The
triggers cannot do that themselves: `trusted_schema` is off, so that a database file from elsewhere
cannot run code, and with that triggers may not write to the index.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from app.store.database import Database, read_time
from app.store.search_terms import Marks, SearchTerms, Snippet, parse_terms

# A slice takes milliseconds; writes of others are done between two slices.
_SLICE_ROWS: Final = 200

_CHANGED: Final = (
    "SELECT row, was, text FROM unindexed LEFT JOIN messages USING (row) ORDER BY row LIMIT ?"
)
_GONE: Final = (
    "SELECT row, was, NULL FROM unindexed WHERE NOT EXISTS"
    " (SELECT 1 FROM messages WHERE messages.row = unindexed.row)"
)
# FTS5 keeps no texts here, so it has to be given the one whose words it takes out.
_TAKE_OUT: Final = "INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)"
_PUT_IN: Final = "INSERT INTO words (rowid, text) VALUES (?, ?)"


def is_stale(connection: sqlite3.Connection) -> bool:
    """Return whether there is a message that is not indexed as it is."""
    return connection.execute("SELECT 1 FROM unindexed LIMIT 1").fetchone() is not None


def index_batch(connection: sqlite3.Connection) -> None:
    """Bring the index up to date for a slice of what has changed; in a transaction."""
    _apply(connection, connection.execute(_CHANGED, (_SLICE_ROWS,)).fetchall())


def erase_deleted(connection: sqlite3.Connection) -> None:
    """Remove every word of deleted messages from the index; in the transaction that deleted them.

    The index only notes that a message went, also one that went earlier, and drops its words some
    day. Rewriting it whole drops them now; it takes a fifth of a second for 10,000 messages.
    """
    _apply(connection, connection.execute(_GONE).fetchall())
    connection.execute("INSERT INTO words (words) VALUES ('optimize')")


def _apply(connection: sqlite3.Connection, rows: list[tuple[int, str | None, str | None]]) -> None:
    connection.executemany(_TAKE_OUT, [(row, was) for row, was, _ in rows if was is not None])
    connection.executemany(_PUT_IN, [(row, text) for row, _, text in rows if text is not None])
    connection.executemany("DELETE FROM unindexed WHERE row = ?", [(row,) for row, _, _ in rows])


ARCHIVE_PROFILE: Final = "archive"
"""The profile whose rows are imported chats."""

FIRST_HITS: Final = 50

_TITLES: Final = (
    "SELECT profile, conversation_id, title, message_count, updated_at FROM conversations"
    " WHERE profile IN ({profiles}) AND title <> ''"
    # Of the versions of a chat, which have one title, only the one that is shown.
    " AND (NOT EXISTS (SELECT 1 FROM versions AS v WHERE v.profile = conversations.profile"
    " AND (v.conversation_id = conversations.conversation_id"
    " OR v.parent_id = conversations.conversation_id))"
    " OR EXISTS (SELECT 1 FROM shown_versions AS s WHERE s.profile = conversations.profile"
    " AND s.conversation_id = conversations.conversation_id))"
    " ORDER BY updated_at DESC"
)
_MESSAGES: Final = (
    "SELECT row FROM messages WHERE profile IN ({profiles}){conditions}"
    # The messages that a version shares are found in the conversation they come from.
    " AND NOT EXISTS (SELECT 1 FROM versions AS v WHERE v.profile = messages.profile"
    " AND v.conversation_id = messages.conversation_id AND messages.position < v.shared_count)"
    " ORDER BY created_at DESC, row DESC LIMIT ?"
)
_MATCHES: Final = " AND row IN (SELECT rowid FROM words WHERE words MATCH ?)"
_LIKE: Final = " AND text LIKE ? ESCAPE '\\'"
_MESSAGE: Final = (
    "SELECT profile, conversation_id, message_id, '', role, text, created_at FROM messages"
    " WHERE row = ?"
)
# What is in no kept message yet: typed and accepted, or said in a reply since the chat was opened.
_TURNS: Final = (
    "SELECT profile, conversation_id, coalesce(user_message_id, ''), turn_id, 'user', text,"
    " created_at FROM turns WHERE profile IN ({profiles})"
    " AND NOT EXISTS (SELECT 1 FROM messages AS m"
    " WHERE m.profile = turns.profile AND m.conversation_id = turns.conversation_id"
    " AND m.message_id = turns.user_message_id)"
    " UNION ALL SELECT profile, conversation_id, p.message_id, turn_id, 'assistant', p.text,"
    " created_at FROM pieces AS p JOIN turns USING (turn_id) WHERE profile IN ({profiles})"
    " AND p.kind = 'text' AND NOT EXISTS (SELECT 1 FROM messages AS m"
    " WHERE m.profile = turns.profile AND m.conversation_id = turns.conversation_id"
    " AND m.message_id = p.message_id)"
)
_TITLE: Final = "SELECT title FROM conversations WHERE profile = ? AND conversation_id = ?"

_Row = tuple[str, str, str, str, str, str, str | None]


@dataclass(frozen=True, slots=True)
class TitleHit:
    """A chat whose title has the words; `marks` are their places in `title`."""

    profile: str
    conversation_id: str
    title: str
    marks: Marks
    message_count: int
    updated_at: datetime | None

    @property
    def is_archived(self) -> bool:
        """Whether it is an imported chat."""
        return self.profile == ARCHIVE_PROFILE


@dataclass(frozen=True, slots=True)
class TextHit:
    """A message that has the words.

    `message_id` is empty while the service has given none; `turn_id` is what it was sent or
    answered in then, and may be empty otherwise. `title` is the chat's, or empty.
    """

    profile: str
    conversation_id: str
    message_id: str
    role: str
    excerpt: Snippet
    title: str
    said_at: datetime | None
    turn_id: str = ""

    @property
    def is_archived(self) -> bool:
        """Whether it is in an imported chat."""
        return self.profile == ARCHIVE_PROFILE


@dataclass(frozen=True, slots=True)
class SearchResults:
    """What a search found, newest first; titles stand before texts."""

    titles: tuple[TitleHit, ...] = ()
    texts: tuple[TextHit, ...] = ()
    has_more: bool = False


class ChatSearch:
    """Searches what is kept of the profiles that it is given. Made by the store; ends with it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(
        self, query: str, profiles: Sequence[str], limit: int = FIRST_HITS
    ) -> SearchResults:
        """Find the chats and messages in which every word of `query` stands.

        At most `limit` of each; `has_more` says whether there are others.

        Raises:
            StoreError: what is kept cannot be read, or the index not be written.
        """
        words = parse_terms(query)
        if not words or not profiles:
            return SearchResults()
        # In batches, so that a write of a reply under way gets its turn in between.
        while await self._database.read(is_stale):
            await self._database.write(index_batch)
        return await self._database.read(lambda c: _Reading(c, words, tuple(profiles)).find(limit))


class _Reading:
    """One search on the store's thread."""

    def __init__(
        self, connection: sqlite3.Connection, words: SearchTerms, profiles: tuple[str, ...]
    ) -> None:
        self._connection = connection
        self._words = words
        self._profiles = profiles
        self._places = ", ".join("?" * len(profiles))

    def find(self, limit: int) -> SearchResults:
        titles = self._titles()
        # One more than asked for says whether there are others.
        rows = sorted([*self._messages(limit + 1), *self._turns()], key=_said_at, reverse=True)
        return SearchResults(
            tuple(titles[:limit]),
            tuple(self._hit(row) for row in rows[:limit]),
            has_more=max(len(titles), len(rows)) > limit,
        )

    def _titles(self) -> list[TitleHit]:
        rows = self._connection.execute(self._for_profiles(_TITLES), self._profiles)
        return [
            TitleHit(
                profile, conversation, title, self._words.marks_in(title), count, read_time(at)
            )
            for profile, conversation, title, count, at in rows
            if self._words.are_in(title)
        ]

    def _messages(self, limit: int) -> list[_Row]:
        match, likes = self._words.match, self._words.likes
        sql = self._for_profiles(_MESSAGES, (_MATCHES if match else "") + _LIKE * len(likes))
        parameters = (*self._profiles, *([match] if match else []), *likes, limit)
        # The texts are read for the few that are shown, not for all that are put in order.
        found = self._connection.execute(sql, parameters).fetchall()
        return [self._connection.execute(_MESSAGE, row).fetchone() for row in found]

    def _turns(self) -> list[_Row]:
        parameters = (*self._profiles, *self._profiles)
        rows = self._connection.execute(self._for_profiles(_TURNS), parameters)
        # No index: there are few of these, and they change while a reply streams.
        return [row for row in rows if self._words.are_in(row[5])]

    def _hit(self, row: _Row) -> TextHit:
        profile, conversation, message_id, turn_id, role, text, said_at = row
        title = self._connection.execute(_TITLE, (profile, conversation)).fetchone()
        return TextHit(
            profile,
            conversation,
            message_id,
            role,
            self._words.excerpt(text),
            title[0] if title else "",
            read_time(said_at),
            turn_id,
        )

    def _for_profiles(self, sql: str, conditions: str = "") -> str:
        return sql.format(profiles=self._places, conditions=conditions)


def _said_at(row: _Row) -> str:
    return row[6] or ""
