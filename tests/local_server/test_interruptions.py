"""Nothing that was accepted is lost, whoever goes away in the middle."""

from pathlib import Path

import httpx
import pytest
from starlette.types import Message

from local_server.assistant.reply import ToolRequest
from local_server.outlet import Outlet
from local_server.sse import EventStream
from local_server.stopping import Stopping
from tests.support.event_streams import first_of, read_events, text_of, types_of
from tests.support.own_service import READ_FILE, new_client, own_service
from tests.support.scripted_assistant import Pause, ScriptedAssistant
from tests.support.service import running_child


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

    async def write(self, out: Outlet) -> None:
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
        await EventStream(source, 10, Stopping()).send_to(receive, send)
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
            events = read_events(await answer.aread())
        found = await service.client.get(f"/v1/conversations/{conversation_id}")
    assert deleted.status_code == 204
    assert types_of(events)[-2:] == ["agent_end", "error"]
    assert events[-1]["message"] == "This conversation was deleted."
    assert found.status_code == 404


@pytest.mark.anyio
async def test_pending_call_and_its_conversation_survive_a_restart(tmp_path: Path) -> None:
    read = ToolRequest("read_file", {"path": "a"})
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
    with running_child(tmp_path, pace_s=0.05) as service:
        headers = {"X-API-Key": service.key}
        with httpx.Client(base_url=service.base_url, headers=headers) as client:
            made = client.post("/v1/conversations").json()["data"]["id"]
            body = {"conversation_id": made, "message": "Hello"}
            with client.stream("POST", "/v1/chat/stream", json=body) as answer:
                lines = answer.iter_lines()
                # Long past half a second of words, so that some of them are stored.
                assert any("language " in line for line in lines)
                service.process.kill()
                with pytest.raises(httpx.HTTPError):
                    list(lines)
    with running_child(tmp_path) as again:
        headers = {"X-API-Key": again.key}
        with httpx.Client(base_url=again.base_url, headers=headers) as client:
            [question, reply] = client.get(f"/v1/conversations/{made}").json()["data"]["messages"]
            after = client.post("/v1/chat/stream", json=body)
    assert question["content"] == "Hello"
    assert reply["content"].startswith("Hello! I am **Assistant**")
    assert read_events(after.content)[-1] == {"type": "message_stop"}
