"""Messages as people and assistants write them: about 600 characters, with some of everything."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from app.chat.items import Item, ReplyPart, SendState, UserMessage

_SENTENCE: Final = (
    "the build keeps its cache between runs and asks for nothing that it has seen before so a "
    "second look at the same tree costs a tenth of the first one and most of that is the disk"
)
_WORDS: Final = _SENTENCE.split()
_WHEN: Final = datetime(2026, 3, 2, 11, 37, tzinfo=UTC)


def messages(count: int) -> list[Item]:
    """Return questions and replies in turn."""
    return [question(i) if i % 2 == 0 else reply(i, prose(i)) for i in range(count)]


def with_versions(items: Sequence[Item], count: int) -> list[Item]:
    """Return the same messages, where versions of the chat begin at `count` of the questions."""
    asked = [row for row, item in enumerate(items) if isinstance(item, UserMessage)]
    parting = frozenset(asked[:: max(1, len(asked) // count)][:count])
    return [
        replace(item, version=2, version_count=2)
        if row in parting and isinstance(item, UserMessage)
        else item
        for row, item in enumerate(items)
    ]


def question(number: int) -> UserMessage:
    """Return a message of the person."""
    text = " ".join(_words(number, 20 + number * 5 % 100))
    return UserMessage(f"m{number}", text, SendState.SENT, _WHEN)


def reply(number: int, text: str, *, is_streaming: bool = False) -> ReplyPart:
    """Return a reply."""
    return ReplyPart(f"m{number}", text, "coder", "Coder", True, is_streaming, _WHEN)


def prose(number: int) -> str:
    """Return mixed Markdown of about 600 characters, another one for each number."""
    first, second = " ".join(_words(number, 75)), " ".join(_words(number * 7, 75))
    middle = (
        f"```python\ndef step_{number}(path, top=10):\n    return sorted(path)[:top]\n```",
        f"- **{_WORDS[number % 30]}** in `scope_{number}`\n- [the page](https://example.org/)\n- x",
        f"| name | value |\n|---|---|\n| {_WORDS[number % 30]} | {number} |\n| total | 12 |",
        f"1. {first[:60]}\n2. {second[:60]}\n\n> {first[:90]}",
        f"### Step {number}\n\n{second[:120]}",
    )[number % 5]
    return f"{first}.\n\n{middle}\n\n{second} *{number}*."


def long_text(size: int) -> str:
    """Return mixed Markdown of `size` characters."""
    parts = []
    length = 0
    number = 0
    while length < size:
        parts.append(prose(number))
        length += len(parts[-1]) + 2
        number += 1
    return "\n\n".join(parts)[:size]


def _words(seed: int, count: int) -> Iterator[str]:
    for number in range(count):
        yield _WORDS[(seed * 13 + number * 7 + number * number % 11) % len(_WORDS)]
