"""Several projects: each with its own data and its own key, and no key at another address."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from app.paths import paths_under
from app.settings import Project, SettingsFile
from tests.support.fake_service import FakeService
from tests.support.plugins import LoopBackend
from tests.support.window import KeyringInMemory, Person, has_chosen_hosted, running_program

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    """The program's own loop, since a real window is under these tests."""
    return qt_loop


def _profile(person: Person) -> str:
    workspace = person.program.connection.workspace
    return workspace.store.profile if workspace else ""


def _keys_seen(service: FakeService) -> set[str | None]:
    return {request.header("x-api-key") for request in service.requests}


async def _is_connected(person: Person) -> None:
    connection = person.program.connection
    await person.sees(lambda: connection.status.words == "connected", "the project answers")


async def test_file_of_an_earlier_version_keeps_its_data_and_its_key(tmp_path: Path) -> None:
    async with FakeService() as first, FakeService("pk_live_second") as second:
        keyring = has_chosen_hosted(tmp_path, first)
        async with running_program(tmp_path, keyring) as person:
            await _is_connected(person)
            connection = person.program.connection
            assert _profile(person) == f"hosted:{first.base_url}"

            await connection.use_hosted(second.base_url, second.api_key, "Second")
            assert _profile(person) == f"hosted:{second.base_url}"
            await connection.switch(f"hosted:{first.base_url}")
            await _is_connected(person)

            assert _profile(person) == f"hosted:{first.base_url}"
            assert connection.status.is_test
            assert _keys_seen(second) == {"pk_live_second"}
    kept = SettingsFile(paths_under(tmp_path).settings_file).current
    assert [project.name for project in kept.hosted] == ["", "Second"]


async def test_two_projects_at_one_address_share_neither_data_nor_key(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        async with running_program(tmp_path, keyring) as person:
            await _is_connected(person)
            first, connection = _profile(person), person.program.connection
            service.api_key = SecretStr("pk_live_other")

            await connection.use_hosted(service.base_url, service.api_key, "Other")

            assert _profile(person) not in ("", first)
            assert sorted(keyring.secrets.values()) == ["pk_live_other", "pk_test_fake"]


@pytest.mark.security(63)
async def test_key_of_an_address_edited_in_the_file_goes_nowhere(tmp_path: Path) -> None:
    async with FakeService() as old, FakeService() as new:
        keyring = has_chosen_hosted(tmp_path, old)
        async with running_program(tmp_path, keyring) as person:
            await _is_connected(person)
            project = person.program.connection
            await project.switch(f"hosted:{old.base_url}")
        file = paths_under(tmp_path).settings_file
        text = file.read_text(encoding="utf-8")
        file.write_text(
            text.replace(f'base_url = "{old.base_url}"', f'base_url = "{new.base_url}"'),
            encoding="utf-8",
        )

        async with running_program(tmp_path, keyring) as person:
            connection = person.program.connection

            assert connection.status.words == "no key"
            assert new.requests == []


@pytest.mark.security(63)
async def test_changed_address_drops_the_key_of_before(tmp_path: Path) -> None:
    async with FakeService() as old, FakeService("pk_live_new") as new:
        keyring = has_chosen_hosted(tmp_path, old)
        async with running_program(tmp_path, keyring) as person:
            await _is_connected(person)
            id_ = _profile(person)

            moved = Project(id=id_, name="Moved", base_url=new.base_url)
            await person.program.connection.change(moved, new.api_key)

            assert _profile(person) == id_
            assert _keys_seen(new) == {"pk_live_new"}
            assert list(keyring.secrets.values()) == ["pk_live_new"]


async def test_removed_project_leaves_no_key_and_what_was_kept_goes_as_asked(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        keyring: KeyringInMemory = has_chosen_hosted(tmp_path, service)
        service.holds("c1", ("user", "Hello"))
        async with running_program(tmp_path, keyring) as person:
            await _is_connected(person)
            workspace = person.program.connection.workspace
            assert workspace
            await person.sees(lambda: person.program.conversations.rowCount() == 1, "the chat")
            store, projects = workspace.store, person.program.projects

            await projects.remove_now(store.profile, is_data_deleted=True)

            assert keyring.secrets == {}
            assert await store.conversations.first_rows() == ()
            assert [row.project_id for row in projects.rows] == ["local"]
