"""A reply that goes from one agent to another, and how far."""

from pathlib import Path

import pytest

from local_server.assistant.reply import HandOver, RequestedToolCall
from tests.support.agent_files import write_agents
from tests.support.event_streams import agents_of, first_of, text_of, types_of
from tests.support.own_service import READ_FILE, own_service
from tests.support.scripted_assistant import Scripted, ScriptedAssistant

pytestmark = pytest.mark.anyio

_READ = RequestedToolCall("read_file", {"path": "a"})


def _names(tmp_path: Path) -> Path:
    return write_agents(tmp_path / "resources", "alpha", "beta", "gamma")


@pytest.mark.spec("6-agent-start", "6-agent-end", "1-routing")
async def test_hand_over_ends_one_agent_and_begins_the_other(tmp_path: Path) -> None:
    assistant = ScriptedAssistant(
        ("Beta knows. ", HandOver("beta")), ("It is ", "so."), choice=["alpha"]
    )
    async with own_service(tmp_path, assistant=assistant, resources=_names(tmp_path)) as service:
        conversation_id = await service.create()
        events = await service.chat(conversation_id, "Go")
        [_, reply] = await service.messages(conversation_id)
    assert types_of(events) == [
        "message_start",
        *("agent_start", "content_block_delta", "agent_end") * 2,
        "message_stop",
    ]
    assert agents_of(events) == ["alpha", "beta"]
    assert reply["content"] == text_of(events) == "Beta knows. \n\nIt is so."


async def test_next_agent_sees_what_was_said_and_who_its_colleagues_are(tmp_path: Path) -> None:
    assistant = ScriptedAssistant(("So far. ", HandOver("beta")), ("End.",), choice=["alpha"])
    async with own_service(tmp_path, assistant=assistant, resources=_names(tmp_path)) as service:
        await service.chat(await service.create(), "Go")
    first, second = assistant.asked
    assert [agent.name for agent in first.colleagues] == ["beta", "gamma"]
    assert [agent.name for agent in second.colleagues] == ["alpha", "gamma"]
    assert [message.content for message in first.history] == ["Go"]
    assert [message.content for message in second.history] == ["Go", "So far. "]


async def test_fourth_hand_over_is_refused_and_the_agent_goes_on_by_itself_our_choice(
    tmp_path: Path,
) -> None:
    names = ["beta", "alpha", "beta", "alpha"]
    scripts = [(f"To {name}. ", HandOver(name)) for name in names]
    assistant = ScriptedAssistant(*scripts, ("Then I do it.",), choice=["alpha"])
    async with own_service(tmp_path, assistant=assistant, resources=_names(tmp_path)) as service:
        events = await service.chat(await service.create(), "Go")
    assert agents_of(events) == ["alpha", "beta", "alpha", "beta"]
    assert text_of(events).endswith("To alpha. \n\nThen I do it.")
    assert events[-1]["type"] == "message_stop"
    assert [len(request.colleagues) for request in assistant.asked] == [2, 2, 2, 0, 0]


@pytest.mark.parametrize("to", ["nobody", "alpha"])
async def test_agent_that_names_no_colleague_goes_on_by_itself_our_choice(
    tmp_path: Path, to: str
) -> None:
    assistant = ScriptedAssistant((HandOver(to),), ("Myself.",), choice=["alpha"])
    async with own_service(tmp_path, assistant=assistant, resources=_names(tmp_path)) as service:
        events = await service.chat(await service.create(), "Go")
    assert agents_of(events) == ["alpha"]
    assert text_of(events) == "Myself."
    assert assistant.asked[1].colleagues == ()


async def test_agent_that_insists_ends_the_reply_well_our_choice(tmp_path: Path) -> None:
    scripts = (("One. ", HandOver("nobody")), ("Two.", HandOver("beta")))
    assistant = ScriptedAssistant(*scripts, choice=["alpha"])
    async with own_service(tmp_path, assistant=assistant, resources=_names(tmp_path)) as service:
        conversation_id = await service.create()
        events = await service.chat(conversation_id, "Go")
        [_, reply] = await service.messages(conversation_id)
    assert events[-1]["type"] == "message_stop"
    assert reply["content"] == text_of(events) == "One. \n\nTwo."


@pytest.mark.spec("4.4-agent-name")
async def test_agent_that_was_named_has_nobody_to_hand_over_to(tmp_path: Path) -> None:
    assistant = ScriptedAssistant((HandOver("beta"),), ("Myself.",))
    async with own_service(tmp_path, assistant=assistant, resources=_names(tmp_path)) as service:
        events = await service.chat(await service.create(), "Go", agent_name="alpha")
    assert agents_of(events) == ["alpha"]
    assert assistant.asked[0].colleagues == ()


@pytest.mark.spec("4.4-routing")
async def test_default_agent_has_nobody_to_hand_over_to(tmp_path: Path) -> None:
    default = {"metadata": "{default: true}"}
    resources = write_agents(tmp_path / "resources", "alpha", "beta", beta=default)
    assistant = ScriptedAssistant(("Mine.",))
    async with own_service(tmp_path, assistant=assistant, resources=resources) as service:
        events = await service.chat(await service.create(), "Go")
    assert agents_of(events) == ["beta"]
    assert assistant.asked[0].colleagues == ()


async def test_hand_overs_are_counted_over_tool_calls(tmp_path: Path) -> None:
    scripts: list[tuple[Scripted, ...]] = [
        (HandOver("beta"),),
        (HandOver("alpha"),),
        ("A look. ", _READ),
        (HandOver("gamma"),),
        (HandOver("beta"),),
        ("Done.",),
    ]
    assistant = ScriptedAssistant(*scripts, choice=["alpha"])
    async with own_service(tmp_path, assistant=assistant, resources=_names(tmp_path)) as service:
        conversation_id = await service.create()
        asked = await service.chat(conversation_id, "Go", client_tools=[READ_FILE])
        call_id = first_of(asked, "tool_use")["id"]
        told = await service.give_result(conversation_id, call_id, "words")
    assert agents_of(asked) == ["alpha", "beta", "alpha"]
    assert told[0]["agent_name"] == "alpha"
    assert agents_of(told) == ["alpha", "gamma"]
    assert text_of(told) == "\n\nDone."


async def test_tool_of_the_second_agent_is_answered_by_it_and_told_again_our_choice(
    tmp_path: Path,
) -> None:
    scripts: list[tuple[Scripted, ...]] = [
        ("One. ", _READ),
        ("Two. ", HandOver("beta")),
        ("Three. ", _READ),
        ("Four.",),
    ]
    assistant = ScriptedAssistant(*scripts, choice=["alpha"])
    async with own_service(tmp_path, assistant=assistant, resources=_names(tmp_path)) as service:
        conversation_id = await service.create()
        asked = await service.chat(conversation_id, "Go", client_tools=[READ_FILE])
        first_call = first_of(asked, "tool_use")["id"]
        once = await service.give_result(conversation_id, first_call, "1")
        again = await service.give_result(conversation_id, first_call, "1")
        second_call = first_of(once, "tool_use")["id"]
        last = await service.give_result(conversation_id, second_call, "2")
    assert agents_of(once) == agents_of(again) == ["alpha", "beta"]
    assert text_of(once) == text_of(again) == "\n\nTwo. \n\nThree. "
    assert first_of(once, "tool_use") == first_of(again, "tool_use")
    assert agents_of(last) == ["beta"]
    assert [call.result for call in assistant.asked[-1].calls] == ["1", "2"]
