"""The model of the sidebar: what a screen reader says, names, orders, and several deletions."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester

from app.api.models import ROWS_LIMIT
from app.chat.conversation_rows import ConversationRow
from app.chat.sessions import ConversationStatus
from app.chat.workspace import Workspace
from app.viewmodels.rows import ROW_ROLE
from app.viewmodels.sidebar.conversation_list import (
    ConversationListModel,
    DeletionView,
    caption_words,
    hint_words,
    size_words,
    spoken_words,
    title_words,
)
from tests.support.chat_fixtures import ChatKit, chat_kit
from tests.support.fake_service import FakeService
from tests.support.signals import emitted

_NOW = datetime(2026, 5, 20, 14, 30, tzinfo=UTC)


async def _listed(service: FakeService, kit: ChatKit, *names: str) -> ConversationListModel:
    for name in names:
        service.holds(name)
    model = ConversationListModel()
    model.show(kit.conversations)
    refreshed = emitted(model.problem_changed)
    model.refresh()
    await refreshed
    return model


def _workspace(kit: ChatKit) -> Workspace:
    dependencies = kit.dependencies
    parts = (kit.conversations, kit.sessions, dependencies.ledger)
    return Workspace(dependencies.client, dependencies.store, *parts)


def _ids(model: ConversationListModel) -> list[str]:
    return [row.conversation_id for row in model.rows]


@pytest.mark.anyio
async def test_model_is_well_behaved_through_all_changes(
    tmp_path: Path, qtmodeltester: ModelTester
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        empty = ConversationListModel()
        qtmodeltester.check(empty)
        model = await _listed(service, kit, "one", "two", "three")
        qtmodeltester.check(model)

        await kit.conversations.pin("three", is_pinned=True)
        service.says("Good day.")
        chat = await kit.open("two")
        await chat.said("Hello")
        await kit.conversations.delete("one")
        model.sort_by("asc")

        qtmodeltester.check(model)
        assert _ids(model) == ["three", "two"]
        assert list(model.rows) == list(kit.conversations.rows)
        await model.aclose()


_TIMES: tuple[Any, ...] = (
    *("0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59.999999-14:00"),
    *("9999-12-31T23:59:59Z", "10000-01-01T00:00:00Z", "-0001-01-01", "", 2**63, -1, None, {}),
)
_COUNTS: tuple[Any, ...] = (2**63, 2**31, -(2**63), -1, 0, 1e300, 2.5, None, "7", [], True)


@pytest.mark.security(103)
@pytest.mark.anyio
async def test_times_and_counts_at_the_edge_neither_hide_a_list_nor_stop_it_from_being_drawn(
    tmp_path: Path,
) -> None:
    values = [*((time, 2) for time in _TIMES), *(("2025-01-01T00:00:00Z", n) for n in _COUNTS)]
    data = [
        {"id": f"c{n}", "created_at": time, "updated_at": time, "message_count": count}
        for n, (time, count) in enumerate(values)
    ]
    zones = (_NOW, *(_NOW.astimezone(timezone(timedelta(hours=hours))) for hours in (-12, 14)))
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        for number, total in enumerate(_COUNTS):
            two = data[2 * number : 2 * number + 2]
            meta = {"total": total, "limit": 20, "offset": total}
            service.answers(200, json.dumps({"data": two, "meta": meta}).encode())
            model = await _listed(service, kit)

            assert {row["id"] for row in two} <= set(_ids(model)), total
            for row in model.rows:
                for now in zones:
                    assert caption_words(row, now)
                    assert spoken_words(row, now)
                assert 0 <= row.message_count < 2**31


@pytest.mark.security(103)
@pytest.mark.anyio
async def test_rows_beyond_the_requested_page_are_dropped(
    tmp_path: Path,
) -> None:
    rows = [{"id": f"c{n}", "updated_at": "2025-01-01T00:00:00Z"} for n in range(50_000)]
    meta = {"total": len(rows), "limit": 20, "offset": 0}
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.answers(200, json.dumps({"data": rows, "meta": meta}).encode())
        model = await _listed(service, kit)
        assert sorted(_ids(model)) == sorted(f"c{n}" for n in range(20))

        service.agents = [{"name": f"a{n}"} for n in range(50_000)]
        service.skills = [{"name": f"s{n}"} for n in range(50_000)]
        client = kit.dependencies.client
        assert len(await client.list_agents()) == len(await client.list_skills()) == ROWS_LIMIT


@pytest.mark.anyio
async def test_set_title_becomes_the_name_of_the_chat(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        model = await _listed(service, kit, "one")
        index, changed = model.index(0, 0), emitted(model.dataChanged)
        assert model.flags(index) & Qt.ItemFlag.ItemIsEditable

        assert model.setData(index, "Warm house")
        await changed

        assert index.data() == "Warm house"
        assert (await kit.store.conversations.get("one")).title == "Warm house"
        await model.aclose()


@pytest.mark.anyio
async def test_copies_go_from_here_and_the_service_keeps_its_own(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.asks_tool("write_file", {"path": "a.txt", "content": "no"}, after=["Secret. "])
        service.says("As you like.")
        model = await _listed(service, kit, "one", "two")
        chat = await kit.open("one")
        await chat.session.set_folder(kit.home)
        await chat.send("Write it")
        await chat.deny("not now")
        await chat.is_idle()
        await kit.store.conversations.keep_draft("two", "half a thought")
        gone = list[str]()
        model.deleted.connect(lambda conversation_id, _: gone.append(conversation_id))
        forgotten, listed = emitted(model.copies_forgotten), emitted(model.problem_changed)

        model.purge_local_data(_workspace(kit))
        await forgotten
        await listed

        assert {"one", "two"} <= set(gone)
        assert await kit.store.messages.of_conversation("one") == ()
        assert await kit.store.turns.of_conversation("one") == ()
        assert await kit.store.conversations.draft("two") == ""
        calls = await kit.dependencies.ledger.calls(kit.store.profile, "one")
        assert calls
        assert {call.input_text for call in calls} <= {None, ""}
        assert set(service.conversations) == {"one", "two"}
        assert sorted(_ids(model)) == ["one", "two"]
        await model.aclose()


@pytest.mark.anyio
async def test_deletion_goes_on_after_one_that_failed_and_says_what_is_left(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        model = await _listed(service, kit, "one", "two", "three")
        states, gone = list[DeletionView](), list[str]()
        model.deleted.connect(lambda conversation_id, _: gone.append(conversation_id))
        model.deletion_changed.connect(states.append)
        service.fails_with(500, method="DELETE")

        model.delete_all(["one", "two", "three"])
        while not states or states[-1].is_running:
            await emitted(model.deletion_changed)

        assert gone == ["two", "three"]
        assert _ids(model) == ["one"]
        assert [(state.done, state.is_running) for state in states] == [
            (0, True),
            (0, True),
            (1, True),
            (2, False),
        ]
        assert states[-1].left == ("one",)
        assert states[-1].words is not None
        await model.aclose()


@pytest.mark.anyio
async def test_deletion_that_is_asked_for_meanwhile_joins_the_one_that_runs(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        model = await _listed(service, kit, "one", "two", "three")
        states = list[DeletionView]()
        model.deletion_changed.connect(states.append)
        service.fails_with(500, method="DELETE")

        model.delete_all(["one", "two"])
        model.delete_all(["three"])
        while states[-1].is_running:
            await emitted(model.deletion_changed)

        assert [state.total for state in states] == [2, 3, 3, 3, 3]
        assert states[-1].left == ("one",)
        assert states[-1].words is not None
        await model.aclose()


@pytest.mark.anyio
async def test_chat_deleted_in_one_window_is_gone_from_the_other_with_its_draft_kept(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        here = await _listed(service, kit, "one", "two")
        there = ConversationListModel()
        there.show(kit.conversations)
        gone = dict[str, list[tuple[str, bool]]](here=[], there=[])
        here.deleted.connect(lambda *told: gone["here"].append(told))
        there.deleted.connect(lambda *told: gone["there"].append(told))
        over = emitted(here.deletion_changed)

        here.delete_all(["one"])
        await over
        while _ids(there) != ["two"]:
            await emitted(there.rowsRemoved)

        assert gone == {"here": [("one", True)], "there": [("one", False)]}
        await here.aclose()
        await there.aclose()


def test_rows_are_spoken_whole() -> None:
    moment = _NOW - timedelta(minutes=5)
    row = ConversationRow(
        "c1", "Heat pumps", 12, moment, ConversationStatus.WAITING, is_pinned=True
    )

    parts = spoken_words(row, _NOW).split(", ")

    assert parts[:2] == ["Heat pumps", "12 messages"]
    assert "14" in parts[2]
    assert parts[3:] == ["pinned", "waiting for you"]


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        (ConversationStatus.NONE, "No messages yet"),
        (ConversationStatus.STREAMING, "Writing the first reply…"),
        (ConversationStatus.WAITING, "Waiting for you"),
        (ConversationStatus.FAILED, "No reply"),
    ],
)
def test_before_the_first_count_a_row_says_how_it_fares(
    mark: ConversationStatus, words: str
) -> None:
    assert size_words(ConversationRow("c1", "", 0, None, mark)) == words


def test_chat_without_a_name_is_new_or_untitled() -> None:
    assert title_words(ConversationRow("c1", "", 0, None)) == "New chat"
    assert title_words(ConversationRow("c1", "", 3, None)) == "Untitled chat"


def test_pinned_and_undated_chats_have_captions_of_their_own() -> None:
    assert caption_words(ConversationRow("c1", "", 0, _NOW, is_pinned=True), _NOW) == "Pinned"
    assert caption_words(ConversationRow("c1", "", 0, None), _NOW) == "No date"
    assert caption_words(ConversationRow("c1", "", 0, _NOW), _NOW) == "Today"


def test_row_role_gives_the_row() -> None:
    model = ConversationListModel()
    row = ConversationRow("c1", "Heat pumps", 1, _NOW)
    model.replace_all([row])

    assert model.index(0, 0).data(ROW_ROLE) is row


def test_row_of_a_chat_with_a_draft_says_so() -> None:
    row = ConversationRow("c1", "Ducks", 12, None, has_draft=True)

    assert hint_words(row) == "Draft · 12 messages"
    assert "with a draft" in spoken_words(row, _NOW).split(", ")
    assert hint_words(replace(row, has_draft=False)) == "12 messages"
