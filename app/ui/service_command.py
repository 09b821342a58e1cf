"""Starting the bundled service again, as something that can be done in a window."""

from PySide6.QtCore import QObject

from app.ui.commands import CommandGroup, Commands
from app.viewmodels.connection import ConnectionViewModel


class ServiceCommand(QObject):
    """Adds its command to those of a window: it can be done while the bundled service is at work.

    Made by the window; ends with it.
    """

    def __init__(self, connection: ConnectionViewModel, commands: Commands) -> None:
        super().__init__(commands)
        self._connection = connection
        self._action = commands.add(
            "restart-service",
            self.tr("Restart the local service"),
            connection.restart_service,
            group=CommandGroup.PROGRAM,
            icon="refresh-cw",
        )
        connection.status_changed.connect(self._on_connection_status_changed)
        self._on_connection_status_changed()

    def _on_connection_status_changed(self) -> None:
        self._action.setEnabled(self._connection.runs_service)
