"""Store messages, growing replies and their tool calls.

A conversation's choices (model, settings, instructions) are columns of its row.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Final

from pydantic import NonNegativeInt, TypeAdapter, ValidationError
from sqlalchemy import (
    BindParameter,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Row,
    bindparam,
    case,
    func,
    insert,
    select,
    update,
)

from local_server.settings import Clock
from local_server.store.database import SqlDatabase
from local_server.store.images import (
    IMAGE_QUOTA_BYTES,
    keep_images,
    read_images,
)
from local_server.store.records import (
    DEFAULT_SETTINGS,
    NO_CHANGES,
    ChatChoices,
    ChoiceChanges,
    Conversation,
    Message,
    MessageImage,
    NewImage,
    Notice,
    Omission,
    Origin,
    Owner,
    PastCall,
    ReplySettings,
    StoredTool,
    ToolCall,
    Unchanged,
)
from local_server.store.tables import conversations, messages, tool_calls

# Of past tool results, those of the newest replies are read whole, of others only the beginning.
_PAST_CALLS: Final = 200
_WHOLE_REPLIES: Final = 4
_BEGINNING_CHARS: Final = 400
_PAST: Final = (
    select(
        tool_calls.c.id,
        tool_calls.c.message_id,
        tool_calls.c.name,
        tool_calls.c.input,
        tool_calls.c.offset,
        tool_calls.c.round,
        case(
            (
                tool_calls.c.message_id.in_(bindparam("newest", expanding=True)),
                tool_calls.c.result,
            ),
            else_=func.substr(
                tool_calls.c.result, 1, _BEGINNING_CHARS + 1, type_=tool_calls.c.result.type
            ),
        ).label("result"),
    )
    .where(tool_calls.c.conversation_id == bindparam("this_id"))
    .order_by(tool_calls.c.seq.desc())
    .limit(_PAST_CALLS)
)


def read_past_calls(
    connection: Connection, conversation_id: str, before: Sequence[Message]
) -> tuple[PastCall, ...]:
    """Read the latest tool calls of a conversation's replies, oldest first."""
    replies = [message.id for message in before if message.role == "assistant"]
    if not replies:
        return ()
    newest = frozenset(replies[-_WHOLE_REPLIES:])
    named = {"this_id": conversation_id, "newest": list(newest)}
    rows = connection.execute(_PAST, named).all()
    return tuple(_past_call(row, newest) for row in reversed(rows))


def _past_call(row: Row[Any], newest: frozenset[str]) -> PastCall:
    result = row.result
    is_cut = row.message_id not in newest and len(result or "") > _BEGINNING_CHARS
    return PastCall(
        id=row.id,
        message_id=row.message_id,
        name=row.name,
        input=json.loads(row.input),
        offset=row.offset,
        round=row.round,
        result=result[:_BEGINNING_CHARS] if is_cut else result,
        is_cut=is_cut,
    )


_STORED_SETTINGS: Final = TypeAdapter(ReplySettings)
_NO_SETTINGS: Final = "{}"


def _changed(column: Column[Any]) -> ColumnElement[Any]:
    """Write `new_NAME` where `changes_NAME` says so."""
    chosen: BindParameter[Any] = bindparam(f"new_{column.name}", type_=column.type)
    return case((bindparam(f"changes_{column.name}", type_=Boolean), chosen), else_=column)


COLUMNS: Final = (conversations.c.model, conversations.c.settings, conversations.c.instructions)
# For an update; `changed_values` has its parameters.
CHANGED: Final = {column.name: _changed(column) for column in COLUMNS}


def changed_values(changes: ChoiceChanges) -> dict[str, object]:
    """Return the bind parameters of the statement part `CHANGED`."""
    settings = changes.settings
    written = settings if isinstance(settings, Unchanged) else _settings_text(settings)
    new = {"model": changes.model, "settings": written, "instructions": changes.instructions}
    named: dict[str, object] = {}
    for name, value in new.items():
        is_same = isinstance(value, Unchanged)
        named |= {f"changes_{name}": not is_same, f"new_{name}": None if is_same else value}
    return named


def read_choices(row: Row[Any]) -> ChatChoices:
    """Read the choices from a row with all of `COLUMNS`."""
    return ChatChoices(row.model, _settings(row.settings), row.instructions)


def _settings_text(settings: ReplySettings) -> str:
    chosen = {name: value for name, value in asdict(settings).items() if value is not None}
    return json.dumps(chosen)


def _settings(text: str) -> ReplySettings:
    """Read stored settings; none where they are damaged, which must not cost the chat."""
    if text == _NO_SETTINGS:
        return DEFAULT_SETTINGS
    try:
        return _STORED_SETTINGS.validate_json(text)
    except ValidationError:
        return DEFAULT_SETTINGS


# Statements that are often used are built once: building them costs more than running them.
OWNED: Final = (
    conversations.c.id == bindparam("this_id"),
    conversations.c.project == bindparam("this_project"),
    conversations.c.mode == bindparam("this_mode"),
)
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

_THIS_ID: Final[BindParameter[str]] = bindparam("this_id")
_NOW: Final[BindParameter[datetime]] = bindparam("now")
_ONE_MORE: Final = conversations.c.message_count + 1
_HERE: Final = update(conversations).where(conversations.c.id == _THIS_ID)
_TOUCH: Final = _HERE.values(updated_at=_NOW)
_COUNT_MESSAGE: Final = _HERE.values(message_count=_ONE_MORE)


_TOUCH_OWNED: Final = (
    update(conversations)
    .where(*OWNED)
    .values(
        updated_at=_NOW,
        message_count=_ONE_MORE,
        **CHANGED,
    )
    .returning(
        conversations.c.created_at,
        conversations.c.has_title,
        conversations.c.message_count,
        *COLUMNS,
    )
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


def owned_by(owner: Owner, conversation_id: str) -> dict[str, str]:
    """Return the bind parameters of the statement part `OWNED`."""
    return {"this_id": conversation_id, "this_project": owner.project, "this_mode": owner.mode}


def read_messages(connection: Connection, conversation_id: str) -> tuple[Message, ...]:
    """Read a conversation's messages in order."""
    found: list[Message] = []
    last_seq = 0
    while True:
        rows = connection.execute(_READ, {"this_id": conversation_id, "after": last_seq}).all()
        found += [Message(*row[:-2], _notices(row.notices)) for row in rows]
        if len(rows) < _READ_AT_ONCE:
            return tuple(found)
        last_seq = rows[-1].seq


class ConversationGoneError(Exception):
    """The conversation was deleted while its reply was written."""


@dataclass(frozen=True)
class Draft:
    """A reply with its whole text so far."""

    conversation_id: str
    message_id: str
    content: str
    created_at: datetime
    notices: tuple[Notice, ...] = ()


class Replies:
    """Writes messages, replies and tool calls of conversations. Lives as long as the store."""

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
        """Store a user's message; close tool calls that still wait for a result as not answered.

        Args:
            owner: Whose conversation it is.
            conversation_id: Where the message belongs.
            message: The user's text.
            changes: Changes to the conversation's choices.
            images: Images sent with the message.

        Returns:
            The conversation with its calls and images, ending with this message; None if the owner
            has none of that id.

        Raises:
            ImagesFullError: When the project has no room for the images.
        """
        quota = self._image_quota_bytes

        def work(connection: Connection) -> Conversation | None:
            keep = partial(keep_images, connection, conversation_id, message.id, "", images)
            kept = partial(keep, quota_bytes=quota)
            return _accept(
                connection, owner, conversation_id, message, changes, keep=kept if images else None
            )

        return await self._database.write(work)

    async def save(self, draft: Draft, finished_call_id: str | None = None) -> None:
        """Store the text of a reply so far.

        Args:
            draft: The whole text so far; replaces the stored text of this reply.
            finished_call_id: The tool call whose continuation ends here.

        Raises:
            ConversationGoneError: When the conversation was deleted.
        """
        await self.ask(draft, (), finished_call_id)

    async def save_all(self, drafts: Sequence[Draft]) -> frozenset[str]:
        """Store the text so far of several replies in one transaction.

        Returns:
            The ids of conversations that were deleted meanwhile; their replies were not stored.
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
            ConversationGoneError: When the conversation was deleted.
        """
        now = self._clock()
        await self._database.write(
            lambda connection: _save(connection, draft, calls, finished_call_id, now)
        )

    async def mark_titled(self, conversation_id: str) -> bool:
        """Note that a conversation has a title; False if it had one already or was deleted."""
        return await self._database.write(
            lambda connection: (
                connection.execute(_MARK_TITLED, {"this_id": conversation_id}).rowcount > 0
            )
        )

    async def calls(self, message_id: str) -> tuple[ToolCall, ...]:
        """List the tool calls of a reply, in order."""
        return await self._database.read(lambda connection: _calls(connection, message_id))

    async def past_calls(
        self, conversation_id: str, before: Sequence[Message]
    ) -> tuple[PastCall, ...]:
        """Read the latest tool calls of a conversation, oldest first.

        Args:
            conversation_id: Of the turn.
            before: Its messages so far; results in the newest replies among them are not cut.
        """
        return await self._database.read(
            lambda connection: read_past_calls(connection, conversation_id, before)
        )

    async def images(self, conversation_id: str) -> tuple[MessageImage, ...]:
        """Read the newest images of a conversation, those that the model gets, oldest first."""
        return await self._database.read(
            lambda connection: read_images(connection, conversation_id)
        )

    async def answer(
        self, conversation_id: str, call_id: str, result: str, images: Sequence[NewImage] = ()
    ) -> ToolCall | None:
        """Store the result of a tool call if the call waits for it.

        Of several concurrent results, also through several services, exactly one is stored.

        Returns:
            The call as it is stored afterwards: with this result, with an earlier one, closed, or
            still queued. None if the conversation has no such call.

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
        """Make the next call of a round pending after the previous one got its result.

        This is the whole continuation of the previous call and finishes it. A repeated request
        returns the same call as it then is.

        Returns:
            The next call of the round; None after the last.
        """
        return await self._database.write(lambda connection: _next_call(connection, call))


def _accept(
    connection: Connection,
    owner: Owner,
    conversation_id: str,
    message: Message,
    changes: ChoiceChanges,
    *,
    keep: Callable[[], None] | None,
) -> Conversation | None:
    now = message.created_at
    named = owned_by(owner, conversation_id) | {"now": now} | changed_values(changes)
    touched = connection.execute(_TOUCH_OWNED, named).one_or_none()
    if touched is None:
        return None
    # Before the first message there is nothing to close, and nothing to read.
    is_first = touched.message_count == 1
    if not is_first:
        connection.execute(_CLOSE, {"this_id": conversation_id})
    row = vars(message) | {"notices": _notices_text(message.notices)}
    connection.execute(_ADD, {"conversation_id": conversation_id, **row})
    if keep is not None:
        keep()
    found = (message,) if is_first else read_messages(connection, conversation_id)
    return Conversation(
        conversation_id,
        touched.created_at,
        now,
        found,
        calls=read_past_calls(connection, conversation_id, found),
        choices=read_choices(touched),
        has_title=touched.has_title,
        images=() if is_first and keep is None else read_images(connection, conversation_id),
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
    """Write many at once: one statement where all of the replies have been written before.

    Such a reply is there as long as its conversation, which is touched again at the end only.
    """
    written = connection.execute(_WRITE, [_written(draft) for draft in drafts])
    # PostgreSQL's driver does not count the rows of many statements; then the ids are looked up.
    if written.rowcount == len(drafts):
        return frozenset()
    ids = [draft.message_id for draft in drafts]
    query = select(messages.c.id).where(messages.c.id.in_(ids))
    known = frozenset(connection.execute(query).scalars())
    gone: set[str] = set()
    for draft in drafts:
        if draft.message_id not in known:
            try:
                _save(connection, draft, (), None, now)
            except ConversationGoneError:
                gone.add(draft.conversation_id)
    return frozenset(gone)


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
