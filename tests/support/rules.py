"""Rules about built-in tools, and what a policy makes of calls, for tests of both."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app.api.events import ToolUse
from app.approvals.policy import Policy, Verdict
from app.approvals.rule_engine import PermissionRules
from app.approvals.rules import FolderScope, Rule, RuleLifetime, RuleScope, new_rule
from app.store.store import Store
from local_tools.registry import ToolRegistry
from local_tools.sandbox.types import SandboxState, nothing_holds
from local_tools.tool import ToolDefinition
from tests.support.clocks import ManualClock

REGISTRY = ToolRegistry.built_in()
DECLARED = {definition.name: definition.digest for definition in REGISTRY.definitions()}
NOW = datetime(2025, 3, 4, 5, 6, 7, tzinfo=UTC)
CHAT = "c1"
THIS_CHAT = RuleLifetime(CHAT)
WHOLE = SandboxState("bubblewrap", True, True, True, True)
NONE = nothing_holds("none")


def definition(name: str) -> ToolDefinition:
    """Return a tool that ships."""
    found = REGISTRY.get(name)
    assert found is not None
    return found.definition


def rule(
    *names: str,
    scope: RuleScope,
    span: RuleLifetime = THIS_CHAT,
    denies: bool = False,
    at: datetime = NOW,
) -> Rule:
    """Return a rule for these tools."""
    definitions = tuple(definition(name) for name in names)
    return new_rule(definitions, scope, span, at, denies=denies)


def reading_in(folder: Path, *exceptions: str, span: RuleLifetime | None = None) -> Rule:
    """Return what the choice of a folder offers: reading there without being asked, for good."""
    scope = FolderScope(str(folder), exceptions=exceptions)
    return rule(
        "list_folder", "read_file", "search_files", scope=scope, span=span or RuleLifetime()
    )


@dataclass
class PolicyFixture:
    """A policy with its rules, and a chat whose calls it judges."""

    folder: Path
    rules: PermissionRules
    clock: ManualClock
    sandbox: SandboxState = WHOLE
    own_folders: tuple[Path, ...] = ()
    registry: ToolRegistry = REGISTRY

    async def judge(
        self,
        name: str,
        given: Mapping[str, Any],
        conversation_id: str = CHAT,
        *,
        has_folder: bool = True,
    ) -> Verdict:
        """Return what becomes of this call."""
        declared = {item.name: item.digest for item in self.registry.definitions()}
        call = ToolUse("call-1", name, given)
        folder = self.folder if has_folder else None
        return await self.policy.judge(conversation_id, call, declared, folder)

    @property
    def policy(self) -> Policy:
        """What judges, as things are now."""
        return Policy(
            self.registry,
            self.folder.parent,
            sandbox=self.state,
            rules=self.rules,
            own_folders=self.own_folders,
        )

    async def add(self, *rules: Rule) -> None:
        for item in rules:
            await self.rules.add(item)

    async def state(self) -> SandboxState:
        """Return what holds where calls run."""
        return self.sandbox


@asynccontextmanager
async def bench(
    data: Path, registry: ToolRegistry = REGISTRY, clock: ManualClock | None = None
) -> AsyncIterator[PolicyFixture]:
    """Rules kept in `data`, and the folder `data/notes`; opened again, they are read again."""
    folder = data / "notes"
    folder.mkdir(exist_ok=True)
    store = Store(data / "store.db")
    await store.open()
    clock = clock or ManualClock()
    rules = PermissionRules(store.profile("home").rules, registry.definitions, clock)
    await rules.load()
    try:
        yield PolicyFixture(folder.resolve(), rules, clock, registry=registry)
    finally:
        await store.close()
