"""What this computer keeps of chats, as opposed to the chats themselves."""

from app.error_text import Reason
from app.store.errors import StoreError
from app.store.store import ProfileStore
from local_tools.ledger import Ledger, LedgerError


async def forget_copies(store: ProfileStore, ledger: Ledger) -> tuple[str, ...]:
    """Remove every word of a profile's chats from this computer; give the ids of those chats.

    What the service has stays there, and what tools did stays recorded without its words.

    Raises:
        StoreError: not everything could be removed; asked again, the rest is.
    """
    conversation_ids = await store.marks.ids()
    try:
        for conversation_id in conversation_ids:
            await ledger.erase(store.profile, conversation_id)
    except LedgerError as exc:
        raise StoreError(Reason.STORE_UNWRITABLE) from exc
    await store.conversations.forget_all()
    return conversation_ids
