"""Delete chats: at the service, then every word of them on this computer.

A deletion is written down before its first step and crossed out after its last, so that one that is
cut off by a kill or a full disk is finished at the next start. Each step can be repeated. If the
service gave no answer, the next start only looks whether the chat is gone: one that is still there
is not deleted before the person asks again.

`ConversationDeletions` does this for one profile. `purge_local_data` and `purge_tool_calls` remove
only what this computer keeps of chats, and leave the chats themselves.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection

from app.api.errors import ApiError, InvalidKey, NotFound, RateLimited, Refused, ServerFailed
from app.chat.dependencies import ChatDependencies
from app.common.error_messages import ErrorCode
from app.store.errors import StoreError
from app.store.store import ProfileStore
from local_tools.ledger.ledger import Ledger
from local_tools.ledger.steps import LedgerError
from local_tools.undo.undo import UndoStore


async def purge_local_data(store: ProfileStore, ledger: Ledger, undo: UndoStore) -> tuple[str, ...]:
    """Remove every word of a profile's chats from this computer; return the ids of those chats.

    What the service has stays there, and what tools did stays recorded without its words.

    Raises:
        StoreError: not everything could be removed; asked again, the rest is.
    """
    conversation_ids = await store.conversations.ids()
    for conversation_id in conversation_ids:
        await purge_tool_calls(store.profile, conversation_id, ledger, undo)
    await store.conversations.forget_all()
    return conversation_ids


async def purge_tool_calls(
    profile: str, conversation_id: str, ledger: Ledger, undo: UndoStore
) -> None:
    """Remove the words of a chat's tool calls, and the copies of what they changed.

    Raises:
        StoreError: not everything could be removed; asked again, the rest is.
    """
    try:
        await ledger.erase(profile, conversation_id)
        await asyncio.to_thread(undo.erase, profile, conversation_id)
    except (LedgerError, OSError) as exc:
        raise StoreError(ErrorCode.STORE_UNWRITABLE) from exc


log = logging.getLogger(__name__)


class ConversationDeletions:
    """Deletes the chats of one profile. Made by `Conversations`; holds nothing open."""

    def __init__(self, dependencies: ChatDependencies) -> None:
        self._client = dependencies.client
        self._store = dependencies.store
        self._ledger = dependencies.ledger
        self._undo = dependencies.undo
        self._running: set[str] = set()
        self._cut_off: set[str] = set()
        self._in_doubt: set[str] = set()
        self._is_loaded = False

    @property
    def cut_off(self) -> Collection[str]:
        """The chats whose deletion began, and is finished when that becomes possible."""
        return self._cut_off

    async def load(self) -> None:
        """Find the deletions that were cut off, and erase what is left of them here.

        Raises:
            StoreError: they cannot be read.
        """
        if self._is_loaded:
            return
        found = await self._store.deletions.all()
        # After reading: where that failed, the next call reads again.
        self._is_loaded = True
        self._in_doubt |= {found_id for found_id, is_in_doubt in found.items() if is_in_doubt}
        for conversation_id in found.keys() - self._in_doubt - self._running:
            self._cut_off.add(conversation_id)
            try:
                await self._erase(conversation_id)
            except StoreError as exc:
                log.info("The text of a deleted chat is still stored: %s", exc.reason)

    async def finish(self, on_gone: Callable[[str], Awaitable[None]]) -> None:
        """Finish the deletions that were cut off; what does not succeed now is tried again.

        `on_gone` is called for each chat that the service has no longer, before it is erased here.
        """
        for conversation_id in (self._cut_off | self._in_doubt) - self._running:
            try:
                if await self._is_gone_there(conversation_id):
                    await on_gone(conversation_id)
                    await self.erase_here(conversation_id)
                else:
                    await self._withdraw(conversation_id)
            except ApiError as exc:
                log.info("A chat is not yet deleted on the service: %s", exc.reason)
                if _is_for_good(exc):
                    await self._withdraw(conversation_id)
            except StoreError as exc:
                log.info("The text of a deleted chat is still stored: %s", exc.reason)

    async def plan(self, conversation_ids: Collection[str]) -> None:
        """Write down that chats are deleted; `finish` does it, in this run or the next.

        Raises:
            StoreError: it could not be written down, and none is deleted.
        """
        for conversation_id in conversation_ids:
            await self._store.deletions.add(conversation_id)
        self._cut_off |= frozenset(conversation_ids)
        self._in_doubt -= frozenset(conversation_ids)

    async def withdraw(self, conversation_ids: Collection[str]) -> None:
        """Cancel the planned deletions of these chats."""
        for conversation_id in conversation_ids:
            await self._withdraw(conversation_id)

    async def remove_there(self, conversation_id: str) -> None:
        """Write down that a chat is deleted, and have the service remove it.

        Raises:
            StoreError: it could not be written down, so nothing was removed.
            ApiError: the service did not remove it, or did not say so; the deletion is off.
        """
        await self._store.deletions.add(conversation_id)
        self._running.add(conversation_id)
        self._in_doubt.discard(conversation_id)
        try:
            await self._remove_there(conversation_id)
        except ApiError as exc:
            self._running.discard(conversation_id)
            if exc.was_maybe_delivered:
                await self._doubt(conversation_id)
            else:
                await self._withdraw(conversation_id)
            raise

    async def erase_here(self, conversation_id: str) -> None:
        """Remove every word of a chat that the service has removed; its deletion ends here.

        Raises:
            StoreError: not everything could be removed; the rest is, when `finish` is called.
        """
        try:
            await self._erase(conversation_id)
            await self._store.deletions.remove(conversation_id)
        except StoreError:
            self._cut_off.add(conversation_id)
            raise
        finally:
            self._running.discard(conversation_id)
        self._cut_off.discard(conversation_id)
        self._in_doubt.discard(conversation_id)

    async def _is_gone_there(self, conversation_id: str) -> bool:
        """Have the service remove a chat; one that is in doubt is only looked for."""
        if conversation_id not in self._in_doubt:
            await self._remove_there(conversation_id)
            return True
        try:
            await self._client.get_conversation(conversation_id)
        except NotFound as exc:
            if exc.reason == ErrorCode.CONVERSATION_GONE:
                return True
            raise
        return False

    async def _remove_there(self, conversation_id: str) -> None:
        try:
            await self._client.delete_conversation(conversation_id)
        except NotFound as exc:
            # A chat that is gone already is what was wanted; another 404 comes from a wrong
            # address.
            if exc.reason != ErrorCode.CONVERSATION_GONE:
                raise

    async def _erase(self, conversation_id: str) -> None:
        # The words first: a cut here leaves at worst the record of calls, which `finish` erases.
        await self._store.conversations.forget(conversation_id)
        await purge_tool_calls(self._store.profile, conversation_id, self._ledger, self._undo)

    async def _doubt(self, conversation_id: str) -> None:
        self._in_doubt.add(conversation_id)
        try:
            await self._store.deletions.doubt(conversation_id)
        except StoreError as exc:
            log.warning("Cannot save that a deletion got no answer: %s", exc.reason)

    async def _withdraw(self, conversation_id: str) -> None:
        self._cut_off.discard(conversation_id)
        self._in_doubt.discard(conversation_id)
        try:
            await self._store.deletions.remove(conversation_id)
        except StoreError as exc:
            log.warning("Cannot undo a deletion that the service refused: %s", exc.reason)


def _is_for_good(error: ApiError) -> bool:
    """Return whether a repeated request would get the same answer."""
    return isinstance(error, Refused) and not isinstance(
        error, InvalidKey | RateLimited | ServerFailed
    )
