"""A model of an Ollama answers: words, tools, and what goes wrong with either."""

import json
from pathlib import Path

import pytest

from local_server.assistant.choice import UnknownModelError, choose_assistant
from local_server.assistant.ollama import OllamaAssistant
from tests.support.event_streams import first_of, text_of, types_of
from tests.support.fake_ollama import FakeOllama, tool_call, words
from tests.support.own_service import READ_FILE, own_service

pytestmark = pytest.mark.anyio


async def test_model_answers_in_its_words_and_sees_the_conversation(tmp_path: Path) -> None:
    async with FakeOllama() as ollama:
        assistant = OllamaAssistant("small:1b", ollama.base_url)
        async with own_service(tmp_path, assistant=assistant) as service:
            conversation_id = await service.create()
            ollama.says(words("It is ", "blue.\u2028", "é"))
            ollama.says(words("Yes."))
            first = await service.chat(conversation_id, "Which colour?", agent_name="assistant")
            await service.chat(conversation_id, "Sure? Use plain language.")
            messages = await service.messages(conversation_id)
    asked = ollama.requests[1].json
    assert text_of(first) == messages[1]["content"] == "It is blue.\u2028é"
    assert (asked["model"], asked["stream"], asked["tools"]) == ("small:1b", True, [])
    assert [message["role"] for message in asked["messages"]] == [
        "system", "user", "assistant", "user",
    ]  # fmt: skip
    assert "You are the assistant" in asked["messages"][0]["content"]
    assert "sentences of at most twenty words" in asked["messages"][0]["content"]


async def test_model_gets_each_tool_call_with_its_result(tmp_path: Path) -> None:
    async with FakeOllama() as ollama:
        assistant = OllamaAssistant("small:1b", ollama.base_url)
        async with own_service(tmp_path, assistant=assistant) as service:
            conversation_id = await service.create()
            ollama.says(tool_call("read_file", {"path": "a"}, "First a."))
            ollama.says(tool_call("read_file", {"path": "b"}))
            ollama.says(words("Both read."))
            events = await service.chat(conversation_id, "Go", client_tools=[READ_FILE])
            for result in ("the a", "the b"):
                call = first_of(events, "tool_use")
                events = await service.give_result(conversation_id, call["id"], result)
    offered = ollama.requests[0].json["tools"]
    assert [tool["function"]["name"] for tool in offered] == ["read_file"]
    assert offered[0]["function"]["parameters"] == READ_FILE["input_schema"]
    tail = ollama.requests[2].json["messages"][2:]
    assert [(m["role"], m["content"]) for m in tail] == [
        ("assistant", "First a."),
        ("tool", "the a"),
        ("assistant", ""),
        ("tool", "the b"),
    ]
    assert tail[2]["tool_calls"] == [
        {"function": {"name": "read_file", "arguments": {"path": "b"}}}
    ]
    assert text_of(events) == "\n\nBoth read."


@pytest.mark.spec("7.3-stream-error")
@pytest.mark.parametrize(
    ("status", "body", "sentence"),
    [
        (404, b'{"error":"no"}', "Ollama has no model small:1b any more."),
        (500, b"", "Ollama refused the request (status 500)."),
        (200, b'{"message":{"content":"Half"}}\n', "Ollama broke off in the middle of its answer."),
        (200, b"half a li\n", "Ollama sent something unreadable"),
        (200, b'{"message":{"content":"\\ud800"}}\n', "Ollama sent something unreadable"),
        (200, b"[]\n", "Ollama sent something unreadable"),
        (200, b'{"message":{"tool_calls":[{}]}}\n', "Ollama asked for a tool in an unreadable way"),
        (200, b'{"error":"out of memory"}\n', "Ollama reported: out of memory"),
    ],
)
async def test_what_goes_wrong_is_told_in_the_stream(
    tmp_path: Path, status: int, body: bytes, sentence: str
) -> None:
    async with FakeOllama() as ollama:
        ollama.answers(body, status)
        assistant = OllamaAssistant("small:1b", ollama.base_url)
        async with own_service(tmp_path, assistant=assistant) as service:
            events = await service.chat(await service.create(), "Go", client_tools=[READ_FILE])
    assert types_of(events)[-2:] == ["agent_end", "error"]
    assert sentence in events[-1]["message"]


async def test_model_that_takes_no_tools_is_asked_without(tmp_path: Path) -> None:
    refusal = b'{"error":"small:1b does not support tools"}'
    async with FakeOllama() as ollama:
        assistant = OllamaAssistant("small:1b", ollama.base_url)
        async with own_service(tmp_path, assistant=assistant) as service:
            conversation_id = await service.create()
            ollama.answers(refusal, 400)
            ollama.says(words("Hello."))
            events = await service.chat(conversation_id, "Go", client_tools=[READ_FILE])
            ollama.answers(refusal, 400)
            ollama.answers(refusal, 400)
            refused = await service.chat(conversation_id, "Again")
    assert text_of(events) == "Hello."
    assert "tools" not in ollama.requests[1].json
    assert refused[-1]["message"] == "Ollama refused the request."


async def test_ollama_that_is_not_there_is_told_in_the_stream(tmp_path: Path) -> None:
    assistant = OllamaAssistant("small:1b", "http://127.0.0.1:1")
    async with own_service(tmp_path, assistant=assistant) as service:
        events = await service.chat(await service.create(), "Go")
    assert events[-1] == {
        "type": "error",
        "message": "Ollama does not answer on this computer. Start it and send again.",
    }


async def test_tool_that_was_not_declared_is_never_emitted(tmp_path: Path) -> None:
    async with FakeOllama() as ollama:
        ollama.says(tool_call("rm", {"path": "/"}))
        assistant = OllamaAssistant("small:1b", ollama.base_url)
        async with own_service(tmp_path, assistant=assistant) as service:
            events = await service.chat(await service.create(), "Go", client_tools=[READ_FILE])
    assert "tool_use" not in types_of(events)
    assert "a tool that is not offered" in events[-1]["message"]


def test_model_is_chosen_by_its_name() -> None:
    assert isinstance(choose_assistant("ollama:small:1b", 0), OllamaAssistant)
    for name in ("", "ollama:", "ollama", "openai:x", json.dumps("offline")):
        with pytest.raises(UnknownModelError):
            choose_assistant(name, 0)
