"""What a model may ask for within a reply: the client's tools, skills, their files, colleagues."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from local_server.assistant.models.upstreams import Limits
from local_server.assistant.reply import HandOver, RequestedToolCall, SkillUsed, Text
from local_server.assistant.skills import Skill
from local_server.errors import StreamFailureError
from local_server.store.records import StoredTool, ToolCall
from tests.support.fake_models import (
    FakeOpenAi,
    Json,
    OneOff,
    agent,
    call_part,
    delta,
    end,
    models_of,
    pieces_of,
    request,
    roles,
    said,
    words_of,
)

pytestmark = pytest.mark.anyio

_OBJECT = {"type": "object", "properties": {}}
_READ = StoredTool("read_file", "Reads.", _OBJECT)
_USE = ("use_skill", '{"name": "letters"}')
_AGAIN = FakeOpenAi().written(call_part(0, "c", "rm", "{}"), end("tool_calls"), done=True)
_CLIENT = ("read_file", '{"path": "a"}')


@pytest.fixture
async def openai() -> AsyncIterator[FakeOpenAi]:
    async with FakeOpenAi() as server:
        yield server


@pytest.fixture
def assistant(openai: FakeOpenAi) -> OneOff:
    return OneOff(f"openai:small@{openai.base_url}/v1")


@pytest.fixture
def skill(tmp_path: Path) -> Skill:
    folder = tmp_path / "letters"
    folder.mkdir()
    (folder / "form.md").write_text("Dear …", encoding="utf-8")
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    return Skill("letters", "Letter form", "Writes letters.", "1.0", None, "Be kind.", folder)


def _told(asked: Json) -> list[str]:
    """Return the results that a question ends with."""
    return [row["content"] for row in asked["messages"] if row["role"] == "tool"]


def _offered(asked: Json) -> list[str]:
    return [tool["function"]["name"] for tool in asked.get("tools", [])]


async def test_only_metadata_of_a_skill_is_told_until_it_is_used(
    openai: FakeOpenAi, assistant: OneOff, skill: Skill
) -> None:
    openai.calls(_USE, text="One moment.")
    openai.says("Dear you.")
    pieces = await pieces_of(assistant, request(skills=(skill,)))
    assert pieces == [Text("One moment."), SkillUsed("letters"), Text("\n\nDear you.")]
    first, second = openai.asked
    assert "Writes letters." in first["messages"][0]["content"]
    assert "Be kind." not in json.dumps(first)
    assert "Be kind." in _told(second)[0]
    assert "form.md" in _told(second)[0]


async def test_skill_that_the_message_names_is_used_at_once_and_one_in_use_stays(
    openai: FakeOpenAi, assistant: OneOff, skill: Skill
) -> None:
    openai.says("Dear you.")
    openai.says("Dear them.")
    named = await pieces_of(assistant, request("Use letters, please", skills=(skill,)))
    used = await pieces_of(assistant, request(skills=(skill,), used_skills=("letters",)))
    assert named == [SkillUsed("letters"), Text("Dear you.")]
    assert used == [Text("Dear them.")]
    assert all("Be kind." in asked["messages"][0]["content"] for asked in openai.asked)


async def test_file_of_a_skill_is_read_once_the_skill_is_used_and_no_other_file(
    openai: FakeOpenAi, assistant: OneOff, skill: Skill
) -> None:
    for path in ("form.md", "../secret.md", "/etc/hostname"):
        openai.calls(("read_skill_file", json.dumps({"skill": "letters", "path": path})))
    openai.says("Done.")
    await pieces_of(assistant, request(skills=(skill,), used_skills=("letters",)))
    form, outside, elsewhere = _told(openai.asked[-1])
    assert form == "Dear …"
    assert outside.startswith("Error:")
    assert elsewhere.startswith("Error:")
    openai.calls(("read_skill_file", '{"skill": "letters", "path": "form.md"}'))
    openai.says("Done.")
    await pieces_of(assistant, request(skills=(skill,)))
    assert _told(openai.asked[-1])[0].startswith("Error: use the skill first")


async def test_calls_of_the_client_leave_in_order_with_the_skill_that_is_used_beside_them(
    openai: FakeOpenAi, assistant: OneOff, skill: Skill
) -> None:
    openai.calls(_CLIENT, _USE, ("read_file", '{"path": "b"}'))
    pieces = await pieces_of(assistant, request(skills=(skill,), tools=(_READ,)))
    assert pieces == [
        SkillUsed("letters"),
        RequestedToolCall("read_file", {"path": "a"}),
        RequestedToolCall("read_file", {"path": "b"}),
    ]


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (("rm", "{}"), "Error: there is no such tool"),
        (("read_file", "{"), "Error: the arguments cannot be read"),
        (("read_file", "[]"), "Error: the arguments have to be one JSON object"),
        (("read_file", '{"a": 1, "a": 2}'), "Error: the arguments cannot be read"),
        (("read_file", '{"a": NaN}'), "Error: the arguments cannot be read"),
        (("use_skill", '{"name": "none"}'), "Error: there is no such skill"),
        (("use_skill", '{"name": []}'), "Error: there is no such skill"),
        (("hand_over", '{"name": "nobody"}'), "Error: there is no such colleague"),
    ],
)
async def test_call_that_cannot_be_met_is_reported_to_the_model_and_holds_back_the_others(
    openai: FakeOpenAi,
    assistant: OneOff,
    skill: Skill,
    other: tuple[str, str],
    told: str,
) -> None:
    openai.calls(_CLIENT, other)
    openai.calls(_CLIENT)
    asked = request(skills=(skill,), tools=(_READ,), colleagues=(agent("other"),))
    assert await pieces_of(assistant, asked) == [RequestedToolCall("read_file", {"path": "a"})]
    postponed, error = _told(openai.asked[1])
    assert postponed.startswith("Not run")
    assert error.startswith(told)


async def test_model_that_makes_mistake_after_mistake_is_stopped(openai: FakeOpenAi) -> None:
    for _ in range(3):
        openai.calls(("rm", "{}"))
    assistant = OneOff(f"openai:small@{openai.base_url}/v1", limits=Limits(mistakes=2))
    with pytest.raises(StreamFailureError, match="kept making tool calls"):
        await pieces_of(assistant, request())


async def test_hand_over_is_the_last_word_and_stands_alone(
    openai: FakeOpenAi, assistant: OneOff
) -> None:
    asked = request(tools=(_READ,), colleagues=(agent("other"),))
    over = ("hand_over", '{"name": "other"}')
    openai.calls(over, text="Another knows that.")
    assert await pieces_of(assistant, asked) == [Text("Another knows that."), HandOver("other")]
    assert "- other: Does what other does." in openai.asked[0]["messages"][0]["content"]
    openai.calls(_CLIENT, over)
    openai.calls(over, over)
    openai.calls(over)
    assert await pieces_of(assistant, asked) == [HandOver("other")]
    assert [result[:8] for result in _told(openai.asked[2])] == ["Not run,", "Not done"]


async def test_own_tools_make_way_for_tools_of_the_client_with_their_names(
    openai: FakeOpenAi, assistant: OneOff, skill: Skill
) -> None:
    theirs = StoredTool("use_skill", "Theirs.", _OBJECT)
    openai.calls(("use_skill", '{"x": 1}'))
    pieces = await pieces_of(assistant, request(skills=(skill,), tools=(theirs,)))
    assert pieces == [RequestedToolCall("use_skill", {"x": 1})]
    openai.calls(("parley_use_skill", '{"name": "letters"}'))
    openai.says("Done.")
    pieces = await pieces_of(assistant, request(skills=(skill,), tools=(theirs,)))
    assert pieces[0] == SkillUsed("letters")
    assert _offered(openai.asked[0]) == ["use_skill", "parley_use_skill", "read_skill_file"]
    assert "parley_use_skill" in openai.asked[0]["messages"][0]["content"]


async def test_without_skills_and_colleagues_nothing_is_offered(
    openai: FakeOpenAi, assistant: OneOff
) -> None:
    openai.says("Hello.")
    await pieces_of(assistant, request())
    assert "tools" not in openai.asked[0]


def _call(name: str, round_: int, offset: int, result: str | None) -> ToolCall:
    return ToolCall(
        id=f"call_{name}",
        conversation_id="c",
        message_id="m",
        name=name,
        input={"of": name},
        tools=(_READ,),
        agent_name="helper",
        offset=offset,
        state="answered",
        result=result,
        is_finished=True,
        round=round_,
    )


async def test_reply_so_far_is_told_round_by_round(openai: FakeOpenAi, assistant: OneOff) -> None:
    calls = (_call("a", 0, 4, "A"), _call("b", 0, 4, "The user declined."), _call("c", 1, 8, None))
    openai.says("Done.")
    await pieces_of(
        assistant,
        request(history=said("Hi", "Hello.", "Go", "One.Two.Rest"), calls=calls, tools=(_READ,)),
    )
    messages = openai.asked[0]["messages"][1:]
    assert roles(messages) == [
        "user", "assistant", "user",
        "assistant", "tool", "tool", "assistant", "tool", "assistant", "user",
    ]  # fmt: skip
    told = [message["content"] for message in messages[3:9]]
    assert told == ["One.", "A", "The user declined.", "Two.", "The user did not answer this call.",
                    "Rest"]  # fmt: skip
    assert [call["id"] for call in messages[3]["tool_calls"]] == ["call_a", "call_b"]


@pytest.mark.parametrize(
    "limits",
    [Limits(model_calls=1), Limits(output_tokens=5), Limits(seconds=0)],
)
async def test_limits_of_a_reply_end_it_in_words(openai: FakeOpenAi, limits: Limits) -> None:
    answer = openai.written(delta("More than five tokens of words."), done=True)
    openai.always_sends(answer.replace(b"data: [DONE]", _AGAIN), 200)
    assistant = OneOff(f"openai:small@{openai.base_url}/v1", limits=limits)
    with pytest.raises(StreamFailureError, match="the limit"):
        await pieces_of(assistant, request())


@pytest.mark.parametrize("text", ["files", '"files"', "I choose files.", '{"name": "files"}'])
async def test_supervisor_is_understood_also_without_a_call(
    openai: FakeOpenAi, assistant: OneOff, text: str
) -> None:
    openai.says(text)
    agents = (agent("assistant"), agent("files"), agent("files-2"))
    assert (await assistant.choose_agent("Hm", agents)).agent.name == "files"


async def test_supervisor_chooses_by_a_forced_call_and_words_decide_on_nonsense(
    openai: FakeOpenAi, assistant: OneOff
) -> None:
    agents = (agent("alpha"), agent("beta"))
    openai.calls(("choose_assistant", '{"name": "beta"}'))
    openai.says("alpha or beta, who knows")
    openai.calls(("choose_assistant", '{"name"'))
    assert (await assistant.choose_agent("Hm", agents)).agent.name == "beta"
    both = "Is beta there, or alpha?"
    assert (await assistant.choose_agent(both, agents)).agent.name == "alpha"
    assert (await assistant.choose_agent(both, agents)).agent.name == "alpha"
    asked = openai.asked[0]
    assert (asked["tool_choice"], asked["temperature"]) == ("required", 0)
    schema = asked["tools"][0]["function"]["parameters"]
    assert schema["properties"]["name"]["enum"] == ["alpha", "beta"]
    assert "- alpha: Does what alpha does." in asked["messages"][0]["content"]


async def test_nothing_is_asked_where_one_agent_alone_fits(
    openai: FakeOpenAi, assistant: OneOff
) -> None:
    agents = (agent("alpha"), agent("beta"))
    choice = await assistant.choose_agent("Is beta there?", agents)
    assert (choice.agent.name, choice.used) == ("beta", ())
    assert openai.asked == []


async def test_model_that_refused_tools_is_not_asked_who_answers(openai: FakeOpenAi) -> None:
    openai.sends(b'{"error": {"message": "tools are not supported by this model"}}', 400)
    openai.says("Hello.")
    async with models_of(f"openai:small@{openai.base_url}/v1") as assistant:
        await pieces_of(assistant, request(tools=(_READ,)))
        choice = await assistant.choose_agent("Hm", (agent("alpha"), agent("beta")))
    assert choice.agent.name == "alpha"
    assert len(openai.asked) == 2


async def test_text_of_rounds_is_set_apart(openai: FakeOpenAi, assistant: OneOff) -> None:
    openai.calls(("rm", "{}"), text="First.")
    openai.calls(("rm", "{}"))
    openai.says("Second.")
    assert words_of(await pieces_of(assistant, request())) == "First.\n\nSecond."
