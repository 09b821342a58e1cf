"""What the store promises on SQLite and on PostgreSQL alike."""

import asyncio
import random
import traceback
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Connection

from local_server.settings import utc_now
from local_server.store.conversations import Order
from local_server.store.database import DatabaseError, RefusedStatementError
from local_server.store.opening import ServiceStore, StoreAddress
from local_server.store.records import Message, Origin, Owner, ToolCall
from local_server.store.replies import ConversationGoneError, Draft
from local_server.store.tables import metadata

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("postgres_server")]

_OWNER = Owner("tests", "live")
_OTHERS = (Owner("tests", "test"), Owner("other", "live"))
_NOW = datetime(2025, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
_HOSTILE = ("'; DROP TABLE messages; --", "%", "_", '"', "\\", "\0", "\x1a0", "💬 ﷽", "' OR 1=1 --")


@dataclass
class _SteppingClock:
    """Each look is a second later, or as many as it is told."""

    now: datetime = _NOW
    step_s: int = 1

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=self.step_s)
        return self.now


@pytest.fixture
async def store(store_address: StoreAddress) -> AsyncIterator[ServiceStore]:
    opened = await ServiceStore.open(store_address, _SteppingClock())
    yield opened
    await opened.aclose()


@pytest.fixture
async def neighbour(
    store_address: StoreAddress, store: ServiceStore
) -> AsyncIterator[ServiceStore]:
    """Yield the same data through another service."""
    opened = await ServiceStore.open(store_address, store.replies._clock)
    yield opened
    await opened.aclose()


def _message(number: int, content: str = "words") -> Message:
    return Message(f"msg_{number}", "user", content, _NOW)


def _calls(draft: Draft, *ids: str, first_round: int = 0) -> tuple[ToolCall, ...]:
    """Return the calls of one round, as a turn makes them."""
    first = ToolCall(
        id=ids[0],
        conversation_id=draft.conversation_id,
        message_id=draft.message_id,
        name="read_file",
        input={"path": "a"},
        tools=(),
        agent_name="assistant",
        offset=len(draft.content),
        state="pending",
        result=None,
        is_finished=False,
        round=first_round,
        used_skills=("weekly",),
        hand_overs_left=2,
        origin=Origin("anthropic:claude", "[]"),
    )
    return (first, *(replace(first, id=id_, state="queued") for id_ in ids[1:]))


async def _suspended(store: ServiceStore, *ids: str) -> tuple[ToolCall, ...]:
    """Make a conversation whose reply waits for the results of these calls."""
    made = await store.conversations.create(_OWNER)
    await store.replies.accept(_OWNER, made.id, _message(1))
    draft = Draft(made.id, "msg_2", "One moment.", _NOW)
    calls = _calls(draft, *ids)
    await store.replies.ask(draft, calls)
    return calls


async def _states(store: ServiceStore) -> list[str]:
    return [call.state for call in await store.replies.calls("msg_2")]


async def test_conversation_is_read_as_it_was_written(
    store: ServiceStore, neighbour: ServiceStore
) -> None:
    made = await store.conversations.create(_OWNER)
    written = [_message(n, content) for n, content in enumerate(_HOSTILE)]
    for message in written:
        assert await store.replies.accept(_OWNER, made.id, message)
    found = await neighbour.conversations.get(_OWNER, made.id)
    assert found is not None
    assert list(found.messages) == written
    assert found.created_at == made.created_at


async def test_long_conversation_is_read_whole_and_in_order(store: ServiceStore) -> None:
    made = await store.conversations.create(_OWNER)
    rows = [{"id": f"msg_{n}", "conversation_id": made.id, "role": "user"} for n in range(751)]
    rest = {"content": "words", "created_at": _NOW}
    insert = metadata.tables["messages"].insert()
    await store.database.write(lambda open_: open_.execute(insert, [r | rest for r in rows]))
    found = await store.conversations.get(_OWNER, made.id)
    assert found is not None
    assert [message.id for message in found.messages] == [row["id"] for row in rows]


@pytest.mark.spec("4.1-paging", "2.4-meta", "2.1-summary")
async def test_every_page_is_a_part_of_the_one_order_and_counts_are_exact(
    store: ServiceStore,
) -> None:
    chance = random.Random(7)  # noqa: S311 - the same numbers every time
    for owner in (_OWNER, *_OTHERS):
        made = [(await store.conversations.create(owner)).id for _ in range(13)]
        for number, id_ in enumerate(chance.choices(made, k=20)):
            message = replace(_message(0), id=f"msg_{owner.project}{owner.mode}{number}")
            # Of some, the last update is at the same moment: then the id decides.
            await store.replies.accept(owner, id_, message)
        for id_ in chance.sample(made, k=3):
            assert await store.conversations.delete(owner, id_)
    whole = await store.conversations.page(_OWNER, 100, 0, "desc")
    assert whole.total == len(whole.rows) == 10
    keys = [(row.updated_at, row.id) for row in whole.rows]
    assert keys == sorted(keys, reverse=True)
    orders: tuple[tuple[Order, int], ...] = (("desc", 1), ("asc", -1))
    for order, step in orders:
        rows = whole.rows[::step]
        for limit in (1, 3, 10, 100):
            for offset in range(13):
                page = await store.conversations.page(_OWNER, limit, offset, order)
                assert page.rows == rows[offset : offset + limit], (order, limit, offset)
                assert page.total == 10
    for row in whole.rows:
        found = await store.conversations.get(_OWNER, row.id)
        assert found is not None
        assert row.message_count == len(found.messages)


async def test_message_is_counted_once_however_often_it_is_saved(store: ServiceStore) -> None:
    [call] = await _suspended(store, "call_1")
    for content in ("One moment.", "One moment. Two.", ""):
        await store.replies.save(Draft(call.conversation_id, "msg_2", content, _NOW), call.id)
    [row] = (await store.conversations.page(_OWNER, 1, 0, "desc")).rows
    assert row.message_count == 2


async def test_conversations_made_at_once_are_all_counted(
    store: ServiceStore, neighbour: ServiceStore
) -> None:
    both = (store, neighbour)
    made = await asyncio.gather(*(both[n % 2].conversations.create(_OWNER) for n in range(12)))
    gone = [row.id for row in made[::3]]
    deleting = [both[n % 2].conversations.delete(_OWNER, id_) for n, id_ in enumerate(gone * 2)]
    # Each is deleted twice, and counted once.
    assert sum(await asyncio.gather(*deleting)) == len(gone)
    page = await store.conversations.page(_OWNER, 100, 0, "desc")
    assert page.total == len(page.rows) == 8


async def test_messages_accepted_at_once_are_all_stored(
    store: ServiceStore, neighbour: ServiceStore
) -> None:
    made = await store.conversations.create(_OWNER)
    both = (store, neighbour)
    accepting = [both[n % 2].replies.accept(_OWNER, made.id, _message(n)) for n in range(10)]
    assert all(await asyncio.gather(*accepting))
    found = await store.conversations.get(_OWNER, made.id)
    [row] = (await store.conversations.page(_OWNER, 1, 0, "desc")).rows
    assert found is not None
    assert {m.id for m in found.messages} == {f"msg_{n}" for n in range(10)}
    assert row.message_count == 10


async def test_calls_of_a_round_wait_one_after_the_other(store: ServiceStore) -> None:
    first, second, _third = await _suspended(store, "call_1", "call_2", "call_3")
    place = first.conversation_id
    too_early = await store.replies.answer(place, "call_2", "B")
    assert too_early == second
    assert await _states(store) == ["pending", "queued", "queued"]
    answered = await store.replies.answer(place, "call_1", "A")
    assert answered == replace(first, state="answered", result="A")
    for _again in range(2):
        assert await store.replies.next_call(answered) == replace(second, state="pending")
        assert await _states(store) == ["answered", "pending", "queued"]
    await store.replies.answer(place, "call_2", "B")
    assert await store.replies.next_call(second) is not None
    last = await store.replies.answer(place, "call_3", "C")
    assert last is not None
    assert await store.replies.next_call(last) is None
    calls = await store.replies.calls("msg_2")
    assert [call.is_finished for call in calls] == [True, True, False]
    assert [call.result for call in calls] == ["A", "B", "C"]


async def test_next_call_is_one_of_the_same_round(store: ServiceStore) -> None:
    [first] = await _suspended(store, "call_1")
    draft = Draft(first.conversation_id, "msg_2", "One moment. Another.", _NOW)
    await store.replies.ask(draft, _calls(draft, "call_2", first_round=1), first.id)
    assert await store.replies.next_call(first) is None


async def test_new_message_closes_all_calls_that_wait(store: ServiceStore) -> None:
    first, *_ = await _suspended(store, "call_1", "call_2", "call_3")
    await store.replies.answer(first.conversation_id, "call_1", "A")
    await store.replies.next_call(first)
    await store.replies.accept(_OWNER, first.conversation_id, _message(3))
    assert await _states(store) == ["answered", "closed", "closed"]
    late = await store.replies.answer(first.conversation_id, "call_2", "B")
    assert late is not None
    assert (late.state, late.result) == ("closed", None)


async def test_exactly_one_of_two_concurrent_results_is_stored(
    store: ServiceStore, neighbour: ServiceStore
) -> None:
    [call] = await _suspended(store, "call_1")
    both = (store, neighbour)
    answering = [
        both[n % 2].replies.answer(call.conversation_id, "call_1", f"result {n}") for n in range(8)
    ]
    told = {answer.result for answer in await asyncio.gather(*answering) if answer is not None}
    [stored] = await store.replies.calls("msg_2")
    assert told == {stored.result}
    assert stored.state == "answered"


async def test_equal_result_again_is_the_same_outcome(
    store: ServiceStore, neighbour: ServiceStore
) -> None:
    [call] = await _suspended(store, "call_1")
    again = [
        await one.replies.answer(call.conversation_id, "call_1", "A") for one in (store, neighbour)
    ]
    assert again == [replace(call, state="answered", result="A")] * 2


async def test_result_and_new_message_at_once_are_distinguished(
    store: ServiceStore, neighbour: ServiceStore
) -> None:
    [call] = await _suspended(store, "call_1")
    told, _ = await asyncio.gather(
        neighbour.replies.answer(call.conversation_id, "call_1", "A"),
        store.replies.accept(_OWNER, call.conversation_id, _message(3)),
    )
    assert told is not None
    assert (told.state, told.result) in {("answered", "A"), ("closed", None)}
    assert await store.replies.calls("msg_2") == (told,)


async def test_reply_to_a_conversation_that_is_deleted_meanwhile_has_no_place(
    store: ServiceStore, neighbour: ServiceStore
) -> None:
    [call] = await _suspended(store, "call_1")
    draft = Draft(call.conversation_id, "msg_2", "One moment. Two.", _NOW)
    deleting = neighbour.conversations.delete(_OWNER, call.conversation_id)
    saving = store.replies.save(draft, call.id)
    await asyncio.gather(deleting, saving, return_exceptions=True)
    with pytest.raises(ConversationGoneError):
        await store.replies.save(draft)
    assert await store.replies.calls("msg_2") == ()
    assert await store.replies.answer(call.conversation_id, "call_1", "A") is None


@pytest.mark.security(57)
async def test_hostile_words_are_words_wherever_they_stand(store: ServiceStore) -> None:
    [call] = await _suspended(store, "call_1")
    before = await _all_rows(store)
    for words in _HOSTILE:
        owner = Owner(words, "live")
        assert await store.conversations.get(owner, words) is None
        assert not await store.conversations.delete(_OWNER, words)
        assert (await store.conversations.page(owner, 10, 2**63 - 1, "asc")).total == 0
        assert not await store.replies.accept(_OWNER, words, _message(9, words))
        assert await store.replies.answer(words, words, words) is None
        assert await store.replies.calls(words) == ()
        assert await store.replies.next_call(replace(call, id=words, message_id=words)) is None
        assert await store.keys.find(words) is None
        assert not await store.keys.revoke(words)
    assert await _all_rows(store) == before


async def _all_rows(store: ServiceStore) -> list[object]:
    def read_all(connection: Connection) -> list[object]:
        return [
            tuple(row)
            for table in metadata.sorted_tables
            for row in connection.execute(table.select())
        ]

    return await store.database.read(read_all)


async def test_keys_are_kept_listed_and_revoked(
    store: ServiceStore, neighbour: ServiceStore
) -> None:
    added = [await store.keys.add(_OWNER, f"hash {n}", "pk_…", "pro", 300) for n in range(2)]
    assert await neighbour.keys.revoke(added[0])
    assert not await neighbour.keys.revoke(added[0])
    assert await store.keys.find("hash 0") is None
    found = await store.keys.find("hash 1")
    assert found is not None
    assert (found.id, found.owner, found.per_minute) == (added[1], _OWNER, 300)
    listed = await store.keys.list()
    assert [key.id for key in listed] == added
    assert [key.revoked_at is None for key in listed] == [False, True]


async def test_newer_database_is_refused_with_words(
    store: ServiceStore, store_address: StoreAddress
) -> None:
    newer = metadata.tables["schema_version"].update().values(version=99)
    await store.database.write(lambda connection: connection.execute(newer))
    with pytest.raises(DatabaseError, match="newer version"):
        await ServiceStore.open(store_address, utc_now)


async def test_mistake_in_a_statement_is_told_without_what_people_wrote(
    store: ServiceStore,
) -> None:
    made = await store.conversations.create(_OWNER)
    first, again = _message(1), _message(1, "the secret of " + "the vineyard")
    await store.replies.accept(_OWNER, made.id, first)
    with pytest.raises(RefusedStatementError, match="Error for: INSERT INTO messages") as caught:
        await store.replies.accept(_OWNER, made.id, again)
    told = "".join(traceback.format_exception(caught.value))
    assert "the vineyard" not in told
    assert first.id not in told
