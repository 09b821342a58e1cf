"""`AboutSection` is the settings section that says what this program is and shows its log.

`SelfTestGroup` runs the self-test line by line and offers a report to pass on. `UpdatesGroup`
describes newer versions, looked for only when the person wants it; the person downloads them.
"""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QDir, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.approvals.visible_text import escape_invisible
from app.ui.link_dialog import LinkDialog
from app.ui.settings.section import SettingsSection, StatusMessage, read_only_field
from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button, set_button_text
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import one_line, plain_label
from app.ui.widgets.scaling import hold_size
from app.ui.widgets.surfaces import set_card, stack
from app.ui.widgets.system_dialogs import make_file_dialog, open_folder
from app.ui.widgets.toggles import Switch
from app.viewmodels.settings.about import (
    AboutModels,
    SelfTestState,
    SelfTestView,
    SelfTestViewModel,
)
from app.viewmodels.settings.updates import UpdateState, UpdatesViewModel, UpdateView

_LINES_HEIGHT_PX: Final = 260
_REPORT_NAME: Final = "parley-self-test.json"


class SelfTestGroup(QWidget):
    """Runs, cancels and shows the self-test; `start` is the button that runs it.

    Made by the section about the program.
    """

    def __init__(self, theme: Theme, self_test: SelfTestViewModel) -> None:
        super().__init__()
        self._theme = theme
        self.self_test = self_test
        words = self.tr("Self-test results")
        self.lines = read_only_field(theme, words, _LINES_HEIGHT_PX, is_exact=True)
        self._outcome = StatusMessage(theme)
        self.start = push_button(self.tr("Run the self-test"), "secondary", theme)
        self._cancel = push_button(
            self.tr("Cancel"), "secondary", theme, name=self.tr("Cancel the self-test"), icon="x"
        )
        self._copy = push_button(self.tr("Copy results"), "quiet", theme, icon="copy")
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
        row = FlowLayout()
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
        # A button that is hidden would pass the keyboard to whatever is next.
        if had_focus:
            (self._cancel if is_running else self.start).setFocus(Qt.FocusReason.OtherFocusReason)
        self._copy.setVisible(bool(self.self_test.lines) and not is_running)
        self._save.setVisible(view.can_save)
        set_button_text(self._copy, self.tr("Copy results"))
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


_NOTES_HEIGHT_PX: Final = 120


class UpdatesGroup(QWidget):
    """Says what is known of newer versions.

    `page` is the button that offers the newer one's page. Made by the section about the program.
    """

    page_requested = Signal(str)
    """The page of a newer version should be offered to the person; argument: its address."""

    def __init__(self, theme: Theme, updates: UpdatesViewModel) -> None:
        super().__init__()
        self._updates = updates
        self._outcome = StatusMessage(theme)
        words = self.tr("What’s new")
        self._notes = read_only_field(theme, words, _NOTES_HEIGHT_PX, is_exact=False)
        self._check = push_button(
            self.tr("Check for updates"), "secondary", theme, icon="refresh-cw"
        )
        self.page = push_button(self.tr("Open download page…"), "secondary", theme, icon="globe")
        title = self.tr("Check at startup")
        self._at_start_label = plain_label(title, theme, wraps=True)
        self._switch = Switch(theme, title)
        self._lay_out()
        self._check.clicked.connect(updates.check)
        self.page.clicked.connect(self._on_page_clicked)
        self._switch.switched.connect(updates.choose_at_start)
        updates.changed.connect(self._show)
        self._show(updates.view)

    def _lay_out(self) -> None:
        row = FlowLayout()
        row.add(self._check, self.page)
        self._at_start = QWidget()
        row_at_start = FlowLayout(self._at_start, spacing_px=6)
        row_at_start.setContentsMargins(0, 0, 0, 0)
        row_at_start.add(self._at_start_label, grows=True)
        row_at_start.add(self._switch)
        stack(self, 10, self._outcome, self._notes, row, self._at_start)

    def _show(self, view: UpdateView) -> None:
        match view.state:
            case UpdateState.CURRENT | UpdateState.NEWER:
                self._outcome.show_words(view.words, "")
            case UpdateState.FAILED | UpdateState.DAMAGED:
                self._outcome.show_words("", view.words)
            case _:
                self._outcome.show_words("", "", view.words)
        # Line by line: in a text as a whole, each end of a line would be marked, too.
        self._notes.setPlainText("\n".join(map(escape_invisible, view.notes.split("\n"))))
        self._notes.setVisible(bool(view.notes))
        self.page.setVisible(bool(view.link))
        can_ask = view.state not in (UpdateState.UNSET, UpdateState.DAMAGED)
        self._check.setVisible(can_ask)
        self._check.setEnabled(view.state is not UpdateState.LOOKING)
        self._at_start.setVisible(can_ask)
        self._switch.show_on(self._updates.is_at_start)

    def _on_page_clicked(self) -> None:
        self.page_requested.emit(self._updates.view.link)


_ICON_PX: Final = 48
_LOG_HEIGHT_PX: Final = 260
_NO_LOG_HEIGHT_PX: Final = 32
_LOG_MARGIN_PX: Final = 4


class AboutSection(SettingsSection):
    """Name, versions, newer ones, the log, the self-test and licences.

    `log` is the field that shows the log, `self_test` the group that runs the self-test, `updates`
    the one that says what is known of newer versions. Made by `SettingsSections`.
    """

    tables = ("updates",)

    link_confirmed = Signal(str)
    """A page should open, as the person has confirmed; argument: its address."""
    manual_requested = Signal()
    """The manual should open."""

    def __init__(self, theme: Theme, about: AboutModels) -> None:
        title = QCoreApplication.translate("Settings", "About and diagnostics")
        super().__init__(theme, title, "info")
        self._diagnostics = about.diagnostics
        self.log = read_only_field(theme, self.tr("Log"), _LOG_HEIGHT_PX, is_exact=True)
        self.log.setPlaceholderText(self.tr("The log is empty."))
        self.self_test = SelfTestGroup(theme, about.self_test)
        self.updates = UpdatesGroup(theme, about.updates)
        self._link_dialog = LinkDialog(theme, self)
        self._copy = push_button(self.tr("Copy diagnostics"), "secondary", theme, icon="copy")
        self._add_program()
        self._add_updates(about)
        self._add_self_test()
        self._add_log()
        self.add_group(
            self.tr("Licences"),
            self.tr(
                "Parley is free software under the Apache License 2.0. It includes the fonts "
                "Inter, JetBrains Mono and STIX Two Math (SIL Open Font License 1.1), emoji from "
                "Twemoji (CC BY 4.0), icons from Lucide (ISC License), Mermaid (MIT License) and "
                "the table of look-alike letters of Unicode (Unicode License). It is built on Qt, "
                "Qt for Python (GNU LGPL 3) and other libraries. The installed file {file} "
                "lists them all with their licences."
            ).format(file=one_line(self._diagnostics.licences_file)),
        )
        self._copy.clicked.connect(self._on_copy_clicked)
        self._link_dialog.confirmed.connect(self.link_confirmed)
        self._diagnostics.log_changed.connect(self._show)

    def begin(self) -> None:
        """Read the log as it is now."""
        self._show_copied(is_copied=False)
        self._diagnostics.read_log()

    def _add_program(self) -> None:
        theme = self._theme
        card = QFrame()
        set_card(card, "plain")
        row = QHBoxLayout(card)
        row.setContentsMargins(16, 16, 16, 16)
        row.setSpacing(16)
        icon = plain_label("", theme)
        icon.setPixmap(theme.app_pixmap(_ICON_PX, self.devicePixelRatio()))
        row.addWidget(icon)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(plain_label("Parley", theme, size="title", weight=Weight.Bold))
        version = self.tr("Version {version}").format(version=self._diagnostics.version)
        words.addWidget(plain_label(version, theme, size="secondary", ink="ink-2"))
        runs_on = one_line(self._diagnostics.versions)
        words.addWidget(plain_label(runs_on, theme, size="small", ink="ink-2", wraps=True))
        manual = push_button(self.tr("Open manual"), "secondary", theme, icon="book-open")
        manual.clicked.connect(self.manual_requested)
        words.addSpacing(8)
        words.addWidget(manual, 0, Qt.AlignmentFlag.AlignLeft)
        row.addLayout(words, 1)
        self.column.addWidget(card)

    def _add_updates(self, about: AboutModels) -> None:
        self.add_group(self.tr("Updates"), self._update_words(about.updates))
        self.updates.page_requested.connect(self._link_dialog.ask)
        self.column.addWidget(self.updates)

    def _update_words(self, updates: UpdatesViewModel) -> str:
        match updates.view.state:
            case UpdateState.UNSET:
                return self.tr("This copy of Parley does not check for updates.")
            case UpdateState.DAMAGED:
                # The group shows the fault of the packager's file already.
                return ""
            case _:
                return self.tr(
                    "Parley contacts {host} only when you choose to. It sends nothing about "
                    "you, accepts only signed answers, and downloads and installs nothing."
                ).format(host=one_line(updates.host))

    def _add_self_test(self) -> None:
        self.add_group(
            self.tr("Self-test"),
            self.tr(
                "Checks all of Parley in about half a minute, with its own folder, window "
                "and chats. Your chats are not opened. The report contains none of your "
                "names, keys or paths."
            ),
        )
        self.column.addWidget(self.self_test)

    def _add_log(self) -> None:
        self.add_group(
            self.tr("Log"),
            self.tr(
                "What Parley has done, newest last. It contains no keys. Copying it adds versions "
                "and folders, with your home folder shown as ~."
            ),
        )
        self.column.addWidget(self.log)
        again = push_button(self.tr("Refresh"), "quiet", self._theme, icon="refresh-cw")
        again.clicked.connect(self._diagnostics.read_log)
        words = self.tr("Open folder")
        name = f"{words}: {self.tr('Log')}"
        folder = push_button(words, "quiet", self._theme, icon="folder", name=name)
        folder.clicked.connect(self._on_folder_clicked)
        row = FlowLayout()
        row.add(self._copy, again, folder)
        self.column.addLayout(row)

    def _show(self, text: str) -> None:
        self.log.setPlainText(text)
        # Without a line, the words stand in line with those above.
        self.log.document().setDocumentMargin(_LOG_MARGIN_PX if text else 0)
        hold_size(self.log, height_px=_LOG_HEIGHT_PX if text else _NO_LOG_HEIGHT_PX)
        self._theme.fit(self.log)
        bar = self.log.verticalScrollBar()
        bar.setValue(bar.maximum())

    def _show_copied(self, *, is_copied: bool) -> None:
        words = self.tr("Copied") if is_copied else self.tr("Copy diagnostics")
        set_button_text(self._copy, words)

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._diagnostics.report())
        self._show_copied(is_copied=True)

    def _on_folder_clicked(self) -> None:
        open_folder(self._diagnostics.log_folder)
