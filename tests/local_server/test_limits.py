"""Requests a minute, by plan, on a clock that the test moves."""

from pathlib import Path

import pytest

from local_server.commands.key_command import create_key
from local_server.limits import PLANS
from tests.support.own_service import own_service

pytestmark = pytest.mark.anyio


@pytest.mark.spec("8-exceeded", "7.1-429", "7.2-body")
async def test_request_past_the_limit_is_refused_until_the_minute_has_passed(
    tmp_path: Path,
) -> None:
    async with own_service(tmp_path) as service:
        await service.add_key("pk_live_slow", per_minute=3)
        slow = {"X-API-Key": "pk_live_slow"}
        for _ in range(2):
            assert (await service.client.get("/v1/agents", headers=slow)).status_code == 200
        service.clock.move(20)
        assert (await service.client.get("/v1/nix", headers=slow)).status_code == 404
        refused = await service.client.get("/v1/agents", headers=slow)
        body = {"conversation_id": "c", "message": "m"}
        refused_too = await service.client.post("/v1/chat/stream", json=body, headers=slow)
        service.clock.move(float(refused.headers["retry-after"]))
        answers = [await service.client.get("/v1/agents", headers=slow) for _ in range(3)]
    assert refused.status_code == refused_too.status_code == 429
    assert refused.json()["error"]["code"] == "rate_limited"
    assert refused.headers["retry-after"] == "40"
    assert "3 requests a minute" in refused.json()["error"]["message"]
    assert [answer.status_code for answer in answers] == [200, 200, 429]


@pytest.mark.spec("8-exceeded")
async def test_limit_holds_for_each_key_by_itself(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        for name in ("pk_live_a", "pk_live_b"):
            await service.add_key(name, per_minute=1)
        statuses = [
            (await service.client.get("/v1/agents", headers={"X-API-Key": name})).status_code
            for name in ("pk_live_a", "pk_live_a", "pk_live_b")
        ]
    assert statuses == [200, 429, 200]


@pytest.mark.spec("8-free", "8-pro", "8-enterprise")
@pytest.mark.parametrize(("plan", "custom", "limit"), [("free", None, 60), ("enterprise", 7, 7)])
async def test_plan_says_how_many_requests_a_minute_has(
    tmp_path: Path, plan: str, custom: int | None, limit: int
) -> None:
    assert PLANS == {"free": 60, "pro": 300}
    async with own_service(tmp_path) as service:
        made = await create_key(tmp_path / "data", "demo", "live", plan, custom)
        headers = {"X-API-Key": made.key}
        statuses = [
            (await service.client.get("/v1/agents", headers=headers)).status_code
            for _ in range(limit + 1)
        ]
    assert statuses == [200] * limit + [429]


@pytest.mark.spec("8-exceeded")
async def test_clock_that_was_set_back_locks_nobody_out(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        await service.add_key("pk_live_slow", per_minute=1)
        slow = {"X-API-Key": "pk_live_slow"}
        first = await service.client.get("/v1/agents", headers=slow)
        service.clock.move(-3600)
        statuses = [
            (await service.client.get("/v1/agents", headers=slow)).status_code for _ in range(2)
        ]
    assert [first.status_code, *statuses] == [200, 200, 429]
