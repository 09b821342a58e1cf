"""Three fates of a failure, and words for each that is shown."""

import asyncio
import re

import pytest

from app.api.errors import (
    ApiError,
    ConnectCause,
    ConnectFailed,
    NotFound,
    RateLimited,
    StreamBroken,
    StreamFault,
)
from app.common.error_messages import ErrorCode, explain
from app.common.errors import ErrorRoute, Fate, UserFacingError, fate_of
from app.common.plain_causes import plain_cause


class Seen:
    """What a route showed."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.route = ErrorRoute(
            lambda error: self.shown.append(error.reason),
            lambda name: self.shown.append(f"unexpected: {name}"),
        )


def test_an_error_for_the_user_is_shown() -> None:
    seen = Seen()
    seen.route("task", ConnectFailed(ConnectCause.DNS, "example.com"))
    assert seen.shown == [ErrorCode.CONNECT_DNS]


def test_a_cancelled_task_is_silent() -> None:
    seen = Seen()
    seen.route("task", asyncio.CancelledError())
    assert seen.shown == []
    assert fate_of(asyncio.CancelledError()) is Fate.SILENT


@pytest.mark.expects_log("Unexpected failure in task")
def test_anything_else_is_a_bug_logged_and_called_unexpected(
    caplog: pytest.LogCaptureFixture,
) -> None:
    seen = Seen()
    seen.route("task", ValueError("a detail"))
    assert seen.shown == ["unexpected: task"]
    assert "ValueError: a detail" in caplog.text


@pytest.mark.parametrize("reason", ErrorCode)
def test_every_reason_has_a_plain_sentence_of_its_own(reason: ErrorCode) -> None:
    words = explain(UserFacingError(reason))
    assert reason is ErrorCode.UNEXPECTED or words.text != explain(UserFacingError("x")).text
    assert words.text[0].isupper() or words.text[0] == "{"
    assert words.text[-1] in ".}"
    assert "!" not in words.text
    assert not re.search(r"(?i)\b(http|json|sse|socket|status|exception|null|api)\b", words.text)


def test_a_reason_without_words_is_called_unexpected() -> None:
    assert explain(UserFacingError("nobody knows")) == explain(
        UserFacingError(ErrorCode.UNEXPECTED)
    )


@pytest.mark.parametrize(
    ("error", "part"),
    [
        (ConnectFailed(ConnectCause.DNS, "example.com"), "example.com could not be found"),
        (ConnectFailed(ConnectCause.REFUSED, "127.0.0.1:1"), "127.0.0.1:1 does not respond"),
        (RateLimited(12.4), "Wait a moment"),
        (RateLimited(None), "Wait a moment"),
        (StreamBroken(StreamFault.STALLED, {"seconds": 120}), "120 s"),
        (NotFound(404, reason=ErrorCode.CONVERSATION_GONE), "no longer exists"),
    ],
)
def test_words_mention_what_matters(error: ApiError, part: str) -> None:
    assert part in explain(error).sentence


def test_a_value_with_braces_is_only_text() -> None:
    error = UserFacingError(ErrorCode.CONNECT_DNS, {"host": "{seconds}"})
    assert "{seconds}" in explain(error).sentence


def test_a_missing_value_never_breaks_a_sentence() -> None:
    assert "…" in explain(UserFacingError(ErrorCode.CONNECT_DNS)).sentence


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        (
            "openai:llama-3.2@http://127.0.0.1:8080/v1 cannot be reached.",
            "llama-3.2 cannot be reached.",
        ),
        ("See https://ann:secret@example.com/a?b.", "See https://example.com/a?b."),
        ("The upstream failed (request id: req_011CSHoEeqs5C35K2).", "The upstream failed."),
        (
            "No conversation 6f9619ff-8b86-d011-b42d-00c04fc964ff is here.",
            "No conversation is here.",
        ),
        ("The conversation conv_1a2b3c4d5e is gone.", "The conversation is gone."),
        ("It cannot be saved (reference 9f86d081884c7d65).", "It cannot be saved."),
        ("gpt-4o-2024-08-06 takes no tools.", "gpt-4o-2024-08-06 takes no tools."),
        ("qwen2.5-coder:7b is unknown to ann@example.com.", None),
        ("Longer than 1,048,576 tokens, max_output_tokens is 4096.", None),
    ],
)
def test_a_cause_loses_what_only_machines_read(said: str, plain: str | None) -> None:
    assert plain_cause(said) == (said if plain is None else plain)


def test_foreign_error_text_is_plain_and_file_names_stay() -> None:
    cause = "openai:tiny@http://127.0.0.1:1/v1 broke off."
    refused = UserFacingError(ErrorCode.REPLY_FAILED, {"message": cause})
    assert explain(refused).sentence.endswith("tiny broke off.")

    named = UserFacingError(ErrorCode.FILE_UNREADABLE, {"name": "a@b-1a2b3c4d5e6f7a8b.txt"})
    assert explain(named).sentence == "a@b-1a2b3c4d5e6f7a8b.txt could not be read."
