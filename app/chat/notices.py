"""Make the item of a user's message, and the notices below it with their actions."""

from dataclasses import replace
from typing import Final

from app.api.events import PieceKind
from app.chat.items import Action, Notice, SendState, Tone, UserMessage
from app.common.error_messages import (
    FOR_SETTINGS,
    KEPT_MESSAGE,
    KEPT_REPLY,
    ErrorCode,
    explain,
)
from app.store.records import StoredFailure, StoredTurn, TurnState

_AGAIN: Final = (Action.SEND_AGAIN,)
_OTHER_MODEL: Final = (Action.TRY_AGAIN, Action.CHOOSE_MODEL)
_REST_OR_AGAIN: Final = (Action.LOAD_REST, Action.SEND_AGAIN)
_CHECK_OR_AGAIN: Final = (Action.CHECK_AGAIN, Action.SEND_AGAIN)

_SETTINGS_OR_AGAIN: Final = (Action.OPEN_SETTINGS, Action.SEND_AGAIN)

_ACTIONS: Final[dict[str, tuple[Action, ...]]] = {
    ErrorCode.OUTCOME_NOT_RECORDED: (Action.GO_ON,),
    **dict.fromkeys(FOR_SETTINGS, _SETTINGS_OR_AGAIN),
    ErrorCode.CONVERSATION_GONE: (),
    ErrorCode.MESSAGE_UNCONFIRMED: _CHECK_OR_AGAIN,
    ErrorCode.REPLY_MISSING: _CHECK_OR_AGAIN,
    ErrorCode.RESULT_UNCONFIRMED: _CHECK_OR_AGAIN,
    ErrorCode.REPLY_CLOSED: _REST_OR_AGAIN,
    ErrorCode.REPLY_CUT: _REST_OR_AGAIN,
    ErrorCode.STREAM_CUT: _REST_OR_AGAIN,
    ErrorCode.STREAM_ENDED: _REST_OR_AGAIN,
    ErrorCode.STREAM_STALLED: _REST_OR_AGAIN,
    ErrorCode.STREAM_TOO_LARGE: _REST_OR_AGAIN,
    ErrorCode.STREAM_UNREADABLE: _REST_OR_AGAIN,
    ErrorCode.STOPPED: (),
    ErrorCode.STOPPED_BEFORE_REPLY: (Action.TRY_AGAIN,),
    ErrorCode.STOPPED_UNSENT: (Action.TRY_AGAIN,),
}
_TONES: Final[dict[str, Tone]] = {
    ErrorCode.STOPPED: Tone.INFO,
    ErrorCode.STOPPED_BEFORE_REPLY: Tone.INFO,
    ErrorCode.STOPPED_UNSENT: Tone.INFO,
    ErrorCode.MESSAGE_UNCONFIRMED: Tone.WARN,
    ErrorCode.RESULT_UNCONFIRMED: Tone.WARN,
    ErrorCode.REPLY_CLOSED: Tone.INFO,
    ErrorCode.REPLY_ENDS_HERE: Tone.INFO,
}

CUT_SHORT: Final = frozenset(
    {
        ErrorCode.MESSAGE_UNCONFIRMED,
        ErrorCode.OUTCOME_NOT_RECORDED,
        ErrorCode.REPLY_CLOSED,
        ErrorCode.REPLY_CUT,
        ErrorCode.REPLY_MISSING,
        ErrorCode.RESULT_NOT_POSTED,
        ErrorCode.RESULT_UNCONFIRMED,
        ErrorCode.STREAM_CUT,
        ErrorCode.STREAM_ENDED,
        ErrorCode.STREAM_STALLED,
        ErrorCode.STREAM_TOO_LARGE,
        ErrorCode.STREAM_UNREADABLE,
    }
)
"""Failures after which the service may know more than we do."""

RESUMABLE: Final = CUT_SHORT | {ErrorCode.INVALID_KEY}
"""Failures after which tool calls that have no posted result can still go on."""

_DELIVERED: Final = CUT_SHORT - {ErrorCode.MESSAGE_UNCONFIRMED} | {
    ErrorCode.REPLY_ENDS_HERE,
    ErrorCode.REPLY_FAILED,
    ErrorCode.STOPPED,
    ErrorCode.STREAM_MISDIRECTED,
    ErrorCode.TOOL_CALL_OVER,
}
# A person stopped these, or their words say what became of message and result.
_SAY_WHAT_IS_KEPT: Final = frozenset(
    {
        ErrorCode.CONVERSATION_GONE,
        ErrorCode.MESSAGE_HELD,
        ErrorCode.MESSAGE_NOT_DELIVERED,
        ErrorCode.MESSAGE_UNCONFIRMED,
        ErrorCode.OUTCOME_NOT_RECORDED,
        ErrorCode.REPLY_ENDS_HERE,
        ErrorCode.RESULT_NOT_POSTED,
        ErrorCode.RESULT_UNCONFIRMED,
        ErrorCode.STOPPED,
        ErrorCode.STOPPED_BEFORE_REPLY,
        ErrorCode.STOPPED_UNSENT,
        ErrorCode.STORE_FULL,
        ErrorCode.TOOL_CALL_OVER,
    }
)
_SEND_STATES: Final = {
    TurnState.QUEUED: SendState.QUEUED,
    TurnState.SENDING: SendState.SENDING,
    TurnState.UNCONFIRMED: SendState.UNCONFIRMED,
}
_UNDELIVERED_STATES: Final = {
    TurnState.WAITING: SendState.SENDING,
    TurnState.FAILED: SendState.FAILED,
    TurnState.STOPPED: SendState.UNSENT,
}


def notice_keys(turn_id: str) -> tuple[str, str]:
    """Return the keys of the notices of a turn: how it ended, and that it is not kept."""
    return f"{turn_id}!", f"{turn_id}!kept"


def turn_of(key: str) -> str:
    """Return the turn that a notice or a message belongs to."""
    return key.partition("!")[0]


def was_delivered(turn: StoredTurn) -> bool:
    """Return whether the service certainly has the message."""
    if turn.user_message_id is not None or turn.pieces:
        return True
    return turn.failure is not None and turn.failure.reason in _DELIVERED


def is_waiting(turn: StoredTurn) -> bool:
    """Return whether the message was not sent yet."""
    return turn.state is TurnState.QUEUED


def is_held(turn: StoredTurn) -> bool:
    """Return whether the message waits until a person sends it."""
    return is_waiting(turn) and turn.failure is not None


def user_message(turn: StoredTurn, *, can_move: bool = False) -> UserMessage:
    """Return the bubble of an accepted message; one that waits can move if others do, too."""
    state = _SEND_STATES.get(turn.state, SendState.SENT)
    if is_held(turn):
        state = SendState.HELD
    if turn.state in _UNDELIVERED_STATES and not was_delivered(turn):
        state = _UNDELIVERED_STATES[turn.state]
    can_move = can_move and is_waiting(turn)
    return UserMessage(
        turn.turn_id,
        turn.text,
        state,
        turn.created_at,
        can_move,
        words_length=turn.words_length,
        attachments=turn.attachments,
    )


def turn_notices(turn: StoredTurn) -> tuple[Notice, ...]:
    """Return the notices after a message: its failure, or that its reply could not be stored.

    A message that waits says so itself.
    """
    ended, unkept = notice_keys(turn.turn_id)
    notices = []
    if turn.failure is not None and not is_waiting(turn):
        shown = _shown_failure(turn, turn.failure)
        actions = _ACTIONS.get(shown.reason, _AGAIN)
        if shown.reason == ErrorCode.REPLY_FAILED:
            has_text = any(piece.kind is PieceKind.TEXT for piece in turn.pieces)
            actions = (*_OTHER_MODEL, *((Action.CONTINUE_REPLY,) if has_text else ()))
        if turn.state is TurnState.DONE:
            # The service has no more of it.
            actions = _AGAIN
        tone = _TONES.get(shown.reason, Tone.BAD)
        words = replace(explain(shown), kept=_kept(turn, shown))
        notices.append(Notice(ended, tone, words, actions))
    if turn.pieces and not turn.is_kept and not turn.state.is_under_way:
        words = explain(StoredFailure(ErrorCode.REPLY_NOT_KEPT))
        notices.append(Notice(unkept, Tone.WARN, words, (Action.CHECK_AGAIN,)))
    return tuple(notices)


def waiting_notice(turn_id: str, reason: ErrorCode, seconds: float, until: float) -> Notice:
    """Return the countdown to the next try after the service could not take it yet."""
    failure = StoredFailure(reason, {"seconds": round(seconds)})
    key, _ = notice_keys(turn_id)
    return Notice(key, Tone.WARN, explain(failure), (Action.CANCEL,), until)


def _kept(turn: StoredTurn, failure: StoredFailure) -> str:
    """Say what is kept of a turn that failed; nothing where its words or its bubble say it."""
    if failure.reason in _SAY_WHAT_IS_KEPT:
        return ""
    if turn.pieces:
        return KEPT_REPLY if turn.is_kept else ""
    return "" if was_delivered(turn) else KEPT_MESSAGE


def _shown_failure(turn: StoredTurn, failure: StoredFailure) -> StoredFailure:
    """Return the failure to show, as the turn stands now."""
    if failure.reason == ErrorCode.REPLY_CUT and not turn.is_kept:
        return StoredFailure(ErrorCode.STREAM_CUT)
    if failure.reason == ErrorCode.STOPPED and not turn.pieces:
        return StoredFailure(ErrorCode.STOPPED_BEFORE_REPLY)
    return failure
