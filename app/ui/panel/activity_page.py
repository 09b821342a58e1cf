"""`ActivityPage` shows the record of calls in the right panel: filtered, opened and checked.

`ActivityDelegate` paints a call: its state, what it is, and who decided.
"""

from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QDir, QObject, QPointF, QRectF, QSize, QStandardPaths, Qt, QTimer
from PySide6.QtGui import QFontMetricsF, QHideEvent, QPainter, QShowEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QFileDialog,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.common.error_messages import ErrorMessage
from app.ui.panel.details_page import CallDetailsPage
from app.ui.panel.row_list import RowList
from app.ui.theme import Theme
from app.ui.widgets.accessible import announce
from app.ui.widgets.buttons import CALL_ICONS, push_button
from app.ui.widgets.chips import ChoiceChip
from app.ui.widgets.empty_place import EmptyPlace
from app.ui.widgets.fields import FilterField
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import one_line, plain_label, set_ink, spoken
from app.ui.widgets.painting import PaintedParagraph, Pen, paint_flat_ground
from app.ui.widgets.surfaces import hairline
from app.ui.widgets.system_dialogs import make_file_dialog
from app.viewmodels.rows import ROW_ROLE, Index, RowsModel
from app.viewmodels.tools.activity import ActivityFilter, ActivityViewModel
from app.viewmodels.tools.activity_texts import ActivityRow, CallDetailsView
from app.viewmodels.tools.chat_tools import ToolChoice

_PADDING_PX: Final = 16
_TOP_PX: Final = 10
_ICON_PX: Final = 16
_TEXT_X: Final = 39
_TARGET_LIMIT: Final = 200
_WORDS_LINES: Final = 3
_SHORT_PART: Final = 12


class ActivityDelegate(QStyledItemDelegate):
    """Paints `ActivityRow`s, which are higher where there is more to say of the call.

    Made by the list of calls; ends with it.
    """

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the room for title, target if any, and however many lines the words take."""
        view: QWidget = option.widget
        # Beside a scroll bar there is less room.
        width = (view.viewport() if isinstance(view, QAbstractScrollArea) else view).width()
        row: ActivityRow = index.data(ROW_ROLE)
        lines = self._title().line_height() + self._said(row, width).height
        if row.target:
            lines += self._target().line_height()
        return QSize(width, round(lines + 2 * self._theme.px(_TOP_PX)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row and the line under it."""
        rect, px = QRectF(option.rect), self._theme.px
        painter.save()
        paint_flat_ground(painter, rect, self._theme, option.state)
        self._write(painter, rect.adjusted(0, px(_TOP_PX), 0, 0), index.data(ROW_ROLE))
        painter.restore()

    def _write(self, painter: QPainter, rect: QRectF, row: ActivityRow) -> None:
        px, title = self._theme.px, self._title()
        line = QRectF(rect.left() + px(_TEXT_X), rect.top(), rect.width(), title.line_height())
        line.setRight(rect.right() - px(_PADDING_PX))
        icon, ink = CALL_ICONS[row.state]
        side = px(_ICON_PX)
        ratio = painter.device().devicePixelRatio()
        top = line.center().y() - side / 2
        pixmap = self._theme.pixmap(icon, ink, side, ratio)
        painter.drawPixmap(QPointF(rect.left() + px(_PADDING_PX), round(top)), pixmap)
        title.write(painter, line, one_line(row.title, _TARGET_LIMIT))
        if row.target:
            target = self._target()
            line.translate(0, line.height())
            line.setHeight(target.line_height())
            # Elide a long path in its middle: its end says most.
            shown = QFontMetricsF(target.font).elidedText(
                one_line(row.target, _TARGET_LIMIT), Qt.TextElideMode.ElideMiddle, line.width()
            )
            target.write(painter, line, shown)
        line.translate(0, line.height())
        self._said(row, rect.width()).write(painter, line.topLeft(), line.width())

    def _said(self, row: ActivityRow, width: float) -> PaintedParagraph:
        """Return the words of a row in a list of this width."""
        room = width - self._theme.px(_TEXT_X) - self._theme.px(_PADDING_PX)
        return PaintedParagraph(_kept_together(row.words), self._words(), room, _WORDS_LINES)

    def _title(self) -> Pen:
        return Pen(self._theme.font("secondary", Weight.DemiBold), self._theme.color("ink"))

    def _target(self) -> Pen:
        return Pen(self._theme.mono(), self._theme.color("ink-2"))

    def _words(self) -> Pen:
        return Pen(self._theme.font("small"), self._theme.color("ink-3"))


def _kept_together(words: str) -> str:
    """Return words that break behind a dot, and in none of the short parts between two dots."""
    parts = words.split(" · ")
    blank = "\N{NO-BREAK SPACE}"
    whole = (p.replace(" ", blank) if len(p) <= _SHORT_PART else p for p in parts)
    return f"{blank}· ".join(whole)


_TYPING_PAUSE_MS: Final = 200


class ActivityPage(QWidget):
    """Lists calls, newest first, and shows everything about the one that is opened.

    What is listed is read only while it is seen. Made by the right panel; ends with it.
    """

    def __init__(
        self, activity: ActivityViewModel, tools: RowsModel[ToolChoice], theme: Theme
    ) -> None:
        super().__init__()
        self._activity = activity
        self._tools = tools
        self._theme = theme
        self._words = FilterField(theme, self.tr("Filter calls"), has_icon=False)
        self._scope = ChoiceChip(theme, self.tr("Show calls from"))
        self._tool = ChoiceChip(theme, self.tr("Tool"))
        self._decision = ChoiceChip(theme, self.tr("Decision"))
        self._list = RowList(activity.rows, self.tr("Calls"), theme)
        self._list.draw_with(ActivityDelegate(theme, self._list), own_heights=True)
        self._none = EmptyPlace(theme, "wrench")
        self._none.acted.connect(self._show_everything)
        self._said = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._said.hide()
        self._call = CallDetailsPage(theme)
        self._pages = QStackedWidget()
        self._pause = QTimer(self, singleShot=True, interval=_TYPING_PAUSE_MS)
        self._is_loaded = False
        self._lay_out()
        self._offer_choices()
        self._connect()
        self._show_none()

    def verify(self) -> None:
        """Verify that the record of calls was not altered, and show the outcome."""
        self._show_report(self.tr("Verifying…"), is_bad=False)
        self._activity.verify()

    def choose_export(self) -> None:
        """Ask where the record should be written."""
        documents = QStandardPaths.StandardLocation.DocumentsLocation
        folder = QStandardPaths.writableLocation(documents) or QDir.homePath()
        dialog = make_file_dialog(self, self.tr("Export record"), folder)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("jsonl")
        dialog.selectFile(self.tr("Parley activity") + ".jsonl")
        dialog.fileSelected.connect(self._on_dialog_file_selected)
        dialog.open()

    def showEvent(self, event: QShowEvent) -> None:
        """Read the record from now on."""
        super().showEvent(event)
        self._offer_tools()
        self._activity.set_visible(is_visible=True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Read nothing that nobody sees, and keep no verdict that may not hold any more."""
        super().hideEvent(event)
        self._said.hide()
        self._activity.set_visible(is_visible=False)

    def _lay_out(self) -> None:
        head = FlowLayout(spacing_px=6)
        head.setContentsMargins(12, 10, 12, 10)
        head.add(self._words, grows=True, whole=True)
        head.add(self._scope, self._tool, self._decision, whole=True)
        self._middle = QStackedWidget()
        self._middle.addWidget(self._list)
        self._middle.addWidget(self._none)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(hairline())
        column.addWidget(self._middle, 1)
        column.addWidget(hairline())
        column.addLayout(self._make_foot())
        self._pages.addWidget(whole)
        self._pages.addWidget(self._call)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self._pages)

    def _make_foot(self) -> QVBoxLayout:
        verify = push_button(self.tr("Verify record"), "quiet", self._theme, elides=True)
        verify.clicked.connect(self.verify)
        export = push_button(self.tr("Export…"), "quiet", self._theme, elides=True)
        export.clicked.connect(self.choose_export)
        row = FlowLayout(spacing_px=4)
        row.add(verify, export, whole=True)
        foot = QVBoxLayout()
        # As high as the foot of the sidebar.
        foot.setContentsMargins(8, 8, 8, 8)
        foot.setSpacing(4)
        self._said.setContentsMargins(8, 2, 8, 0)
        foot.addWidget(self._said)
        foot.addLayout(row)
        return foot

    def _offer_choices(self) -> None:
        self._scope.offer((("", self.tr("This chat")), ("all", self.tr("All chats"))))
        self._decision.offer(
            (
                ("", self.tr("Any decision")),
                ("waiting", self.tr("Waiting or running")),
                ("you", self.tr("Allowed by you")),
                ("rule", self.tr("Allowed by a rule")),
                ("denied", self.tr("Not run")),
                ("failed", self.tr("Failed or interrupted")),
            )
        )
        self._offer_tools()

    def _offer_tools(self) -> None:
        tools = [(row.name, row.title) for row in self._tools.rows]
        self._tool.offer((("", self.tr("Any tool")), *tools))

    def _connect(self) -> None:
        activity = self._activity
        self._words.textChanged.connect(self._pause.start)
        self._words.passed.connect(self._list.take_focus)
        for changed in (self._scope.chosen, self._tool.chosen, self._decision.chosen):
            changed.connect(self._on_filter_changed)
        self._pause.timeout.connect(self._filter)
        self._list.opened.connect(self._on_list_opened)
        self._call.left.connect(self._on_call_left)
        self._call.undo_requested.connect(activity.undo)
        for changed in (activity.rows.rowsInserted, activity.rows.rowsRemoved):
            changed.connect(self._show_none)
        activity.rows.modelReset.connect(self._on_rows_reset)
        activity.loaded.connect(self._on_activity_loaded)
        activity.details_changed.connect(self._show_details)
        activity.reported.connect(self._show_report)
        activity.failed.connect(self._on_activity_failed)

    def _filter(self) -> None:
        self._activity.list_only(
            replace(
                ActivityFilter(),
                is_all_chats=self._scope.value == "all",
                tool=self._tool.value,
                decision=self._decision.value,
                text=self._words.text().strip(),
            )
        )

    def _show_none(self) -> None:
        is_filtered = replace(self._activity.filter, is_all_chats=False) != ActivityFilter()
        is_all = self._activity.filter.is_all_chats
        if not self._is_loaded:
            self._none.show_words("", "")
        elif is_filtered:
            self._none.show_words(self.tr("No matching calls"), "", self.tr("Clear filter"))
        else:
            self._none.show_words(
                self.tr("No tool calls yet"),
                self.tr(
                    "Everything that tools do on this computer is listed here. Many changes can "
                    "be undone."
                ),
                "" if is_all else self.tr("Show calls in all chats"),
            )
        self._middle.setCurrentIndex(0 if self._activity.rows.rowCount() else 1)

    def _show_everything(self) -> None:
        """Take the filter back, or widen it to all chats where there is none."""
        if self._words.text() or self._tool.value or self._decision.value:
            self._words.clear()
            self._tool.show_value("")
            self._decision.show_value("")
        else:
            self._scope.show_value("all")
        self._filter()

    def _show_details(self, view: CallDetailsView | None) -> None:
        if view is not None:
            self._call.show_details(view)
            if self._pages.currentIndex() == 0:
                self._pages.setCurrentIndex(1)
                self._call.take_focus()
        else:
            self._pages.setCurrentIndex(0)

    def _show_report(self, words: str, is_bad: bool) -> None:
        set_ink(self._said, "bad" if is_bad else "ink-2")
        self._said.setText(one_line(words))
        self._said.setVisible(bool(words))
        announce(self, one_line(words))

    def _on_activity_loaded(self) -> None:
        self._is_loaded = True
        self._show_none()

    def _on_activity_failed(self, words: ErrorMessage) -> None:
        self._show_report(spoken(words), is_bad=True)

    def _on_rows_reset(self) -> None:
        self._is_loaded = False
        self._show_none()

    def _on_filter_changed(self, _value: str) -> None:
        self._filter()

    def _on_list_opened(self, row: ActivityRow) -> None:
        self._activity.open(row.key)

    def _on_call_left(self) -> None:
        self._activity.open(None)
        self._list.take_focus()

    def _on_dialog_file_selected(self, file: str) -> None:
        self._activity.export(Path(file))
