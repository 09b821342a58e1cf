"""`NoticeRow` shows a notice: one sentence in the colour of its tone, at most two buttons."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from app.chat.items import Action, Item, Notice, Tone
from app.ui.transcript.blocks.text_box import TextBox
from app.ui.transcript.hit_targets import Choose, HitTarget
from app.ui.transcript.painting import RADIUS_PX, PaintContext
from app.ui.transcript.rows.message_foot import action_words
from app.ui.transcript.rows.row import RowContext, SingleTextRow
from app.ui.widgets.labels import spoken
from app.ui.widgets.stylesheet import Token

_GROUNDS: Final[Mapping[Tone, tuple[Token, Token]]] = {
    Tone.INFO: ("panel", "ink-2"),
    Tone.WARN: ("warn-soft", "warn"),
    Tone.BAD: ("bad-soft", "bad"),
}
_ICON_X: Final = 14
_ICON_PX: Final = 16
_WORDS_X: Final = 40
_SIDE_PX: Final = 14
_TOP_PX: Final = 8
_BUTTON_PX: Final = 30
_BUTTON_SIDE_PX: Final = 11
_BUTTON_GAP_PX: Final = 10
_BUTTON_RADIUS_PX: Final = 8
_NARROW_PX: Final = 180
_SHOWN_BUTTONS: Final = 2


class NoticeRow(SingleTextRow):
    """Shows the words of a notice as plain text; a time in them counts down."""

    def __init__(self, row_context: RowContext) -> None:
        self._style = row_context.style
        self._clock = row_context.clock
        self._item: Notice | None = None
        self._box = TextBox(self._style, self._style.secondary, self._style.secondary_line_px)
        self._words = ""
        self._width = 0

    def show(self, item: Item) -> bool:
        """Show a later state of the notice."""
        if not isinstance(item, Notice):
            return False
        self._item = item
        self.tick()
        return True

    @property
    def counts(self) -> bool:
        """Whether its words change by themselves."""
        return bool(self._item and self._item.until is not None and self._seconds_left() > 0)

    def tick(self) -> bool:
        """Update a countdown; return whether the words have changed."""
        words = self._fill_words()
        if words == self._words:
            return False
        self._words = words
        self._box.show_plain(words)
        self._fit()
        return True

    def set_width(self, width: int) -> None:
        """Lay out at this width."""
        self._width = width
        self._fit()

    def paint(self, context: PaintContext) -> None:
        """Draw the ground, the words and the buttons."""
        if self._item is None:
            return
        ground, ink = _GROUNDS[self._item.tone]
        line: Token | None = "line" if self._item.tone is Tone.INFO else None
        panel = QRectF(0, 0, self._width, self.height)
        self._style.draw_panel(context.painter, panel, ground, line, RADIUS_PX)
        middle = self._words_top + self._box.height / 2
        side = self._style.scaled(_ICON_PX)
        icon = QRectF(self._style.scaled(_ICON_X), round(middle - side / 2), side, side)
        self._style.draw_icon(context.painter, self._icon(self._item), ink, icon)
        span = context.span_in(0, self._box.length)
        self._box.paint(context, QPointF(self._words_left, self._words_top), ink, span)
        for target in self.targets():
            self._paint_button(context.painter, target, has_focus=target == context.focus)

    def targets(self) -> list[HitTarget]:
        """Return the buttons."""
        top = self.height - _TOP_PX - self._button_px
        if not self._stacks:
            top = (self.height - self._button_px) // 2
        right = self._width - _SIDE_PX
        found: list[HitTarget] = []
        for action in reversed(self._actions()):
            width = self._button_width(action)
            box = QRectF(right - width, top, width, self._button_px)
            found.insert(0, HitTarget(Choose(action), box, action_words(action)))
            right -= width + _BUTTON_GAP_PX
        return found

    @property
    def _text_origin(self) -> QPointF:
        return QPointF(self._words_left, self._words_top)

    @property
    def _button_px(self) -> int:
        return self._style.scaled(_BUTTON_PX)

    @property
    def _words_left(self) -> int:
        return self._style.scaled(_WORDS_X)

    @property
    def _words_top(self) -> int:
        if self._stacks or not self._actions():
            return _TOP_PX + 3
        return max(_TOP_PX, (self.height - round(self._box.height)) // 2)

    @property
    def _stacks(self) -> bool:
        """Whether the buttons stand below the words, since there is no room beside them."""
        return bool(self._actions()) and self._room_beside() < _NARROW_PX

    def _room_beside(self) -> float:
        buttons = sum(self._button_width(a) + _BUTTON_GAP_PX for a in self._actions())
        return self._width - self._words_left - _SIDE_PX - buttons - (12 if buttons else 0)

    def _fit(self) -> None:
        if not self._width:
            return
        room = self._width - self._words_left - _SIDE_PX if self._stacks else self._room_beside()
        self._box.set_width(room)
        words = round(self._box.height)
        if self._stacks:
            self.height = 2 * _TOP_PX + words + 3 + _BUTTON_GAP_PX + self._button_px
        elif self._actions():
            self.height = max(words, self._button_px) + 2 * _TOP_PX
        else:
            self.height = words + 2 * (_TOP_PX + 3)

    def _actions(self) -> tuple[Action, ...]:
        return self._item.actions[:_SHOWN_BUTTONS] if self._item else ()

    def _button_width(self, action: Action) -> int:
        metrics = QFontMetricsF(self._style.button)
        return round(metrics.horizontalAdvance(action_words(action))) + 2 * _BUTTON_SIDE_PX

    def _paint_button(self, painter: QPainter, target: HitTarget, *, has_focus: bool) -> None:
        style = self._style
        style.draw_panel(painter, target.box, "bg", "line-strong", _BUTTON_RADIUS_PX)
        if has_focus:
            style.draw_focus(painter, target.box.adjusted(1, 1, -1, -1), _BUTTON_RADIUS_PX)
        painter.setFont(style.button)
        painter.setPen(style.color("ink"))
        painter.drawText(target.box, Qt.AlignmentFlag.AlignCenter, target.name)

    def _icon(self, item: Notice) -> str:
        if item.until is not None:
            return "timer"
        if Action.LOAD_REST in item.actions:
            return "wifi-off"
        return "info" if item.tone is Tone.INFO else "triangle-alert"

    def _seconds_left(self) -> int:
        until = self._item.until if self._item else None
        return 0 if until is None else max(0, math.ceil(until - self._clock()))

    def _fill_words(self) -> str:
        if self._item is None:
            return ""
        words = self._item.words
        values: dict[str, str | int] = dict(words.values)
        if self._item.until is not None:
            values["seconds"] = self._seconds_left()
        return spoken(replace(words, values=_Values(values)))


class _Values(dict[str, str | int]):
    """Values of a sentence; a missing one reads as an ellipsis, since a notice is shown anyway."""

    def __missing__(self, _key: str) -> str:
        return "…"
