"""From what pydantic-ai reports to our own failures."""

import json
from typing import Final

from pydantic_ai.exceptions import (
    AgentRunError,
    ContentFilterError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
    UserError,
)
from pydantic_ai.messages import ModelResponse

from local_server.assistant.models.failures import (
    FailureKind,
    UpstreamError,
    counted_tokens,
    kind_of_words,
)

# The first that fits; the more special stand before the more general.
_KINDS: Final[tuple[tuple[type[AgentRunError], FailureKind], ...]] = (
    (ModelRateLimitError, "rate_limited"),
    (ModelQuotaExceededError, "credit"),
    (ModelUnavailableError, "overloaded"),
    (ModelTimeoutError, "slow"),
    (ModelContextWindowExceededError, "too_long"),
    (ModelAuthenticationError, "key"),
    (ModelNotFoundError, "unknown_model"),
    (ContentFilterError, "filtered"),
)


# Google's words for a call that its models did not write as it is declared.
_BAD_CALLS: Final = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"})


def stream_error(response: ModelResponse) -> UpstreamError | None:
    """Tell why an answer whose stream ended is none; None where it is one."""
    details = response.provider_details or {}
    reason = details.get("finish_reason")
    if response.finish_reason == "content_filter":
        return UpstreamError("filtered", str(details.get("refusal", "")))
    if reason in _BAD_CALLS:
        return UpstreamError("bad_call")
    if response.finish_reason == "error":
        return UpstreamError("refused", str(reason or ""))
    # Of OpenRouter's streams that have no end pydantic-ai says that they stopped, without a reason.
    if response.state != "complete" or reason is None:
        return UpstreamError("broken_off")
    return None


def upstream_error(exc: AgentRunError | UserError) -> UpstreamError:
    """Translate what stopped a request, or broke its stream off."""
    detail = _detail(exc)
    wait_s = exc.retry_after if isinstance(exc, ModelAPIError) else None
    body = getattr(exc, "body", None)
    counted = counted_tokens(detail)
    words = json.dumps(body, default=str)
    # OpenRouter says so with a 404, as it does of names that it does not know.
    if isinstance(exc, ModelNotFoundError) and kind_of_words(words, "refused") == "no_tools":
        return UpstreamError("no_tools", detail)
    for kind_of_error, kind in _KINDS:
        if isinstance(exc, kind_of_error):
            return UpstreamError(kind, detail, wait_s, counted)
    if isinstance(exc, ModelConnectionError):
        is_sent = exc.phase in {"read", "write"}
        return UpstreamError("broken_off" if is_sent else "unreachable")
    if isinstance(exc, ModelRequestRejectedError | ModelServerError):
        # Servers on this computer refuse with a 500, too.
        otherwise: FailureKind = "overloaded" if isinstance(exc, ModelServerError) else "refused"
        kind = kind_of_words(words, otherwise)
        return UpstreamError(kind, detail, wait_s, counted)
    return UpstreamError("refused" if isinstance(exc, ModelAPIError) else "unreadable", detail)


def _detail(exc: AgentRunError | UserError) -> str:
    """Find the provider's own sentence."""
    body: object = getattr(exc, "body", None)
    for _ in range(2):
        if isinstance(body, dict):
            body = body.get("message") or body.get("error") or body.get("detail")
    return body if isinstance(body, str) else ""
