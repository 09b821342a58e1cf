"""`SettingsPage` fills the window with the settings, their sections listed on the left.

`SettingsSide` is that list, with the way back and the search above it.
"""

from collections.abc import Collection, Sequence
from typing import Final, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.common.error_messages import ErrorMessage
from app.ui.notice_bar import NoticeBar
from app.ui.settings.section import SettingsSection, scroll_into_view
from app.ui.theme import Theme
from app.ui.widgets.buttons import icon_button, push_button
from app.ui.widgets.chips import ChoiceChip
from app.ui.widgets.empty_place import EmptyPlace
from app.ui.widgets.fields import SearchLineEdit, written_character
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import plain_label
from app.ui.widgets.scaling import NO_LIMIT_PX, hold_size
from app.ui.widgets.surfaces import HEADER_HEIGHT_PX, hairline, set_surface
from app.ui.widgets.toast import Toast
from app.viewmodels.settings.setting_texts import changed_text, undo_text
from app.viewmodels.states import BannerView, Dot

_SEARCH_MARGINS_PX: Final = (4, 0, 4, 8)
_NO_MARGINS: Final = (0, 0, 0, 0)


Typed = tuple[tuple[str, ...], ...]
"""The texts of the fields of each part of a page."""


def _fields_in(part: QWidget) -> list[QLineEdit | QPlainTextEdit]:
    """Return the fields that a person writes in."""
    found: list[QLineEdit | QPlainTextEdit] = [
        *part.findChildren(QLineEdit),
        *part.findChildren(QPlainTextEdit),
    ]
    return [field for field in found if not field.isReadOnly()]


def _text_of(field: QLineEdit | QPlainTextEdit) -> str:
    return field.text() if isinstance(field, QLineEdit) else field.toPlainText()


def _put_text(field: QLineEdit | QPlainTextEdit, text: str) -> None:
    if _text_of(field) == text:
        return
    if isinstance(field, QLineEdit):
        field.setText(text)
    else:
        field.setPlainText(text)


class SettingsSide(QWidget):
    """Lists the sections; in a narrow window, a button with a menu of them.

    Made by the settings page.
    """

    closed = Signal()
    """Back to the chat."""
    section_chosen = Signal(int)
    """A section should be shown; argument: its number."""
    searched = Signal(str)
    """Settings with these words are wanted; argument: what is typed."""

    def __init__(self, theme: Theme, sections: Sequence[SettingsSection]) -> None:
        super().__init__()
        self._theme = theme
        self._titles = [section.title for section in sections]
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self._on_chosen)
        self._title = plain_label(
            self.tr("Settings"), theme, size="title", weight=Weight.DemiBold, elides=True
        )
        self._menu = ChoiceChip(theme, self.tr("Section"))
        self._menu.chosen.connect(self._on_menu_chosen)
        self._search = SearchLineEdit(theme, self.tr("Search settings"))
        self._search.textChanged.connect(self.searched)
        self._nothing = EmptyPlace(theme, "search")
        self._nothing.show_words(self.tr("No matching settings"), "", self.tr("Clear search"))
        self._nothing.acted.connect(self.clear_search)
        self._list = self._make_list(theme, sections)
        self._is_narrow = False
        set_surface(self, "side")
        self._lay_out(theme)
        self.show_hits(range(len(sections)))
        self.show_section(0)
        self.set_narrow(is_narrow=False)

    @property
    def search_text(self) -> str:
        """The text that is searched for."""
        return self._search.text()

    @property
    def is_searching(self) -> bool:
        """Whether the keyboard is in the search, and something is searched for."""
        return self._search.hasFocus() and bool(self.search_text)

    def type_on(self, character: str) -> None:
        """Search for what somebody began to write outside the search."""
        self._search.setFocus(Qt.FocusReason.OtherFocusReason)
        self._search.insert(character)

    def clear_search(self) -> None:
        """Empty the search, so that all sections are listed again."""
        self._search.clear()

    def show_section(self, number: int) -> None:
        """Highlight the shown section."""
        self._group.button(number).setChecked(True)
        self._menu.show_value(str(number))

    def show_hits(self, numbers: Collection[int]) -> None:
        """List only these sections, the hits of the search."""
        for number in range(len(self._titles)):
            self._group.button(number).setVisible(number in numbers)
        self._menu.offer([(str(number), self._titles[number]) for number in numbers])
        self._nothing.setVisible(not numbers)
        self._list.setHidden(self._is_narrow or not numbers)

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Switch between the narrow form (a button) and the column."""
        self._title.setHidden(is_narrow)
        self._menu.setVisible(is_narrow)
        self._is_narrow = is_narrow
        self._list.setHidden(is_narrow or not self._nothing.isHidden())
        # Adding the widget to one layout removes it from the other.
        if is_narrow:
            # Insert before the spacer, which would separate them; remove first, as it may be there
            # already.
            self._header.removeWidget(self._search)
            self._header.insertWidget(self._header.count() - 1, self._search, 1)
        else:
            self._search_row.addWidget(self._search, 1)
        # A row with nothing in it takes no room below the line.
        self._theme.space(self._search_row, _NO_MARGINS if is_narrow else _SEARCH_MARGINS_PX, 0)

    def _lay_out(self, theme: Theme) -> None:
        back = icon_button("arrow-left", self.tr("Back to the chat"), theme)
        back.clicked.connect(self.closed)
        self._header = QHBoxLayout()
        self._header.setContentsMargins(0, 0, 0, 0)
        self._header.setSpacing(8)
        self._header.addWidget(back)
        self._header.addWidget(self._title, 1)
        self._header.addWidget(self._menu)
        # A widget as strut, since a spacer of a layout does not follow the scale.
        strut = QWidget()
        hold_size(strut, height_px=HEADER_HEIGHT_PX)
        self._header.addWidget(strut)
        self._search_row = QHBoxLayout()
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 0, 8, 8)
        column.setSpacing(1)
        column.addLayout(self._header)
        column.addLayout(self._search_row)
        column.addWidget(self._nothing, 1)
        column.addWidget(self._list, 1)

    def _make_list(self, theme: Theme, sections: Sequence[SettingsSection]) -> QScrollArea:
        names = QWidget()
        column = QVBoxLayout(names)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        for number, section in enumerate(sections):
            button = push_button(section.title, "section", theme, icon=section.icon)
            button.setCheckable(True)
            # Without this, screen readers call it a check box.
            button.setAutoExclusive(True)
            self._group.addButton(button, number)
            column.addWidget(button)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(names)
        for ground in (names, scroll.viewport()):
            ground.setAutoFillBackground(False)
        return scroll

    def _on_menu_chosen(self, number: str) -> None:
        self._on_chosen(int(number))

    def _on_chosen(self, number: int) -> None:
        self.show_section(number)
        self.section_chosen.emit(number)


_TO_THE_HIT: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down)
_SIDE_PX: Final = 272
_COLUMN_PX: Final = 720
# Narrower than this beside the list, the sections are not good to read any more.
_LEAST_COLUMN_PX: Final = 448
_LINE_PX: Final = 1
_BAR_PX: Final = 10

_Section = TypeVar("_Section", bound=SettingsSection)


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
            self._pages.addWidget(_SectionPage(section))
        self._side = SettingsSide(theme, self._sections)
        self._side.closed.connect(self.closed)
        self._side.section_chosen.connect(self._pages.setCurrentIndex)
        self._pages.currentChanged.connect(self._show_undo)
        self._side.searched.connect(self._on_side_searched)
        self._subjects: Sequence[str] = ()
        self._line = hairline()
        self._lay_out()
        self._toast = Toast(theme, self._pages)
        self._show_undo()
        theme.changed.connect(self._fit)

    @property
    def sections(self) -> Sequence[SettingsSection]:
        """Every section, as they are listed."""
        return self._sections

    @property
    def shown_section(self) -> SettingsSection:
        """The section that is shown."""
        return self._sections[self._pages.currentIndex()]

    def section(self, kind: type[_Section]) -> _Section:
        """Return the section of this class."""
        return next(section for section in self._sections if isinstance(section, kind))

    def show_section(self, section: SettingsSection, part: QWidget | None = None) -> None:
        """Show this section, as a click on its name does; the keyboard goes to `part` of it."""
        number = self._sections.index(section)
        self._side.show_section(number)
        self._pages.setCurrentIndex(number)
        if part:
            part.setFocus()
            scroll_into_view(part)

    @property
    def place(self) -> tuple[int, int]:
        """The section that is shown, and which widget of it has the keyboard; -1 for none."""
        section, focus = self.shown_section, self.window().focusWidget()
        widgets = section.findChildren(QWidget)
        # By number: the page that takes over has widgets of its own.
        return self._pages.currentIndex(), widgets.index(focus) if focus in widgets else -1

    @property
    def typed(self) -> Typed:
        """What is in every field, by section; the search comes last."""
        return tuple(
            tuple(_text_of(field) for field in _fields_in(part)) for part in self._typed_in
        )

    def type_again(self, typed: Typed) -> None:
        """Fill the fields with what was `typed` on the page that this one replaces."""
        for part, texts in zip(self._typed_in, typed, strict=True):
            fields = _fields_in(part)
            # Other fields by now, as when a connection was added: they cannot be told apart.
            if len(fields) == len(texts):
                for field, text in zip(fields, texts, strict=True):
                    _put_text(field, text)

    @property
    def _typed_in(self) -> tuple[QWidget, ...]:
        return *self._sections, self._side

    def go_to(self, place: tuple[int, int]) -> None:
        """Show what another page of the same sections showed, by its `place`."""
        number, widget = place
        section = self._sections[number]
        widgets = section.findChildren(QWidget)
        self.show_section(section, widgets[widget] if 0 <= widget < len(widgets) else None)

    def show_problem(self, words: ErrorMessage | None) -> None:
        """Show what went wrong with a choice; None takes that back."""
        self._problem.show_banner(BannerView(Dot.BAD, words) if words else None)

    def show_changes(self, subjects: Sequence[str]) -> None:
        """Offer to undo the last change where it was made; `subjects` are oldest first."""
        self._subjects = subjects
        self._show_undo()

    def showEvent(self, event: QShowEvent) -> None:
        """Show what holds now, and take the focus, so that Esc is heard."""
        super().showEvent(event)
        if not event.spontaneous():
            for section in self._sections:
                section.begin()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go back on Esc, search for what is typed, and undo a change where no field does so."""
        if event.matches(QKeySequence.StandardKey.Undo):
            self._undo_last()
        elif event.key() == Qt.Key.Key_Escape and self._side.search_text:
            self._side.clear_search()
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in _TO_THE_HIT and self._side.is_searching:
            self.shown_section.focus_hit()
        elif self.hasFocus() and (character := written_character(event)):
            self._side.type_on(character)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Turn the list of sections into one line where there is no room beside it."""
        super().resizeEvent(event)
        self._fit()

    def _lay_out(self) -> None:
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self._problem)
        column.addWidget(self._pages, 1)
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
        """The subject that was changed last in the section that is shown; empty for none."""
        tables = self.shown_section.tables
        here = [subject for subject in self._subjects if subject.partition(".")[0] in tables]
        return here[-1] if here else ""

    def _show_undo(self) -> None:
        subject = self._last_subject
        if subject:
            words, name = changed_text(subject), undo_text(subject)
            self._toast.show_words(words, self.tr("Undo"), self._undo_last, name)
        else:
            self._toast.dismiss()

    def _undo_last(self) -> None:
        if subject := self._last_subject:
            self.undo_requested.emit(subject)

    def _on_side_searched(self, text: str) -> None:
        """Offer the sections that have the words, and show the one that matches best."""
        words = tuple(text.casefold().split())
        # Every section, also after the best hit: each renews its marks.
        hits = [part.mark_hits(words) for part in self._sections]
        self._side.show_hits([number for number, hit in enumerate(hits) if hit])
        best = max(hits)
        if hits[self._pages.currentIndex()] < best:
            self.show_section(self._sections[hits.index(best)])


class _SectionPage(QStackedWidget):
    """A section, or the page of its own that it asks for. Made by the page of the settings."""

    def __init__(self, section: SettingsSection) -> None:
        super().__init__()
        self._section = _Scrolled(section)
        self.addWidget(self._section)
        section.detail_shown.connect(self._on_section_detail_shown)

    def _on_section_detail_shown(self, detail: object) -> None:
        if isinstance(detail, QWidget) and self.indexOf(detail) < 0:
            self.addWidget(detail)
        self.setCurrentWidget(detail if isinstance(detail, QWidget) else self._section)


class _Scrolled(QScrollArea):
    """A section in the middle of its page, at the same place on every page.

    So the scroll bar has its room also where nothing is to be scrolled, and is not seen there.
    Made by the page of the settings.
    """

    def __init__(self, section: SettingsSection) -> None:
        super().__init__()
        frame = QWidget()
        row = QHBoxLayout(frame)
        # More on the left by the width of the bar on the right.
        row.setContentsMargins(24 + _BAR_PX, 0, 24, 0)
        section.setMaximumWidth(_COLUMN_PX)
        row.addStretch(1)
        # So much more than the stretches beside it that it gets all the width it may have.
        row.addWidget(section, 1000, Qt.AlignmentFlag.AlignTop)
        row.addStretch(1)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.verticalScrollBar().setEnabled(False)
        self.verticalScrollBar().rangeChanged.connect(self._on_bar_range_changed)
        self.setWidget(frame)

    def _on_bar_range_changed(self, first: int, last: int) -> None:
        self.verticalScrollBar().setEnabled(first < last)
