"""The benchmark of the window still runs; what it finds is no matter of a test."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.chat.items import ReplyPart, UserMessage
from tests.benchmarks.gui.bench import WINDOW, Bench, ChildError
from tests.benchmarks.gui.shares import p95, p99
from tests.benchmarks.gui.texts import long_text, messages

_ROOT = Path(__file__).resolve().parents[2]
_PARTS = ("move",)


def test_a_quick_run_of_the_quickest_part_fills_the_table(tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    only = [word for part in _PARTS for word in ("--only", part)]
    command = (sys.executable, "-P", "-m", "tests.benchmarks.gui", "--quick", "--json", found)
    done = subprocess.run(
        [*command, *only],
        cwd=_ROOT,
        # Libraries of Qt may lie beside the checkout.
        env={
            "PYTHONPATH": str(_ROOT),
            "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""),
        },
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    expected = "".join(f"Measuring: {part}\n" for part in _PARTS)
    assert (done.returncode, done.stderr) == (0, expected)
    rows = json.loads(found.read_text(encoding="utf-8"))["rows"]
    assert all(row["figures"][WINDOW]["median"] > 0 for row in rows)
    assert all(row["name"] in done.stdout for row in rows)


def test_a_child_that_fails_says_so() -> None:
    with pytest.raises(ChildError, match="ended with 1"):
        Bench(is_quick=True).child("open")


def test_messages_have_the_size_that_was_asked_for() -> None:
    sizes = [len(item.text) for item in messages(1000) if isinstance(item, UserMessage | ReplyPart)]
    assert 500 < sum(sizes) / len(sizes) < 700
    assert len(long_text(50_000)) == 50_000


def test_percentiles_95_and_99_are_exceeded_by_one_in_twenty_or_in_a_hundred() -> None:
    assert p95(list(map(float, range(20)))) == 19
    assert p95(list(map(float, range(200)))) == 190
    assert p99(list(map(float, range(200)))) == 198
    assert p99([3.0]) == 3.0
