"""`HelpPage` fills the window with the manual: the list of pages with its search, and the text.

`PageList` lists the pages, or what was found; `PageDelegate` paints its rows. `PageText` shows one
page as the transcript shows a reply.
"""

from typing import Final

from PySide6.QtCore import (
    QCoreApplication,
    QModelIndex,
    QObject,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.chat.items import Item, ReplyPart
from app.ui.link_dialog import LinkDialog
from app.ui.sidebar.search_pane import SearchField
from app.ui.theme import Theme
from app.ui.transcript.view import TranscriptView
from app.ui.widgets.accessible import announce, tell_current
from app.ui.widgets.buttons import icon_button
from app.ui.widgets.choice_list import ChoiceList
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import plain_label
from app.ui.widgets.marked_text import MarkedPen, MarkedText
from app.ui.widgets.menus import make_menu
from app.ui.widgets.painting import Pen, paint_round_ground
from app.ui.widgets.scaling import NO_LIMIT_PX, hold_size
from app.ui.widgets.surfaces import HEADER_HEIGHT_PX, hairline, set_surface
from app.viewmodels.help import Manual, ManualHit, ManualPage
from app.viewmodels.rows import ROW_ROLE, Index, RowsModel

HelpRow = ManualPage | ManualHit
"""What a row of the list leads to: a page, or a section that was found."""

_INSET_PX: Final = 0
_TEXT_INSET_PX: Final = 12
_PADDING_PX: Final = 6
_EXCERPT_LINES: Final = 2


class PageDelegate(QStyledItemDelegate):
    """Paints a page as its title, and a hit as what was found and where.

    Made by the list; ends with it.
    """

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of a row in a list as wide as it is now."""
        row: HelpRow = index.data(ROW_ROLE)
        height = self._title_pen().line_height()
        if isinstance(row, ManualHit):
            widget: QWidget = option.widget
            room = widget.contentsRect().width() - 2 * self._theme.px(_INSET_PX + _TEXT_INSET_PX)
            height = self._excerpt(row, room).height + self._place_pen().line_height()
        return QSize(0, round(height + self._theme.px(2 * _PADDING_PX)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        row: HelpRow = index.data(ROW_ROLE)
        px = self._theme.px
        room = QRectF(option.rect).adjusted(px(_INSET_PX), 0, -px(_INSET_PX), -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_round_ground(painter, room, self._theme, option.state)
        room.adjust(px(_TEXT_INSET_PX), px(_PADDING_PX), -px(_TEXT_INSET_PX), -px(_PADDING_PX) + 1)
        if isinstance(row, ManualHit):
            self._paint_hit(painter, room, row)
        else:
            self._title_pen().write(painter, room, row.title)
        painter.restore()

    def _paint_hit(self, painter: QPainter, room: QRectF, hit: ManualHit) -> None:
        place = self._place_pen()
        line = QRectF(room.left(), room.top(), room.width(), place.line_height())
        place.write(painter, line, hit.place)
        self._excerpt(hit, room.width()).draw(painter, line.bottomLeft())

    def _excerpt(self, hit: ManualHit, width: float) -> MarkedText:
        theme = self._theme
        pen = MarkedPen(theme.font("secondary"), theme.color("ink-2"), theme.color("ink"))
        return MarkedText(hit.excerpt.text, hit.excerpt.marks, pen, width, _EXCERPT_LINES)

    def _title_pen(self) -> Pen:
        return Pen(self._theme.font("secondary"), self._theme.color("ink"))

    def _place_pen(self) -> Pen:
        return Pen(self._theme.font("small"), self._theme.color("ink-3"))


class PageList(ChoiceList):
    """Lists pages or hits, one of them current. Made by the page of the manual."""

    moved = Signal(object)
    """Another row became current; argument: the `ManualPage` or `ManualHit`."""

    def __init__(self, theme: Theme) -> None:
        self._rows: RowsModel[HelpRow] = RowsModel(_spoken_row)
        super().__init__(self._rows, theme)
        self._rows.setParent(self)
        self.setItemDelegate(PageDelegate(theme, self))
        self.selectionModel().currentChanged.connect(self._on_current_changed)

    @property
    def rows(self) -> tuple[HelpRow, ...]:
        """What is listed."""
        return tuple(self._rows.rows)

    def show_rows(self, rows: tuple[HelpRow, ...], current: HelpRow | None) -> None:
        """List these rows, with one of them current or none."""
        if rows != self._rows.rows:
            self._rows.replace_all(rows)
        if current in rows:
            self.go_to(rows.index(current))

    def _on_current_changed(self, index: QModelIndex) -> None:
        if index.isValid():
            self.moved.emit(index.data(ROW_ROLE))


def _spoken_row(row: HelpRow) -> str:
    return f"{row.place}: {row.excerpt.text}" if isinstance(row, ManualHit) else row.title


class PageText(TranscriptView):
    """Shows one page, a row for each section. Made by the page of the manual; ends with it."""

    def __init__(self, theme: Theme, names: frozenset[str]) -> None:
        self._sections: RowsModel[Item] = RowsModel(lambda item: item.key)
        super().__init__(self._sections, theme, tool_icon=lambda _name: "wrench", pages=names)
        self._sections.setParent(self)

    def show_page(self, page: ManualPage) -> None:
        """Show this page from its beginning."""
        self.finding.search("")
        self._sections.replace_all(
            [
                ReplyPart(
                    f"{page.name}/{number}", section.text, None, page.title, False, False, None
                )
                for number, section in enumerate(page.sections)
            ]
        )
        self.setAccessibleName(page.title)

    def show_section(self, section: int, words: str) -> None:
        """Go to a section of the page, at the first of these words; they are marked everywhere."""
        # First all words together; the search of the manual may have found them apart.
        for search in (self.finding.search_each, self.finding.search_any):
            search(words)
            if self.finding.first_with_hit([section]) is not None:
                self.keyboard.go_to_message(section)
                self.finding.go_to_row(section)
                return
        self.keyboard.go_to_message(section)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu that copies the selection or the page."""
        menu = make_menu(self, QCoreApplication.translate("HelpPage", "Copy"), self._theme)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        actions = self.clipboard.actions(None, menu)
        actions[-1].setText(QCoreApplication.translate("HelpPage", "Copy page as Markdown"))
        menu.addActions(actions)
        menu.popup(event.globalPos())


_SIDE_PX: Final = 272
# Narrower than this beside the list, the text is not good to read any more.
_LEAST_TEXT_PX: Final = 448
_LINE_PX: Final = 1
# Of the height, for the list above the text.
_LIST_SHARE: Final = 0.38


class HelpPage(QWidget):
    """Shows the manual, its first page until another is opened.

    The keyboard begins in the search: arrows go through pages or hits, Enter goes on to the text.
    Esc ends the search, then goes back to the chat. Made by the window.
    """

    closed = Signal()
    """Back to where the manual was opened."""
    link_confirmed = Signal(str)
    """The person wants to open this address; argument: the address."""

    def __init__(self, theme: Theme, manual: Manual, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._manual = manual
        self._shown = manual.pages[0]
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(self.tr("Manual"))
        self._field = SearchField(theme, self.tr("Search the manual"))
        self._title = plain_label(
            self.tr("Manual"), theme, size="title", weight=Weight.DemiBold, elides=True
        )
        self._found = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._found.setContentsMargins(12, 4, 12, 4)
        self._list = PageList(theme)
        self._text = PageText(theme, manual.names)
        self._link_dialog = LinkDialog(theme, self)
        self._side = QWidget()
        self._line = hairline()
        self._lay_out()
        self._connect()
        self._text.show_page(self._shown)
        self._show_rows("")

    @property
    def page_name(self) -> str:
        """The name of the page that is shown."""
        return self._shown.name

    def open_page(self, name: str) -> None:
        """Show this page from its beginning, with all pages listed and the keyboard in the search.

        The index is shown for a name that no page has.
        """
        self._field.clear()
        self._show_page(self._manual.page(name))
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """End the search on Esc, or go back; go to the search on the keys of finding."""
        if event.matches(QKeySequence.StandardKey.Find):
            self._begin_search()
        elif event.key() == Qt.Key.Key_Escape and self._field.text():
            self._field.clear()
            self._begin_search()
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the list above the text where there is no room beside it."""
        super().resizeEvent(event)
        self._fit()

    def _lay_out(self) -> None:
        set_surface(self, "bg")
        set_surface(self._side, "side")
        back = icon_button("arrow-left", self.tr("Back"), self._theme)
        back.clicked.connect(self.closed)
        self._header = header = QHBoxLayout()
        header.setSpacing(8)
        header.addWidget(back)
        header.addWidget(self._title, 1)
        # As high as the heads of other pages, at every scale.
        strut = QWidget()
        hold_size(strut, height_px=HEADER_HEIGHT_PX)
        header.addWidget(strut)
        self._field_row = QHBoxLayout()
        self._field_row.setContentsMargins(4, 0, 4, 8)
        self._field_row.addWidget(self._field)
        column = QVBoxLayout(self._side)
        column.setContentsMargins(8, 0, 8, 8)
        column.setSpacing(1)
        column.addLayout(header)
        column.addLayout(self._field_row)
        column.addWidget(self._found)
        column.addWidget(self._list, 1)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(self._side)
        self._row.addWidget(self._line)
        self._row.addWidget(self._text, 1)

    def _connect(self) -> None:
        self._theme.changed.connect(self._fit)
        self._field.textChanged.connect(self._on_field_text_changed)
        self._field.returnPressed.connect(self._list.choose_current)
        self._field.moved.connect(self._on_field_moved)
        self._field.left.connect(self.closed)
        self._list.moved.connect(self._on_list_moved)
        self._list.chosen.connect(self._on_list_chosen)
        self._list.left.connect(self._begin_search)
        self._text.page_activated.connect(self._on_text_page_activated)
        self._text.link_activated.connect(self._link_dialog.ask)
        self._link_dialog.confirmed.connect(self.link_confirmed)

    def _fit(self) -> None:
        px = self._theme.px
        is_narrow = self.width() < px(_SIDE_PX + _LEAST_TEXT_PX)
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        self._side.setMinimumWidth(0 if is_narrow else px(_SIDE_PX))
        self._title.setHidden(is_narrow)
        # Adding the widget to one layout removes it from the other.
        if is_narrow:
            self._header.insertWidget(self._header.indexOf(self._title), self._field, 1)
        else:
            self._field_row.addWidget(self._field)
        height = int(self.height() * _LIST_SHARE) if is_narrow else NO_LIMIT_PX
        self._side.setMaximumSize(NO_LIMIT_PX if is_narrow else px(_SIDE_PX), height)
        self._line.setMinimumSize(*((0, _LINE_PX) if is_narrow else (_LINE_PX, 0)))
        self._line.setMaximumSize(
            *((NO_LIMIT_PX, _LINE_PX) if is_narrow else (_LINE_PX, NO_LIMIT_PX))
        )

    def _begin_search(self) -> None:
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def _show_page(self, page: ManualPage) -> None:
        self._shown = page
        self._text.show_page(page)
        self._show_rows(self._field.text())

    def _show_rows(self, query: str) -> None:
        """List what `query` finds, or all pages where it has no words."""
        if not query.strip():
            self._found.hide()
            self._list.setAccessibleName(self.tr("Pages"))
            self._list.show_rows(self._manual.pages, self._shown)
            return
        hits = self._manual.search(query)
        self._list.setAccessibleName(self.tr("Search results"))
        self._list.show_rows(hits, None)
        words = self.tr("%n found", "", len(hits)) if hits else self.tr("No results in the manual")
        self._found.setText(words)
        self._found.show()

    def _on_field_text_changed(self, text: str) -> None:
        self._show_rows(text)
        if text.strip():
            # The field keeps the keyboard, so a screen reader would not hear of the list.
            announce(self._field, self._found.text())
            self._list.step(0)
        else:
            self._text.finding.search("")

    def _on_field_moved(self, by: int) -> None:
        self._list.step(by)
        # The keyboard is in the field: a screen reader would not follow the list.
        tell_current(self._list)

    def _on_list_moved(self, row: HelpRow) -> None:
        """Show a page as soon as its row is current; a hit waits for Enter."""
        if isinstance(row, ManualPage) and row is not self._shown:
            self._show_page(row)

    def _on_list_chosen(self, row: HelpRow) -> None:
        page = row.page if isinstance(row, ManualHit) else row
        if page is not self._shown:
            self._show_page(page)
        self._text.setFocus(Qt.FocusReason.OtherFocusReason)
        if isinstance(row, ManualHit):
            self._text.show_section(row.section, self._field.text())

    def _on_text_page_activated(self, name: str) -> None:
        self._field.clear()
        self._show_page(self._manual.page(name))
