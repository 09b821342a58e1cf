"""The page on which a rule is made: tried on what is recorded, then kept with the call allowed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.approvals.policy import Forbidden
from app.approvals.queue import Allowed, ApprovalQueue, ApprovalRequest, Denied, Resolution
from app.approvals.rules import FolderScope
from app.chat.workspace import RulePermissions
from app.store.store import Store
from app.viewmodels.approval.approval import ApprovalViewModel
from app.viewmodels.approval.rule_texts import RulePageView
from local_tools.ledger.ledger import Ledger
from local_tools.ledger.steps import CallKey
from tests.support.clocks import ManualClock
from tests.support.rules import CHAT, REGISTRY, PolicyFixture, bench
from tests.support.signals import emitted

pytestmark = pytest.mark.anyio


@dataclass
class Desk:
    bench: PolicyFixture
    queue: ApprovalQueue
    approval: ApprovalViewModel
    asked: "asyncio.Task[Resolution]"

    async def page(self, trials: int) -> RulePageView:
        """Return the page once a try has ended."""
        while True:
            (view,) = await emitted(self.approval.rule_page.changed)
            if isinstance(view, RulePageView) and not view.is_trying and len(view.trials) == trials:
                return view


@asynccontextmanager
async def desk_with_a_card(data: Path) -> AsyncIterator[Desk]:
    clock = ManualClock()
    queue, ledger, store = ApprovalQueue(clock), Ledger(data / "ledger.db"), Store(data / "a.db")
    await ledger.open()
    await store.open()
    async with bench(data, clock=clock) as found:
        profile = store.profile("home")
        await profile.conversations.set_folder(CHAT, found.folder)
        for number, path in enumerate(("a.md", "private/b.md")):
            await ledger.ask(
                CallKey("home", CHAT, f"t{number}"),
                tool="write_file",
                digest="",
                input_text=f'{{"path": "{path}", "content": "x"}}',
            )
        approval = ApprovalViewModel(queue)
        permissions = RulePermissions(
            found.rules, REGISTRY, profile, ledger, clock, data, found.state
        )
        approval.show_permissions(permissions)
        approval.show(CHAT)
        request = await found.judge("write_file", {"path": "a.md", "content": "x"})
        assert isinstance(request, ApprovalRequest)
        asked = asyncio.ensure_future(queue.ask(request))
        await emitted(approval.cards_changed)
        try:
            yield Desk(found, queue, approval, asked)
        finally:
            asked.cancel()
            await approval.aclose()
            await ledger.close()
            await store.close()


async def test_a_rule_is_tried_kept_and_the_call_runs(tmp_path: Path) -> None:
    async with desk_with_a_card(tmp_path) as desk:
        (card,) = desk.approval.cards
        assert len(card.rules) == 2
        desk.approval.open_rule(card.request_id, card.generation, 0)
        view = await desk.page(2)
        assert [trial.verdict.value for trial in view.trials] == ["runs", "runs"]
        assert view.question == "In this chat, always allow writing in this folder?"
        page = desk.approval.rule_page

        page.add_exception("private/")
        view = await desk.page(2)
        assert view.exceptions == ("private",)
        assert [trial.verdict.value for trial in view.trials] == ["asks", "runs"]
        page.choose_span("minutes")
        view = await desk.page(2)
        assert view.question == "Allow writing in this folder for 15 minutes?"
        page.save()

        assert await desk.asked == Allowed()
        (rule,) = desk.bench.rules.rules
        assert rule.scope == FolderScope(str(desk.bench.folder), True, ("private",))
        assert (rule.span.minutes, rule.span.conversation_id) == (15, CHAT)
        assert not isinstance(
            await desk.bench.judge("write_file", {"path": "c.md", "content": "x"}), ApprovalRequest
        )


async def test_a_card_says_why_no_rule_can_be_made_of_it(tmp_path: Path) -> None:
    async with desk_with_a_card(tmp_path) as desk:
        (card,) = desk.approval.cards
        assert card.no_rule_words == ""
        request = await desk.bench.judge("read_file", {"path": str(tmp_path / "a.db")})
        assert isinstance(request, ApprovalRequest)
        asked = asyncio.ensure_future(desk.queue.ask(request))
        await emitted(desk.approval.cards_changed)
        try:
            outside = desk.approval.cards[-1]
            assert (outside.rules, outside.no_rule_words) == ((), "only in this chat’s folder")
        finally:
            asked.cancel()


async def test_a_card_that_waited_too_long_keeps_no_rule(tmp_path: Path) -> None:
    async with desk_with_a_card(tmp_path) as desk:
        (card,) = desk.approval.cards
        desk.approval.open_rule(card.request_id, card.generation, 0)
        await desk.page(2)

        desk.bench.clock.advance(601)
        desk.approval.rule_page.save()

        assert await desk.asked != Allowed()
        assert desk.bench.rules.rules == ()


async def test_the_page_closes_with_its_card(tmp_path: Path) -> None:
    async with desk_with_a_card(tmp_path) as desk:
        (card,) = desk.approval.cards
        desk.approval.open_rule(card.request_id, card.generation, 0)
        await desk.page(2)
        views: list[RulePageView | None] = []
        desk.approval.rule_page.changed.connect(views.append)

        desk.approval.deny(card.request_id, card.generation, "")

        assert views == [None]
        desk.approval.rule_page.save()
        assert desk.bench.rules.rules == ()


async def test_a_tool_that_is_forbidden_is_not_asked_again_in_its_chat(tmp_path: Path) -> None:
    async with desk_with_a_card(tmp_path) as desk:
        (card,) = desk.approval.cards

        desk.approval.forbid(card.request_id, card.generation, "No.")

        assert await desk.asked == Denied("No.")
        given = {"path": "c.md", "content": "x"}
        assert isinstance(await desk.bench.judge("write_file", given), Forbidden)
        assert isinstance(await desk.bench.judge("write_file", given, "c2"), ApprovalRequest)
