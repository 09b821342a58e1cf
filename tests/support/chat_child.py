"""A program that chats by itself, to be killed in the middle.

It opens the chat "c1" over the data in a folder, sends one message, allows every call when it
is told to, and prints a line for each state it comes to, `kept` once reply text is on the disk.
In the mode `live` it goes on for ever instead, with chats of its own; the text is its name then.
"""

import asyncio
import sys
from pathlib import Path

from app.approvals.queue import Allowed
from tests.support.chat_fixtures import Chat, ChatKit, chat_kit
from tests.support.clocks import HurriedClock
from tests.support.scripted_chats import ScriptedChats


async def _chat(data: Path, address: tuple[str, str], text: str, *, is_allowing: bool) -> None:
    async with chat_kit(data, address=address, clock=HurriedClock()) as kit:
        chat = await kit.open()
        await chat.session.set_folder(data)
        chat.session.subscribe_state(lambda state: _say(state.turn))
        if is_allowing:
            kit.approvals.subscribe(lambda _id: _allow(kit))
        await chat.send(text)
        _say("accepted")
        await _tell_when_kept(kit, chat)
        await asyncio.Event().wait()


async def _tell_when_kept(kit: ChatKit, chat: Chat) -> None:
    await chat.until(lambda: bool(chat.text))
    while not any(piece.text for turn in await kit.turns() for piece in turn.pieces):
        pass
    _say("kept")


async def _live(data: Path, address: tuple[str, str], name: str) -> None:
    async with chat_kit(data, address=address, clock=HurriedClock()) as kit:
        chats = ScriptedChats(kit, name, _say)
        await chats.go_on()
        await chats.live()


def _allow(kit: ChatKit) -> None:
    for card in kit.approvals.waiting("c1"):
        kit.approvals.answer(card.request.request_id, card.generation, Allowed())


def _say(what: object) -> None:
    sys.stdout.write(f"{getattr(what, 'value', what)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    folder, url, key, message, mode = sys.argv[1:]
    if mode == "live":
        asyncio.run(_live(Path(folder), (url, key), message))
    else:
        asyncio.run(_chat(Path(folder), (url, key), message, is_allowing=mode == "allow"))
