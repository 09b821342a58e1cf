"""`Piece` lays out and paints one block of a reply; prose, rules and what is left out are here."""

from abc import ABC, abstractmethod
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from app.ui.markdown.blocks import Block, HorizontalRule, OmittedBlock, Prose
from app.ui.markdown.sanitize import note_number, page_name
from app.ui.transcript.blocks.horizontal_scroll import HorizontalScroll
from app.ui.transcript.blocks.text_box import PlacedLink, PlacedTextBox, TextBox
from app.ui.transcript.hit_targets import HitTarget, InlineAction, OpenLink, OpenPage, ToNote
from app.ui.transcript.painting import PaintContext, TranscriptStyle
from app.ui.transcript.selection import TextRange
from app.ui.widgets.stylesheet import Token

_LETTERS_A_LINE: Final = 95
_RULE_PX: Final = 9
_OVERHANG_PX: Final = 16
_ABOVE_PX: Final = 4

BlockKind = TypeVar("BlockKind", bound=Block)


class Piece(ABC, Generic[BlockKind]):
    """One block, laid out at a width. Its document exists only while it is near the window."""

    def __init__(self, style: TranscriptStyle, block: BlockKind) -> None:
        self._style = style
        self.block = block

    def update(self, block: Block) -> bool:
        """Show a later state of the block; False if it needs a piece of another kind."""
        if type(block) is not type(self.block):
            return False
        before, self.block = self.block, block
        if before != block:
            self.refresh(before)
        return True

    @abstractmethod
    def refresh(self, before: BlockKind) -> None:
        """Follow a change of the block from what it was `before`."""

    @abstractmethod
    def estimate(self) -> int:
        """Guess the height."""

    @abstractmethod
    def measure(self, width: float) -> int:
        """Lay out at this width and return the height."""

    @abstractmethod
    def paint(self, context: PaintContext, origin: QPointF, span: TextRange | None) -> None:
        """Draw with the top left corner at `origin`."""

    def release(self) -> None:
        """Drop the document; the next measuring makes another."""

    def placed_box(self) -> PlacedTextBox | None:
        """Return the text in coordinates of the piece; make it if there is none now."""
        return None

    def targets(self) -> list[HitTarget]:
        """Return the targets that can be pressed."""
        return []

    def end_box(self) -> QRectF:
        """Return where the next letter would stand; the caret of a reply is drawn there."""
        return QRectF()

    @property
    def is_right_to_left(self) -> bool:
        """Whether the text begins on the right."""
        return False

    @property
    def scroll(self) -> HorizontalScroll | None:
        """The horizontal scroll of a text that is wider than the piece."""
        return None


class _TextTraits:
    """The properties of a text whose document was dropped."""

    def __init__(self, links: list[PlacedLink], is_right_to_left: bool) -> None:
        self._links = links
        self.is_right_to_left = is_right_to_left

    def links(self) -> list[PlacedLink]:
        """Return the links."""
        return self._links


class TextPiece(Piece[BlockKind]):
    """A piece that is one text."""

    def __init__(self, style: TranscriptStyle, block: BlockKind) -> None:
        super().__init__(style, block)
        self._text_box: TextBox | None = None
        self._width = 0.0
        self._cached_traits: _TextTraits | None = None

    @abstractmethod
    def make_box(self) -> TextBox:
        """Make the text box; called again after `release` when the piece is measured or painted."""

    @property
    def text_left(self) -> float:
        """The left edge of the text, in coordinates of the piece."""
        return 0.0

    @property
    def text_top(self) -> float:
        """The top of the text, in coordinates of the piece."""
        return 0.0

    @property
    def text_width(self) -> float:
        """The width at which the text is laid out."""
        return self._width

    @property
    def window(self) -> QRectF | None:
        """The visible part of a text that is wider than the piece."""
        return None

    def placed_box(self) -> PlacedTextBox | None:
        """Return the text, and its visible part."""
        return PlacedTextBox(self._text_origin, self.box, self.window)

    @property
    def _text_origin(self) -> QPointF:
        return QPointF(self.text_left, self.text_top)

    @property
    def ink(self) -> Token:
        """The colour of the text."""
        return "ink"

    @property
    def box(self) -> TextBox:
        """The text, made when it is needed."""
        if self._text_box is None:
            self._text_box = self.make_box()
            self._text_box.set_width(self.text_width)
        return self._text_box

    def refresh(self, _before: BlockKind) -> None:
        """Drop the text, to be made again."""
        self._text_box = self._cached_traits = None

    def release(self) -> None:
        """Drop the document; what is asked of all pieces is kept."""
        if self._text_box is not None:
            self._cached_traits = _TextTraits(
                self._text_box.links(), self._text_box.is_right_to_left
            )
        self._text_box = None

    @property
    def _traits(self) -> _TextTraits | TextBox:
        """The document, or the properties kept of it: to read them, no document is made."""
        return self._cached_traits if self._text_box is None and self._cached_traits else self.box

    def measure(self, width: float) -> int:
        """Lay out at this width."""
        self._width, self._cached_traits = width, None
        self.box.set_width(self.text_width)
        return round(self.box.height)

    def paint(self, context: PaintContext, origin: QPointF, span: TextRange | None) -> None:
        """Draw the text, and the focus ring around a link."""
        painter = context.painter
        painter.save()
        # Intersected, as the canvas has clipped to what is painted anew.
        painter.setClipRect(self._clip_rect.translated(origin), Qt.ClipOperation.IntersectClip)
        self.box.paint(context, origin + self._text_origin, self.ink, span)
        if context.focus and isinstance(context.focus.action, InlineAction):
            self._draw_focus(painter, context.focus, origin)
        painter.restore()

    def targets(self) -> list[HitTarget]:
        """Return the links, and the references to notes."""
        found = []
        for link in self._traits.links():
            first, *more_boxes = (box.translated(self.text_left, 0) for box in link.boxes)
            action, name = _deed_of(link)
            found.append(HitTarget(action, first, name, tuple(more_boxes), self.window))
        return found

    def end_box(self) -> QRectF:
        """Return the box of the next letter."""
        return self.box.end_box().translated(self._text_origin)

    @property
    def is_right_to_left(self) -> bool:
        """Whether the text begins on the right."""
        return self._traits.is_right_to_left

    @property
    def _clip_rect(self) -> QRectF:
        """The clip of the text: heaps of marks on letters do not reach the blocks around."""
        if self.window:
            return self.window
        text = QRectF(0, 0, self._width, self.box.height)
        return text.adjusted(-_OVERHANG_PX, -_ABOVE_PX, _OVERHANG_PX, _ABOVE_PX)

    def _draw_focus(self, painter: QPainter, focus: HitTarget, origin: QPointF) -> None:
        for target in self.targets():
            if target.moved(origin.x(), origin.y()).box == focus.box:
                self._style.draw_focus(painter, focus.box, 4)


class ProsePiece(TextPiece[Prose]):
    """A paragraph or a heading."""

    def make_box(self) -> TextBox:
        """Make the text box of the piece."""
        font = self._style.heading(self.block.level) if self.block.level else self._style.body
        line_px = round(self._style.line_px * max(1.0, font.pointSizeF() / self._base_size()))
        box = TextBox(self._style, font, line_px)
        box.show_html(self.block.html)
        return box

    def estimate(self) -> int:
        """Estimate the height in pixels from the length of the text, without laying it out."""
        lines = 1 + len(str(self.block.html)) // _LETTERS_A_LINE
        return lines * self._style.line_px

    def _base_size(self) -> float:
        return self._style.body.pointSizeF()


class LeftOutPiece(TextPiece[OmittedBlock]):
    """Says how many characters are not shown."""

    @property
    def ink(self) -> Token:
        """A quiet colour, since it is not part of the text."""
        return "ink-2"

    def make_box(self) -> TextBox:
        """Make the text box with the number of characters."""
        words = QCoreApplication.translate(
            "Transcript", "{count} more characters are not shown."
        ).format(count=f"{self.block.count:,}")
        box = TextBox(self._style, self._style.secondary, self._style.line_px)
        box.show_plain(words)
        return box

    def estimate(self) -> int:
        """Return the height of one line."""
        return self._style.line_px


class RulePiece(Piece[HorizontalRule]):
    """A horizontal rule."""

    def __init__(self, style: TranscriptStyle, block: HorizontalRule) -> None:
        super().__init__(style, block)
        self._width = 0.0

    def refresh(self, _before: HorizontalRule) -> None:
        """Do nothing: all rules are the same."""

    def estimate(self) -> int:
        """Return the fixed height."""
        return _RULE_PX

    def measure(self, width: float) -> int:
        """Set the width and return the fixed height."""
        self._width = width
        return _RULE_PX

    def paint(self, context: PaintContext, origin: QPointF, _span: TextRange | None) -> None:
        """Draw the line."""
        y = origin.y() + _RULE_PX // 2
        self._style.draw_line(context.painter, origin.x(), origin.x() + self._width, y)


def _deed_of(link: PlacedLink) -> tuple[InlineAction, str]:
    """Return the action of a link, and its accessible name."""
    number = note_number(link.address)
    if page := page_name(link.address):
        return OpenPage(page, link.words), link.words
    if number is None:
        return OpenLink(link.address, link.words), link.address
    name = QCoreApplication.translate("Transcript", "Footnote {number}").format(number=number)
    return ToNote(number), name
