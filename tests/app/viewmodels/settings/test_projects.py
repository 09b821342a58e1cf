"""Several projects: each with its own data and its own key, and no key at another address."""

import asyncio
from pathlib import Path

import pytest
from pydantic import SecretStr

from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.config.settings import Project, SettingsFile
from app.paths import paths_under
from app.store.errors import StoreError
from tests.support.fake_service import FakeService
from tests.support.project_fixtures import projects_desk
from tests.support.window import KeyringInMemory, has_chosen_hosted

pytestmark = pytest.mark.anyio


def _keys_seen(service: FakeService) -> set[str | None]:
    return {request.header("x-api-key") for request in service.requests}


def _keys_in(keyring: KeyringInMemory) -> list[str]:
    return sorted(keyring.secrets.values())


async def test_file_of_an_earlier_version_keeps_its_data_and_its_key(tmp_path: Path) -> None:
    async with FakeService() as first, FakeService("pk_live_second") as second:
        keyring = has_chosen_hosted(tmp_path, first)
        async with projects_desk(tmp_path, keyring) as desk:
            assert desk.profile == f"hosted:{first.base_url}"

            await desk.connection.use_hosted(second.base_url, second.api_key, "Second")
            assert desk.profile.startswith(f"hosted:{second.base_url}#")
            await desk.connection.switch(f"hosted:{first.base_url}")
            await first.received(2)

            assert desk.profile == f"hosted:{first.base_url}"
            assert _keys_seen(first) == {"pk_test_fake"}
            assert _keys_seen(second) == {"pk_live_second"}
    kept = SettingsFile(paths_under(tmp_path).settings_file).current
    assert [project.name for project in kept.hosted] == ["", "Second"]


async def test_two_projects_at_one_address_share_neither_data_nor_key(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        async with projects_desk(tmp_path, keyring) as desk:
            first = desk.profile
            service.api_key = SecretStr("pk_live_other")

            await desk.connection.use_hosted(service.base_url, service.api_key, "Other")

            assert desk.profile not in ("", first)
            assert _keys_in(keyring) == ["pk_live_other", "pk_test_fake"]


async def test_each_new_project_has_a_colour_of_its_own(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        async with projects_desk(tmp_path, keyring) as desk:
            for key in ("pk_live_other", "pk_live_third"):
                service.api_key = SecretStr(key)
                await desk.connection.use_hosted(service.base_url, service.api_key, key)

            assert [row.colour for row in desk.projects.rows] == [
                "green",
                "blue",
                "violet",
                "orange",
            ]


async def test_same_address_and_key_are_the_same_project(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        async with projects_desk(tmp_path, keyring) as desk:
            first = desk.profile

            await desk.connection.use_hosted(service.base_url, service.api_key, "Again")

            assert desk.profile == first
            assert [row.name for row in desk.projects.rows] == ["Home", "Again"]


@pytest.mark.security(63)
async def test_key_of_an_address_edited_in_the_file_goes_nowhere(tmp_path: Path) -> None:
    async with FakeService() as old, FakeService() as new:
        keyring = has_chosen_hosted(tmp_path, old)
        async with projects_desk(tmp_path, keyring) as desk:
            await desk.connection.switch(desk.profile)
            await old.received(1)
        file = paths_under(tmp_path).settings_file
        text = file.read_text(encoding="utf-8")
        file.write_text(
            text.replace(f'base_url = "{old.base_url}"', f'base_url = "{new.base_url}"'),
            encoding="utf-8",
        )

        async with projects_desk(tmp_path, keyring) as desk:
            assert desk.connection.status.words == "no key"
            assert new.requests == []


@pytest.mark.security(63)
async def test_no_key_goes_to_another_address_however_fast_projects_are_switched(
    tmp_path: Path,
) -> None:
    async with FakeService() as first, FakeService("pk_live_second") as second:
        keyring = has_chosen_hosted(tmp_path, first)
        async with projects_desk(tmp_path, keyring) as desk:
            one = desk.profile
            await desk.connection.use_hosted(second.base_url, second.api_key, "Second")
            other = desk.profile

            for _ in range(3):
                async with asyncio.TaskGroup() as switching:
                    for profile in (one, other, one, other):
                        switching.create_task(desk.connection.switch(profile))

            assert _keys_seen(first) == {"pk_test_fake"}
            assert _keys_seen(second) == {"pk_live_second"}


@pytest.mark.security(63)
async def test_changed_address_asks_for_its_key_and_drops_the_one_of_before(
    tmp_path: Path,
) -> None:
    async with FakeService() as old, FakeService("pk_live_new") as new:
        keyring = has_chosen_hosted(tmp_path, old)
        async with projects_desk(tmp_path, keyring) as desk:
            id_, connection = desk.profile, desk.connection
            moved = Project(id=id_, name="Moved", base_url=new.base_url)

            with pytest.raises(UserFacingError) as refused:
                await connection.change(moved, None)
            assert (refused.value.reason, new.requests) == (ErrorCode.KEY_MISSING, [])
            await connection.change(moved, new.api_key)

            assert desk.profile == id_
            assert _keys_seen(new) == {"pk_live_new"}
            assert _keys_in(keyring) == ["pk_live_new"]


async def test_kind_of_key_is_known_also_of_a_project_that_rests(tmp_path: Path) -> None:
    async with (
        FakeService() as test,
        FakeService("pk_live_second") as live,
        projects_desk(tmp_path, KeyringInMemory()) as desk,
    ):
        await desk.connection.use_hosted(test.base_url, test.api_key, "Trial")
        await desk.connection.use_hosted(live.base_url, live.api_key, "Real")

        kinds = {row.name: (row.is_now, row.is_test) for row in desk.projects.rows[1:]}

        assert kinds == {"Trial": (False, True), "Real": (True, False)}


async def test_key_of_a_project_that_could_not_be_kept_is_not_left_behind(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = KeyringInMemory()
        async with projects_desk(tmp_path, keyring) as desk:
            paths_under(tmp_path).settings_file.mkdir()

            with pytest.raises(UserFacingError) as refused:
                await desk.connection.use_hosted(service.base_url, service.api_key)

            assert refused.value.reason == ErrorCode.CHOICE_NOT_KEPT
            assert keyring.secrets == {}


async def test_project_whose_data_cannot_be_deleted_stays_to_try_again(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        async with projects_desk(tmp_path, keyring) as desk:
            removed = desk.profile
            desk.delete_fault = StoreError(ErrorCode.STORE_UNWRITABLE)
            with pytest.raises(StoreError):
                await desk.projects.remove_now(removed)
            assert removed in [row.project_id for row in desk.projects.rows]

            desk.delete_fault = None
            await desk.projects.remove_now(removed)
            assert [row.project_id for row in desk.projects.rows] == ["local"]


async def test_removed_project_leaves_nothing_that_another_one_finds(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        async with projects_desk(tmp_path, keyring) as desk:
            workspace = desk.connection.workspace
            assert workspace
            before, rows = workspace.store.profile, workspace.store.conversations
            await rows.keep_draft("", "a thought")

            await desk.projects.remove_now(before)

            assert keyring.secrets == {}
            assert await rows.draft("") == ""
            assert [row.project_id for row in desk.projects.rows] == ["local"]
            assert desk.profile == "local"
            await desk.connection.use_hosted(service.base_url, service.api_key)
            assert desk.profile != before


async def test_project_without_its_key_stays_and_finds_its_chats_again(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        async with projects_desk(tmp_path, keyring) as desk:
            await desk.connection.use_hosted(service.base_url, service.api_key)
            workspace = desk.connection.workspace
            assert workspace
            id_ = workspace.store.profile
            await workspace.store.conversations.keep_draft("", "a thought")

            await desk.projects.forget_key_now(id_)
            assert keyring.secrets == {}
            [project] = desk.settings.current.hosted
            await desk.connection.change(project, service.api_key)

            assert desk.profile == id_
            assert desk.connection.workspace
            assert await desk.connection.workspace.draft("") == "a thought"
