"""Read and write conversations and their messages.

`ConversationStore` makes, lists, reads and deletes conversations. `Replies` stores accepted
messages, replies as they grow, and the tool calls in them.
"""

import json
import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Final

from pydantic import NonNegativeInt, TypeAdapter, ValidationError
from sqlalchemy import (
    BindParameter,
    Connection,
    Row,
    bindparam,
    delete,
    insert,
    select,
    text,
    update,
)

from local_server.settings import Clock
from local_server.store.choices import CHANGED, COLUMNS, changed_values, read_choices
from local_server.store.database import SqlDatabase, StoreUnavailableError
from local_server.store.images import (
    IMAGE_QUOTA_BYTES,
    drop_unused_images,
    keep_images,
    read_images,
)
from local_server.store.listing import Order, owned, read_page
from local_server.store.past_calls import read_past_calls
from local_server.store.records import (
    NO_CHANGES,
    ChoiceChanges,
    Conversation,
    Message,
    MessageImage,
    NewImage,
    Notice,
    Omission,
    Origin,
    Owner,
    Page,
    PastCall,
    StoredTool,
    ToolCall,
)
from local_server.store.tables import conversations, messages, owners, tool_calls

log = logging.getLogger(__name__)

# Statements that are often used are built once: building them costs more than running them.
_OWNED: Final = (
    conversations.c.id == bindparam("this_id"),
    conversations.c.project == bindparam("this_project"),
    conversations.c.mode == bindparam("this_mode"),
)
_FIND: Final = select(conversations).where(*_OWNED)
_DELETE: Final = delete(conversations).where(*_OWNED)
# A long conversation is read in parts, so that no part holds up the answers to others.
_READ_AT_ONCE: Final = 250
_READ: Final = (
    select(
        messages.c.id,
        messages.c.role,
        messages.c.content,
        messages.c.created_at,
        messages.c.notices,
        messages.c.seq,
    )
    .where(messages.c.conversation_id == bindparam("this_id"), messages.c.seq > bindparam("after"))
    .order_by(messages.c.seq)
    .limit(_READ_AT_ONCE)
)
COUNT_CONVERSATION: Final = text(
    "INSERT INTO owners (project, mode, conversation_count) VALUES (:project, :mode, 1) "
    "ON CONFLICT (project, mode) "
    "DO UPDATE SET conversation_count = owners.conversation_count + 1"
)

_THIS_ID: Final[BindParameter[str]] = bindparam("this_id")
_NOW: Final[BindParameter[datetime]] = bindparam("now")
_ONE_MORE: Final = conversations.c.message_count + 1
_HERE: Final = update(conversations).where(conversations.c.id == _THIS_ID)
_TOUCH: Final = _HERE.values(updated_at=_NOW)
_COUNT_MESSAGE: Final = _HERE.values(message_count=_ONE_MORE)


_TOUCH_OWNED: Final = (
    update(conversations)
    .where(*_OWNED)
    .values(
        updated_at=_NOW,
        message_count=_ONE_MORE,
        **CHANGED,
    )
    .returning(conversations.c.created_at, conversations.c.has_title, *COLUMNS)
)
_MARK_TITLED: Final = _HERE.where(conversations.c.has_title.is_(False)).values(has_title=True)
_CLOSE: Final = (
    update(tool_calls)
    .where(tool_calls.c.conversation_id == _THIS_ID, tool_calls.c.state.in_(("pending", "queued")))
    .values(state="closed")
)
_ADD: Final = insert(messages)
_WRITE: Final = (
    update(messages)
    .where(messages.c.id == _THIS_ID)
    .values(content=bindparam("written"), notices=bindparam("written_notices"))
)
_NO_NOTICES: Final = "[]"
_STORED_NOTICES: Final = TypeAdapter(
    tuple[tuple[NonNegativeInt, NonNegativeInt, tuple[Omission, ...]], ...]
)


class ConversationStore:
    """An owner's conversations. Lives as long as the store."""

    def __init__(self, database: SqlDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def create(self, owner: Owner) -> Conversation:
        """Make an empty conversation, with an id that nobody can guess."""
        now = self._clock()
        made = Conversation(f"conv_{secrets.token_hex(16)}", now, now, ())
        await self._database.write(lambda connection: _create(connection, owner, made))
        return made

    async def get(self, owner: Owner, conversation_id: str) -> Conversation | None:
        """Read one with its messages in order; None when the owner has none of that id."""
        return await self._database.read(
            lambda connection: read_conversation(connection, owner, conversation_id)
        )

    async def page(self, owner: Owner, limit: int, offset: int, order: Order) -> Page:
        """Read some rows, sorted by their last update and then their id (our choice)."""
        return await self._database.read(
            lambda connection: read_page(connection, owner, limit, offset, order)
        )

    async def delete(self, owner: Owner, conversation_id: str) -> bool:
        """Delete one for ever, its words on the disk too; False when there is none."""
        is_deleted = await self._database.write(
            lambda connection: _delete(connection, owner, conversation_id)
        )
        if is_deleted:
            await self._erase(conversation_id)
        return is_deleted

    async def _erase(self, conversation_id: str) -> None:
        try:
            await self._database.erase(conversation_id)
        except StoreUnavailableError as exc:
            # Deleted it is all the same. The log goes with the next deletion, or at the next start.
            log.warning("the words of a deleted conversation are still on the disk: %s", exc)


def _owned_by(owner: Owner, conversation_id: str) -> dict[str, str]:
    """Return the parameters of `_OWNED`."""
    return {"this_id": conversation_id, "this_project": owner.project, "this_mode": owner.mode}


def read_conversation(
    connection: Connection, owner: Owner, conversation_id: str
) -> Conversation | None:
    """Read a conversation with its messages in order; None when the owner has none of that id."""
    row = connection.execute(_FIND, _owned_by(owner, conversation_id)).one_or_none()
    if row is None:
        return None
    found = _read_messages(connection, conversation_id)
    return Conversation(
        row.id,
        row.created_at,
        row.updated_at,
        found,
        choices=read_choices(row),
        has_title=row.has_title,
    )


def _read_messages(connection: Connection, conversation_id: str) -> tuple[Message, ...]:
    """Read a conversation's messages in order."""
    found: list[Message] = []
    last_seq = 0
    while True:
        rows = connection.execute(_READ, {"this_id": conversation_id, "after": last_seq}).all()
        found += [Message(*row[:-2], _notices(row.notices)) for row in rows]
        if len(rows) < _READ_AT_ONCE:
            return tuple(found)
        last_seq = rows[-1].seq


def _create(connection: Connection, owner: Owner, made: Conversation) -> None:
    times = {"created_at": made.created_at, "updated_at": made.updated_at}
    row = {"id": made.id, **times, "message_count": 0}
    connection.execute(insert(conversations).values(asdict(owner) | row))
    connection.execute(COUNT_CONVERSATION, asdict(owner))


def _delete(connection: Connection, owner: Owner, conversation_id: str) -> bool:
    if not connection.execute(_DELETE, _owned_by(owner, conversation_id)).rowcount:
        return False
    one_less = update(owners).where(*owned(owners.c, owner))
    count = owners.c.conversation_count - 1
    connection.execute(one_less.values(conversation_count=count))
    drop_unused_images(connection, owner)
    return True


class ConversationGoneError(Exception):
    """The conversation was deleted while its reply was written."""


@dataclass(frozen=True)
class Draft:
    """A reply as far as it was written, from its first word."""

    conversation_id: str
    message_id: str
    content: str
    created_at: datetime
    notices: tuple[Notice, ...] = ()


class Replies:
    """The writing side of conversations. Lives as long as the store."""

    def __init__(
        self, database: SqlDatabase, clock: Clock, image_quota_bytes: int = IMAGE_QUOTA_BYTES
    ) -> None:
        self._database = database
        self._clock = clock
        self._image_quota_bytes = image_quota_bytes

    async def accept(
        self,
        owner: Owner,
        conversation_id: str,
        message: Message,
        changes: ChoiceChanges = NO_CHANGES,
        images: Sequence[NewImage] = (),
    ) -> Conversation | None:
        """Store a user's message, and close the tool calls that still wait as not answered.

        Args:
            owner: Whose conversation it is.
            conversation_id: Where the message belongs.
            message: What the user said.
            changes: What the message chooses for the conversation.
            images: What goes with the message.

        Returns:
            The conversation with its calls and images, whose last message it is; None when the
            owner has none of that id.

        Raises:
            ImagesFullError: When the project has no room for the images.
        """
        quota = self._image_quota_bytes

        def work(connection: Connection) -> Conversation | None:
            keep = partial(keep_images, connection, conversation_id, message.id, "", images)
            kept = partial(keep, quota_bytes=quota)
            return _accept(connection, owner, conversation_id, message, changes, keep=kept)

        return await self._database.write(work)

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

    async def mark_titled(self, conversation_id: str) -> bool:
        """Note that a conversation has a title; False when it had one, or is gone."""
        return await self._database.write(
            lambda connection: (
                connection.execute(_MARK_TITLED, {"this_id": conversation_id}).rowcount > 0
            )
        )

    async def calls(self, message_id: str) -> tuple[ToolCall, ...]:
        """List the tool calls in a reply, first to last."""
        return await self._database.read(lambda connection: _calls(connection, message_id))

    async def past_calls(
        self, conversation_id: str, before: Sequence[Message]
    ) -> tuple[PastCall, ...]:
        """Read the latest tool calls of a conversation, first to last.

        Args:
            conversation_id: Of the turn.
            before: Its messages so far; results of the newest replies among them are whole.
        """
        return await self._database.read(
            lambda connection: read_past_calls(connection, conversation_id, before)
        )

    async def images(self, conversation_id: str) -> tuple[MessageImage, ...]:
        """Read the newest images of a conversation, which a model is shown, first to last."""
        return await self._database.read(
            lambda connection: read_images(connection, conversation_id)
        )

    async def answer(
        self, conversation_id: str, call_id: str, result: str, images: Sequence[NewImage] = ()
    ) -> ToolCall | None:
        """Store the outcome of a tool call if the call waits for it.

        Of several outcomes at once, also through several services, exactly one is stored.

        Returns:
            The call as it is stored then: with this outcome, with one that came before, closed,
            or still queued. None when the conversation has no such call.

        Raises:
            ImagesFullError: When the project has no room for the images; nothing is stored then.
        """
        quota = self._image_quota_bytes

        def work(connection: Connection) -> ToolCall | None:
            call, is_new = _answer(connection, conversation_id, call_id, result)
            if call is not None and is_new:
                place = (conversation_id, call.message_id, call.id)
                keep_images(connection, *place, images, quota_bytes=quota)
            return call

        return await self._database.write(work)

    async def next_call(self, call: ToolCall) -> ToolCall | None:
        """Make the next call of a round pending, once the one before has its result.

        That is the whole continuation of the call before, which is finished with it. Asked for
        again, the same call is returned as it is then.

        Returns:
            The call that follows in the round; None when it was the last.
        """
        return await self._database.write(lambda connection: _next_call(connection, call))


def _accept(
    connection: Connection,
    owner: Owner,
    conversation_id: str,
    message: Message,
    changes: ChoiceChanges,
    *,
    keep: Callable[[], None],
) -> Conversation | None:
    now = message.created_at
    named = _owned_by(owner, conversation_id) | {"now": now} | changed_values(changes)
    touched = connection.execute(_TOUCH_OWNED, named).one_or_none()
    if touched is None:
        return None
    connection.execute(_CLOSE, {"this_id": conversation_id})
    row = vars(message) | {"notices": _notices_text(message.notices)}
    connection.execute(_ADD, {"conversation_id": conversation_id, **row})
    keep()
    found = _read_messages(connection, conversation_id)
    return Conversation(
        conversation_id,
        touched.created_at,
        now,
        found,
        calls=read_past_calls(connection, conversation_id, found),
        choices=read_choices(touched),
        has_title=touched.has_title,
        images=read_images(connection, conversation_id),
    )


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
) -> tuple[ToolCall | None, bool]:
    """Return the call as it is then, and whether this is the outcome that was stored."""
    this = (tool_calls.c.conversation_id == conversation_id, tool_calls.c.id == call_id)
    query = update(tool_calls).where(*this, tool_calls.c.state == "pending")
    is_new = connection.execute(query.values(state="answered", result=result)).rowcount > 0
    row = connection.execute(select(tool_calls).where(*this)).one_or_none()
    return (None if row is None else _call(row)), is_new


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
    if not connection.execute(_WRITE, _written(draft)).rowcount:
        connection.execute(_COUNT_MESSAGE, {"this_id": draft.conversation_id})
        row = {
            "id": draft.message_id,
            "conversation_id": draft.conversation_id,
            "role": "assistant",
            "content": draft.content,
            "created_at": draft.created_at,
            "notices": _notices_text(draft.notices),
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
    grown = [_written(draft) for draft in drafts if draft.message_id in known]
    if grown:
        connection.execute(_WRITE, grown)


def _written(draft: Draft) -> dict[str, str]:
    """Return the parameters of `_WRITE`."""
    return {
        "this_id": draft.message_id,
        "written": draft.content,
        "written_notices": _notices_text(draft.notices),
    }


def _notices_text(notices: Sequence[Notice]) -> str:
    return json.dumps([astuple(notice) for notice in notices]) if notices else _NO_NOTICES


def _notices(text: str) -> tuple[Notice, ...]:
    """Read stored notices; none where they are damaged, which must not cost the message."""
    if text == _NO_NOTICES:
        return ()
    try:
        stored = _STORED_NOTICES.validate_json(text)
    except ValidationError:
        return ()
    return tuple(Notice(offset, length, omissions) for offset, length, omissions in stored)


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
