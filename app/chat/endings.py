"""How a turn ends, and what each failure on the way means for it."""

from dataclasses import dataclass

from app.api.errors import (
    ApiError,
    Conflict,
    ConnectionLost,
    InvalidKey,
    RateLimited,
    Refused,
    RequestTimeout,
    StreamBroken,
    StreamFault,
)
from app.error_text import Reason
from app.store.rows import KeptFailure, TurnState


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a turn's work.

    `cause` is what went wrong on the wire when nobody knows yet whether the message arrived.
    """

    state: TurnState
    failure: KeptFailure | None = None
    cause: KeptFailure | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the exchange that failed had come."""

    is_result: bool = False
    is_accepted: bool = False
    has_events: bool = False


def failed(reason: str) -> Ending:
    """A failure with these words."""
    return Ending(TurnState.FAILED, KeptFailure(reason))


def ending_of(error: ApiError, progress: Progress) -> Ending:
    """What an error of the wire means for the turn."""
    told = KeptFailure(error.reason, error.values)
    if isinstance(error, StreamBroken) and error.fault is StreamFault.MISDIRECTED:
        return Ending(TurnState.FAILED, told)
    if progress.has_events:
        return failed(Reason.REPLY_CUT) if _is_cut(error) else Ending(TurnState.FAILED, told)
    if progress.is_result:
        return _result_ending(error, told)
    if error.was_maybe_delivered:
        return Ending(TurnState.UNCONFIRMED, KeptFailure(Reason.MESSAGE_UNCONFIRMED), told)
    return Ending(TurnState.FAILED, told)


def is_busy(error: ApiError) -> bool:
    """Whether the conversation is at work for another request, and free again soon."""
    return isinstance(error, Conflict) and error.reason == Reason.CONVERSATION_BUSY


def stopped(progress: Progress, *, is_unsent: bool) -> Ending:
    """What Stop means at this point."""
    if is_unsent:
        return Ending(TurnState.STOPPED, KeptFailure(Reason.STOPPED_UNSENT))
    if progress.is_accepted or progress.is_result:
        return Ending(TurnState.STOPPED, KeptFailure(Reason.STOPPED))
    # The request was on its way; the service will tell whether it arrived.
    return Ending(
        TurnState.UNCONFIRMED,
        KeptFailure(Reason.MESSAGE_UNCONFIRMED),
        KeptFailure(Reason.STOPPED_UNSENT),
    )


def _result_ending(error: ApiError, told: KeptFailure) -> Ending:
    if error.was_maybe_delivered:
        return failed(Reason.RESULT_UNCONFIRMED)
    if isinstance(error, Refused) and not (
        isinstance(error, InvalidKey | RateLimited) or is_busy(error)
    ):
        return Ending(TurnState.FAILED, told)
    return failed(Reason.RESULT_NOT_POSTED)


def _is_cut(error: ApiError) -> bool:
    if isinstance(error, StreamBroken):
        return error.fault in (StreamFault.ENDED, StreamFault.CUT)
    return isinstance(error, ConnectionLost | RequestTimeout)
