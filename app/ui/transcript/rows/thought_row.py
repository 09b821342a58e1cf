"""`ThoughtRow` shows a model's thinking: one line that expands to its text."""

import math
from collections.abc import Callable, Set
from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from app.chat.items import Item, ReplyPart, Thought
from app.ui.transcript.blocks.horizontal_scroll import HorizontalScroll
from app.ui.transcript.blocks.text_box import PlacedTextBox
from app.ui.transcript.hit_targets import HitTarget, Toggle
from app.ui.transcript.painting import PaintContext
from app.ui.transcript.rows.reply_row import AgentHead, ReplyRow
from app.ui.transcript.rows.row import Row, RowContext
from app.viewmodels.i18n import catalog_text

_CHEVRON_PX: Final = 14
_ICON_X: Final = 22
_ICON_PX: Final = 16
_WORDS_X: Final = 45
_INDENT_PX: Final = 22
_RULE_X: Final = 6
_RULE_PX: Final = 2
_BODY_GAP_PX: Final = 6
_FOCUS_SIDE_PX: Final = 4
_SECONDS_A_MINUTE: Final = 60


class ThoughtRow(Row):
    """The line "Thought for 12 s", counting while the model thinks, and below it the thought.

    The thought is untrusted Markdown, as a reply is, and drawn by the same code. It is not parsed
    while the row is collapsed.
    """

    def __init__(self, row_context: RowContext) -> None:
        self._row_context = row_context
        self._style = row_context.style
        self._clock: Callable[[], float] = row_context.clock
        self._head = AgentHead(row_context)
        self._body: ReplyRow | None = None
        self._item: Thought | None = None
        self._words = ""
        self._width = 0

    def show(self, item: Item) -> bool:
        """Show a later state of the thought."""
        if not isinstance(item, Thought):
            return False
        self._item = item
        auto = QCoreApplication.translate("Catalog", "Auto") if item.is_choosing else None
        self._head.show(catalog_text(item.agent_display_name or item.agent_name or "") or auto)
        self.tick()
        if self._body:
            self._body.show(_as_reply(item))
        self._fit()
        return True

    @property
    def counts(self) -> bool:
        """Whether its text counts seconds."""
        return self._item is not None and self._item.since is not None

    def tick(self) -> bool:
        """Update the seconds; return whether the words have changed."""
        before, self._words = self._words, self._line_words()
        return before != self._words

    def set_width(self, width: int) -> None:
        """Lay out at this width."""
        self._width = width
        if self._body:
            self._body.set_width(width - self._indent_px)
        self._fit()

    def set_open(self, is_open: bool) -> None:
        """Expand or collapse the thought."""
        if is_open == (self._body is not None):
            return
        self._body = ReplyRow(self._row_context) if is_open else None
        if self._body and self._item:
            self._body.show(_as_reply(self._item))
            if self._width:
                self._body.set_width(self._width - self._indent_px)
        self._fit()

    def paint(self, context: PaintContext) -> None:
        """Draw badge and name where a reply begins, the line and, when open, the thought."""
        painter, style = context.painter, self._style
        if self._shows_agent:
            self._head.paint(painter)
        self._paint_line(painter)
        if self._body:
            left, top = self._indent_px, self._body_top
            rule = QRectF(style.scaled(_RULE_X), top, _RULE_PX, self._body.height)
            painter.fillRect(rule, style.color("line"))
            painter.translate(left, top)
            self._body.paint(context.lowered(top))
            painter.translate(-left, -top)
        if context.focus and context.focus.action == Toggle():
            style.draw_focus(painter, context.focus.box)

    def targets(self) -> list[HitTarget]:
        """Return the line, which opens and closes the row, and links and buttons below it."""
        if not self._has_text:
            return []
        words = QFontMetricsF(self._style.secondary).horizontalAdvance(self._words)
        right = min(float(self._width), self._style.scaled(_WORDS_X) + words + _FOCUS_SIDE_PX)
        line = HitTarget(Toggle(), QRectF(0, self._line_top, right, self._line_px), self._words)
        below = self._body.targets() if self._body else []
        return [line, *(target.moved(self._indent_px, self._body_top) for target in below)]

    @property
    def has_more(self) -> bool:
        """Whether some of the thought was not parsed yet."""
        return self._body is not None and self._body.has_more

    def advance(self) -> None:
        """Parse and lay out one more part."""
        if self._body:
            self._body.advance()
        self._fit()

    def lay_out(self, top: float, bottom: float) -> None:
        """Lay out the blocks in this band."""
        if self._body:
            self._body.lay_out(top - self._body_top, bottom - self._body_top)
        self._fit()

    @property
    def wrapped(self) -> Set[int]:
        """The pieces of code whose long lines are broken."""
        return self._body.wrapped if self._body else frozenset()

    @wrapped.setter
    def wrapped(self, pieces: Set[int]) -> None:
        if self._body:
            self._body.wrapped = pieces
        self._fit()

    def scroll_at(self, point: QPointF) -> HorizontalScroll | None:
        """Return the horizontal scroll of the block at a point."""
        below = point - QPointF(self._indent_px, self._body_top)
        return self._body.scroll_at(below) if self._body else None

    @property
    def piece_count(self) -> int:
        """Each block of the thought is a piece, when it is shown."""
        return self._body.piece_count if self._body else 0

    def text_box(self, piece: int) -> PlacedTextBox | None:
        """Return the text of a block, laid out."""
        return self._moved(self._body.text_box(piece) if self._body else None)

    def peek_text_box(self, piece: int) -> PlacedTextBox | None:
        """Return the text of a block, at its place or where that is guessed to be."""
        return self._moved(self._body.peek_text_box(piece) if self._body else None)

    def piece_at(self, y: float) -> int:
        """Return the number of the block nearest to a height."""
        return self._body.piece_at(y - self._body_top) if self._body else 0

    @property
    def shown_text(self) -> str:
        """The line and, when open, the thought."""
        below = self._body.shown_text if self._body else ""
        return "\n".join(filter(None, (self._words, below)))

    @property
    def source_text(self) -> str:
        """The Markdown of the thought where it is open; a closed one is not copied."""
        return self._item.text if self._body and self._item else ""

    def _moved(self, placed: PlacedTextBox | None) -> PlacedTextBox | None:
        return placed.moved(self._indent_px, self._body_top) if placed else None

    @property
    def _shows_agent(self) -> bool:
        return self._item is not None and self._item.shows_agent

    @property
    def _has_text(self) -> bool:
        return self._item is not None and bool(self._item.text)

    @property
    def _indent_px(self) -> int:
        return self._style.scaled(_INDENT_PX)

    @property
    def _line_px(self) -> int:
        return self._style.line_px

    @property
    def _line_top(self) -> int:
        return self._head.height if self._shows_agent else 0

    @property
    def _body_top(self) -> int:
        return self._line_top + self._line_px + _BODY_GAP_PX

    def _fit(self) -> None:
        below = _BODY_GAP_PX + self._body.height if self._body else 0
        self.height = self._line_top + self._line_px + below

    def _paint_line(self, painter: QPainter) -> None:
        style = self._style
        line = QRectF(0, self._line_top, self._width, self._line_px)
        if self._has_text:
            chevron = "chevron-down" if self._body else "chevron-right"
            style.draw_icon(painter, chevron, "ink-3", _square(0, line, style.scaled(_CHEVRON_PX)))
        icon = _square(style.scaled(_ICON_X), line, style.scaled(_ICON_PX))
        style.draw_icon(painter, "brain", "ink-2", icon)
        painter.setFont(style.secondary)
        painter.setPen(style.color("ink-2"))
        words = line.adjusted(style.scaled(_WORDS_X), 0, 0, 0)
        align = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.drawText(words, align, self._words)

    def _line_words(self) -> str:
        if self._item is None:
            return ""
        if self._item.is_choosing:
            return QCoreApplication.translate("Transcript", "Choosing an agent…")
        if self._item.since is not None:
            return thinking_words(self._clock() - self._item.since)
        if self._item.seconds is None:
            return QCoreApplication.translate("Transcript", "Thought")
        words = QCoreApplication.translate("Transcript", "Thought for {time}")
        # Even the shortest thought took time: never 0 s.
        return words.format(time=_time_words(max(1, round(self._item.seconds))))


def thinking_words(seconds: float) -> str:
    """Return the text in place of a reply that was requested `seconds` ago and has not begun."""
    whole = math.floor(seconds)
    if whole < 1:
        return QCoreApplication.translate("Transcript", "Thinking…")
    words = QCoreApplication.translate("Transcript", "Thinking… {time}")
    return words.format(time=_time_words(whole))


def _time_words(seconds: int) -> str:
    minutes, rest = divmod(seconds, _SECONDS_A_MINUTE)
    if not minutes:
        return QCoreApplication.translate("Transcript", "{seconds} s").format(seconds=rest)
    words = QCoreApplication.translate("Transcript", "{minutes} min {seconds} s")
    return words.format(minutes=minutes, seconds=rest)


def _as_reply(item: Thought) -> ReplyPart:
    """Return the thought as a part of a reply without badge, name or caret."""
    return ReplyPart(
        key=item.key,
        text=item.text,
        agent_name=None,
        agent_display_name=None,
        shows_agent=False,
        is_streaming=False,
        created_at=None,
    )


def _square(left: float, line: QRectF, side: int) -> QRectF:
    return QRectF(left, round(line.center().y() - side / 2), side, side)
