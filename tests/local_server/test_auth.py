"""Keys: on every request, before anything else is looked at."""

import asyncio
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr
from starlette.responses import PlainTextResponse

from local_server.application import create_app
from local_server.assistant.assistants import Assistants
from local_server.assistant.demo import DemoAssistant
from local_server.auth import LaunchKey, WrongKeys, hash_key
from local_server.coordination import Coordination
from local_server.middleware import KeyGate
from local_server.settings import ServiceSettings
from local_server.store.opening import ServiceStore
from local_server.store.records import Mode
from tests.support.own_service import KEY, HandClock, own_service

pytestmark = pytest.mark.anyio

_OPERATIONS = (
    ("GET", "/v1/conversations"),
    ("POST", "/v1/conversations"),
    ("GET", "/v1/conversations/{id}"),
    ("DELETE", "/v1/conversations/{id}"),
    ("POST", "/v1/chat/stream"),
    ("POST", "/v1/tool-result"),
    ("GET", "/v1/agents"),
    ("GET", "/v1/skills"),
)


@pytest.mark.spec("4-key-everywhere", "5-invalid", "4.2-401", "4.3-401", "7.1-401")
@pytest.mark.spec("7.2-invalid-api-key", "5-header")
@pytest.mark.security(56)
async def test_without_a_valid_key_every_answer_is_the_same_401(tmp_path: Path) -> None:
    wrong = [b"", b"pk_live_wrong", KEY.encode() + b"x", b"\xff\xfe", b"x" * 5000]
    headers: list[list[tuple[bytes, bytes]]] = [[], *([(b"X-API-Key", key)] for key in wrong)]
    headers.append([(b"X-API-Key", KEY.encode()), (b"X-API-Key", KEY.encode())])
    headers.append([(b"Authorization", b"Bearer " + KEY.encode())])
    answers = set()
    async with own_service(tmp_path) as service:
        conversation_id = await service.create()
        del service.client.headers["X-API-Key"]
        places = [(method, path.format(id=conversation_id)) for method, path in _OPERATIONS]
        places += [("GET", "/v1/conversations/conv_nix"), ("GET", "/nix"), ("PUT", "/v1/agents")]
        for method, path in places:
            for presented in headers:
                answer = await service.client.request(method, path, headers=presented)
                answers.add((answer.status_code, answer.content))
        huge = b" " * (9 * 1024 * 1024)
        answer = await service.client.post("/v1/chat/stream", content=huge)
        answers.add((answer.status_code, answer.content))
        service.client.headers["X-API-Key"] = KEY
        assert await service.messages(conversation_id) == []
    [(status, body)] = answers
    assert status == 401
    assert b'"code":"invalid_api_key"' in body


@pytest.mark.spec("5-header", "5-live-and-test", "1-project-key")
async def test_live_and_test_keys_of_a_project_are_valid_until_revoked(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        keys: tuple[tuple[str, Mode], ...] = (("pk_live_a", "live"), ("pk_test_b", "test"))
        for key, mode in keys:
            key_id = await service.add_key(key, mode=mode)
            mine = {"X-API-Key": key}
            before = await service.client.get("/v1/agents", headers=mine)
            assert await service.store.keys.revoke(key_id)
            assert not await service.store.keys.revoke(key_id)
            after = await service.client.get("/v1/agents", headers=mine)
            assert (before.status_code, after.status_code) == (200, 401)


@pytest.mark.security(64)
async def test_keys_are_stored_as_hashes_alone(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        record = await service.store.keys.find(hash_key(KEY.encode()))
        contents = [path.read_bytes() for path in (tmp_path / "data").iterdir()]
    assert record is not None
    assert record.owner.project == "tests"
    assert not any(KEY.encode() in content for content in contents)


@pytest.mark.security(53)
async def test_guessing_becomes_slow_and_a_right_key_does_not() -> None:
    clock, pause = HandClock(), asyncio.Event()
    gate = KeyGate(
        PlainTextResponse("in"),
        keys=LaunchKey(SecretStr(KEY)),
        wrong_keys=WrongKeys(clock, pause.wait),
        open_paths=frozenset(),
    )
    client = httpx.AsyncClient(transport=httpx.ASGITransport(gate), base_url="http://gate")
    right, wrong = {"X-API-Key": KEY}, {"X-API-Key": "pk_live_guessed"}
    async with client:
        for _ in range(20):
            assert (await client.get("/", headers=wrong)).status_code == 401
        late = asyncio.create_task(client.get("/", headers=wrong))
        for _ in range(30):
            assert (await client.get("/", headers=right)).status_code == 200
            assert (await client.get("/")).status_code == 401
        assert not late.done()
        clock.move(61)
        assert (await client.get("/", headers=wrong)).status_code == 401
        pause.set()
        assert (await late).status_code == 401


@pytest.mark.security(53)
async def test_the_whole_service_slows_guessing_down_by_what_it_is_set_to(tmp_path: Path) -> None:
    clock = HandClock()
    store = await ServiceStore.open(tmp_path / "data", clock)
    settings = ServiceSettings(
        frozenset({"service"}), launch_key=SecretStr(KEY), wrong_key_delay_s=24 * 3600
    )
    demo = DemoAssistant(0)
    app = create_app(
        settings, store, Assistants(demo, demo), clock, Coordination.in_this_process(clock, 0)
    )
    transport = httpx.ASGITransport(app)
    right, wrong = {"X-API-Key": KEY}, {"X-API-Key": "pk_live_guessed"}
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:
        for _ in range(20):
            assert (await client.get("/v1/agents", headers=wrong)).status_code == 401
        late = asyncio.create_task(client.get("/v1/agents", headers=wrong))
        for _ in range(5):
            assert (await client.get("/v1/agents", headers=right)).status_code == 200
        assert not late.done()
        late.cancel()
        await asyncio.wait({late})
    await store.aclose()
    assert ServiceSettings(frozenset()).wrong_key_delay_s > 0
