"""`web_page_writer` exports a chat as one web page without scripts or external resources.

`blocks_html` writes the blocks of a message as HTML without scripts, style attributes or anything
to fetch.
"""

import base64
import hashlib
import html
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
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
)
from app.ui.markdown.blocks import (
    Block,
    Code,
    Formula,
    HighlightRange,
    HorizontalRule,
    OmittedBlock,
    Prose,
    Rail,
    RailKind,
    TableBlock,
)
from app.ui.markdown.formulas import DRAWN_LIMIT, Drawing, draw
from app.ui.markdown.sanitize import BREAK_MARK, SafeHtml, replace_note_links, show_hidden
from app.ui.widgets.labels import one_line
from app.ui.widgets.stylesheet import Token, Tokens, read_tokens

INK_CLASSES: Final[dict[Token, str]] = {
    "code-keyword": "k",
    "code-string": "s",
    "code-number": "n",
    "code-comment": "c",
    "code-name": "f",
}
Picture = Callable[[Drawing, str], str]
"""Return the markup of a formula; the text is its source, for screen readers."""


def _within(image: ExportedImage) -> str:
    return f'<img alt="{html.escape(one_line(image.name))}" src="{image.address}">'


@dataclass(frozen=True, slots=True)
class Pictures:
    """Functions that turn formulas and images into markup."""

    formula: Picture = Drawing.inline_svg
    image: Callable[[ExportedImage], str] = _within


WITHIN: Final = Pictures()
"""Everything is in the page itself."""
_Words = Prose | TableBlock | Code | HorizontalRule | OmittedBlock
# The headings of messages are of the second level.
_FIRST_HEADING: Final = 3
_LAST_HEADING: Final = 6


def blocks_html(
    blocks: Iterable[Block],
    left_out_words: str,
    name: str,
    picture: Picture = Drawing.inline_svg,
) -> Iterator[str]:
    """Yield the markup of each block.

    Args:
        blocks: What a text was parsed to.
        left_out_words: What stands where a block is cut; `{count}` is how much is missing.
        name: What this text is called in the page, for links to its notes and back. Without a
            name there are no such links.
        picture: How a formula is drawn.
    """
    rails: tuple[Rail, ...] = ()
    notes, formulas = _NoteLinks(name), _Formulas(picture)
    for block in blocks:
        now, shared, note = block.place.rails, block.place.shared, block.place.note
        markers = [_marker(rail) for rail in now[shared:]]
        if markers and note:
            markers[0] = notes.marker(note, now[0])
        # The marker is part of the paragraph, so that it stands in its first line everywhere.
        lead = ""
        if markers and isinstance(block, Prose):
            lead, markers[-1] = f"{markers[-1]} ", ""
        yield _step(rails, now, shared, markers)
        rails = now
        if isinstance(block, Formula):
            yield formulas.shown(block.source)
        else:
            yield from _one(block, left_out_words, notes, lead)
    yield _step(rails, (), 0, [])


def _code_html(text: str, language: str) -> Iterator[str]:
    """Yield code line by line, in colours where its language is known."""
    from app.ui.markdown.highlight import highlight_lines  # noqa: PLC0415 - pygments, for export

    colours = highlight_lines(text, language)
    for number, line in enumerate(text.split("\n")):
        yield ("\n" if number else "") + _coloured(line, next(colours, []))


class _Formulas:
    """Draws the formulas of a text, as many as the window does. One for a text."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._count = 0

    def shown(self, source: str) -> str:
        """Return the formula as shapes, or its source where it has none."""
        self._count += 1
        drawing = draw(source) if self._count <= DRAWN_LIMIT else None
        shown = self._picture(drawing, source) if drawing else html.escape(source)
        return f'<p class="formula" dir="ltr">{shown}</p>\n'


class _NoteLinks:
    """Makes the links between a text and its notes. One for a text."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._referred: set[int] = set()

    def linked(self, words: SafeHtml) -> str:
        """Return the markup with its links leading to notes; the first to each can be come back to.

        It is without the marks that let the window break long words; browsers do it so.
        """
        mark = self._mark if self._name else _without_link
        return replace_note_links(str(words), mark).replace(BREAK_MARK, "")

    def marker(self, number: int, rail: Rail) -> str:
        """Return the marker of a note, which leads back."""
        if not self._name:
            return _marker(rail)
        words, name = html.escape(rail.marker), self._name
        return f'<a class="mark" id="{name}-note-{number}" href="#{name}-mark-{number}">{words}</a>'

    def _mark(self, number: int, words: str) -> str:
        name = f' id="{self._name}-mark-{number}"' if number not in self._referred else ""
        self._referred.add(number)
        return f'<a href="#{self._name}-note-{number}"{name}>{words}</a>'


def _without_link(_number: int, words: str) -> str:
    return words


def _step(before: tuple[Rail, ...], now: tuple[Rail, ...], shared: int, markers: list[str]) -> str:
    """Leave the levels that have ended and enter those that begin, outermost marker first."""
    ended, begun = before[shared:], now[shared:]
    # An item that follows an item belongs to the same list.
    goes_on = bool(ended and begun) and ended[0].kind is begun[0].kind is RailKind.ITEM
    tags = [_end_of(rail) for rail in reversed(ended[1:] if goes_on else ended)]
    starts = [_start_of(*both) for both in zip(begun, markers, strict=True)]
    if goes_on:
        starts[0] = "</li>" + starts[0].removeprefix("<ul>")
    return "".join([*tags, *starts])


def _start_of(rail: Rail, marker: str) -> str:
    return "<blockquote>" if rail.kind is RailKind.QUOTE else f"<ul><li>{marker}"


def _end_of(rail: Rail) -> str:
    return "</blockquote>" if rail.kind is RailKind.QUOTE else "</li></ul>"


def _marker(rail: Rail) -> str:
    """Return the marker of an item; its own direction keeps it out of that of the paragraph."""
    if rail.kind is RailKind.QUOTE:
        return ""
    return f'<span class="mark" dir="ltr">{html.escape(rail.marker)}</span>'


def _one(block: _Words, left_out_words: str, notes: _NoteLinks, lead: str) -> Iterator[str]:
    match block:
        case Prose(words, level):
            tag = f"h{min(level + _FIRST_HEADING - 1, _LAST_HEADING)}" if level else "p"
            yield f'<{tag} dir="auto">{lead}{notes.linked(words)}</{tag}>\n'
        case TableBlock(cells):
            yield f'<div class="wide" dir="auto">{notes.linked(cells)}</div>\n'
        case Code(text, language, left_out):
            yield "<pre><code>"
            yield from _code_html(text, language)
            yield "</code></pre>\n"
            if left_out:
                yield _note(left_out, left_out_words)
        case HorizontalRule():
            yield "<hr>\n"
        case OmittedBlock(count):
            yield _note(count, left_out_words)


def _note(count: int, words: str) -> str:
    return f'<p class="note">{html.escape(words.format(count=count))}</p>\n'


def _coloured(line: str, stretches: list[HighlightRange]) -> str:
    pieces: list[str] = []
    at = 0
    for stretch in stretches:
        pieces.append(html.escape(line[at : stretch.start]))
        at = stretch.start + stretch.length
        words = html.escape(line[stretch.start : at])
        pieces.append(f'<span class="{INK_CLASSES[stretch.ink]}">{words}</span>')
    return "".join([*pieces, html.escape(line[at:])])


_HEAD: Final = """<!DOCTYPE html>
<html lang="{code}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
"""
_TAIL: Final = "</main>\n</body>\n</html>\n"


def web_page_writer(
    themes: Path,
) -> Callable[[ExportedConversation, Labels, datetime], Iterator[str]]:
    """Make the writer of web pages in the colours of the theme files in this folder."""
    rules = (themes / "export.css").read_text(encoding="utf-8")
    style = _style(read_tokens(themes / "light.toml"), read_tokens(themes / "dark.toml"), rules)

    def write(chat: ExportedConversation, labels: Labels, now: datetime) -> Iterator[str]:
        yield _HEAD.format(
            code=html.escape(labels.code),
            policy=_policy(style),
            title=html.escape(page_title(chat, labels)),
            style=style,
        )
        yield from page_body(chat, labels, now)
        yield _TAIL

    return write


def page_title(chat: ExportedConversation, labels: Labels) -> str:
    """Return the title of a chat as plain text on one line."""
    return one_line(chat.title) or labels.untitled


def page_body(
    chat: ExportedConversation,
    labels: Labels,
    now: datetime,
    *,
    has_links: bool = True,
    pictures: Pictures = WITHIN,
) -> Iterator[str]:
    """Yield the header, then each message as markup that is whole by itself.

    Args:
        chat: What is written.
        labels: The words around it.
        now: When it is written.
        has_links: Whether a text and its notes lead to each other.
        pictures: How what is no text is drawn.
    """
    title = html.escape(page_title(chat, labels))
    exported = html.escape(labels.exported.format(date=moment_words(now)))
    warning = _warning(chat, labels)
    yield f'<header><h1 dir="auto">{title}</h1><p>{exported}</p>{warning}</header>\n'
    for number, message in enumerate(chat.messages):
        name = f"t{number}" if has_links else ""
        yield "".join(_message(message, labels, name, pictures))


def _style(light: Tokens, dark: Tokens, rules: str) -> str:
    inks = "".join(f".{name}{{color:var(--{token})}}" for token, name in INK_CLASSES.items())
    return (
        f":root{{color-scheme:light dark;{_variables(light)}}}"
        f"@media (prefers-color-scheme:dark){{:root{{{_variables(dark)}}}}}\n{rules}{inks}"
    )


def _variables(tokens: Tokens) -> str:
    return "".join(f"--{name}:{value};" for name, value in tokens.colors.items())


def _policy(style: str) -> str:
    """Nothing but this one style and images within: no script, font, form, frame or fetching."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    style_alone = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:"
    return f"{style_alone}; base-uri 'none'; form-action 'none'"


def _warning(chat: ExportedConversation, labels: Labels) -> str:
    if chat.is_complete:
        return ""
    return f'<p class="warn">{html.escape(labels.incomplete)}</p>'


def _message(
    message: ExportedMessage, labels: Labels, name: str, pictures: Pictures
) -> Iterator[str]:
    heading = html.escape(one_line(labels.heading(message)))
    yield f'<article class="{message.role}"><h2>{heading}</h2>\n'
    for number, part in enumerate(message.parts):
        yield from _part(part, message, labels, name and f"{name}-{number}", pictures)
    yield "</article>\n"


def _reply_html(text: str, labels: Labels, name: str, pictures: Pictures) -> Iterator[str]:
    from app.ui.markdown.incremental import render  # noqa: PLC0415 - markdown-it, for export

    yield from blocks_html(render(text), labels.left_out, name, pictures.formula)


def _part(
    part: Part, message: ExportedMessage, labels: Labels, name: str, pictures: Pictures
) -> Iterator[str]:
    match part:
        case TextPart(text) if message.role == "user":
            yield f'<div class="said" dir="auto">{html.escape(show_hidden(text))}</div>\n'
        case TextPart(text):
            yield from _reply_html(text, labels, name, pictures)
        case ExportedHandover():
            name = one_line(part.agent_display_name or part.agent_name or labels.assistant)
            words = html.escape(labels.handed_over.format(name=name))
            yield f'<p class="line">{words}</p>\n'
        case ToolCall():
            yield from _call(part, labels)
        case ThoughtPart(text):
            yield f"<details><summary>{html.escape(labels.thought)}</summary>\n"
            yield f'<div class="said" dir="auto">{html.escape(show_hidden(text))}</div></details>\n'
        case ExportedImage():
            yield f"<p>{pictures.image(part)}</p>\n"


def _call(call: ToolCall, labels: Labels) -> Iterator[str]:
    target = f" <code>{html.escape(one_line(call.target))}</code>" if call.target else ""
    title, words = html.escape(one_line(call.title)), html.escape(labels.call_words(call))
    yield f"<details><summary><b>{title}</b>{target} · {words}</summary>\n"
    for name, text in (
        (labels.input_words, call.input_text),
        (labels.output_words, call.output_text),
    ):
        if text:
            shown = html.escape(show_hidden(text))
            yield f'<p class="note">{html.escape(name)}</p><pre>{shown}</pre>\n'
    yield "</details>\n"
