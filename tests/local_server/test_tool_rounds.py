"""Several tools asked for at once: one is open at a time, and all are answered together."""

from pathlib import Path
from typing import Any

import pytest

from local_server.assistant.reply import RequestedToolCall, SkillUsed
from tests.support.agent_files import write_agents, write_skills
from tests.support.event_streams import Event, first_of, text_of, types_of
from tests.support.own_service import READ_FILE, OwnService, own_service
from tests.support.scripted_assistant import ScriptedAssistant

pytestmark = pytest.mark.anyio

_TOOLS = [READ_FILE, {**READ_FILE, "name": "list_folder"}]
_WISHES = (
    RequestedToolCall("read_file", {"path": "a"}),
    RequestedToolCall("list_folder", {"path": "b"}),
    RequestedToolCall("read_file", {"path": "c"}),
)


async def _ask(service: OwnService, **fields: Any) -> tuple[str, list[Event]]:
    conversation_id = await service.create()
    events = await service.chat(conversation_id, "Go", client_tools=_TOOLS, **fields)
    return conversation_id, events


def _call(events: list[Event]) -> tuple[str, dict[str, str]]:
    event = first_of(events, "tool_use")
    return event["id"], event["input"]


@pytest.mark.spec("1-client-tool-round", "6-tool-use", "4.5-new-stream")
async def test_parallel_calls_run_in_order_and_their_results_return_together(
    tmp_path: Path,
) -> None:
    assistant = ScriptedAssistant(("Three things. ", *_WISHES), ("Done.",))
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id, asked = await _ask(service)
        first, first_input = _call(asked)
        second, second_input = _call(await service.give_result(conversation_id, first, "A"))
        third, third_input = _call(await service.give_result(conversation_id, second, "B"))
        last = await service.give_result(conversation_id, third, "C")
        [_, reply] = await service.messages(conversation_id)
    assert [first_input, second_input, third_input] == [wish.input for wish in _WISHES]
    assert len({first, second, third}) == 3
    assert len(assistant.asked) == 2
    calls = assistant.asked[1].calls
    assert [(call.name, call.result) for call in calls] == [
        ("read_file", "A"),
        ("list_folder", "B"),
        ("read_file", "C"),
    ]
    assert {call.round for call in calls} == {0}
    assert text_of(last) == "\n\nDone."
    assert reply["content"] == "Three things. \n\nDone."


async def test_stream_that_only_asks_for_the_next_tool_is_a_whole_stream(tmp_path: Path) -> None:
    assistant = ScriptedAssistant(_WISHES)
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id, asked = await _ask(service)
        events = await service.give_result(conversation_id, _call(asked)[0], "A")
    expected = ["message_start", "agent_start", "tool_use", "agent_end", "message_stop"]
    assert types_of(events) == expected
    assert events[0]["message_id"] == asked[0]["message_id"]


async def test_equal_result_in_a_round_tells_the_same_next_call_again_our_choice(
    tmp_path: Path,
) -> None:
    assistant = ScriptedAssistant(_WISHES, ("Done.",))
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id, asked = await _ask(service)
        first, _ = _call(asked)
        once = await service.give_result(conversation_id, first, "A")
        again = await service.give_result(conversation_id, first, "A")
        second, _ = _call(once)
        await service.give_result(conversation_id, second, "B")
        late = await service.give_result(conversation_id, first, "A")
        other = await service.post_result(conversation_id, first, "something else")
    assert once == again == late
    assert other.status_code == 409
    assert len(assistant.asked) == 1


async def test_new_message_closes_the_whole_round_our_choice(tmp_path: Path) -> None:
    assistant = ScriptedAssistant(_WISHES, ("Well.",))
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id, asked = await _ask(service)
        second, _ = _call(await service.give_result(conversation_id, _call(asked)[0], "A"))
        await service.chat(conversation_id, "Never mind")
        refused = await service.post_result(conversation_id, second, "B")
        again = await service.give_result(conversation_id, _call(asked)[0], "A")
    assert refused.status_code == 409
    assert "tool_use" not in types_of(again)


async def test_call_that_is_not_due_yet_cannot_be_answered_our_choice(tmp_path: Path) -> None:
    assistant = ScriptedAssistant(_WISHES)
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id, asked = await _ask(service)
        calls = await service.store.replies.calls(asked[0]["message_id"])
        early = await service.post_result(conversation_id, calls[1].id, "B")
    assert [call.state for call in calls] == ["pending", "queued", "queued"]
    assert early.status_code == 404
    assert early.json()["error"]["code"] == "tool_call_not_found"


async def test_round_goes_on_after_a_restart_between_result_and_next_call(tmp_path: Path) -> None:
    async with own_service(tmp_path, assistant=ScriptedAssistant(_WISHES)) as service:
        conversation_id, asked = await _ask(service)
        first, _ = _call(asked)
        await service.store.replies.answer(conversation_id, first, "A")
    assistant = ScriptedAssistant(("Done.",))
    async with own_service(tmp_path, assistant=assistant) as service:
        events = await service.give_result(conversation_id, first, "A")
        for result in ("B", "C"):
            events = await service.give_result(conversation_id, _call(events)[0], result)
    assert text_of(events) == "Done."
    assert [call.result for call in assistant.asked[0].calls] == ["A", "B", "C"]


async def test_same_wish_twice_is_two_calls_of_which_one_is_open(tmp_path: Path) -> None:
    async with own_service(tmp_path, assistant=ScriptedAssistant(_WISHES[:1] * 2)) as service:
        _, asked = await _ask(service)
        calls = await service.store.replies.calls(asked[0]["message_id"])
    assert [call.state for call in calls] == ["pending", "queued"]


async def test_next_round_has_the_next_number_and_all_results(tmp_path: Path) -> None:
    assistant = ScriptedAssistant(_WISHES[:2], ("More. ", _WISHES[2]), ("Done.",))
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id, events = await _ask(service)
        for result in ("A", "B", "C"):
            events = await service.give_result(conversation_id, _call(events)[0], result)
    calls = assistant.asked[-1].calls
    assert [(call.round, call.result) for call in calls] == [(0, "A"), (0, "B"), (1, "C")]


@pytest.mark.spec("4.4-client-tools")
async def test_undeclared_tool_among_others_is_left_out(tmp_path: Path) -> None:
    assistant = ScriptedAssistant((RequestedToolCall("rm", {}), _WISHES[0]), ("Done.",))
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id, asked = await _ask(service)
        last = await service.give_result(conversation_id, _call(asked)[0], "A")
    assert first_of(asked, "tool_use")["name"] == "read_file"
    assert text_of(last) == "Done."


async def test_agent_is_offered_only_the_tools_and_skills_it_may_use(tmp_path: Path) -> None:
    limits = {"tools": "[list_folder]", "skills": "[sorting]"}
    resources = write_agents(tmp_path / "resources", "alpha", "beta", alpha=limits)
    write_skills(resources, "sorting", "baking")
    assistant = ScriptedAssistant(("One.",), ("Two.",), (_WISHES[0],))
    async with own_service(tmp_path, assistant=assistant, resources=resources) as service:
        for name in ("alpha", "beta"):
            await _ask(service, agent_name=name)
        _, events = await _ask(service, agent_name="alpha")
    seen = [
        ([tool.name for tool in request.tools], [skill.name for skill in request.skills])
        for request in assistant.asked
    ]
    assert seen[0] == (["list_folder"], ["sorting"])
    assert seen[1] == (["read_file", "list_folder"], ["baking", "sorting"])
    assert types_of(events)[-2:] == ["agent_end", "error"]
    assert "not offered" in events[-1]["message"]


async def test_used_skills_are_remembered_over_tool_calls(tmp_path: Path) -> None:
    use = SkillUsed("plain-language")
    scripts = (
        (use, use, _WISHES[0]),
        (SkillUsed("release-notes"), _WISHES[1]),
        ("Done.",),
    )
    assistant = ScriptedAssistant(*scripts)
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id, events = await _ask(service)
        for result in ("A", "B"):
            events = await service.give_result(conversation_id, _call(events)[0], result)
    assert [request.used_skills for request in assistant.asked] == [
        (),
        ("plain-language",),
        ("plain-language", "release-notes"),
    ]


@pytest.mark.parametrize("value", [float("nan"), "\ud83d", object()])
async def test_input_that_is_no_json_is_an_error_in_words_and_nothing_waits_our_choice(
    tmp_path: Path, value: object
) -> None:
    assistant = ScriptedAssistant(
        ("Well. ", _WISHES[0], RequestedToolCall("read_file", {"path": value}))
    )
    async with own_service(tmp_path, assistant=assistant) as service:
        _, events = await _ask(service)
        calls = await service.store.replies.calls(events[0]["message_id"])
    assert types_of(events)[-2:] == ["agent_end", "error"]
    assert "a tool call that could not be read" in events[-1]["message"]
    assert calls == ()


async def test_too_many_tools_at_once_are_refused_with_a_reason_our_choice(tmp_path: Path) -> None:
    assistant = ScriptedAssistant((_WISHES[0],) * 33)
    async with own_service(tmp_path, assistant=assistant) as service:
        _, events = await _ask(service)
    assert types_of(events)[-2:] == ["agent_end", "error"]
    assert "too many tools at once" in events[-1]["message"]
