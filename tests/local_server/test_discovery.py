"""Which models are found: those of servers that say who they are, and no others."""

import json
from typing import Any

import pytest
from pydantic import SecretStr

from local_server.assistant.models.providers import ModelId, ProviderAccess
from local_server.discovery import DiscoveredModels, DiscoveryReport, DiscoveryTargets, find_models
from tests.support.fake_http import Answer, FakeHttp, Received
from tests.support.fake_models import KEY
from tests.support.fake_ollama import FakeOllama

pytestmark = pytest.mark.anyio

_NOBODY = "http://127.0.0.1:1"
_NONE = ProviderAccess({}, {})


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who answers here may be as slow as the machine of the tests."""
    monkeypatch.setattr("local_server.discovery._TIMEOUT_S", 10.0)


class _Server(FakeHttp):
    """Answers each path with its page, or all with one."""

    def __init__(self, page: object = None, **pages: object) -> None:
        super().__init__()
        self.page = page
        self.pages = {f"/{path.replace('__', '/')}": page for path, page in pages.items()}

    def choose(self, request: Received) -> Answer:
        page = self.pages.get(request.path, self.page)
        if isinstance(page, bytes):
            return Answer(200, page)
        return Answer(404 if page is None else 200, json.dumps(page).encode())


def _all_at(address: str) -> DiscoveryTargets:
    return DiscoveryTargets(address, address, address, address, address)


def _only(**places: str) -> DiscoveryTargets:
    nobody = dict.fromkeys(("ollama", "lm_studio", "llama_cpp", "vllm", "jan"), _NOBODY)
    return DiscoveryTargets(**nobody | places)


def _row(name: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, "object": "model", **fields}


async def test_servers_that_say_who_they_are_are_found_with_the_models_that_can_chat() -> None:
    models = {"small:1b": ["completion"], "large:9b": ["completion", "tools"], "e": ["embedding"]}
    keys: list[object] = [
        {"key": "qwen", "type": "llm", "max_context_length": 32_768},
        {"key": "nomic", "type": "embedding"},
        {"x": 1},
        {"key": []},
        5,
    ]
    async with (
        FakeOllama(**models) as ollama,
        _Server(api__v1__models={"models": keys}) as lm_studio,
        _Server(
            props={"default_generation_settings": {}}, v1__models={"data": [_row("a/b.gguf")]}
        ) as llama_cpp,
        _Server(v1__models={"data": [_row("meta", owned_by="vllm"), _row("x")]}) as vllm,
        _Server(v1__models={"object": "list", "data": [_row("jan-nano")]}) as jan,
    ):
        servers = (ollama, lm_studio, llama_cpp, vllm, jan)
        report = await find_models(
            _NONE, DiscoveryTargets(*(server.base_url for server in servers))
        )
    ids = [[str(model) for model in found.models] for found in report.servers]
    assert [found.provider for found in report.servers] == [
        "ollama", "lm-studio", "llama-cpp", "vllm", "jan",
    ]  # fmt: skip
    assert ids == [
        [f"ollama:large:9b@{ollama.base_url}", f"ollama:small:1b@{ollama.base_url}"],
        [f"openai:qwen@{lm_studio.base_url}/v1"],
        [f"openai:a/b.gguf@{llama_cpp.base_url}/v1"],
        [f"openai:meta@{vllm.base_url}/v1"],
        [f"openai:jan-nano@{jan.base_url}/v1"],
    ]
    for name in (name for names in ids for name in names):
        assert str(ModelId.read(name)) == name
    told = [[found.told[model] for model in found.models] for found in report.servers]
    assert [about.has_tools for about in told[0]] == [True, False]
    assert told[1][0].window == 32_768


async def test_strangers_on_the_ports_and_nobody_are_not_found_and_see_no_key() -> None:
    access = ProviderAccess({"openai": SecretStr(KEY)}, {})
    pages: tuple[object, ...] = ([], {"version": 1, "models": "none"}, "text", b"[" * 200_000)
    for page in pages:
        async with _Server(page) as stranger:
            assert (await find_models(access, _all_at(stranger.base_url))).servers == ()
            assert all(KEY.encode() not in request.raw for request in stranger.requests)
    assert (await find_models(access, _all_at(_NOBODY))).servers == ()


async def test_server_that_names_thousands_of_models_is_not_asked_of_each() -> None:
    models = [{"name": f"m{number}"} for number in range(2000)]
    pages = {"api__version": {"version": "1"}, "api__tags": {"models": models}, "api__show": {}}
    async with _Server(**pages) as server:
        (found,) = (await find_models(_NONE, _only(ollama=server.base_url))).servers
        asked = [request for request in server.requests if request.path == "/api/show"]
    assert (len(found.models), len(asked)) == (2000, 200)


async def test_only_this_computer_is_asked() -> None:
    places = _only(ollama="http://ollama.example:11434")
    assert await find_models(_NONE, places) == DiscoveryReport()


async def test_provider_with_a_key_is_named_and_not_asked() -> None:
    access = ProviderAccess.of_environment({"ANTHROPIC_API_KEY": KEY, "OPENAI_API_KEY": " "})
    report = await find_models(access, _all_at(_NOBODY))
    assert report.keyed == ("anthropic",)
    assert KEY not in repr(access) + json.dumps(report.as_json())


def test_only_what_can_answer_can_be_chosen() -> None:
    home = "http://127.0.0.1:11434"
    ollama = DiscoveredModels("ollama", home, (ModelId("ollama", "small:1b"),))
    jan = DiscoveredModels("jan", "http://127.0.0.1:1337", ())
    offline = {"id": "offline", "provider": "offline", "name": "Demo"}
    assert DiscoveryReport((ollama, jan), ("google",)).as_json() == {
        "models": [offline, {"id": "ollama:small:1b", "provider": "ollama", "name": "small:1b"}],
        "found": [
            {"provider": "ollama", "address": home, "models": ["small:1b"], "usable": True},
            {"provider": "jan", "address": jan.address, "models": [], "usable": False},
            {"provider": "google", "address": None, "models": [], "usable": True},
        ],
    }
