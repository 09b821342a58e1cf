"""Rules and a person's own tools: their code is let into the folder, whatever a call names."""

from pathlib import Path

import pytest

from app.approvals.call_scope import GrantBlocker
from app.approvals.policy import Forbidden, Granted, Refusal
from app.approvals.queue import ApprovalRequest
from app.approvals.rule_engine import reading_tools, suggest_rules
from app.approvals.rule_simulation import CallHistory, SimulatedVerdict, simulate
from app.approvals.rules import FolderScope, Rule, RuleLifetime, RuleScope, new_rule
from local_tools.execution.worker_request import WorkerRequest
from local_tools.registry import ToolRegistry
from local_tools.tool import AnyTool, Preview, ToolError
from tests.app.approvals.test_rule_simulation import call
from tests.support.rules import CHAT, NOW, bench
from tests.support.user_tool_fixtures import make_set, tools_of

pytestmark = pytest.mark.anyio

NAME = "texts__count_words"
GIVEN = {"path": "a.txt"}


@pytest.fixture(scope="module")
def own_tool(tmp_path_factory: pytest.TempPathFactory) -> AnyTool:
    (made,) = tools_of(make_set(tmp_path_factory.mktemp("tools") / "texts"))
    return made


@pytest.fixture
def registry(own_tool: AnyTool) -> ToolRegistry:
    known = ToolRegistry.built_in()
    known.add(own_tool)
    return known


def ruled(tool: AnyTool, scope: RuleScope, *, denies: bool = False) -> Rule:
    return new_rule((tool.definition,), scope, RuleLifetime(CHAT), NOW, denies=denies)


def test_a_folder_that_is_opened_for_reading_is_not_opened_to_the_tools_of_others(
    registry: ToolRegistry,
) -> None:
    # Our choice: to pick a folder says nothing about code that somebody else answers for.
    names = [definition.name for definition in reading_tools(registry)]
    assert names == ["list_folder", "read_file", "search_files"]


async def test_a_rule_of_its_own_lets_it_read_in_the_folder(
    tmp_path: Path, registry: ToolRegistry, own_tool: AnyTool
) -> None:
    async with bench(tmp_path, registry) as desk:
        (desk.folder / "a.txt").write_text("x", encoding="utf-8")
        request = await desk.judge(NAME, GIVEN)
        assert isinstance(request, ApprovalRequest)
        folder, _ = suggest_rules(request)
        await desk.add(ruled(own_tool, folder.scope))
        assert isinstance(await desk.judge(NAME, GIVEN), Granted)


@pytest.mark.security(46)
async def test_its_code_could_open_an_exception_or_a_secret_so_it_is_asked(
    tmp_path: Path, registry: ToolRegistry, own_tool: AnyTool
) -> None:
    async with bench(tmp_path, registry) as desk:
        (desk.folder / "a.txt").write_text("x", encoding="utf-8")
        excepted = FolderScope(str(desk.folder), exceptions=("private",))
        await desk.add(ruled(own_tool, excepted))
        assert isinstance(await desk.judge(NAME, GIVEN), ApprovalRequest)
        (trial,) = simulate(
            ruled(own_tool, excepted),
            CallHistory((call(1, NAME, path="a.txt"),), {CHAT: str(desk.folder)}, tmp_path),
            registry,
        ).calls
        assert trial.verdict is SimulatedVerdict.ASKS

        await desk.add(ruled(own_tool, FolderScope(str(desk.folder))))
        assert isinstance(await desk.judge(NAME, GIVEN), Granted)
        (desk.folder / ".env").write_text("KEY=1", encoding="utf-8")
        request = await desk.judge(NAME, GIVEN)
        assert isinstance(request, ApprovalRequest)
        assert request.call_scope is not None
        assert request.call_scope.blocker is GrantBlocker.SENSITIVE


async def test_a_rule_that_forbids_a_place_forbids_the_folders_around_it(
    tmp_path: Path, registry: ToolRegistry, own_tool: AnyTool
) -> None:
    async with bench(tmp_path, registry) as desk:
        for name in ("private", "open"):
            (desk.folder / name).mkdir()
            (desk.folder / name / "a.txt").write_text("x", encoding="utf-8")
        place = FolderScope(str(desk.folder / "private"), exceptions=("known",))
        shipped = [item for item in registry.definitions() if item.source == "built-in"]
        forbids = new_rule((*shipped, own_tool.definition), place, RuleLifetime(), NOW, denies=True)
        await desk.add(forbids)

        for name, given in (
            ("read_file", {"path": "private/a.txt"}),
            ("list_folder", {"path": "."}),
            ("run_command", {"argv": ["true"]}),
            (NAME, {"path": "open/a.txt"}),
        ):
            assert isinstance(await desk.judge(name, given), Forbidden), name
        for path in ("open/a.txt", "private/known/b.txt"):
            assert not isinstance(await desk.judge("read_file", {"path": path}), Forbidden), path


@pytest.mark.security(87)
async def test_no_preview_of_its_own_answers_the_assistant_or_sees_a_protected_place(
    tmp_path: Path,
) -> None:
    (tool,) = tools_of(make_set(tmp_path / "texts"))
    previewed: list[tuple[str, ...]] = []

    def show(order: WorkerRequest) -> Preview:
        """Fails, floods or shows, as the file has it."""
        (target,) = order.targets
        previewed.append(target.parts)
        if target.expected.size_bytes == len("fail"):
            raise ToolError("It begins with an f.")
        return Preview("text", "x\n" * (5_000 if target.expected.kind == "file" else 1))

    tool.show_order = show
    async with bench(tmp_path, ToolRegistry([tool])) as desk:
        (desk.folder / "fails").write_text("fail", encoding="utf-8")
        (desk.folder / "floods").write_text("more than that", encoding="utf-8")
        (desk.folder / "link").symlink_to("fails")
        for path in ("fails", "floods", "link", "no", "no/no", ".", "/no/where"):
            assert isinstance(await desk.judge(NAME, {"path": path}), ApprovalRequest), path
        seen = len(previewed)
        for path in ("~/.ssh/id_rsa", "~/.aws", str(desk.folder.parent / ".netrc")):
            assert isinstance(await desk.judge(NAME, {"path": path}), Refusal), path
        assert len(previewed) == seen == 4
