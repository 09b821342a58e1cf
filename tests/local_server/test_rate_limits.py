"""Requests a minute, by plan, on a clock that the test moves."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from local_server.auth import PLANS
from local_server.commands.key_command import create_key
from local_server.coordination import InProcessRateLimits
from tests.support.own_service import KEY, own_service

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


@pytest.mark.spec("8-exceeded")
async def test_every_answer_says_what_is_left_of_the_minute_our_choice(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        await service.add_key("pk_live_slow", per_minute=3)
        slow = {"X-API-Key": "pk_live_slow"}
        answers = [await service.client.get("/v1/agents", headers=slow)]
        service.clock.move(20)
        answers.append(await service.client.get("/v1/nix", headers=slow))
        chat = {"conversation_id": "conv_nix", "message": "Hello"}
        answers.append(await service.client.post("/v1/chat/stream", json=chat, headers=slow))
        answers.append(await service.client.get("/v1/agents", headers=slow))
        nobody = await service.client.get("/v1/agents", headers={"X-API-Key": "wrong"})
    names = ("ratelimit-limit", "ratelimit-remaining", "ratelimit-reset")
    said = [tuple(answer.headers[name] for name in names) for answer in answers]
    assert [answer.status_code for answer in answers] == [200, 404, 404, 429]
    assert said == [("3", "2", "60"), ("3", "1", "40"), ("3", "0", "40"), ("3", "0", "40")]
    assert not set(names) & set(nobody.headers)


async def test_key_without_a_limit_is_told_of_none(tmp_path: Path) -> None:
    async with own_service(tmp_path, proof_secret="s" * 40, launch_key=KEY) as service:
        answer = await service.client.get("/v1/agents")
    assert answer.status_code == 200
    assert "ratelimit-limit" not in answer.headers


@pytest.mark.spec("8-exceeded", "8-free")
@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    limit=st.integers(1, 6),
    pauses=st.lists(st.sampled_from([0.0, 0.5, 7.0, 19.9, 30.0, 59.9, 60.0, 61.0]), max_size=60),
)
def test_no_sliding_minute_ever_holds_more_and_what_is_refused_does_not_count(
    limit: int, pauses: list[float]
) -> None:
    async def run() -> None:
        moment = datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC)
        limits = InProcessRateLimits(lambda: moment)
        accepted: list[float] = []
        for pause in pauses:
            moment += timedelta(seconds=pause)
            window = await limits.count("key", limit)
            now = moment.timestamp()
            recent = [time for time in accepted if time > now - 60]
            assert window.is_counted == (len(recent) < limit)
            if window.is_counted:
                accepted.append(now)
                recent.append(now)
            assert window.count == len(recent)

    asyncio.run(run())
