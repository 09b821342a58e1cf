"""`CodePiece` shows a code block with its language and buttons, highlighted when idle.

`CodeButtons` places and draws the buttons: Open preview for code that can be rendered, Wrap if a
line is longer than the block is wide, Save as… and Copy. `HighlightScheduler` highlights code for a
few milliseconds in each idle turn of the event loop.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Protocol

from PySide6.QtCore import QCoreApplication, QObject, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QTextCharFormat, QTextLayout

from app.chat.code_files import preview_kind
from app.ui.markdown.blocks import Code, HighlightRange
from app.ui.transcript.blocks.horizontal_scroll import BAR_PX, HorizontalScroll
from app.ui.transcript.blocks.pieces import TextPiece
from app.ui.transcript.blocks.text_box import TextBox
from app.ui.transcript.hit_targets import (
    CopyText,
    HitTarget,
    PreviewCode,
    SaveCode,
    Scroll,
    TargetAction,
    Wrap,
)
from app.ui.transcript.painting import RADIUS_PX, PaintContext, TranscriptStyle
from app.ui.transcript.selection import TextRange

_TURN_S: Final = 0.004
_PAUSE_S: Final = 0.1
# Code that grows is lexed again and again; this bounds the share of time that takes.
_REST_FACTOR: Final = 10


class Highlightable(Protocol):
    """The interface of a code block that is highlighted line by line."""

    block: Code

    @property
    def is_drawn(self) -> bool:
        """Whether the block is still shown."""

    def highlight_line(self, line: int, ranges_found: list[HighlightRange]) -> None:
        """Highlight one line."""


@dataclass(slots=True)
class _Job:
    """One pass of the lexer over a code block, from its beginning."""

    piece: Highlightable
    text: str
    lines: Iterator[list[HighlightRange]]
    line: int = 0
    spent_s: float = 0.0


class HighlightScheduler(QObject):
    """Highlights code blocks one after the other.

    One for a view; ends with it.
    """

    highlighted = Signal()
    """Some lines have other colours now."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[int, Highlightable] = {}
        self._not_before: dict[int, float] = {}
        self._job: _Job | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_timer_timeout)

    @property
    def is_idle(self) -> bool:
        """Whether everything is highlighted."""
        return not self._waiting and self._job is None

    def schedule(self, piece: Highlightable) -> None:
        """Highlight this code soon, again if it was highlighted before."""
        if piece.block.language:
            self._waiting[id(piece)] = piece
            self._arm()

    def clear(self) -> None:
        """Drop all work, since none of the code is shown any more."""
        self._waiting.clear()
        self._not_before.clear()
        self._job = None
        self._timer.stop()

    def _arm(self) -> None:
        if self._timer.isActive():
            return
        if self._job:
            # Zero: Qt comes back once no other event waits.
            self._timer.start(0)
        elif self._waiting:
            soonest = min(self._not_before.get(key, 0.0) for key in self._waiting)
            self._timer.start(max(0, round((soonest - time.monotonic()) * 1000)))

    def _on_timer_timeout(self) -> None:
        began = time.monotonic()
        job = self._job = self._job or self._next_job(began)
        if job:
            self._work(job, began + _TURN_S)
            job.spent_s += time.monotonic() - began
            self.highlighted.emit()
        self._arm()

    def _next_job(self, now: float) -> _Job | None:
        ready = (key for key in self._waiting if self._not_before.get(key, 0.0) <= now)
        key = next(ready, None)
        if key is None:
            return None
        piece = self._waiting.pop(key)
        if not piece.is_drawn:
            self._not_before.pop(key, None)
            return None
        # pygments takes long to import, and a window without code needs none of it.
        from app.ui.markdown.highlight import highlight_lines  # noqa: PLC0415

        text = piece.block.text
        return _Job(piece, text, highlight_lines(text, piece.block.language))

    def _work(self, job: _Job, until: float) -> None:
        for ranges_found in job.lines:
            job.piece.highlight_line(job.line, ranges_found)
            job.line += 1
            if time.monotonic() >= until:
                return
        now = time.monotonic()
        self._not_before = {key: at for key, at in self._not_before.items() if at > now}
        rest = max(_PAUSE_S, job.spent_s * _REST_FACTOR)
        self._not_before[id(job.piece)] = now + rest
        self._job = None


_HEADER_PX: Final = 32
_RIGHT_PX: Final = 6
_ICON_PX: Final = 14
_ROOM_PX: Final = 7
_LABEL_PX: Final = 90
_ICONS: Final[dict[type[object], str]] = {
    PreviewCode: "globe",
    Wrap: "wrap-text",
    SaveCode: "download",
    CopyText: "copy",
}
_V_CENTER: Final = Qt.AlignmentFlag.AlignVCenter


class CodeButtons:
    """Places the buttons of a block at its right edge, and draws them.

    Made by the piece; ends with it.
    """

    def __init__(self, style: TranscriptStyle, number: int, *, stays_here: bool) -> None:
        self._style = style
        self._stays_here = stays_here
        self._wrap = Wrap(number)
        self._width = 0.0
        self._wraps: bool | None = None

    def place(self, width: float, *, wraps: bool | None) -> None:
        """Set the width of the block, and whether lines wrap; None: all lines fit."""
        self._width, self._wraps = width, wraps

    def targets(self, block: Code) -> list[HitTarget]:
        """Return the buttons from left to right; without their words where there is no room."""
        offered = self._offered(block)
        shown = [(action, self._words(action)) for action in offered]
        needed = sum(self._width_of(words) for _, words in shown) + _LABEL_PX
        has_words = needed + _RIGHT_PX <= self._width
        right = self._width - _RIGHT_PX
        found: list[HitTarget] = []
        for action, words in reversed(shown):
            width = self._width_of(words if has_words else "")
            box = QRectF(right - width, 4, width, self._style.scaled(_HEADER_PX) - 8)
            tooltip = "" if has_words else words
            found.insert(0, HitTarget(action, box, self._name(action), tooltip=tooltip))
            right = box.left()
        return found

    def paint(self, context: PaintContext, origin: QPointF, block: Code) -> None:
        """Draw the buttons of the block whose top left corner is at `origin`."""
        for target in self.targets(block):
            placed = target.moved(origin.x(), origin.y())
            self._paint_button(context, placed, has_words=not target.tooltip)
            if context.focus == placed:
                self._style.draw_focus(context.painter, placed.box)

    def _paint_button(self, context: PaintContext, target: HitTarget, *, has_words: bool) -> None:
        box, is_done = target.box, context.done == target.action
        icon = "check" if is_done else _ICONS[type(target.action)]
        place = QRectF(box.left() + _ROOM_PX, box.center().y() - _ICON_PX / 2, _ICON_PX, _ICON_PX)
        self._style.draw_icon(context.painter, icon, "ink-2", place)
        if not has_words:
            return
        words = self._words(target.action)
        if is_done and isinstance(target.action, CopyText):
            words = QCoreApplication.translate("Transcript", "Copied")
        context.painter.setFont(self._style.small)
        context.painter.setPen(self._style.color("ink-2"))
        line = box.adjusted(_ICON_PX + 2 * _ROOM_PX, 0, 40, 0)
        context.painter.drawText(line, _V_CENTER | Qt.TextFlag.TextSingleLine, words)

    def _offered(self, block: Code) -> list[TargetAction]:
        given = (block.text, block.language, bool(block.left_out))
        actions: list[TargetAction] = []
        if self._stays_here:
            return [*([self._wrap] if self._wraps is not None else []), CopyText(block.text)]
        if preview_kind(block.language, block.text) is not None:
            actions.append(PreviewCode(*given))
        if self._wraps is not None:
            actions.append(self._wrap)
        return [*actions, SaveCode(*given), CopyText(block.text)]

    def _width_of(self, words: str) -> float:
        if not words:
            return _ICON_PX + 2 * _ROOM_PX
        return QFontMetricsF(self._style.small).horizontalAdvance(words) + _ICON_PX + 3 * _ROOM_PX

    def _words(self, action: TargetAction) -> str:
        translate = QCoreApplication.translate
        match action:
            case PreviewCode():
                return translate("Transcript", "Open preview")
            case SaveCode():
                return translate("Transcript", "Save as…")
            case Wrap() if self._wraps:
                return translate("Transcript", "Don’t wrap")
            case Wrap():
                return translate("Transcript", "Wrap")
        return translate("Transcript", "Copy")

    def _name(self, action: TargetAction) -> str:
        translate = QCoreApplication.translate
        match action:
            case PreviewCode():
                return translate("Transcript", "Open preview in the browser")
            case SaveCode():
                return translate("Transcript", "Save code as…")
            case Wrap() if self._wraps:
                return translate("Transcript", "Don’t wrap long lines")
            case Wrap():
                return translate("Transcript", "Wrap long lines")
        return translate("Transcript", "Copy code")


_SIDE_PX: Final = 15
_LABEL_SIDE_PX: Final = 13
_TOP_PX: Final = 11
_BOTTOM_PX: Final = 12

# Drawing a line takes as long as it is, however little of it is seen.
_LONGEST_LINE: Final = 8192


class CodePiece(TextPiece[Code]):
    """Shows code on a ground of its own, scrolled sideways when its lines are longer.

    New lines are appended to what is there; the colours follow a little later. `number` is that
    of the piece in its row. What `stays_here` is neither saved nor shown elsewhere.
    """

    def __init__(
        self,
        style: TranscriptStyle,
        block: Code,
        highlighter: HighlightScheduler,
        number: int,
        *,
        stays_here: bool = False,
    ) -> None:
        super().__init__(style, block)
        self._highlighter = highlighter
        self._buttons = CodeButtons(style, number, stays_here=stays_here)
        self._scroll = HorizontalScroll()
        self._wraps = False
        self._must_wrap = _has_endless_line(block)
        self._height = 0

    def make_box(self) -> TextBox:
        """Make the code, to be highlighted when there is time."""
        style, breaks_lines = self._style, self._breaks_lines
        box = TextBox(
            style, style.mono, style.mono_line_px, is_code=True, breaks_lines=breaks_lines
        )
        box.show_plain(self.block.text)
        self._highlighter.schedule(self)
        return box

    @property
    def text_left(self) -> float:
        """The left edge of the code: left of the block when it is scrolled."""
        return self._scroll.text_left

    @property
    def text_top(self) -> float:
        """The top of the code, below the header."""
        return self._body_top

    @property
    def text_width(self) -> float:
        """The width of the block inside its margins."""
        return max(1.0, self._width - 2 * _SIDE_PX)

    @property
    def window(self) -> QRectF | None:
        """The visible part of code that is wider than the block."""
        return self._inside if self._scroll.can_move else None

    @property
    def is_right_to_left(self) -> bool:
        """Never: code goes from left to right, whatever letters it begins with."""
        return False

    @property
    def wraps(self) -> bool:
        """Whether lines that are too long go on in the next one."""
        return self._wraps

    @wraps.setter
    def wraps(self, wraps: bool) -> None:
        if wraps != self._wraps:
            self._wraps = wraps
            self._text_box = None

    def refresh(self, before: Code) -> None:
        """Append what is new, if that is all that is new."""
        broke_lines = self._breaks_lines
        self._must_wrap = _has_endless_line(self.block)
        if self._text_box is None or self.block.text == before.text:
            return
        is_more = self.block.text.startswith(before.text)
        if is_more and self._breaks_lines == broke_lines:
            self._text_box.append_plain(self.block.text[len(before.text) :])
            self._highlighter.schedule(self)
        else:
            self._text_box = None

    def estimate(self) -> int:
        """Guess by the number of lines."""
        lines = 1 + self.block.text.count("\n")
        return (
            lines * self._style.mono_line_px + self._style.scaled(_HEADER_PX) + _TOP_PX + _BOTTOM_PX
        )

    def measure(self, width: float) -> int:
        """Lay out at this width."""
        self._width = width
        self.box.set_width(self.text_width)
        breaks_lines = self._breaks_lines
        content = self.text_width if breaks_lines else self.box.content_width
        self._scroll.fit(_SIDE_PX, self.text_width, content)
        is_long = self.box.has_broken_lines if breaks_lines else self._scroll.can_move
        has_choice = is_long and not self._must_wrap
        self._buttons.place(width, wraps=self._wraps if has_choice else None)
        note = self._style.line_px if self.block.left_out else 0
        self._height = self._body_top + round(self.box.height) + note + _BOTTOM_PX
        return self._height

    def paint(self, context: PaintContext, origin: QPointF, span: TextRange | None) -> None:
        """Draw ground, header and code."""
        painter, style = context.painter, self._style
        panel = QRectF(origin.x(), origin.y(), self._width, self._height)
        header = style.scaled(_HEADER_PX)
        style.draw_panel(painter, panel, "code-bg", "line", RADIUS_PX)
        style.draw_line(painter, panel.left() + 1, panel.right() - 1, panel.top() + header - 1)
        painter.setFont(style.small)
        painter.setPen(style.color("ink-2"))
        label = QRectF(panel.left() + _LABEL_SIDE_PX, panel.top(), panel.width() / 2, header)
        painter.drawText(label, _V_CENTER | Qt.TextFlag.TextSingleLine, self._title())
        self._buttons.paint(context, origin, self.block)
        super().paint(context, origin, span)
        if self.block.left_out:
            self._paint_left_out(context, panel)
        self._scroll.paint_bar(painter, style, origin, self._bar_top)
        bar = self._bar().moved(origin.x(), origin.y())
        if context.focus == bar:
            style.draw_focus(painter, bar.box)

    def targets(self) -> list[HitTarget]:
        """Return the buttons, and the bar."""
        buttons = self._buttons.targets(self.block)
        return [*buttons, *([self._bar()] if self._scroll.can_move else [])]

    def end_box(self) -> QRectF:
        """Return the box of the next letter, or the end of the block if that is not visible."""
        box, inside = super().end_box(), self._inside
        box.moveLeft(min(max(box.left(), inside.left()), inside.right() - _SIDE_PX))
        return box

    @property
    def scroll(self) -> HorizontalScroll | None:
        """The horizontal scroll of code that is wider than the block."""
        return self._scroll if self._scroll.can_move else None

    def highlight_line(self, line: int, ranges_found: list[HighlightRange]) -> None:
        """Highlight a line of the code."""
        if self._text_box is None:
            return
        document = self._text_box.document
        block = document.findBlockByNumber(line)
        at = _positions(block.text())
        end = len(at) - 1
        ranges = []
        for found in ranges_found:
            part = QTextLayout.FormatRange()
            # The line may be another one by now, and is highlighted again then.
            first = at[min(found.start, end)]
            last = at[min(found.start + found.length, end)]
            part.start, part.length = first, last - first
            char_format = QTextCharFormat()
            char_format.setForeground(self._style.color(found.ink))
            part.format = char_format
            ranges.append(part)
        layout = block.layout()
        if block.isValid() and (ranges or layout.formats()):
            # Formats of the layout alone: those of the document would cut its text into fragments.
            layout.setFormats(ranges)
            # As QSyntaxHighlighter does; otherwise the line keeps the layout that it has.
            document.markContentsDirty(block.position(), block.length())

    @property
    def is_drawn(self) -> bool:
        """Whether there is a document to colour."""
        return self._text_box is not None

    @property
    def _body_top(self) -> int:
        return self._style.scaled(_HEADER_PX) + _TOP_PX - 1

    def _title(self) -> str:
        return self.block.language or QCoreApplication.translate("Transcript", "code")

    @property
    def _breaks_lines(self) -> bool:
        return self._wraps or self._must_wrap

    @property
    def _clip_rect(self) -> QRectF:
        return self._inside

    @property
    def _inside(self) -> QRectF:
        """The ground inside its hairlines, to which scrolled text is clipped."""
        return QRectF(1, self._body_top, self._width - 2, max(0.0, self._bar_top - self._body_top))

    @property
    def _bar_top(self) -> int:
        return self._height - BAR_PX

    def _bar(self) -> HitTarget:
        name = QCoreApplication.translate("Transcript", "Scroll the code horizontally")
        return HitTarget(Scroll(), self._scroll.bar(self._bar_top), name)

    def _paint_left_out(self, context: PaintContext, panel: QRectF) -> None:
        words = QCoreApplication.translate("Transcript", "{count} more lines are not shown.")
        box = panel.adjusted(_SIDE_PX, panel.height() - self._style.line_px - 8, 0, -8)
        context.painter.setFont(self._style.small)
        context.painter.setPen(self._style.color("ink-2"))
        context.painter.drawText(box, _V_CENTER, words.format(count=f"{self.block.left_out:,}"))


def _positions(line: str) -> Sequence[int]:
    """Return the position of each letter of a line in its document, and last the line's end.

    A document counts in UTF-16, where letters such as emoji count twice.
    """
    if line.isascii():
        return range(len(line) + 1)
    return list(accumulate((1 + (ord(letter) > 0xFFFF) for letter in line), initial=0))


def _has_endless_line(block: Code) -> bool:
    return max(map(len, block.text.split("\n"))) > _LONGEST_LINE
