"""Giving the outcome of a client tool: the reply goes on, once, whatever comes twice."""

from pathlib import Path

import pytest

from local_server.assistant.reply import LeftOutNotice, RequestedToolCall
from local_server.errors import StreamFailureError
from local_server.store.records import Notice, Owner
from tests.support.event_streams import first_of, text_of, types_of
from tests.support.own_service import READ_FILE, OwnService, new_client, own_service
from tests.support.scripted_assistant import Pause, ScriptedAssistant

pytestmark = pytest.mark.anyio


async def _ask(service: OwnService, message: str = "read notes.md") -> tuple[str, str, str]:
    """Make a conversation with a pending call: its id, the reply's and the call's."""
    conversation_id = await service.create()
    events = await service.chat(conversation_id, message, client_tools=[READ_FILE])
    message_id = first_of(events, "message_start")["message_id"]
    return conversation_id, message_id, first_of(events, "tool_use")["id"]


@pytest.mark.spec("4.5-tool-result", "4.5-new-stream", "1-client-tool-round", "6-emitters")
async def test_result_continues_the_same_message(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        conversation_id, message_id, call_id = await _ask(service)
        events = await service.give_result(conversation_id, call_id, "# Minutes\nWe met.")
        messages = await service.messages(conversation_id)
    assert first_of(events, "message_start")["message_id"] == message_id
    assert first_of(events, "message_start")["agent_name"] == "files"
    assert "# Minutes\nWe met." in text_of(events)
    assert [m["role"] for m in messages] == ["user", "assistant"]
    assert messages[1]["content"].startswith("I will use `read_file`")
    assert messages[1]["content"].endswith(text_of(events))


@pytest.mark.spec("4.5-failed-run")
async def test_failed_run_is_acknowledged_and_the_reply_goes_on(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        conversation_id, _, call_id = await _ask(service)
        events = await service.give_result(conversation_id, call_id, "Error: no such file")
        after = await service.chat(conversation_id, "Hello")
    assert "did not work" in text_of(events)
    assert "no such file" in text_of(events)
    assert events[-1]["type"] == after[-1]["type"] == "message_stop"


async def test_decline_is_taken_as_one(tmp_path: Path) -> None:
    told = "The user declined to run this tool. Reason: it is private"
    async with own_service(tmp_path) as service:
        conversation_id, _, call_id = await _ask(service)
        events = await service.give_result(conversation_id, call_id, told)
    assert "`read_file` was not run" in text_of(events)
    assert "it is private" in text_of(events)


async def test_equal_result_again_gives_the_same_continuation_once_our_choice(
    tmp_path: Path,
) -> None:
    async with own_service(tmp_path) as service:
        conversation_id, _, call_id = await _ask(service)
        first = await service.give_result(conversation_id, call_id, "Hello")
        before = await service.messages(conversation_id)
        second = await service.give_result(conversation_id, call_id, "Hello")
        after = await service.messages(conversation_id)
    assert text_of(second) == text_of(first)
    assert types_of(second) == types_of(first)
    assert second[0] == first[0]
    assert after == before


async def test_different_result_is_a_conflict_our_choice(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        conversation_id, _, call_id = await _ask(service)
        await service.give_result(conversation_id, call_id, "Hello")
        before = await service.messages(conversation_id)
        answer = await service.post_result(conversation_id, call_id, "Something else")
        after = await service.messages(conversation_id)
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "tool_result_conflict"
    assert after == before


async def test_new_message_closes_the_pending_call_our_choice(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        conversation_id, _, call_id = await _ask(service)
        await service.chat(conversation_id, "Never mind")
        answer = await service.post_result(conversation_id, call_id, "Hello")
        messages = await service.messages(conversation_id)
    assert answer.status_code == 409
    assert "counts as not answered" in answer.json()["error"]["message"]
    assert [m["role"] for m in messages] == ["user", "assistant"] * 2


@pytest.mark.spec("4.5-tool-result", "7.1-404")
async def test_call_or_conversation_that_is_not_there_is_not_found_our_choice(
    tmp_path: Path,
) -> None:
    async with own_service(tmp_path) as service:
        conversation_id, _, call_id = await _ask(service)
        other = await service.create()
        for place, call, code in (
            (conversation_id, "call_nix", "tool_call_not_found"),
            (other, call_id, "tool_call_not_found"),
            ("conv_nix", call_id, "conversation_not_found"),
        ):
            answer = await service.post_result(place, call, "Hello")
            assert answer.status_code == 404
            assert answer.json()["error"]["code"] == code


@pytest.mark.spec("4.5-new-stream", "1-client-tool-round")
async def test_continuation_may_ask_for_a_tool_in_its_turn(tmp_path: Path) -> None:
    read = RequestedToolCall("read_file", {"path": "a"})
    assistant = ScriptedAssistant(("One. ", read), ("Two. ", read), ("Three.",))
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id, message_id, first_call = await _ask(service)
        second = await service.give_result(conversation_id, first_call, "a")
        second_call = first_of(second, "tool_use")["id"]
        again = await service.give_result(conversation_id, first_call, "a")
        third = await service.give_result(conversation_id, second_call, "b")
        late = await service.give_result(conversation_id, first_call, "a")
        [_, reply] = await service.messages(conversation_id)
    assert reply["content"] == "One. \n\nTwo. \n\nThree."
    assert text_of(second) == text_of(again) == text_of(late) == "\n\nTwo. "
    assert text_of(third) == "\n\nThree."
    assert first_of(again, "tool_use") == first_of(late, "tool_use") == first_of(second, "tool_use")
    assert {events[0]["message_id"] for events in (second, again, third, late)} == {message_id}


async def test_continuation_has_the_tools_of_its_message_and_the_result(tmp_path: Path) -> None:
    read = RequestedToolCall("read_file", {"path": "a"})
    assistant = ScriptedAssistant(("One.", read), ("Two.",))
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id, _, call_id = await _ask(service, "Have a look")
        await service.give_result(conversation_id, call_id, "the words")
    asked = assistant.asked[1]
    assert asked.message == "Have a look"
    assert [tool.name for tool in asked.tools] == ["read_file"]
    assert asked.answered is not None
    assert (asked.answered.name, asked.answered.result) == ("read_file", "the words")
    assert asked.history[-1].content == "One."


async def test_continuation_that_was_cut_off_is_written_again_our_choice(tmp_path: Path) -> None:
    read = RequestedToolCall("read_file", {"path": "a"})
    pause = Pause()
    assistant = ScriptedAssistant(("One.", read), ("Half ", pause), ("Whole.",))
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id, _, call_id = await _ask(service)
        body = {"conversation_id": conversation_id, "tool_call_id": call_id, "result": "a"}
        async with (
            new_client(service.base_url) as leaving,
            leaving.stream("POST", "/v1/tool-result", json=body),
        ):
            await pause.is_reached.wait()
        events = await service.give_result(conversation_id, call_id, "a")
        [_, reply] = await service.messages(conversation_id)
    assert text_of(events) == "\n\nWhole."
    assert reply["content"] == "One.\n\nWhole."


async def test_continuation_that_was_left_behind_is_told_as_far_as_it_came_our_choice(
    tmp_path: Path,
) -> None:
    read = RequestedToolCall("read_file", {"path": "a"})
    pause = Pause()
    assistant = ScriptedAssistant(("One.", read), ("Half ", pause), ("New.",))
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id, _, call_id = await _ask(service)
        body = {"conversation_id": conversation_id, "tool_call_id": call_id, "result": "a"}
        async with (
            new_client(service.base_url) as leaving,
            leaving.stream("POST", "/v1/tool-result", json=body),
        ):
            await pause.is_reached.wait()
        await service.chat(conversation_id, "Something else")
        events = await service.give_result(conversation_id, call_id, "a")
        messages = await service.messages(conversation_id)
    assert text_of(events) == "\n\nHalf "
    assert [m["content"] for m in messages[1::2]] == ["One.\n\nHalf ", "New."]


async def test_notices_of_a_continuation_that_failed_go_with_its_text(tmp_path: Path) -> None:
    call = RequestedToolCall("read_file", {"path": "a"})
    kept, lost = LeftOutNotice("*Kept.*", ("skills",)), LeftOutNotice("*Lost.*", ("tools",))
    assistant = ScriptedAssistant(
        *((call,), (lost, StreamFailureError("It broke.")), ("One.",)),
        *((kept, call), (lost, StreamFailureError("It broke.")), ("Two.",)),
    )
    async with own_service(tmp_path, assistant=assistant) as service:
        found = []
        for _ in range(2):
            conversation_id, _, call_id = await _ask(service)
            failed = await service.give_result(conversation_id, call_id, "a")
            await service.give_result(conversation_id, call_id, "a")
            stored = await service.store.conversations.get(Owner("tests", "live"), conversation_id)
            assert stored is not None
            assert failed[-1]["type"] == "error"
            found.append((stored.messages[-1].content, stored.messages[-1].notices))
    assert found == [
        ("One.", ()),
        ("*Kept.*\n\nTwo.", (Notice(0, len("*Kept.*"), ("skills",)),)),
    ]
