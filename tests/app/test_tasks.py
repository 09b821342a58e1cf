"""Tasks have an owner: failures reach it, closing ends them, nothing runs on."""

import asyncio

import pytest

from app.tasks import TaskOwner

pytestmark = pytest.mark.anyio

Failures = list[tuple[str, str]]


@pytest.fixture
def failures() -> Failures:
    return []


def owner_of(failures: Failures, close_limit_s: float = 5.0) -> TaskOwner:
    return TaskOwner(
        lambda name, error: failures.append((name, str(error))), close_limit_s=close_limit_s
    )


async def test_a_failure_reaches_the_owner_once_with_its_name(failures: Failures) -> None:
    async def fail() -> None:
        raise ValueError("no")

    owner = owner_of(failures)
    task = owner.start(fail(), name="failing")
    await asyncio.wait([task])
    await asyncio.sleep(0)
    assert failures == [("failing", "no")]
    assert owner.is_idle
    await owner.aclose()


async def test_a_result_is_handed_to_whoever_waits(failures: Failures) -> None:
    async def answer() -> int:
        return 42

    owner = owner_of(failures)
    assert await owner.start(answer(), name="answer") == 42
    await owner.aclose()
    assert failures == []


async def test_closing_cancels_and_waits_for_the_clean_up(failures: Failures) -> None:
    steps: list[str] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            steps.append("cleaned up")

    owner = owner_of(failures)
    task = owner.start(work(), name="work")
    await asyncio.sleep(0)
    await owner.aclose()
    assert steps == ["cleaned up"]
    assert task.cancelled()
    assert failures == []


async def test_a_failure_while_closing_is_still_reported(failures: Failures) -> None:
    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise ValueError("late")

    owner = owner_of(failures)
    owner.start(work(), name="work")
    await asyncio.sleep(0)
    await owner.aclose()
    assert failures == [("work", "late")]


@pytest.mark.expects_log("did not end")
async def test_a_task_that_will_not_end_does_not_hold_up_closing(failures: Failures) -> None:
    gate = asyncio.Event()

    async def stubborn() -> None:
        while not gate.is_set():
            try:
                await gate.wait()
            except asyncio.CancelledError:
                continue

    owner = owner_of(failures, close_limit_s=0.01)
    task = owner.start(stubborn(), name="stubborn")
    await asyncio.sleep(0)
    await owner.aclose()
    assert not task.done()
    gate.set()
    await asyncio.wait([task])


async def test_a_closed_owner_starts_nothing(failures: Failures) -> None:
    async def work() -> None:
        failures.append(("ran", ""))

    owner = owner_of(failures)
    await owner.aclose()
    late = owner.start(work(), name="late task")
    await asyncio.wait([late])
    assert late.cancelled()
    assert owner.is_idle
    assert failures == []


async def test_a_task_may_close_its_own_owner(failures: Failures) -> None:
    owner = owner_of(failures)
    task = owner.start(owner.aclose(), name="closing")
    async with asyncio.timeout(20):
        await task
    assert failures == []


async def test_owner_can_end_its_tasks_and_start_others(failures: Failures) -> None:
    async def wait_for_ever() -> None:
        await asyncio.Event().wait()

    async def answer() -> int:
        return 42

    owner = owner_of(failures)
    waiting = owner.start(wait_for_ever(), name="waiting")
    owner.cancel()
    await asyncio.wait([waiting])

    assert waiting.cancelled()
    assert await owner.start(answer(), name="answering") == 42
    assert failures == []
    await owner.aclose()
