"""What a turn writes: accepted messages, replies as they grow, and the tool calls in them."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import BindParameter, Connection, Row, bindparam, insert, select, update

from local_server.clock import Clock
from local_server.store.conversations import OWNED, owned_by, read_messages
from local_server.store.database import SqlDatabase
from local_server.store.records import Conversation, Message, Origin, Owner, StoredTool, ToolCall
from local_server.store.tables import conversations, messages, tool_calls

_THIS_ID: Final[BindParameter[str]] = bindparam("this_id")
_NOW: Final[BindParameter[datetime]] = bindparam("now")
_ONE_MORE: Final = conversations.c.message_count + 1
_HERE: Final = update(conversations).where(conversations.c.id == _THIS_ID)
_TOUCH: Final = _HERE.values(updated_at=_NOW)
_COUNT_UP: Final = _HERE.values(message_count=_ONE_MORE)
_TOUCH_OWNED: Final = (
    update(conversations)
    .where(*OWNED)
    .values(updated_at=_NOW, message_count=_ONE_MORE)
    .returning(conversations.c.created_at)
)
_CLOSE: Final = (
    update(tool_calls)
    .where(tool_calls.c.conversation_id == _THIS_ID, tool_calls.c.state.in_(("pending", "queued")))
    .values(state="closed")
)
_ADD: Final = insert(messages)
_WRITE: Final = (
    update(messages).where(messages.c.id == _THIS_ID).values(content=bindparam("written"))
)


class ConversationGoneError(Exception):
    """The conversation was deleted while its reply was written."""


@dataclass(frozen=True)
class Draft:
    """A reply as far as it was written, from its first word."""

    conversation_id: str
    message_id: str
    content: str
    created_at: datetime


class Replies:
    """The writing side of conversations. Lives as long as the store."""

    def __init__(self, database: SqlDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def accept(
        self, owner: Owner, conversation_id: str, message: Message
    ) -> Conversation | None:
        """Store a user's message, and close the tool calls that still wait as not answered.

        Returns:
            The conversation, whose last message it is; None when the owner has none of that id.
        """
        return await self._database.write(
            lambda connection: _accept(connection, owner, conversation_id, message)
        )

    async def save(self, draft: Draft, finished_call_id: str | None = None) -> None:
        """Store a reply as far as it was written.

        Args:
            draft: The whole text so far; it replaces what was stored of this reply.
            finished_call_id: The tool call whose continuation ends here.

        Raises:
            ConversationGoneError: When there is nothing left to write into.
        """
        await self.ask(draft, (), finished_call_id)

    async def save_all(self, drafts: Sequence[Draft]) -> frozenset[str]:
        """Store many replies as far as they were written, in one transaction.

        Returns:
            The ids of the conversations that are gone, so that there was nothing to write into.
        """
        now = self._clock()
        return await self._database.write(lambda connection: _save_all(connection, drafts, now))

    async def ask(
        self, draft: Draft, calls: tuple[ToolCall, ...], finished_call_id: str | None = None
    ) -> None:
        """Store a reply together with the tool calls that suspend it.

        Args:
            draft: As for `save`.
            calls: The calls of one round, in the order in which they are to be answered; the
                first is pending, the others are queued.
            finished_call_id: As for `save`.

        Raises:
            ConversationGoneError: When there is nothing left to write into.
        """
        now = self._clock()
        await self._database.write(
            lambda connection: _save(connection, draft, calls, finished_call_id, now)
        )

    async def calls(self, message_id: str) -> tuple[ToolCall, ...]:
        """List the tool calls in a reply, first to last."""
        return await self._database.read(lambda connection: _calls(connection, message_id))

    async def answer(self, conversation_id: str, call_id: str, result: str) -> ToolCall | None:
        """Store the outcome of a tool call if the call waits for it.

        Of several outcomes at once, also through several services, exactly one is stored.

        Returns:
            The call as it is stored then: with this outcome, with one that came before, closed,
            or still queued. None when the conversation has no such call.
        """
        return await self._database.write(
            lambda connection: _answer(connection, conversation_id, call_id, result)
        )

    async def next_call(self, call: ToolCall) -> ToolCall | None:
        """Let the next call of a round wait for its result, once the one before has its own.

        That is the whole continuation of the call before, which is finished with it. Asked for
        again, the same call is returned as it is then.

        Returns:
            The call that follows in the round; None when it was the last.
        """
        return await self._database.write(lambda connection: _next_call(connection, call))


def _accept(
    connection: Connection, owner: Owner, conversation_id: str, message: Message
) -> Conversation | None:
    now = message.created_at
    named = owned_by(owner, conversation_id) | {"now": now}
    created_at = connection.execute(_TOUCH_OWNED, named).scalar_one_or_none()
    if created_at is None:
        return None
    connection.execute(_CLOSE, {"this_id": conversation_id})
    connection.execute(_ADD, {"conversation_id": conversation_id, **asdict(message)})
    found = read_messages(connection, conversation_id)
    return Conversation(conversation_id, created_at, now, found)


def _save(
    connection: Connection,
    draft: Draft,
    calls: tuple[ToolCall, ...],
    finished_call_id: str | None,
    now: datetime,
) -> None:
    touched = connection.execute(_TOUCH, {"this_id": draft.conversation_id, "now": now})
    if not touched.rowcount:
        raise ConversationGoneError
    _write_reply(connection, draft)
    if finished_call_id is not None:
        _finish(connection, finished_call_id)
    if calls:
        connection.execute(insert(tool_calls), [_call_row(call) for call in calls])


def _save_all(connection: Connection, drafts: Sequence[Draft], now: datetime) -> frozenset[str]:
    wanted = {draft.conversation_id for draft in drafts}
    here = update(conversations).where(conversations.c.id.in_(wanted))
    touch = here.values(updated_at=now).returning(conversations.c.id)
    found = frozenset(connection.execute(touch).scalars())
    _write_replies(connection, [d for d in drafts if d.conversation_id in found])
    return frozenset(wanted - found)


def _calls(connection: Connection, message_id: str) -> tuple[ToolCall, ...]:
    query = select(tool_calls).where(tool_calls.c.message_id == message_id)
    rows = connection.execute(query.order_by(tool_calls.c.seq))
    return tuple(_call(row) for row in rows)


def _answer(
    connection: Connection, conversation_id: str, call_id: str, result: str
) -> ToolCall | None:
    this = (tool_calls.c.conversation_id == conversation_id, tool_calls.c.id == call_id)
    query = update(tool_calls).where(*this, tool_calls.c.state == "pending")
    connection.execute(query.values(state="answered", result=result))
    row = connection.execute(select(tool_calls).where(*this)).one_or_none()
    return None if row is None else _call(row)


def _next_call(connection: Connection, call: ToolCall) -> ToolCall | None:
    seq = select(tool_calls.c.seq).where(tool_calls.c.id == call.id).scalar_subquery()
    following = select(tool_calls).where(
        tool_calls.c.message_id == call.message_id,
        tool_calls.c.round == call.round,
        tool_calls.c.seq > seq,
    )
    first = following.order_by(tool_calls.c.seq).limit(1)
    row = connection.execute(first.with_for_update()).one_or_none()
    if row is None:
        return None
    _finish(connection, call.id)
    queued = (tool_calls.c.id == row.id, tool_calls.c.state == "queued")
    query = update(tool_calls).where(*queued).values(state="pending")
    is_due = connection.execute(query).rowcount > 0
    return replace(_call(row), state="pending") if is_due else _call(row)


def _finish(connection: Connection, call_id: str) -> None:
    query = update(tool_calls).where(tool_calls.c.id == call_id)
    connection.execute(query.values(is_finished=True))


def _write_reply(connection: Connection, draft: Draft) -> None:
    reply = {"this_id": draft.message_id, "written": draft.content}
    if not connection.execute(_WRITE, reply).rowcount:
        connection.execute(_COUNT_UP, {"this_id": draft.conversation_id})
        row = {
            "id": draft.message_id,
            "conversation_id": draft.conversation_id,
            "role": "assistant",
            "content": draft.content,
            "created_at": draft.created_at,
        }
        connection.execute(_ADD, row)


def _write_replies(connection: Connection, drafts: Sequence[Draft]) -> None:
    """Write many at once: each costs little where the reply has been written before."""
    ids = [draft.message_id for draft in drafts]
    query = select(messages.c.id).where(messages.c.id.in_(ids))
    known = frozenset((connection.execute(query)).scalars())
    for draft in drafts:
        if draft.message_id not in known:
            _write_reply(connection, draft)
    grown = [
        {"this_id": draft.message_id, "written": draft.content}
        for draft in drafts
        if draft.message_id in known
    ]
    if grown:
        connection.execute(_WRITE, grown)


def _call_row(call: ToolCall) -> dict[str, Any]:
    tools = [asdict(tool) for tool in call.tools]
    written = {"input": call.input, "tools": tools, "used_skills": call.used_skills}
    row = asdict(call) | {name: json.dumps(value) for name, value in written.items()}
    return row | {"origin": json.dumps(asdict(call.origin)) if call.origin else None}


def _call(row: Row[Any]) -> ToolCall:
    values = row._asdict()
    del values["seq"]
    values["input"] = json.loads(row.input)
    values["used_skills"] = tuple(json.loads(row.used_skills))
    values["tools"] = tuple(StoredTool(**tool) for tool in json.loads(row.tools))
    values["origin"] = Origin(**json.loads(row.origin)) if row.origin else None
    return ToolCall(**values)
