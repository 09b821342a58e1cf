"""Fork conversations: copy one up to a message, or begin one with given messages.

A copy takes every column of the tables except the ids and the like, so a new column needs no change
here. A new table whose rows belong to messages has to be copied here too.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    insert,
    literal,
    literal_column,
    select,
    text,
    update,
)

from local_server.errors import MessageNotFoundError
from local_server.settings import Clock
from local_server.store.conversations import COUNT_CONVERSATION, read_conversation
from local_server.store.database import SqlDatabase
from local_server.store.images import copy_images
from local_server.store.records import Conversation, Owner, Role
from local_server.store.tables import conversations, messages, tool_calls

# Rows with results of tools are large.
_COPIED_AT_ONCE: Final = 100
# The database makes the new ids, so that one statement copies all messages: other writers wait.
_NEW_MESSAGE_ID: Final = {
    "sqlite": "'msg_' || lower(hex(randomblob(16)))",
    "postgresql": "'msg_' || replace(CAST(gen_random_uuid() AS TEXT), '-', '')",
}
_OWN_COLUMNS: Final = frozenset(
    {"id", "project", "mode", "created_at", "updated_at", "message_count", "fork_id"}
)
_MADE: Final = select(conversations.c.id).where(
    conversations.c.project == bindparam("project"),
    conversations.c.mode == bindparam("mode"),
    conversations.c.fork_id == bindparam("fork_id"),
)
# Of two that are asked for at once, through two services too, one is made and the other finds it.
_MAKE: Final = text(
    "INSERT INTO conversations "
    "(id, project, mode, created_at, updated_at, message_count, fork_id) "
    "VALUES (:id, :project, :mode, :created_at, :updated_at, 0, :fork_id) "
    "ON CONFLICT (project, mode, fork_id) DO NOTHING"
).bindparams(
    *(
        bindparam(name, type_=conversations.c[name].type)
        for name in ("id", "project", "mode", "created_at", "updated_at", "fork_id")
    )
)


@dataclass(frozen=True)
class GivenText:
    """A message from the client that a new conversation begins with."""

    role: Role
    content: str
    created_at: datetime


class Forks:
    """Creates forks, at most one for each `fork_id` of an owner. Lives as long as the store."""

    def __init__(self, database: SqlDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def find(self, owner: Owner, fork_id: str) -> Conversation | None:
        """Read the conversation that was created with this id; None if there is none."""
        return await self._database.read(lambda connection: _find(connection, owner, fork_id))

    async def copy(
        self, owner: Owner, fork_id: str, source_id: str, through: str | None
    ) -> Conversation | None:
        """Copy a conversation up to and including a message.

        Tool calls without a result are copied as not answered, so no suspended reply of the copy
        can be continued. Everything else is the same, with new ids.

        Args:
            owner: Whose conversation it is.
            fork_id: The client's id for the copy; a repeated request returns the same copy.
            source_id: What to copy.
            through: The last message to copy; None for none.

        Returns:
            The copy; None when the owner has no such conversation.

        Raises:
            MessageNotFoundError: When `through` is not a message of it.
        """
        now = self._clock()
        is_there = await self._database.write(
            lambda connection: _copy(connection, owner, fork_id, source_id, through, now=now)
        )
        return await self.find(owner, fork_id) if is_there else None

    async def begin(
        self, owner: Owner, fork_id: str, given: Sequence[GivenText]
    ) -> Conversation | None:
        """Create a conversation that begins with given messages; `fork_id` as for `copy`."""
        now = self._clock()
        rows = [asdict(one) | {"id": _new_id("msg"), "notices": "[]"} for one in given]
        await self._database.write(lambda connection: _begin(connection, owner, fork_id, rows, now))
        return await self.find(owner, fork_id)


def _find(connection: Connection, owner: Owner, fork_id: str) -> Conversation | None:
    named = asdict(owner) | {"fork_id": fork_id}
    made_id = connection.execute(_MADE, named).scalar_one_or_none()
    return read_conversation(connection, owner, made_id) if made_id is not None else None


def _copy(
    connection: Connection,
    owner: Owner,
    fork_id: str,
    source_id: str,
    through: str | None,
    *,
    now: datetime,
) -> bool:
    """Copy it unless that was done before; returns whether the owner has it."""
    owned = (conversations.c.project == owner.project, conversations.c.mode == owner.mode)
    # Locked, so that it is not deleted halfway.
    this = select(conversations).where(conversations.c.id == source_id, *owned)
    source = connection.execute(this.with_for_update(read=True)).one_or_none()
    if source is None:
        return False
    last_seq = 0 if through is None else _seq(connection, source_id, through)
    made_id = _make(connection, owner, fork_id, now)
    if made_id is not None:
        taken_over = {
            name: value for name, value in source._asdict().items() if name not in _OWN_COLUMNS
        }
        count = _copy_messages(connection, source_id, made_id, last_seq)
        here = update(conversations).where(conversations.c.id == made_id)
        connection.execute(here.values(taken_over | {"message_count": count}))
    return True


def _begin(
    connection: Connection,
    owner: Owner,
    fork_id: str,
    rows: Sequence[dict[str, Any]],
    now: datetime,
) -> None:
    made_id = _make(connection, owner, fork_id, now)
    if made_id is not None and rows:
        connection.execute(insert(messages), [row | {"conversation_id": made_id} for row in rows])
        here = update(conversations).where(conversations.c.id == made_id)
        connection.execute(here.values(message_count=len(rows)))


def _seq(connection: Connection, conversation_id: str, message_id: str) -> int:
    query = select(messages.c.seq).where(
        messages.c.conversation_id == conversation_id, messages.c.id == message_id
    )
    seq: int | None = connection.execute(query).scalar_one_or_none()
    if seq is None:
        raise MessageNotFoundError
    return seq


def _make(connection: Connection, owner: Owner, fork_id: str, now: datetime) -> str | None:
    """Add the conversation; None when it was made before."""
    made_id = _new_id("conv")
    row = asdict(owner) | {"id": made_id, "created_at": now, "updated_at": now, "fork_id": fork_id}
    if not connection.execute(_MAKE, row).rowcount:
        return None
    connection.execute(COUNT_CONVERSATION, asdict(owner))
    return made_id


def _copy_messages(connection: Connection, source_id: str, made_id: str, last_seq: int) -> int:
    """Copy the messages up to a number, and what belongs to them; returns how many there are."""
    this = messages.c
    same = [column for column in this if column.name not in ("seq", "id", "conversation_id")]
    new_id: ColumnElement[str] = literal_column(_NEW_MESSAGE_ID[connection.dialect.name])
    copied = (this.conversation_id == source_id, this.seq <= last_seq)
    rows = select(new_id, literal(made_id), *same).where(*copied).order_by(this.seq)
    names = ["id", "conversation_id", *(column.name for column in same)]
    connection.execute(insert(messages).from_select(names, rows))
    ids = select(this.id).order_by(this.seq)
    old_ids = connection.execute(ids.where(*copied)).scalars()
    made_ids = connection.execute(ids.where(this.conversation_id == made_id)).scalars()
    new_ids = dict(zip(old_ids, made_ids, strict=True))
    new_call_ids: dict[str, str] = {}
    # Replies stand behind what they answer: calls have numbers of their own.
    for calls in _parts(connection, source_id):
        new_call_ids.update((row["id"], _new_id("call")) for row in calls)
        copies = [
            dict(row)
            | {"id": new_call_ids[row["id"]], "conversation_id": made_id}
            | {"message_id": new_ids[row["message_id"]], "is_finished": True}
            | ({} if row["state"] == "answered" else {"state": "closed"})
            for row in calls
            if row["message_id"] in new_ids
        ]
        if copies:
            connection.execute(insert(tool_calls), copies)
    copy_images(connection, source_id, made_id, new_ids, new_call_ids)
    return len(new_ids)


def _parts(connection: Connection, conversation_id: str) -> Iterator[list[Mapping[str, Any]]]:
    """Read a conversation's calls in parts, in order, without their numbers."""
    after = 0
    this = tool_calls.c
    while True:
        query = select(tool_calls).where(this.conversation_id == conversation_id, this.seq > after)
        rows = connection.execute(query.order_by(this.seq).limit(_COPIED_AT_ONCE)).all()
        if not rows:
            return
        after = rows[-1].seq
        yield [
            {name: value for name, value in row._asdict().items() if name != "seq"} for row in rows
        ]


def _new_id(kind: str) -> str:
    return f"{kind}_{secrets.token_hex(16)}"
