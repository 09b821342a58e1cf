"""What is still under way for one profile says nothing about the next."""

from pathlib import Path

import pytest

from app.chat.workspace import Workspace
from app.common.error_messages import ErrorMessage
from app.viewmodels.chat.catalog import AgentRow, CatalogViewModel
from app.viewmodels.chat.chat import ChatViewModel
from app.viewmodels.sidebar.conversation_list import ConversationListModel
from app.viewmodels.states import OpenChats
from local_tools.registry import ToolRegistry
from tests.support.chat_fixtures import ChatKit, chat_kit
from tests.support.fake_service import FakeService
from tests.support.signals import emitted

pytestmark = pytest.mark.anyio


def _workspace(kit: ChatKit) -> Workspace:
    dependencies = kit.dependencies
    parts = (kit.conversations, kit.sessions, dependencies.ledger)
    return Workspace(dependencies.client, dependencies.store, *parts)


async def test_a_list_that_fails_after_the_profile_has_changed_says_nothing(
    tmp_path: Path,
) -> None:
    async with (
        FakeService() as old,
        FakeService() as new,
        chat_kit(tmp_path / "old", old) as before,
        chat_kit(tmp_path / "new", new) as after,
    ):
        model, problems = ConversationListModel(), list[ErrorMessage | None]()
        old.fails_with(401, method="GET")
        go_on = old.pauses_after(0)
        model.show(before.conversations)
        model.refresh()
        await old.received(1)
        model.show(after.conversations)
        model.problem_changed.connect(problems.append)

        go_on.set()
        # One asks at a time: when this has its turn, the refresh has failed.
        await before.conversations.fetch_more()
        refreshed = emitted(model.problem_changed)
        model.refresh()
        await refreshed
        await model.aclose()

        assert problems == [None]


async def test_agents_that_fail_after_the_profile_has_changed_say_nothing(tmp_path: Path) -> None:
    async with (
        FakeService() as old,
        FakeService() as new,
        chat_kit(tmp_path / "old", old) as before,
        chat_kit(tmp_path / "new", new) as after,
    ):
        catalog, failures = CatalogViewModel(), list[ErrorMessage]()
        catalog.failed.connect(failures.append)
        old.fails_with(401, method="GET")
        go_on = old.pauses_after(0)
        catalog.show(before.dependencies.client)
        catalog.load()
        await old.received(1)
        catalog.show(after.dependencies.client)

        go_on.set()
        loaded = emitted(catalog.loaded)
        catalog.load()
        await loaded
        await before.dependencies.client.list_skills()
        await catalog.aclose()

        assert failures == []


async def test_agent_and_folder_chosen_for_one_profile_are_not_for_the_next(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        chat = ChatViewModel(ToolRegistry(), tmp_path, OpenChats())
        chat.show_workspace(_workspace(kit))
        chat.chosen.choose_agent(AgentRow("writer", "Writer", "Writes"))
        chat.chosen.choose_folder(tmp_path / "notes")

        chat.show_workspace(_workspace(kit))

        assert chat.state.agent.name is None
        assert chat.state.folder == ""
        await chat.aclose()
