"""`ChatHeader` is the line above the transcript: title and switches of the side panels."""

from typing import Final

from PySide6.QtCore import QPoint, QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.ui.theme import Theme
from app.ui.widgets.buttons import icon_button
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import plain_label, set_plain_tooltip, title_line
from app.ui.widgets.surfaces import HEADER_HEIGHT_PX, set_surface

_LINE_PX: Final = 1


class ChatHeader(QWidget):
    """Shows the title of the open chat.

    The button that shows the sidebar is there only while the sidebar is folded away. Made by the
    window.
    """

    find_requested = Signal()
    """Something in the open chat should be found."""
    export_requested = Signal(object)
    """The open chat should be exported; argument: where on the screen the formats are offered."""
    panel_toggled = Signal(bool)
    """The right panel should be shown or not; argument: whether."""
    sidebar_requested = Signal()
    """The sidebar should be shown again."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_surface(self, "bg")
        self._theme = theme
        self._gives_way = False
        self._is_panel_open = False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        theme.changed.connect(self.updateGeometry)
        self._sidebar = icon_button("panel-left", self.tr("Show chat list"), theme)
        self._sidebar.clicked.connect(self.sidebar_requested)
        self._sidebar.hide()
        self._title = plain_label("", theme, size="title", weight=Weight.DemiBold, elides=True)
        self._find = icon_button("search", self.tr("Find in chat"), theme)
        self._find.clicked.connect(self.find_requested)
        self._find.hide()
        self._export = icon_button("download", self.tr("Export chat"), theme)
        self._export.clicked.connect(self._on_export_clicked)
        self._export.hide()
        self._panel = icon_button("panel-right", self.tr("Show right panel"), theme)
        self._panel.clicked.connect(self._on_panel_clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 0, 16, 0)
        row.setSpacing(8)
        row.addWidget(self._sidebar)
        row.addWidget(self._title, 1)
        row.addWidget(self._find)
        row.addWidget(self._export)
        row.addWidget(self._panel)

    def sizeHint(self) -> QSize:
        """Return the height of the design; in a low window it may be lower."""
        height = 0 if self._gives_way else self._theme.px(HEADER_HEIGHT_PX) - _LINE_PX
        return QSize(super().sizeHint().width(), max(height, self.minimumSizeHint().height()))

    def give_way(self, *, gives_way: bool) -> None:
        """Be as low as can be, or as high as the design has it."""
        self._gives_way = gives_way
        self.updateGeometry()

    def show_title(self, title: str) -> None:
        """Show what the chat is called."""
        self._title.setText(title_line(title))

    def show_open(self, conversation_id: str) -> None:
        """Offer to find something in the open chat and to export it, if there is one."""
        self._find.setVisible(bool(conversation_id))
        self._export.setVisible(bool(conversation_id))

    def show_panel(self, is_open: bool) -> None:
        """Show whether the right panel is open."""
        name = self.tr("Hide right panel") if is_open else self.tr("Show right panel")
        self._is_panel_open = is_open
        self._panel.setAccessibleName(name)
        set_plain_tooltip(self._panel, name)

    def show_sidebar(self, is_open: bool) -> None:
        """Offer to show the sidebar unless it is open."""
        self._sidebar.setVisible(not is_open)

    def _on_export_clicked(self) -> None:
        self.export_requested.emit(self._export.mapToGlobal(QPoint(0, self._export.height())))

    def _on_panel_clicked(self) -> None:
        self.panel_toggled.emit(not self._is_panel_open)
