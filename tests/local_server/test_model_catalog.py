"""The extension `models`: what can be chosen for a chat, and who answers then."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from local_server.assistant.assistants import ModelSelection, choose_assistants
from local_server.assistant.models.abilities import Told
from local_server.assistant.models.providers import ModelId, Provider, ProviderAccess
from local_server.discovery import DiscoveredModels, DiscoveryReport
from local_server.model_catalog import ModelCatalog
from tests.support.event_streams import first_of, text_of, types_of
from tests.support.fake_models import KEY, FakeOpenAi
from tests.support.own_service import READ_FILE, OwnService, own_service

pytestmark = pytest.mark.anyio


@dataclass
class _Desk:
    """A service whose user has two models on this computer, one of them the default."""

    service: OwnService
    first: FakeOpenAi
    second: FakeOpenAi
    found: list[ModelId]

    async def listed(self) -> list[dict[str, Any]]:
        answer = await self.service.client.get("/v1/models")
        assert answer.status_code == 200, answer.text
        models: list[dict[str, Any]] = answer.json()["data"]
        return models


@asynccontextmanager
async def _desk(
    tmp_path: Path,
    keys: Mapping[Provider, SecretStr] | None = None,
    addresses: Mapping[Provider, str] | None = None,
    added: Sequence[str] = (),
    address_keys: Mapping[str, SecretStr] | None = None,
    **more: Any,
) -> AsyncIterator[_Desk]:
    async with FakeOpenAi() as first, FakeOpenAi() as second:
        for server in (first, second):
            server.pages["/v1/models"] = {"object": "list", "data": [{"id": "small"}]}
        found = [ModelId("openai", "big", f"{second.base_url}/v1")]
        access = ProviderAccess(keys or {}, addresses or {}, address_keys=address_keys or {})
        selection = ModelSelection(f"openai:small@{first.base_url}/v1")

        async def find(_access: ProviderAccess) -> DiscoveryReport:
            told = dict.fromkeys(found, Told(runs_here=True))
            server = DiscoveredModels("llama-cpp", second.base_url, tuple(found), told)
            return DiscoveryReport((server,))

        chosen = choose_assistants(selection, access, 0)
        async with own_service(
            tmp_path,
            assistant=chosen.assistants.live,
            models=ModelCatalog(selection, access, added, find=find),
            **more,
        ) as service:
            yield _Desk(service, first, second, found)
        await chosen.assistants.aclose()


async def test_models_are_announced_and_listed_with_the_default_first(tmp_path: Path) -> None:
    async with _desk(tmp_path) as desk:
        agents = await desk.service.client.get("/v1/agents")
        default, found, demo = await desk.listed()

    assert (
        agents.headers["Parley-Extensions"]
        == "models, settings, usage, thinking, title, fork, attachments"
    )
    assert default["id"] == f"openai:small@{desk.first.base_url}/v1"
    assert (default["is_default"], default["state"], default["reason"]) == (True, "ready", None)
    assert found == {
        "id": f"openai:big@{desk.second.base_url}/v1",
        "display_name": "big",
        "provider": "llama.cpp",
        "is_default": False,
        "context_window": None,
        "input": ["text"],
        "has_tools": True,
        "has_thinking": False,
        "price": {"input": 0.0, "output": 0.0, "cached": 0.0},
        "state": "ready",
        "reason": None,
    }
    assert (demo["id"], demo["is_default"]) == ("offline", False)


async def test_model_that_was_added_is_listed_and_one_that_cannot_be_read_is_not(
    tmp_path: Path,
) -> None:
    async with FakeOpenAi() as third:
        third.pages["/v1/models"] = {"data": [{"id": "own"}]}
        own = f"openai:own@{third.base_url}/v1"
        async with _desk(tmp_path, added=(own, "nonsense", "anthropic:claude")) as desk:
            listed = {model["id"]: model for model in await desk.listed()}

    assert listed[own]["state"] == "ready"
    assert "nonsense" not in listed
    assert listed["anthropic:claude"]["state"] == "unavailable"
    reason = listed["anthropic:claude"]["reason"]
    assert reason == "There is no key for Anthropic. Add one in the settings."


async def test_default_that_does_not_answer_is_unavailable_and_says_why(tmp_path: Path) -> None:
    async with _desk(tmp_path) as desk:
        desk.first.pages.clear()
        default = (await desk.listed())[0]

    assert default["state"] == "unavailable"
    assert default["reason"] == "The model’s server does not answer. Start it, then try again."


async def test_chosen_model_answers_this_message_and_those_after_it(tmp_path: Path) -> None:
    async with _desk(tmp_path) as desk:
        chat = await desk.service.create()
        desk.first.says("First.")
        desk.second.says("Second.")
        desk.second.says("Second again.")
        before = await desk.service.chat(chat, "Hi", agent_name="assistant")
        big = (await desk.listed())[1]["id"]
        chosen = await desk.service.chat(chat, "Hi", agent_name="assistant", model=big)
        after = await desk.service.chat(chat, "Hi", agent_name="assistant")

    assert [text_of(events) for events in (before, chosen, after)] == [
        "First.",
        "Second.",
        "Second again.",
    ]
    assert desk.second.asked[0]["model"] == "big"


async def test_null_resets_a_setting_to_the_default(tmp_path: Path) -> None:
    async with _desk(tmp_path) as desk:
        chat = await desk.service.create()
        desk.second.says("Second.")
        desk.first.says("First.")
        desk.first.says("First again.")
        big = (await desk.listed())[1]["id"]
        chosen = await desk.service.chat(chat, "Hi", agent_name="assistant", model=big)
        back = await desk.service.chat(chat, "Hi", agent_name="assistant", model=None)
        after = await desk.service.chat(chat, "Hi", agent_name="assistant")

    assert [text_of(events) for events in (chosen, back, after)] == [
        "Second.",
        "First.",
        "First again.",
    ]


async def test_reply_goes_on_with_its_model_after_a_tool_call(tmp_path: Path) -> None:
    async with _desk(tmp_path) as desk:
        chat = await desk.service.create()
        desk.second.calls(("read_file", '{"path": "a"}'))
        desk.second.says("Read.")
        big = (await desk.listed())[1]["id"]
        events = await desk.service.chat(
            chat, "Read", agent_name="assistant", model=big, client_tools=[READ_FILE]
        )
        ended = await desk.service.give_result(chat, first_of(events, "tool_use")["id"], "x")

    assert text_of(ended) == "Read."


async def test_built_in_assistant_can_be_chosen(tmp_path: Path) -> None:
    async with _desk(tmp_path) as desk:
        events = await desk.service.chat(await desk.service.create(), "Hi", model="offline")

    assert types_of(events)[-1] == "message_stop"
    assert desk.first.asked == []


@pytest.mark.security(105)
@pytest.mark.parametrize(
    "model",
    [
        "openai:small@http://127.0.0.1:1/v1",
        "ollama:llama3.2",
        "/etc/passwd",
        "",
        "x" * 100_000,
    ],
)
async def test_model_that_is_not_listed_is_refused_and_nothing_is_stored(
    tmp_path: Path, model: str
) -> None:
    async with _desk(tmp_path) as desk:
        chat = await desk.service.create()
        body = {"conversation_id": chat, "message": "Hi", "model": model}
        answer = await desk.service.client.post("/v1/chat/stream", json=body)
        messages = await desk.service.messages(chat)

    assert answer.status_code == 400
    assert answer.json()["error"] == {
        "code": "unknown_model",
        "message": "The model of this chat is not there any more. Choose another model.",
    }
    assert messages == []


@pytest.mark.parametrize("model", [7, 1.5, ["offline"], {"id": "offline"}, True])
async def test_model_that_is_no_text_is_refused(tmp_path: Path, model: object) -> None:
    async with _desk(tmp_path) as desk:
        chat = await desk.service.create()
        body = {"conversation_id": chat, "message": "Hi", "model": model}
        answer = await desk.service.client.post("/v1/chat/stream", json=body)

    assert answer.status_code == 400
    assert "“model”" in answer.json()["error"]["message"]


async def test_without_the_extension_the_model_field_is_ignored_and_its_path_is_404(
    tmp_path: Path,
) -> None:
    async with own_service(tmp_path) as service:
        chat = await service.create()
        agents = await service.client.get("/v1/agents")
        models = await service.client.get("/v1/models")
        events = await service.chat(chat, "Hi", model={"any": ["thing"]})

    assert "models" not in agents.headers["Parley-Extensions"]
    assert models.status_code == 404
    assert types_of(events)[-1] == "message_stop"


async def test_models_of_a_provider_are_listed_with_its_key_and_known_prices(
    tmp_path: Path,
) -> None:
    async with FakeOpenAi() as provider:
        provider.pages["/v1/models"] = {
            "data": [
                {"id": "gpt-4o-mini"},
                {"id": "text-embedding-3-small"},
                {"id": "whisper-1"},
                {"id": "bad\nname"},
                {"id": 7},
                "nothing",
            ]
        }
        keys: dict[Provider, SecretStr] = {"openai": SecretStr(KEY)}
        async with _desk(tmp_path, keys, {"openai": f"{provider.base_url}/v1"}) as desk:
            listed = await desk.listed()

    (model,) = [model for model in listed if model["provider"] == "OpenAI"]
    assert (model["id"], model["display_name"]) == ("openai:gpt-4o-mini", "gpt 4o mini")
    assert model["context_window"] == 128_000
    assert 0 < model["price"]["input"] < model["price"]["output"]
    assert all(KEY not in str(row) for row in listed)


async def test_at_most_five_thousand_models_are_listed(tmp_path: Path) -> None:
    async with FakeOpenAi() as provider:
        row = {"object": "model", "created": 1700000000, "owned_by": "none", "modes": [1, 2, 3]}
        rows = [{"id": f"model-{n}", **row} for n in range(6000)]
        provider.pages["/v1/models"] = {"data": rows}
        keys: dict[Provider, SecretStr] = {"openai": SecretStr(KEY)}
        async with _desk(tmp_path, keys, {"openai": f"{provider.base_url}/v1"}) as desk:
            listed = await desk.listed()
            chat = await desk.service.create()
            body = {"conversation_id": chat, "message": "Hi", "model": "openai:model-5999"}
            refused = await desk.service.client.post("/v1/chat/stream", json=body)

    assert len(listed) == 5000
    assert (listed[0]["is_default"], listed[-1]["id"]) == (True, "offline")
    assert refused.status_code == 400


async def test_model_that_went_away_between_two_messages_is_reported_and_another_goes_on(
    tmp_path: Path,
) -> None:
    async with _desk(tmp_path) as desk:
        chat = await desk.service.create()
        default, big, _ = [model["id"] for model in await desk.listed()]
        desk.second.says("Second.")
        await desk.service.chat(chat, "One", agent_name="assistant", model=big)
        await desk.second.stops()
        gone = await desk.service.chat(chat, "Two", agent_name="assistant")
        desk.first.says("First.")
        events = await desk.service.chat(chat, "Three", agent_name="assistant", model=default)
        messages = await desk.service.messages(chat)

    assert types_of(gone)[-1] == "error"
    assert "big cannot be reached" in gone[-1]["message"]
    assert text_of(events) == "First."
    assert [message["content"] for message in messages] == [
        "One",
        "Second.",
        "Two",
        "Three",
        "First.",
    ]
    # Nothing that the user said is lost on the model that goes on.
    told = [message["content"] for message in desk.first.asked[0]["messages"]]
    assert told[-3:] == ["One", "Second.", "Two\n\nThree"]


@pytest.mark.parametrize(
    ("row", "can"),
    [
        ({"id": "gpt-5-mini"}, (True, True, True)),
        ({"id": "gpt-4.1"}, (True, False, True)),
        ({"id": "o3-mini"}, (False, True, True)),
        ({"id": "claude-sonnet-4-5"}, (True, True, True)),
        ({"id": "claude-3-5-haiku-latest"}, (True, False, True)),
        ({"id": "gemini-2.5-flash"}, (True, True, True)),
        ({"id": "deepseek-reasoner"}, (False, True, True)),
        ({"id": "Qwen3-4B"}, (False, True, True)),
        ({"id": "qwen3-coder-30b"}, (False, False, True)),
        ({"id": "gemma-3-4b"}, (True, False, False)),
        ({"id": "nobody-knows-it"}, (False, False, True)),
        ({"id": "nobody-knows-it", "thinking": True}, (False, True, True)),
        (
            {
                "id": "maker/gpt-5",
                "supported_parameters": ["temperature"],
                "architecture": {"input_modalities": ["text"]},
            },
            (False, False, False),
        ),
        ({"id": "m", "capabilities": {"vision": True, "function_calling": False}}, (1, 0, 0)),
        ({"id": "m", "capabilities": ["completion", "multimodal"]}, (1, 0, 1)),
        ({"id": "m", "capabilities": [["odd"], 7], "supported_parameters": "all"}, (0, 0, 1)),
    ],
)
async def test_capabilities_come_from_the_server_or_else_from_the_name(
    tmp_path: Path, row: dict[str, Any], can: tuple[bool, bool, bool]
) -> None:
    async with FakeOpenAi() as provider:
        provider.pages["/v1/models"] = {"data": [{"context_length": 4321, **row}]}
        keys: dict[Provider, SecretStr] = {"openai": SecretStr(KEY)}
        async with _desk(tmp_path, keys, {"openai": f"{provider.base_url}/v1"}) as desk:
            listed = await desk.listed()

    (model,) = [model for model in listed if model["provider"] == "OpenAI"]
    assert ("image" in model["input"], model["has_thinking"], model["has_tools"]) == can
    assert model["context_window"] == 4321


@pytest.mark.parametrize("status", [400, 401, 403, 404])
async def test_provider_that_lists_no_models_says_why_in_their_place(
    tmp_path: Path, status: int
) -> None:
    refuses = status != 404
    async with FakeOpenAi() as provider, FakeOpenAi() as server:
        provider.refused["/v1/models"] = server.refused["/v1/models"] = status
        keys: dict[Provider, SecretStr] = {"openai": SecretStr(KEY)}
        addresses: dict[Provider, str] = {"openai": f"{provider.base_url}/v1"}
        at_address = {f"{server.base_url}/v1": SecretStr(KEY)}
        async with _desk(tmp_path, keys, addresses, address_keys=at_address) as desk:
            listed = await desk.listed()

    told = {model["provider"]: model for model in listed if model["state"] == "unavailable"}
    host = server.base_url.removeprefix("http://")
    assert set(told) == {"OpenAI", host}
    for name, model in told.items():
        assert model["display_name"] == name
        assert model["reason"] == (
            f"{name} refused the key. Enter another one in the settings."
            if refuses
            else f"{name} did not return its list of models. Check that it can be reached."
        )
        assert model["list_fault"] == ("key_refused" if refuses else "no_answer")


async def test_server_here_that_refuses_the_key_is_not_said_to_be_away(tmp_path: Path) -> None:
    async with _desk(tmp_path) as desk:
        desk.first.refused["/v1/models"] = 401
        default = (await desk.listed())[0]

    assert default["state"] == "unavailable"
    assert "refused the key" in default["reason"]


@pytest.mark.parametrize(
    ("owner", "price"),
    [
        ("vllm", {"input": 0.0, "output": 0.0, "cached": 0.0}),
        ("llamacpp", {"input": 0.0, "output": 0.0, "cached": 0.0}),
        # A gateway such as LiteLLM's, which passes questions on and is paid for.
        ("openai", None),
        (7, None),
    ],
)
async def test_only_what_really_runs_on_this_computer_is_free(
    tmp_path: Path, owner: object, price: dict[str, float] | None
) -> None:
    async with _desk(tmp_path) as desk:
        desk.first.pages["/v1/models"] = {"data": [{"id": "small", "owned_by": owner}]}
        default = (await desk.listed())[0]
    assert default["price"] == price


@pytest.mark.parametrize(
    ("name", "always"),
    [
        ("o3-mini", True),
        ("gpt-5", True),
        ("gpt-5.1", False),
        ("gpt-5-chat-latest", False),
        ("gemini-2.5-pro", True),
        ("gemini-2.5-flash", False),
        ("deepseek-reasoner", True),
        ("claude-sonnet-4-5", False),
        ("gpt-4.1", False),
    ],
)
async def test_model_whose_thinking_nobody_can_turn_off_says_so(
    tmp_path: Path, name: str, always: bool
) -> None:
    async with FakeOpenAi() as provider:
        provider.pages["/v1/models"] = {"data": [{"id": name}]}
        keys: dict[Provider, SecretStr] = {"openai": SecretStr(KEY)}
        async with _desk(tmp_path, keys, {"openai": f"{provider.base_url}/v1"}) as desk:
            listed = await desk.listed()
    (model,) = [model for model in listed if model["provider"] == "OpenAI"]
    # A field beside those of the specification stands only where it says something.
    assert model.get("always_thinks", False) is always
    assert ("always_thinks" in model) is always
