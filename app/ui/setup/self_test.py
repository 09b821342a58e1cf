"""The group of the settings that tries the program: line by line, with a report to pass on."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QDir, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from app.ui.parts.buttons import push_button, set_button_text
from app.ui.parts.file_dialog import make_file_dialog
from app.ui.parts.flow import Flow
from app.ui.parts.stacking import stack
from app.ui.setup.lines import lines_field
from app.ui.setup.outcome import Outcome
from app.ui.theme import Theme
from app.viewmodels.settings.self_test import SelfTestState, SelfTestView, SelfTestViewModel

_LINES_HEIGHT_PX: Final = 260
_REPORT_NAME: Final = "parley-self-test.json"


class SelfTestGroup(QWidget):
    """Begins, cancels and shows the self-test; `start` begins it.

    Made by the section about the program.
    """

    def __init__(self, theme: Theme, self_test: SelfTestViewModel) -> None:
        super().__init__()
        self._theme = theme
        self.self_test = self_test
        words = self.tr("Lines of the self-test")
        self.lines = lines_field(theme, words, _LINES_HEIGHT_PX, is_exact=True)
        self._outcome = Outcome(theme)
        self.start = push_button(self.tr("Run the self-test"), "secondary", theme, icon="check")
        self._cancel = push_button(
            self.tr("Cancel"), "secondary", theme, name=self.tr("Cancel the self-test"), icon="x"
        )
        self._copy = push_button(self.tr("Copy lines"), "quiet", theme, icon="copy")
        self._save = push_button(self.tr("Save report…"), "quiet", theme, icon="download")
        self._lay_out()
        self.start.clicked.connect(self.self_test.run)
        self._cancel.clicked.connect(self.self_test.cancel)
        self._copy.clicked.connect(self._on_copy_clicked)
        self._save.clicked.connect(self._on_save_clicked)
        self_test.line_came.connect(self._on_line_came)
        self_test.changed.connect(self._show)
        self.lines.setPlainText("\n".join(self_test.lines))
        self._show(self_test.view)

    def _lay_out(self) -> None:
        row = Flow()
        row.add(self.start, self._cancel, self._copy, self._save)
        stack(self, 10, self.lines, self._outcome, row)

    def _show(self, view: SelfTestView) -> None:
        is_running = view.state is SelfTestState.RUNNING
        had_focus = self.start.hasFocus() or self._cancel.hasFocus()
        if is_running and not self.self_test.lines:
            self.lines.clear()
        self.lines.setVisible(view.state is not SelfTestState.IDLE)
        self.start.setVisible(not is_running)
        self._cancel.setVisible(is_running)
        if had_focus:
            (self._cancel if is_running else self.start).setFocus(Qt.FocusReason.OtherFocusReason)
        self._copy.setVisible(bool(self.self_test.lines) and not is_running)
        self._save.setVisible(view.can_save)
        set_button_text(self._copy, self.tr("Copy lines"))
        match view.state:
            case SelfTestState.GOOD:
                self._outcome.show_words(view.words, "")
            case SelfTestState.BAD:
                self._outcome.show_words("", view.words)
            case _:
                self._outcome.show_words("", "", view.words)

    def _on_line_came(self, line: str) -> None:
        self.lines.appendPlainText(line)

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(self.self_test.lines))
        set_button_text(self._copy, self.tr("Copied"))

    def _on_save_clicked(self) -> None:
        dialog = make_file_dialog(self, self.tr("Save report"), QDir.homePath())
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile(_REPORT_NAME)
        dialog.fileSelected.connect(self._on_file_selected)
        dialog.open()

    def _on_file_selected(self, file: str) -> None:
        self.self_test.save(Path(file))
