"""`ComposerBox` lays out the composer: text above its chips, or one line where space is short.

`RemainingLengthLabel` says how much more a message can hold, once that matters.
"""

from typing import Final

from PySide6.QtCore import QEvent, QLocale
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.chat.session import MESSAGE_LIMIT_CHARS
from app.ui.composer.message_edit import MessageEdit
from app.ui.composer.send_row import SendRow
from app.ui.theme import Theme
from app.ui.widgets.accessible import announce
from app.ui.widgets.chips import Chip
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.labels import plain_label, set_ink
from app.ui.widgets.surfaces import RoundedFrame

_RADIUS: Final = 14
_HINT_FROM_WIDTH_PX: Final = 560
_MARGINS_PX: Final = (14, 13, 14, 10)
_FOLDED_MARGINS_PX: Final = (10, 6, 8, 6)
_SPACING_PX: Final = 14
_MOST_LINES: Final = 10


class ComposerBox(RoundedFrame):
    """Lays out the parts of the composer, and makes chips narrower one after the other.

    `chips` are the widgets with a chip each; the last of them loses its words first, and what is
    no more than an icon says them in its tooltip. Made by the composer; ends with it.
    """

    def __init__(
        self,
        theme: Theme,
        edit: MessageEdit,
        above: QWidget,
        chips: tuple[QWidget, ...],
        row: SendRow,
    ) -> None:
        super().__init__(theme, _RADIUS, line="line-strong")
        self._edit = edit
        self._chips = chips
        self._row = row
        self._lines = 0
        self._flow = FlowLayout()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(*_MARGINS_PX)
        self._column.setSpacing(_SPACING_PX)
        self._column.addWidget(edit)
        self._column.addWidget(above)
        self._column.addLayout(self._flow)
        self._flow.add(*chips)
        self._flow.add(row, grows=True)
        self.setFocusProxy(edit)

    def fold(self, lines: int) -> None:
        """Put all in one line, with at most so many lines of text; 0 unfolds it."""
        if lines == self._lines:
            return
        was_folded, self._lines = bool(self._lines), lines
        self._edit.set_most_lines(lines or _MOST_LINES)
        if was_folded != bool(lines):
            self._arrange()
        self._fit_chips()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the chips the room there is."""
        super().resizeEvent(event)
        self._fit_chips()

    def event(self, event: QEvent) -> bool:
        """Do so, too, when a chip says something else or the letters are others."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit_chips()
        return super().event(event)

    def _arrange(self) -> None:
        while self._flow.takeAt(0):
            pass
        self._column.removeWidget(self._edit)
        self._flow.add(*self._chips)
        if self._lines:
            self._flow.add(self._edit, grows=True)
            self._flow.add(self._row)
        else:
            self._column.insertWidget(0, self._edit)
            self._flow.add(self._row, grows=True)
        margins = _FOLDED_MARGINS_PX if self._lines else _MARGINS_PX
        self._theme.space(self._column, margins, 0 if self._lines else _SPACING_PX)

    def _fit_chips(self) -> None:
        parts = [part for part in self._chips if not part.isHidden()]
        chips = [chip for part in reversed(parts) for chip in part.findChildren(Chip)]
        if self._lines:
            self._row.show_hint(is_shown=False)
            for chip in chips:
                chip.cut_by(chip.whole_width)
            return
        inside = self._column.contentsRect().width() - self._flow.spacing() * len(parts)
        room = inside - sum(chip.whole_width for chip in chips)
        is_wide = self.width() >= self._theme.px(_HINT_FROM_WIDTH_PX)
        has_hint = is_wide and self._row.width_wanted(with_hint=True) <= room
        self._row.show_hint(is_shown=has_hint)
        lacking = self._row.width_wanted(with_hint=has_hint) - room
        for chip in chips:
            lacking -= chip.cut_by(lacking)


_SAID_FROM_CHARS: Final = MESSAGE_LIMIT_CHARS * 9 // 10


class RemainingLengthLabel(QWidget):
    """Hidden while there is plenty of room. Made by the composer; ends with it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = plain_label("", theme, size="secondary", wraps=True)
        self._is_over = False
        row = QVBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._words)
        self.hide()

    @property
    def words(self) -> str:
        """What is said; empty while nothing is."""
        return self._words.text() if not self.isHidden() else ""

    def show_length(self, length: int) -> bool:
        """Say what room is left after so many characters; False when they are too many."""
        over = length - MESSAGE_LIMIT_CHARS
        is_over = over > 0
        if length < _SAID_FROM_CHARS:
            self.hide()
        else:
            self._say(over, is_over=is_over, is_new=self.isHidden() or is_over != self._is_over)
        self._is_over = is_over
        return not is_over

    def _say(self, over: int, *, is_over: bool, is_new: bool) -> None:
        count = QLocale().toString
        if is_over:
            words = self.tr(
                "{over} characters too many: a message can have {limit}. Shorten it to send it."
            ).format(over=count(over), limit=count(MESSAGE_LIMIT_CHARS))
        else:
            words = self.tr("Room for {0} more characters").format(count(-over))
        self._words.setText(words)
        if is_new:
            set_ink(self._words, "bad" if is_over else "ink-2")
            self.show()
            announce(self, words)
