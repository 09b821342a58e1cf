"""Pieces of Markdown that hold somebody else's text and cannot be broken by it."""

import re
from typing import Final

ECHO_CHARS: Final = 200


def fence(text: str, language: str) -> str:
    """Put text into a code block, with a fence that nothing in the text can close."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    marks = "`" * (longest + 1)
    return f"{marks}{language}\n{text}\n{marks}"


def code(value: object) -> str:
    """Put the beginning of a value into a line, as code."""
    text = " ".join(str(value).split())[:ECHO_CHARS]
    marks = "``" if "`" in text else "`"
    return f"{marks}{text}{marks}"


def echo(message: str, chars: int = ECHO_CHARS) -> str:
    """Say the beginning of a message again, in one line."""
    line = " ".join(message.split())
    return line if len(line) <= chars else f"{line[:chars]}…"


def count(number: int, noun: str) -> str:
    """Say how many there are of something whose plural ends in s."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
