"""The log tells what happened and no secret."""

import logging
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.common.log_file import RedactingFormatter, end_of_log, log_to, redacted


@pytest.fixture
def root_logger() -> Iterator[logging.Logger]:
    """Yield the root logger; it and the hooks for what nobody caught are put back as they were."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    hooks = sys.excepthook, threading.excepthook
    yield root
    for handler in [handler for handler in root.handlers if handler not in handlers]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)
    logging.captureWarnings(capture=False)
    sys.excepthook, threading.excepthook = hooks


@pytest.mark.security(64)
@pytest.mark.parametrize(
    "text",
    [
        "sent with pk_live_CANARY12345",
        "{'x-api-key': 'CANARY12345'}",
        "X-API-Key: CANARY12345",
        "Authorization: Bearer CANARY12345",
        "OPENAI sk-CANARY12345678",
        "GOOGLE AIzaCANARY0123456789012345",
    ],
)
def test_text_that_looks_like_a_key_is_masked_in_the_log(text: str) -> None:
    assert "CANARY" not in redacted(text)
    assert "[hidden]" in redacted(text)


def test_ordinary_words_stay() -> None:
    text = "Task ask-again failed: task_started, risk-freehandedly, /home/ada/pk_notes"

    assert redacted(text) == text


@pytest.mark.security(64)
def test_a_traceback_is_redacted_too() -> None:
    error = ValueError("pk_test_CANARY12345")
    record = logging.LogRecord("x", logging.ERROR, "f", 1, "failed", (), (ValueError, error, None))

    line = RedactingFormatter("%(message)s").format(record)

    assert "ValueError" in line
    assert "CANARY" not in line


def test_the_log_is_the_owners_alone(tmp_path: Path, root_logger: logging.Logger) -> None:
    path = log_to(tmp_path)
    root_logger.info("started with pk_live_CANARY12345")

    assert path.stat().st_mode & 0o077 == 0
    assert "started with [hidden]" in path.read_text(encoding="utf-8")


@pytest.mark.security(64)
def test_end_of_the_log_has_whole_lines_and_no_key_however_it_came_in(tmp_path: Path) -> None:
    lines = [f"line {number} pk_live_CANARY{number}" for number in range(100)]
    (tmp_path / "parley.log").write_text("\n".join(lines) + "\n\udcff", "utf-8", "surrogateescape")

    end = end_of_log(tmp_path, 500)

    assert end.startswith("line ")
    assert end.count("\n") > 5
    assert "line 99 [hidden]" in end
    assert "CANARY" not in end
    assert end_of_log(tmp_path / "none", 500) == ""
