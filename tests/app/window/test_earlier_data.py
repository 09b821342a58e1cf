"""What the version before has kept opens as it was: chats, draft, calls, settings, own service."""

import shutil
from pathlib import Path
from typing import Final

import pytest

from app.config.settings import ConnectionSettings, SettingsFile
from app.paths import paths_under
from app.viewmodels.states import Dot
from local_tools.ledger.ledger_report import verified
from tests.support.fake_service import FakeService
from tests.support.window import KeyringInMemory, running_program

pytestmark = pytest.mark.anyio

# Written by the program itself at 287c40b, before its modules were moved: two profiles, a chat in
# each, three calls that were denied, a draft, a tool server.
_MADE: Final = Path(__file__).parents[2] / "data" / "made-by-0.1.0.zip"
_CALLS: Final = 3


def _unpack(folder: Path) -> SettingsFile:
    shutil.unpack_archive(_MADE, folder)
    return SettingsFile(paths_under(folder).settings_file)


async def test_chats_calls_and_draft_of_a_hosted_project_are_there(tmp_path: Path) -> None:
    file = _unpack(tmp_path)
    async with FakeService() as service:
        service.holds("one", ("user", "Where are my notes?"), ("assistant", "In the garden house."))
        settings = file.current
        (office,) = settings.projects.hosted
        assert office.name == "The office"
        moved = office.model_copy(update={"base_url": service.base_url})
        projects = settings.projects.model_copy(update={"hosted": (moved,)})
        file.save(settings.model_copy(update={"projects": projects}))
        keyring = KeyringInMemory()
        key = service.api_key.get_secret_value()
        keyring.set_password("parley", f"office {service.base_url}", key)
        async with running_program(tmp_path, keyring) as person:
            program = person.program
            await person.sees(lambda: program.connection.status.dot is Dot.GOOD, "the connection")
            program.chat.open("one")
            await person.sees(lambda: "garden house" in str(program.chat.transcript.rows), "reply")
            await person.sees(
                lambda: person.box.toPlainText() == "half a thought",
                "the composer holds “half a thought”",
            )
            rows = program.chat.transcript.rows
            assert sum("current_time" in str(row) for row in rows) == _CALLS
    found, _ = verified(paths_under(tmp_path).ledger_file)
    assert found.state == "ok"


async def test_chats_of_the_bundled_service_are_there(tmp_path: Path) -> None:
    file = _unpack(tmp_path)
    settings = file.current
    file.save(settings.model_copy(update={"connection": ConnectionSettings(kind="local")}))
    async with running_program(tmp_path) as person:
        program = person.program
        await person.sees(
            lambda: program.connection.status.dot is Dot.GOOD, "the service is connected"
        )
        await person.sees(lambda: bool(program.conversations.rows), "the chats are listed")
        (row,) = program.conversations.rows
        assert row.title == "What can you do?"
