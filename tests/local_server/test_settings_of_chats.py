"""The extension `settings`: how the replies of a chat are written, and its own instructions."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from local_server.assistant.reply import ModelDescription
from local_server.store.records import ReplySettings
from tests.support.event_streams import Event, first_of, text_of, types_of
from tests.support.fake_models import FakeOpenAi, Json, models_of, pieces_of
from tests.support.fake_models import agent as helper
from tests.support.fake_models import request as model_request
from tests.support.fake_ollama import FakeOllama, words
from tests.support.own_service import READ_FILE, OwnService, own_service
from tests.support.scripted_assistant import ScriptedAssistant

pytestmark = pytest.mark.anyio

_ALL: Final[Json] = {"temperature": 0.5, "max_output_tokens": 300, "thinking": "short"}


class _OneModel:
    """The models of somebody who may choose, and has one."""

    async def list_models(self) -> tuple[ModelDescription, ...]:
        return (ModelDescription("offline", "Demo", "Parley"),)

    async def find(self, model: str) -> str | None:
        return model if await self.has(model) else None

    async def has(self, model: str) -> bool:
        return model == "offline"

    def listed_id(self, model: str) -> str | None:
        return model


@asynccontextmanager
async def _choosing(
    tmp_path: Path, *scripts: tuple[str, ...]
) -> AsyncIterator[tuple[OwnService, ScriptedAssistant]]:
    script = ScriptedAssistant(*scripts)
    async with own_service(tmp_path, assistant=script, models=_OneModel()) as service:
        yield service, script


@asynccontextmanager
async def _asking(tmp_path: Path, model: str) -> AsyncIterator[OwnService]:
    async with (
        models_of(model) as assistant,
        own_service(tmp_path, assistant=assistant, models=_OneModel()) as service,
    ):
        yield service


async def _ask(service: OwnService, **fields: Any) -> list[Event]:
    return await service.chat(await service.create(), "Hi", agent_name="assistant", **fields)


async def _post(service: OwnService, chat: str, **fields: Any) -> httpx.Response:
    body = {"conversation_id": chat, "message": "Hi", "agent_name": "assistant", **fields}
    return await service.client.post("/v1/chat/stream", json=body)


async def test_settings_are_announced_where_users_may_choose(tmp_path: Path) -> None:
    async with _choosing(tmp_path) as (service, _):
        answer = await service.client.get("/v1/agents")
    assert (
        answer.headers["Parley-Extensions"]
        == "models, settings, usage, thinking, title, fork, attachments"
    )


async def test_choices_count_for_this_message_and_those_after_it(tmp_path: Path) -> None:
    async with _choosing(tmp_path, *[("Hello.",)] * 5) as (service, script):
        chat = await service.create()
        for fields in (
            {},
            {"settings": _ALL, "instructions": " Be brief. "},
            {},
            {"settings": {"temperature": 0}},
            {"settings": None, "instructions": None},
        ):
            await service.chat(chat, "Hi", agent_name="assistant", **fields)

    plain, whole = ReplySettings(), ReplySettings(0.5, 300, "short")
    assert [asked.settings for asked in script.asked] == [
        plain,
        whole,
        whole,
        ReplySettings(0),
        plain,
    ]
    assert [asked.instructions for asked in script.asked] == ["", *["Be brief."] * 3, ""]


async def test_choices_outlast_a_restart_and_are_of_one_conversation_alone(tmp_path: Path) -> None:
    async with _choosing(tmp_path, ("Hello.",)) as (service, _):
        chat = await service.create()
        await service.chat(chat, "Hi", agent_name="assistant", settings=_ALL, instructions="Brief.")
    async with _choosing(tmp_path, ("Hello.",), ("Hello.",)) as (service, script):
        await service.chat(chat, "Hi", agent_name="assistant")
        await _ask(service)

    assert [asked.instructions for asked in script.asked] == ["Brief.", ""]
    assert script.asked[0].settings == ReplySettings(0.5, 300, "short")
    assert script.asked[1].settings == ReplySettings()


async def test_reply_goes_on_with_the_choices_after_a_tool_call(
    tmp_path: Path, openai: FakeOpenAi
) -> None:
    openai.calls(("read_file", '{"path": "a"}'))
    openai.says("Read.")
    async with _asking(tmp_path, _small(openai)) as service:
        chat = await service.create()
        events = await service.chat(
            chat, "Go", agent_name="assistant", client_tools=[READ_FILE], settings=_ALL
        )
        await service.give_result(chat, first_of(events, "tool_use")["id"], "x")
    assert [asked["temperature"] for asked in openai.asked] == [0.5, 0.5]


async def test_damaged_settings_do_not_cost_the_chat(tmp_path: Path) -> None:
    async with _choosing(tmp_path, ("Hello.",), ("Hello.",)) as (service, script):
        chat = await service.create()
        await service.chat(chat, "Hi", agent_name="assistant", settings=_ALL)
        await service.store.database.write(
            lambda connection: connection.exec_driver_sql(
                'UPDATE conversations SET settings = \'{"temperature": "hot"\''
            )
        )
        await service.chat(chat, "Hi", agent_name="assistant")
    assert script.asked[1].settings == ReplySettings()


_OUT_OF_RANGE: Final = (
    ({"settings": {"temperature": 2.1}}, "settings", "temperature"),
    ({"settings": {"temperature": -0.1}}, "settings", "temperature"),
    ({"settings": {"temperature": "warm"}}, "settings", "temperature"),
    ({"settings": {"temperature": True}}, "settings", "temperature"),
    ({"settings": {"max_output_tokens": 0}}, "settings", "max_output_tokens"),
    ({"settings": {"max_output_tokens": 10**9}}, "settings", "max_output_tokens"),
    ({"settings": {"max_output_tokens": 1.5}}, "settings", "max_output_tokens"),
    ({"settings": {"thinking": "deep"}}, "settings", "thinking"),
    ({"settings": "short"}, "settings", ""),
    ({"settings": [1]}, "settings", ""),
    ({"instructions": 7}, "instructions", "text"),
    ({"instructions": {"a": "b"}}, "instructions", "text"),
    ({"instructions": "x" * 16_001}, "instructions", "16,000 characters; these have 16,001"),
    ({"instructions": "x" * 1024 * 1024}, "instructions", "16,000 characters"),
)


@pytest.mark.parametrize(("fields", "name", "words_of_it"), _OUT_OF_RANGE)
async def test_settings_out_of_range_are_refused_and_not_stored(
    tmp_path: Path, fields: Json, name: str, words_of_it: str
) -> None:
    async with _choosing(tmp_path) as (service, _):
        chat = await service.create()
        answer = await _post(service, chat, **fields)
        messages = await service.messages(chat)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (400, "invalid_request")
    assert name in error["message"]
    assert words_of_it in error["message"]
    assert len(error["message"]) < 300
    assert messages == []


async def test_numbers_that_json_does_not_have_are_refused(tmp_path: Path) -> None:
    async with _choosing(tmp_path) as (service, _):
        chat = await service.create()
        for number in ("NaN", "Infinity", "1e999"):
            body = (
                f'{{"conversation_id": "{chat}", "message": "Hi", '
                f'"settings": {{"temperature": {number}}}}}'
            )
            answer = await service.client.post(
                "/v1/chat/stream", content=body, headers={"Content-Type": "application/json"}
            )
            assert answer.status_code == 400


@pytest.mark.parametrize(("fields", "name", "words_of_it"), _OUT_OF_RANGE)
async def test_without_the_extension_the_settings_fields_are_ignored(
    tmp_path: Path, fields: Json, name: str, words_of_it: str
) -> None:
    del name, words_of_it
    script = ScriptedAssistant(("Hello.",))
    async with own_service(tmp_path, assistant=script) as service:
        agents = await service.client.get("/v1/agents")
        events = await _ask(service, **fields)
    assert "settings" not in agents.headers["Parley-Extensions"]
    assert types_of(events)[-1] == "message_stop"
    assert (script.asked[0].settings, script.asked[0].instructions) == (ReplySettings(), "")


async def test_choices_that_were_made_do_not_count_where_nobody_may_choose_any_more(
    tmp_path: Path,
) -> None:
    async with _choosing(tmp_path, ("Hello.",)) as (service, _):
        chat = await service.create()
        await service.chat(chat, "Hi", agent_name="assistant", settings=_ALL, instructions="X")
    script = ScriptedAssistant(("Hello.",))
    async with own_service(tmp_path, assistant=script) as service:
        await service.chat(chat, "Hi", agent_name="assistant")
    assert (script.asked[0].settings, script.asked[0].instructions) == (ReplySettings(), "")


async def test_instructions_of_a_chat_stand_after_the_agents_own(
    tmp_path: Path, openai: FakeOpenAi
) -> None:
    openai.says("Hello.")
    openai.says("Hello.")
    async with _asking(tmp_path, _small(openai)) as service:
        chat = await service.create()
        await service.chat(chat, "Hi", agent_name="assistant")
        await service.chat(chat, "Hi", agent_name="assistant", instructions="Answer in verse.")
    before, after = (asked["messages"][0]["content"] for asked in openai.asked)
    own, _, following = after.partition("Answer in verse.")
    assert own
    assert before.startswith(own.strip())
    assert before == own.strip() + following


_LOCAL: Final[dict[str, Json]] = {
    "off": {"chat_template_kwargs": {"enable_thinking": False}},
    "short": {
        "chat_template_kwargs": {"enable_thinking": True},
        "reasoning_effort": "low",
        "thinking_budget_tokens": 1024,
    },
    "long": {"chat_template_kwargs": {"enable_thinking": True}, "reasoning_effort": "high"},
}


@pytest.mark.parametrize(
    ("provider", "thinking", "written"),
    [
        *(("openai", length, fields) for length, fields in _LOCAL.items()),
        ("deepseek", "off", {"thinking": {"type": "disabled"}}),
        ("deepseek", "long", {"thinking": {"type": "enabled"}}),
        ("groq", "off", {"reasoning_effort": "none"}),
        ("xai", "short", {"reasoning_effort": "low"}),
        ("mistral", "long", {"reasoning_effort": "high"}),
    ],
)
async def test_settings_are_written_as_each_server_takes_them(
    tmp_path: Path, openai: FakeOpenAi, provider: str, thinking: str, written: Json
) -> None:
    openai.says("Hello.")
    async with _asking(tmp_path, f"{provider}:small@{openai.base_url}/v1") as service:
        await _ask(service, settings=_ALL | {"thinking": thinking})
    asked = openai.asked[0]
    assert (asked["temperature"], asked["max_tokens"]) == (0.5, 300)
    names = {"reasoning_effort", "thinking", "chat_template_kwargs", "thinking_budget_tokens"}
    assert {name: asked[name] for name in names & asked.keys()} == written


async def test_nothing_is_written_where_nothing_was_chosen(
    tmp_path: Path, openai: FakeOpenAi
) -> None:
    openai.says("Hello.")
    async with _asking(tmp_path, _small(openai)) as service:
        await _ask(service, settings={})
    assert openai.asked[0].keys() == {"model", "messages", "stream", "stream_options", "tools"}


@pytest.mark.parametrize(
    ("model", "thinking", "think"),
    [
        ("qwen3:4b", "off", False),
        ("qwen3:4b", "long", True),
        ("gpt-oss:20b", "off", "low"),
        ("gpt-oss:20b", "long", "high"),
    ],
)
async def test_settings_are_written_for_ollama(
    tmp_path: Path, model: str, thinking: str, think: bool | str
) -> None:
    async with FakeOllama(**{model: ["completion"]}) as ollama:
        ollama.says(words("Hello."))
        async with _asking(tmp_path, f"ollama:{model}@{ollama.base_url}") as service:
            await _ask(service, settings=_ALL | {"thinking": thinking})
    asked = ollama.asked[0]
    assert asked["think"] == think
    assert asked["options"]["temperature"] == 0.5
    assert asked["options"]["num_predict"] == 300


_TEMPERATURE: Final = "Unsupported value: 'temperature' does not support 0.5 with this model."
_EFFORT: Final = "Unrecognized request argument supplied: reasoning_effort"
_LENGTH: Final = "max_tokens: 300 > 200, which is the maximum allowed number of output tokens"


@pytest.mark.parametrize(
    ("refusals", "notice", "left"),
    [
        ([_TEMPERATURE], "the temperature", {"max_tokens", "reasoning_effort"}),
        ([_EFFORT], "the length of thinking", {"temperature", "max_tokens"}),
        ([_LENGTH], "the length of answers", {"temperature", "reasoning_effort"}),
        (
            [_TEMPERATURE, _EFFORT, _LENGTH],
            "the temperature, the length of thinking and the length of answers",
            set(),
        ),
        (["No."], "the temperature, the length of thinking and the length of answers", set()),
    ],
)
async def test_setting_that_a_provider_refuses_is_left_out_and_the_reply_says_so_once(
    tmp_path: Path, openai: FakeOpenAi, refusals: list[str], notice: str, left: set[str]
) -> None:
    async with _asking(tmp_path, f"groq:small@{openai.base_url}/v1") as service:
        chat = await service.create()
        texts = []
        for fields in ({"settings": _ALL}, {}):
            for refusal in refusals:
                openai.sends(json.dumps({"error": {"message": refusal}}).encode(), 400)
            openai.says("Hello.")
            events = await service.chat(chat, "Hi", agent_name="assistant", **fields)
            texts.append(text_of(events))
    said = f"*This model does not let anybody choose {notice}, so it answers without that.*"
    assert texts == [f"{said}\n\nHello.", "Hello."]
    names = {"temperature", "max_tokens", "reasoning_effort"}
    assert names & openai.asked[-1].keys() == left
    # The model does not read the service's own words.
    assert said not in json.dumps(openai.asked[-1], ensure_ascii=False)


async def test_refusal_that_has_nothing_to_do_with_settings_stays_one(
    tmp_path: Path, openai: FakeOpenAi
) -> None:
    openai.sends(b'{"error": {"message": "No such model"}}', 404)
    openai.sends(b'{"error": {"message": "No."}}', 400)
    openai.sends(b'{"error": {"message": "No."}}', 400)
    async with _asking(tmp_path, _small(openai)) as service:
        unknown = await _ask(service, settings=_ALL)
        refused = await _ask(service, settings=_ALL)
    assert "does not know" in unknown[-1]["message"]
    assert "refused the request" in refused[-1]["message"]


async def test_ollama_model_that_does_not_think_answers_all_the_same(tmp_path: Path) -> None:
    async with FakeOllama(small=["completion"]) as ollama:
        ollama.answers(b'{"error": "\\"small\\" does not support thinking"}', 400)
        ollama.says(words("Hello."))
        async with _asking(tmp_path, f"ollama:small@{ollama.base_url}") as service:
            events = await _ask(service, settings={"thinking": "long"})
    assert text_of(events).endswith("\n\nHello.")
    assert "the length of thinking" in text_of(events)
    assert "think" not in ollama.asked[1]


async def test_reply_that_is_as_long_as_was_chosen_says_so(
    tmp_path: Path, openai: FakeOpenAi
) -> None:
    openai.says("Half", finish="length")
    async with _asking(tmp_path, _small(openai)) as service:
        events = await _ask(service, settings={"max_output_tokens": 3000})
    assert events[-1]["message"] == (
        "Answers in this chat have at most 3,000 tokens, so this one is cut off here."
    )


async def test_window_smaller_than_the_instructions_answers_without_them_and_says_so(
    tmp_path: Path, openai: FakeOpenAi
) -> None:
    openai.says("Hello.")
    async with (
        models_of(_small(openai), window=2048) as assistant,
        own_service(tmp_path, assistant=assistant, models=_OneModel()) as service,
    ):
        events = await _ask(service, instructions="word " * 3000)
    assert "instructions" in text_of(events)
    assert text_of(events).endswith("Hello.")


def _small(server: FakeOpenAi) -> str:
    return f"openai:small@{server.base_url}/v1"


@pytest.fixture
async def openai() -> AsyncIterator[FakeOpenAi]:
    async with FakeOpenAi() as server:
        yield server


async def test_temperature_of_an_agent_counts_where_the_chat_chose_none(openai: FakeOpenAi) -> None:
    openai.says("One.")
    openai.says("Two.")
    steady = replace(helper(), temperature=0.3)
    async with models_of(_small(openai)) as assistant:
        await pieces_of(assistant, model_request(agent=steady))
        chosen = ReplySettings(temperature=1.5)
        await pieces_of(assistant, model_request(agent=steady, settings=chosen))
    assert [asked["temperature"] for asked in openai.asked] == [0.3, 1.5]
