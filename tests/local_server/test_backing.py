"""What stands behind a service has to be complete, and nothing repeats the passwords in it."""

from pathlib import Path

import pytest

from local_server.backing import Backing
from local_server.commands.backing_choice import choose_backing, choose_store
from local_server.commands.command_error import CommandError
from local_server.store.postgres import PostgresAddress
from tests.support.service import run_command

_DATABASE = "postgresql+asyncpg://parley:secret-one@db.internal:5432/parley?ssl=require"
_REDIS = "rediss://:secret-two@redis.internal:6379/0"


@pytest.mark.parametrize(
    ("database", "redis", "workers", "sentence"),
    [
        (None, None, 2, "Several workers need a database that they can share"),
        (None, _REDIS, 2, "Several workers need a database that they can share"),
        (_DATABASE, None, 1, "Services on one database also have to agree on limits and turns"),
        (None, _REDIS, 1, "--redis-url is for services that share a database"),
        ("mysql://secret-three@host/db", _REDIS, 1, "address"),
    ],
)
def test_backing_that_is_not_complete_is_one_sentence_without_secrets(
    tmp_path: Path, database: str | None, redis: str | None, workers: int, sentence: str
) -> None:
    with pytest.raises(CommandError) as raised:
        choose_backing(tmp_path, database, redis, workers)
    assert sentence in str(raised.value)
    assert "secret" not in str(raised.value)


def test_backing_is_a_folder_alone_or_a_database_with_redis(tmp_path: Path) -> None:
    alone = choose_backing(tmp_path, None, None, 1)
    shared = choose_backing(tmp_path, _DATABASE, _REDIS, 4)
    assert alone == Backing(tmp_path)
    assert not alone.is_shared
    assert shared.is_shared
    assert isinstance(shared.store, PostgresAddress)
    assert shared.store.url.query == {"ssl": "require"}
    assert "secret" not in repr(shared)


def test_address_is_read_from_the_file_that_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "url").write_text(f"{_DATABASE}\n", encoding="utf-8")
    monkeypatch.setenv("PARLEY_DATABASE_URL_FILE", str(tmp_path / "url"))
    found = choose_store(tmp_path, None)
    monkeypatch.setenv("PARLEY_DATABASE_URL_FILE", str(tmp_path / "none"))
    with pytest.raises(CommandError, match="file that PARLEY_DATABASE_URL_FILE names cannot"):
        choose_store(tmp_path, None)
    assert found == PostgresAddress.parse(_DATABASE)


def test_what_is_missing_is_said_before_anything_starts(tmp_path: Path) -> None:
    code, out, error = run_command("serve", "--workers", "2", "--data-dir", str(tmp_path / "data"))
    assert (code, out) == (1, "")
    assert error.strip() == (
        "Several workers need a database that they can share: "
        "give --database-url postgresql+asyncpg://… and --redis-url redis://…."
    )
    assert not (tmp_path / "data").exists()
