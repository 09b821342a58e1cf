"""Every error that leaves the service, each with its status and code.

ApiError                      500 internal_error
├── InvalidRequestError       400 invalid_request
├── UnknownAgentError         400 unknown_agent
│   └── NoAgentError
├── ModelNotListedError       400 unknown_model
├── ImagesFullError           400 images_full
├── BadHostError              400 bad_host
├── InvalidApiKeyError        401 invalid_api_key
├── OriginRefusedError        403 origin_refused
├── NotFoundError             404 not_found
│   ├── ConversationNotFoundError  404 conversation_not_found
│   ├── MessageNotFoundError       404 message_not_found
│   └── ToolCallNotFoundError      404 tool_call_not_found
├── MethodNotAllowedError     405 method_not_allowed
├── ConversationBusyError     409 conversation_busy
├── ToolResultConflictError   409 tool_result_conflict
├── BodyTooLargeError         413 body_too_large
├── UnsupportedMediaTypeError 415 unsupported_media_type
├── RateLimitedError          429 rate_limited
├── CeilingReachedError       429 ceiling_reached
├── OverloadedError           503 overloaded
└── UnavailableError          503 unavailable

The specification names two of the codes (7.2); the others are our choice.

`error_response` makes the body of an error, and `error_responses` describes in OpenAPI with which
errors a route may answer.
"""

import logging
import secrets
from collections.abc import Collection, Mapping
from typing import Any, Final

from pydantic_core import ErrorDetails
from starlette.responses import JSONResponse

from local_server.schemas import ErrorBody, ErrorDetail

log = logging.getLogger(__name__)

RETRY_AFTER: Final = "Retry-After"


class ApiError(Exception):
    """A failure with a status, a code for programs and a sentence for people."""

    status = 500
    code = "internal_error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.headers: Mapping[str, str] = {}


class InvalidRequestError(ApiError):
    """The request does not have the shape of the specification."""

    status = 400
    code = "invalid_request"


class UnknownAgentError(ApiError):
    """No enabled agent of the project has the name asked for."""

    status = 400
    code = "unknown_agent"

    def __init__(self, name: str) -> None:
        super().__init__(f"No agent named “{name[:80]}” is turned on.")


class NoAgentError(UnknownAgentError):
    """The project has no enabled agent at all, or its choices cannot be read."""

    def __init__(self, *, are_choices_known: bool = True) -> None:
        words = "No agent is turned on, so nobody can answer. Turn one on."
        if not are_choices_known:
            words = (
                "Agents cannot be used until catalog.toml can be read. Correct or delete the file."
            )
        ApiError.__init__(self, words)


class ModelNotListedError(ApiError):
    """The model that was chosen for the chat is not one of those that are listed."""

    status = 400
    code = "unknown_model"

    def __init__(self) -> None:
        super().__init__("The model of this chat is not there any more. Choose another model.")


class ImagesFullError(ApiError):
    """The images of a project take all the room that they may have."""

    status = 400
    code = "images_full"

    def __init__(self, quota_bytes: int) -> None:
        super().__init__(
            f"The images in the chats of this project may take {quota_bytes // (1024 * 1024):,} "
            "MiB, and there is no room for these. Delete chats with images, or send the message "
            "without them."
        )


class BadHostError(ApiError):
    """The request was meant for another host."""

    status = 400
    code = "bad_host"

    def __init__(self) -> None:
        super().__init__("The Host header does not name this service.")


class InvalidApiKeyError(ApiError):
    """The key is missing, unknown or revoked; which of them is not told."""

    status = 401
    code = "invalid_api_key"

    def __init__(self) -> None:
        super().__init__("The API key is missing or not valid.")


class OriginRefusedError(ApiError):
    """A web page tried to call the service."""

    status = 403
    code = "origin_refused"

    def __init__(self) -> None:
        super().__init__("Requests from web pages are refused.")


class NotFoundError(ApiError):
    """Nothing is at this path."""

    status = 404
    code = "not_found"


class ConversationNotFoundError(NotFoundError):
    """The project has no conversation with this id."""

    code = "conversation_not_found"

    def __init__(self) -> None:
        super().__init__("There is no conversation with this id.")


class MessageNotFoundError(NotFoundError):
    """The conversation has no message with this id."""

    code = "message_not_found"

    def __init__(self) -> None:
        super().__init__("This conversation has no message with this id.")


class ToolCallNotFoundError(NotFoundError):
    """The conversation has no tool call with this id."""

    code = "tool_call_not_found"

    def __init__(self) -> None:
        super().__init__("This conversation has no tool call with this id.")


class MethodNotAllowedError(ApiError):
    """The path exists, but not with this method."""

    status = 405
    code = "method_not_allowed"

    def __init__(self, allowed: Collection[str]) -> None:
        names = ", ".join(sorted(allowed))
        super().__init__(f"This path does not take this method, but {names}.")
        self.headers = {"Allow": names}


class ConversationBusyError(ApiError):
    """A reply is being written in this conversation."""

    status = 409
    code = "conversation_busy"

    def __init__(self) -> None:
        super().__init__("A reply is still being written in this conversation.")


class ToolResultConflictError(ApiError):
    """The call already has another outcome."""

    status = 409
    code = "tool_result_conflict"


class BodyTooLargeError(ApiError):
    """The request body is larger than the service reads."""

    status = 413
    code = "body_too_large"

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(f"The request body is larger than {limit_bytes:,} bytes.")


class UnsupportedMediaTypeError(ApiError):
    """The body is not declared as JSON."""

    status = 415
    code = "unsupported_media_type"

    def __init__(self) -> None:
        super().__init__(
            "Send the body as JSON, not compressed, with Content-Type: application/json."
        )


class RateLimitedError(ApiError):
    """The key has used up its requests of this minute."""

    status = 429
    code = "rate_limited"

    def __init__(self, per_minute: int, wait_s: int) -> None:
        super().__init__(
            f"The limit of {per_minute} requests a minute is used up. "
            f"Try again in {wait_s} {'second' if wait_s == 1 else 'seconds'}."
        )
        self.headers = {"Retry-After": str(wait_s)}


class CeilingReachedError(ApiError):
    """The project has used what its operator allows it in a day."""

    status = 429
    code = "ceiling_reached"

    def __init__(self, wait_s: int, *, is_reserved: bool = False) -> None:
        """Make it; with `is_reserved`, replies under way may still leave something of the day."""
        more = "who runs the service can allow it more."
        spent = "This project has used what it may use in a day. It can go on after midnight (UTC);"
        reserved = (
            "Replies under way may use what is left of this project's day. Try again when they "
            "have ended;"
        )
        super().__init__(f"{reserved if is_reserved else spent} {more}")
        self.headers = {"Retry-After": str(wait_s)}


class OverloadedError(ApiError):
    """The service answers as many requests as it can already."""

    status = 503
    code = "overloaded"

    def __init__(self) -> None:
        super().__init__("The service is answering too many requests. Try again in a second.")
        self.headers = {"Retry-After": "1"}


class UnavailableError(ApiError):
    """Something that the service cannot do without does not answer just now."""

    status = 503
    code = "unavailable"

    def __init__(self, reason: str = "The service cannot reach what it keeps its data in.") -> None:
        super().__init__(f"{reason} Try again in a moment.")
        self.headers = {"Retry-After": "2"}


class StreamFailureError(Exception):
    """A reply that has begun cannot go on; the message is for the user (specification 7.3)."""


def error_response(error: ApiError) -> JSONResponse:
    """Turn an error into the body of specification 7.2."""
    body = ErrorBody(error=ErrorDetail(code=error.code, message=error.message))
    return JSONResponse(body.model_dump(), error.status, headers=dict(error.headers))


def explain(errors: list[ErrorDetails]) -> str:
    """Describe in one line what does not fit, from what pydantic found."""
    parts = []
    for error in errors[:5]:
        field = ".".join(str(step) for step in error["loc"] if step not in {"query", "path"})
        reason = error["msg"].removeprefix("Value error, ")
        parts.append(f"{field}: {reason}" if field else reason)
    return "; ".join(parts)


def unforeseen(exc: Exception) -> ApiError:
    """Log a failure nobody foresaw, with a reference that the answer names too."""
    reference = secrets.token_hex(4)
    log.error("unexpected failure, reference %s", reference, exc_info=exc)
    return ApiError(f"Something went wrong in the service (reference {reference}).")


BODY_ERRORS: Final[tuple[type[ApiError], ...]] = (BodyTooLargeError, UnsupportedMediaTypeError)
_ANYWHERE: Final[tuple[type[ApiError], ...]] = (
    InvalidRequestError,
    BadHostError,
    InvalidApiKeyError,
    OriginRefusedError,
    RateLimitedError,
    ApiError,
    OverloadedError,
    UnavailableError,
)
_WITH_RETRY: Final = (
    RateLimitedError,
    CeilingReachedError,
    OverloadedError,
    UnavailableError,
)


def error_responses(*errors: type[ApiError]) -> dict[int | str, dict[str, Any]]:
    """Describe these errors and those that every operation has, by status."""
    by_status: dict[int | str, list[type[ApiError]]] = {}
    for error in (*_ANYWHERE, *errors):
        by_status.setdefault(error.status, []).append(error)
    return {status: _response(by_status[status]) for status in sorted(by_status, key=str)}


def _response(errors: list[type[ApiError]]) -> dict[str, Any]:
    codes = [error.code for error in errors]
    detail = {
        "type": "object",
        "properties": {
            "code": {"type": "string", "enum": codes},
            "message": {"type": "string", "description": "A sentence for people."},
        },
        "required": ["code", "message"],
        "additionalProperties": False,
    }
    body = {
        "type": "object",
        "properties": {"error": detail},
        "required": ["error"],
        "additionalProperties": False,
    }
    described: dict[str, Any] = {
        "description": " ".join(f"`{error.code}`: {_first_line(error)}" for error in errors),
        "content": {"application/json": {"schema": body}},
    }
    if set(errors) & set(_WITH_RETRY):
        described["headers"] = {RETRY_AFTER: {"$ref": f"#/components/headers/{RETRY_AFTER}"}}
    return described


def _first_line(error: type[ApiError]) -> str:
    if error is ApiError:
        return "Something that nobody foresaw; the message names a reference that is in the log."
    return (error.__doc__ or "").partition("\n")[0]
