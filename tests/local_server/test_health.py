"""What a load balancer asks: without a key, and answered without content."""

import asyncio
import threading
from pathlib import Path

import httpx
import pytest
from sqlalchemy import Connection

from local_server.store.database import READERS, SqlDatabase, StoreUnavailableError
from tests.support.own_service import own_service

pytestmark = pytest.mark.anyio


@pytest.mark.security(55)
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_health_is_told_without_a_key_by_any_name_and_without_content(
    tmp_path: Path, path: str
) -> None:
    async with own_service(tmp_path) as service:
        del service.client.headers["X-API-Key"]
        for method in ("GET", "HEAD"):
            for host in ("10.1.2.3:8422", "parley"):
                answer = await service.client.request(method, path, headers={"Host": host})
                assert (answer.status_code, answer.content) == (200, b""), host
        page = await service.client.get(path, headers={"Origin": "https://evil.example"})
        posted = await service.client.post(path)
        beneath = await service.client.get(f"{path}/more")
    assert (page.status_code, posted.status_code, beneath.status_code) == (403, 405, 401)


async def test_service_is_not_ready_while_its_data_cannot_be_reached_but_alive(
    tmp_path: Path,
) -> None:
    async with own_service(tmp_path) as service:
        await _forget_connections(service.store.database)
        (tmp_path / "data" / "parley-server.sqlite3").rename(tmp_path / "away")
        (tmp_path / "data" / "parley-server.sqlite3").mkdir()
        ready = await service.client.get("/readyz")
        alive = await service.client.get("/healthz")
        (tmp_path / "data" / "parley-server.sqlite3").rmdir()
        (tmp_path / "away").rename(tmp_path / "data" / "parley-server.sqlite3")
        again = await service.client.get("/readyz")
    assert (ready.status_code, ready.content) == (503, b"")
    assert (alive.status_code, again.status_code) == (200, 200)


async def _forget_connections(database: SqlDatabase) -> None:
    """Let the next operations open the file anew: an operation that fails ends its connection."""
    together = threading.Barrier(READERS)

    def fail(connection: Connection) -> None:
        together.wait(5)
        connection.detach()
        raise StoreUnavailableError

    reads = (database.read(fail) for _ in range(READERS))
    ends = await asyncio.gather(*reads, return_exceptions=True)
    assert {type(end) for end in ends} == {StoreUnavailableError}


async def test_health_does_not_count_against_anybodys_limit(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        await service.add_key("pk_live_once", per_minute=1)
        once = {"X-API-Key": "pk_live_once"}
        asked = [await service.client.get("/readyz", headers=once) for _ in range(3)]
        answer: httpx.Response = await service.client.get("/v1/agents", headers=once)
    assert {answer.status_code for answer in (*asked, answer)} == {200}
