"""A service that is killed at any moment loses nothing that it had accepted."""

import asyncio
import contextlib
import itertools
import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

import httpx
import pytest

from tests.support.own_service import READ_FILE, new_client
from tests.support.service import RunningService, listening_socket, running_child

CHAT: Final = "/v1/chat/stream"
RESULT: Final = "/v1/tool-result"
LIST: Final = "/v1/conversations"


@dataclass
class Remembered:
    """What the service has promised to keep of one conversation.

    Attributes:
        accepted: The messages whose streams began, in order.
        doubtful: A message that was sent; whether it arrived was not seen any more.
        call_id: The tool call that waits, once it was seen.
        result: The outcome that was sent for it.
        is_deleted: Its deletion was seen to succeed.
        may_be_deleted: Its deletion was asked for.
    """

    accepted: list[str] = field(default_factory=list)
    doubtful: str | None = None
    call_id: str | None = None
    result: str | None = None
    is_deleted: bool = False
    may_be_deleted: bool = False


class Client:
    """Somebody who chats, runs tools and deletes, until the service is gone.

    Every event that arrives is told to `on_event`. One for each life of the service; what is
    remembered outlives them.
    """

    def __init__(
        self,
        http: httpx.AsyncClient,
        remembered: dict[str, Remembered],
        chance: Random,
        on_event: Callable[[], None],
    ) -> None:
        self._http = http
        self._remembered = remembered
        self._chance = chance
        self._on_event = on_event

    async def live(self) -> None:
        """Act on one new conversation after the other; ends by cancellation or a lost line."""
        for number in itertools.count():
            made = await self._http.post(LIST)
            place: str = made.json()["data"]["id"]
            mine = self._remembered[place] = Remembered()
            await self._say(place, mine, f"This is message {number}.")
            wish = self._chance.choice(("chat", "wait", "tool", "delete"))
            if wish == "chat":
                await self._say(place, mine, "Hello")
            elif wish == "wait":
                await self._say(place, mine, '/tool read_file {"path": "a"}')
            elif wish == "tool":
                await self._say(place, mine, '/tool read_file {"path": "a"}')
                await self.give_result(place, mine)
            else:
                await self._delete(place, mine)

    async def check(self, place: str) -> None:
        """Find a conversation as it was promised, and go on with it."""
        mine = self._remembered[place]
        answer = await self._http.get(f"{LIST}/{place}")
        if mine.may_be_deleted and answer.status_code == 404:
            mine.is_deleted = True
        if mine.is_deleted:
            assert answer.status_code == 404
            return
        assert answer.status_code == 200
        said = [m["content"] for m in answer.json()["data"]["messages"] if m["role"] == "user"]
        if mine.doubtful is not None and len(said) > len(mine.accepted):
            mine.accepted.append(mine.doubtful)
        mine.doubtful = None
        mine.may_be_deleted = False
        assert said == mine.accepted
        if mine.call_id is not None:
            await self.give_result(place, mine)

    async def go_on(self, place: str) -> None:
        """Say something more, which nothing left behind may prevent."""
        mine = self._remembered[place]
        if not mine.is_deleted:
            await self._say(place, mine, "One more message.")

    async def give_result(self, place: str, mine: Remembered) -> None:
        """Answer the call that waits; the same again where it is not known to have arrived."""
        mine.result = "Error: no such file"
        body = {"conversation_id": place, "tool_call_id": mine.call_id, "result": mine.result}
        async for _ in self._events(RESULT, body):
            pass
        mine.call_id = None

    async def _say(self, place: str, mine: Remembered, message: str) -> None:
        mine.doubtful = message
        body = {"conversation_id": place, "message": message, "client_tools": [READ_FILE]}
        async for event in self._events(CHAT, body):
            if event["type"] == "message_start":
                mine.accepted.append(message)
                mine.doubtful = mine.call_id = None
            elif event["type"] == "tool_use":
                mine.call_id = str(event["id"])

    async def _delete(self, place: str, mine: Remembered) -> None:
        mine.may_be_deleted = True
        answer = await self._http.delete(f"{LIST}/{place}")
        mine.is_deleted = answer.status_code == 204
        self._on_event()

    async def _events(
        self, path: str, body: Mapping[str, object]
    ) -> AsyncIterator[dict[str, object]]:
        last: dict[str, object] = {}
        async with self._http.stream("POST", path, json=body) as answer:
            assert answer.status_code == 200, path
            async for line in answer.aiter_lines():
                if line.startswith("data: "):
                    last = json.loads(line.removeprefix("data: "))
                    yield last
                    self._on_event()
        assert last.get("type") == "message_stop", last


_KEY = "pk_live_of_the_killed"
_CLIENTS = 3
_LONGEST_LIFE_EVENTS = 150


@pytest.mark.anyio
@pytest.mark.parametrize(
    "kills",
    [
        3,
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
