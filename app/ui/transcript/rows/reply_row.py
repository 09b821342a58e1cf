"""`ReplyRow` shows a part of a reply: the agent's badge and name, then the text, without a bubble.

`AgentHead` is the badge and name of the agent. `HandoverRow` is a thin line with words where
another agent goes on.
"""

from collections.abc import Set
from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from app.chat.items import Handover, Item, ReplyPart
from app.ui.markdown.incremental import IncrementalMarkdown
from app.ui.transcript.blocks.block_stack import BlockStack
from app.ui.transcript.blocks.horizontal_scroll import HorizontalScroll
from app.ui.transcript.blocks.text_box import PlacedTextBox
from app.ui.transcript.hit_targets import HitTarget
from app.ui.transcript.painting import PaintContext
from app.ui.transcript.rows.message_foot import MessageFoot
from app.ui.transcript.rows.row import Row, RowContext
from app.ui.widgets.labels import short_name
from app.viewmodels.i18n import catalog_text

_WORDS_GAP_PX: Final = 10
_HANDOVER_MARK_PX: Final = 18
_MARK_GAP_PX: Final = 6


class HandoverRow(Row):
    """A hairline with a text in its middle: which agent handed over to which."""

    def __init__(self, row_context: RowContext) -> None:
        self._style = row_context.style
        self._mark_of = row_context.agent_mark
        self._agents: tuple[str, ...] = ()
        self._words = ""
        self._width = 0
        self.height = self._style.line_px

    def show(self, item: Item) -> bool:
        """Show who handed over to whom."""
        if not isinstance(item, Handover):
            return False
        self._words = _words_of(item)
        names = (item.from_display_name, item.to_display_name)
        self._agents = tuple(catalog_text(name) for name in names if name)
        return True

    def set_width(self, width: int) -> None:
        """Set the width to draw at."""
        self._width = width

    def paint(self, context: PaintContext) -> None:
        """Draw the line and the words in its middle."""
        painter, style = context.painter, self._style
        metrics = QFontMetricsF(style.small)
        side = style.scaled(_HANDOVER_MARK_PX)
        marks_px = len(self._agents) * (side + _MARK_GAP_PX)
        room = self._width - 8 * _WORDS_GAP_PX - marks_px
        words = metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, room)
        half = (metrics.horizontalAdvance(words) + marks_px) / 2 + _WORDS_GAP_PX
        middle, y = self._width / 2, self.height // 2
        # The last mark is that of the agent that takes over; of two, it follows the words.
        left, right = middle - half + _WORDS_GAP_PX, middle + half - _WORDS_GAP_PX
        for agent, at in zip(self._agents, (left, right - side), strict=False):
            style.draw_mark(painter, QRectF(at, y - side / 2, side, side), self._mark_of(agent))
        words_left = left + side + _MARK_GAP_PX
        style.draw_line(painter, 0, middle - half, y)
        style.draw_line(painter, middle + half, self._width, y)
        painter.setFont(style.small)
        painter.setPen(style.color("ink-3"))
        box = QRectF(words_left, 0, metrics.horizontalAdvance(words) + 1, self.height)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, words)

    @property
    def shown_text(self) -> str:
        """The words that name both agents, for copying and screen readers."""
        return self._words


def _words_of(item: Handover) -> str:
    to = short_name(catalog_text(item.to_display_name))
    if item.from_display_name is None:
        return QCoreApplication.translate("Transcript", "{agent} continues").format(agent=to)
    return QCoreApplication.translate("Transcript", "{one} handed over to {other}").format(
        one=short_name(catalog_text(item.from_display_name)), other=to
    )


_BADGE_PX: Final = 22
_BADGE_GAP_PX: Final = 6
_NAME_GAP_PX: Final = 8
_CARET_WIDTH_PX: Final = 4
_CARET_GAP_PX: Final = 4
_CARET_HEIGHT: Final = 0.75
_GUESSED_PX_A_LETTER: Final = 0.3


class AgentHead:
    """The agent's badge and name above its text. Made by a row; ends with it."""

    def __init__(self, row_context: RowContext) -> None:
        self._style = row_context.style
        self._mark_of = row_context.agent_mark
        self._agent: str | None = None
        self._name = ""

    @property
    def height(self) -> int:
        """The height, with the gap below."""
        return self._style.scaled(_BADGE_PX) + _BADGE_GAP_PX

    def show(self, agent: str | None) -> None:
        """Show this name, which comes from elsewhere; None for an assistant without one."""
        # Painted with each frame while the reply streams, and checked for hidden letters once.
        if not self._name or agent != self._agent:
            assistant = QCoreApplication.translate("Transcript", "Assistant")
            self._agent, self._name = agent, short_name(agent or assistant)

    def paint(self, painter: QPainter) -> None:
        """Paint badge and name at the origin."""
        style = self._style
        side = style.scaled(_BADGE_PX)
        badge = QRectF(0, 0, side, side)
        style.draw_mark(painter, badge, self._mark_of(self._agent or self._name))
        painter.setFont(style.secondary_bold)
        painter.setPen(style.color("ink"))
        line = QRectF(side + _NAME_GAP_PX, 0, 600, side)
        align = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.drawText(line, align, self._name)


class ReplyRow(Row):
    """Shows a text that grows: only what is new is parsed and laid out.

    A long text is parsed a part at a time, by `advance`.
    """

    def __init__(self, row_context: RowContext) -> None:
        self._row_context = row_context
        self._markdown = IncrementalMarkdown(pages=row_context.pages)
        self._stack = BlockStack(row_context)
        self._foot = MessageFoot(row_context.style, row_context.actions)
        self._width = 0
        self._item: ReplyPart | None = None
        self._head = AgentHead(row_context)

    def show(self, item: Item) -> bool:
        """Show a later state of the reply."""
        if not isinstance(item, ReplyPart):
            return False
        before = self._item
        if before is None or item.text != before.text:
            self._update_markdown(item.text)
        self._head.show(catalog_text(item.agent_display_name or item.agent_name or "") or None)
        self._item = item
        self._foot.show(item)
        self.advance()
        return True

    def _update_markdown(self, text: str) -> None:
        if not self._markdown.update(text):
            self._markdown = IncrementalMarkdown(pages=self._row_context.pages)
            self._markdown.update(text)

    @property
    def has_more(self) -> bool:
        """Whether some of the text was not parsed yet."""
        return not self._markdown.is_complete

    def advance(self) -> None:
        """Parse and lay out one more part."""
        if not self._markdown.is_complete:
            changed = self._markdown.advance()
            self._stack.show(self._markdown.blocks, changed)
        self._fit()

    def set_width(self, width: int) -> None:
        """Lay out at this width."""
        self._width = width
        self._stack.set_width(width)
        self._fit()

    def lay_out(self, top: float, bottom: float) -> None:
        """Lay out the blocks in this band."""
        self._stack.lay_out(top - self._head_px, bottom - self._head_px)
        self._fit()

    @property
    def wrapped(self) -> Set[int]:
        """The pieces of code whose long lines are broken."""
        return self._stack.wrapped

    @wrapped.setter
    def wrapped(self, pieces: Set[int]) -> None:
        self._stack.wrapped = pieces
        self._fit()

    def scroll_at(self, point: QPointF) -> HorizontalScroll | None:
        """Return the horizontal scroll of the block at a point."""
        return self._stack.scroll_at(point - QPointF(0, self._head_px))

    @property
    def measured_count(self) -> int:
        """How many blocks were laid out."""
        return self._stack.measured_count

    def paint(self, context: PaintContext) -> None:
        """Paint badge and name, the blocks, and the caret while the reply streams."""
        head = self._head_px
        if head:
            self._head.paint(context.painter)
        context.painter.translate(0, head)
        self._stack.paint(context.lowered(head))
        context.painter.translate(0, -head)
        if self._item and self._item.is_streaming:
            self._paint_caret(context.painter)
        self._foot.paint(context, self._foot_top, self._width)

    def targets(self) -> list[HitTarget]:
        """Return links, Copy buttons, and those of the foot."""
        targets = [target.moved(0, self._head_px) for target in self._stack.targets()]
        return targets + self._foot.targets(self._foot_top, self._width)

    def hint_at(self, point: QPointF) -> str:
        """Return what the reply used, at the words of the foot."""
        return self._foot.hint_at(point, self._foot_top, self._width)

    @property
    def piece_count(self) -> int:
        """Each block is a piece."""
        return self._stack.count

    def text_box(self, piece: int) -> PlacedTextBox | None:
        """Return the text of a block, laid out."""
        self._stack.lay_out_block(piece)
        return self.peek_text_box(piece)

    def peek_text_box(self, piece: int) -> PlacedTextBox | None:
        """Return the text of a block, at its place or where that is guessed to be."""
        placed = self._stack.text_box(piece)
        return placed.moved(0, self._head_px) if placed else None

    def piece_at(self, y: float) -> int:
        """Return the number of the block nearest to a height."""
        return self._stack.piece_at(y - self._head_px)

    @property
    def source_text(self) -> str:
        """The Markdown."""
        return self._item.text if self._item else ""

    @property
    def _head_px(self) -> int:
        if not self._item or not self._item.shows_agent:
            return 0
        return self._head.height

    def _fit(self) -> None:
        body = self._stack.height
        if not self._stack.count and self._item and self._item.is_streaming:
            body = self._row_context.style.line_px
        unread = round(self._markdown.unread * _GUESSED_PX_A_LETTER)
        self.height = self._head_px + body + unread + self._foot.height

    @property
    def _foot_top(self) -> int:
        return self.height - self._foot.height

    def _paint_caret(self, painter: QPainter) -> None:
        style = self._row_context.style
        end = self._stack.end_box() if self._stack.count else QRectF(0, 0, 0, style.line_px)
        tall = style.line_px * _CARET_HEIGHT
        top = end.top() + (end.height() - tall) / 2 + self._head_px
        gap = _CARET_GAP_PX if self._stack.count else 0
        painter.fillRect(QRectF(end.left() + gap, top, _CARET_WIDTH_PX, tall), style.color("ink"))
