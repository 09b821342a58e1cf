"""The sidebar's rows: kept ones at once, a page at a time, whatever happens meanwhile."""

import asyncio
import json
from pathlib import Path

import pytest

from app.api.errors import MethodNotAllowed
from app.chat.conversation_rows import Gone
from app.chat.conversations import Conversations
from app.chat.items import Change
from app.chat.sessions import ConversationStatus
from app.common.error_messages import ErrorCode
from tests.support.chat_fixtures import ChatKit, chat_kit, mirror_change
from tests.support.fake_service import FakeService

pytestmark = pytest.mark.anyio

PAGE = 20


def serve_page(service: FakeService, ids: list[str], *, total: int, offset: int = 0) -> None:
    """Answer the next list request with these, the later the older."""
    data = [
        {
            "id": id_,
            "created_at": "2025-01-01T00:00:00Z",
            "updated_at": f"2025-01-02T{23 - place // 60:02}:{59 - place % 60:02}:00Z",
            "message_count": 2,
        }
        for place, id_ in enumerate(ids, start=offset)
    ]
    meta = {"total": total, "limit": PAGE, "offset": offset}
    service.answers(200, json.dumps({"data": data, "meta": meta}).encode())


def ids_of(conversations: Conversations) -> list[str]:
    return [row.conversation_id for row in conversations.rows]


def names(first: int, last: int) -> list[str]:
    return [f"c{number}" for number in range(first, last)]


class Mirror:
    """What the sidebar's model does with the changes."""

    def __init__(self, conversations: Conversations) -> None:
        self.rows = list(conversations.rows)
        self._source = conversations
        conversations.subscribe(self._follow)

    def _follow(self, change: Change | Gone) -> None:
        if not isinstance(change, Gone):
            mirror_change(self.rows, change, self._source.rows)


@pytest.mark.spec("4.1-paging", "4.1-offset")
async def test_pages_follow_until_the_end(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        conversations, mirror = kit.conversations, Mirror(kit.conversations)
        serve_page(service, names(0, 20), total=45)
        await conversations.refresh()
        serve_page(service, names(20, 40), total=45, offset=20)
        await conversations.fetch_more()
        serve_page(service, names(40, 45), total=45, offset=40)
        await conversations.fetch_more()

        assert ids_of(conversations) == names(0, 45)
        assert not conversations.has_more
        await conversations.fetch_more()
        targets = [request.target for request in service.requests]
        assert [target.partition("offset=")[2].partition("&")[0] for target in targets] == [
            "0",
            "20",
            "40",
        ]
        assert mirror.rows == list(conversations.rows)


async def test_rows_that_drift_over_to_the_next_page_are_shown_once(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        serve_page(service, names(0, 20), total=22)
        await kit.conversations.refresh()
        # Two new ones came in front, so the last two of the first page come again.
        serve_page(service, names(18, 22), total=24, offset=20)
        await kit.conversations.fetch_more()

        assert ids_of(kit.conversations) == names(0, 22)


async def test_an_empty_page_is_the_end_whatever_was_promised(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        serve_page(service, names(0, 20), total=40)
        await kit.conversations.refresh()
        serve_page(service, [], total=40, offset=20)
        await kit.conversations.fetch_more()

        assert not kit.conversations.has_more


async def test_a_refresh_keeps_later_pages_and_drops_what_was_deleted(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        serve_page(service, names(0, 20), total=25)
        await kit.conversations.refresh()
        serve_page(service, names(20, 25), total=25, offset=20)
        await kit.conversations.fetch_more()
        mirror = Mirror(kit.conversations)

        serve_page(service, ["new", *names(0, 5), *names(6, 20)], total=25)
        await kit.conversations.refresh()

        assert ids_of(kit.conversations) == ["new", *names(0, 5), *names(6, 25)]
        assert mirror.rows == list(kit.conversations.rows)


async def test_the_rows_of_the_last_time_are_there_without_the_service(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1", ("user", "Remember me"))
        await kit.open()
        await kit.conversations.refresh()

    async with chat_kit(tmp_path, service) as kit:
        await kit.conversations.load_kept()

        (row,) = kit.conversations.rows
        assert (row.conversation_id, row.title) == ("c1", "Remember me")
        assert not kit.conversations.has_more


async def test_a_new_conversation_stands_first_and_is_named_when_it_speaks(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        await kit.conversations.refresh()
        mirror = Mirror(kit.conversations)
        service.says("Hello.")

        new = await kit.conversations.create()
        assert kit.conversations.rows[0].message_count == 0
        chat = await kit.open(new)
        await chat.said("Hi there")

        assert ids_of(kit.conversations) == [new, "c1"]
        row = kit.conversations.rows[0]
        assert (row.title, row.message_count, row.status) == (
            "Hi there",
            2,
            ConversationStatus.NONE,
        )
        assert mirror.rows == list(kit.conversations.rows)


async def test_a_chat_that_speaks_moves_to_the_top_with_its_mark(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        await _two_rows(service, kit)
        mirror = Mirror(kit.conversations)
        service.asks_tool("current_time", {})
        service.says("Noon.")
        chat = await kit.open("c2")

        await chat.send("When?")
        await chat.asks()
        (row,) = [row for row in kit.conversations.rows if row.conversation_id == "c2"]
        assert row.status is ConversationStatus.WAITING
        await chat.allow()
        await chat.is_idle()

        assert ids_of(kit.conversations) == ["c2", "c1"]
        assert kit.conversations.rows[0].status is ConversationStatus.NONE
        assert mirror.rows == list(kit.conversations.rows)


async def test_a_service_that_starts_no_conversations_is_explained(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.fails_with(405, "method_not_allowed", method="POST")

        with pytest.raises(MethodNotAllowed) as caught:
            await kit.conversations.create()

        assert caught.value.reason == ErrorCode.CREATE_UNSUPPORTED
        assert not kit.conversations.rows


async def test_after_a_deletion_no_row_is_left_out_of_the_next_page(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c3")
        serve_page(service, names(0, 20), total=22)
        await kit.conversations.refresh()
        await kit.conversations.delete("c3")

        serve_page(service, names(20, 22), total=21, offset=19)
        await kit.conversations.fetch_more()

        assert "offset=19" in service.requests[-1].target
        assert not kit.conversations.has_more


async def test_a_page_asked_for_before_a_deletion_does_not_bring_the_row_back(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        await _two_rows(service, kit)
        service.conversations.pop("c2")
        go_on = service.lists_slowly("c1", "c2")
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(kit.conversations.refresh())
            await service.received(2)
            await kit.conversations.delete("c2")
            go_on.set()

        assert ids_of(kit.conversations) == ["c1"]


async def test_chat_that_is_there_again_after_a_deletion_is_listed(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        await _two_rows(service, kit)
        await kit.conversations.delete("c2")
        service.holds("c2")
        await kit.conversations.refresh()

        assert sorted(ids_of(kit.conversations)) == ["c1", "c2"]


async def test_chats_that_were_never_opened_here_are_named_once_when_seen(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1", ("assistant", "Good morning"), ("user", "Where do boats sleep?"))
        service.holds("c2", ("assistant", "Nobody said anything"))
        service.holds("c3")
        await kit.conversations.refresh()
        mirror = Mirror(kit.conversations)
        for _ in range(2):
            await kit.conversations.name_untitled(["c1", "c2", "c3", "gone"])

        titles = {row.conversation_id: row.title for row in kit.conversations.rows}
        assert titles == {"c1": "Where do boats sleep?", "c2": "", "c3": ""}
        assert mirror.rows == list(kit.conversations.rows)
        # Our choice: each is asked for once, and none that is empty.
        assert sorted(request.target[-2:] for request in service.requests[1:]) == ["c1", "c2"]
        assert (await kit.store.conversations.get("c1")).title == "Where do boats sleep?"


async def test_chat_that_was_renamed_while_its_name_was_asked_for_keeps_that(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1", ("user", "Where do boats sleep?"))
        await kit.conversations.refresh()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(kit.conversations.name_untitled(["c1"]))
            await kit.conversations.rename("c1", "Boats")

        assert kit.conversations.rows[0].title == "Boats"
        assert (await kit.store.conversations.get("c1")).title == "Boats"


async def test_no_more_names_are_asked_for_than_a_minute_has_to_spare(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        ids = names(0, 20)
        for id_ in ids:
            service.holds(id_, ("user", f"Words of {id_}"))
        await kit.conversations.refresh()
        await kit.conversations.name_untitled(ids)

        assert sum(bool(row.title) for row in kit.conversations.rows) == 15


async def test_name_that_cannot_be_asked_for_is_asked_for_again(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1", ("user", "Where do boats sleep?"))
        await kit.conversations.refresh()
        service.fails_with(401, "unauthorized", method="GET")
        await kit.conversations.name_untitled(["c1"])
        assert kit.conversations.rows[0].title == ""

        await kit.conversations.name_untitled(["c1"])
        assert kit.conversations.rows[0].title == "Where do boats sleep?"


async def _two_rows(service: FakeService, kit: ChatKit) -> None:
    service.holds("c1")
    service.holds("c2")
    await kit.conversations.refresh()
    assert ids_of(kit.conversations) == ["c1", "c2"]


@pytest.mark.spec("4.1-order")
async def test_oldest_first_begins_at_the_services_other_end(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        serve_page(service, names(0, 20), total=45)
        await kit.conversations.refresh()
        await kit.conversations.pin("c7", is_pinned=True)

        kit.conversations.sort("asc")
        assert ids_of(kit.conversations)[:2] == ["c7", "c19"]
        serve_page(service, names(25, 45), total=45, offset=25)
        await kit.conversations.refresh()
        # Ours: what is known of the other end goes until its page comes; what is pinned stays.
        assert ids_of(kit.conversations) == ["c7", *reversed(names(25, 45))]
        serve_page(service, names(5, 25), total=45, offset=5)
        await kit.conversations.fetch_more()

        rest = [id_ for id_ in reversed(names(5, 45)) if id_ != "c7"]
        assert ids_of(kit.conversations) == ["c7", *rest]
        targets = [request.target for request in service.requests]
        assert ["order=asc" in target for target in targets] == [False, True, True]


async def test_chat_begun_while_the_list_was_asked_for_stays(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        go_on = service.lists_slowly("c1")
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(kit.conversations.refresh())
            await service.received(1)
            new = await kit.conversations.create()
            go_on.set()

        assert new in ids_of(kit.conversations)


async def test_row_says_that_something_typed_is_kept_now_and_after_a_start(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        mirror = Mirror(kit.conversations)
        serve_page(service, names(0, 2), total=2)
        await kit.conversations.refresh()

        await kit.conversations.drafts.keep("c1", "half a thought")
        assert [row.has_draft for row in mirror.rows] == [False, True]

        again = Conversations(kit.dependencies, kit.sessions)
        await again.load_kept()
        assert [row.has_draft for row in again.rows] == [False, True]
        again.close()

        await kit.conversations.drafts.keep("c1", "")
        assert not any(row.has_draft for row in mirror.rows)
