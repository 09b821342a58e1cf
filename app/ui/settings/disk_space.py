"""`DiskSpaceSection` is the settings section that says how much space Parley's data take."""

from PySide6.QtCore import QCoreApplication

from app.ui.settings.section import SettingsSection
from app.ui.theme import Theme
from app.ui.widgets.labels import plain_label
from app.viewmodels.settings.disk_space import DiskSpaceViewModel


class DiskSpaceSection(SettingsSection):
    """One line with a size, measured each time the settings open."""

    def __init__(self, theme: Theme, space: DiskSpaceViewModel) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "Disk space"), "archive")
        self._space = space
        self._size = plain_label("", theme)
        self.add_group(self.tr("Data of Parley"))
        self.add_row(self.tr("Chats and copies of changed files"), self._size)
        space.measured.connect(self._size.setText)

    def begin(self) -> None:
        """Measure anew."""
        self._space.measure()
