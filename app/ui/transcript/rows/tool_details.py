"""`ToolDetails` is the open part of a tool row: a line of facts, and below it what the call did.

For a file that was written or changed that is the difference, as the approval card shows it; for
any other call the exact input and output, with nothing hidden in them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, islice
from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainterPath

from app.approvals.visible_text import RunKind, TextRun
from app.chat.items import CallState, ToolCall
from app.ui.approval.revealed_text import RUN_INKS, RevealedParagraph, diff_paragraphs
from app.ui.transcript.blocks.text_box import PlacedTextBox, TextBox
from app.ui.transcript.hit_targets import HitTarget, ShowRest
from app.ui.transcript.painting import PaintContext, TranscriptStyle
from app.ui.transcript.selection import TextRange
from app.ui.widgets.labels import shown_text
from app.ui.widgets.stylesheet import Token
from app.viewmodels.tool_call_texts import facts_words

ICON_X: Final = 36
"""The left edge of the icon of a row, and of everything below it."""

_RIGHT_PX: Final = 12
_GAP_PX: Final = 10
_RADIUS_PX: Final = 8
_FOCUS_RADIUS_PX: Final = 4
_TEXT_INSET: Final = (10, 10)
_DIFF_INSET: Final = (13, 1)
_AFTER_FACTS_PX: Final = 3
# Of a new file the beginning says what it is; of a changed one, lines around the change come first.
_LINES_OF_NEW: Final = 5
_LINES_OF_CHANGED: Final = 12
_HEADING: Final = "@@"
# A file can have a line of megabytes, or a hundred thousand characters that are written out: laid
# out as a whole, they would hold the window for many seconds.
_ROOM_CHARS: Final = 20_000
_ROOM_OF_ALL_CHARS: Final = 100_000
_COST_OF_LINE: Final = 40


@dataclass(frozen=True, slots=True)
class _Part:
    """A text with its name over it, if it has one, and the grounds of its lines in a difference."""

    name: str
    box: TextBox
    inset: tuple[int, int] = _TEXT_INSET
    grounds: tuple[Token | None, ...] = ()

    @property
    def height(self) -> int:
        return round(self.box.height) + 2 * self.inset[1]

    def bands(self) -> Iterator[tuple[float, float, Token]]:
        """Yield top, bottom and colour of each run of lines that have a ground."""
        layout, block = self.box.document.documentLayout(), self.box.document.begin()
        tops: list[float] = []
        for _ in self.grounds:
            tops.append(layout.blockBoundingRect(block).top())
            block = block.next()
        # Each line ends where the next one begins: there is room between their boxes.
        ends = [*tops[1:], float(self.height)]
        lines = zip(tops, ends, self.grounds, strict=True)
        for ground, run in groupby(lines, key=lambda line: line[2]):
            if ground is not None:
                (top, bottom, _), *rest = run
                yield top, rest[-1][1] if rest else bottom, ground


class ToolDetails:
    """The texts are laid out when they are first shown. Made by a tool row; ends with it."""

    def __init__(self, style: TranscriptStyle) -> None:
        self._style = style
        self._texts: tuple[str, str] = ("", "")
        self._diff = ""
        self._is_headed = False
        self._line_count = 0
        self._first_count = 0
        self._facts = ""
        self._parts: list[_Part] = []
        self._width = 0
        self._shows_rest = False

    def show(self, item: ToolCall) -> None:
        """Show a later state of the call."""
        self._facts = facts_words(item)
        texts, diff = (item.input_text, item.output_text), _diff_of(item)
        if (texts, diff) == (self._texts, self._diff):
            return
        self._texts, self._diff, self._parts = texts, diff, []
        is_new = item.change is not None and item.change.is_new
        # Above a new file, a heading would only say that all of its lines follow.
        self._is_headed = is_new and diff.startswith(_HEADING)
        lines = diff.removesuffix("\n").count("\n") + 1 if diff else 0
        self._line_count = lines - 1 if self._is_headed else lines
        self._first_count = min(self._line_count, _LINES_OF_NEW if is_new else _LINES_OF_CHANGED)

    def set_width(self, width: int) -> None:
        """Lay out at this width."""
        self._width = width
        for part in self._parts:
            part.box.set_width(self._text_width(part))

    @property
    def shows_rest(self) -> bool:
        """Whether all lines of a difference are shown, as far as there is room."""
        return self._shows_rest

    @shows_rest.setter
    def shows_rest(self, shows_rest: bool) -> None:
        if shows_rest != self._shows_rest:
            self._shows_rest = shows_rest
            self._parts = []

    @property
    def height(self) -> int:
        """The height of everything."""
        parts = self._laid_out()
        end = round(self._top_of(len(parts)))
        return end + (self._label_px - 2 if self._rest_words() else 0)

    def paint(self, context: PaintContext) -> None:
        """Draw the facts, names and texts, and what shows more of a difference."""
        if self._facts:
            self._paint_words(context, self._line(0), self._facts, "ink-2")
        for index, part in enumerate(self._laid_out()):
            top = self._top_of(index)
            if part.name:
                self._paint_words(context, self._line(top - self._label_px), part.name, "ink-2")
            self._paint_ground(context, part, top)
            span = context.span_in(index, part.box.length)
            part.box.paint(context, self._origin(part, top), "ink", span)
        for target in self.targets():
            self._paint_words(context, target.box, target.name, "accent")
            if context.focus == target:
                ring = target.box.adjusted(-3, 2, 3, -2)
                self._style.draw_focus(context.painter, ring, _FOCUS_RADIUS_PX)

    def targets(self) -> list[HitTarget]:
        """Return what shows the other lines of a difference, if there are more."""
        words = self._rest_words()
        if not words:
            return []
        line = self._line(self._top_of(len(self._laid_out())) - _GAP_PX / 2)
        line.setWidth(QFontMetricsF(self._style.secondary).horizontalAdvance(words) + 1)
        return [HitTarget(ShowRest(0), line, words)]

    @property
    def count(self) -> int:
        """How many texts there are."""
        return len(self._laid_out())

    def piece_at(self, y: float) -> int:
        """Return the number of the text at a height; a text begins with its name."""
        tops = (self._top_of(index) - self._label_px for index in range(1, self.count))
        return sum(y >= top for top in tops)

    def text_box(self, index: int) -> PlacedTextBox:
        """Return one of the texts."""
        part = self._laid_out()[index]
        return PlacedTextBox(self._origin(part, self._top_of(index)), part.box)

    @property
    def shown_text(self) -> str:
        """Everything, as it is shown."""
        lines = [self._facts]
        for part in self._laid_out():
            lines += [part.name, part.box.text(TextRange(0, part.box.length))]
        return "\n".join(filter(None, lines))

    @property
    def _left(self) -> int:
        return self._style.scaled(ICON_X)

    @property
    def _label_px(self) -> int:
        return self._style.line_px + 2

    def _text_width(self, part: _Part) -> float:
        return max(40.0, self._width - self._left - _RIGHT_PX - 2.0 * part.inset[0])

    def _origin(self, part: _Part, top: float) -> QPointF:
        return QPointF(self._left + part.inset[0], top + part.inset[1])

    def _line(self, top: float) -> QRectF:
        return QRectF(self._left, top, self._width - self._left - _RIGHT_PX, self._label_px)

    def _laid_out(self) -> list[_Part]:
        """Return the laid out texts; an empty one is left out."""
        if not self._parts:
            self._parts = [self._diff_part()] if self._diff else list(self._text_parts())
            for part in self._parts:
                part.box.set_width(self._text_width(part))
        return self._parts

    def _text_parts(self) -> Iterator[_Part]:
        translate = QCoreApplication.translate
        names = (translate("Transcript", "Input"), translate("Transcript", "Output"))
        for name, text in zip(names, self._texts, strict=True):
            if text:
                box = TextBox(self._style, self._style.mono, self._style.mono_line_px)
                box.show_plain(shown_text(text))
                yield _Part(name, box)

    def _diff_part(self) -> _Part:
        style, skipped = self._style, 1 if self._is_headed else 0
        count = self._line_count if self._shows_rest else self._first_count
        room = _ROOM_OF_ALL_CHARS if self._shows_rest else _ROOM_CHARS
        lines = list(_bounded(islice(diff_paragraphs(self._diff), skipped, skipped + count), room))
        box = TextBox(style, style.mono, style.mono_line_px, is_code=True)
        box.show_runs(_inked(line) for line in lines)
        return _Part("", box, _DIFF_INSET, tuple(line.ground for line in lines))

    def _rest_words(self) -> str:
        """Return what the button below a long difference says; empty where there is none."""
        rest = self._line_count - self._first_count
        if not rest:
            return ""
        if self._shows_rest:
            return QCoreApplication.translate("Transcript", "Show fewer lines")
        return QCoreApplication.translate("Transcript", "Show %n more lines", "", rest)

    def _top_of(self, index: int) -> float:
        """Return where the panel of a text begins; for the number of all, where they end."""
        parts = self._laid_out()
        top = float(self._label_px + _AFTER_FACTS_PX if self._facts else _GAP_PX / 2)
        for number, part in enumerate(parts):
            top += self._label_px if part.name else 0
            if number == index:
                return top
            top += part.height + _GAP_PX
        return top

    def _paint_ground(self, context: PaintContext, part: _Part, top: float) -> None:
        painter, style = context.painter, self._style
        ground = QRectF(self._left, top, self._width - self._left - _RIGHT_PX, part.height)
        style.draw_panel(painter, ground, "bg" if part.grounds else "code-bg", "line", _RADIUS_PX)
        if not part.grounds:
            return
        painter.save()
        inside = QPainterPath()
        inside.addRoundedRect(ground.adjusted(1, 1, -1, -1), _RADIUS_PX - 1, _RADIUS_PX - 1)
        painter.setClipPath(inside, Qt.ClipOperation.IntersectClip)
        for above, below, token in part.bands():
            band = QRectF(ground.left(), top + part.inset[1] + above, ground.width(), below - above)
            painter.fillRect(band, style.color(token))
        painter.restore()

    def _paint_words(self, context: PaintContext, line: QRectF, words: str, ink: Token) -> None:
        painter, style = context.painter, self._style
        font = style.small if ink == "ink-2" else style.secondary
        painter.setFont(font)
        painter.setPen(style.color(ink))
        shown = QFontMetricsF(font).elidedText(words, Qt.TextElideMode.ElideRight, line.width() + 1)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)


def _bounded(lines: Iterable[RevealedParagraph], room: int) -> Iterator[RevealedParagraph]:
    """Yield lines until so many characters are shown; an ellipsis stands for what is left."""
    for line in lines:
        room -= _COST_OF_LINE
        runs: list[TextRun] = []
        for run in line.runs:
            runs.append(TextRun(run.text[: max(0, room)], run.kind))
            room -= len(run.text)
            if room < 0:
                runs.append(TextRun("…", RunKind.HIDDEN))
                break
        yield replace(line, runs=runs)
        if room < 0:
            return


def _diff_of(item: ToolCall) -> str:
    """Return the difference that a call has made; empty while it has not, and where is none."""
    is_done = item.state is CallState.DONE
    return item.change.diff if is_done and item.change is not None else ""


def _inked(line: RevealedParagraph) -> Iterator[tuple[str, Token]]:
    for run in line.runs:
        yield run.text, RUN_INKS.get(run.kind, line.ink)
