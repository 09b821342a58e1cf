"""Rules: what they cover, for how long, and what no rule can ever cover."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.approvals.call_scope import GrantBlocker
from app.approvals.policy import Forbidden, Granted, Refusal, Verdict
from app.approvals.queue import ApprovalRequest
from app.approvals.rules import (
    FolderScope,
    HostScope,
    InputScope,
    RuleError,
    RuleLifetime,
    RuleScope,
    ToolScope,
    new_rule,
)
from local_tools.canonical import freeze
from tests.support.rules import CHAT, NONE, NOW, THIS_CHAT, WHOLE, bench, definition, reading_in
from tests.support.rules import rule as rule_about

pytestmark = pytest.mark.anyio

GIT_STATUS = {"argv": ["true", "--help"]}


def asks(verdict: Verdict) -> bool:
    return isinstance(verdict, ApprovalRequest)


def blocker(verdict: Verdict) -> GrantBlocker | None:
    assert isinstance(verdict, ApprovalRequest)
    assert verdict.call_scope is not None
    return verdict.call_scope.blocker


def input_scope(verdict: Verdict) -> InputScope:
    """Return a scope of exactly this call."""
    assert isinstance(verdict, ApprovalRequest)
    call_scope = verdict.call_scope
    assert call_scope is not None
    return InputScope(call_scope.input_sha256, "shown", call_scope.folder, call_scope.programs)


@pytest.mark.security(11)
def test_rule_remembers_what_its_tools_do() -> None:
    kept = rule_about("read_file", scope=FolderScope("/notes")).tools[0].definition

    assert "read_only: True\ndestructive: False\nopen_world: False" in kept


async def test_reading_in_a_granted_folder_runs_without_asking(tmp_path: Path) -> None:
    async with bench(tmp_path) as desk:
        (desk.folder / "a.txt").write_text("x", encoding="utf-8")
        rule = reading_in(desk.folder)
        await desk.add(rule)

        for name, given in (
            ("read_file", {"path": "a.txt"}),
            ("list_folder", {"path": "."}),
            ("search_files", {"path": ".", "query": "x"}),
        ):
            verdict = await desk.judge(name, given, "another chat")
            assert isinstance(verdict, Granted)
            assert verdict.rule.rule_id == rule.rule_id
        assert asks(await desk.judge("write_file", {"path": "a.txt", "content": "y"}))


async def test_a_folder_rule_covers_that_folder_and_nothing_beside_it(tmp_path: Path) -> None:
    async with bench(tmp_path) as desk:
        await desk.add(reading_in(desk.folder.with_name("note")), reading_in(desk.folder / "sub"))
        (desk.folder / "sub").mkdir()
        (desk.folder / "sub" / "a.txt").write_text("x", encoding="utf-8")

        assert asks(await desk.judge("read_file", {"path": "sub/a.txt"}))

        await desk.add(reading_in(desk.folder))
        outside = await desk.judge("read_file", {"path": str(tmp_path / "b.txt")})
        assert blocker(outside) is GrantBlocker.OUTSIDE_FOLDER
        without = await desk.judge("read_file", {"path": str(desk.folder / "a")}, has_folder=False)
        assert blocker(without) is GrantBlocker.NO_FOLDER


async def test_exceptions_are_asked_and_so_is_a_folder_that_holds_one(tmp_path: Path) -> None:
    async with bench(tmp_path) as desk:
        (desk.folder / "private" / "deep").mkdir(parents=True)
        (desk.folder / "privates").mkdir()
        # Where upper and lower case count as the same, this is the exception itself.
        (desk.folder / "PRIVATE").mkdir(exist_ok=True)
        await desk.add(reading_in(desk.folder, "private"))

        for path in ("private/a.md", "PRIVATE/a.md", "private", "private/deep/b.md", "."):
            name = "list_folder" if path in (".", "private") else "read_file"
            assert asks(await desk.judge(name, {"path": path})), path
        assert not asks(await desk.judge("read_file", {"path": "privates/a.md"}))


async def test_a_rule_that_forbids_beats_one_that_allows(tmp_path: Path) -> None:
    async with bench(tmp_path) as desk:
        scope = FolderScope(str(desk.folder))
        await desk.add(reading_in(desk.folder), rule_about("read_file", scope=scope, denies=True))

        verdict = await desk.judge("read_file", {"path": "a.txt"})

        assert isinstance(verdict, Forbidden)
        assert not asks(await desk.judge("list_folder", {"path": "."}))


async def test_an_exception_of_several_names_is_not_forbidden_and_its_neighbours_are(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as desk:
        scope = FolderScope(str(desk.folder), exceptions=("open/today",))
        await desk.add(rule_about("read_file", scope=scope, denies=True))

        for path in ("a.txt", "open/a.txt", "open/todays/a.txt", "today/a.txt"):
            verdict = await desk.judge("read_file", {"path": path})
            assert isinstance(verdict, Forbidden), path
        assert asks(await desk.judge("read_file", {"path": "open/today/a.txt"}))


@pytest.mark.security(44)
@pytest.mark.parametrize(
    "gaps",
    [
        NONE,
        replace(WHOLE, holds_files=False),
        replace(WHOLE, holds_places=False),
        replace(WHOLE, holds_network=False),
        replace(WHOLE, holds_processes=False),
    ],
    ids=["none", "files", "places", "network", "processes"],
)
async def test_without_a_whole_sandbox_nothing_runs_unasked(tmp_path: Path, gaps: Any) -> None:
    async with bench(tmp_path) as desk:
        desk.sandbox = gaps
        command = input_scope(await desk.judge("run_command", GIT_STATUS))
        await desk.add(
            reading_in(desk.folder),
            rule_about("run_command", scope=command),
            rule_about("calculate", scope=ToolScope()),
            rule_about("fetch_page", scope=HostScope("https://example.org:443")),
        )

        for name, given in (
            ("read_file", {"path": "a.txt"}),
            ("run_command", GIT_STATUS),
            ("calculate", {"expression": "1+1"}),
            ("fetch_page", {"address": "https://example.org/"}),
        ):
            assert blocker(await desk.judge(name, given)) is GrantBlocker.NO_SANDBOX

        desk.sandbox = WHOLE
        assert not asks(await desk.judge("run_command", GIT_STATUS))


async def test_a_command_is_covered_to_the_letter_in_its_folder_with_its_program(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as desk:
        script = desk.folder / "check.sh"
        script.write_text("#!/bin/sh\n", encoding="utf-8")
        script.chmod(0o700)
        call = {"argv": ["./check.sh", "fast"]}
        await desk.add(
            rule_about("run_command", scope=input_scope(await desk.judge("run_command", call)))
        )
        assert isinstance(await desk.judge("run_command", call), Granted)

        assert asks(await desk.judge("run_command", call, "another chat"))
        assert asks(await desk.judge("run_command", {"argv": ["./check.sh", "fast", ""]}))
        assert asks(await desk.judge("run_command", {**call, "timeout_s": 600}))

        script.write_text("#!/bin/sh\nrm -rf .\n", encoding="utf-8")
        assert asks(await desk.judge("run_command", call))
        (ended,) = desk.rules.rules
        assert ended.ended is not None
        assert ended.ended.reason == "program_changed"


async def test_a_rule_about_a_site_covers_no_other(tmp_path: Path) -> None:
    async with bench(tmp_path) as desk:
        await desk.add(rule_about("fetch_page", scope=HostScope("https://example.org:443")))

        assert not asks(await desk.judge("fetch_page", {"address": "https://EXAMPLE.org/a?b"}))
        for address in (
            "http://example.org/",
            "https://example.org:8443/",
            "https://example.org.evil.net/",
            "https://evil.net/https://example.org/",
            "https://sub.example.org/",
        ):
            assert asks(await desk.judge("fetch_page", {"address": address})), address


async def test_a_shell_and_what_the_program_does_itself_are_always_asked(tmp_path: Path) -> None:
    async with bench(tmp_path) as desk:
        shell = await desk.judge("run_shell", {"command": "true"})

        assert blocker(shell) is GrantBlocker.NOT_GRANTABLE
        assert blocker(await desk.judge("read_clipboard", {})) is GrantBlocker.IN_PROGRAM
        with pytest.raises(RuleError):
            rule_about("run_shell", scope=input_scope(shell))


@pytest.mark.parametrize(
    ("names", "scope", "span"),
    [
        (("read_file",), FolderScope("/a"), RuleLifetime(calls=5)),
        (("read_file", "write_file"), FolderScope("/a"), THIS_CHAT),
        (("write_file",), FolderScope("/a", writes=True), RuleLifetime()),
        (("run_command",), InputScope("0", "ls"), RuleLifetime()),
        (("run_command",), ToolScope(), THIS_CHAT),
        (("fetch_page",), HostScope("https://a:443"), RuleLifetime()),
        (("calculate",), ToolScope(), RuleLifetime()),
        ((), FolderScope("/a"), THIS_CHAT),
    ],
)
def test_no_rule_is_wider_than_its_kind_may_be(
    names: tuple[str, ...], scope: RuleScope, span: RuleLifetime
) -> None:
    with pytest.raises(RuleError):
        new_rule(tuple(definition(name) for name in names), scope, span, NOW)


async def test_writing_in_a_folder_is_granted_for_writing_only_inside_it(tmp_path: Path) -> None:
    async with bench(tmp_path) as desk:
        (desk.folder / "drafts").mkdir()
        (desk.folder / "b.md").write_text("x", encoding="utf-8")
        scope = FolderScope(str(desk.folder), writes=True, exceptions=("drafts",))
        await desk.add(rule_about("write_file", scope=scope))

        assert not asks(await desk.judge("write_file", {"path": "a.md", "content": "x"}))
        assert asks(await desk.judge("write_file", {"path": "drafts/a.md", "content": "x"}))
        edit = {"path": "b.md", "old_text": "x", "new_text": "y"}
        assert asks(await desk.judge("edit_file", edit))
        outside = {"path": str(tmp_path / "b.md"), "content": "x"}
        assert asks(await desk.judge("write_file", outside))


async def test_nothing_is_moved_to_where_it_brings_what_an_exception_is_about(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as desk:
        (desk.folder / "made" / "private").mkdir(parents=True)
        scope = FolderScope(str(desk.folder), writes=True, exceptions=("conf/private",))
        await desk.add(rule_about("move_file", scope=scope))

        assert asks(await desk.judge("move_file", {"path": "made", "new_path": "conf"}))
        assert not asks(await desk.judge("move_file", {"path": "made", "new_path": "other"}))


async def test_names_that_tend_to_hold_secrets_are_asked_each_time(tmp_path: Path) -> None:
    async with bench(tmp_path) as desk:
        await desk.add(reading_in(desk.folder))

        for path in (".env", ".env.production", "id_ed25519", "server.PEM", "Passwords.txt"):
            verdict = await desk.judge("read_file", {"path": path})
            assert blocker(verdict) is GrantBlocker.SENSITIVE, path
        assert not asks(await desk.judge("search_files", {"path": ".", "query": "x"}))
        (desk.folder / "deep").mkdir()
        (desk.folder / "deep" / "api_keys.json").write_text("{}", encoding="utf-8")
        assert asks(await desk.judge("search_files", {"path": ".", "query": "x"}))
        assert not asks(await desk.judge("list_folder", {"path": "."}))


@pytest.mark.security(30)
@pytest.mark.parametrize("name", [".git", "node_modules", ".venv"])
async def test_a_search_that_leaves_nothing_out_is_asked_for_the_secrets_in_it(
    tmp_path: Path, name: str
) -> None:
    async with bench(tmp_path) as desk:
        (desk.folder / name / "deep").mkdir(parents=True)
        (desk.folder / name / "deep" / ".env").write_text("KEY=1", encoding="utf-8")
        await desk.add(reading_in(desk.folder))
        search = {"path": ".", "query": "KEY"}

        assert not asks(await desk.judge("search_files", search))
        verdict = await desk.judge("search_files", {**search, "include_hidden": True})
        assert blocker(verdict) is GrantBlocker.SENSITIVE
        inside = await desk.judge("search_files", {**search, "path": f"{name}/deep"})
        assert blocker(inside) is GrantBlocker.SENSITIVE


async def test_a_file_with_a_second_name_is_asked(tmp_path: Path) -> None:
    async with bench(tmp_path) as desk:
        (tmp_path / "elsewhere").write_text("x", encoding="utf-8")
        os.link(tmp_path / "elsewhere", desk.folder / "a.txt")
        await desk.add(reading_in(desk.folder))

        verdict = await desk.judge("read_file", {"path": "a.txt"})

        assert blocker(verdict) is GrantBlocker.OTHER_NAME


@pytest.mark.security(23)
@pytest.mark.parametrize("is_there", [True, False], ids=["there", "absent"])
async def test_our_own_files_and_what_steers_other_programs_are_refused(
    tmp_path: Path, is_there: bool
) -> None:
    kept = (
        ".bashrc",
        ".config/autostart/a.desktop",
        "notes/.git/hooks/pre-commit",
        "notes/.git/config",
        "notes/.mcp.json",
        ".config/git/config",
    )
    hidden = (
        ".ssh/id_rsa",
        ".local/share/keyrings/login.keyring",
        "own/grants.db",
        ".aws/credentials",
    )
    async with bench(tmp_path) as desk:
        desk.own_folders = (tmp_path / "own",)
        await desk.add(rule_about("write_file", scope=FolderScope(str(desk.folder), writes=True)))
        for place in (*kept, *hidden):
            (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
            if is_there:
                (tmp_path / place).write_text("before", encoding="utf-8")

        for place in (*kept, *hidden):
            given = {"path": str(tmp_path / place), "content": "evil"}
            assert isinstance(await desk.judge("write_file", given), Refusal), place
            moved = {"path": str(tmp_path / place)}
            if place in hidden:
                assert isinstance(await desk.judge("read_file", moved), Refusal), place
            assert (tmp_path / place).exists() is is_there


async def test_an_allowed_input_is_that_input(tmp_path: Path) -> None:
    async with bench(tmp_path) as desk:
        exact = InputScope(freeze({"expression": "1+1"}).sha256, "1+1")
        await desk.add(rule_about("calculate", scope=exact, span=RuleLifetime(CHAT, calls=1)))

        assert not asks(await desk.judge("calculate", {"expression": "1+1"}))
        assert asks(await desk.judge("calculate", {"expression": "1+2"}))
