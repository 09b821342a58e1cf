"""`DetailsPage` shows one row of the right panel in full: a way back, a title, and parts below.

`CallDetailsPage` is the one for a call: exact input and result, its steps, and whether it can be
undone.
"""

import math
from collections.abc import Hashable, Iterable, Iterator

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.ui.theme import Theme
from app.ui.widgets.buttons import icon_button, push_button
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import breakable, one_line, plain_label, shown_text
from app.ui.widgets.surfaces import hairline, set_surface
from app.ui.widgets.system_dialogs import open_by_system
from app.viewmodels.tools.activity_texts import CallDetailsView

_SIDE_PX = 16
_FIELD_PX = 132
# The line and the padding of a field, above and below.
_EDGE_PX = 10
_TAB = Qt.FocusPolicy.TabFocus


class DetailsPage(QWidget):
    """Shows one row after the other in full; Esc leaves. Made by a page of the panel."""

    left = Signal()
    """The list is wanted again."""

    def __init__(self, theme: Theme, back: str) -> None:
        super().__init__()
        self._theme = theme
        self._key: Hashable = None
        self._back = icon_button("arrow-left", back, theme)
        self._back.clicked.connect(self.left)
        self._title = plain_label("", theme, size="secondary", weight=Weight.DemiBold, elides=True)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        set_surface(self._area.viewport(), "panel")
        head = QHBoxLayout()
        head.setContentsMargins(8, 6, _SIDE_PX, 6)
        head.setSpacing(6)
        head.addWidget(self._back)
        head.addWidget(self._title, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(hairline())
        column.addWidget(self._area, 1)

    def fill(self, key: Hashable, title: str, parts: Iterable[QWidget | QLayout]) -> None:
        """Replace what is shown by these parts.

        If `key` is the one from before, it is the same row, and scroll place and focus stay.
        """
        is_same, self._key = key == self._key, key
        place = self._area.verticalScrollBar().value() if is_same else 0
        focused = self._name_of_focus() if is_same else ""
        self._title.setText(one_line(title))
        content = QWidget()
        set_surface(content, "panel")
        column = QVBoxLayout(content)
        column.setContentsMargins(_SIDE_PX, 12, _SIDE_PX, _SIDE_PX)
        column.setSpacing(6)
        for part in parts:
            if isinstance(part, QWidget):
                column.addWidget(part)
            else:
                column.addLayout(part)
        column.addStretch(1)
        self._theme.fit(content)
        self._area.setWidget(content)
        self._area.verticalScrollBar().setValue(place)
        if focused:
            self._focus_again(content, focused)

    def take_focus(self) -> None:
        """Bring the keyboard to the way back."""
        self._back.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go back on Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _name_of_focus(self) -> str:
        content, focus = self._area.widget(), QApplication.focusWidget()
        is_inside = content is not None and focus is not None and content.isAncestorOf(focus)
        return _name_of(focus) if focus and is_inside else ""

    def _focus_again(self, content: QWidget, name: str) -> None:
        """Focus the part of this name, or else the button that leads back."""
        widgets: list[QWidget] = content.findChildren(QWidget)
        found = (w for w in widgets if w.focusPolicy() & _TAB and _name_of(w) == name)
        part = next(found, self._back)
        part.setFocus(Qt.FocusReason.OtherFocusReason)


def caption(text: str, theme: Theme) -> QWidget:
    """Return a label with the caption of what stands below."""
    label = plain_label(text, theme, size="small", weight=Weight.Medium, ink="ink-2", wraps=True)
    label.setContentsMargins(0, 6, 0, 0)
    return label


def exact_field(text: str, name: str, theme: Theme) -> QWidget:
    """Return a read-only field of untrusted text to the letter, hidden characters made visible."""
    field = _ExactField(shown_text(text), theme)
    field.setReadOnly(True)
    field.setFont(theme.mono())
    field.setTabChangesFocus(True)
    field.setProperty("field", "code")
    field.setAccessibleName(name)
    return field


class _ExactField(QPlainTextEdit):
    """As high as its text, up to a height from where it scrolls."""

    def __init__(self, text: str, theme: Theme) -> None:
        super().__init__(text)
        self._theme = theme
        # Until it has a width; a long text keeps it, so that the page can be scrolled at once.
        self.setFixedHeight(theme.px(_FIELD_PX))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the lines that there are at this width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        layout, block = self.document().documentLayout(), self.document().begin()
        most = self._theme.px(_FIELD_PX)
        height = self._theme.px(_EDGE_PX) + 2 * self.document().documentMargin()
        while block.isValid() and height < most:
            height += layout.blockBoundingRect(block).height()
            block = block.next()
        self.setFixedHeight(min(math.ceil(height), most))


def _name_of(widget: QWidget) -> str:
    """Return the object name, which stays when the words change, or else the accessible name."""
    return widget.objectName() or widget.accessibleName()


class CallDetailsPage(DetailsPage):
    """Shows one `CallDetailsView` after the other. Made by the page of activity; ends with it."""

    undo_requested = Signal()
    """The call should be undone."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "")
        self._back.setAccessibleName(self.tr("Back to the list of calls"))
        self._view: CallDetailsView | None = None

    def show_details(self, view: CallDetailsView) -> None:
        """Show everything about this call."""
        self._view = view
        self.fill(view.row.key, view.row.title, self._parts(view))

    def _parts(self, view: CallDetailsView) -> Iterator[QWidget | QLayout]:
        theme, row = self._theme, view.row
        if row.target:
            target = breakable(one_line(row.target))
            yield plain_label(target, theme, ink="ink-2", wraps=True, is_code=True)
        yield plain_label(row.words, theme, size="small", ink="ink-2", wraps=True)
        for remark in view.remarks:
            said = breakable(one_line(remark))
            yield plain_label(said, theme, size="small", ink="ink-2", wraps=True)
        yield from self._buttons(view)
        for name, text in (
            (self.tr("Input"), view.input_text),
            (self.tr("Result"), view.result),
            (self.tr("What the assistant received"), view.sent),
        ):
            if text:
                yield caption(name, theme)
                yield exact_field(text, name, theme)
        yield caption(self.tr("Steps"), theme)
        yield self._steps(view)

    def _buttons(self, view: CallDetailsView) -> Iterator[QWidget | QLayout]:
        row = FlowLayout()
        if view.can_undo:
            undo = push_button(self.tr("Undo"), "secondary", self._theme, icon="undo-2")
            undo.clicked.connect(self.undo_requested)
            row.add(undo)
        if view.output is not None:
            words = self.tr("Open full output")
            whole = push_button(words, "secondary", self._theme, icon="file-text")
            whole.clicked.connect(self._on_whole_clicked)
            row.add(whole)
        if row.count():
            yield row
        if view.undo_words:
            words = breakable(one_line(view.undo_words))
            yield plain_label(words, self._theme, size="small", ink="ink-3", wraps=True)

    def _steps(self, view: CallDetailsView) -> QLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for number, (words, time) in enumerate(view.steps):
            grid.addWidget(plain_label(words, self._theme, size="small", ink="ink-2"), number, 0)
            label = plain_label(time, self._theme, size="small", ink="ink-3", elides=True)
            grid.addWidget(label, number, 1)
        return grid

    def _on_whole_clicked(self) -> None:
        if self._view and self._view.output:
            open_by_system(QUrl.fromLocalFile(str(self._view.output)))
