"""A chat as one web page: all that it needs is in it, and nothing in it can act or fetch."""

import base64
import hashlib
import html
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from app.exchange.labels import Labels, moment_words
from app.exchange.whole_chat import Call, HandedOver, Part, WholeChat, WholeMessage, Words
from app.ui.exchange.block_html import INK_CLASSES, Picture, blocks_html
from app.ui.markdown.feed import render
from app.ui.markdown.formula_drawing import Drawing
from app.ui.markdown.source import show_hidden
from app.ui.parts.labels import one_line
from app.ui.parts.tokens import Tokens, read_tokens

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
) -> Callable[[WholeChat, Labels, datetime], Iterator[str]]:
    """Make the writer of web pages in the colours of the theme files in this folder."""
    rules = (themes / "export.css").read_text(encoding="utf-8")
    style = _style(read_tokens(themes / "light.toml"), read_tokens(themes / "dark.toml"), rules)

    def write(chat: WholeChat, labels: Labels, now: datetime) -> Iterator[str]:
        yield _HEAD.format(
            code=html.escape(labels.code),
            policy=_policy(style),
            title=html.escape(page_title(chat, labels)),
            style=style,
        )
        yield from page_body(chat, labels, now)
        yield _TAIL

    return write


def page_title(chat: WholeChat, labels: Labels) -> str:
    """Return the title of a chat as plain text on one line."""
    return one_line(chat.title) or labels.untitled


def page_body(
    chat: WholeChat,
    labels: Labels,
    now: datetime,
    *,
    has_links: bool = True,
    picture: Picture = Drawing.inline_svg,
) -> Iterator[str]:
    """Yield the header, then each message as markup that is whole by itself.

    Args:
        chat: What is written.
        labels: The words around it.
        now: When it is written.
        has_links: Whether a text and its notes lead to each other.
        picture: How a formula is drawn.
    """
    title = html.escape(page_title(chat, labels))
    exported = html.escape(labels.exported.format(date=moment_words(now)))
    warning = _warning(chat, labels)
    yield f'<header><h1 dir="auto">{title}</h1><p>{exported}</p>{warning}</header>\n'
    for number, message in enumerate(chat.messages):
        name = f"t{number}" if has_links else ""
        yield "".join(_message(message, labels, name, picture))


def _style(light: Tokens, dark: Tokens, rules: str) -> str:
    inks = "".join(f".{name}{{color:var(--{token})}}" for token, name in INK_CLASSES.items())
    return (
        f":root{{color-scheme:light dark;{_variables(light)}}}"
        f"@media (prefers-color-scheme:dark){{:root{{{_variables(dark)}}}}}\n{rules}{inks}"
    )


def _variables(tokens: Tokens) -> str:
    return "".join(f"--{name}:{value};" for name, value in tokens.colors.items())


def _policy(style: str) -> str:
    """Nothing but this one style: no script, no picture, no font, no form, no frame."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _warning(chat: WholeChat, labels: Labels) -> str:
    if chat.is_complete:
        return ""
    return f'<p class="warn">{html.escape(labels.incomplete)}</p>'


def _message(message: WholeMessage, labels: Labels, name: str, picture: Picture) -> Iterator[str]:
    heading = html.escape(one_line(labels.heading(message)))
    yield f'<article class="{message.role}"><h2>{heading}</h2>\n'
    for number, part in enumerate(message.parts):
        yield from _part(part, message, labels, name and f"{name}-{number}", picture)
    yield "</article>\n"


def _part(
    part: Part, message: WholeMessage, labels: Labels, name: str, picture: Picture
) -> Iterator[str]:
    match part:
        case Words(text) if message.role == "user":
            yield f'<div class="said" dir="auto">{html.escape(show_hidden(text))}</div>\n'
        case Words(text):
            yield from blocks_html(render(text), labels.left_out, name, picture)
        case HandedOver():
            name = one_line(part.agent_display_name or part.agent_name or labels.assistant)
            words = html.escape(labels.handed_over.format(name=name))
            yield f'<p class="line">{words}</p>\n'
        case Call():
            yield from _call(part, labels)


def _call(call: Call, labels: Labels) -> Iterator[str]:
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
