"""What the sidebar knows of a chat that is not open: marks, pins and names, over restarts."""

import asyncio
from pathlib import Path

import pytest

from app.chat.sessions import ConversationStatus
from tests.support.chat_fixtures import ChatKit, chat_kit
from tests.support.fake_service import FakeService

pytestmark = pytest.mark.anyio


async def _marks_after_restart(
    tmp_path: Path, service: FakeService
) -> dict[str, ConversationStatus]:
    async with chat_kit(tmp_path, service) as kit:
        await kit.conversations.load_kept()
        return {row.conversation_id: row.status for row in kit.conversations.rows}


async def _two_chats(service: FakeService, kit: ChatKit) -> None:
    service.holds("c1")
    service.holds("c2")
    await kit.conversations.refresh()


async def test_reply_to_a_chat_that_is_not_shown_is_unread_until_that_is_opened(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        async with chat_kit(tmp_path, service) as kit:
            await _two_chats(service, kit)
            service.says("Done.")
            chat = await kit.open()
            await chat.send("Continue")
            kit.sessions.subscribe(lambda _activity: kit.happened())
            chat.close()
            # The store has enough to do that the program ends before it comes to the mark.
            writes = asyncio.gather(
                *(kit.store.conversations.set_last_open("c1") for _ in range(100))
            )
            await kit.until(lambda: kit.sessions.status("c1") is ConversationStatus.UNREAD)
        await writes

        assert await _marks_after_restart(tmp_path, service) == {
            "c1": ConversationStatus.UNREAD,
            "c2": ConversationStatus.NONE,
        }
        async with chat_kit(tmp_path, service) as kit:
            await kit.conversations.load_kept()
            await kit.open()
            assert kit.sessions.status("c1") is ConversationStatus.NONE

        assert (await _marks_after_restart(tmp_path, service))["c1"] is ConversationStatus.NONE


async def test_waiting_and_failed_chats_are_marked_after_a_restart(tmp_path: Path) -> None:
    async with FakeService() as service:
        async with chat_kit(tmp_path, service) as kit:
            await _two_chats(service, kit)
            service.asks_tool("current_time", {})
            waiting = await kit.open("c1")
            await waiting.send("When?")
            await waiting.asks()
            service.fails_with(500)
            failed = await kit.open("c2")
            await failed.said("Hello")

        assert await _marks_after_restart(tmp_path, service) == {
            "c1": ConversationStatus.WAITING,
            "c2": ConversationStatus.FAILED,
        }


async def test_chat_that_answered_well_after_a_failure_is_not_marked(tmp_path: Path) -> None:
    async with FakeService() as service:
        async with chat_kit(tmp_path, service) as kit:
            await _two_chats(service, kit)
            chat = await kit.open("c1")
            service.fails_with(500)
            await chat.said("Hello")
            service.says("Hello.")
            await chat.said("Hello again")

        assert (await _marks_after_restart(tmp_path, service))["c1"] is ConversationStatus.NONE


async def test_pinned_chats_stay_first(tmp_path: Path) -> None:
    async with FakeService() as service:
        async with chat_kit(tmp_path, service) as kit:
            await _two_chats(service, kit)
            await kit.conversations.pin("c2", is_pinned=True)
            assert [row.conversation_id for row in kit.conversations.rows] == ["c2", "c1"]

        async with chat_kit(tmp_path, service) as kit:
            await kit.conversations.load_kept()
            assert [row.is_pinned for row in kit.conversations.rows] == [True, False]
            await kit.conversations.refresh()
            assert [row.conversation_id for row in kit.conversations.rows] == ["c2", "c1"]
            await kit.conversations.pin("c2", is_pinned=False)
            assert not any(row.is_pinned for row in kit.conversations.rows)


async def test_given_name_holds_everywhere_and_an_empty_one_brings_the_made_one_back(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1", ("user", "Compare heat pumps"), ("assistant", "Gladly."))
        chat = await kit.open()
        await kit.conversations.refresh()

        await kit.conversations.rename("c1", "  Warm\n house ")
        assert kit.conversations.rows[0].title == chat.session.state.title == "Warm house"
        assert (await kit.store.conversations.get("c1")).title == "Warm house"

        await kit.conversations.rename("c1", "  ")
        assert kit.conversations.rows[0].title == chat.session.state.title == "Compare heat pumps"


async def test_chat_that_was_open_last_is_remembered_until_it_is_deleted(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        await _two_chats(service, kit)
        marks = kit.store.conversations
        assert await marks.last_open() == ""
        await marks.set_last_open("c1")
        await marks.set_last_open("c2")
        assert await marks.last_open() == "c2"

        await kit.conversations.delete("c2")
        assert await marks.last_open() == ""

        await marks.set_last_open("c1")
        await marks.set_last_open("")
        assert await marks.last_open() == ""


@pytest.mark.security(82)
async def test_given_name_of_a_deleted_chat_is_gone_from_every_file(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        await _two_chats(service, kit)
        await kit.conversations.rename("c1", "xylophonist")
        await kit.conversations.pin("c1", is_pinned=True)
        await kit.store.conversations.set_last_open("c1")

        await kit.conversations.delete("c1")

        assert _files_with("xylophonist", tmp_path) == []
        assert "c1" not in await kit.store.conversations.noted()


def _files_with(word: str, folder: Path) -> list[str]:
    files = [file for file in folder.rglob("*") if file.is_file()]
    return [file.name for file in files if word.encode() in file.read_bytes()]
