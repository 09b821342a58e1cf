"""Program or service killed at any moment: nothing is lost, doubled, or run twice."""

import contextlib
from pathlib import Path
from random import Random

import pytest
from pydantic import SecretStr

from app.api.client import ApiClient
from tests.support.chat_fixtures import chat_kit
from tests.support.chat_processes import chatting
from tests.support.clocks import HurriedClock
from tests.support.scripted_chats import Counts, Promised, count
from tests.support.service import address_of, listening_socket, running_child, running_service

pytestmark = pytest.mark.anyio

_KEY = "pk_live_of_the_killed"
_LONGEST_LIFE_LINES = 400
_KILLS = pytest.mark.parametrize(
    "kills",
    [
        2,
        pytest.param(100, marks=[pytest.mark.long, pytest.mark.timeout(2400)]),
    ],
    ids=["quick", "many"],
)


@_KILLS
async def test_kill_at_any_moment_loses_duplicates_and_repeats_nothing(
    tmp_path: Path, kills: int
) -> None:
    chance, promised = Random(7), Promised()  # noqa: S311 - the same each time
    with running_service(tmp_path, pace_s=0.002) as service:
        address = (service.base_url, service.key)
        for life in range(kills):
            async with chatting(tmp_path, address, f"life{life}", mode="live") as child:
                lines = chance.randrange(1, _LONGEST_LIFE_LINES)
                await child.is_followed(promised.hear, lines)
                await child.is_killed()
                await child.is_followed(promised.hear)
        counts = await _counted(tmp_path, address, promised)
    assert counts.accepted > kills // 2
    assert not counts.faults, counts


@_KILLS
async def test_service_killed_at_any_moment_loses_doubles_and_repeats_nothing(
    tmp_path: Path, kills: int
) -> None:
    chance, promised = Random(8), Promised()  # noqa: S311 - the same each time
    data = tmp_path / "service"
    with contextlib.closing(listening_socket()) as bound:
        address = (address_of(bound), _KEY)
        async with chatting(tmp_path, address, "only", mode="live") as child:
            for _ in range(kills):
                with running_child(data, bound=bound, key=_KEY, pace_s=0.002) as service:
                    lines = chance.randrange(1, _LONGEST_LIFE_LINES)
                    await child.is_followed(promised.hear, lines)
                    service.process.kill()
            with running_child(data, bound=bound, key=_KEY):
                await child.is_followed(promised.hear, 1)
                await child.is_killed()
                await child.is_followed(promised.hear)
        with running_child(data, bound=bound, key=_KEY):
            counts = await _counted(tmp_path, address, promised)
    assert counts.accepted > kills // 2
    assert not counts.faults, counts


async def _counted(data: Path, address: tuple[str, str], promised: Promised) -> Counts:
    url, key = address
    async with (
        chat_kit(data, address=address, clock=HurriedClock()) as kit,
        ApiClient(url, SecretStr(key)) as client,
    ):
        return await count(kit, client, promised)
