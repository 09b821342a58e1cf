"""Which model servers are found: those that say who they are, and no others."""

import json

import pytest

from local_server.discovery import Found, find_model_servers, report
from tests.support.fake_http import Answer, FakeHttp, Received
from tests.support.fake_ollama import FakeOllama

pytestmark = pytest.mark.anyio

_NOBODY = "http://127.0.0.1:1"


class _Stranger(FakeHttp):
    """Answers every path with one body."""

    def __init__(self, body: object) -> None:
        super().__init__()
        self.body = json.dumps(body).encode()

    def choose(self, request: Received) -> Answer:
        del request
        return Answer(200, self.body)


async def test_servers_that_say_who_they_are_are_found_with_the_models_that_can_chat() -> None:
    models = {"small:1b": ["completion"], "large:9b": ["completion", "tools"], "e": ["embedding"]}
    lm_studio = _Stranger({"models": [{"key": "qwen"}, {"x": 1}, 5]})
    async with FakeOllama(**models) as ollama, lm_studio:
        found = await find_model_servers(ollama.base_url, lm_studio.base_url)
    assert found == (
        Found("ollama", ("large:9b", "small:1b"), is_usable=True),
        Found("lm-studio", ("qwen",), is_usable=False),
    )


async def test_strangers_on_the_ports_and_nobody_are_not_found() -> None:
    bodies: tuple[object, ...] = ([], {"version": 1, "models": "none"}, "text")
    for body in bodies:
        async with _Stranger(body) as stranger:
            assert await find_model_servers(stranger.base_url, stranger.base_url) == ()
    async with _Stranger("") as hostile:
        hostile.body = b"[" * 200_000
        assert await find_model_servers(hostile.base_url, hostile.base_url) == ()
    assert await find_model_servers(_NOBODY, _NOBODY) == ()


async def test_only_what_can_answer_can_be_chosen() -> None:
    found = (
        Found("ollama", ("small:1b",), is_usable=True),
        Found("lm-studio", ("qwen",), is_usable=False),
    )
    offline = {"id": "offline", "provider": "offline", "name": "Built-in assistant"}
    assert report(found) == {
        "models": [offline, {"id": "ollama:small:1b", "provider": "ollama", "name": "small:1b"}],
        "found": [
            {"provider": "ollama", "models": ["small:1b"], "usable": True},
            {"provider": "lm-studio", "models": ["qwen"], "usable": False},
        ],
    }
    nothing = report((Found("ollama", (), is_usable=True),))
    assert nothing["found"] == [{"provider": "ollama", "models": [], "usable": False}]
