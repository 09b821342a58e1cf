"""`ToolCallRow` shows a tool call: one line that opens to its details, and can undo the call."""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from app.chat.items import Action, CallState, Item, ToolCall
from app.ui.transcript.blocks.text_box import PlacedTextBox
from app.ui.transcript.hit_targets import Choose, HitTarget, Toggle
from app.ui.transcript.painting import RADIUS_PX, PaintContext
from app.ui.transcript.rows.attachment_tiles import AttachmentTiles
from app.ui.transcript.rows.message_foot import MessageFoot, action_words
from app.ui.transcript.rows.row import Row, RowContext
from app.ui.transcript.rows.tool_details import ICON_X, ToolDetails
from app.ui.widgets.buttons import CALL_ICONS
from app.ui.widgets.labels import one_line
from app.ui.widgets.painting import PaintedParagraph, Pen
from app.ui.widgets.stylesheet import Token
from app.viewmodels.i18n import translate_marked
from app.viewmodels.tool_call_texts import (
    allowed_words,
    duration_words,
    joined_words,
    outcome_words,
    release_words,
    target_words,
    undone_words,
)
from local_tools.ledger.steps import Decider

_SIDE_PX: Final = 14
_GAP_PX: Final = 10
_EXPLAINED: Final = frozenset({CallState.FAILED, CallState.REFUSED})
_HEAD_PX: Final = 38
_CHEVRON_X: Final = 13
_CHEVRON_PX: Final = 14
_TITLE_X: Final = 61
_RIGHT_PX: Final = 13
_ICON_PX: Final = 16
_STATE_GAP_PX: Final = 8

_REASON_LIMIT: Final = 1000
_REASON_LINES: Final = 3
_REASON_RISE_PX: Final = 4
_REASON_FOOT_PX: Final = 6
_ACTION_SIDE_PX: Final = 4
_BUTTON_PX: Final = 28
_BUTTON_SIDE_PX: Final = 10
_BUTTON_ICON_PX: Final = 14
_BUTTON_RADIUS_PX: Final = 7


@dataclass(frozen=True, slots=True)
class _State:
    """A state as it is shown: an icon in a colour, and words."""

    icon: str
    ink: Token
    words: str
    words_ink: Token


class ToolCallRow(Row):
    """The line, and below it the details while the row is open."""

    def __init__(self, row_context: RowContext) -> None:
        self._style = row_context.style
        self._icon_of = row_context.tool_icon
        self._details = ToolDetails(row_context.style)
        self._tiles = AttachmentTiles(row_context, is_beside_words=True)
        self._foot = MessageFoot(row_context.style, row_context.actions)
        self._item: ToolCall | None = None
        self._is_open = False
        self._width = 0

    def show(self, item: Item) -> bool:
        """Show a later state of the call."""
        if not isinstance(item, ToolCall):
            return False
        if self._item is None or self._item.images != item.images:
            self._tiles.show(item.images)
        self._item = item
        self._details.show(item)
        self._foot.show(item.closes)
        self._fit()
        return True

    def set_width(self, width: int) -> None:
        """Lay out at this width."""
        self._width = width
        self._details.set_width(width)
        self._fit()

    def set_open(self, is_open: bool) -> None:
        """Show the details, or only the line."""
        self._is_open = is_open
        self._fit()

    def paint(self, context: PaintContext) -> None:
        """Draw the line and, when open, the details."""
        if self._item is None:
            return
        painter, style = context.painter, self._style
        panel = QRectF(0, 0, self._width, self._foot_top)
        style.draw_panel(painter, panel, "panel", "line", RADIUS_PX)
        self._paint_head(painter, self._item)
        if self._is_open:
            head = style.scaled(_HEAD_PX)
            painter.translate(0, head)
            self._details.paint(context.lowered(head))
            painter.translate(0, -head)
        elif paragraph := self._reason_paragraph():
            paragraph.write(painter, self._reason_line().topLeft(), self._reason_width())
        self._tiles.paint(context, self._tiles_origin)
        self._paint_actions(context)
        if context.focus and context.focus.action == Toggle():
            style.draw_focus(painter, context.focus.box.adjusted(1, 1, -1, -1), RADIUS_PX)
        self._foot.paint(context, self._foot_top, self._width)

    def targets(self) -> list[HitTarget]:
        """Return the line, which opens and closes the row, and the buttons, also of the foot."""
        head = QRectF(0, 0, self._width, self._style.scaled(_HEAD_PX))
        action_targets = self._action_targets(head)
        line = _before(action_targets, head)
        toggle = HitTarget(Toggle(), line, self._line_text())
        inside = self._details.targets() if self._is_open else []
        below = [target.moved(0, head.height()) for target in inside]
        tiles = self._tiles.targets(self._tiles_origin)
        foot = self._foot.targets(self._foot_top, self._width)
        return [toggle, *action_targets, *below, *tiles, *foot]

    def hint_at(self, point: QPointF) -> str:
        """Return what the reply used, at the words of the foot."""
        return self._foot.hint_at(point, self._foot_top, self._width)

    @property
    def _foot_top(self) -> int:
        return self.height - self._foot.height

    @property
    def wrapped(self) -> Set[int]:
        """The difference, when all of its lines are shown."""
        return frozenset({0} if self._details.shows_rest else ())

    @wrapped.setter
    def wrapped(self, pieces: Set[int]) -> None:
        self._details.shows_rest = 0 in pieces
        self._fit()

    @property
    def _tiles_origin(self) -> QPointF:
        return QPointF(_SIDE_PX, self._foot_top - self._tiles.height - _GAP_PX)

    def _action_targets(self, head: QRectF) -> list[HitTarget]:
        """Return the buttons for the call: at the end of the line, or of the reason below it."""
        if self._item is None:
            return []
        if self._item.state is CallState.RUNNING:
            return [self._action_target(Action.STOP_CALL, head.adjusted(0, 0, -_RIGHT_PX, 0))]
        if self._item.needs_folder and not self._item.has_folder_now and not self._is_open:
            return [self._action_target(Action.CHOOSE_FOLDER, self._reason_line())]
        return [self._undo_target(head)] if self._can_undo else []

    @property
    def _can_undo(self) -> bool:
        item = self._item
        has_change = item is not None and item.change is not None and item.change.can_undo
        return self._is_open and has_change and not (item and item.is_undone)

    def _undo_target(self, head: QRectF) -> HitTarget:
        words, height = action_words(Action.UNDO_CALL), self._style.scaled(_BUTTON_PX)
        width = QFontMetricsF(self._style.button).horizontalAdvance(words)
        width += self._style.scaled(_BUTTON_ICON_PX) + 2 * _BUTTON_SIDE_PX + _STATE_GAP_PX
        left = head.right() - _STATE_GAP_PX - round(width)
        box = QRectF(left, round(head.center().y() - height / 2), round(width), height)
        return HitTarget(Choose(Action.UNDO_CALL), box, words)

    def _action_target(self, action: Action, line: QRectF) -> HitTarget:
        words, height = action_words(action), self._style.secondary_line_px
        width = QFontMetricsF(self._style.secondary).horizontalAdvance(words) + 2 * _ACTION_SIDE_PX
        top = line.center().y() - height / 2
        return HitTarget(Choose(action), QRectF(line.right() - width, top, width, height), words)

    @property
    def piece_count(self) -> int:
        """Input and output, when they are shown."""
        return self._details.count if self._is_open else 0

    def piece_at(self, y: float) -> int:
        """Return the number of the text at a height."""
        return self._details.piece_at(y - self._style.scaled(_HEAD_PX))

    def text_box(self, piece: int) -> PlacedTextBox | None:
        """Return input or output, when they are shown."""
        if not 0 <= piece < self.piece_count:
            return None
        return self._details.text_box(piece).moved(0, self._style.scaled(_HEAD_PX))

    @property
    def shown_text(self) -> str:
        """The line and, when open, the details."""
        below = self._details.shown_text if self._is_open else self._reason()
        return "\n".join(filter(None, [self._line_text(), below, self._tiles.words]))

    def _fit(self) -> None:
        paragraph = self._reason_paragraph()
        reason = round(paragraph.height) + _REASON_FOOT_PX if paragraph else 0
        below = self._details.height if self._is_open else reason
        self._tiles.fit(max(0.0, self._width - 2.0 * _SIDE_PX))
        images = round(self._tiles.height) + 2 * _GAP_PX if self._tiles.height else 0
        self.height = self._style.scaled(_HEAD_PX) + below + images + self._foot.height

    def _reason(self) -> str:
        """Return the reason of a failure, or the last line that a running call has written."""
        if self._item and self._item.state is CallState.RUNNING:
            return _last_line(self._item.output_text)
        if self._item is None or self._item.state not in _EXPLAINED:
            return ""
        if self._item.needs_folder:
            translate = QCoreApplication.translate
            if self._item.has_folder_now:
                return translate("Transcript", "No folder was chosen for this chat at the time.")
            return translate("Transcript", "No folder is chosen for this chat.")
        return one_line(self._item.output_text[:_REASON_LIMIT].strip().partition("\n")[0])

    def _reason_line(self) -> QRectF:
        left = self._style.scaled(_TITLE_X)
        width = self._width - left - _RIGHT_PX
        top = self._style.scaled(_HEAD_PX) - _REASON_RISE_PX
        return QRectF(left, top, width, self._style.secondary_line_px)

    def _paint_actions(self, context: PaintContext) -> None:
        painter = context.painter
        painter.setFont(self._style.secondary)
        for target in self._action_targets(QRectF(0, 0, self._width, self._style.scaled(_HEAD_PX))):
            if target.action == Choose(Action.UNDO_CALL):
                self._paint_button(context, target)
                continue
            painter.setPen(self._style.color("accent"))
            painter.drawText(target.box, Qt.AlignmentFlag.AlignCenter, target.name)
            if context.focus == target:
                self._style.draw_focus(painter, target.box, _ACTION_SIDE_PX)

    def _paint_button(self, context: PaintContext, target: HitTarget) -> None:
        style, painter, box = self._style, context.painter, target.box
        ground: Token = "bubble" if context.hovered == target.action else "bg"
        style.draw_panel(painter, box, ground, "line-strong", _BUTTON_RADIUS_PX)
        if context.focus == target:
            style.draw_focus(painter, box.adjusted(1, 1, -1, -1), _BUTTON_RADIUS_PX)
        side = style.scaled(_BUTTON_ICON_PX)
        style.draw_icon(painter, "undo-2", "ink", _square(box.left() + _BUTTON_SIDE_PX, box, side))
        painter.setFont(style.button)
        painter.setPen(style.color("ink"))
        words = box.adjusted(_BUTTON_SIDE_PX + side + _STATE_GAP_PX, 0, 0, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, target.name)

    def _reason_paragraph(self) -> PaintedParagraph | None:
        """Return the reason as it is shown, with its end left out where it is long."""
        reason = self._reason()
        if not reason or self._item is None:
            return None
        pen = Pen(self._style.secondary, self._style.color("ink-2"))
        # Progress changes often: with more than one line the rows below would jump.
        most = 1 if self._item.state is CallState.RUNNING else _REASON_LINES
        return PaintedParagraph(reason, pen, self._reason_width(), most)

    def _reason_width(self) -> float:
        """Return the width beside the buttons."""
        line = self._reason_line()
        action_targets = self._action_targets(
            QRectF(0, 0, self._width, self._style.scaled(_HEAD_PX))
        )
        ends = [
            target.box.left() - _GAP_PX
            for target in action_targets
            if target.box.top() >= line.top()
        ]
        return min(ends, default=line.right()) - line.left()

    def _line_text(self) -> str:
        if self._item is None:
            return ""
        parts = (_title_of(self._item), one_line(target_words(self._item.target)))
        return " ".join([*filter(None, parts), self._state(self._item).words]).strip()

    def _state(self, item: ToolCall) -> _State:
        icon, ink = CALL_ICONS[item.state]
        words_ink = "ink-3" if item.state is CallState.DONE else ink
        return _State(icon, ink, _state_words(item, is_open=self._is_open), words_ink)

    def _paint_head(self, painter: QPainter, item: ToolCall) -> None:
        style = self._style
        head = QRectF(0, 0, self._width, style.scaled(_HEAD_PX))
        chevron = "chevron-down" if self._is_open else "chevron-right"
        style.draw_icon(
            painter,
            chevron,
            "ink-3",
            _square(style.scaled(_CHEVRON_X), head, style.scaled(_CHEVRON_PX)),
        )
        icon_box = _square(style.scaled(ICON_X), head, style.scaled(_ICON_PX))
        style.draw_icon(painter, self._icon_of(item.tool), "ink", icon_box)
        # Leave out the buttons below the line, which overlap it a little.
        action_targets = [
            target for target in self._action_targets(head) if head.contains(target.box.center())
        ]
        state_left = self._paint_state(painter, _before(action_targets, head), self._state(item))
        title_end = self._paint_title(painter, head, state_left, _title_of(item))
        target = QRectF(title_end + _GAP_PX, 0, state_left - title_end - 2 * _GAP_PX, head.height())
        painter.setFont(style.mono)
        painter.setPen(style.color("ink-2"))
        shown = one_line(target_words(item.target))
        _draw_elided(painter, target, shown, Qt.TextElideMode.ElideMiddle)

    def _paint_title(self, painter: QPainter, head: QRectF, limit: float, title: str) -> float:
        font = self._style.secondary_bold
        width = QFontMetricsF(font).horizontalAdvance(title) + 1
        left = self._style.scaled(_TITLE_X)
        box = QRectF(left, 0, min(width, max(0.0, limit - left - _GAP_PX)), head.height())
        painter.setFont(font)
        painter.setPen(self._style.color("ink"))
        _draw_elided(painter, box, title, Qt.TextElideMode.ElideRight)
        return box.right()

    def _paint_state(self, painter: QPainter, head: QRectF, state: _State) -> float:
        """Draw the state of the call at the right; return its left edge."""
        style = self._style
        font = style.secondary if state.words_ink != "ink-3" else style.small
        # The state takes at most half of the width; the title gets the rest.
        room = (head.width() - style.scaled(_TITLE_X) - _RIGHT_PX) / 2
        width = min(QFontMetricsF(font).horizontalAdvance(state.words), max(0.0, room))
        left = head.right() - _RIGHT_PX - width
        painter.setFont(font)
        painter.setPen(style.color(state.words_ink))
        box = QRectF(left, 0, width + 1, head.height())
        _draw_elided(painter, box, state.words, Qt.TextElideMode.ElideRight)
        side = style.scaled(_ICON_PX)
        left -= side + (style.scaled(_STATE_GAP_PX) if state.words else 0)
        style.draw_icon(painter, state.icon, state.ink, _square(left, head, side))
        return left


def _before(action_targets: Sequence[HitTarget], line: QRectF) -> QRectF:
    """Return the part of a line before its buttons."""
    ends = [target.box.left() for target in action_targets if target.box.intersects(line)]
    return QRectF(line.left(), line.top(), min(ends, default=line.right()), line.height())


def _last_line(text: str) -> str:
    lines = [line for line in text[-_REASON_LIMIT:].splitlines() if line.strip()]
    return one_line(lines[-1]) if lines else ""


def _title_of(item: ToolCall) -> str:
    return one_line(translate_marked("Tools", item.title))


def _state_words(item: ToolCall, *, is_open: bool) -> str:
    outcome = outcome_words(item)
    if item.state not in (CallState.DONE, CallState.FAILED):
        return outcome
    words = joined_words(outcome, release_words(item), undone_words(item))
    if is_open:
        # The line of facts has the rest.
        return words
    if not words and item.decider is Decider.ATTACHING:
        # Nobody was asked about this call, so say why it was allowed.
        return allowed_words(item)
    return words or duration_words(item.duration_ms)


def _square(left: float, head: QRectF, side: int) -> QRectF:
    return QRectF(left, round(head.center().y() - side / 2), side, side)


def _draw_elided(painter: QPainter, box: QRectF, text: str, mode: Qt.TextElideMode) -> None:
    # Cut first: measuring a very long text is slow, and no more characters can fit.
    text = QFontMetricsF(painter.font()).elidedText(text, mode, max(0.0, box.width()))
    align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    painter.drawText(box, align | Qt.TextFlag.TextSingleLine, text)
