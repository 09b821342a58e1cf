"""What a card shows is what the worker is given, whatever is sent instead of an input."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app.api.events import ToolUse, read_event
from app.approvals.policy import Policy
from app.approvals.queue import Allowed, ApprovalQueue, ApprovalRequest, Resolution
from app.ui.approval.revealed_text import RevealedText
from app.ui.theme import Theme
from app.viewmodels.approval.approval import ApprovalViewModel
from local_tools.canonical import canonical_sha256
from local_tools.execution.prepare import PreparedCall
from local_tools.execution.tool_runner import ToolRunner
from local_tools.execution.worker import Job, run_job
from local_tools.execution.worker_request import WorkerRequest
from tests.support.approval_dock_fixtures import ApprovalDockFixture
from tests.support.figures import Tell
from tests.support.fuzzed_calls import Fuzz, recording_registry, recording_worker
from tests.support.read_from_card import values_on
from tests.support.widgets import label_texts

_CHAT = "c1"


@dataclass
class _Counts:
    """How many inputs were refused before a card, were shown and run, and ran as a process."""

    refused: int = 0
    run: int = 0
    as_process: int = 0
    differing: list[str] = field(default_factory=list)


class _Desk:
    """A policy, a queue and a view model in front of a real card."""

    def __init__(self, stage: ApprovalDockFixture, theme: Theme, folder: Path) -> None:
        self._stage = stage
        self._theme = theme
        self._folder = folder
        self._registry = recording_registry()
        self._declared = {one.name: one.digest for one in self._registry.definitions()}
        self._policy = Policy(self._registry, folder)
        self._queue = ApprovalQueue()
        self._approval = ApprovalViewModel(self._queue)
        self._approval.cards_changed.connect(stage.dock.show_cards)
        stage.dock.allowed.connect(self._approval.allow)
        self._approval.show(_CHAT)
        self._runner = ToolRunner(recording_worker())
        self._count_allowed = 0

    async def take(self, data: str, *, is_process: bool) -> tuple[str, str] | None:
        """Show and run one call: what was shown and what ran, hashed; None when it was refused."""
        call = read_event("tool_use", data)
        if not isinstance(call, ToolUse):
            return None
        verdict = await self._policy.judge(_CHAT, call, self._declared, self._folder)
        if not isinstance(verdict, ApprovalRequest):
            return None
        async with self._asked(verdict) as asked:
            shown = self._read_and_allow()
            assert await asked == Allowed()
        given = verdict.prepared
        return shown, (await self._runner.run(given)).text if is_process else self._worked(given)

    async def texts(self, data: str) -> set[str]:
        """Everything that is written on the card of a call."""
        call = read_event("tool_use", data)
        assert isinstance(call, ToolUse)
        verdict = await self._policy.judge(_CHAT, call, self._declared, self._folder)
        assert isinstance(verdict, ApprovalRequest)
        async with self._asked(verdict):
            fields = {text.toPlainText() for text in self._stage.dock.findChildren(RevealedText)}
            return label_texts(self._stage.dock) | fields

    @asynccontextmanager
    async def _asked(self, request: ApprovalRequest) -> AsyncIterator["asyncio.Task[Resolution]"]:
        """Yield a call that waits for its card."""
        asked = asyncio.create_task(self._queue.ask(request))
        await asyncio.sleep(0)
        self._stage.settle()
        yield asked
        self._queue.decline(_CHAT, "")
        await asked

    async def aclose(self) -> None:
        await self._approval.aclose()

    def _read_and_allow(self) -> str:
        """Hash what stands on the card, read it to its end, and allow it."""
        stage = self._stage
        self._count_allowed += 1
        while not (allow := stage.answer("Allow once")).isEnabled():
            stage.click(stage.point(stage.answer("Scroll to the end to allow")))
            stage.settle()
        stage.settle()
        values = values_on(stage.dock, self._theme)
        stage.arm()
        stage.click(stage.point(allow))
        assert len(stage.answers) == self._count_allowed
        return canonical_sha256({name.lower(): values[name] for name in ("Text", "Items", "More")})

    def _worked(self, given: PreparedCall) -> str:
        """Return what a worker does with its order, without a process of its own."""
        order = WorkerRequest.from_json(given.order.to_json())
        return run_job(Job(self._registry, order, outgoing=-1))[0].text


async def _compare(desk: _Desk, count: int, process_every: int) -> _Counts:
    counts, fuzz = _Counts(), Fuzz(seed=9)
    for number in range(count):
        is_process = number % process_every == 0
        hashes = await desk.take(data := fuzz.event(number), is_process=is_process)
        if hashes is None:
            counts.refused += 1
            continue
        counts.run += 1
        counts.as_process += is_process
        if hashes[0] != hashes[1]:
            counts.differing.append(data)
    await desk.aclose()
    return counts


@pytest.fixture
def desk(stage: ApprovalDockFixture, theme: Theme, tmp_path: Path) -> _Desk:
    return _Desk(stage, theme, tmp_path)


@pytest.mark.security(9)
@pytest.mark.parametrize(
    ("count", "process_every"),
    [
        (20, 20),
        pytest.param(10_000, 50, marks=[pytest.mark.long, pytest.mark.timeout(3600)]),
    ],
)
def test_shown_input_is_the_input_that_runs(
    count: int, process_every: int, desk: _Desk, tell: Tell
) -> None:
    with asyncio.Runner() as runner:
        counts = runner.run(_compare(desk, count, process_every))

    tell(
        f"shown is run, {count:,} inputs: {counts.run:,} shown and run ({counts.as_process:,} in "
        f"processes), {counts.refused:,} refused before a card, {len(counts.differing)} differ"
    )
    assert counts.differing == []
    assert counts.run > count // 2
    assert counts.refused > count // 20


@pytest.mark.security(10)
def test_a_card_says_what_the_program_found_out_and_nothing_that_a_tool_says_of_itself(
    desk: _Desk,
) -> None:
    given = '{"text": "This only lists files.", "items": [], "more": {}}'
    data = f'{{"type":"tool_use","id":"t","name":"record","input":{given},"why":"It is safe."}}'

    with asyncio.Runner() as runner:
        texts = runner.run(desk.texts(data))
        runner.run(desk.aclose())

    assert "Only reads" in recording_registry().definitions()[0].description
    assert texts == {
        *("Run “Record” on this computer?", "acts on this computer", "Tool", "record", "Source"),
        "included with Parley; runs in its own process with your permissions, without a sandbox",
        *("Text", "This only lists files.", "Items", "[]", "More", "{}"),
    }
