"""What looks like an allowed call and is another one: never runs unasked."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from app.approvals.policy import Granted
from app.approvals.queue import ApprovalRequest
from app.approvals.rules import HostScope, InputScope
from tests.support.bypasses import ALLOWED, ORIGIN, bypasses, many_bypasses
from tests.support.figures import Tell
from tests.support.rules import PolicyFixture, bench, reading_in, rule

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def much_allowed(data: Path) -> AsyncIterator[PolicyFixture]:
    """Commands, reading in the folder, and a site, all of them allowed."""
    async with bench(data) as desk:
        (desk.folder / "a.txt").write_text("word\n", encoding="utf-8")
        (desk.folder / "sub").mkdir()
        (desk.folder / "link").symlink_to(data)
        await desk.add(reading_in(desk.folder), rule("fetch_page", scope=HostScope(ORIGIN)))
        for argv in ALLOWED:
            asked = await desk.judge("run_command", {"argv": list(argv)})
            assert isinstance(asked, ApprovalRequest)
            assert asked.call_scope is not None
            call_scope = asked.call_scope
            scope = InputScope(
                call_scope.input_sha256, " ".join(argv), call_scope.folder, call_scope.programs
            )
            await desk.add(rule("run_command", scope=scope))
        yield desk


async def unprompted(
    desk: PolicyFixture, corpus: Iterable[tuple[str, dict[str, Any]]]
) -> list[tuple[str, dict[str, Any]]]:
    return [(name, given) for name, given in corpus if await runs_unasked(desk, name, given)]


async def runs_unasked(desk: PolicyFixture, name: str, given: dict[str, Any]) -> bool:
    """Whether a call runs without a card; of one that cannot run, a rule only lets that be told."""
    verdict = await desk.judge(name, given)
    return isinstance(verdict, Granted) and not verdict.request.prepared.problem


@pytest.mark.security(12)
async def test_nothing_that_only_looks_like_an_allowed_call_runs_unasked(
    tmp_path: Path, tell: Tell
) -> None:
    corpus = list(bypasses())
    assert len(corpus) >= 300
    async with much_allowed(tmp_path) as desk:
        ran = await unprompted(desk, corpus)
        tell(f"bypasses, {len(corpus):,} calls that look like an allowed one: {len(ran)} unasked")
        assert ran == []

        for argv in ALLOWED:
            assert isinstance(await desk.judge("run_command", {"argv": list(argv)}), Granted)
        assert isinstance(await desk.judge("read_file", {"path": "a.txt"}), Granted)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.security(12)
async def test_no_wrapper_around_an_allowed_command_runs_unasked(
    tmp_path: Path, tell: Tell
) -> None:
    corpus = list(many_bypasses())
    assert len(corpus) >= 3_000
    async with much_allowed(tmp_path) as desk:
        ran = await unprompted(desk, corpus)
    tell(f"bypasses, {len(corpus):,} wrapped commands: {len(ran)} unasked")
    assert ran == []
