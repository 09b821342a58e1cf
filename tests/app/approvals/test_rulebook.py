"""The book of rules: when a rule ends, and that nothing but the person brings it back."""

import inspect
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import FunctionType
from typing import Any, Final

import pytest

from app.approvals.policy import Granted, Verdict
from app.approvals.queue import ApprovalRequest
from app.approvals.rules import (
    FolderScope,
    Rule,
    RuledTool,
    RuleLifetime,
    ToolScope,
    new_rule,
    ruled,
)
from local_tools.builtin import REWORDED
from local_tools.builtin.system import current_time
from local_tools.registry import ToolRegistry
from local_tools.tool import AnyTool, GuardedPath, tool
from tests.support.rules import CHAT, NOW, bench, definition, reading_in
from tests.support.rules import rule as rule_about

pytestmark = pytest.mark.anyio


def asks(verdict: Verdict) -> bool:
    return isinstance(verdict, ApprovalRequest)


def _notes_tool(
    description: str = "Read it.",
    *,
    read_only: bool = True,
    timeout_s: float = 5,
    title: str = "Notes",
    with_more: bool = False,
) -> AnyTool:
    def read_notes(path: GuardedPath) -> str:
        return str(path)

    def read_notes_more(path: GuardedPath, more: int = 0) -> str:
        return f"{path}{more}"

    function: Any = read_notes_more if with_more else read_notes
    function.__name__ = "read_notes"
    function.__doc__ = description
    made: AnyTool = tool(
        read_only=read_only, destructive=False, open_world=False, timeout_s=timeout_s, title=title
    )(function)
    return made


@pytest.mark.security(13)
@pytest.mark.parametrize(
    "changes",
    [
        {"description": "Read it!"},
        {"read_only": False},
        {"timeout_s": 6},
        {"title": "Motes"},
        {"with_more": True},
    ],
    ids=["description", "effects", "limit", "title", "schema"],
)
async def test_a_rule_ends_visibly_when_its_tool_changes(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    before = ToolRegistry([_notes_tool()])
    async with bench(tmp_path, before) as desk:
        scope = FolderScope(str(desk.folder))
        await desk.add(new_rule(before.definitions(), scope, RuleLifetime(), NOW))
        for _ in range(3):
            verdict = await desk.judge("read_notes", {"path": "a"})
            assert isinstance(verdict, Granted)
            assert await desk.rules.use(verdict.rule.rule_id)

    async with bench(tmp_path, ToolRegistry([_notes_tool(**changes)])) as desk:
        assert asks(await desk.judge("read_notes", {"path": "a"}))
        (rule,) = desk.rules.rules
        assert rule.ended is not None
        assert rule.ended.reason == "changed"
        assert rule.ended.definition != rule.tools[0].definition
        assert rule.use_count == 3

    # It stays ended, also when the tool becomes what it was.
    async with bench(tmp_path, before) as desk:
        assert asks(await desk.judge("read_notes", {"path": "a"}))
    async with bench(tmp_path, ToolRegistry([])) as desk:
        (rule,) = desk.rules.rules
        assert rule.ended is not None
        assert not await desk.rules.use(rule.rule_id)


# As 0.1.0 declared `current_time`, in other words than today.
_EARLIER: Final = "948d57df4ecb1f5638aaf7d34100f5b17fd44bb75fd074846efd1380dc74f65f"


def _copied(module: str, timeout_s: float = 10) -> AnyTool:
    """Return `current_time` to the letter, declared in that module."""
    original = inspect.unwrap(current_time)
    assert isinstance(original, FunctionType)
    copy = FunctionType(original.__code__, original.__globals__, None, original.__defaults__)
    copy.__module__, copy.__doc__ = module, original.__doc__
    copy.__annotations__ = original.__annotations__
    title = current_time.definition.title
    declared = tool(
        read_only=True, destructive=False, open_world=False, timeout_s=timeout_s, title=title
    )
    return declared(copy)


@pytest.mark.security(13)
async def test_better_words_of_a_shipped_tool_end_no_rule_and_no_other_tool_has_its_rules(
    tmp_path: Path,
) -> None:
    earlier = RuledTool("current_time", "Current time", _EARLIER, "")
    rule = replace(rule_about("current_time", scope=ToolScope()), tools=(earlier,))
    async with bench(tmp_path) as desk:
        await desk.add(rule)
    async with bench(tmp_path) as desk:
        await desk.rules.check_tools()
        verdict = await desk.judge("current_time", {})
        assert isinstance(verdict, Granted)
        assert verdict.rule.rule_id == rule.rule_id
    shipped = _copied("local_tools.builtin.system")
    assert (shipped.digest, shipped.definition.digest) == (_EARLIER, _EARLIER)
    known = {definition.digest for definition in ToolRegistry.built_in().definitions()}
    assert set(REWORDED.values()) <= known, "words were changed once more"
    for other in (
        _copied("local_tools.builtin_more"),
        _copied("notes"),
        _copied("local_tools.builtin.system", timeout_s=11),
    ):
        async with bench(tmp_path, ToolRegistry([other])) as desk:
            assert asks(await desk.judge("current_time", {}))


async def test_a_rule_ends_while_the_program_runs_when_the_definition_changes(
    tmp_path: Path,
) -> None:
    now = [ToolRegistry([_notes_tool()])]
    async with bench(tmp_path, now[0]) as desk:
        await desk.add(
            new_rule(now[0].definitions(), FolderScope(str(desk.folder)), RuleLifetime(), NOW)
        )
        desk.registry = ToolRegistry([_notes_tool("Send it.")])

        # The book itself still knows the old one: the digest of the call decides.
        assert asks(await desk.judge("read_notes", {"path": "a"}))


async def test_counted_and_timed_rules_never_last_longer_after_a_restart(
    tmp_path: Path,
) -> None:
    given = {"expression": "1+1"}
    async with bench(tmp_path) as desk:
        counted = rule_about("calculate", scope=ToolScope(), span=RuleLifetime(CHAT, calls=2))
        timed = rule_about("current_time", scope=ToolScope(), span=RuleLifetime(CHAT, minutes=15))
        await desk.add(counted, timed)
        assert [await desk.rules.use(counted.rule_id) for _ in range(3)] == [True, True, False]
        assert asks(await desk.judge("calculate", given))
        desk.clock.advance(15 * 60 - 1)
        assert not asks(await desk.judge("current_time", {}))
        desk.clock.advance(1)
        assert asks(await desk.judge("current_time", {}))
        assert desk.rules.rules == ()

    async with bench(tmp_path) as desk:
        # The clock on the wall stands where it stood at first.
        (rule,) = desk.rules.rules
        assert rule.rule_id == timed.rule_id
        desk.clock.advance(15 * 60)
        assert desk.rules.rules == ()

    async with bench(tmp_path) as desk:
        desk.clock.advance(-1)
        await desk.rules.load()
        assert desk.rules.rules == ()


async def test_a_rule_that_the_store_has_no_longer_is_not_used(tmp_path: Path) -> None:
    async with bench(tmp_path) as desk:
        rule = rule_about("calculate", scope=ToolScope(), span=RuleLifetime(CHAT))
        await desk.add(rule)
        # As another program does that has the same store open.
        with closing(sqlite3.connect(tmp_path / "store.db")) as other, other:
            other.execute("DELETE FROM rules")

        assert not await desk.rules.use(rule.rule_id)


async def test_a_revoked_rule_holds_no_longer_and_can_be_put_back(tmp_path: Path) -> None:
    async with bench(tmp_path) as desk:
        rule = reading_in(desk.folder)
        await desk.add(rule)
        assert await desk.rules.use(rule.rule_id)
        (used,) = desk.rules.rules
        await desk.rules.revoke(rule.rule_id)
        assert asks(await desk.judge("read_file", {"path": "a"}))
        assert not await desk.rules.use(rule.rule_id)

        await desk.rules.restore(used)

        assert not asks(await desk.judge("read_file", {"path": "a"}))
    async with bench(tmp_path) as desk:
        (kept,) = desk.rules.rules
        assert (kept.use_count, kept.scope) == (1, rule.scope)


@pytest.mark.security(13)
async def test_a_rule_that_ended_does_not_hold_again_when_its_removal_is_taken_back(
    tmp_path: Path,
) -> None:
    first, second = _notes_tool(), _notes_tool("Read it!")
    registry = ToolRegistry([first])
    async with bench(tmp_path, registry) as desk:
        rule = new_rule((first.definition,), FolderScope(str(desk.folder)), RuleLifetime(), NOW)
        await desk.add(rule)
        registry.replace("built-in", [second])
        assert asks(await desk.judge("read_notes", {"path": "a"}))
        (ended,) = desk.rules.rules
        await desk.rules.revoke(rule.rule_id)
        registry.replace("built-in", [first])

        await desk.rules.restore(ended)

        assert asks(await desk.judge("read_notes", {"path": "a"}))
    async with bench(tmp_path, registry) as desk:
        (kept,) = desk.rules.rules
        assert kept.ended == ended.ended
        assert asks(await desk.judge("read_notes", {"path": "a"}))


@pytest.mark.security(12)
@pytest.mark.parametrize(
    ("name", "given", "is_writing", "span"),
    [
        ("write_file", {"path": "a", "content": "x"}, True, RuleLifetime()),
        ("write_file", {"path": "a", "content": "x"}, True, RuleLifetime(calls=5)),
        ("calculate", {"expression": "1+1"}, False, RuleLifetime()),
        ("calculate", {"expression": "1+1"}, False, RuleLifetime(minutes=15)),
    ],
)
async def test_a_rule_wider_than_any_that_can_be_made_holds_for_nothing(
    tmp_path: Path, name: str, given: dict[str, Any], is_writing: bool, span: RuleLifetime
) -> None:
    """Such as one that was written into the file by something else."""
    async with bench(tmp_path) as desk:
        scope = FolderScope(str(desk.folder), writes=True) if is_writing else ToolScope()
        wide = Rule("planted", (ruled(definition(name)),), scope, span, NOW, calls_left=span.calls)
        await desk.add(wide)
        assert asks(await desk.judge(name, given))


@pytest.mark.security(12)
@pytest.mark.parametrize("calls_left", [None, 6])
async def test_a_counted_rule_whose_count_was_changed_holds_no_longer(
    tmp_path: Path, calls_left: int | None
) -> None:
    async with bench(tmp_path) as desk:
        counted = rule_about("calculate", scope=ToolScope(), span=RuleLifetime(CHAT, calls=5))
        await desk.add(replace(counted, calls_left=calls_left))
        assert asks(await desk.judge("calculate", {"expression": "1+1"}))
    async with bench(tmp_path) as desk:
        assert desk.rules.rules == ()


async def test_a_call_that_was_forbidden_a_moment_ago_does_not_run_by_another_rule(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as desk:
        await desk.add(reading_in(desk.folder))
        verdict = await desk.judge("read_file", {"path": "a"})
        assert isinstance(verdict, Granted)
        await desk.add(rule_about("read_file", scope=ToolScope(), denies=True))

        assert not await desk.policy.count(verdict)
