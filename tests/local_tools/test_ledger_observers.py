"""Whoever follows the record hears of a step once it is on the disk, and not before."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from local_tools.ledger.ledger import Ledger
from local_tools.ledger.steps import CallKey, Decider, Decision, LedgerOrderError, Step, StepDetails

pytestmark = pytest.mark.anyio

_KEY = CallKey("home", "conversation", "call-1")


async def test_a_step_is_on_the_disk_when_it_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    found: list[list[str]] = []

    def read_disk(_key: CallKey) -> None:
        with closing(sqlite3.connect(path)) as other:
            found.append([step for (step,) in other.execute("SELECT step FROM entries")])

    ledger = Ledger(path)
    await ledger.open()
    try:
        ledger.subscribe(read_disk)
        assert await ledger.ask(_KEY, tool="read_file", digest="d1", input_text="{}")
        # What came before is told to nobody, and neither is a step that cannot come now.
        assert not await ledger.ask(_KEY, tool="read_file", digest="d1", input_text="{}")
        with pytest.raises(LedgerOrderError):
            await ledger.record(_KEY, Step.POSTED)
        await ledger.record(
            _KEY, Step.DECIDED, StepDetails(decision=Decision.ALLOWED, decider=Decider.USER)
        )
        await ledger.record(_KEY, Step.STARTED)
    finally:
        await ledger.close()

    assert found == [["asked"], ["asked", "decided"], ["asked", "decided", "started"]]
