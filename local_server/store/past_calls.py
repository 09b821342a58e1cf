"""Read the tool calls of earlier replies, of which a later turn is told."""

import json
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, Row, bindparam, case, func, select

from local_server.store.records import Message, PastCall
from local_server.store.tables import tool_calls

# Results of the newest replies are read whole, of others how they begin.
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
    """Read the latest tool calls of a conversation's replies, first to last."""
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
