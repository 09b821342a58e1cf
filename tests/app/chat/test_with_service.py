"""The whole path against the real bundled service in a process of its own."""

from pathlib import Path

import pytest

from app.chat.items import Action, CallState, SendState
from app.chat.workspace import Workspace
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.store.records import TurnState
from tests.support.chat_fixtures import chat_kit
from tests.support.own_service import KEY as OWN_KEY
from tests.support.own_service import own_service
from tests.support.service import address_of, listening_socket, running_child, running_service

pytestmark = pytest.mark.anyio

KEY = "pk_live_" + "k" * 43


async def test_the_assistant_reads_a_file_when_it_is_allowed_to(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("The boat is called Osprey.", encoding="utf-8")
    with running_service(tmp_path) as service:
        async with chat_kit(tmp_path, address=(service.base_url, service.key)) as kit:
            chat = await kit.open(await kit.conversations.create())
            await chat.session.set_folder(tmp_path)

            await chat.send("read notes.txt")
            await chat.allow()
            await chat.is_idle()

            assert "Osprey" in chat.text
            assert [row.state for row in chat.tool_rows] == [CallState.DONE]
            assert not chat.notices
            before = chat.items
            await chat.session.load()
            assert [item.key for item in chat.items] == [item.key for item in before]
            (turn,) = await kit.turns(chat.session.conversation_id)
            assert (turn.state, turn.user_message_id is None) == (TurnState.DONE, False)
            await kit.conversations.refresh()
            assert [row.title for row in kit.conversations.rows] == ["read notes.txt"]


async def test_a_denied_call_is_reported_to_the_assistant_and_the_chat_goes_on(
    tmp_path: Path,
) -> None:
    with running_service(tmp_path) as service:
        async with chat_kit(tmp_path, address=(service.base_url, service.key)) as kit:
            chat = await kit.open(await kit.conversations.create())
            await chat.session.set_folder(tmp_path)

            await chat.send('/tool write_file {"path": "a.txt", "content": "x"}')
            await chat.deny("Not now.")
            await chat.is_idle()
            await chat.said("Hello")

            assert [row.state for row in chat.tool_rows] == [CallState.DENIED]
            assert not chat.notices
            assert len(chat.user_messages) == 2


async def test_a_message_right_after_stop_is_answered(tmp_path: Path) -> None:
    # Slow enough that nobody here is too slow to stop it.
    with running_service(tmp_path, pace_s=0.2) as service:
        async with chat_kit(tmp_path, address=(service.base_url, service.key)) as kit:
            chat = await kit.open(await kit.conversations.create())
            await chat.send("Tell me something long about boats and the sea and the wind")
            await chat.until(lambda: len(chat.text.split()) > 3)

            chat.session.stop()
            await chat.is_idle()
            await chat.said("Hello")

            assert [message.state for message in chat.user_messages] == [SendState.SENT] * 2
            assert [notice.words.text for notice in chat.notices] == ["Stopped."]
            await chat.session.load()
            assert len(chat.user_messages) == 2


async def test_a_service_killed_in_mid_reply_comes_back_and_the_chat_goes_on(
    tmp_path: Path,
) -> None:
    bound = listening_socket()
    async with chat_kit(tmp_path, address=(address_of(bound), KEY)) as kit:
        with running_child(tmp_path / "service", bound=bound, key=KEY, pace_s=0.2) as service:
            chat = await kit.open(await kit.conversations.create())
            await chat.send("Tell me something long about boats and the sea and the wind")
            await chat.until(lambda: len(chat.text.split()) > 3)
            service.process.kill()
            service.process.wait()
            await chat.is_idle()
        arrived = chat.text
        assert chat.notice.actions == (Action.LOAD_REST, Action.SEND_AGAIN)

        with running_child(tmp_path / "service", bound=bound, key=KEY):
            await kit.sessions.reload()

            assert chat.text.startswith(arrived)
            assert [message.state for message in chat.user_messages] == [SendState.SENT]
            await chat.session.act(chat.notice.key, Action.SEND_AGAIN)
            await chat.is_idle()
            assert len(chat.user_messages) == 2
            assert not chat.notices
            assert not chat.session.state.has_failed
    bound.close()


async def test_chat_of_another_project_is_not_copied(tmp_path: Path) -> None:
    async with own_service(tmp_path / "service") as service:
        async with chat_kit(tmp_path, address=(service.base_url, OWN_KEY)) as kit:
            conversation_id = await kit.conversations.create()
            await (await kit.open(conversation_id)).said("One")
        await service.add_key("pk_of_another", "another", "live")
        # The key of this connection was replaced, and the chat is kept here.
        async with chat_kit(tmp_path, address=(service.base_url, "pk_of_another")) as kit:
            parts = kit.dependencies
            await parts.client.list_agents()
            chat = await kit.open(conversation_id)
            key = chat.user_messages[0].key
            workspace = Workspace(
                parts.client, parts.store, kit.conversations, kit.sessions, parts.ledger
            )
            for work in (
                workspace.branch(conversation_id, key),
                workspace.revise(conversation_id, key, "Uno", None),
            ):
                with pytest.raises(UserFacingError) as caught:
                    await work
                assert caught.value.reason == ErrorCode.CONVERSATION_GONE
            assert await parts.store.versions.all() == ()
            assert await kit.store.conversations.ids() == (conversation_id,)
        page = (await service.client.get("/v1/conversations")).json()
        assert page["meta"]["total"] == 1
