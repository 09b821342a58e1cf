"""`NoticesSection` is the settings section about desktop notifications and the tray icon."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QSystemTrayIcon

from app.config.settings import NoticeSettings, Settings, SettingsTable, TraySettings
from app.ui.settings.section import SettingsSection
from app.ui.theme import Theme
from app.ui.widgets.chips import ChoiceChip
from app.ui.widgets.labels import plain_label
from app.ui.widgets.toggles import Switch
from app.viewmodels.notices import NoticesViewModel
from app.viewmodels.preferences import Preferences


class NoticesSection(SettingsSection):
    """What is notified, how much of it is shown, and the tray icon. Made by `SettingsSections`."""

    tables = ("notices", "tray")

    def __init__(self, theme: Theme, preferences: Preferences, notices: NoticesViewModel) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "Notifications"), "bell")
        self._preferences = preferences
        self._notices = notices
        self._switches: dict[tuple[str, str], Switch] = {}
        self._missing = plain_label(
            self.tr("This desktop does not show notifications."),
            theme,
            size="small",
            ink="ink-2",
            wraps=True,
        )
        self._missing.hide()
        self._no_tray = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._shows = ChoiceChip(theme, self.tr("Notification content"))
        self._add_notices()
        self._add_tray()
        notices.availability_changed.connect(self._missing.setHidden)
        preferences.changed.connect(self._show)
        self._show(preferences.current)

    def begin(self) -> None:
        """Check whether this desktop has notifications and a tray now."""
        self._notices.look_for_system()
        has_tray = QSystemTrayIcon.isSystemTrayAvailable()
        self._no_tray.setText("" if has_tray else self.tr("This desktop has no tray."))
        self._no_tray.setHidden(has_tray)

    def _add_notices(self) -> None:
        self.add_group(
            self.tr("System notifications"),
            self.tr(
                "Shown only while no Parley window is in front. Tool calls cannot be allowed from "
                "a notification."
            ),
        )
        self.column.addWidget(self._missing)
        self._add_switch("notices", "finished", self.tr("Reply finished"))
        self._add_switch("notices", "waiting", self.tr("Waiting for your decision"))
        self._add_switch("notices", "failed", self.tr("Message or reply failed"))
        self._shows.offer(
            [
                ("kind", self.tr("Event only")),
                ("title", self.tr("Chat title")),
                ("words", self.tr("Title and first words")),
            ]
        )
        self._shows.chosen.connect(self._on_shows_chosen)
        words = self.tr("Notifications may be visible on the lock screen.")
        self.add_row(self.tr("Notification content"), self._shows, words=words)

    def _add_tray(self) -> None:
        self.add_group(
            self.tr("Tray"),
            self.tr("Shows an icon with the number of unread chats next to the clock."),
        )
        self.column.addWidget(self._no_tray)
        self._add_switch("tray", "is_shown", self.tr("Tray icon"))
        self._add_switch(
            "tray",
            "keeps_running",
            self.tr("Keep running in the tray"),
            self.tr("Replies continue after you close the last window. Choose Quit to end Parley."),
        )

    def _add_switch(self, section: str, field: str, title: str, words: str = "") -> None:
        switch = Switch(self._theme, title)
        switch.setProperty("setting", (section, field))
        switch.switched.connect(self._on_switch_switched)
        self._switches[section, field] = switch
        self.add_row(title, switch, words=words)

    def _show(self, settings: Settings) -> None:
        tables: dict[str, SettingsTable] = {
            "notices": settings.notices,
            "tray": settings.tray,
        }
        for (section, field), switch in self._switches.items():
            switch.show_on(getattr(tables[section], field))
        self._shows.show_value(settings.notices.shows)

    def _on_switch_switched(self, is_on: bool) -> None:
        section, field = self.sender().property("setting")
        if section == "notices":
            self._change_notices({field: is_on})
        elif field == "is_shown":
            keeps_running = self._preferences.current.tray.keeps_running
            self._preferences.change(
                TraySettings(is_shown=is_on, keeps_running=is_on and keeps_running)
            )
        else:
            # Staying in the tray needs the icon.
            is_shown = is_on or self._preferences.current.tray.is_shown
            self._preferences.change(TraySettings(is_shown=is_shown, keeps_running=is_on))

    def _on_shows_chosen(self, shows: str) -> None:
        self._change_notices({"shows": shows})

    def _change_notices(self, chosen: dict[str, object]) -> None:
        now = self._preferences.current.notices.model_dump()
        self._preferences.change(NoticeSettings.model_validate({**now, **chosen}))
