"""The section of the settings that says what this program is, and what it noted."""

from typing import Final

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from app.ui.link_dialog import LinkDialog
from app.ui.parts.buttons import push_button, set_button_text
from app.ui.parts.flow import Flow
from app.ui.parts.folders import open_folder
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line, plain_label
from app.ui.parts.surfaces import set_card
from app.ui.setup.lines import lines_field
from app.ui.setup.section import SettingsSection
from app.ui.setup.self_test import SelfTestGroup
from app.ui.setup.updates import UpdatesGroup
from app.ui.theme import Theme
from app.viewmodels.settings.about import AboutModels
from app.viewmodels.settings.updates import UpdateState, UpdatesViewModel

_ICON_PX: Final = 48
_LOG_HEIGHT_PX: Final = 260


class AboutSection(SettingsSection):
    """Name, versions, newer ones, the log, the self-test and licences.

    `log` is the field that shows the log, `self_test` the group that tries the program. Made by
    the window.
    """

    tables = ("updates",)

    link_confirmed = Signal(str)
    """A page should open, as the person has confirmed; argument: its address."""

    def __init__(self, theme: Theme, about: AboutModels) -> None:
        title = QCoreApplication.translate("Settings", "About and diagnostics")
        super().__init__(theme, title, "info")
        self._diagnostics = about.diagnostics
        self.log = lines_field(theme, self.tr("Log"), _LOG_HEIGHT_PX, is_exact=True)
        self.log.setPlaceholderText(self.tr("Nothing was noted yet."))
        self.self_test = SelfTestGroup(theme, about.self_test)
        self._link_dialog = LinkDialog(theme, self)
        self._copy = push_button(self.tr("Copy diagnostics"), "secondary", theme, icon="copy")
        self._add_program()
        self._add_updates(about)
        self._add_self_test()
        self._add_log()
        self.add_group(
            self.tr("Licences"),
            self.tr(
                "Parley is free software under the Apache License 2.0. It ships with the typefaces "
                "Inter and JetBrains Mono (SIL Open Font License 1.1) and with icons of Lucide "
                "(ISC License). It is built on Qt and Qt for Python (GNU LGPL 3) and on libraries "
                "of others: an installed Parley brings licences.txt, which names all of them with "
                "their licences."
            ),
        )
        self.column.addStretch(1)
        self._copy.clicked.connect(self._on_copy_clicked)
        self._link_dialog.confirmed.connect(self.link_confirmed)
        self._diagnostics.log_changed.connect(self._show)

    def begin(self) -> None:
        """Reads the log as it is now."""
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
        row.addLayout(words, 1)
        self.column.addWidget(card)

    def _add_updates(self, about: AboutModels) -> None:
        self.add_group(self.tr("Updates"), self._update_words(about.updates))
        group = UpdatesGroup(self._theme, about.updates)
        group.page_requested.connect(self._link_dialog.ask)
        self.column.addWidget(group)

    def _update_words(self, updates: UpdatesViewModel) -> str:
        match updates.view.state:
            case UpdateState.UNSET:
                return self.tr("Parley never asks whether there is a newer version.")
            case UpdateState.DAMAGED:
                # The group says what is wrong; what somebody meant to set is not known.
                return ""
            case _:
                return self.tr(
                    "Parley asks {host} when you say so. It sends nothing about you, believes only "
                    "what whoever packaged it has signed, and downloads and installs nothing."
                ).format(host=one_line(updates.host))

    def _add_self_test(self) -> None:
        self.add_group(
            self.tr("Self-test"),
            self.tr(
                "Tries all of Parley in about half a minute, with a folder, a window and chats of "
                "its own; yours are not opened. The report has no names, keys or paths of yours."
            ),
        )
        self.column.addWidget(self.self_test)

    def _add_log(self) -> None:
        self.add_group(
            self.tr("Log"),
            self.tr(
                "What Parley noted, the newest last, without keys. The copy adds the versions and "
                "folders, with your own folder written as ~."
            ),
        )
        self.column.addWidget(self.log)
        again = push_button(self.tr("Read again"), "quiet", self._theme, icon="refresh-cw")
        again.clicked.connect(self._diagnostics.read_log)
        words = self.tr("Open folder")
        name = f"{words}: {self.tr('Log')}"
        folder = push_button(words, "quiet", self._theme, icon="folder", name=name)
        folder.clicked.connect(self._on_folder_clicked)
        row = Flow()
        row.add(self._copy, again, folder)
        self.column.addLayout(row)

    def _show(self, text: str) -> None:
        self.log.setPlainText(text)
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
