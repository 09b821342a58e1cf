"""From an answer that is no success to the error that says so (specification 7)."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pydantic import ValidationError

from app.api.errors import (
    AnswerFault,
    ApiError,
    Conflict,
    InvalidKey,
    InvalidRequest,
    MethodNotAllowed,
    NotFound,
    RateLimited,
    Refused,
    ServerFailed,
    UnexpectedAnswer,
)
from app.api.models import ErrorBody, ErrorDetail
from app.api.wire import Answer
from app.error_text import Reason

_MESSAGE_LIMIT_CHARS = 2000
_CODE_LIMIT_CHARS = 64
_SHORTEST_WAIT_S = 1.0
_LONGEST_WAIT_S = 120.0

_CLASSES: dict[int, tuple[type[Refused], Reason]] = {
    400: (InvalidRequest, Reason.INVALID_REQUEST),
    401: (InvalidKey, Reason.INVALID_KEY),
    404: (NotFound, Reason.NOT_FOUND),
    405: (MethodNotAllowed, Reason.NOT_FOUND),
    409: (Conflict, Reason.REFUSED),
    413: (InvalidRequest, Reason.TOO_LARGE_TO_SEND),
    415: (InvalidRequest, Reason.INVALID_REQUEST),
    422: (InvalidRequest, Reason.INVALID_REQUEST),
}
_REASONS: dict[str, Reason] = {
    "conversation_not_found": Reason.CONVERSATION_GONE,
    "conversation_busy": Reason.CONVERSATION_BUSY,
    "unknown_agent": Reason.UNKNOWN_AGENT,
    "tool_call_not_found": Reason.TOOL_CALL_OVER,
    "tool_result_conflict": Reason.TOOL_CALL_OVER,
}


def error_of(answer: Answer, host: str, now: datetime | None = None) -> ApiError:
    """The error that an answer outside 2xx stands for."""
    if 300 <= answer.status < 400:
        return UnexpectedAnswer(AnswerFault.REDIRECT, host, target=answer.location)
    if not 400 <= answer.status < 600:
        return UnexpectedAnswer(AnswerFault.UNREADABLE, host, detail=f"status {answer.status}")
    told = _read_detail(answer)
    code, message = told.code[:_CODE_LIMIT_CHARS], told.message[:_MESSAGE_LIMIT_CHARS]
    if answer.status == 429:
        return RateLimited(read_retry_after(answer.retry_after, now), code, message)
    if answer.status >= 500:
        return ServerFailed(answer.status, code, message, reason=Reason.SERVER_FAILED)
    kind, reason = _CLASSES.get(answer.status, (Refused, Reason.REFUSED))
    return kind(answer.status, code, message, reason=_REASONS.get(code, reason))


def read_retry_after(text: str, now: datetime | None = None) -> float | None:
    """Read `Retry-After`, seconds or a date, kept within 1 to 120 s; None when it says neither."""
    seconds = _seconds(text.strip(), now or datetime.now(UTC))
    if seconds is None:
        return None
    return min(max(seconds, _SHORTEST_WAIT_S), _LONGEST_WAIT_S)


def _seconds(text: str, now: datetime) -> float | None:
    if text.isascii() and text.isdigit():
        # A number of any length is read as "long"; int() refuses one of thousands of digits.
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - now).total_seconds()


def _read_detail(answer: Answer) -> ErrorDetail:
    try:
        return ErrorBody.model_validate_json(answer.body).error
    except ValidationError:
        return ErrorDetail()
