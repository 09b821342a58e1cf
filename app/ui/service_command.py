"""Starting the bundled service again, as something that can be done in a window."""

from PySide6.QtCore import QObject

from app.settings import LOCAL_PROJECT
from app.ui.commands import CommandGroup, Commands
from app.viewmodels.settings.setup import SetupViewModel


class ServiceCommand(QObject):
    """Adds its command to those of a window: it can be done while this computer is at work.

    Made by the window; ends with it.
    """

    def __init__(self, setup: SetupViewModel, commands: Commands) -> None:
        super().__init__(commands)
        self._projects = setup.projects
        self._action = commands.add(
            "restart-service",
            self.tr("Restart the local service"),
            setup.restart_service,
            group=CommandGroup.PROGRAM,
            icon="refresh-cw",
        )
        self._projects.changed.connect(self._on_projects_changed)
        self._on_projects_changed()

    def _on_projects_changed(self) -> None:
        now = self._projects.now
        self._action.setEnabled(now is not None and now.project_id == LOCAL_PROJECT)
