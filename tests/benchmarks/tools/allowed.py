"""A whole call: from the answer “allowed” until its result has reached the service."""

import os
import tempfile
import time
from pathlib import Path

from app.approvals.queue import Allowed
from tests.support.chat_fixtures import chat_kit, results
from tests.support.fake_service import FakeService


async def allowed_call() -> tuple[float, float]:
    """Make one in a chat of its own: seconds by the clock, and of the processor in its worker."""
    with tempfile.TemporaryDirectory() as folder:
        async with FakeService() as service, chat_kit(Path(folder), service) as kit:
            service.holds("c1")
            chat = await kit.open()
            service.asks_tool("current_time", {})
            service.says("So late.")
            await chat.send("What time is it?")
            card = await chat.asks()
            before, started_at = os.times(), time.perf_counter()
            kit.approvals.answer(card.request.request_id, card.generation, Allowed())
            await chat.until(lambda: bool(results(service)))
            took_s = time.perf_counter() - started_at
            await chat.is_idle()
            after = os.times()
    children_s = after.children_user - before.children_user
    return took_s, children_s + after.children_system - before.children_system
