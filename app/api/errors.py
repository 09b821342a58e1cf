"""What can go wrong on the wire.

ApiError
├── IdRefused            the id cannot stand in an address; nothing was sent
├── ConnectFailed        no connection came about; nothing was sent
├── ServiceGone          the service was given up; nothing was sent
├── KeyMissing           no key for the project is here; nothing was sent
├── RequestTimeout       connected, but no answer in time
├── ConnectionLost       connected, then cut before an answer
├── Refused              answered with an error status
│   ├── InvalidRequest     400, 413, 415, 422
│   ├── InvalidKey         401
│   ├── NotFound           404
│   ├── MethodNotAllowed   405
│   ├── Conflict           409
│   ├── RateLimited        429, or our own budget is used up
│   └── ServerFailed       5xx
├── UnexpectedAnswer     answered with something that is not the interface
└── StreamBroken         the reply began and did not reach its end

`was_maybe_delivered` tells whether the service may have acted on the request all the same.
"""

import enum
from collections.abc import Mapping

from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError


class ApiError(UserFacingError):
    """Something went wrong between us and the service."""

    def __init__(
        self,
        reason: ErrorCode,
        values: Mapping[str, str | int] | None = None,
        *,
        was_maybe_delivered: bool,
    ) -> None:
        super().__init__(reason, values)
        self.was_maybe_delivered = was_maybe_delivered


class IdRefused(ApiError):
    """The id would have changed the path of the request; nothing was sent."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.ID_REFUSED, was_maybe_delivered=False)


class ConnectCause(enum.Enum):
    """Why no connection came about."""

    DNS = ErrorCode.CONNECT_DNS
    REFUSED = ErrorCode.CONNECT_REFUSED
    TLS = ErrorCode.CONNECT_TLS
    TLS_DATE = ErrorCode.CONNECT_TLS_DATE
    TLS_NAME = ErrorCode.CONNECT_TLS_NAME
    TLS_UNKNOWN = ErrorCode.CONNECT_TLS_UNKNOWN
    TIMEOUT = ErrorCode.CONNECT_TIMEOUT
    PROXY = ErrorCode.CONNECT_PROXY
    UNREACHABLE = ErrorCode.CONNECT_UNREACHABLE


class ConnectFailed(ApiError):
    """No connection came about, so nothing was sent."""

    def __init__(self, cause: ConnectCause, host: str) -> None:
        super().__init__(cause.value, {"host": host}, was_maybe_delivered=False)
        self.cause = cause
        self.host = host


class ServiceGone(ApiError):
    """The service ended for good, so nothing is sent to where it was."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.SERVICE_GONE, was_maybe_delivered=False)


class KeyMissing(ApiError):
    """No key for the project is here, so nothing is sent to its service."""

    def __init__(self, host: str) -> None:
        super().__init__(ErrorCode.KEY_MISSING, {"host": host}, was_maybe_delivered=False)


class RequestTimeout(ApiError):
    """The service was reached and did not answer in time."""

    def __init__(self, *, was_maybe_delivered: bool = True) -> None:
        super().__init__(ErrorCode.REQUEST_TIMEOUT, was_maybe_delivered=was_maybe_delivered)


class ConnectionLost(ApiError):
    """The connection was cut before the answer came, or we had closed it before we asked."""

    def __init__(self, *, was_maybe_delivered: bool = True) -> None:
        super().__init__(ErrorCode.CONNECTION_LOST, was_maybe_delivered=was_maybe_delivered)


class Refused(ApiError):
    """The service answered with an error status (specification 7)."""

    def __init__(
        self,
        status: int,
        code: str = "",
        message: str = "",
        *,
        reason: ErrorCode = ErrorCode.REFUSED,
        values: Mapping[str, str | int] | None = None,
    ) -> None:
        mentioned = {"message": message or code or str(status), **(values or {})}
        super().__init__(reason, mentioned, was_maybe_delivered=status >= 500)
        self.status = status
        self.code = code
        self.message = message


class InvalidRequest(Refused):
    """400 and its kin: the service does not accept what was asked."""


class InvalidKey(Refused):
    """401: the service does not know the key."""


class NotFound(Refused):
    """404: the conversation, or the operation, does not exist."""


class MethodNotAllowed(Refused):
    """405: the service does not offer this operation."""


class Conflict(Refused):
    """409: the request does not fit what the conversation is doing, or what was said before."""


class RateLimited(Refused):
    """429, or our own budget of requests is used up; nothing was accepted.

    Attributes:
        retry_after_s: how long to wait, 1 to 120 s; None when the service did not say.
        is_from_service: False when we held the request back ourselves.
    """

    def __init__(
        self,
        retry_after_s: float | None,
        code: str = "rate_limited",
        message: str = "",
        *,
        is_from_service: bool = True,
    ) -> None:
        super().__init__(429, code, message, reason=ErrorCode.RATE_LIMITED)
        self.retry_after_s = retry_after_s
        self.is_from_service = is_from_service


class ServerFailed(Refused):
    """5xx: the service failed; it may have acted before it did."""


class AnswerFault(enum.Enum):
    """In which way an answer is not the interface's."""

    REDIRECT = ErrorCode.ANSWER_REDIRECT
    UNREADABLE = ErrorCode.ANSWER_UNREADABLE
    TOO_LARGE = ErrorCode.ANSWER_TOO_LARGE


class UnexpectedAnswer(ApiError):
    """Something answered that does not speak the interface.

    Attributes:
        target: where a redirect points; it was not followed. Empty for other faults.
        detail: what was wrong, for the log.
    """

    def __init__(
        self, fault: AnswerFault, host: str, *, target: str = "", detail: str = ""
    ) -> None:
        super().__init__(fault.value, {"host": host, "target": target}, was_maybe_delivered=True)
        self.fault = fault
        self.target = target
        self.detail = detail


class StreamFault(enum.Enum):
    """Why a reply did not reach its end; `ENDED` was closed in order, `CUT` was not."""

    ENDED = ErrorCode.STREAM_ENDED
    CUT = ErrorCode.STREAM_CUT
    STALLED = ErrorCode.STREAM_STALLED
    TOO_LARGE = ErrorCode.STREAM_TOO_LARGE
    UNREADABLE = ErrorCode.STREAM_UNREADABLE
    MISDIRECTED = ErrorCode.STREAM_MISDIRECTED


class StreamBroken(ApiError):
    """The reply began and broke off; what came before stays good."""

    def __init__(self, fault: StreamFault, values: Mapping[str, str | int] | None = None) -> None:
        super().__init__(fault.value, values, was_maybe_delivered=True)
        self.fault = fault
