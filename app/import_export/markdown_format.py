"""Write a chat as Markdown."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from app.chat.items import ToolCall
from app.import_export.loading import (
    ExportedConversation,
    ExportedHandover,
    ExportedImage,
    ExportedMessage,
    Labels,
    Part,
    TextPart,
    ThoughtPart,
    moment_words,
    one_line,
)

_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>#~|&!])")
_BREAK: Final = "\n"
_TICKS: Final = re.compile(r"`+")


def markdown_of(chat: ExportedConversation, labels: Labels, now: datetime) -> Iterator[str]:
    """Yield the text of the file, a message at a time.

    What was said stands as it was written; names and titles are escaped.
    """
    yield f"# {escaped(chat.title) or labels.untitled}\n\n"
    yield f"{labels.exported.format(date=moment_words(now))}\n"
    if not chat.is_complete:
        yield f"\n> {labels.incomplete}\n"
    for message in chat.messages:
        yield _message(message, labels)


def call_markdown(call: ToolCall, labels: Labels) -> str:
    """Return a tool call: a line that says what became of it, then what went in and came out."""
    target = f" {_code_span(call.target)}" if call.target else ""
    lines = [f"**{escaped(call.title)}**{target}: {labels.call_words(call)}"]
    for words, text in (
        (labels.input_words, call.input_text),
        (labels.output_words, call.output_text),
    ):
        if text:
            lines.append(f"{words}:\n\n{fenced(text.removesuffix(_BREAK))}")
    return "\n\n".join(lines)


def escaped(text: str) -> str:
    """Return untrusted text on one line, with all that Markdown would read escaped."""
    return _SPECIAL.sub(r"\\\1", one_line(text))


def fenced(text: str, language: str = "") -> str:
    """Return a block of code that nothing inside of it can end."""
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _message(message: ExportedMessage, labels: Labels) -> str:
    # Assistants begin what they say after a call with empty lines of their own.
    parts = (_part(part, labels).strip("\n") for part in message.parts)
    text = "\n\n".join(part for part in parts if part)
    return f"\n## {escaped(labels.heading(message))}\n\n{text.strip()}\n"


def _part(part: Part, labels: Labels) -> str:
    match part:
        case TextPart():
            return part.text
        case ExportedHandover():
            name = part.agent_display_name or part.agent_name or labels.assistant
            return f"*{labels.handed_over.format(name=escaped(name))}*"
        case ToolCall():
            return call_markdown(part, labels)
        case ThoughtPart(text):
            quoted = "\n".join(f"> {line}".rstrip() for line in text.strip().splitlines())
            return f"> *{labels.thought}*\n>\n{quoted}"
        case ExportedImage():
            return f"![{escaped(part.name)}]({part.address})"


def _code_span(text: str) -> str:
    line = one_line(text)
    ticks = "`" * (_longest_run(line) + 1)
    gap = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{gap}{line}{gap}{ticks}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)
