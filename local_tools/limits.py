"""Limits on results that are sent to the assistant, and functions that cut a text to them."""

from typing import Final

from local_tools.canonical import clean_text

RESULT_LIMIT_BYTES: Final = 256 * 1024
# Leaves room in a result for the sentence that says what was cut.
SHOWN_LIMIT_BYTES: Final = RESULT_LIMIT_BYTES - 1024
# The end of a program's output says most about how it went.
TAIL_BYTES: Final = 64 * 1024
HEAD_BYTES: Final = SHOWN_LIMIT_BYTES - TAIL_BYTES


def cut_end(text: str, limit_bytes: int) -> tuple[str, int]:
    """Cut a text at `limit_bytes` of UTF-8; return the rest and the number of bytes left out."""
    text = clean_text(text)
    data = text.encode()
    if len(data) <= limit_bytes:
        return text, 0
    kept = data[:limit_bytes].decode("utf-8", "ignore")
    return kept, len(data) - len(kept.encode())


def fitted(text: str) -> tuple[str, int]:
    """Cut a text to the limit of a result; a last line says that it was cut.

    Return the text and the number of bytes left out.
    """
    whole, cut_bytes = cut_end(text, RESULT_LIMIT_BYTES)
    if not cut_bytes:
        return whole, 0
    kept, cut_bytes = cut_end(text, SHOWN_LIMIT_BYTES)
    return f"{kept}\n{cut_notice(cut_bytes)}", cut_bytes


def output_text(head: bytes | bytearray, tail: bytes | bytearray, cut_bytes: int) -> str:
    """Return a program's output, with a notice where bytes of its middle were left out.

    Bytes that are not UTF-8 become U+FFFD.
    """
    if not cut_bytes:
        return (head + tail).decode("utf-8", "replace")
    first, last = (part.decode("utf-8", "replace") for part in (head, tail))
    return f"{first}\n{cut_notice(cut_bytes)}\n{last}"


def cut_notice(cut_bytes: int) -> str:
    """Return the line that marks where bytes were left out."""
    return f"[{cut_bytes:,} bytes are left out here]"
