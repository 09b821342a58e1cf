"""How routes say by which errors they may be answered, for the description of the interface."""

from typing import Any, Final

from local_server.errors import (
    ApiError,
    BadHostError,
    BodyTooLargeError,
    InvalidApiKeyError,
    InvalidRequestError,
    OriginRefusedError,
    OverloadedError,
    RateLimitedError,
    UnavailableError,
    UnsupportedMediaTypeError,
)

BODY_ERRORS: Final[tuple[type[ApiError], ...]] = (BodyTooLargeError, UnsupportedMediaTypeError)
RETRY_AFTER: Final = "Retry-After"
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
_WITH_RETRY: Final = (RateLimitedError, OverloadedError, UnavailableError)


def failures(*errors: type[ApiError]) -> dict[int | str, dict[str, Any]]:
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
