"""A chat goes on from text: from a summary of itself, or from what was said elsewhere."""

from pathlib import Path

import pytest

from app.api.errors import ConnectionLost
from app.api.models import Message, Role
from app.chat.workspace import Workspace
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from tests.support.chat_fixtures import START, Chat, ChatKit, chat_kit
from tests.support.fake_service import FakeService, sse

pytestmark = pytest.mark.anyio

_QUESTION = "Summarise this."


def _workspace(kit: ChatKit) -> Workspace:
    dependencies = kit.dependencies
    return Workspace(
        dependencies.client,
        dependencies.store,
        kit.conversations,
        kit.sessions,
        dependencies.ledger,
    )


async def _chat(service: FakeService, kit: ChatKit) -> Chat:
    """Open a chat at a service that copies chats."""
    service.forks = {}
    service.holds("c1", ("user", "One"), ("assistant", "Yes"))
    await kit.dependencies.client.list_agents()
    return await kit.open("c1")


def _listed(kit: ChatKit) -> list[str]:
    return [row.conversation_id for row in kit.conversations.rows]


async def test_summary_begins_a_chat_and_the_one_before_stays(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        chat = await _chat(service, kit)
        await chat.session.set_folder(tmp_path)
        service.says("We said ", "one.")
        new_id = await _workspace(kit).summarise("c1", _QUESTION)
        new = await kit.open(new_id)
        assert [(m["role"], m["content"]) for m in service.conversations[new_id]] == [
            ("user", _QUESTION),
            ("assistant", "We said one."),
        ]
        assert new.text == "We said one."
        assert new.session.settings.folder == tmp_path
        assert [m["content"] for m in service.conversations["c1"]] == ["One", "Yes"]
        # The copy in which the model was asked is gone.
        assert set(service.conversations) == {"c1", new_id}
        assert await kit.store.versions.all() == ()
        await kit.conversations.refresh()
        assert set(_listed(kit)) == {"c1", new_id}
        asked = next(r.json for r in service.requests if r.path == "/v1/chat/stream")
        assert "client_tools" not in asked


@pytest.mark.parametrize("events", [(), (START, sse("error", message="Oh"))])
async def test_chat_stays_alone_where_no_summary_comes(
    tmp_path: Path, events: tuple[bytes, ...]
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        await _chat(service, kit)
        if events:
            service.sends(*events)
        else:
            service.says("  ")
        with pytest.raises(UserFacingError) as caught:
            await _workspace(kit).summarise("c1", _QUESTION)
        assert caught.value.reason == ErrorCode.SUMMARY_FAILED
        assert set(service.conversations) == {"c1"}
        assert await kit.store.versions.all() == ()


async def test_copy_of_a_summary_that_was_cut_off_is_removed_at_the_next_start(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        async with chat_kit(tmp_path, service) as kit:
            chat = await _chat(service, kit)
            key = chat.user_messages[0].key
            # As a kill leaves it while the model writes.
            await chat.session.copy_through(key, is_scratch=True)
            assert len(service.conversations) == 2
            # An edit of the same place is another copy.
            service.says("Si")
            new_id = await _workspace(kit).revise("c1", key, "Uno", None)
            await (await kit.open(new_id)).is_idle()
            assert len(service.conversations) == 3
        async with chat_kit(tmp_path, service) as kit:
            await kit.dependencies.client.list_agents()
            await kit.conversations.load_kept()
            await kit.conversations.refresh()
            assert set(service.conversations) == {"c1", new_id}


def _said(*words: str) -> list[Message]:
    roles = (Role.USER, Role.ASSISTANT)
    return [
        Message(id=str(n), role=roles[n % 2], content=text, created_at=None)
        for n, text in enumerate(words)
    ]


async def test_continued_text_is_one_chat_although_the_answer_was_lost(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        await _chat(service, kit)
        workspace, said = _workspace(kit), _said("Hello", "Good day")
        for _ in range(3):
            service.cuts("POST")
        with pytest.raises(ConnectionLost):
            await workspace.continue_text("import-1", "Greetings", said)
        first_id = await workspace.continue_text("import-1", "Greetings", said)
        assert await workspace.continue_text("import-1", "Greetings", said) == first_id
        assert [m["content"] for m in service.conversations[first_id]] == ["Hello", "Good day"]
        assert (await kit.store.conversations.get(first_id)).title == "Greetings"
        more = await workspace.continue_text("import-1", "Greetings", _said("Hello", "Hi", "More"))
        assert more != first_id
        assert len({r.json["fork_id"] for r in service.requests if r.method == "POST"}) == 2


async def test_text_goes_on_although_nobody_asked_yet_what_the_service_offers(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.forks = {}
        workspace = _workspace(kit)
        made_id = await workspace.continue_text("import-1", "Greetings", _said("Hello", "Hi"))
        assert [m["content"] for m in service.conversations[made_id]] == ["Hello", "Hi"]


@pytest.mark.parametrize("said", [_said(*["a"] * 10_001), _said("é" * 3_200_000)])
async def test_text_that_a_service_does_not_take_is_refused_before_it_is_sent(
    tmp_path: Path, said: list[Message]
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        await _chat(service, kit)
        with pytest.raises(UserFacingError) as caught:
            await _workspace(kit).continue_text("import-1", "", said)
        assert caught.value.reason == ErrorCode.CONTINUE_TOO_LONG
        assert set(service.conversations) == {"c1"}
