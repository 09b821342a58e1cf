"""The base classes of the settings' sections, and the widgets that several sections use.

`SettingsSection` lays out a heading, groups and rows; `SettingsGroup` is a group that stands in a
section of another module. `StatusMessage` shows the outcome of a change, `read_only_field` text to
select and copy; `scroll_into_view` scrolls to what was just opened, and `keep_in_place` leaves what
is used under the pointer.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import ClassVar, Final

from PySide6.QtCore import QChildEvent, QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.ui.theme import Theme
from app.ui.widgets.accessible import announce
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import one_line, plain_label
from app.ui.widgets.scaling import hold_size
from app.ui.widgets.surfaces import RoundedFrame, set_card, stack
from app.viewmodels.other_languages import words_elsewhere

# Layouts settle from the inside out, a level each turn of the event loop.
_TURNS: Final = 3


def scroll_into_view(part: QWidget, turns: int = _TURNS) -> None:
    """Scroll the whole of `part` into view, or as much from its top as there is room for.

    Waits for so many turns of the event loop, in which the page grows.
    """
    after = partial(scroll_into_view, part, turns - 1) if turns else partial(_scroll_to, part)
    QTimer.singleShot(0, part, after)


def keep_in_place(part: QWidget) -> None:
    """Scroll so that `part` stays where it is seen, while what stands above it changes its height.

    Holds for so many turns of the event loop, in which the page is laid out anew.
    """
    scroll = _scroll_of(part)
    if scroll and not part.visibleRegion().isEmpty():
        top = part.mapTo(scroll, QPoint(0, 0)).y()
        QTimer.singleShot(0, part, partial(_put_back, part, scroll, top, _TURNS))


def _put_back(part: QWidget, scroll: QScrollArea, top: int, turns: int) -> None:
    bar = scroll.verticalScrollBar()
    bar.setValue(bar.value() + part.mapTo(scroll, QPoint(0, 0)).y() - top)
    if turns:
        QTimer.singleShot(0, part, partial(_put_back, part, scroll, top, turns - 1))


def _scroll_of(part: QWidget) -> QScrollArea | None:
    """Return the page that a part of it scrolls with."""
    around = part.parentWidget()
    while around and not isinstance(around, QScrollArea):
        around = around.parentWidget()
    return around if isinstance(around, QScrollArea) else None


def _scroll_to(part: QWidget) -> None:
    scroll = _scroll_of(part)
    if scroll is None:
        return
    room = scroll.viewport().height()
    bar = scroll.verticalScrollBar()
    top = part.mapTo(scroll, QPoint(0, 0)).y() + bar.value()
    if not bar.value() <= top <= bar.value() + room - part.height():
        bar.setValue(max(0, top - max(0, room - part.height()) // 2))


def read_only_field(theme: Theme, name: str, height_px: int, *, is_exact: bool) -> QPlainTextEdit:
    """Make the field, `height_px` high in the design; exact lines are in the typeface of code."""
    field = QPlainTextEdit()
    field.setReadOnly(True)
    field.setFont(theme.mono() if is_exact else theme.font("secondary"))
    field.setTabChangesFocus(True)
    hold_size(field, height_px=height_px)
    field.setProperty("field", "address")
    field.setAccessibleName(name)
    return field


class StatusMessage(QWidget):
    """Shows the outcome of a change, or takes no room. Made by the section it stands in."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._note = plain_label("", theme, size="secondary", ink="ink-2", wraps=True)
        self._said = plain_label("", theme, size="secondary", ink="good", wraps=True)
        self._problem = plain_label("", theme, size="secondary", ink="bad", wraps=True)
        self._shown = "", ""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._note)
        column.addWidget(self._said)
        column.addWidget(self._problem)
        self.show_words("", "")

    def show_words(self, said: str, problem: str, note: str = "") -> None:
        """Show what holds now, what is wrong, or a note; empty words hide each."""
        is_other = (said, problem) != self._shown
        self._shown = said, problem
        shown = ((self._note, note), (self._said, said), (self._problem, problem))
        for label, words in shown:
            label.setText(one_line(words))
            label.setVisible(bool(words))
        self.setVisible(any(words for _, words in shown))
        if is_other and self.isVisible():
            announce(self, one_line(problem or said))


GAP_PX: Final = 10
"""Between the cards of the settings, and whatever stands between them."""
_CARD_RADIUS_PX: Final = 10
_FORM_GAP_PX: Final = 8
FORM_MARGINS_PX: Final = (14, 12, 14, 14)
GROUP_GAP_PX: Final = 8
"""Above each group but the first, besides the gap between all parts."""


class SearchHit(IntEnum):
    """How well a section matches a search, worst first."""

    NONE = 0
    TEXT = 1
    """Something that can be read in the section."""
    LINE = 2
    """The words at a setting."""
    NAME = 3
    """The name of a setting, or of the section."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One setting: its row, its name, and all words that stand at it."""

    card: QFrame
    name: str
    words: tuple[str, ...]

    def hit(self, words: tuple[str, ...]) -> SearchHit:
        """Return how well the setting matches lower-case words."""
        if not words or not _has_all(words, self.searched):
            return SearchHit.NONE
        is_name = _has_all(words, _in_all_languages([self.name]))
        return SearchHit.NAME if is_name else SearchHit.LINE

    @property
    def searched(self) -> str:
        """What a search finds it by: its words in every language, in lower case."""
        return _in_all_languages(self.words)


def _has_all(words: tuple[str, ...], text: str) -> bool:
    return all(word in text for word in words)


def _in_all_languages(phrases: Iterable[str]) -> str:
    elsewhere = words_elsewhere()
    found = (f"{phrase} {elsewhere.get(phrase, '')}" for phrase in phrases)
    return " ".join(found).casefold()


class GroupCard(RoundedFrame):
    """A card with a row for each setting, and a hairline between two; hidden with its last row."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _CARD_RADIUS_PX, ground="panel")
        self._rows: list[QFrame] = []
        self._column = stack(self, 0)

    def add(self, row: QFrame) -> None:
        """Add a row below the others; it has no edge of its own any more."""
        set_card(row, "row")
        self._rows.append(row)
        self._column.addWidget(row)
        row.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the rows as they come and go."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self.setHidden(all(row.isHidden() for row in self._rows))
            self.update()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the card, and the lines between its rows."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(self._theme.color("line"))
        for row in [row for row in self._rows if not row.isHidden()][1:]:
            painter.drawLine(1, row.y(), self.width() - 2, row.y())


def form_card(button: QWidget, *fields: QWidget) -> QFrame:
    """Make a card with the fields of a form, one below the other, and the button that ends it."""
    card = QFrame()
    set_card(card, "plain")
    column = stack(card, _FORM_GAP_PX, *fields)
    column.setContentsMargins(*FORM_MARGINS_PX)
    column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
    return card


class SettingsSection(QWidget):
    """One section, from its heading down. Subclasses add their groups and lines.

    `icon` is what stands beside its title in the list of sections. What `add_group` and `add_row`
    are given is what the search of the settings finds; whatever else stands in `column` counts
    for the section as a whole. `tables` are those of the settings that are changed in it.
    """

    tables: ClassVar[tuple[str, ...]] = ()

    detail_shown = Signal(object)
    """A page of its own stands in place of the section; argument: the widget, None for none."""

    def __init__(self, theme: Theme, title: str, icon: str) -> None:
        super().__init__()
        self._theme = theme
        self.title = title
        self.icon = icon
        self._lines: list[_Line] = []
        self._best: _Line | None = None
        self._group_title = ""
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 24, 0, 24)
        self.column.setSpacing(GAP_PX)
        heading = plain_label(title, theme, size="subheading", weight=Weight.Bold, wraps=True)
        self.column.addWidget(heading)
        self.column.addSpacing(GAP_PX)
        self._begins_at = self.column.count()

    def begin(self) -> None:
        """Begin with what holds now; called each time the settings are opened."""

    def childEvent(self, event: QChildEvent) -> None:
        """Give what is made later, such as the card of a new project, the margins of the scale."""
        super().childEvent(event)
        part = event.child()
        # Not at ChildAdded, when the child is not complete yet.
        if event.type() is QEvent.Type.ChildPolished and isinstance(part, QWidget):
            self._theme.fit(part)

    def add_group(self, title: str, words: str = "") -> None:
        """Begin a group with its title and, below it, what its settings do."""
        self._group_title = title
        if self.column.count() > self._begins_at:
            self.column.addSpacing(GROUP_GAP_PX)
        self.column.addLayout(_heading(self._theme, title, words))

    def add_row(self, title: str, *controls: QWidget, words: str = "") -> QFrame:
        """Add a row with one setting in it: its name on the left, its controls on the right.

        Rows that follow each other share a card. `words` say under the name what the setting
        does, where the group does not. Returns the row, which may be hidden while the setting
        means nothing.
        """
        card = QFrame()
        row = FlowLayout(card, spacing_px=6)
        row.setContentsMargins(14, 9, 14, 9)
        names = QWidget()
        column = stack(names, 2)
        if title:
            column.addWidget(plain_label(title, self._theme, wraps=True))
        if words:
            column.addWidget(plain_label(words, self._theme, size="small", ink="ink-2", wraps=True))
        row.add(names, grows=True)
        row.add(*controls)
        for control in controls:
            control.setAccessibleDescription(control.accessibleDescription() or words)
        self._lines.append(_Line(card, title, (self._group_title, title, words)))
        self._group_card().add(card)
        return card

    def _group_card(self) -> "GroupCard":
        """Return the card that further rows go into: the last part, or a new one below it."""
        item = self.column.itemAt(self.column.count() - 1)
        last = item.widget() if item else None
        if not isinstance(last, GroupCard):
            last = GroupCard(self._theme)
            self.column.addWidget(last)
        return last

    def mark_hits(self, words: tuple[str, ...]) -> SearchHit:
        """Mark the lines that have all these lower-case words; return the best hit.

        No words take the marks back.
        """
        best, self._best = SearchHit.NONE, None
        for line in self._lines:
            hit = line.hit(words)
            set_card(line.card, "chosen" if hit else "row")
            if hit > best and not line.card.isHidden():
                best, self._best = hit, line
        if words and _has_all(words, _in_all_languages([self.title])):
            return SearchHit.NAME
        return best or SearchHit(_has_all(words, self._said()))

    def focus_hit(self) -> None:
        """Move the focus to the setting that matches best, or else to the first of the section."""
        around = self._best.card if self._best else self
        for control in around.findChildren(QWidget):
            takes_tab = control.focusPolicy() & Qt.FocusPolicy.TabFocus
            if takes_tab and control.isVisibleTo(self) and control.isEnabled():
                control.setFocus(Qt.FocusReason.TabFocusReason)
                scroll_into_view(control)
                return

    def _said(self) -> str:
        """Return everything that can be read in the section, in every language."""
        labels: list[QLabel] = self.findChildren(QLabel)
        buttons: list[QAbstractButton] = self.findChildren(QAbstractButton)
        read = [*(label.text() for label in labels), *(button.text() for button in buttons)]
        names = [button.accessibleName() for button in buttons]
        return _in_all_languages([self.title, *read, *names])


class SettingsGroup(QWidget):
    """A group that is a part of its own, such as one with cards. Subclasses add to `column`."""

    def __init__(self, theme: Theme, title: str, words: str) -> None:
        super().__init__()
        self._theme = theme
        self.column = stack(self, GAP_PX, _heading(theme, title, words))


def _heading(theme: Theme, title: str, words: str) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(2)
    column.addWidget(plain_label(title, theme, weight=Weight.DemiBold, wraps=True))
    if words:
        column.addWidget(plain_label(words, theme, size="small", ink="ink-2", wraps=True))
    return column
