"""A service that is killed at any moment loses nothing that it had accepted."""

import asyncio
import contextlib
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import httpx
import pytest

from tests.support.own_service import new_client
from tests.support.service import RunningService, listening_socket, running_child
from tests.support.survivors import Client, Remembered

_KEY = "pk_live_of_the_killed"
_CLIENTS = 3
_LONGEST_LIFE_EVENTS = 150


@pytest.mark.anyio
@pytest.mark.parametrize(
    "kills",
    [
        pytest.param(6, marks=pytest.mark.timeout(180)),
        pytest.param(200, marks=[pytest.mark.long, pytest.mark.timeout(1800)]),
    ],
    ids=["quick", "many"],
)
async def test_service_killed_at_any_moment_loses_nothing_that_it_accepted(
    tmp_path: Path, kills: int
) -> None:
    chance = Random(11)  # noqa: S311 - a seed makes the test the same each time
    data = tmp_path / "service"
    remembered: dict[str, Remembered] = {}
    with contextlib.closing(listening_socket()) as bound:
        for life in range(kills + 1):
            with running_child(data, bound=bound, key=_KEY, pace_s=0.002) as service:
                await _check(service, remembered, chance)
                if life < kills:
                    await _live_and_die(service, remembered, chance)
            assert _is_whole(data)
    assert len(remembered) >= kills


async def _check(
    service: RunningService, remembered: dict[str, Remembered], chance: Random
) -> None:
    """Find everything, and go on with what was under way at the end; the rest is done with."""
    async with new_client(service.base_url, _KEY) as http:
        client = Client(http, remembered, chance, lambda: None)
        for place in remembered:
            await client.check(place)
        await asyncio.gather(*(client.go_on(place) for place in list(remembered)[-_CLIENTS:]))


async def _live_and_die(
    service: RunningService, remembered: dict[str, Remembered], chance: Random
) -> None:
    """Let clients act, and kill the service after a number of events that chance chooses."""
    left = chance.randrange(1, _LONGEST_LIFE_EVENTS)
    is_over = asyncio.Event()

    def count() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            service.process.kill()
            is_over.set()

    async with new_client(service.base_url, _KEY) as http:
        client = Client(http, remembered, chance, count)
        living = [asyncio.create_task(client.live()) for _ in range(_CLIENTS)]
        async with asyncio.timeout(20):
            await is_over.wait()
        # Whoever waits for an answer now would be heard by the next service at this address.
        for task in living:
            task.cancel()
        ends = await asyncio.gather(*living, return_exceptions=True)
    assert all(isinstance(end, httpx.HTTPError | asyncio.CancelledError) for end in ends), ends


def _is_whole(data: Path) -> bool:
    with closing(sqlite3.connect(data / "parley-server.sqlite3")) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
