"""Who is on this computer, or knows nothing but the address: other users, crowds, and guesses."""

import os
import random
import resource
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import quote

import httpx
import psutil
import pytest

from tests.support.own_service import own_service
from tests.support.service import RunningService, get, running_service

_OPERATIONS = (
    "GET /v1/conversations",
    "POST /v1/conversations",
    "GET /v1/conversations/conv_nix",
    "POST /v1/chat/stream",
    "POST /v1/tool-result",
    "GET /v1/agents",
    "GET /v1/skills",
)
_ASK = (
    "exec 3<>/dev/tcp/127.0.0.1/$0; "
    r"printf '%s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "
    '"$1" "$0" >&3; cat <&3'
)
_MB = 1024 * 1024


@pytest.mark.security(53)
@pytest.mark.skipif(os.name == "nt", reason="not run here: Windows has no bash")
def test_another_user_of_this_computer_gets_nowhere(tmp_path: Path) -> None:
    nobody = 65534 if os.geteuid() == 0 else None
    with running_service(tmp_path, plan="pro") as service:
        port = service.base_url.rpartition(":")[2]
        answers = {
            subprocess.run(
                ("bash", "-c", _ASK, port, operation),
                capture_output=True,
                timeout=20,
                check=True,
                env={"PATH": os.defpath},
                cwd="/",
                user=nobody,
                group=nobody,
            ).stdout.partition(b"\r\n\r\n")[2]
            for operation in _OPERATIONS
        }
    [body] = answers
    assert b'"invalid_api_key"' in body
    modes = {path.name: path.stat().st_mode & 0o777 for path in service.data.iterdir()}
    assert service.data.stat().st_mode & 0o777 == 0o700
    assert all(mode & 0o077 == 0 for mode in modes.values()), modes


@pytest.fixture
def many_files() -> Iterator[None]:
    """As many open files as this system allows."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.security(54)
@pytest.mark.usefixtures("many_files")
@pytest.mark.parametrize(
    ("tried", "cap"), [(2000, 200), pytest.param(10_000, 2000, marks=pytest.mark.long)]
)
def test_crowd_of_connections_keeps_nobody_out_and_costs_little(
    tmp_path: Path, tried: int, cap: int
) -> None:
    options = ("--max-connections", str(cap))
    with running_service(tmp_path, plan="enterprise", per_minute=10**6, options=options) as service:
        process = psutil.Process(service.process.pid)
        for _ in range(20):
            _is_served_anew(service)
        before = process.memory_info().rss
        with ExitStack() as crowd:
            for place in range(tried):
                crowd.enter_context(closing(_stranger(service)))
                if place % 200 == 0:
                    _is_served_anew(service)
            _is_served_anew(service)
            assert len(process.net_connections("tcp")) <= cap + 1
            assert process.memory_info().rss - before < 50 * _MB
        _is_served_anew(service)


def _stranger(service: RunningService) -> socket.socket:
    host, _, port = service.base_url.removeprefix("http://").partition(":")
    connection = socket.create_connection((host, int(port)), timeout=20)
    connection.sendall(b"GET /v1/agents HTTP/1.1\r\n")
    return connection


def _is_served_anew(service: RunningService) -> None:
    """Somebody with a key comes, on a connection of their own."""
    assert get(f"{service.base_url}/v1/agents", service.key).status_code == 200


_PARTS = (
    *(
        "' OR 1=1 --",
        '"; DROP TABLE messages; --',
        "%",
        "_",
        "*",
        "\\",
        "\0",
        "';",
        "1 UNION SELECT",
    ),
    *("-1", "2147483648", str(2**63), "9" * 40, "1e3", "NaN", "0x10", ";drop", "asc;", "desc--"),
    *(
        "..",
        "/",
        "%00",
        "%2e%2e%2f",
        "{}",
        "[]",
        "null",
        "true",
        "\N{PILE OF POO}",
        "\u202e",
        "x" * 3000,
    ),
)


@pytest.mark.anyio
@pytest.mark.security(57)
async def test_guesses_at_the_database_change_nothing_and_break_nothing(tmp_path: Path) -> None:
    chance = random.Random(57)  # noqa: S311 - the same guesses each time
    statuses = set()
    async with own_service(tmp_path) as service:
        await service.chat(await service.create(), "Hello")
        before = _rows(tmp_path)
        for _ in range(500):
            answer = await service.client.send(_guess(service.client, chance))
            statuses.add(answer.status_code)
        after = _rows(tmp_path)
    assert statuses <= {200, 400, 404, 405}
    assert before == after


def _guess(client: httpx.AsyncClient, chance: random.Random) -> httpx.Request:
    def part() -> str:
        return "".join(chance.choices(_PARTS, k=chance.randint(1, 3)))

    kind = chance.randrange(5)
    one = f"/v1/conversations/{quote(part(), safe='')}"
    if kind == 0:
        names = ("limit", "offset", "order", part()[:20])
        asked = {name: part() for name in chance.sample(names, 2)}
        return client.build_request("GET", "/v1/conversations", params=asked)
    if kind == 1:
        return client.build_request(chance.choice(("GET", "DELETE")), one)
    body = {"conversation_id": part(), "message": part()}
    if kind == 2:
        return client.build_request("POST", "/v1/chat/stream", json=body)
    if kind == 3:
        named = body | {"agent_name": part()}
        return client.build_request("POST", "/v1/chat/stream", json=named)
    result = {"conversation_id": part(), "tool_call_id": part(), "result": part()}
    return client.build_request("POST", "/v1/tool-result", json=result)


def _rows(tmp_path: Path) -> list[str]:
    with closing(sqlite3.connect(tmp_path / "data" / "parley-server.sqlite3")) as database:
        return list(database.iterdump())
