"""No variable and no name in the program lets a call run unasked."""

import itertools
import re
from pathlib import Path

import pytest

from app.approvals.queue import ApprovalRequest
from tests.support.rules import bench

pytestmark = pytest.mark.anyio

_ROOT = Path(__file__).parents[3]
_OWNERS = ("", "PARLEY_", "PARLEY_TOOLS_", "APP_", "QT_", "PYTEST_", "CI_", "MCP_", "TEST_", "AI_")
_WHAT = ("APPROVE", "ALLOW", "TRUST", "YES", "CONFIRM", "PERMIT", "SKIP", "UNSAFE", "YOLO", "DEBUG")
_HOW = ("", "_ALL", "_TOOLS", "_CALLS", "_AUTO")
_HOOKS = re.compile(
    r"auto_?(approve|allow|confirm)|skip_?(approval|permission)|approve_?all|yolo|"
    r"dangerously|no_?confirm|assume_?yes",
    re.IGNORECASE,
)


@pytest.mark.security(22)
async def test_no_variable_lets_a_call_run_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["".join(parts) for parts in itertools.product(_OWNERS, _WHAT, _HOW)]
    assert len(names) >= 500
    for name in names:
        monkeypatch.setenv(name, "1")
    async with bench(tmp_path) as desk:
        for tool, given in (
            ("read_file", {"path": "a.txt"}),
            ("write_file", {"path": "a.txt", "content": "x"}),
            ("run_command", {"argv": ["true"]}),
            ("current_time", {}),
        ):
            assert isinstance(await desk.judge(tool, given), ApprovalRequest), tool


@pytest.mark.security(22)
def test_code_has_no_test_hook_and_decides_by_no_variable_or_argument() -> None:
    deciding = [*_sources("app/approvals"), _ROOT / "app/chat/approval_flow.py"]
    for path in deciding:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"os\.environ|getenv|sys\.argv", text), path
    for path in (*_sources("app"), *_sources("local_tools")):
        assert not _HOOKS.search(path.read_text(encoding="utf-8")), path


def _sources(folder: str) -> list[Path]:
    return sorted((_ROOT / folder).rglob("*.py"))
