"""What a rule never covers, however near it comes: another folder, other places, other programs."""

from pathlib import Path
from typing import Annotated, Any

import pytest

from app.approvals.policy import Granted, Verdict
from app.approvals.queue import ApprovalRequest
from app.approvals.rules import FolderScope, HostScope, InputScope, RuleLifetime, new_rule
from local_tools.registry import ToolRegistry
from local_tools.tool import BUILT_IN, WEB_ADDRESS, AnyTool, CommandLine, GuardedPath, tool
from tests.support.rules import CHAT, NOW, bench
from tests.support.rules import rule as rule_about

pytestmark = pytest.mark.anyio


def _reading_tool(description: str = "Read it.", **declared: Any) -> AnyTool:
    def read_notes(path: GuardedPath) -> str:
        return str(path)

    read_notes.__doc__ = description
    effects = {"read_only": True, "destructive": False, "open_world": False, **declared}
    made: AnyTool = tool(**effects)(read_notes)
    return made


def _running_tool() -> AnyTool:
    @tool(read_only=True, destructive=False, open_world=False)
    def read_with(path: GuardedPath, argv: CommandLine) -> str:
        """Read it with a program."""
        return f"{path} {argv}"

    return read_with


async def _with_a_rule(data: Path, item: AnyTool, given: dict[str, Any]) -> Verdict:
    """Return what becomes of a call in a folder that a rule opens to its tool."""
    registry = ToolRegistry([item])
    async with bench(data, registry) as desk:
        scope = FolderScope(str(desk.folder))
        await desk.add(new_rule(registry.definitions(), scope, RuleLifetime(CHAT), NOW))
        return await desk.judge(item.name, {"path": "a.txt", **given})


@pytest.mark.security(11)
async def test_an_allowed_command_is_asked_again_in_another_folder(tmp_path: Path) -> None:
    command = {"argv": ["true", "--help"]}
    async with bench(tmp_path) as desk:
        first = await desk.judge("run_command", command)
        assert isinstance(first, ApprovalRequest)
        assert first.call_scope is not None
        scope = InputScope(
            first.call_scope.input_sha256,
            "shown",
            first.call_scope.folder,
            first.call_scope.programs,
        )
        await desk.add(rule_about("run_command", scope=scope))
        assert isinstance(await desk.judge("run_command", command), Granted)

        desk.folder = (tmp_path / "other").resolve()
        desk.folder.mkdir()

        assert isinstance(await desk.judge("run_command", command), ApprovalRequest)


@pytest.mark.security(11)
async def test_a_rule_about_a_site_covers_no_call_that_opens_places_or_starts_programs(
    tmp_path: Path,
) -> None:
    @tool(read_only=True, destructive=False, needs_network=True)
    def ask_site(address: Annotated[str, WEB_ADDRESS]) -> str:
        """Ask a site."""
        return address

    @tool(read_only=True, destructive=False, needs_network=True)
    def send_file(address: Annotated[str, WEB_ADDRESS], path: GuardedPath) -> str:
        """Send a file to a site."""
        return f"{address} {path}"

    @tool(read_only=True, destructive=False, needs_network=True)
    def send_output(address: Annotated[str, WEB_ADDRESS], argv: CommandLine) -> str:
        """Send what a program says to a site."""
        return f"{address} {argv}"

    registry = ToolRegistry([ask_site, send_file, send_output])
    site = {"address": "https://example.org/"}
    async with bench(tmp_path, registry) as desk:
        (desk.folder / "a.txt").write_text("x", encoding="utf-8")
        scope = HostScope("https://example.org:443")
        await desk.add(new_rule(registry.definitions(), scope, RuleLifetime(CHAT), NOW))

        assert isinstance(await desk.judge("ask_site", site), Granted)
        sent = await desk.judge("send_file", {**site, "path": "a.txt"})
        assert isinstance(sent, ApprovalRequest)
        said = await desk.judge("send_output", {**site, "argv": ["true"]})
        assert isinstance(said, ApprovalRequest)


@pytest.mark.security(11)
@pytest.mark.parametrize(
    ("made", "given"),
    [
        (_reading_tool(open_world=True), {}),
        (_reading_tool(needs_network=True), {}),
        (_running_tool(), {"argv": ["true"]}),
    ],
    ids=["beyond the folder", "over the network", "with a program"],
)
async def test_a_folder_rule_covers_no_tool_that_reaches_beyond_the_folder(
    tmp_path: Path, made: AnyTool, given: dict[str, Any]
) -> None:
    within = _reading_tool()
    assert isinstance(await _with_a_rule(tmp_path, within, {}), Granted)
    assert isinstance(await _with_a_rule(tmp_path, made, given), ApprovalRequest)


@pytest.mark.security(13)
async def test_a_rule_ends_visibly_at_the_first_call_after_its_tool_changed(
    tmp_path: Path,
) -> None:
    registry = ToolRegistry([_reading_tool()])
    async with bench(tmp_path, registry) as desk:
        await desk.add(
            new_rule(registry.definitions(), FolderScope(str(desk.folder)), RuleLifetime(), NOW)
        )
        assert isinstance(await desk.judge("read_notes", {"path": "a"}), Granted)

        registry.replace(BUILT_IN, [_reading_tool("Send it.")])
        assert isinstance(await desk.judge("read_notes", {"path": "a"}), ApprovalRequest)

        (rule,) = desk.rules.rules
        assert rule.ended is not None
        assert rule.ended.reason == "changed"
        # What it was for is back, and the person has still not allowed it again.
        registry.replace(BUILT_IN, [_reading_tool()])
        assert isinstance(await desk.judge("read_notes", {"path": "a"}), ApprovalRequest)


@pytest.mark.security(13)
async def test_an_edited_input_is_not_taken_for_a_tool_that_changed_meanwhile(
    tmp_path: Path,
) -> None:
    registry = ToolRegistry([_reading_tool()])
    async with bench(tmp_path, registry) as desk:
        request = await desk.judge("read_notes", {"path": "a"})
        assert isinstance(request, ApprovalRequest)
        registry.replace(BUILT_IN, [_reading_tool("Send it.")])

        edited = await desk.policy.with_input(request, '{"path": "b"}', desk.folder)

        assert edited.prepared == request.prepared
        assert "not what it was" in edited.problem
