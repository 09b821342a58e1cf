"""A source that the service names stands below the reply in our window."""

from pathlib import Path

import pytest

from app.chat.items import Source
from tests.support.chat_fixtures import chat_kit
from tests.support.own_service import KEY, own_service

pytestmark = pytest.mark.anyio


async def test_source_passes_between_client_and_service_and_stays(tmp_path: Path) -> None:
    async with own_service(tmp_path / "service") as service:
        async with chat_kit(tmp_path, address=(service.base_url, KEY)) as kit:
            chat = await kit.open(await kit.conversations.create())
            await chat.said("/source The manual")
            shown = [item.text for item in chat.items if isinstance(item, Source)]
            conversation_id = chat.session.conversation_id
        async with chat_kit(tmp_path, address=(service.base_url, KEY)) as kit:
            reopened = await kit.open(conversation_id)
            kept = [item.text for item in reopened.items if isinstance(item, Source)]
    assert (shown, kept) == (["The manual"], ["The manual"])
