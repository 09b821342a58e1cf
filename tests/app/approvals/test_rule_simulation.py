"""Simulation: a rule is tried on past calls, from their record alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.approvals.queue import ApprovalRequest
from app.approvals.rule_engine import reading_tools, suggest_rules
from app.approvals.rule_simulation import (
    CALLS_LIMIT,
    CallHistory,
    SimulatedVerdict,
    SimulationReport,
    simulate,
)
from app.approvals.rules import FolderScope, HostScope, InputScope, Rule, RuleLifetime, ToolScope
from local_tools.canonical import freeze
from local_tools.ledger.steps import CallKey, CallRecord, Decider, Decision, Step, StepDetails
from tests.support.rules import REGISTRY, bench, rule

FOLDER = "/home/ada/notes"
HOME = Path("/home/ada")


def call(
    number: int, tool: str, decision: Decision = Decision.ALLOWED, chat: str = "c1", **given: Any
) -> CallRecord:
    return CallRecord(
        key=CallKey("home", chat, f"t{number}"),
        tool=tool,
        digest="an earlier one",
        step=Step.ACKNOWLEDGED,
        asked_at=f"2025-03-04T05:06:{number:02}.000+00:00",
        changed_at="",
        details=StepDetails(decision=decision, decider=Decider.USER),
        reason="",
        input_text=json.dumps(given),
        result_text=None,
    )


def tried(rule: Rule, *records: CallRecord) -> SimulationReport:
    return simulate(rule, CallHistory(records, {"c1": FOLDER, "c2": "/srv"}, HOME), REGISTRY)


def test_each_past_call_says_whether_it_would_have_run() -> None:
    scope = FolderScope(FOLDER, writes=True, exceptions=("drafts",))
    report = tried(
        rule("write_file", scope=scope),
        call(1, "write_file", path="CHANGES.md", content="x"),
        call(2, "write_file", Decision.DENIED, path="private/keys.md", content="x"),
        call(3, "write_file", path="../taxes/2025.ods", content="x"),
        call(4, "write_file", path="~/notes/a.md", content="x"),
        call(5, "write_file", path="drafts/b.md", content="x"),
        call(6, "write_file", chat="c2", path="a.md", content="x"),
        call(7, "write_file", path=".env", content="x"),
        call(8, "read_file", path="CHANGES.md"),
        call(9, "write_file", path=7),
    )

    assert (report.call_count, report.run_count, report.denied_count) == (9, 3, 1)
    assert {call.words: call.verdict for call in report.calls} == {
        "write_file .env": SimulatedVerdict.ASKS,
        "write_file a.md": SimulatedVerdict.ASKS,
        "write_file drafts/b.md": SimulatedVerdict.ASKS,
        "write_file ~/notes/a.md": SimulatedVerdict.RUNS,
        "write_file ../taxes/2025.ods": SimulatedVerdict.ASKS,
        "write_file private/keys.md": SimulatedVerdict.RUNS_DENIED,
        "write_file CHANGES.md": SimulatedVerdict.RUNS,
    }


def test_places_of_the_home_folder_are_told_with_all_of_their_names() -> None:
    scope = FolderScope(FOLDER, exceptions=("drafts/old",))
    report = tried(
        rule("read_file", scope=scope),
        call(1, "read_file", path="~/notes/drafts/old/a.md"),
        call(2, "read_file", path="~/notes/drafts/a.md"),
    )

    assert {call.words: call.verdict for call in report.calls} == {
        "read_file ~/notes/drafts/a.md": SimulatedVerdict.RUNS,
        "read_file ~/notes/drafts/old/a.md": SimulatedVerdict.ASKS,
    }


def test_call_that_moves_a_file_is_named_by_both_places() -> None:
    scope = FolderScope(FOLDER, writes=True)
    report = tried(
        rule("move_file", scope=scope), call(1, "move_file", path="a.md", new_path="b.md")
    )

    assert [call.words for call in report.calls] == ["move_file a.md, b.md"]


def test_a_folder_that_was_picked_by_a_link_is_that_folder_by_both_its_names() -> None:
    records = tuple(
        call(number, "read_file", path=f"{folder}/a.md")
        for number, folder in enumerate((FOLDER, "/home/ada/link", "/home/ada/links"))
    )
    history = CallHistory(records, {"c1": FOLDER}, HOME, chosen={"c1": "/home/ada/link"})
    report = simulate(rule("read_file", scope=FolderScope(FOLDER)), history, REGISTRY)
    runs, asks = SimulatedVerdict.RUNS, SimulatedVerdict.ASKS
    assert [item.verdict for item in report.calls] == [asks, runs, runs]


def test_refused_calls_are_not_matched_by_a_rule() -> None:
    scope = FolderScope(str(HOME), writes=True)
    refused = call(1, "write_file", Decision.REFUSED, chat="c3", path=".bashrc", content="x")
    history = CallHistory((refused,), {"c3": str(HOME)}, HOME)
    report = simulate(rule("write_file", scope=scope, span=RuleLifetime("c3")), history, REGISTRY)
    assert (report.call_count, report.calls) == (1, ())


def test_commands_sites_and_tools_are_tried_too() -> None:
    argv = ["git", "status"]
    exact = InputScope(freeze({"argv": argv}).sha256, "git status", FOLDER, ("/usr/bin/git 1",))
    commands = tried(
        rule("run_command", scope=exact),
        call(1, "run_command", argv=argv),
        call(2, "run_command", argv=["git", "push"]),
    )
    assert [trial.verdict for trial in commands.calls] == [
        SimulatedVerdict.ASKS,
        SimulatedVerdict.RUNS,
    ]
    assert commands.calls[1].words == "run_command git status"
    pages = tried(
        rule("fetch_page", scope=HostScope("https://example.org:443")),
        call(1, "fetch_page", address="https://example.org/a"),
        call(2, "fetch_page", address="https://evil.net/"),
    )
    assert [call.words for call in pages.calls if call.verdict is SimulatedVerdict.RUNS] == [
        "fetch_page https://example.org/a"
    ]
    sums = tried(rule("calculate", scope=ToolScope()), call(1, "calculate", expression="1+1"))
    assert sums.run_count == 1


def test_no_more_than_the_newest_calls_are_tried() -> None:
    many = [call(n % 60, "calculate", expression=f"{n}") for n in range(CALLS_LIMIT + 5)]

    report = tried(rule("calculate", scope=ToolScope()), *many)

    assert report.call_count == len(report.calls) == CALLS_LIMIT
    assert report.calls[0].words == f'calculate {{"expression":"{CALLS_LIMIT + 4}"}}'


@pytest.mark.anyio
async def test_a_card_offers_the_scopes_that_its_call_fits_in(tmp_path: Path) -> None:
    async with bench(tmp_path) as desk:
        (desk.folder / "a.txt").write_text("x", encoding="utf-8")

        async def offered(name: str, **given: Any) -> list[tuple[str, bool]]:
            request = await desk.judge(name, given)
            assert isinstance(request, ApprovalRequest)
            offers = suggest_rules(request)
            for offer in offers:
                # Each of them can be made, and covers the very call it was offered for.
                made = rule(name, scope=offer.scope, span=offer.spans[0])
                await desk.add(made)
                assert not isinstance(await desk.judge(name, given), ApprovalRequest)
                await desk.rules.revoke(made.rule_id)
            return [(offer.scope.kind, RuleLifetime() in offer.spans) for offer in offers]

        assert await offered("read_file", path="a.txt") == [("folder", True), ("input", False)]
        write = {"path": "a.txt", "content": "y"}
        assert await offered("write_file", **write) == [("folder", False), ("input", False)]
        assert await offered("run_command", argv=["true"]) == [("input", False)]
        assert await offered("fetch_page", address="https://example.org/") == [
            ("host", False),
            ("input", False),
        ]
        assert await offered("current_time") == [("tool", False)]
        assert await offered("run_shell", command="true") == []
        assert await offered("read_file", path=str(tmp_path / "store.db")) == []


def test_a_folder_is_opened_for_the_tools_that_only_read() -> None:
    names = [definition.name for definition in reading_tools(REGISTRY)]

    assert names == ["list_folder", "read_file", "search_files"]
