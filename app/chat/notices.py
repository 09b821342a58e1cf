"""What is said at a message: how far it came, and the notice behind it with what can be done."""

from typing import Final

from app.chat.items import Action, Notice, SendState, Tone, UserMessage
from app.error_text import Reason, explain
from app.store.rows import KeptFailure, KeptTurn, TurnState

_AGAIN: Final = (Action.SEND_AGAIN,)
_REST_OR_AGAIN: Final = (Action.LOAD_REST, Action.SEND_AGAIN)
_CHECK_OR_AGAIN: Final = (Action.CHECK_AGAIN, Action.SEND_AGAIN)

_ACTIONS: Final[dict[str, tuple[Action, ...]]] = {
    Reason.INVALID_KEY: (Action.OPEN_SETTINGS, Action.SEND_AGAIN),
    Reason.CONVERSATION_GONE: (),
    Reason.MESSAGE_UNCONFIRMED: _CHECK_OR_AGAIN,
    Reason.REPLY_MISSING: _CHECK_OR_AGAIN,
    Reason.RESULT_UNCONFIRMED: _CHECK_OR_AGAIN,
    Reason.REPLY_CUT: _REST_OR_AGAIN,
    Reason.STREAM_ENDED: _REST_OR_AGAIN,
    Reason.STREAM_STALLED: _REST_OR_AGAIN,
    Reason.STREAM_TOO_LARGE: _REST_OR_AGAIN,
    Reason.STREAM_UNREADABLE: _REST_OR_AGAIN,
    Reason.STOPPED: (),
}
_TONES: Final[dict[str, Tone]] = {
    Reason.STOPPED: Tone.INFO,
    Reason.STOPPED_UNSENT: Tone.INFO,
    Reason.MESSAGE_UNCONFIRMED: Tone.WARN,
    Reason.RESULT_UNCONFIRMED: Tone.WARN,
    Reason.REPLY_ENDS_HERE: Tone.INFO,
}

CUT_SHORT: Final = frozenset(
    {
        Reason.MESSAGE_UNCONFIRMED,
        Reason.REPLY_CUT,
        Reason.REPLY_MISSING,
        Reason.RESULT_NOT_POSTED,
        Reason.RESULT_UNCONFIRMED,
        Reason.STREAM_ENDED,
        Reason.STREAM_STALLED,
        Reason.STREAM_TOO_LARGE,
        Reason.STREAM_UNREADABLE,
    }
)
"""Failures after which the service may know more than we do."""

RESUMABLE: Final = CUT_SHORT | {Reason.INVALID_KEY}
"""Failures after which tool calls that have no posted result can still go on."""

_DELIVERED: Final = CUT_SHORT - {Reason.MESSAGE_UNCONFIRMED} | {
    Reason.REPLY_ENDS_HERE,
    Reason.REPLY_FAILED,
    Reason.STREAM_MISDIRECTED,
    Reason.TOOL_CALL_OVER,
}
_SEND_STATES: Final = {
    TurnState.QUEUED: SendState.QUEUED,
    TurnState.SENDING: SendState.SENDING,
    TurnState.UNCONFIRMED: SendState.UNCONFIRMED,
}
_UNDELIVERED_STATES: Final = {
    TurnState.WAITING: SendState.SENDING,
    TurnState.FAILED: SendState.FAILED,
    TurnState.STOPPED: SendState.FAILED,
}


def notice_key(turn_id: str) -> str:
    """The key of the notice that belongs to a turn."""
    return f"{turn_id}!"


def turn_of(key: str) -> str:
    """The turn that a notice or a message belongs to."""
    return key.removesuffix("!")


def was_delivered(turn: KeptTurn) -> bool:
    """Whether the service surely has the message."""
    if turn.user_message_id is not None or turn.pieces:
        return True
    return turn.failure is not None and turn.failure.reason in _DELIVERED


def is_waiting(turn: KeptTurn) -> bool:
    """Whether the message was not sent yet."""
    return turn.state is TurnState.QUEUED


def is_held(turn: KeptTurn) -> bool:
    """Whether the message is not sent before somebody says so."""
    return is_waiting(turn) and turn.failure is not None


def user_message(turn: KeptTurn, *, can_move: bool = False) -> UserMessage:
    """The bubble of an accepted message; one that waits can move if another one waits, too."""
    state = _SEND_STATES.get(turn.state, SendState.SENT)
    if is_held(turn):
        state = SendState.HELD
    if turn.state in _UNDELIVERED_STATES and not was_delivered(turn):
        state = _UNDELIVERED_STATES[turn.state]
    can_move = can_move and is_waiting(turn)
    return UserMessage(turn.turn_id, turn.text, state, turn.created_at, can_move)


def turn_notice(turn: KeptTurn) -> Notice | None:
    """The notice behind a message that failed or was stopped; None when all is well.

    A message that waits says so itself.
    """
    failure = turn.failure
    if failure is None or is_waiting(turn):
        return None
    return Notice(
        key=notice_key(turn.turn_id),
        tone=_TONES.get(failure.reason, Tone.BAD),
        words=explain(failure),
        actions=_ACTIONS.get(failure.reason, _AGAIN),
    )


def waiting_notice(turn_id: str, seconds: float, until: float) -> Notice:
    """The countdown to the next try after the service was asked too often."""
    failure = KeptFailure(Reason.RATE_LIMITED, {"seconds": round(seconds)})
    return Notice(notice_key(turn_id), Tone.WARN, explain(failure), (Action.CANCEL,), until)


def unkept_notice(turn_id: str) -> Notice:
    """The reply is shown, but not on the disk."""
    failure = KeptFailure(Reason.REPLY_NOT_KEPT)
    return Notice(notice_key(turn_id), Tone.WARN, explain(failure))
