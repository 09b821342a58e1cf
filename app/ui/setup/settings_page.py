"""The settings: they fill the window, with their sections on the left."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.error_text import ErrorText
from app.ui.notice_bar import NoticeBar
from app.ui.parts.buttons import push_button, set_button_text
from app.ui.parts.scaling import NO_LIMIT_PX
from app.ui.parts.surfaces import hairline
from app.ui.setup.into_view import bring_into_view
from app.ui.setup.section import SettingsSection
from app.ui.setup.settings_side import SettingsSide
from app.ui.theme import Theme
from app.viewmodels.states import BannerView, Dot
from app.viewmodels.tools.change_words import undo_words

_SIDE_PX: Final = 272
_COLUMN_PX: Final = 720
# Narrower than this beside the list, the sections are not good to read any more.
_LEAST_COLUMN_PX: Final = 448
_LINE_PX: Final = 1


class SettingsPage(QWidget):
    """Shows `sections`, the first one first, and searches them.

    Esc goes back to the chat, or out of the search. Made by the window.
    """

    closed = Signal()
    """Back to the chat."""
    undo_requested = Signal(str)
    """The last change of the section should be taken back; argument: its table and field."""

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
        for section in self._sections:
            self._pages.addWidget(_Scrolled(section))
        self._side = SettingsSide(theme, self._sections)
        self._side.closed.connect(self.closed)
        self._side.section_chosen.connect(self._pages.setCurrentIndex)
        self._pages.currentChanged.connect(self._show_undo)
        self._side.searched.connect(self._on_side_searched)
        self._subjects: Sequence[str] = ()
        self._undo = push_button("", "quiet", theme)
        self._undo.clicked.connect(self._on_undo_clicked)
        self._show_undo()
        self._line = hairline()
        self._lay_out()
        theme.changed.connect(self._fit)

    def show_section(self, section: SettingsSection, part: QWidget | None = None) -> None:
        """Shows this section, as a click on its name does; the keyboard goes to `part` of it."""
        number = self._sections.index(section)
        self._side.show_section(number)
        self._pages.setCurrentIndex(number)
        if part:
            part.setFocus()
            bring_into_view(part)

    def show_problem(self, words: ErrorText | None) -> None:
        """Says what went wrong with a choice; None takes that back."""
        self._problem.show_banner(BannerView(Dot.BAD, words) if words else None)

    def show_changes(self, subjects: Sequence[str]) -> None:
        """Offers to take the last change back where it was made; oldest first."""
        self._subjects = subjects
        self._show_undo()

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
            self._on_undo_clicked()
        elif event.key() == Qt.Key.Key_Escape and self._side.search_text:
            self._side.clear_search()
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Turns the list of sections into one line where there is no room beside it."""
        super().resizeEvent(event)
        self._fit()

    def _lay_out(self) -> None:
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self._problem)
        column.addWidget(self._pages, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(24, 0, 24, 8)
        foot.addStretch(1)
        foot.addWidget(self._undo)
        column.addLayout(foot)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(self._side)
        self._row.addWidget(self._line)
        self._row.addLayout(column, 1)

    def _fit(self) -> None:
        px = self._theme.px
        is_narrow = self.width() < px(_SIDE_PX + _LEAST_COLUMN_PX)
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        self._side.set_narrow(is_narrow=is_narrow)
        self._side.setMaximumWidth(NO_LIMIT_PX if is_narrow else px(_SIDE_PX))
        self._side.setMinimumWidth(0 if is_narrow else px(_SIDE_PX))
        self._line.setMinimumSize(*((0, _LINE_PX) if is_narrow else (_LINE_PX, 0)))
        self._line.setMaximumSize(
            *((NO_LIMIT_PX, _LINE_PX) if is_narrow else (_LINE_PX, NO_LIMIT_PX))
        )

    @property
    def _last_subject(self) -> str:
        """What was changed last in the section that is shown; empty if nothing was."""
        tables = self._sections[self._pages.currentIndex()].tables
        here = [subject for subject in self._subjects if subject.partition(".")[0] in tables]
        return here[-1] if here else ""

    def _show_undo(self) -> None:
        subject = self._last_subject
        self._undo.setVisible(bool(subject))
        set_button_text(self._undo, undo_words(subject))

    def _on_undo_clicked(self) -> None:
        if subject := self._last_subject:
            self.undo_requested.emit(subject)

    def _on_side_searched(self, text: str) -> None:
        """Leaves the sections that have the words, and shows the first of them."""
        words = tuple(text.casefold().split())
        hits = [number for number, part in enumerate(self._sections) if part.mark_hits(words)]
        self._side.show_hits(hits)
        if hits and self._pages.currentIndex() not in hits:
            self.show_section(self._sections[hits[0]])


class _Scrolled(QScrollArea):
    """A section in the middle of its page, which stands still from page to page.

    So the scroll bar has its room also where nothing is to be scrolled, and is not seen there.
    Made by the page of the settings.
    """

    def __init__(self, section: SettingsSection) -> None:
        super().__init__()
        frame = QWidget()
        row = QHBoxLayout(frame)
        row.setContentsMargins(24, 0, 24, 0)
        section.setMaximumWidth(_COLUMN_PX)
        row.addStretch(1)
        row.addWidget(section, 1000)
        row.addStretch(1)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.verticalScrollBar().setEnabled(False)
        self.verticalScrollBar().rangeChanged.connect(self._on_bar_range_changed)
        self.setWidget(frame)

    def _on_bar_range_changed(self, first: int, last: int) -> None:
        self.verticalScrollBar().setEnabled(first < last)
