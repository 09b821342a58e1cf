"""The command that starts the bundled service again: only where that is at work."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from app.ui.commands import Commands
from app.ui.window_contents import ServiceCommand
from app.viewmodels.states import Dot
from tests.support.fake_service import FakeService
from tests.support.plugins import LoopBackend
from tests.support.project_fixtures import projects_desk
from tests.support.signals import emitted
from tests.support.window import KeyringInMemory

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    """Return the program's own loop."""
    return qt_loop


async def test_local_service_starts_again_by_a_command_where_it_is_at_work(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, projects_desk(tmp_path, KeyringInMemory()) as desk:
        window, connection = QWidget(), desk.connection
        commands = Commands(window)
        ServiceCommand(desk.setup, commands)
        restart = commands["restart-service"].action
        await connection.use_hosted(service.base_url, service.api_key)
        assert not restart.isEnabled()

        await connection.use_local("offline")
        while not restart.isEnabled():
            await emitted(desk.projects.changed)
        before = connection.workspace
        restart.trigger()
        while connection.workspace in {None, before} or connection.status.dot is not Dot.GOOD:
            await emitted(connection.status_changed)

        assert [model for model, _ in desk.started] == ["offline", "offline"]
        window.close()
