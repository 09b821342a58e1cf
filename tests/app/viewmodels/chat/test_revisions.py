"""What is done with a message that was said, as its view model does it."""

import asyncio
from pathlib import Path

import pytest

from app.chat.items import Action, SendState, UserMessage
from app.chat.workspace import Workspace
from app.common.errors import UserFacingError
from app.tasks import TaskOwner
from app.viewmodels.chat.revisions import Revisions
from app.viewmodels.chat.transcript_model import TranscriptModel
from app.viewmodels.rows import ROW_ROLE
from tests.support.chat_fixtures import chat_kit
from tests.support.fake_service import FakeService
from tests.support.signals import emitted

pytestmark = pytest.mark.anyio


async def test_files_of_a_message_that_is_edited_twice_are_attached_once(tmp_path: Path) -> None:
    failures: list[object] = []
    tasks = TaskOwner(lambda _name, error: failures.append(error))
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("Read.")
        chat = await kit.open()
        file = await kit.attachments.add_content("c1", "notes.md", b"# Notes")
        await chat.session.send("What is this?", None, attachments=[file])
        await chat.is_idle()
        dependencies = kit.dependencies
        workspace = Workspace(
            dependencies.client,
            dependencies.store,
            kit.conversations,
            kit.sessions,
            dependencies.ledger,
        )
        revisions, hinted, hints = Revisions(tasks), asyncio.Event(), list[str]()
        revisions.follow(workspace, "c1")

        def on_hint(words: str) -> None:
            hints.append(words)
            hinted.set()

        revisions.hinted.connect(on_hint)
        (message,) = chat.user_messages
        for times in (1, 2):
            # A double click is one.
            for _ in range(2):
                revisions.act(workspace, chat.session, message.key, Action.EDIT)
            async with asyncio.timeout(10):
                await hinted.wait()
            hinted.clear()
            assert len(hints) == times
        assert [item.name for item in await kit.attachments.of_draft("c1")] == ["notes.md"]
    await tasks.aclose()
    assert failures == []


async def test_message_that_never_arrived_comes_back_and_begins_no_version(tmp_path: Path) -> None:
    tasks = TaskOwner(lambda _name, _error: None)
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.forks = {}
        service.holds("c1")
        await kit.dependencies.client.list_agents()
        chat = await kit.open()
        service.fails_with(400)
        await chat.said("What is this?")
        (message,) = chat.user_messages
        assert message.state is SendState.FAILED
        parts = kit.dependencies
        spaces = (kit.conversations, kit.sessions, parts.ledger)
        workspace = Workspace(parts.client, parts.store, *spaces)
        revisions = Revisions(tasks)
        revisions.follow(workspace, "c1")
        taken_back = emitted(revisions.taken_back)
        revisions.act(workspace, chat.session, message.key, Action.EDIT)
        assert await taken_back == ("What is this?",)
        assert revisions.edit is None
    await tasks.aclose()


@pytest.mark.parametrize("is_left", [False, True])
async def test_failure_is_not_reported_in_another_connection(tmp_path: Path, is_left: bool) -> None:
    failures = list[BaseException]()
    tasks = TaskOwner(lambda _name, error: failures.append(error))
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.forks = {}
        service.holds("c1", ("user", "One"), ("assistant", "Yes"))
        await kit.dependencies.client.list_agents()
        chat = await kit.open()
        parts = kit.dependencies
        spaces = (kit.conversations, kit.sessions, parts.ledger)
        workspace = Workspace(parts.client, parts.store, *spaces)
        revisions = Revisions(tasks)
        revisions.follow(workspace, "c1")
        service.fails_with(400, method="POST")
        (message,) = chat.user_messages
        revisions.act(workspace, chat.session, message.key, Action.BRANCH)
        if is_left:
            revisions.follow(None, "")
        await tasks.finish()
    await tasks.aclose()
    told = [isinstance(one, UserFacingError) for one in failures]
    assert told == ([] if is_left else [True])


@pytest.mark.parametrize("action", [Action.EDIT, Action.ASK_ANEW])
async def test_message_is_acted_on_although_nobody_asked_yet_what_the_service_offers(
    tmp_path: Path, action: Action
) -> None:
    tasks = TaskOwner(lambda _name, _error: None)
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.forks = {}
        service.holds("c1", ("user", "One"), ("assistant", "Yes"))
        chat = await kit.open()
        dependencies = kit.dependencies
        parts = (kit.conversations, kit.sessions, dependencies.ledger)
        workspace = Workspace(dependencies.client, dependencies.store, *parts)
        revisions, hints = Revisions(tasks), list[str]()
        revisions.follow(workspace, "c1")
        revisions.hinted.connect(lambda words, _files: hints.append(words))
        model = TranscriptModel()
        model.show(chat.session)
        revisions.edit_changed.connect(model.mark_edited)
        made = list[str]()
        revisions.moved.connect(lambda _before, new_id: made.append(new_id))
        begun = emitted(revisions.hinted if action is Action.EDIT else revisions.moved)
        if action is Action.ASK_ANEW:
            service.says("Yes again")
        (message,) = chat.user_messages
        revisions.act(workspace, chat.session, message.key, action)
        await begun
        if action is Action.EDIT:
            assert hints[0].startswith("Sending starts a new version")
            assert _edited(model) == ["One"]
            revisions.dismiss()
            assert _edited(model) == []
        model.show(None)
        for new_id in made:
            await (await kit.open(new_id)).is_idle()
        assert len(made) == (action is Action.ASK_ANEW)
    await tasks.aclose()


def _edited(model: TranscriptModel) -> list[str]:
    """Return the messages that are shown as edited."""
    items = [model.data(model.index(row), ROW_ROLE) for row in range(model.rowCount())]
    return [item.text for item in items if isinstance(item, UserMessage) and item.is_edited]
