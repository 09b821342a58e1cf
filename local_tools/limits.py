"""Limits on what the assistant is sent, and how a text is cut to them."""

from typing import Final

from local_tools.canonical import clean_text

RESULT_LIMIT_BYTES: Final = 256 * 1024
# Leaves room in a result for the sentence that says what was cut.
SHOWN_LIMIT_BYTES: Final = RESULT_LIMIT_BYTES - 1024
# The end of a program's output says most about how it went.
TAIL_BYTES: Final = 64 * 1024
HEAD_BYTES: Final = SHOWN_LIMIT_BYTES - TAIL_BYTES


def cut_end(text: str, limit_bytes: int) -> tuple[str, int]:
    """Keep the beginning of a text; return it and the number of bytes left out."""
    text = clean_text(text)
    data = text.encode()
    if len(data) <= limit_bytes:
        return text, 0
    kept = data[:limit_bytes].decode("utf-8", "ignore")
    return kept, len(data) - len(kept.encode())


def fitted(text: str) -> tuple[str, int]:
    """Return a text that fits into a result; the last line of one that was cut says so.

    Gives it and the number of bytes left out.
    """
    whole, cut_bytes = cut_end(text, RESULT_LIMIT_BYTES)
    if not cut_bytes:
        return whole, 0
    kept, cut_bytes = cut_end(text, SHOWN_LIMIT_BYTES)
    return f"{kept}\n{cut_notice(cut_bytes)}", cut_bytes


def output_text(head: bytes | bytearray, tail: bytes | bytearray, cut_bytes: int) -> str:
    """Say what a program wrote, of which the middle may be left out; no UTF-8 is replaced."""
    if not cut_bytes:
        return (head + tail).decode("utf-8", "replace")
    first, last = (part.decode("utf-8", "replace") for part in (head, tail))
    return f"{first}\n{cut_notice(cut_bytes)}\n{last}"


def cut_notice(cut_bytes: int) -> str:
    """Return the line that stands where something was left out."""
    return f"[{cut_bytes:,} bytes are left out here]"
