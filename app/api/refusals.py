"""Turn requests that failed into errors, and decide whether to send them again.

`error_from_response` turns an answer outside 2xx into the error of `app.api.errors` that says so
(specification 7). `Retry` and `may_send_again` decide when a request may be sent again, and how
long to wait before.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from pydantic import ValidationError

from app.api.errors import (
    AnswerFault,
    ApiError,
    Conflict,
    ConnectFailed,
    ConnectionLost,
    InvalidKey,
    InvalidRequest,
    MethodNotAllowed,
    NotFound,
    RateLimited,
    Refused,
    ServerFailed,
    UnexpectedAnswer,
)
from app.api.http_exchange import HttpResponse
from app.api.models import ErrorBody, ErrorDetail
from app.common.clock import utc_now
from app.common.error_messages import ErrorCode

_MESSAGE_LIMIT_CHARS = 2000
_CODE_LIMIT_CHARS = 64
_SHORTEST_WAIT_S = 1.0
_LONGEST_WAIT_S = 120.0

_CLASSES: dict[int, tuple[type[Refused], ErrorCode]] = {
    400: (InvalidRequest, ErrorCode.INVALID_REQUEST),
    401: (InvalidKey, ErrorCode.INVALID_KEY),
    404: (NotFound, ErrorCode.NOT_FOUND),
    405: (MethodNotAllowed, ErrorCode.NOT_FOUND),
    409: (Conflict, ErrorCode.REFUSED),
    413: (InvalidRequest, ErrorCode.TOO_LARGE_TO_SEND),
    415: (InvalidRequest, ErrorCode.INVALID_REQUEST),
    422: (InvalidRequest, ErrorCode.INVALID_REQUEST),
}
_REASONS: dict[str, ErrorCode] = {
    "conversation_not_found": ErrorCode.CONVERSATION_GONE,
    "conversation_busy": ErrorCode.CONVERSATION_BUSY,
    "message_not_found": ErrorCode.MESSAGE_GONE,
    "unknown_agent": ErrorCode.UNKNOWN_AGENT,
    "unknown_model": ErrorCode.UNKNOWN_MODEL,
    "images_full": ErrorCode.IMAGES_FULL,
    "tool_call_not_found": ErrorCode.TOOL_CALL_OVER,
    "tool_result_conflict": ErrorCode.TOOL_CALL_OVER,
}


_CEILING_REACHED: Final = "ceiling_reached"


def error_from_response(answer: HttpResponse, host: str, now: datetime | None = None) -> ApiError:
    """Return the error that an answer outside 2xx stands for."""
    if 300 <= answer.status < 400:
        return UnexpectedAnswer(AnswerFault.REDIRECT, host, target=answer.location)
    if not 400 <= answer.status < 600:
        return UnexpectedAnswer(AnswerFault.UNREADABLE, host, detail=f"status {answer.status}")
    detail = _read_detail(answer)
    code, message = detail.code[:_CODE_LIMIT_CHARS], detail.message[:_MESSAGE_LIMIT_CHARS]
    # A limit that lasts until the next day is not waited for: the user is told.
    if answer.status == 429 and code != _CEILING_REACHED:
        return RateLimited(read_retry_after(answer.retry_after, now), code, message)
    if answer.status >= 500:
        return ServerFailed(answer.status, code, message, reason=ErrorCode.SERVER_FAILED)
    kind, reason = _CLASSES.get(answer.status, (Refused, ErrorCode.REFUSED))
    return kind(answer.status, code, message, reason=_REASONS.get(code, reason))


def read_retry_after(text: str, now: datetime | None = None) -> float | None:
    """Read `Retry-After`, seconds or a date, kept within 1 to 120 s; None when it says neither."""
    seconds = _seconds(text.strip(), now or utc_now())
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
    # `parsedate_to_datetime` gives no zone for "-0000".
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - now).total_seconds()


def _read_detail(answer: HttpResponse) -> ErrorDetail:
    try:
        return ErrorBody.model_validate_json(answer.body).error
    except ValidationError:
        return ErrorDetail()


# Of a proxy whose service is away for a moment; a 500 would only come again.
_GATEWAY_STATUSES = frozenset({502, 503, 504})


@dataclass(frozen=True, slots=True)
class Retry:
    """Up to `attempts` tries with growing, uneven pauses between them."""

    attempts: int = 3
    first_pause_s: float = 0.25
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    jitter: Callable[[], float] = random.random

    def pause_s(self, failures: int) -> float:
        """Return the pause after so many failures, 1 or more."""
        return self.first_pause_s * 2.0 ** (failures - 1) * (0.5 + self.jitter())


def may_send_again(method: str, error: ApiError) -> bool:
    """Return whether `method` may be repeated after `error` without the user's word.

    A POST may have been carried out although no answer came: it is repeated only when no
    connection came about. GET and DELETE do no harm twice.
    """
    match error:
        case ConnectFailed():
            return True
        case ConnectionLost(was_maybe_delivered=False):
            # We closed it ourselves: another try would find it closed as well.
            return False
        case ConnectionLost():
            return method != "POST"
        case ServerFailed(status=status):
            return method != "POST" and status in _GATEWAY_STATUSES
        case _:
            return False
