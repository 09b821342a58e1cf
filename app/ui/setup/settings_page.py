"""The settings: they fill the window, with their sections on the left."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.error_text import ErrorText
from app.ui.notice_bar import NoticeBar
from app.ui.parts.buttons import icon_button, push_button
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import plain_label
from app.ui.parts.surfaces import HEADER_HEIGHT_PX, set_surface
from app.ui.setup.section import SettingsSection
from app.ui.theme import Theme
from app.viewmodels.states import BannerView, Dot

_SIDE_PX: Final = 272
_COLUMN_PX: Final = 720


class SettingsPage(QWidget):
    """Shows `sections`, the first one first, and searches them.

    Esc goes back to the chat, or out of the search. Made by the window.
    """

    closed = Signal()
    """Back to the chat."""
    undo_requested = Signal()
    """The last change should be taken back."""

    def __init__(
        self, theme: Theme, sections: Sequence[SettingsSection], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(self.tr("Settings"))
        self._theme = theme
        self._sections = tuple(sections)
        self._problem = NoticeBar(theme)
        self._pages = QStackedWidget()
        self._scrolls = [_scrolled(section) for section in self._sections]
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self._pages.setCurrentIndex)
        self._search = self._make_search()
        self._nothing = plain_label(
            self.tr("No setting has these words."), theme, size="small", ink="ink-2", wraps=True
        )
        self._undo = push_button(self.tr("Undo"), "quiet", theme, name=self.tr("Undo last change"))
        self._undo.clicked.connect(self.undo_requested)
        self._undo.hide()
        self._side = self._make_side()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._side)
        row.addWidget(_vertical_line())
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self._problem)
        column.addWidget(self._pages, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(24, 0, 24, 8)
        foot.addStretch(1)
        foot.addWidget(self._undo)
        column.addLayout(foot)
        row.addLayout(column, 1)

    def show_section(self, section: SettingsSection, part: QWidget | None = None) -> None:
        """Shows this section, as a click on its name does; the keyboard goes to `part` of it."""
        number = self._sections.index(section)
        self._group.button(number).setChecked(True)
        self._pages.setCurrentIndex(number)
        if part:
            part.setFocus()
            # A section that was never shown is laid out first.
            QTimer.singleShot(0, part, partial(_scroll_to, part, self._scrolls[number]))

    def show_problem(self, words: ErrorText | None) -> None:
        """Says what went wrong with a choice; None takes that back."""
        self._problem.show_banner(BannerView(Dot.BAD, words) if words else None)

    def show_undo(self, *, can_undo: bool) -> None:
        """Offers to take the last change back, or no longer."""
        self._undo.setVisible(can_undo)

    def showEvent(self, event: QShowEvent) -> None:
        """Begins with what holds now, and takes the keyboard, so that Esc is heard."""
        super().showEvent(event)
        if not event.spontaneous():
            for section in self._sections:
                section.begin()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Goes back on Esc, and takes a change back where no field does so for itself."""
        if event.matches(QKeySequence.StandardKey.Undo):
            self.undo_requested.emit()
        elif event.key() == Qt.Key.Key_Escape and self._search.text():
            self._search.clear()
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _make_side(self) -> QWidget:
        side = QWidget()
        side.setFixedWidth(_SIDE_PX)
        set_surface(side, "side")
        column = QVBoxLayout(side)
        column.setContentsMargins(8, 0, 8, 8)
        column.setSpacing(1)
        column.addLayout(self._make_header())
        search = QHBoxLayout()
        search.setContentsMargins(4, 0, 4, 8)
        search.addWidget(self._search)
        column.addLayout(search)
        self._nothing.setContentsMargins(12, 4, 12, 4)
        column.addWidget(self._nothing)
        self._nothing.hide()
        for section, scroll in zip(self._sections, self._scrolls, strict=True):
            column.addWidget(self._add_section(section, scroll))
        column.addStretch(1)
        return side

    def _make_search(self) -> QLineEdit:
        field = QLineEdit()
        field.setFont(self._theme.font("secondary"))
        field.setPlaceholderText(self.tr("Search settings"))
        field.setAccessibleName(self.tr("Search settings"))
        field.textChanged.connect(self._on_search_text_changed)
        return field

    def _make_header(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        back = icon_button("arrow-left", self.tr("Back to the chat"), self._theme)
        back.clicked.connect(self.closed)
        row.addWidget(back)
        title = plain_label(self.tr("Settings"), self._theme, size="title", weight=Weight.DemiBold)
        title.setFixedHeight(HEADER_HEIGHT_PX)
        row.addWidget(title, 1)
        return row

    def _add_section(self, section: SettingsSection, scroll: QScrollArea) -> QPushButton:
        button = push_button(section.title, "section", self._theme, icon=section.icon)
        button.setCheckable(True)
        number = self._pages.addWidget(scroll)
        self._group.addButton(button, number)
        button.setChecked(number == 0)
        return button

    def _on_search_text_changed(self, text: str) -> None:
        """Leaves the sections that have the words, and shows the first of them."""
        words = tuple(text.casefold().split())
        hits = [number for number, part in enumerate(self._sections) if part.mark_hits(words)]
        for number in range(len(self._sections)):
            self._group.button(number).setVisible(number in hits)
        self._nothing.setVisible(not hits)
        if hits and self._pages.currentIndex() not in hits:
            self.show_section(self._sections[hits[0]])


def _scrolled(section: SettingsSection) -> QScrollArea:
    frame = QWidget()
    row = QHBoxLayout(frame)
    row.setContentsMargins(24, 0, 24, 0)
    section.setMaximumWidth(_COLUMN_PX)
    row.addStretch(1)
    row.addWidget(section, 1000)
    row.addStretch(1)
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.setWidget(frame)
    return scroll


def _scroll_to(part: QWidget, scroll: QScrollArea) -> None:
    """Brings the whole of `part` into view, or as much from its top as there is room for."""
    top = part.mapTo(scroll.widget(), QPoint(0, 0)).y()
    room = scroll.viewport().height()
    bar = scroll.verticalScrollBar()
    if not bar.value() <= top <= bar.value() + room - part.height():
        bar.setValue(max(0, top - max(0, room - part.height()) // 2))


def _vertical_line() -> QFrame:
    line = QFrame()
    line.setFixedWidth(1)
    set_surface(line, "line")
    return line
