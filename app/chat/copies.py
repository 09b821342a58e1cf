"""What this computer keeps of chats, as opposed to the chats themselves."""

import asyncio

from app.error_text import Reason
from app.store.errors import StoreError
from app.store.store import ProfileStore
from local_tools.ledger import Ledger, LedgerError
from local_tools.undo import UndoStore


async def forget_copies(store: ProfileStore, ledger: Ledger, undo: UndoStore) -> tuple[str, ...]:
    """Remove every word of a profile's chats from this computer; give the ids of those chats.

    What the service has stays there, and what tools did stays recorded without its words.

    Raises:
        StoreError: not everything could be removed; asked again, the rest is.
    """
    conversation_ids = await store.marks.ids()
    for conversation_id in conversation_ids:
        await forget_calls(store.profile, conversation_id, ledger, undo)
    await store.conversations.forget_all()
    return conversation_ids


async def forget_calls(profile: str, conversation_id: str, ledger: Ledger, undo: UndoStore) -> None:
    """Remove the words of a chat's tool calls, and the copies of what they changed.

    Raises:
        StoreError: not everything could be removed; asked again, the rest is.
    """
    try:
        await ledger.erase(profile, conversation_id)
        await asyncio.to_thread(undo.erase, profile, conversation_id)
    except (LedgerError, OSError) as exc:
        raise StoreError(Reason.STORE_UNWRITABLE) from exc
