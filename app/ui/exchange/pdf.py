"""A chat on paper: one small document after the other, so that the window keeps its turns."""

import html
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from PySide6.QtGui import QColor, QFont, QTextDocument, QTextOption

from app.exchange.exporting import PaperStep, PaperWriter
from app.exchange.labels import Labels, moment_words
from app.exchange.whole_chat import Call, HandedOver, Part, WholeChat, WholeMessage, Words
from app.ui.exchange.block_html import INK_CLASSES, code_html
from app.ui.exchange.paper import INK, Paper
from app.ui.markdown.blocks import (
    Block,
    Code,
    Formula,
    LeftOut,
    Prose,
    Rail,
    RailKind,
    Rule,
    Table,
)
from app.ui.markdown.feed import render
from app.ui.markdown.formula_drawing import DRAWN_LIMIT, EM, LARGER, Drawing, draw
from app.ui.markdown.formula_text import readable
from app.ui.markdown.mirroring import begins_right_to_left, mirror_columns
from app.ui.markdown.note_links import replace_note_links
from app.ui.markdown.safe_html import SafeHtml
from app.ui.markdown.source import show_hidden
from app.ui.parts.fonts import MONO_FAMILY
from app.ui.parts.labels import one_line
from app.ui.parts.tokens import Tokens, read_tokens

_BASE_PT: Final = 10.0
_TABLE: Final = '<table cellspacing="0" cellpadding="0" width="100%">'
_LEVEL_PT: Final = 16.0
_CODE_FILL: Final = QColor("#f7f6f3")
_USER_FILL: Final = QColor("#f0efeb")
# A document holds so many lines of plain text at most: laying out more takes longer than a turn.
_LINES_AT_ONCE: Final = 200
_CHARS_AT_ONCE: Final = 8_000
# Reading a longer text as Markdown is left to a thread.
_LONG_CHARS: Final = 2_000


def pdf_writer(themes: Path, family: Callable[[], str]) -> PaperWriter:
    """Make the writer of PDF files, in the colours that the light theme has for code."""
    tokens = read_tokens(themes / "light.toml")

    def write(
        chat: WholeChat, labels: Labels, now: datetime, path: Path
    ) -> Generator[PaperStep, None, None]:
        font = QFont(family())
        font.setPointSizeF(_BASE_PT)
        title = one_line(chat.title) or labels.untitled
        with Paper(path, title, font, labels.page) as paper:
            yield from _ChatOnPaper(paper, labels, tokens).write(chat, title, now)

    return write


class _ChatOnPaper:
    """Places one chat. Made for it."""

    def __init__(self, paper: Paper, labels: Labels, tokens: Tokens) -> None:
        self._paper = paper
        self._labels = labels
        inks = "".join(f".{c}{{color:{tokens.colors[t]}}}" for t, c in INK_CLASSES.items())
        self._sheet = (
            f"code{{font-family:'{MONO_FAMILY}';white-space:pre-wrap}}"
            f"a{{color:{tokens.colors['accent']}}} {inks}"
            " th,td{padding:3px;border:0.5px solid #c8c7c2}"
        )

    def write(self, chat: WholeChat, title: str, now: datetime) -> Iterator[PaperStep]:
        yield from self._line(f"<b>{html.escape(title)}</b>", size_pt=16)
        exported = self._labels.exported.format(date=moment_words(now))
        yield from self._line(html.escape(exported), size_pt=8.5)
        if not chat.is_complete:
            yield from self._line(html.escape(self._labels.incomplete), size_pt=8.5)
        for message in chat.messages:
            yield from self._message(message)

    def _message(self, message: WholeMessage) -> Iterator[PaperStep]:
        self._paper.skip(16)
        self._paper.keep_together(40)
        heading = one_line(self._labels.heading(message))
        yield from self._line(f"<b>{html.escape(heading)}</b>", size_pt=9)
        self._paper.skip(4)
        for part in message.parts:
            yield from self._part(part, message)

    def _part(self, part: Part, message: WholeMessage) -> Iterator[PaperStep]:
        match part:
            case Words(text) if message.role == "user":
                yield from self._plain(show_hidden(text), fill=_USER_FILL)
            case Words(text):
                reply = _Reply(text)
                if len(text) > _LONG_CHARS or reply.may_have_formulas:
                    yield reply.read
                else:
                    reply.read()
                for number, (block, lines) in enumerate(reply.blocks):
                    drawing = reply.drawings.get(number)
                    if drawing is None:
                        yield from self._block(block, lines)
                    else:
                        yield from self._formula(drawing, block.place.rails)
            case HandedOver():
                name = one_line(part.agent_display_name or part.agent_name or "")
                words = self._labels.handed_over.format(name=name or self._labels.assistant)
                yield from self._line(f"<i>{html.escape(words)}</i>", size_pt=9)
            case Call():
                yield from self._call(part)
        self._paper.skip(6)

    def _call(self, call: Call) -> Iterator[None]:
        said = [one_line(call.title), one_line(call.target), self._labels.call_words(call)]
        yield from self._line(html.escape(" · ".join(filter(None, said))), size_pt=9)
        for text in (call.input_text, call.output_text):
            if text:
                yield from self._plain(show_hidden(text), fill=_CODE_FILL, is_code=True)
                self._paper.skip(4)

    def _block(self, block: Block, lines: Sequence[str]) -> Iterator[None]:
        rails = block.place.rails
        left = len(rails) * _LEVEL_PT
        match block:
            case Prose(words, level):
                if level:
                    self._paper.skip(6)
                    self._paper.keep_together(40)
                tag = "b" if level else "span"
                size = _BASE_PT + max(0, 5 - level) if level else _BASE_PT
                yield from self._line(f"<{tag}>{_inked(words)}</{tag}>", size_pt=size, rails=rails)
            case Table(cells):
                markup = _inked(cells)
                if begins_right_to_left(markup):
                    markup = mirror_columns(markup)
                markup = markup.replace("<table>", _TABLE, 1)
                yield from self._line(markup, rails=rails)
            case Code(left_out=left_out):
                yield from self._code(lines, left)
                yield from self._left_out(left_out)
            case Formula(source):
                shown = html.escape(readable(source) or source).replace("\n", "<br>")
                yield from self._line(f'<p align="center">{shown}</p>', rails=rails)
            case Rule():
                self._paper.skip(8)
            case LeftOut(count):
                yield from self._left_out(count)
        self._paper.skip(2 if block.place.is_tight else 6)

    def _formula(self, drawing: Drawing, rails: tuple[Rail, ...]) -> Iterator[None]:
        scale = _BASE_PT * LARGER / EM
        size = (drawing.width * scale, drawing.height * scale)
        left = len(rails) * _LEVEL_PT
        self._paper.skip(4)
        self._paper.place_picture(drawing.svg(INK), size, left, _edges(rails))
        self._paper.skip(10)
        yield

    def _code(self, lines: Sequence[str], left: float) -> Iterator[None]:
        for portion in _portions(lines):
            # A line that goes on from one document to the next would begin with its break.
            markup = "".join(portion).removeprefix("\n")
            yield from self._pre(markup, left + 6, _CODE_FILL)

    def _plain(self, text: str, fill: QColor, *, is_code: bool = False) -> Iterator[None]:
        pieces = (
            line[start : start + _CHARS_AT_ONCE]
            for line in text.split("\n")
            for start in range(0, max(len(line), 1), _CHARS_AT_ONCE)
        )
        for portion in _portions(pieces):
            markup = html.escape("\n".join(portion))
            yield from self._pre(markup, 6, fill, is_code=is_code)

    def _pre(
        self, markup: str, left: float, fill: QColor, *, is_code: bool = True
    ) -> Iterator[None]:
        family = f"font-family:'{MONO_FAMILY}';font-size:9pt;" if is_code else ""
        document = self._paper.document(self._paper.width_pt - left - 6)
        document.setDefaultStyleSheet(self._sheet)
        _wrap_anywhere(document)
        document.setHtml(f'<div style="white-space:pre-wrap;{family}">{markup}</div>')
        yield from self._paper.place(document, left, fill=fill)

    def _left_out(self, count: int) -> Iterator[None]:
        if count:
            words = self._labels.left_out.format(count=count)
            yield from self._line(f"<i>{html.escape(words)}</i>", size_pt=8.5)

    def _line(
        self, markup: str, *, size_pt: float = _BASE_PT, rails: tuple[Rail, ...] = ()
    ) -> Iterator[None]:
        left = len(rails) * _LEVEL_PT
        document = self._paper.document(max(self._paper.width_pt - left, _LEVEL_PT))
        document.setDefaultStyleSheet(self._sheet)
        _wrap_anywhere(document)
        mark = rails[-1].marker if rails and rails[-1].kind is RailKind.ITEM else ""
        marked = f"{html.escape(mark)}&nbsp;" if mark else ""
        document.setHtml(f'<div style="font-size:{size_pt}pt">{marked}{markup}</div>')
        yield from self._paper.place(document, left, edges_pt=_edges(rails))


class _Reply:
    """A text that is read as Markdown by `read`, in whatever thread: blocks, and lines of code.

    `drawings` are those of formulas, by the numbers of their blocks.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self.blocks: list[tuple[Block, Sequence[str]]] = []
        self.drawings: dict[int, Drawing] = {}

    @property
    def may_have_formulas(self) -> bool:
        """Whether reading it may take longer than a turn, however short it is."""
        return "$$" in self._text or "\\[" in self._text

    def read(self) -> None:
        for block in render(self._text):
            lines = list(code_html(block.text, block.language)) if isinstance(block, Code) else []
            self.blocks.append((block, lines))
        formulas = [(n, b) for n, (b, _) in enumerate(self.blocks) if isinstance(b, Formula)]
        for number, block in formulas[:DRAWN_LIMIT]:
            if drawing := draw(block.source):
                self.drawings[number] = drawing


def _edges(rails: tuple[Rail, ...]) -> tuple[float, ...]:
    """Where the lines of quotes stand."""
    quotes = [n for n, rail in enumerate(rails) if rail.kind is RailKind.QUOTE]
    return tuple(n * _LEVEL_PT + 4 for n in quotes)


def _portions(lines: Iterable[str]) -> Iterator[list[str]]:
    """Divide lines into what one document takes."""
    portion, count = list[str](), 0
    for line in lines:
        if portion and (len(portion) == _LINES_AT_ONCE or count + len(line) > _CHARS_AT_ONCE):
            yield portion
            portion, count = [], 0
        portion.append(line)
        count += len(line)
    if portion:
        yield portion


def _inked(words: SafeHtml) -> str:
    """The markup with its links to notes as words: paper leads nowhere."""
    return replace_note_links(str(words), lambda _, said: said)


def _wrap_anywhere(document: QTextDocument) -> None:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    document.setDefaultTextOption(option)
