"""`Chip` is a small button that shows a choice and opens something to change it.

`ChoiceChip` is the one that shows one of several choices and opens a menu of all of them.
"""

from collections.abc import Sequence
from typing import Final, Literal

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QFont, QFontMetrics, QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionButton, QStylePainter

from app.ui.theme import Theme
from app.ui.widgets.buttons import ElidingButton, dress, set_shown_text, tint_icon
from app.ui.widgets.choice_list import ChoicePopup
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import button_text, one_line, set_plain_tooltip, short_name
from app.ui.widgets.menus import make_menu
from app.ui.widgets.stylesheet import Token

_CHEVRON_SIDE_PX: Final = 14
_CHEVRON_ROOM_PX: Final = 18
_SIDE_PADDING_PX: Final = 9
_TEXT_LIMIT_PX: Final = 220
_NO_LIMIT_PX: Final = 10_000
# As Qt's styles have it between icon and words, with the thin space before the words.
_ICON_GAP_PX: Final = 6
# Fewer letters would say nothing.
_FEW_LETTERS: Final = "nnnnn…"


class Chip(ElidingButton):
    """Shows `text`, shortened if it is long; with `opens` there is a chevron after it.

    `purpose` is what a screen reader says before the text: "Agent: Auto". Made by the widget that
    it stands in.
    """

    def __init__(
        self, theme: Theme, text: str, purpose: str, *, icon: str = "", opens: bool = False
    ) -> None:
        super().__init__()
        self._theme = theme
        self._purpose = purpose
        self._opens = opens
        self._tooltip = self._lead = self._spoken = ""
        self._announced = "", ""
        self._room_px = _NO_LIMIT_PX
        dress(self, "chip", theme)
        if icon:
            tint_icon(self, icon, theme)
        self.show_choice(text)

    def show_choice(
        self, text: str, tooltip: str = "", *, lead: str = "", spoken: str = ""
    ) -> None:
        """Show another choice, escaped and cut; `tooltip` may say more about it.

        Its beginning is drawn stronger where that is `lead`; `spoken` is what a screen reader says
        instead of the text, and stands in the tooltip.
        """
        name, lead = short_name(text), short_name(lead)
        self._lead = lead if name.startswith(lead) else ""
        self._spoken = spoken
        said = spoken or name
        set_shown_text(self, name, f"{self._purpose}: {said}" if self._purpose else said)
        self._tooltip = tooltip
        self._show_tooltip()

    def stand_in_row(self, look: Literal["composer", "bare"]) -> None:
        """Be as high as the buttons of the composer; "bare" for no edge."""
        self.setProperty("stands", look)

    @property
    def whole_width(self) -> int:
        """The width that the whole text needs."""
        return self._width_with(self._words_room())

    def cut_by(self, lacking_px: int) -> int:
        """Become so much narrower, or only an icon at the most; return by how much it did."""
        wanted = self._words_room()
        few = self.fontMetrics().horizontalAdvance(_FEW_LETTERS)
        room = wanted if lacking_px <= 0 else wanted - lacking_px
        room = room if room >= min(few, wanted) else 0
        if room != self._room_px:
            self._room_px = room
            self._show_tooltip()
            self.updateGeometry()
            self.update()
        return self.whole_width - self._width_with(room)

    def sizeHint(self) -> QSize:
        """Return the size of icon and text, and of the chevron."""
        return QSize(self._width_with(self.room_wanted()), super().sizeHint().height())

    def room_wanted(self) -> int:
        """Return no more than a name needs that can be taken in at a glance."""
        return min(self._words_room(), self._room_px)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the chip, then its chevron."""
        if self._lead:
            self._paint_in_parts()
        else:
            super().paintEvent(event)
        if self._opens and self.room_wanted():
            side = self._theme.px(_CHEVRON_SIDE_PX)
            chevron = self._theme.pixmap("chevron-down", "ink-3", side, self.devicePixelRatio())
            left = self.width() - self._theme.px(_SIDE_PADDING_PX) - side
            QPainter(self).drawPixmap(QPoint(left, (self.height() - side) // 2), chevron)

    def text_width(self) -> int:
        """Return the width of the words, with the stronger letters of the first ones."""
        extra = self._strong.horizontalAdvance(self._lead) - self.fontMetrics().horizontalAdvance(
            self._lead
        )
        return super().text_width() + extra

    @property
    def _strong(self) -> QFontMetrics:
        return QFontMetrics(self._theme.font("secondary", Weight.Medium))

    def _paint_in_parts(self) -> None:
        """Draw the chip with its first words stronger than the rest."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.icon, option.text = QIcon(), ""
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        inside = self.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, self)
        room = self.room_wanted() - max(0, self.sizeHint().width() - self.width())
        if not self.icon().isNull():
            side = self.iconSize().width()
            self.icon().paint(painter, QRect(inside.left(), inside.top(), side, inside.height()))
            inside.setLeft(inside.left() + side + self._theme.px(_ICON_GAP_PX))
            few = self.fontMetrics().horizontalAdvance(_FEW_LETTERS)
            if room < min(few, self.text_width()):
                return
        words = self.text().strip().replace("&&", "&").removeprefix(self._lead)
        strong = self._theme.font("secondary", Weight.Medium)
        parts: tuple[tuple[str, QFont, Token], ...] = (
            (self._lead, strong, "ink"),
            (words, self.font(), "ink-2"),
        )
        for text, font, ink in parts:
            metrics = QFontMetrics(font)
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            painter.setFont(font)
            painter.setPen(self._theme.color(ink if self.isEnabled() else "ink-off"))
            align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(inside, align, shown)
            inside.setLeft(inside.left() + metrics.horizontalAdvance(shown))
            room -= metrics.horizontalAdvance(shown)

    def _words_room(self) -> int:
        return min(self.text_width(), self._theme.px(_TEXT_LIMIT_PX))

    def _width_with(self, room: int) -> int:
        chevron = self._theme.px(_CHEVRON_ROOM_PX) if self._opens and room else 0
        return super().sizeHint().width() + chevron + room - super().text_width()

    def _show_tooltip(self) -> None:
        """Set the tooltip to what the chip has no room for."""
        is_cut = self._room_px < self._words_room()
        name = self.accessibleName() if is_cut or self._spoken else ""
        more = "" if self._tooltip in name else self._tooltip
        if (name, more) == self._announced:
            # Without a tooltip, keep a description that the parent widget may have set.
            return
        self._announced = name, more
        set_plain_tooltip(self, " – ".join(words for words in (name, more) if words))
        # The name is read out anyway.
        self.setAccessibleDescription(one_line(more))


_GAP_PX: Final = 4
_MOST_IN_MENU: Final = 24

Choice = tuple[str, str]
"""A value, and the words that people choose it by."""


class ChoiceChip(Chip):
    """Lets one of several values be chosen. Made by the page that it stands on.

    `purpose` is what is chosen, as a screen reader says it. A few choices are a menu, many a list
    with a search.
    """

    chosen = Signal(str)
    """Somebody chose another value; argument: the value."""

    def __init__(self, theme: Theme, purpose: str) -> None:
        super().__init__(theme, "", purpose, opens=True)
        self._choices: dict[str, str] = {}
        self._value = ""
        self._menu = make_menu(self, purpose, theme)
        self._popup: ChoicePopup | None = None
        self._group = QActionGroup(self._menu)
        self._group.triggered.connect(self._on_group_triggered)
        self.clicked.connect(self._on_clicked)

    def stand_as_field(self) -> None:
        """Look like the fields among which it stands from now on: as high and as wide."""
        self.setProperty("stands", "field")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def value(self) -> str:
        """The value that is chosen."""
        return self._value

    def offer(self, choices: Sequence[Choice]) -> None:
        """Offer these choices, in this order."""
        self._choices = dict(choices)
        self._menu.clear()
        for action in self._group.actions():
            self._group.removeAction(action)
            action.deleteLater()
        for value, words in choices if len(choices) <= _MOST_IN_MENU else ():
            action = QAction(button_text(words), self._menu, checkable=True)
            action.setData(value)
            self._group.addAction(action)
            self._menu.addAction(action)
        self.show_value(self._value)

    def show_value(self, value: str) -> None:
        """Show the choice of this value, also if it is not offered."""
        self._value = value
        self.show_choice(self._choices.get(value, value))
        for action in self._group.actions():
            action.setChecked(action.data() == value)

    def _on_clicked(self) -> None:
        if len(self._choices) > _MOST_IN_MENU:
            self._open_popup()
            return
        self._menu.popup(self.mapToGlobal(QPoint(0, self.height() + _GAP_PX)))

    def _open_popup(self) -> None:
        if self._popup is None:
            self._popup = ChoicePopup(self._theme, self._purpose, self)
            self._popup.chosen.connect(self._on_popup_chosen)
            self._theme.fit(self._popup)
        self._popup.open(tuple(self._choices.items()), self._value, self)

    def _on_group_triggered(self, action: QAction) -> None:
        self._on_popup_chosen(action.data())

    def _on_popup_chosen(self, value: str) -> None:
        self.show_value(value)
        self.chosen.emit(value)
