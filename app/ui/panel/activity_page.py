"""The Activity page of the right panel: the record of calls, filtered, opened and checked."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QDir, QStandardPaths, Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.error_text import ErrorText
from app.ui.panel.activity_delegate import ActivityDelegate
from app.ui.panel.call_page import CallPage
from app.ui.panel.row_list import RowList
from app.ui.parts.buttons import push_button
from app.ui.parts.choice_chip import ChoiceChip
from app.ui.parts.file_dialog import make_file_dialog
from app.ui.parts.filter_field import FilterField
from app.ui.parts.flow import Flow
from app.ui.parts.labels import one_line, plain_label, set_ink
from app.ui.parts.surfaces import hairline
from app.ui.parts.words import spoken
from app.ui.theme import Theme
from app.viewmodels.rows import RowsModel
from app.viewmodels.tools.activity import ActivityFilter, ActivityViewModel
from app.viewmodels.tools.activity_words import ActivityRow, StoryView
from app.viewmodels.tools.chat_tools import ToolChoice

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
        self._words = FilterField(theme, self.tr("Filter calls"))
        self._scope = ChoiceChip(theme, self.tr("Calls of"))
        self._tool = ChoiceChip(theme, self.tr("Tool"))
        self._decision = ChoiceChip(theme, self.tr("Decision"))
        self._list = RowList(activity.rows, self.tr("Calls"), theme)
        self._list.draw_with(ActivityDelegate(theme, self._list), own_heights=True)
        self._none = plain_label("", theme, size="secondary", ink="ink-2", wraps=True)
        self._said = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._said.hide()
        self._call = CallPage(theme)
        self._pages = QStackedWidget()
        self._pause = QTimer(self, singleShot=True, interval=_TYPING_PAUSE_MS)
        self._is_loaded = False
        self._lay_out()
        self._offer_choices()
        self._connect()
        self._show_none()

    def verify(self) -> None:
        """Checks the record."""
        self._tell(self.tr("Checking…"), is_bad=False)
        self._activity.verify()

    def choose_export(self) -> None:
        """Asks where the record should be written."""
        documents = QStandardPaths.StandardLocation.DocumentsLocation
        folder = QStandardPaths.writableLocation(documents) or QDir.homePath()
        dialog = make_file_dialog(self, self.tr("Export the record"), folder)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("jsonl")
        dialog.selectFile(self.tr("Parley activity") + ".jsonl")
        dialog.fileSelected.connect(self._on_dialog_file_selected)
        dialog.open()

    def showEvent(self, event: QShowEvent) -> None:
        """Reads the record from now on."""
        super().showEvent(event)
        self._offer_tools()
        self._activity.attend(is_seen=True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Reads nothing that nobody sees, and keeps no verdict that may not hold any more."""
        super().hideEvent(event)
        self._said.hide()
        self._activity.attend(is_seen=False)

    def _lay_out(self) -> None:
        head = Flow(spacing_px=6)
        head.setContentsMargins(12, 10, 12, 10)
        head.add(self._words, grows=True, whole=True)
        head.add(self._scope, self._tool, self._decision, whole=True)
        self._none.setContentsMargins(16, 16, 16, 16)
        self._none.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
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
        verify = push_button(self.tr("Check the record"), "quiet", self._theme, elides=True)
        verify.clicked.connect(self.verify)
        export = push_button(self.tr("Export…"), "quiet", self._theme, elides=True)
        export.clicked.connect(self.choose_export)
        row = Flow(spacing_px=4)
        row.add(verify, export, whole=True)
        foot = QVBoxLayout()
        foot.setContentsMargins(8, 6, 8, 6)
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
        activity.story_changed.connect(self._show_story)
        activity.told.connect(self._tell)
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
        words = self.tr("Nothing was done yet.")
        if is_filtered:
            words = self.tr("No call fits.")
        self._none.setText(words if self._is_loaded else "")
        self._middle.setCurrentIndex(0 if self._activity.rows.rowCount() else 1)

    def _show_story(self, view: StoryView | None) -> None:
        if view is not None:
            self._call.show_story(view)
            if self._pages.currentIndex() == 0:
                self._pages.setCurrentIndex(1)
                self._call.take_focus()
        else:
            self._pages.setCurrentIndex(0)

    def _tell(self, words: str, is_bad: bool) -> None:
        set_ink(self._said, "bad" if is_bad else "ink-2")
        self._said.setText(one_line(words))
        self._said.setVisible(bool(words))

    def _on_activity_loaded(self) -> None:
        self._is_loaded = True
        self._show_none()

    def _on_activity_failed(self, words: ErrorText) -> None:
        self._tell(spoken(words), is_bad=True)

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
