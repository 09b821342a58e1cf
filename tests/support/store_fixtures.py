"""A store with messages in it, for tests of what finds them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from app.store.records import StoredMessage
from app.store.store import Store

NOW: Final = datetime(2026, 5, 1, 12, tzinfo=UTC)


@asynccontextmanager
async def opened_store(folder: Path) -> AsyncIterator[Store]:
    """Open a new store, whose clock says `NOW`; leaving the block closes it."""
    made = Store(folder / "store.db", lambda: NOW)
    await made.open()
    yield made
    await made.close()


async def keep(store: Store, *texts: str, chat: str = "c1", profile: str = "home") -> None:
    """Keep messages, each an hour newer than the one before."""
    messages = [
        StoredMessage(f"{chat}-{number}", "user", text, NOW + timedelta(hours=number))
        for number, text in enumerate(texts)
    ]
    await store.profile(profile).messages.keep(chat, messages)
