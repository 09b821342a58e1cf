"""A program that deletes the chat "c1" over the data in a folder, and dies at one step of it."""

import asyncio
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Final, NoReturn

from app.chat.conversations import Conversations
from app.chat.dependencies import ChatDependencies
from app.store.conversations import ConversationTable, DeletionTable
from local_tools.ledger.ledger import Ledger
from local_tools.undo.undo import UndoStore
from tests.support.chat_fixtures import chat_kit

STEPS: Final = ("words", "record", "copies", "end")
VERSION_STEPS: Final = (*STEPS, "between")
"""The same for a chat with versions, and between two of them."""


class _DyingWords(ConversationTable):
    def __init__(self) -> None:
        """Hold nothing."""

    async def forget(self, conversation_id: str) -> NoReturn:
        _die(conversation_id)


class _DyingLedger(Ledger):
    def __init__(self) -> None:
        """Hold nothing."""

    async def erase(self, profile: str, conversation_id: str) -> NoReturn:
        _die(profile, conversation_id)


class _DyingCopies(UndoStore):
    def __init__(self) -> None:
        """Hold nothing."""

    def erase(self, profile: str, conversation_id: str) -> NoReturn:
        _die(profile, conversation_id)


class _DyingDeletions(DeletionTable):
    def __init__(self, table: DeletionTable, *, is_done_with_one: bool) -> None:
        self._table = table
        self._is_done_with_one = is_done_with_one

    async def add(self, conversation_id: str) -> None:
        await self._table.add(conversation_id)

    async def remove(self, conversation_id: str) -> NoReturn:
        if self._is_done_with_one:
            await self._table.remove(conversation_id)
        _die(conversation_id)


def dying(dependencies: ChatDependencies, step: str) -> ChatDependencies:
    """Return the same storage, with the step at which the program dies."""
    store = dependencies.store
    match step:
        case "words":
            return replace(dependencies, store=replace(store, conversations=_DyingWords()))
        case "record":
            return replace(dependencies, ledger=_DyingLedger())
        case "copies":
            return replace(dependencies, undo=_DyingCopies())
        case "end" | "between":
            deletions = _DyingDeletions(store.deletions, is_done_with_one=step == "between")
            return replace(dependencies, store=replace(store, deletions=deletions))
        case _:
            return dependencies


def _die(*_asked: str) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


async def _delete(data: Path, address: tuple[str, str], step: str) -> None:
    async with chat_kit(data, address=address) as kit:
        conversations = Conversations(dying(kit.dependencies, step), kit.sessions)
        await kit.sessions.versions.load()
        await conversations.delete("c1")


if __name__ == "__main__":
    folder, url, key, where = sys.argv[1:]
    asyncio.run(_delete(Path(folder), (url, key), where))
