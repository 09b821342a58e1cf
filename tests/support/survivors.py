"""Clients of a service that is killed under them, and what they may expect to find again."""

import itertools
import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final

import httpx

from tests.support.own_service import READ_FILE

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
