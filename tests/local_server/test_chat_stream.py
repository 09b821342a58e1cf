"""Sending a message: the stream that answers, and who writes it."""

from pathlib import Path

import pytest

from local_server.assistant.reply import RequestedToolCall
from local_server.errors import StreamFailureError
from tests.support.event_streams import first_of, read_whole_stream, text_of, types_of
from tests.support.own_service import READ_FILE, new_client, own_service
from tests.support.scripted_assistant import Pause, ScriptedAssistant

pytestmark = pytest.mark.anyio


@pytest.mark.spec("1-sse-reply", "1-wire", "4.4-chat", "6-framing", "6-delta", "6-message-stop")
async def test_reply_is_a_stream_of_words_and_is_kept_as_it_was_streamed(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        conversation_id = await service.create()
        body = {"conversation_id": conversation_id, "message": "Hello"}
        answer = await service.client.post("/v1/chat/stream", json=body)
        question, reply = await service.messages(conversation_id)
    events = read_whole_stream(answer.content)
    assert answer.headers["content-type"].partition(";")[0] == "text/event-stream"
    assert b"\r" not in answer.content
    deltas = [event for event in events if event["type"] == "content_block_delta"]
    assert len(deltas) > 20
    assert set(deltas[0]) == {"type", "delta"}
    assert deltas[0]["delta"] == {"type": "text_delta", "text": "Hello! "}
    assert events[-1] == {"type": "message_stop"}
    assert question["content"] == "Hello"
    assert reply["content"] == text_of(events)
    assert reply["id"] == first_of(events, "message_start")["message_id"]


@pytest.mark.spec("4.4-agent-name", "6-message-start", "6-agent-start", "6-agent-end", "1-routing")
async def test_named_agent_is_told_at_the_start(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        conversation_id = await service.create()
        events = await service.chat(conversation_id, "read the file", agent_name="assistant")
    start, agent_start, *_, agent_end, _ = events
    assert start == {
        "type": "message_start",
        "message_id": start["message_id"],
        "conversation_id": conversation_id,
        "agent_name": "assistant",
        "agent_display_name": "Assistant",
    }
    assert agent_start == {
        "type": "agent_start",
        "agent_name": "assistant",
        "agent_display_name": "Assistant",
    }
    assert agent_end == {"type": "agent_end", "agent_name": "assistant"}


@pytest.mark.spec("4.4-routing", "6-message-start", "1-routing")
async def test_supervisor_chooses_by_words_and_shows_whom_our_choice(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        conversation_id = await service.create()
        about_files = await service.chat(conversation_id, "Which folder holds my files?")
        general = await service.chat(conversation_id, "Good morning")
    assert set(about_files[0]) == {"type", "message_id", "conversation_id"}
    assert about_files[1]["agent_name"] == "files"
    assert general[1]["agent_name"] == "assistant"


@pytest.mark.spec("4.4-routing")
async def test_default_agent_of_a_project_answers_without_the_supervisor(tmp_path: Path) -> None:
    agents = tmp_path / "resources" / "agents"
    agents.mkdir(parents=True)
    for name, default in (("alpha", "false"), ("omega", "true")):
        text = (
            f"---\nname: {name}\ndescription: d\nmetadata:\n  default: {default}\n---\nBe {name}."
        )
        (agents / f"{name}.md").write_text(text, encoding="utf-8")
    async with own_service(tmp_path, resources=tmp_path / "resources") as service:
        events = await service.chat(await service.create(), "alpha, please")
        listed = (await service.client.get("/v1/agents")).json()
    assert events[0]["agent_name"] == "omega"
    assert [(agent["name"], agent["is_default"]) for agent in listed] == [
        ("alpha", False),
        ("omega", True),
    ]


@pytest.mark.spec("4.4-agent-name", "7.1-400")
async def test_unknown_agent_is_refused_and_nothing_is_stored_our_choice(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        conversation_id = await service.create()
        for name in ("nobody", ""):
            body = {"conversation_id": conversation_id, "message": "Hello", "agent_name": name}
            answer = await service.client.post("/v1/chat/stream", json=body)
            assert answer.status_code == 400
            assert answer.json()["error"]["code"] == "unknown_agent"
        assert await service.messages(conversation_id) == []


@pytest.mark.spec("4.4-client-tools", "2.7-tool-definition", "2.8-tool-call", "6-tool-use")
async def test_declared_tool_is_asked_for_and_ends_the_stream_in_order(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        conversation_id = await service.create()
        events = await service.chat(conversation_id, "read notes.md", client_tools=[READ_FILE])
        [_, reply] = await service.messages(conversation_id)
    call = first_of(events, "tool_use")
    assert set(call) == {"type", "id", "name", "input"}
    assert (call["name"], call["input"]) == ("read_file", {"path": "notes.md"})
    assert types_of(events)[-3:] == ["tool_use", "agent_end", "message_stop"]
    assert reply["content"] == text_of(events)


@pytest.mark.spec("4.4-client-tools")
async def test_tool_that_was_not_declared_is_never_asked_for(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        conversation_id = await service.create()
        events = await service.chat(conversation_id, "read notes.md")
    assert "tool_use" not in types_of(events)
    assert "`read_file`, which is not offered" in text_of(events)


@pytest.mark.spec("4.4-client-tools", "7.3-stream-error", "6-error")
async def test_assistant_that_asks_for_an_undeclared_tool_fails_in_the_stream(
    tmp_path: Path,
) -> None:
    script = ("I will. ", RequestedToolCall("rm", {}))
    async with own_service(tmp_path, assistant=ScriptedAssistant(script)) as service:
        conversation_id = await service.create()
        events = await service.chat(conversation_id, "Go", client_tools=[READ_FILE])
        [_, reply] = await service.messages(conversation_id)
    assert types_of(events)[-2:] == ["agent_end", "error"]
    assert set(events[-1]) == {"type", "message"}
    assert reply["content"] == "I will. "


@pytest.mark.spec("7.3-stream-error", "6-error")
@pytest.mark.expects_log("unexpected failure")
async def test_failure_in_mid_reply_is_an_error_event_and_keeps_what_was_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assistant = ScriptedAssistant(("It was ", RuntimeError("secret words")), ("Again.",))
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id = await service.create()
        events = await service.chat(conversation_id, "Go")
        [_, reply] = await service.messages(conversation_id)
        after = await service.chat(conversation_id, "And now?")
    assert types_of(events)[-2:] == ["agent_end", "error"]
    reference = events[-1]["message"].partition("reference ")[2].rstrip(").")
    assert reference
    assert reference in caplog.text
    assert "secret words" not in events[-1]["message"]
    assert reply["content"] == "It was "
    assert text_of(after) == "Again."


@pytest.mark.spec("8-exceeded", "7.3-stream-error", "6-error")
async def test_limit_met_inside_a_stream_is_an_error_event_in_words(tmp_path: Path) -> None:
    words = "The provider's rate limit is exceeded. Try again later."
    assistant = ScriptedAssistant(("It was ", StreamFailureError(words)))
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id = await service.create()
        events = await service.chat(conversation_id, "Go")
        [_, reply] = await service.messages(conversation_id)
    assert events[-1] == {"type": "error", "message": words}
    assert reply["content"] == "It was "


async def test_text_that_some_readers_take_for_line_ends_stays_in_its_line(tmp_path: Path) -> None:
    text = "a\u2028b\u2029c\u0085d\r\ne\n\nf"
    async with own_service(tmp_path, assistant=ScriptedAssistant((text,))) as service:
        conversation_id = await service.create()
        body = {"conversation_id": conversation_id, "message": "Go"}
        answer = await service.client.post("/v1/chat/stream", json=body)
        [_, reply] = await service.messages(conversation_id)
    assert text_of(read_whole_stream(answer.content)) == text == reply["content"]
    assert len(answer.text.splitlines()) == answer.content.count(b"\n")


@pytest.mark.spec("6-framing")
async def test_silence_is_filled_with_comments_our_choice(tmp_path: Path) -> None:
    pause = Pause()
    assistant = ScriptedAssistant((pause, "Done."))
    async with own_service(tmp_path, assistant=assistant, silence_s=0.01) as service:
        body = {"conversation_id": await service.create(), "message": "Go"}
        async with service.client.stream("POST", "/v1/chat/stream", json=body) as answer:
            read = b""
            async for chunk in answer.aiter_raw():
                read += chunk
                if read.count(b": ping\n\n") >= 2:
                    pause.is_over.set()
    assert text_of(read_whole_stream(read)) == "Done."


async def test_second_chat_at_once_is_busy_and_stores_nothing_our_choice(tmp_path: Path) -> None:
    pause = Pause()
    assistant = ScriptedAssistant(("Well, ", pause, "yes."))
    async with own_service(tmp_path, assistant=assistant, release_wait_s=0) as service:
        conversation_id = await service.create()
        body = {"conversation_id": conversation_id, "message": "One"}
        async with service.client.stream("POST", "/v1/chat/stream", json=body) as answer:
            await pause.is_reached.wait()
            second = await service.client.post("/v1/chat/stream", json=body | {"message": "Two"})
            pause.is_over.set()
            first = await answer.aread()
        messages = await service.messages(conversation_id)
    assert second.status_code == 409
    assert second.json()["error"]["code"] == "conversation_busy"
    assert text_of(read_whole_stream(first)) == "Well, yes."
    assert [message["content"] for message in messages] == ["One", "Well, yes."]


async def test_message_is_stored_before_the_reply_begins(tmp_path: Path) -> None:
    pause = Pause()
    async with own_service(tmp_path, assistant=ScriptedAssistant((pause,))) as service:
        conversation_id = await service.create()
        body = {"conversation_id": conversation_id, "message": "One"}
        async with service.client.stream("POST", "/v1/chat/stream", json=body):
            messages = await service.messages(conversation_id)
            pause.is_over.set()
    assert [message["content"] for message in messages] == ["One"]


@pytest.mark.spec("1-history")
async def test_assistant_sees_the_conversation_so_far(tmp_path: Path) -> None:
    assistant = ScriptedAssistant(("First.",), ("Second.",))
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id = await service.create()
        await service.chat(conversation_id, "One")
        await service.chat(conversation_id, "Two")
    seen = [(message.role, message.content) for message in assistant.asked[1].history]
    assert seen == [("user", "One"), ("assistant", "First."), ("user", "Two")]


async def test_client_that_left_can_send_again_at_once(tmp_path: Path) -> None:
    pause = Pause()
    assistant = ScriptedAssistant(("It begins ", pause, "never"), ("Again.",))
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id = await service.create()
        body = {"conversation_id": conversation_id, "message": "One"}
        async with (
            new_client(service.base_url) as leaving,
            leaving.stream("POST", "/v1/chat/stream", json=body),
        ):
            await pause.is_reached.wait()
        events = await service.chat(conversation_id, "Two")
        messages = await service.messages(conversation_id)
    assert text_of(events) == "Again."
    assert [m["content"] for m in messages] == ["One", "It begins ", "Two", "Again."]
