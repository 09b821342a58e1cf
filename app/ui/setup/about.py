"""The section of the settings that says what this program is."""

from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from app.ui.parts.fonts import Weight
from app.ui.parts.labels import plain_label
from app.ui.parts.surfaces import set_card
from app.ui.setup.section import SettingsSection
from app.ui.theme import Theme

_ICON_PX: Final = 48


class AboutSection(SettingsSection):
    """Name, version and licences. Made by the settings page."""

    def __init__(self, theme: Theme, version: str) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "About"), "info")
        words_of_version = self.tr("Version {version}").format(version=version)
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
        words.addWidget(plain_label(words_of_version, theme, size="secondary", ink="ink-2"))
        row.addLayout(words, 1)
        self.column.addWidget(card)
        self.column.addSpacing(8)
        self.add_group(
            self.tr("Licences"),
            self.tr(
                "Parley is free software under the Apache License 2.0. It ships with the typefaces "
                "Inter and JetBrains Mono (SIL Open Font License 1.1) and with icons of Lucide "
                "(ISC License)."
            ),
        )
        self.column.addStretch(1)
