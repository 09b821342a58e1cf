"""A folder that was chosen may be opened for reading, where a sandbox holds."""

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

from app.approvals.policy import Granted
from app.approvals.queue import ApprovalRequest
from app.chat.workspace import RulePermissions
from app.viewmodels.approval.approval import FolderOffer
from tests.support.rules import NONE, REGISTRY, PolicyFixture, bench
from tests.support.signals import emitted

pytestmark = pytest.mark.anyio


def offer_of(desk: PolicyFixture) -> FolderOffer:
    made = FolderOffer()
    # Neither store nor ledger is looked at.
    nothing = cast("Any", None)
    home = desk.folder.parent
    permissions = RulePermissions(
        desk.rules, REGISTRY, nothing, nothing, desk.clock, home, desk.state
    )
    made.show_permissions(permissions)
    return made


async def test_a_chosen_folder_is_offered_once_and_read_without_asking(tmp_path: Path) -> None:
    async with bench(tmp_path) as desk:
        offer = offer_of(desk)
        offer.make(desk.folder)
        assert await emitted(offer.changed) == ("~/notes",)
        assert isinstance(await desk.judge("list_folder", {"path": "."}), ApprovalRequest)

        kept = asyncio.Event()
        desk.rules.subscribe(kept.set)
        offer.accept()
        await asyncio.wait_for(kept.wait(), 5)

        assert isinstance(await desk.judge("list_folder", {"path": "."}), Granted)
        assert isinstance(
            await desk.judge("write_file", {"path": "a", "content": "x"}), ApprovalRequest
        )
        shown: list[str] = []
        offer.changed.connect(shown.append)
        offer.make(desk.folder)
        await offer.aclose()
        assert "~/notes" not in shown


async def test_offer_goes_once_the_folder_may_be_read_by_a_rule_made_elsewhere(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as desk:
        offer, elsewhere = offer_of(desk), offer_of(desk)
        for one in (offer, elsewhere):
            one.make(desk.folder)
            assert await emitted(one.changed) == ("~/notes",)

        elsewhere.accept()

        assert await emitted(offer.changed) == ("",)
        await elsewhere.aclose()
        await offer.aclose()


@pytest.mark.security(44)
async def test_nothing_is_offered_where_no_sandbox_holds(tmp_path: Path) -> None:
    async with bench(tmp_path) as desk:
        desk.sandbox = NONE
        offer = offer_of(desk)
        shown: list[str] = []
        offer.changed.connect(shown.append)

        offer.make(desk.folder)
        await offer.aclose()

        assert not any(shown)
