"""`ToolsPage` of the right panel lists the tools of the open chat, and what runs without asking.

`ToolDelegate` paints a tool: what it is, what it may do, and whether the chat has it.
"""

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLayout,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.ui.panel.details_page import DetailsPage, caption
from app.ui.panel.row_list import RowList
from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.empty_place import EmptyPlace
from app.ui.widgets.fields import FilterField
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import breakable, one_line, plain_label, short_name
from app.ui.widgets.painting import Pen, paint_flat_ground, paint_switch
from app.ui.widgets.surfaces import hairline, stack
from app.viewmodels.rows import ROW_ROLE, Index
from app.viewmodels.tools.chat_tools import ChatTools, ToolChoice, ToolFilter, ToolRule

_PADDING_PX: Final = 16
_TOP_PX: Final = 10
_GAP_PX: Final = 10
_SWITCH_WIDTH_PX: Final = 32
_SWITCH_HEIGHT_PX: Final = 18


class ToolDelegate(QStyledItemDelegate):
    """Paints `ToolChoice`s, all of one height. Made by the list of tools; ends with it."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        """Return the room for three lines."""
        widget: QWidget = option.widget
        lines = self._title().line_height() + 2 * self._hint().line_height()
        return QSize(widget.contentsRect().width(), round(lines + 2 * self._theme.px(_TOP_PX)))

    def switch_of(self, row: QRectF) -> QRectF:
        """Return where in a row its switch is."""
        px = self._theme.px
        left = row.right() - px(_PADDING_PX + _SWITCH_WIDTH_PX)
        top = row.top() + px(_TOP_PX + 1)
        return QRectF(left, top, px(_SWITCH_WIDTH_PX), px(_SWITCH_HEIGHT_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row and the line under it."""
        rect, row = QRectF(option.rect), index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_flat_ground(painter, rect, self._theme, option.state)
        self._write(painter, rect, row)
        paint_switch(painter, self.switch_of(rect), self._theme, float(row.is_on))
        painter.restore()

    def _write(self, painter: QPainter, rect: QRectF, row: ToolChoice) -> None:
        px, title, hint = self._theme.px, self._title(), self._hint()
        line = QRectF(rect.left() + px(_PADDING_PX), rect.top() + px(_TOP_PX), 0, 0)
        line.setHeight(title.line_height())
        line.setRight(self.switch_of(rect).left() - px(_GAP_PX))
        title.write(painter, line, short_name(row.title))
        line.translate(0, line.height())
        line.setHeight(hint.line_height())
        line.setRight(rect.right() - px(_PADDING_PX))
        words = Pen(self._theme.font("small"), self._theme.color("ink-2"))
        words.write(painter, line, row.effects)
        line.translate(0, line.height())
        hint.write(painter, line, one_line(row.source))

    def _title(self) -> Pen:
        return Pen(self._theme.font("secondary", Weight.DemiBold), self._theme.color("ink"))

    def _hint(self) -> Pen:
        return Pen(self._theme.font("small"), self._theme.color("ink-3"))


# A list this short needs no filter.
_FEW: Final = 10


class ToolsPage(QWidget):
    """Lists the tools with a switch each; a row opens to tell everything about its tool.

    Made by the right panel; ends with it.
    """

    def __init__(self, tools: ChatTools, theme: Theme) -> None:
        super().__init__()
        self._tools = tools
        self._theme = theme
        self._name = ""
        self._fitting = ToolFilter(tools.rows, self)
        self._list = _ToolList(self._fitting, self.tr("Tools of this chat"), theme)
        self._words = FilterField(theme, self.tr("Filter tools"), has_icon=False)
        self._none = EmptyPlace(theme, "wrench")
        self._head = QWidget()
        self._all = self._make_all()
        self._details = DetailsPage(theme, self.tr("Back to the list of tools"))
        self._pages = QStackedWidget()
        for page in (self._all, self._details):
            self._pages.addWidget(page)
        stack(self, 0, self._pages)
        self._words.textChanged.connect(self._on_words_text_changed)
        self._words.passed.connect(self._list.take_focus)
        self._none.acted.connect(self._words.clear)
        self._list.opened.connect(self._on_list_opened)
        self._details.left.connect(self._on_details_left)
        for changed in (tools.rows.dataChanged, tools.rows.modelReset):
            changed.connect(self._show)
        self._show()

    def _make_all(self) -> QWidget:
        line = QWidget()
        stack(line, 0, self._words).setContentsMargins(12, 10, 12, 10)
        stack(self._head, 0, line, hairline())
        whole = QWidget()
        column = stack(whole, 0, self._head)
        column.addWidget(self._list, 1)
        column.addWidget(self._none, 1)
        return whole

    def _show(self) -> None:
        row = next((row for row in self._tools.rows.rows if row.name == self._name), None)
        if row is not None:
            self._details.fill(row.name, row.title, self._parts(row))
            self._pages.setCurrentWidget(self._details)
        else:
            self._name = ""
            self._show_all()
            self._pages.setCurrentWidget(self._all)

    def _show_all(self) -> None:
        count, fitting = self._tools.rows.rowCount(), self._fitting.rowCount()
        self._head.setVisible(count > _FEW)
        # The field is hidden then: a filter that nobody sees would hide tools.
        if count <= _FEW:
            self._words.clear()
        if count:
            self._none.show_words(self.tr("No matching tools"), "", self.tr("Clear filter"))
        else:
            self._none.show_words(self.tr("No tools"), "")
        self._none.setVisible(not fitting)
        self._list.setVisible(bool(fitting))

    def _parts(self, row: ToolChoice) -> Iterator[QWidget | QLayout]:
        theme = self._theme
        words = breakable(one_line(f"{row.name} · {row.source}"))
        yield plain_label(words, theme, size="small", ink="ink-2", wraps=True)
        # The words begin small, since they also stand in a row.
        effects = f"{row.effects[:1].upper()}{row.effects[1:]}."
        for text in (row.description, effects, row.access):
            yield plain_label(breakable(one_line(text)), theme, size="small", wraps=True)
        yield caption(self.tr("Runs without asking"), theme)
        if row.reads_attachments or not row.rules:
            words = (
                self.tr("Files that you attach to the chat. Attaching a file allows this.")
                if row.reads_attachments
                else self.tr("None. Every call needs your approval.")
            )
            yield plain_label(words, theme, size="small", ink="ink-2", wraps=True)
        for rule in row.rules:
            yield self._rule(rule)
        yield caption(self.tr("In this chat"), theme)
        words = self.tr("Turn off") if row.is_on else self.tr("Turn on")
        switch = push_button(words, "secondary", theme, name=f"{words}: {one_line(row.title)}")
        # A click rebuilds the page, and the focus is found again by this name: the words change.
        switch.setObjectName("switch")
        switch.clicked.connect(self._on_switch_clicked)
        line = QHBoxLayout()
        line.addWidget(switch)
        line.addStretch(1)
        yield line

    def _rule(self, rule: ToolRule) -> QLayout:
        about, words = one_line(rule.about), one_line(rule.words)
        if rule.denies:
            words = self.tr("denied · {words}").format(words=words)
        column = QVBoxLayout()
        column.setSpacing(2)
        if about:
            label = plain_label(breakable(about), self._theme, is_code=True, wraps=True)
            column.addWidget(label)
        shown = breakable(words)
        column.addWidget(plain_label(shown, self._theme, size="small", ink="ink-3", wraps=True))
        revoke = self.tr("Revoke")
        name = f"{revoke}: {about or words}"
        button = push_button(revoke, "danger", self._theme, name=name)
        button.setProperty("rule", rule.rule_id)
        button.clicked.connect(self._on_revoke_clicked)
        names = QWidget()
        names.setLayout(column)
        column.setContentsMargins(0, 0, 0, 0)
        row = FlowLayout()
        row.add(names, grows=True)
        row.add(button)
        return row

    def _on_list_opened(self, row: ToolChoice) -> None:
        self._name = row.name
        self._show()
        self._details.take_focus()

    def _on_details_left(self) -> None:
        self._name = ""
        self._show()
        self._list.take_focus()

    def _on_words_text_changed(self, text: str) -> None:
        self._fitting.look_for(text)
        self._show_all()

    def _on_switch_clicked(self) -> None:
        rows = self._tools.rows.rows
        row = next((row for row in rows if row.name == self._name), None)
        if row is not None:
            self._tools.switch(row.name, is_on=not row.is_on)

    def _on_revoke_clicked(self) -> None:
        if (button := self.sender()) is not None:
            self._tools.revoke(str(button.property("rule")))


class _ToolList(RowList):
    """Lists tools: Space or a click on the switch switches one, a click elsewhere opens it."""

    def __init__(self, rows: ToolFilter, name: str, theme: Theme) -> None:
        super().__init__(rows, name, theme)
        self._delegate = ToolDelegate(theme, self)
        self.draw_with(self._delegate)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Switch on Space."""
        if event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            self._switch(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Switch where the switch is."""
        index = self.indexAt(event.position().toPoint())
        # The delegate paints the switch: it is no widget that could be clicked.
        switch = self._delegate.switch_of(QRectF(self.visualRect(index)))
        if index.isValid() and switch.contains(event.position()):
            self._switch(index)
        else:
            super().mouseReleaseEvent(event)

    def _switch(self, index: QModelIndex) -> None:
        row: ToolChoice = index.data(ROW_ROLE)
        after = Qt.CheckState.Unchecked if row.is_on else Qt.CheckState.Checked
        self.model().setData(index, after, Qt.ItemDataRole.CheckStateRole)
