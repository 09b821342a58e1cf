"""Each request ends exactly once, by an answer to what was shown, by cancellation or by closing."""

import asyncio
from pathlib import Path

import pytest

from app.approvals.queue import (
    Allowed,
    ApprovalQueue,
    ApprovalRequest,
    Denied,
    Resolution,
    Withdrawn,
)
from local_tools.canonical import freeze
from local_tools.execution.prepare import CallPlaces, prepare
from local_tools.registry import ToolRegistry

pytestmark = pytest.mark.anyio


def request(call_id: str, path: str = "a.txt", conversation_id: str = "c1") -> ApprovalRequest:
    tool = ToolRegistry.built_in().get("read_file")
    assert tool is not None
    prepared = prepare(tool, freeze({"path": path}), CallPlaces(Path("/"), Path("/")))
    return ApprovalRequest(conversation_id, call_id, prepared)


class Asker:
    """Somebody who waits for the end of a request, and a note of every change."""

    def __init__(self, queue: ApprovalQueue) -> None:
        self.queue = queue
        self.told: list[str] = []
        self._changed = asyncio.Event()
        queue.subscribe(self._on_change)

    async def asks(self, asked: ApprovalRequest) -> asyncio.Task[Resolution]:
        self._changed.clear()
        task = asyncio.create_task(self.queue.ask(asked))
        async with asyncio.timeout(20):
            await self._changed.wait()
        return task

    def _on_change(self, conversation_id: str) -> None:
        self.told.append(conversation_id)
        self._changed.set()


async def test_requests_wait_in_order_for_their_own_conversation() -> None:
    queue = ApprovalQueue()
    asker = Asker(queue)
    tasks = [
        await asker.asks(request("a")),
        await asker.asks(request("b", conversation_id="c2")),
        await asker.asks(request("c")),
    ]

    assert [card.request.call_id for card in queue.waiting("c1")] == ["a", "c"]
    assert [card.request.call_id for card in queue.waiting("c2")] == ["b"]
    assert asker.told == ["c1", "c2", "c1"]

    queue.close()
    assert [await task for task in tasks] == [Withdrawn()] * 3
    assert await queue.ask(request("d")) == Withdrawn()


async def test_an_answer_ends_the_request_once() -> None:
    queue = ApprovalQueue()
    task = await Asker(queue).asks(request("a"))
    (card,) = queue.waiting("c1")

    assert queue.answer(card.request.request_id, card.generation, Denied("no"))
    assert not queue.answer(card.request.request_id, card.generation, Allowed())

    assert queue.waiting("c1") == ()
    assert await task == Denied("no")


@pytest.mark.security(3)
async def test_an_answer_to_something_else_is_dropped() -> None:
    queue = ApprovalQueue()
    asker = Asker(queue)
    first, second = await asker.asks(request("a")), await asker.asks(request("b"))
    shown, other = queue.waiting("c1")

    changed = request("a", path="b.txt").request_id
    assert changed != shown.request.request_id
    assert not queue.answer(changed, shown.generation, Allowed())
    assert not queue.answer(other.request.request_id, shown.generation, Allowed())
    assert not queue.answer(shown.request.request_id, shown.generation + 100, Allowed())

    assert len(queue.waiting("c1")) == 2
    queue.close()
    assert (await first, await second) == (Withdrawn(), Withdrawn())


async def test_a_request_asked_again_gets_a_card_that_old_answers_do_not_fit() -> None:
    queue = ApprovalQueue()
    asker = Asker(queue)
    task = await asker.asks(request("a"))
    (old,) = queue.waiting("c1")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert queue.waiting("c1") == ()

    again = await asker.asks(request("a"))

    assert not queue.answer(old.request.request_id, old.generation, Allowed())
    queue.decline("c1", "Something else")
    assert await again == Denied("Something else")


async def test_unsubscribed_observer_is_not_called() -> None:
    queue = ApprovalQueue()
    told: list[str] = []
    stop = queue.subscribe(told.append)
    stop()
    stop()

    task = await Asker(queue).asks(request("a"))
    queue.close()
    await task

    assert told == []
