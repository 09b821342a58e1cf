"""What looks like an allowed call and is another one: never runs unasked."""

from pathlib import Path

import pytest

from app.approvals.policy import Granted
from app.approvals.request import ToolRequest
from app.approvals.rules import HostBox, InputBox
from tests.support.bypasses import ALLOWED, ORIGIN, bypasses
from tests.support.rules import bench, reading_in, rule

pytestmark = pytest.mark.anyio


@pytest.mark.security(12)
async def test_nothing_that_only_looks_like_an_allowed_call_runs_unasked(tmp_path: Path) -> None:
    corpus = list(bypasses())
    assert len(corpus) >= 300
    async with bench(tmp_path) as desk:
        (desk.folder / "a.txt").write_text("word\n", encoding="utf-8")
        (desk.folder / "sub").mkdir()
        (desk.folder / "link").symlink_to(tmp_path)
        await desk.add(reading_in(desk.folder), rule("fetch_page", box=HostBox(ORIGIN)))
        for argv in ALLOWED:
            asked = await desk.judge("run_command", {"argv": list(argv)})
            assert isinstance(asked, ToolRequest)
            assert asked.reach is not None
            reach = asked.reach
            box = InputBox(reach.input_sha256, " ".join(argv), reach.folder, reach.programs)
            await desk.add(rule("run_command", box=box))

        unprompted = [
            (name, given)
            for name, given in corpus
            if isinstance(await desk.judge(name, given), Granted)
        ]

        assert unprompted == []
        for argv in ALLOWED:
            assert isinstance(await desk.judge("run_command", {"argv": list(argv)}), Granted)
        assert isinstance(await desk.judge("read_file", {"path": "a.txt"}), Granted)
