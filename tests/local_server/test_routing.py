"""Who answers when nobody is named: the only agent, or the one that the supervisor chooses."""

from pathlib import Path

import pytest

from local_server.assistant.reply import RequestedToolCall
from local_server.errors import StreamFailureError
from tests.support.agent_files import write_agents
from tests.support.event_streams import agents_of, first_of, read_whole_stream, text_of, types_of
from tests.support.own_service import READ_FILE, own_service, read_until
from tests.support.scripted_assistant import Pause, ScriptedAssistant

pytestmark = pytest.mark.anyio


@pytest.mark.spec("4.4-routing", "1-routing", "6-message-start")
async def test_stream_begins_before_the_supervisor_has_chosen(tmp_path: Path) -> None:
    pause = Pause()
    assistant = ScriptedAssistant(("Here.",), choice=[pause, "files"])
    async with own_service(tmp_path, assistant=assistant) as service:
        body = {"conversation_id": await service.create(), "message": "Good morning"}
        async with service.client.stream("POST", "/v1/chat/stream", json=body) as answer:
            lines = answer.aiter_lines()
            [*_, start] = await read_until(lines, '"type":"message_start"')
            await pause.is_reached.wait()
            pause.is_over.set()
            rest = [line async for line in lines]
    assert "agent_name" not in start
    assert any('"agent_start","agent_name":"files"' in line for line in rest)


@pytest.mark.parametrize("step", [StreamFailureError("The model is busy."), "no such agent"])
async def test_words_decide_where_the_supervisor_makes_no_choice_our_choice(
    tmp_path: Path, step: Exception | str
) -> None:
    assistant = ScriptedAssistant(("Here.",), choice=[step])
    async with own_service(tmp_path, assistant=assistant) as service:
        events = await service.chat(await service.create(), "Which folder holds my files?")
    assert agents_of(events) == ["files"]
    assert text_of(events) == "Here."


@pytest.mark.spec("7.3-stream-error")
@pytest.mark.expects_log("unexpected failure")
async def test_unforeseen_failure_of_the_supervisor_is_an_error_with_a_reference(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assistant = ScriptedAssistant(choice=[RuntimeError("secret words")])
    async with own_service(tmp_path, assistant=assistant) as service:
        events = await service.chat(await service.create(), "Go")
    assert types_of(events) == ["message_start", "error"]
    reference = events[-1]["message"].partition("reference ")[2].rstrip(").")
    assert reference
    assert reference in caplog.text


@pytest.mark.spec("4.4-routing")
async def test_only_agent_answers_and_nobody_is_asked_to_choose(tmp_path: Path) -> None:
    disabled = {"metadata": "{enabled: false}"}
    resources = write_agents(tmp_path / "resources", "alpha", "beta", beta=disabled)
    assistant = ScriptedAssistant(("Here.",), choice=[RuntimeError("asked for a choice")])
    async with own_service(tmp_path, assistant=assistant, resources=resources) as service:
        events = await service.chat(await service.create(), "Go")
    assert events[0]["agent_name"] == "alpha"
    assert assistant.asked[0].colleagues == ()


async def test_project_without_an_agent_refuses_in_words_and_stores_nothing_our_choice(
    tmp_path: Path,
) -> None:
    resources = write_agents(tmp_path / "resources")
    async with own_service(tmp_path, resources=resources) as service:
        conversation_id = await service.create()
        body = {"conversation_id": conversation_id, "message": "Go"}
        answer = await service.client.post("/v1/chat/stream", json=body)
        messages = await service.messages(conversation_id)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "unknown_agent"
    assert "No agent is turned on" in answer.json()["error"]["message"]
    assert messages == []


async def test_result_is_kept_when_nobody_can_go_on_and_used_once_somebody_can_our_choice(
    tmp_path: Path,
) -> None:
    asks = ScriptedAssistant(("One. ", RequestedToolCall("read_file", {"path": "a"})))
    async with own_service(tmp_path, assistant=asks) as service:
        conversation_id = await service.create()
        asked = await service.chat(conversation_id, "Go", client_tools=[READ_FILE])
    call_id = first_of(asked, "tool_use")["id"]
    empty = write_agents(tmp_path / "empty")
    async with own_service(tmp_path, resources=empty) as service:
        refused = await service.post_result(conversation_id, call_id, "A")
    others = write_agents(tmp_path / "others", "alpha", "beta")
    async with own_service(
        tmp_path, assistant=ScriptedAssistant(("Two.",)), resources=others
    ) as service:
        other_result = await service.post_result(conversation_id, call_id, "B")
        answer = await service.post_result(conversation_id, call_id, "A")
    assert refused.status_code == 400
    assert other_result.status_code == 409
    events = read_whole_stream(answer.content)
    assert agents_of(events) == ["alpha"]
    assert text_of(events) == "\n\nTwo."
