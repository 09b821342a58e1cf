"""Nothing that was accepted is lost, whoever goes away in the middle."""

import asyncio
import sqlite3
from contextlib import AsyncExitStack, closing
from pathlib import Path

import httpx
import pytest
from starlette.types import Message

from local_server.assistant.reply import RequestedToolCall
from local_server.coordination import ConversationLock, InProcessLocks
from local_server.sse import EventBuffer, EventStream, ShutdownEvent
from local_server.store.records import Owner
from tests.support.event_streams import first_of, read_whole_stream, text_of, types_of
from tests.support.own_service import READ_FILE, new_client, own_service
from tests.support.scripted_assistant import Pause, ScriptedAssistant
from tests.support.service import http_client, running_child


@pytest.mark.anyio
async def test_stop_keeps_what_was_written_so_far(tmp_path: Path) -> None:
    pause = Pause()
    assistant = ScriptedAssistant(("Half of ", "it ", pause, "never said"), ("Next.",))
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id = await service.create()
        body = {"conversation_id": conversation_id, "message": "Go"}
        async with (
            new_client(service.base_url) as leaving,
            leaving.stream("POST", "/v1/chat/stream", json=body),
        ):
            await pause.is_reached.wait()
        await service.chat(conversation_id, "And?")
        messages = await service.messages(conversation_id)
    assert [m["content"] for m in messages] == ["Go", "Half of it ", "And?", "Next."]


class _Source:
    """Events that nobody got to ask for."""

    def __init__(self) -> None:
        self.is_closed = False

    async def write(self, out: EventBuffer) -> None:
        raise AssertionError(f"{out} was never to be written to")

    async def aclose(self) -> None:
        self.is_closed = True


@pytest.mark.anyio
async def test_turn_whose_stream_cannot_even_begin_frees_its_conversation() -> None:
    source = _Source()

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(_message: Message) -> None:
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        await EventStream(source, 10, ShutdownEvent()).send_to(receive, send)
    assert source.is_closed


@pytest.mark.anyio
async def test_long_reply_is_stored_while_it_is_written(tmp_path: Path) -> None:
    pause = Pause()
    long = "word " * 500
    async with own_service(tmp_path, assistant=ScriptedAssistant((long, "x", pause))) as service:
        conversation_id = await service.create()
        body = {"conversation_id": conversation_id, "message": "Go"}
        async with service.client.stream("POST", "/v1/chat/stream", json=body):
            await pause.is_reached.wait()
            [_, growing] = await service.messages(conversation_id)
            pause.is_over.set()
    assert growing["content"] == long


@pytest.mark.anyio
async def test_two_kilobytes_are_counted_in_bytes(tmp_path: Path) -> None:
    pause = Pause()
    long = "\u8a9e" * 700
    async with own_service(tmp_path, assistant=ScriptedAssistant((long, "x", pause))) as service:
        body = {"conversation_id": await service.create(), "message": "Go"}
        async with service.client.stream("POST", "/v1/chat/stream", json=body):
            await pause.is_reached.wait()
            [_, growing] = await service.messages(body["conversation_id"])
            pause.is_over.set()
    assert growing["content"] == long


@pytest.mark.anyio
async def test_little_text_is_stored_too_while_the_assistant_is_silent(tmp_path: Path) -> None:
    pause = Pause()
    async with own_service(tmp_path, assistant=ScriptedAssistant(("Few words", pause))) as service:
        body = {"conversation_id": await service.create(), "message": "Go"}
        async with service.client.stream("POST", "/v1/chat/stream", json=body):
            async with asyncio.timeout(20):
                while len(messages := await service.messages(body["conversation_id"])) < 2:
                    pass
            pause.is_over.set()
    assert messages[1]["content"] == "Few words"


@pytest.mark.anyio
async def test_service_that_stops_keeps_what_was_written_and_says_so(tmp_path: Path) -> None:
    pause = Pause()
    async with AsyncExitStack() as stack:
        assistant = ScriptedAssistant(("Half ", pause))
        service = await stack.enter_async_context(own_service(tmp_path, assistant=assistant))
        conversation_id = await service.create()
        body = {"conversation_id": conversation_id, "message": "Go"}
        client = await stack.enter_async_context(new_client(service.base_url))
        asking = client.stream("POST", "/v1/chat/stream", json=body)
        answer = await stack.enter_async_context(asking)
        await pause.is_reached.wait()
        reading = asyncio.create_task(answer.aread())
        service.stop()
        events = read_whole_stream(await reading)
    assert events[-1] == {"type": "error", "message": "The service is stopping."}
    async with own_service(tmp_path) as again:
        messages = await again.messages(conversation_id)
    assert [message["content"] for message in messages] == ["Go", "Half "]


@pytest.mark.anyio
@pytest.mark.expects_log("unexpected failure")
async def test_database_that_fails_in_mid_reply_ends_it_with_a_reference(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pause = Pause()
    assistant = ScriptedAssistant(("Words ", pause, "more words"))
    async with own_service(tmp_path, assistant=assistant) as service:
        body = {"conversation_id": await service.create(), "message": "Go"}
        async with service.client.stream("POST", "/v1/chat/stream", json=body) as answer:
            await pause.is_reached.wait()
            _forbid_replies(tmp_path)
            events = read_whole_stream(await answer.aread())
        messages = await service.messages(body["conversation_id"])
    assert types_of(events)[-2:] == ["agent_end", "error"]
    reference = events[-1]["message"].partition("reference ")[2].rstrip(").")
    assert reference
    assert reference in caplog.text
    assert [message["content"] for message in messages] == ["Go"]


def _forbid_replies(tmp_path: Path) -> None:
    """Make the database refuse what an assistant says, though not what a user says."""
    with closing(sqlite3.connect(tmp_path / "data" / "parley-server.sqlite3")) as database:
        database.execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON messages WHEN NEW.role = 'assistant' "
            "BEGIN SELECT RAISE(ABORT, 'refused by the test'); END"
        )
        database.commit()


class _Stolen(InProcessLocks):
    """Claims that somebody else can take over."""

    def __init__(self) -> None:
        super().__init__(0.5)
        self._taken: list[ConversationLock] = []

    async def acquire(self, owner: Owner, conversation_id: str) -> ConversationLock:
        lock = await super().acquire(owner, conversation_id)
        self._taken.append(lock)
        return lock

    def steal(self) -> None:
        self._taken[-1].lost.set_result(None)


@pytest.mark.anyio
@pytest.mark.spec("7.3-stream-error")
async def test_turn_whose_claim_is_lost_ends_in_words_and_stores_nothing_more(
    tmp_path: Path,
) -> None:
    pause = Pause()
    locks = _Stolen()
    assistant = ScriptedAssistant(("Words ", pause), ("Next.",))
    async with own_service(tmp_path, assistant=assistant, locks=locks) as service:
        body = {"conversation_id": await service.create(), "message": "Go"}
        async with service.client.stream("POST", "/v1/chat/stream", json=body) as answer:
            await pause.is_reached.wait()
            locks.steal()
            events = read_whole_stream(await answer.aread())
        await service.chat(body["conversation_id"], "And?")
        messages = await service.messages(body["conversation_id"])
    assert types_of(events)[-2:] == ["agent_end", "error"]
    assert "took this conversation over" in events[-1]["message"]
    assert [message["content"] for message in messages] == ["Go", "And?", "Next."]


@pytest.mark.anyio
@pytest.mark.spec("3-delete-is-final", "7.3-stream-error")
async def test_deleting_ends_a_reply_under_way_and_nothing_comes_back(tmp_path: Path) -> None:
    pause = Pause()
    assistant = ScriptedAssistant(("Some ", pause, "more."))
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id = await service.create()
        body = {"conversation_id": conversation_id, "message": "Go"}
        async with service.client.stream("POST", "/v1/chat/stream", json=body) as answer:
            await pause.is_reached.wait()
            deleted = await service.client.delete(f"/v1/conversations/{conversation_id}")
            pause.is_over.set()
            events = read_whole_stream(await answer.aread())
        found = await service.client.get(f"/v1/conversations/{conversation_id}")
    assert deleted.status_code == 204
    assert types_of(events)[-2:] == ["agent_end", "error"]
    assert events[-1]["message"] == "This conversation was deleted."
    assert found.status_code == 404


@pytest.mark.anyio
@pytest.mark.spec("3-delete-is-final")
async def test_reply_whose_conversation_went_after_its_last_word_does_not_end_well(
    tmp_path: Path,
) -> None:
    pause = Pause()
    assistant = ScriptedAssistant(("word " * 500, pause))
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id = await service.create()
        body = {"conversation_id": conversation_id, "message": "Go"}
        async with service.client.stream("POST", "/v1/chat/stream", json=body) as answer:
            await pause.is_reached.wait()
            await service.client.delete(f"/v1/conversations/{conversation_id}")
            pause.is_over.set()
            events = read_whole_stream(await answer.aread())
    assert events[-1] == {"type": "error", "message": "This conversation was deleted."}


@pytest.mark.anyio
async def test_pending_call_and_its_conversation_survive_a_restart(tmp_path: Path) -> None:
    read = RequestedToolCall("read_file", {"path": "a"})
    async with own_service(tmp_path, assistant=ScriptedAssistant(("One.", read))) as service:
        conversation_id = await service.create()
        asked = await service.chat(conversation_id, "Go", client_tools=[READ_FILE])
    call_id = first_of(asked, "tool_use")["id"]
    async with own_service(tmp_path, assistant=ScriptedAssistant(("Two.",))) as service:
        events = await service.give_result(conversation_id, call_id, "a")
        [_, reply] = await service.messages(conversation_id)
    assert text_of(events) == "\n\nTwo."
    assert reply["content"] == "One.\n\nTwo."


def test_killed_service_loses_no_accepted_message_and_goes_on(tmp_path: Path) -> None:
    with (
        running_child(tmp_path, pace_s=0.2) as service,
        http_client(service.base_url, service.key) as client,
    ):
        made = client.post("/v1/conversations").json()["data"]["id"]
        body = {"conversation_id": made, "message": "Hello"}
        with client.stream("POST", "/v1/chat/stream", json=body) as answer:
            lines = answer.iter_lines()
            assert any("text_delta" in line for line in lines)
            while len(client.get(f"/v1/conversations/{made}").json()["data"]["messages"]) < 2:
                pass
            service.process.kill()
            with pytest.raises(httpx.HTTPError):
                list(lines)
    with running_child(tmp_path) as again, http_client(again.base_url, again.key) as client:
        [question, reply] = client.get(f"/v1/conversations/{made}").json()["data"]["messages"]
        after = client.post("/v1/chat/stream", json=body)
    assert question["content"] == "Hello"
    assert reply["content"].startswith("Hello! ")
    assert read_whole_stream(after.content)[-1] == {"type": "message_stop"}


@pytest.mark.anyio
async def test_turns_of_different_conversations_do_not_wait_for_each_other(tmp_path: Path) -> None:
    asked = list[str]()

    class NotedLocks(InProcessLocks):
        async def acquire(self, owner: Owner, conversation_id: str) -> ConversationLock:
            asked.append(conversation_id)
            return await super().acquire(owner, conversation_id)

    async with own_service(tmp_path, locks=NotedLocks(20)) as service:
        one, other = await service.create(), await service.create()
        await service.chat(one, "Hello")
        await service.chat(other, "Hello")

    assert asked == [one, other]
