"""PostgreSQL: addresses with secrets, first starts at once, and a database that comes and goes."""

import asyncio
import logging
import traceback
from pathlib import Path

import pytest
from sqlalchemy import Connection
from sqlalchemy.util import await_only

from local_server.cluster.postgres import PostgresAddress
from local_server.settings import utc_now
from local_server.store.database import DatabaseError, StoreUnavailableError
from local_server.store.opening import ServiceStore
from local_server.store.records import Message, Owner
from tests.support.old_store import age_store
from tests.support.own_service import own_service
from tests.support.postgres import PASSWORD, FreshDatabase
from tests.support.store_processes import run_store_processes

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("postgres_server")]

_OWNER = Owner("tests", "live")
_SECRET = "the-secret-of-the-vineyard"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"postgresql+asyncpg://me:{_SECRET}@db.example:5433/parley", "db.example:5433/parley"),
        (f"postgresql://me:{_SECRET}@db.example/parley?ssl=require", "db.example/parley"),
        (f"postgres://me:{_SECRET}@/parley?host=/run/postgresql", "/run/postgresql/parley"),
        (f"postgresql://me:{_SECRET}@[::1]:5432/parley?sslmode=verify-full", "[::1]:5432/parley"),
    ],
)
def test_address_shows_the_place_and_never_the_password(text: str, shown: str) -> None:
    address = PostgresAddress.parse(text)
    assert str(address) == shown
    assert _SECRET not in repr(address)
    assert address.url.password == _SECRET
    assert address.url.drivername == "postgresql+asyncpg"
    assert set(address.url.query) <= {"host", "ssl"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        _SECRET,
        f"mysql://me:{_SECRET}@db.example/parley",
        f"sqlite:///{_SECRET}",
        f"postgresql+asyncpg://me:{_SECRET}@db.example",
        f"postgresql+asyncpg://me:{_SECRET}@db.example:port/parley",
        f"postgresql+asyncpg://me:{_SECRET}@db.example/parley?password={_SECRET}",
        f"postgresql+asyncpg://me:{_SECRET}@db.example/parley?ssl=require&ssl=allow",
        f"postgresql+asyncpg://me:{_SECRET}@db.example/parley?ssl={_SECRET}",
    ],
)
def test_address_of_another_form_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(DatabaseError, match="database’s address") as caught:
        PostgresAddress.parse(text)
    assert _SECRET not in "".join(traceback.format_exception(caught.value))


async def test_password_is_in_no_error_and_in_no_log(
    postgres_database: FreshDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    store = await ServiceStore.open(PostgresAddress.parse(postgres_database.url), utc_now)
    await store.conversations.create(_OWNER)
    await store.aclose()
    told = [repr(store), caplog.text]
    wrong = postgres_database.url.replace(PASSWORD, _SECRET)
    for url in (wrong, f"postgresql+asyncpg://me:{_SECRET}@127.0.0.1:1/parley"):
        with pytest.raises(DatabaseError) as caught:
            await ServiceStore.open(PostgresAddress.parse(url), utc_now)
        told += [str(caught.value), repr(caught.value), caplog.text]
    assert "the name or the password" in told[2]
    assert "does not answer" in told[5]
    assert not any(PASSWORD in text or _SECRET in text for text in told)


async def test_database_that_is_not_there_is_refused_with_words(
    postgres_database: FreshDatabase,
) -> None:
    address = PostgresAddress.parse(postgres_database.url)
    elsewhere = PostgresAddress(address.url.set(database="nowhere"))
    with pytest.raises(DatabaseError, match="no database of that name"):
        await ServiceStore.open(elsewhere, utc_now)


def test_first_starts_at_once_all_find_the_same_database(
    postgres_database: FreshDatabase,
) -> None:
    failed = run_store_processes("race", postgres_database.url)
    assert failed == []
    assert postgres_database.run("SELECT count(*) FROM conversations") == "4"
    assert postgres_database.run("SELECT count(*) FROM schema_version") == "1"


async def test_old_database_is_migrated_once_by_services_that_start_at_once(
    postgres_database: FreshDatabase,
) -> None:
    address = PostgresAddress.parse(postgres_database.url)
    await (await ServiceStore.open(address, utc_now)).aclose()
    age_store(postgres_database)
    stores = await asyncio.gather(*(ServiceStore.open(address, utc_now) for _ in range(4)))
    pages = [await store.conversations.page(_OWNER, 10, 0, "desc") for store in stores]
    for store in stores:
        await store.aclose()
    assert [page.total for page in pages] == [2] * 4


async def test_connections_that_were_cut_are_replaced_before_anybody_notices(
    postgres_database: FreshDatabase,
) -> None:
    store = await ServiceStore.open(PostgresAddress.parse(postgres_database.url), utc_now)
    made = await store.conversations.create(_OWNER)
    await asyncio.to_thread(postgres_database.cut)
    assert await store.conversations.get(_OWNER, made.id) == made
    await store.aclose()


async def test_write_that_loses_its_connection_is_undone_and_says_so(
    postgres_database: FreshDatabase,
) -> None:
    store = await ServiceStore.open(PostgresAddress.parse(postgres_database.url), utc_now)
    made = await store.conversations.create(_OWNER)

    def write_and_lose(connection: Connection) -> None:
        connection.exec_driver_sql("DELETE FROM conversations")
        postgres_database.cut()

    with pytest.raises(StoreUnavailableError, match="does not answer"):
        await store.database.write(write_and_lose)
    found = await store.conversations.get(_OWNER, made.id)
    await store.aclose()
    assert found == made


@pytest.mark.expects_log("the store cannot be used: The database does not answer.")
async def test_lost_database_is_explained_and_the_service_goes_on_when_it_is_back(
    tmp_path: Path, postgres_database: FreshDatabase
) -> None:
    address = PostgresAddress.parse(postgres_database.url)
    async with own_service(tmp_path, where=address) as service:
        conversation_id = await service.create()
        await asyncio.to_thread(postgres_database.lose)
        lost = [
            await service.client.get("/v1/conversations"),
            await service.client.post("/v1/conversations"),
        ]
        await asyncio.to_thread(postgres_database.bring_back)
        await service.chat(conversation_id, "Hello")
        [question, _] = await service.messages(conversation_id)
    assert {(answer.status_code, answer.json()["error"]["code"]) for answer in lost} == {
        (503, "unavailable")
    }
    assert lost[0].json()["error"]["message"].startswith("The database does not answer.")
    assert question["content"] == "Hello"


async def test_reader_sees_one_state_while_others_write(postgres_database: FreshDatabase) -> None:
    store = await ServiceStore.open(PostgresAddress.parse(postgres_database.url), utc_now)
    made = await store.conversations.create(_OWNER)
    message = Message("msg_1", "user", "Hello", utc_now())

    def count_twice(connection: Connection) -> list[int]:
        count = "SELECT count(*) FROM messages"
        before = connection.exec_driver_sql(count).scalar_one()
        await_only(store.replies.accept(_OWNER, made.id, message))
        return [before, connection.exec_driver_sql(count).scalar_one()]

    counts = await store.database.read(count_twice)
    await store.aclose()
    assert counts == [0, 0]


async def test_rows_locked_by_a_machine_that_is_gone_are_free_again_in_time(
    postgres_database: FreshDatabase,
) -> None:
    store = await ServiceStore.open(PostgresAddress.parse(postgres_database.url), utc_now)
    show = "SHOW idle_in_transaction_session_timeout"
    limit = await store.database.write(lambda open_: open_.exec_driver_sql(show).scalar_one())
    await store.aclose()
    assert limit == "30s"
