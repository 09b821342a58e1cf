"""Other models and keys while the service runs: told on standard input, without a restart."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from local_server.assistant.assistants import ChangingAssistant
from local_server.assistant.models.providers import ModelId, ProviderAccess
from tests.support.event_streams import read_events, text_of
from tests.support.fake_models import KEY, FakeOpenAi, request, words_of
from tests.support.scripted_assistant import ScriptedAssistant
from tests.support.service import (
    address_of,
    end,
    launch_line,
    listening_socket,
    read_line,
    write_line,
)

pytestmark = pytest.mark.anyio

_LAUNCH_KEY = "pk_live_" + "k" * 40


@contextmanager
def _child(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    bound = listening_socket()
    command = (sys.executable, "-m", "local_server.cli", "serve", "--child")
    data = ("--data-dir", str(tmp_path / "data"), "--fd", str(bound.fileno()))
    with bound, (tmp_path / "log").open("wb") as errors:
        process = subprocess.Popen(
            (*command, *data),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            pass_fds=(bound.fileno(),),
            env={**os.environ, "OPENAI_API_KEY": "sk-other"},
        )
        try:
            write_line(process, launch_line(_LAUNCH_KEY, "s" * 40) + "\n")
            read_line(process, lambda line: "ready" in line)
            yield address_of(bound), process
        finally:
            end(process)


async def _listed(client: httpx.AsyncClient) -> list[str]:
    return [model["id"] for model in (await client.get("/v1/models")).json()["data"]]


async def test_key_for_an_address_counts_at_once_and_for_that_address_alone(
    tmp_path: Path,
) -> None:
    async with FakeOpenAi() as provider, FakeOpenAi() as other:
        provider.says("Hello.")
        provider.pages["/v1/models"] = {"data": [{"id": "small"}, {"id": "large"}]}
        base = f"{provider.base_url}/v1"
        model = f"openai:small@{base}"
        change: dict[str, Any] = {
            "model": model,
            "models": [f"openai:small@{other.base_url}/v1"],
            "address_keys": {base: KEY, "http://192.0.2.1/v1": "sk-plain-http"},
        }
        headers = {"X-API-Key": _LAUNCH_KEY}
        with _child(tmp_path) as (address, process):
            async with httpx.AsyncClient(
                base_url=address, headers=headers, trust_env=False, timeout=30
            ) as client:
                assert await _listed(client) == ["offline"]
                for line in ("nonsense", '{"model": 5}', "x" * 3_000_000, json.dumps(change)):
                    write_line(process, line + "\n")
                while model not in (listed := await _listed(client)):
                    pass
                rows = (await client.get("/v1/models")).json()["data"]
                defaults = [row["id"] for row in rows if row["is_default"]]
                chat = (await client.post("/v1/conversations")).json()["data"]["id"]
                asked = {"conversation_id": chat, "message": "Go", "agent_name": "assistant"}
                answered = await client.post("/v1/chat/stream", json={**asked, "model": model})
            assert process.poll() is None
    assert listed[:1] == [model]
    assert f"openai:large@{base}" in listed
    assert defaults == [model]
    assert text_of(read_events(answered.content)) == "Hello."
    [question] = [one for one in provider.requests if provider.is_question(one)]
    assert question.header("Authorization") == f"Bearer {KEY}"
    assert all(one.header("Authorization") is None for one in other.requests)
    assert KEY not in (tmp_path / "log").read_text(encoding="utf-8")


async def test_instructions_of_the_user_go_before_those_of_the_agent_without_a_restart(
    tmp_path: Path,
) -> None:
    async with FakeOpenAi() as provider:
        provider.says("Hello.")
        provider.says("Hello again.")
        base = f"{provider.base_url}/v1"
        model = f"openai:small@{base}"
        other = f"openai:other@{base}"
        change = {"model": model, "models": [], "address_keys": {base: KEY}}
        told = {**change, "instructions": " Write British English. "}
        with _child(tmp_path) as (address, process):
            async with httpx.AsyncClient(
                base_url=address,
                headers={"X-API-Key": _LAUNCH_KEY},
                trust_env=False,
                timeout=30,
            ) as client:
                chat = (await client.post("/v1/conversations")).json()["data"]["id"]
                asked = {"conversation_id": chat, "message": "Go", "agent_name": "assistant"}
                too_long = {**change, "model": "offline", "instructions": "x" * 16_001}
                for line in (told, too_long):
                    write_line(process, json.dumps(line) + "\n")
                while model not in await _listed(client):
                    pass
                await client.post("/v1/chat/stream", json=asked)
                write_line(process, json.dumps({**change, "models": [other]}) + "\n")
                while other not in await _listed(client):
                    pass
                await client.post("/v1/chat/stream", json=asked)
    first, second = (
        one.json["messages"][0]["content"] for one in provider.requests if provider.is_question(one)
    )
    assert first == f"Write British English.\n\n{second}"
    assert "British" not in second


@pytest.mark.parametrize(
    ("given", "asked", "gets_key"),
    [
        ("https://a.example/v1", "https://a.example/other", True),
        ("https://a.example:443/v1", "https://a.example/v1", True),
        ("https://a.example/v1", "https://a.example:8443/v1", False),
        ("https://a.example/v1", "http://a.example/v1", False),
        ("https://a.example/v1", "https://b.a.example/v1", False),
        ("http://a.example/v1", "http://a.example/v1", False),
        ("https://me@a.example/v1", "https://me@a.example/v1", False),
        ("http://127.0.0.1:1234/v1", "http://127.0.0.1:1234/v1", True),
        ("http://127.0.0.1:1234/v1", "http://localhost:1234/v1", False),
        ("http://127.0.0.1.example/v1", "http://127.0.0.1.example/v1", False),
    ],
)
def test_key_of_an_address_is_for_its_exact_origin(given: str, asked: str, gets_key: bool) -> None:
    access = ProviderAccess.of_launch({}, {}, {given: SecretStr(KEY)})

    endpoint = access.endpoint(ModelId("openai", "m", asked))

    assert (endpoint.key is not None) == gets_key
    assert not endpoint.is_official


class _Closing(ScriptedAssistant):
    """Notes that it was closed."""

    is_closed = False

    async def aclose(self) -> None:
        self.is_closed = True


async def test_reply_goes_on_with_the_models_that_it_began_with() -> None:
    first, second = _Closing(("One ", "two.")), _Closing(("Three.",))
    changing = ChangingAssistant(first)
    async with aclosing(changing.reply(request())) as reply:
        begun = [await anext(reply)]
        changing.change(second)
        later = [piece async for piece in changing.reply(request())]
        assert not first.is_closed
        begun += [piece async for piece in reply]
    assert (words_of(begun), words_of(later)) == ("One two.", "Three.")
    await changing.aclose()
    assert (first.is_closed, second.is_closed) == (True, True)
