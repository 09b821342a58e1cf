"""Somebody who chats, lets tools run and deletes, while the program or the service is killed.

What happens is said line by line, so that whoever hears it knows what must be found again:

    made CHAT                 a conversation is there
    accepted CHAT TEXT        a message is on the disk
    deleting CHAT             from here on it may be gone
    deleted CHAT              it is gone
    .                         something else happened
"""

import itertools
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from app.api.client import ApiClient
from app.approvals.queue import Allowed
from app.chat.items import Action, Notice, SendState, UserMessage
from app.common.errors import UserFacingError
from tests.support.chat_fixtures import Chat, ChatKit

_LATEST: Final = 3
_PASSES: Final = 6
_UNDELIVERED: Final = frozenset({SendState.FAILED, SendState.UNSENT, SendState.UNCONFIRMED})
_AGAIN: Final = frozenset({Action.SEND_AGAIN, Action.TRY_AGAIN})
_RAN: Final = "ran.txt"


class ScriptedChats:
    """Acts in one chat after the other, as chance says. One for each life of the program."""

    def __init__(self, kit: ChatKit, name: str, say: Callable[[str], None]) -> None:
        self._kit = kit
        self._name = name
        self._say = say
        self._chance = Random(name)  # noqa: S311 - a seed makes the test the same each time
        self._folder = kit.home / "work"
        self._folder.mkdir(exist_ok=True)
        self._numbers = itertools.count()
        kit.approvals.subscribe(self._allow)

    async def go_on(self) -> None:
        """Open the latest chats and bring what was cut off there to its end."""
        try:
            await self._kit.conversations.refresh()
        except UserFacingError:
            self._say(".")
        for row in self._kit.conversations.rows[:_LATEST]:
            await self.settle(row.conversation_id)

    async def live(self) -> None:
        """Begin one chat after the other; ends by cancellation."""
        while True:
            try:
                chat = await self._follow(await self._kit.conversations.create())
                await self._act(chat)
            except UserFacingError:
                self._say(".")
                continue
            await self.settle(chat.session.conversation_id)

    async def settle(self, conversation_id: str) -> None:
        """Click until every message of a chat has arrived; gives up after a few rounds."""
        try:
            chat = await self._follow(conversation_id)
            for _ in range(_PASSES):
                await chat.session.load()
                await chat.is_idle()
                if not await self._click(chat):
                    break
        except UserFacingError:
            self._say(".")

    async def _follow(self, conversation_id: str) -> Chat:
        self._say(f"made {conversation_id}")
        chat = await self._kit.open(conversation_id)
        chat.session.transcript.subscribe(lambda _change: self._say("."))
        chat.session.subscribe_state(lambda _state: self._say("."))
        await chat.session.set_folder(self._folder)
        return chat

    async def _act(self, chat: Chat) -> None:
        place = chat.session.conversation_id
        match self._chance.choice(("chat", "queue", "tool", "tool", "stop", "delete")):
            case "chat":
                await self._send(chat, "Hello")
            case "queue":
                await self._send(chat, "Hello")
                await self._send(chat, "And again")
            case "tool":
                await self._send(chat, "", is_tool=True)
            case "stop":
                await self._send(chat, "Tell me something long about boats and the wind")
                await chat.until(lambda: bool(chat.text) or not chat.session.state.is_busy)
                chat.session.stop()
            case _:
                await self._send(chat, "", is_tool=True)
                self._say(f"deleting {place}")
                await self._kit.conversations.delete(place)
                self._say(f"deleted {place}")
                return
        await chat.is_idle()

    async def _send(self, chat: Chat, words: str, *, is_tool: bool = False) -> None:
        mark = f"{self._name}.{next(self._numbers)}"
        text = f"{mark} {words}"
        if is_tool:
            command = json.dumps({"argv": ["sh", "-c", f"echo {mark} >> {_RAN}"]})
            text = f"/tool run_command {command}"
        await chat.send(text)
        self._say(f"accepted {chat.session.conversation_id} {text}")

    async def _click(self, chat: Chat) -> bool:
        """Do what is offered for a message that did not arrive; False when all have."""
        for message in chat.user_messages:
            if message.state is SendState.HELD:
                await chat.session.act(message.key, Action.SEND_NOW)
                return True
            if message.state in _UNDELIVERED:
                notice = _notice_of(chat, message)
                [action] = [each for each in notice.actions if each in _AGAIN]
                await chat.session.act(notice.key, action)
                return True
        return False

    def _allow(self, conversation_id: str) -> None:
        for card in self._kit.approvals.waiting(conversation_id):
            self._kit.approvals.answer(card.request.request_id, card.generation, Allowed())


@dataclass
class Promised:
    """What was said of all chats, over all lives.

    Attributes:
        accepted: The messages of each chat, in order.
        doomed: The chats whose deletion was begun.
        deleted: Those whose deletion was seen to succeed.
    """

    accepted: dict[str, list[str]] = field(default_factory=dict)
    doomed: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)

    def hear(self, line: str) -> None:
        """Note a line."""
        verb, _, rest = line.partition(" ")
        match verb:
            case "made":
                self.accepted.setdefault(rest, [])
            case "accepted":
                place, _, text = rest.partition(" ")
                self.accepted[place].append(text)
            case "deleting":
                self.doomed.add(rest)
            case "deleted":
                self.deleted.add(rest)


@dataclass
class Counts:
    """What became of what was promised."""

    accepted: int = 0
    ran: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    run_twice: list[str] = field(default_factory=list)
    not_deleted: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """Everything that must not be."""
        return [*self.lost, *self.doubled, *self.run_twice, *self.not_deleted]


async def count(kit: ChatKit, client: ApiClient, promised: Promised) -> Counts:
    """Settle every chat, then look for what was promised, here and at the service."""
    counts = Counts()
    person = ScriptedChats(kit, "last", lambda _line: None)
    for place, texts in promised.accepted.items():
        try:
            await client.get_conversation(place)
        except UserFacingError:
            counts.lost += [] if place in promised.doomed else texts
            continue
        if place in promised.deleted:
            counts.not_deleted.append(place)
        if place in promised.doomed:
            continue
        await person.settle(place)
        chat = await kit.open(place)
        shown = Counter(message.text for message in chat.user_messages)
        there = await client.get_conversation(place)
        held = Counter(m.content for m in there.messages if m.role.value == "user")
        counts.accepted += len(texts)
        counts.lost += [text for text in texts if not (shown[text] and held[text])]
        every = {*shown, *held}
        counts.doubled += [text for text in every if max(shown[text], held[text]) > 1]
        chat.close()
    ran = Counter(_ran_marks(kit))
    counts.ran = len(ran)
    counts.run_twice = [mark for mark, times in ran.items() if times > 1]
    return counts


def _ran_marks(kit: ChatKit) -> list[str]:
    file = kit.home / "work" / _RAN
    return file.read_text(encoding="utf-8").split() if file.exists() else []


def _notice_of(chat: Chat, message: UserMessage) -> Notice:
    found = chat.session.transcript.find(f"{message.key}!")
    assert isinstance(found, Notice), message
    return found
