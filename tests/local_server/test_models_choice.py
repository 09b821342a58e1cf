"""Which model answers: ids, keys and addresses, what agents name, and what nobody chose."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from local_server.assistant.assistants import ModelSelection, choose_assistants
from local_server.assistant.demo import DemoAssistant
from local_server.assistant.models.answer import ContextWindow
from local_server.assistant.models.context_windows import find_window, known_window
from local_server.assistant.models.providers import ModelId, ProviderAccess, UnknownModelError
from local_server.assistant.models.upstreams import ModelPlan, Upstreams
from local_server.engine.keeper import EngineKeeper
from local_server.errors import StreamFailureError
from tests.support.fake_models import (
    KEY,
    FakeOpenAi,
    agent,
    at,
    pieces_of,
    request,
    words_of,
)
from tests.support.service import run_command

pytestmark = pytest.mark.anyio

_NONE = ProviderAccess({}, {})


@pytest.fixture
async def openai() -> AsyncIterator[FakeOpenAi]:
    async with FakeOpenAi() as server:
        yield server


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ollama:small:1b", ModelId("ollama", "small:1b")),
        ("openai:org/model@q4", ModelId("openai", "org/model@q4")),
        (
            "openai:a@q4@http://127.0.0.1:1234/v1/",
            ModelId("openai", "a@q4", "http://127.0.0.1:1234/v1"),
        ),
        ("openai:a@sha256:0123456789", ModelId("openai", "a@sha256:0123456789")),
        ("anthropic:claude", ModelId("anthropic", "claude")),
        ("google:gemini", ModelId("google", "gemini")),
    ],
)
def test_ids_are_read_as_they_are_written(text: str, expected: ModelId) -> None:
    assert ModelId.read(text) == expected
    assert ModelId.read(str(expected)) == expected


@pytest.mark.parametrize("text", ["", "x", "sonnet", "ollama:", "openai: ", "x:y", "openai:a\nb"])
def test_malformed_model_id_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(UnknownModelError, match=r"(?s)There is no model.*@ADDRESS"):
        ModelId.read(text)


@pytest.mark.parametrize(
    "text",
    [
        "openai:x@ftp://x",
        "openai:x@",
        "openai:x@http://user:secret@127.0.0.1:9101/v1",
        "openai:x@http://secret@host/v1",
        "openai:x@127.0.0.1:9101",
        "openai:x@127.0.0.1",
        "openai:x@localhost",
        "openai:x@[::1]:9101/v1",
        "openai:x@host.example/v1",
        "openai:x@http://",
        "openai:x@http://:80/v1",
        "openai:x@http://host:99999/v1",
        "openai:http://127.0.0.1:9101/v1",
        "openai:http://user:secret@127.0.0.1:9101/v1",
        "ollama:org/x@q4@127.0.0.1:9101",
    ],
)
def test_address_that_is_none_is_refused_without_what_may_be_secret(text: str) -> None:
    with pytest.raises(UnknownModelError, match=r"is written http://HOST:PORT/PATH") as refused:
        ModelId.read(text)
    assert "secret" not in str(refused.value)
    with pytest.raises(UnknownModelError) as unknown:
        ModelId.read(f"x{text}")
    assert "secret" not in str(unknown.value)


def test_key_goes_only_to_the_address_that_it_belongs_to() -> None:
    access = ProviderAccess.of_environment({"OPENAI_API_KEY": f" {KEY} ", "GEMINI_API_KEY": KEY})
    home = access.endpoint(ModelId.read("openai:x"))
    stranger = access.endpoint(ModelId.read("openai:x@http://127.0.0.1:8000/v1"))
    assert (home.key, home.address) == (SecretStr(KEY), "https://api.openai.com/v1")
    assert (stranger.key, stranger.is_official) == (None, False)
    assert access.endpoint(ModelId.read("google:x")).key == SecretStr(KEY)
    moved = ProviderAccess.of_environment(
        {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "https://gate.example/v1/"}
    )
    assert moved.endpoint(ModelId.read("openai:x")).address == "https://gate.example/v1"
    assert moved.endpoint(ModelId.read("openai:x")).key == SecretStr(KEY)
    with pytest.raises(UnknownModelError, match="needs a key"):
        moved.endpoint(ModelId.read("openai:x@https://api.openai.com/v1"))
    assert KEY not in repr((access, home))


def test_keys_of_the_launch_line_are_the_only_ones() -> None:
    environ = {"ANTHROPIC_API_KEY": "sk-of-somebody", "OLLAMA_HOST": "box:1"}
    access = ProviderAccess.of_launch({"openai": SecretStr(KEY), "nobody": SecretStr("x")}, environ)
    assert dict(access.keys) == {"openai": SecretStr(KEY)}
    assert access.endpoint(ModelId.read("ollama:x")).address == "http://box:1"
    with pytest.raises(UnknownModelError, match="needs a key: set ANTHROPIC_API_KEY"):
        access.endpoint(ModelId.read("anthropic:x"))


@pytest.mark.parametrize(
    ("model", "variable", "address"),
    [
        ("openrouter:a/x", "OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"),
        ("deepseek:x", "DEEPSEEK_API_KEY", "https://api.deepseek.com/v1"),
        ("fireworks:x", "FIREWORKS_API_KEY", "https://api.fireworks.ai/inference/v1"),
        ("groq:x", "GROQ_API_KEY", "https://api.groq.com/openai/v1"),
        ("mistral:x", "MISTRAL_API_KEY", "https://api.mistral.ai/v1"),
        ("together:x", "TOGETHER_API_KEY", "https://api.together.xyz/v1"),
        ("xai:x", "XAI_API_KEY", "https://api.x.ai/v1"),
    ],
)
def test_provider_needs_its_key_and_no_address(model: str, variable: str, address: str) -> None:
    model_id = ModelId.read(model)
    with pytest.raises(UnknownModelError, match=f"needs a key: set {variable}"):
        _NONE.endpoint(model_id)
    endpoint = ProviderAccess.of_environment({variable: KEY}).endpoint(model_id)
    assert (endpoint.address, endpoint.key) == (address, SecretStr(KEY))


@pytest.mark.parametrize("end", ["", "/", "/openai/v1/"])
def test_azure_is_where_the_account_is(end: str) -> None:
    model_id = ModelId.read("azure:x")
    with pytest.raises(UnknownModelError, match="set AZURE_OPENAI_ENDPOINT"):
        _NONE.endpoint(model_id)
    environ = {"AZURE_OPENAI_ENDPOINT": f"https://a.example{end}", "AZURE_OPENAI_API_KEY": KEY}
    endpoint = ProviderAccess.of_environment(environ).endpoint(model_id)
    assert (endpoint.address, endpoint.key) == ("https://a.example/openai/v1", SecretStr(KEY))


def test_model_of_openrouter_is_named_with_its_maker() -> None:
    with pytest.raises(UnknownModelError, match="openrouter:MAKER/small"):
        ModelId.read("openrouter:small")


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("OLLAMA_HOST", "ollama:x"),
        ("OPENAI_BASE_URL", "openai:x"),
        ("ANTHROPIC_BASE_URL", "anthropic:x"),
        ("GOOGLE_GEMINI_BASE_URL", "google:x"),
    ],
)
def test_variable_without_an_address_is_named_once_its_model_is_wanted(
    name: str, model: str
) -> None:
    for text in ("http://[::1", "http://u:secret@[::1"):
        access = ProviderAccess.of_environment({name: text, "OPENAI_API_KEY": KEY})
        with pytest.raises(UnknownModelError, match=f"What {name} says is no address") as refused:
            access.endpoint(ModelId.read(model))
        assert "secret" not in str(refused.value)
        elsewhere = access.endpoint(ModelId.read(f"{model}@http://127.0.0.1:8000/v1"))
        assert elsewhere.address == "http://127.0.0.1:8000/v1"


async def test_offline_by_name_means_that_no_model_is_ever_asked() -> None:
    chosen = choose_assistants(ModelSelection("offline"), _NONE, 0)
    assert isinstance(chosen.assistants.live, DemoAssistant)
    chosen.warm_up()


@pytest.mark.parametrize(
    "choice",
    [
        ModelSelection("openai:x"),
        ModelSelection("nonsense"),
        ModelSelection("ollama:x", ("nonsense",)),
        ModelSelection("ollama:x", ("offline",)),
        ModelSelection(None, ("ollama:x",)),
        ModelSelection("offline", ("ollama:x",)),
    ],
)
def test_choice_that_cannot_be_met_is_refused_at_the_start(choice: ModelSelection) -> None:
    with pytest.raises(UnknownModelError):
        choose_assistants(choice, _NONE, 0)


async def test_agent_gets_the_model_it_names_and_else_the_usual_one(openai: FakeOpenAi) -> None:
    access = at("openai", f"{openai.base_url}/v1")
    chosen = choose_assistants(ModelSelection("openai:usual", (), 32_000), access, 0)
    names = (
        None,
        "openai:special",
        "sonnet",
        f"openai:near@{openai.base_url}/v1",
    )
    for name in names:
        openai.says("Hello.")
        asked = request(agent=agent(model=name))
        assert words_of(await pieces_of(chosen.assistants.live, asked)) == "Hello."
    for name in ("anthropic:without-a-key", "openai:x@https://elsewhere.example/v1"):
        with pytest.raises(StreamFailureError):
            await pieces_of(chosen.assistants.live, request(agent=agent(model=name)))
    await chosen.assistants.aclose()
    models = [asked["model"] for asked in openai.asked]
    assert models == ["usual", "special", "usual", "near"]


async def test_conversation_of_an_agent_whose_model_is_gone_goes_to_no_other(
    openai: FakeOpenAi,
) -> None:
    access = at("openai", f"{openai.base_url}/v1")
    async with FakeOpenAi() as server:
        own = f"openai:own@{server.base_url}/v1"
    asked = request(agent=agent(model=own))
    for fallbacks, words in (((), None), (("openai:spare",), "Hello.")):
        selection = ModelSelection("openai:usual", fallbacks, 32_000)
        live = choose_assistants(selection, access, 0).assistants.live
        if words is None:
            with pytest.raises(StreamFailureError, match="own"):
                await pieces_of(live, asked)
        else:
            openai.says(words)
            assert words_of(await pieces_of(live, asked)) == words
        await live.aclose()
    assert [asked["model"] for asked in openai.asked] == ["spare"]


def test_agent_may_name_a_model_of_a_server_that_has_a_key() -> None:
    address = "https://models.example/v1"
    access = ProviderAccess({}, {}, address_keys={address: SecretStr("k")})
    upstreams = Upstreams(ModelPlan(()), access)
    upstreams.chain_of(agent(model=f"openai:m@{address}"))
    with pytest.raises(StreamFailureError, match="no key"):
        upstreams.chain_of(agent(model="openai:m@https://other.example/v1"))


@pytest.mark.security(131)
async def test_file_of_an_agent_loads_no_model_file(openai: FakeOpenAi, tmp_path: Path) -> None:
    access = at("openai", f"{openai.base_url}/v1")
    keeper = EngineKeeper()
    selection = ModelSelection("openai:usual", (), 32_000)
    live = choose_assistants(selection, access, 0, keeper).assistants.live
    asked = request(agent=agent(model=f"file:{tmp_path / 'any.gguf'}"))
    with pytest.raises(StreamFailureError, match="model file"):
        await pieces_of(live, asked)
    await live.aclose()
    assert keeper.pid is None


async def test_without_a_choice_only_agents_that_name_a_model_have_one(openai: FakeOpenAi) -> None:
    access = at("openai", f"{openai.base_url}/v1")
    live = choose_assistants(ModelSelection(window=32_000), access, 0).assistants.live
    openai.says("Hello.")
    with_model = await pieces_of(live, request(agent=agent(model="openai:x")))
    without = await pieces_of(live, request())
    offline = await pieces_of(live, request(agent=agent(model="offline")))
    assert (await live.choose_agent("Go", (agent("one"),))).agent == agent("one")
    await live.aclose()
    assert words_of(with_model) == "Hello."
    assert words_of(without) == words_of(offline) != "Hello."


@pytest.mark.parametrize(
    ("page", "row", "window"),
    [
        ("/v1/models", {"data": [{"id": "m", "max_model_len": 9000}]}, 9000),
        ("/v1/models", {"data": [{"id": "other", "max_model_len": 9000}, {"id": "m"}, 5]}, None),
        # A server with one model answers to any name.
        ("/v1/models", {"data": [{"id": "m.gguf", "meta": {"n_ctx": 6000}}]}, 6000),
        ("/props", {"default_generation_settings": {"n_ctx": 7000}}, 7000),
        ("/api/v0/models", {"data": [{"id": "m", "loaded_context_length": 5000}]}, 5000),
        (
            "/api/v0/models",
            {"data": [{"id": "m", "state": "not-loaded", "max_context_length": 99_000}]},
            None,
        ),
        ("/nothing", {}, None),
    ],
)
async def test_server_is_asked_for_the_window_of_its_model(
    openai: FakeOpenAi, page: str, row: dict[str, object], window: int | None
) -> None:
    openai.pages[page] = row
    model_id = ModelId.read(f"openai:m@{openai.base_url}/v1")
    found = await find_window(model_id, _NONE.endpoint(model_id))
    assert found == (None if window is None else ContextWindow(window))


@pytest.mark.parametrize(
    ("name", "window"),
    [
        ("openai:gpt-4", 8192),
        ("openai:gpt-5.4", 1_050_000),
        ("anthropic:claude-sonnet-4-5", 200_000),
        ("google:gemini-2.5-flash", 1_048_576),
        ("openrouter:openai/gpt-4o-mini", 128_000),
        ("xai:grok-3", 131_072),
        # Newer than the list.
        ("openai:new", 128_000),
        ("ollama:anything", 128_000),
    ],
)
def test_window_of_a_provider_s_model_is_in_the_list_that_is_shipped(
    name: str, window: int
) -> None:
    is_assumed = name in ("openai:new", "ollama:anything")
    assert known_window(ModelId.read(name)) == ContextWindow(window, is_assumed)


def test_serve_says_in_a_sentence_why_a_model_cannot_be_used() -> None:
    environ = {"OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}
    code, out, error = run_command("serve", "--port", "0", "--model", "openai:x", env=environ)
    assert (code, out) == (1, "")
    assert "set OPENAI_API_KEY" in error
    assert "Traceback" not in error
