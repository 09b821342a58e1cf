"""`UserRow` shows a message of the user: a bubble on the right, its state below."""

from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen

from app.chat.items import Action, Item, SendState, UserMessage
from app.chat.message_attachments import is_image
from app.ui.markdown.sanitize import clean_source
from app.ui.transcript.blocks.text_box import TextBox
from app.ui.transcript.hit_targets import Choose, HitTarget, TargetAction, Toggle, Withdraw
from app.ui.transcript.painting import PaintContext
from app.ui.transcript.rows.attachment_tiles import AttachmentTiles
from app.ui.transcript.rows.message_foot import MessageFoot, action_words
from app.ui.transcript.rows.row import RowContext, SingleTextRow
from app.ui.widgets.stylesheet import Token

TEXT_LIMIT: Final = 64 * 1024

_WIDEST: Final = 0.78
_SIDE_PX: Final = 14
_TOP_PX: Final = 9
_RADIUS_PX: Final = 14
_TAIL_PX: Final = 4
_FAINT: Final = 0.6
_CAPTION_GAP_PX: Final = 4
_ICON_PX: Final = 13
_ICON_GAP_PX: Final = 5
_ACTION_GAP_PX: Final = 10
_ACTION_SIDE_PX: Final = 4
_TILES_GAP_PX: Final = 8
_WAITING: Final = frozenset({SendState.QUEUED, SendState.HELD})
_ARROWS: Final[dict[TargetAction, str]] = {
    Choose(Action.MOVE_UP): "chevron-up",
    Choose(Action.MOVE_DOWN): "chevron-down",
}


class UserRow(SingleTextRow):
    """The plain text as typed (no Markdown), below the message's attachments.

    The part of the text about attachments is shown only when the row is expanded.
    """

    def __init__(self, row_context: RowContext) -> None:
        self._style = row_context.style
        self._item: UserMessage | None = None
        self._box = TextBox(self._style, self._style.body, self._style.line_px)
        self._tiles = AttachmentTiles(row_context)
        self._is_open = False
        self._foot = MessageFoot(self._style, row_context.actions)
        self._width = 0
        self._bubble = QRectF()

    def show(self, item: Item) -> bool:
        """Show a later state of the message."""
        if not isinstance(item, UserMessage):
            return False
        before, self._item = self._item, item
        if before is None or before.text != item.text:
            self._show_words()
        if before is None or before.attachments != item.attachments:
            self._tiles.show(item.attachments)
        self._foot.show(item)
        self._fit()
        return True

    def set_open(self, is_open: bool) -> None:
        """Show the whole text as sent, or only what the user typed."""
        if is_open != self._is_open:
            self._is_open = is_open
            self._show_words()
            self._fit()

    def _show_words(self) -> None:
        if self._item is not None:
            text = self._item.text if self._is_open else self._item.words
            self._box.show_plain(_shown(text))

    def set_width(self, width: int) -> None:
        """Lay out at this width."""
        self._width = width
        self._fit()

    def paint(self, context: PaintContext) -> None:
        """Paint the bubble and its text."""
        painter = context.painter
        is_faint = self._item is not None and self._item.state in _FAINT_STATES
        painter.setOpacity(_FAINT if is_faint else 1.0)
        self._paint_bubble(painter)
        self._tiles.paint(context, self._tiles_origin)
        self._paint_fold(context)
        span = context.span_in(0, self._box.length)
        self._box.paint(context, self._text_origin, "ink", span)
        # Not faint: the caption says what is to become of the message.
        painter.setOpacity(1.0)
        if caption := self._caption():
            self._paint_caption(painter, *caption)
            self._paint_actions(context)
        self._foot.paint(context, self._foot_top, self._width)

    def _paint_bubble(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._item is None or not self._item.is_edited:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._style.color("bubble"))
            painter.drawPath(_bubble_path(self._bubble))
            return
        painter.setPen(QPen(self._style.color("accent"), 1))
        painter.setBrush(self._style.color("accent-soft"))
        painter.drawPath(_bubble_path(self._bubble.adjusted(0.5, 0.5, -0.5, -0.5)))

    def targets(self) -> list[HitTarget]:
        """Return the clickable parts: the toggle for the whole text, and the message's buttons."""
        foot = self._foot.targets(self._foot_top, self._width)
        tiles = self._tiles.targets(self._tiles_origin)
        return [*tiles, *self._fold_targets(), *self._waiting_targets(), *foot]

    @property
    def _tiles_origin(self) -> QPointF:
        return QPointF(self._bubble.left() + _SIDE_PX, self._pad_px)

    def _waiting_targets(self) -> list[HitTarget]:
        """Return the buttons of a message that waits, from left to right."""
        line, found = self._caption_line(), list[HitTarget]()
        # The words end where the bubble does, not the room around them.
        right = line.right() + _ACTION_SIDE_PX
        for action, name in reversed(self._actions()):
            width = self._action_width(action) + 2 * _ACTION_SIDE_PX
            box = QRectF(right - width, line.top(), width, line.height())
            found.insert(0, HitTarget(action, box, name))
            right = box.left() - self._style.scaled(_ACTION_GAP_PX) + 2 * _ACTION_SIDE_PX
        return found

    @property
    def source_text(self) -> str:
        """The text as it was typed."""
        return self._item.text if self._item else ""

    @property
    def shown_text(self) -> str:
        """The names of what goes with it, then the words."""
        return "\n".join(filter(None, (self._tiles.words, super().shown_text)))

    def _fit(self) -> None:
        if not self._width:
            return
        room = self._width * _WIDEST - 2 * _SIDE_PX
        text_width = self._box.natural_width(room) if self._has_words else 0
        self._tiles.fit(room)
        width = round(max(text_width, self._tiles.width, self._fold_width())) + 2 * _SIDE_PX
        height = round(self._text_top + (self._box.height if self._has_words else 0)) + self._pad_px
        self._bubble = QRectF(self._width - width, 0, width, height)
        caption = _CAPTION_GAP_PX + self._style.secondary_line_px if self._caption() else 0
        self.height = height + caption + self._foot.height

    @property
    def _foot_top(self) -> int:
        return self.height - self._foot.height

    @property
    def _text_origin(self) -> QPointF:
        return QPointF(self._bubble.left() + _SIDE_PX, self._text_top)

    @property
    def _has_words(self) -> bool:
        return self._box.length > 0

    @property
    def _pad_px(self) -> int:
        return _SIDE_PX if self._tiles.height else _TOP_PX

    @property
    def _text_top(self) -> float:
        """Where the words begin: below the tiles, and below what opens the whole text."""
        if not self._tiles.height:
            return _TOP_PX
        gap = self._style.scaled(_TILES_GAP_PX)
        fold = self._style.secondary_line_px + gap / 2 if self._folds else 0
        return self._pad_px + self._tiles.height + fold + (gap if self._has_words else 0)

    @property
    def _folds(self) -> bool:
        """Whether there is more to read than is shown: of an image the text has only the name."""
        return self._item is not None and not all(map(is_image, self._item.attachments))

    def _fold_words(self) -> str:
        if self._is_open:
            return QCoreApplication.translate("Transcript", "Hide attached text")
        return QCoreApplication.translate("Transcript", "Show the whole message")

    def _fold_width(self) -> float:
        if not self._folds:
            return 0
        words = QFontMetricsF(self._style.small).horizontalAdvance(self._fold_words())
        return words + self._style.scaled(_ICON_PX + _ICON_GAP_PX)

    def _fold_box(self) -> QRectF:
        top = self._pad_px + self._tiles.height + self._style.scaled(_TILES_GAP_PX) / 2
        left = self._bubble.left() + _SIDE_PX
        return QRectF(left, top, self._fold_width() + 1, self._style.secondary_line_px)

    def _fold_targets(self) -> list[HitTarget]:
        if not self._folds:
            return []
        return [HitTarget(Toggle(), self._fold_box(), self._fold_words())]

    def _paint_fold(self, context: PaintContext) -> None:
        for target in self._fold_targets():
            style, painter, box = self._style, context.painter, target.box
            side = style.scaled(_ICON_PX)
            icon = QRectF(box.left(), box.center().y() - side / 2, side, side)
            name = "chevron-down" if self._is_open else "chevron-right"
            style.draw_icon(painter, name, "ink-2", icon)
            painter.setFont(style.small)
            painter.setPen(style.color("ink-2"))
            words = box.adjusted(side + style.scaled(_ICON_GAP_PX), 0, 0, 0)
            align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(words, align, target.name)
            if context.focus == target:
                style.draw_focus(painter, box, 4)

    def _caption(self) -> tuple[str, str, Token] | None:
        """Return icon, words and colour of the caption below the bubble."""
        match self._item.state if self._item else SendState.SENT:
            case SendState.QUEUED:
                return "clock", QCoreApplication.translate("Transcript", "Waiting"), "ink-2"
            case SendState.HELD:
                return "info", QCoreApplication.translate("Transcript", "Not sent yet"), "ink-2"
            case SendState.UNCONFIRMED:
                words = QCoreApplication.translate("Transcript", "May have been sent")
                return "triangle-alert", words, "warn"
            case SendState.UNSENT:
                return "info", QCoreApplication.translate("Transcript", "Not sent"), "ink-2"
            case SendState.FAILED:
                return "circle-alert", QCoreApplication.translate("Transcript", "Not sent"), "bad"
        return None

    def _caption_line(self) -> QRectF:
        top = self._bubble.bottom() + _CAPTION_GAP_PX
        return QRectF(0, top, self._width, self._style.secondary_line_px)

    def _paint_caption(self, painter: QPainter, icon: str, words: str, ink: Token) -> None:
        style = self._style
        painter.setFont(style.small)
        painter.setPen(style.color(ink))
        line = self._caption_line()
        if targets := self._waiting_targets():
            line.setRight(targets[0].box.left() - style.scaled(_ACTION_GAP_PX))
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(line, align, words)
        side = style.scaled(_ICON_PX)
        words_px = QFontMetricsF(style.small).horizontalAdvance(words)
        left = line.right() - words_px - side - style.scaled(_ICON_GAP_PX)
        style.draw_icon(painter, icon, ink, QRectF(left, line.center().y() - side / 2, side, side))

    def _actions(self) -> list[tuple[TargetAction, str]]:
        """Return the actions of a message that waits, each with its accessible name."""
        item = self._item
        if item is None or item.state not in _WAITING:
            return []
        translate = QCoreApplication.translate
        actions: list[tuple[TargetAction, str]] = [
            (Withdraw(), translate("Transcript", "Edit queued message")),
            (Choose(Action.REMOVE), translate("Transcript", "Remove queued message")),
        ]
        if item.state is SendState.HELD:
            words = translate("Transcript", "Send queued message now")
            actions.insert(0, (Choose(Action.SEND_NOW), words))
        if item.can_move:
            actions += [
                (Choose(Action.MOVE_UP), translate("Transcript", "Move queued message up")),
                (Choose(Action.MOVE_DOWN), translate("Transcript", "Move queued message down")),
            ]
        return actions

    def _action_width(self, action: TargetAction) -> float:
        if action in _ARROWS:
            return self._style.scaled(_ICON_PX)
        return QFontMetricsF(self._style.small).horizontalAdvance(_words_of(action))

    def _paint_actions(self, context: PaintContext) -> None:
        style, painter = self._style, context.painter
        for target in self._waiting_targets():
            if icon := _ARROWS.get(target.action):
                side = style.scaled(_ICON_PX)
                box = QRectF(0, 0, side, side)
                box.moveCenter(target.box.center())
                style.draw_icon(painter, icon, "accent", box)
            else:
                painter.setPen(style.color("accent"))
                painter.drawText(target.box, Qt.AlignmentFlag.AlignCenter, _words_of(target.action))
            if context.focus == target:
                style.draw_focus(painter, target.box, 4)


_FAINT_STATES: Final = frozenset({SendState.SENDING, *_WAITING})


def _words_of(action: TargetAction) -> str:
    if isinstance(action, Choose):
        return action_words(action.choice)
    return QCoreApplication.translate("Transcript", "Edit")


def _shown(text: str) -> str:
    cleaned = clean_source(text)
    if len(cleaned) <= TEXT_LIMIT:
        return cleaned
    words = QCoreApplication.translate(
        "Transcript", "{count} more characters are not shown."
    ).format(count=f"{len(cleaned) - TEXT_LIMIT:,}")
    return f"{cleaned[:TEXT_LIMIT]}\n… {words}"


def _bubble_path(box: QRectF) -> QPainterPath:
    """Return a rounded surface whose lower right corner points to the edge."""
    path = QPainterPath()
    path.addRoundedRect(box, _RADIUS_PX, _RADIUS_PX)
    tail = QPainterPath()
    corner = QRectF(box.right() - _RADIUS_PX, box.bottom() - _RADIUS_PX, _RADIUS_PX, _RADIUS_PX)
    tail.addRoundedRect(corner, _TAIL_PX, _TAIL_PX)
    return path.united(tail)
