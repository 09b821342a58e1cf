"""The benchmark of tool calls still runs; what it finds is no matter of a test."""

import json
from pathlib import Path

import pytest

from tests.benchmarks.tools.__main__ import main


def test_a_quick_run_measures_every_kind_of_call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = tmp_path / "found.json"
    assert main(["--quick", "--json", str(found)]) == 0
    rows = json.loads(found.read_text(encoding="utf-8"))["rows"]
    said = capsys.readouterr().out
    assert len(rows) == 14
    assert all(row["name"] in said for row in rows)
