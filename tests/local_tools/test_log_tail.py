"""What is kept of a process's output: whole lines, short ones, and never a part of a secret."""

import pytest

from app.common.log_file import redacted
from local_tools.log_tail import LogTail

_SECRET = "canary0123456789"
_KEY = "pk_live_canary-456789"
_PIECES = ("canary", "456789")
_SMILE = "\N{GRINNING FACE}"


def _tail_of(line: str, chunk_size: int) -> tuple[str, ...]:
    tail = LogTail(lambda: (_SECRET,), redact=redacted)
    data = line.encode()
    for start in range(0, len(data), chunk_size):
        tail.feed(data[start : start + chunk_size])
    tail.end()
    return tail.lines


@pytest.mark.security(64)
@pytest.mark.parametrize("chunk_size", [7, 1000, 100_000])
@pytest.mark.parametrize("secret", [_SECRET, _KEY, f"{_SECRET}{_SECRET}"])
def test_no_cut_of_a_long_line_leaves_a_part_of_a_secret(secret: str, chunk_size: int) -> None:
    # Four bytes each: so many signs fill what is kept of a line and still would be shown.
    for before in range(1985, 2001):
        for after in (0, 7990, 9000):
            line = f"{_SMILE * before} {secret} {'x' * after}\nnext\n"
            lines = _tail_of(line, chunk_size)
            assert not any(piece in kept for piece in _PIECES for kept in lines)
            assert lines[-1] == "next"


@pytest.mark.security(64)
def test_long_line_keeps_its_beginning_and_hides_the_secrets_in_it() -> None:
    line = f"it failed with {_SECRET} and {_KEY} " + "more " * 5000
    (kept,) = _tail_of(line, 4096)
    assert kept.startswith("it failed with ••• and [hidden] more more")
    assert len(kept) == 2000


def test_long_line_without_any_space_is_reported_and_the_next_one_is_whole() -> None:
    assert _tail_of("x" * 50_000 + "\nnext", 4096) == ("…", "next")


@pytest.mark.security(64)
def test_secret_of_several_lines_is_hidden_line_by_line() -> None:
    key = "-----BEGIN KEY-----\nMIIEvQIBADAN\r\nBgkqhkiG9w0B\n-----END KEY-----\n"
    tail = LogTail(lambda: (key,))
    tail.feed(f"read {key}done\n".encode())
    assert tail.lines == ("read •••", "•••", "•••", "•••", "done")


@pytest.mark.security(64)
@pytest.mark.parametrize("width", [5, 7, 9, 12])
def test_secret_that_a_program_breaks_over_lines_is_hidden(width: int) -> None:
    wrapped = [_SECRET[start : start + width] for start in range(0, len(_SECRET), width)]
    tail = LogTail(lambda: (_SECRET,))
    tail.feed(("key: " + "\n   ".join(wrapped) + " was refused\n").encode())

    shown = [_without_mask(line) for line in tail.lines]
    assert (shown[0], shown[-1].split()[-2:]) == ("key:", ["was", "refused"])
    # A piece of less than four letters at an end cannot be told from a word.
    assert not any(_SECRET[n : n + 4] in line for n in range(13) for line in shown)


def test_words_that_share_a_few_letters_with_a_secret_stay() -> None:
    tail = LogTail(lambda: (_SECRET,))
    tail.feed(b"a tin can\n789 lines of it\n")
    assert tail.lines == ("a tin can", "789 lines of it")


def _without_mask(line: str) -> str:
    return line.replace("•••", "").strip()
