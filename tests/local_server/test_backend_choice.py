"""What stands behind a service has to be complete, and nothing repeats the passwords in it."""

import subprocess
import sys
from pathlib import Path

import pytest

from local_server.cluster.postgres import PostgresAddress
from local_server.commands.backend_choice import choose_backend, choose_store
from local_server.commands.options import CommandError
from local_server.coordination import BackendConfig
from tests.support.deployment import ended, ready
from tests.support.service import get, run_command

_DATABASE = "postgresql+asyncpg://parley:secret-one@db.internal:5432/parley?ssl=require"
_REDIS = "rediss://:secret-two@redis.internal:6379/0"


@pytest.mark.parametrize(
    ("database", "redis", "sentence"),
    [
        (_DATABASE, None, "Services on one database also have to agree on limits and turns"),
        (None, _REDIS, "--redis-url is for services that share a database"),
        ("mysql://secret-three@host/db", _REDIS, "address"),
    ],
)
def test_backend_that_is_not_complete_is_explained_in_one_sentence_without_secrets(
    tmp_path: Path, database: str | None, redis: str | None, sentence: str
) -> None:
    with pytest.raises(CommandError) as raised:
        choose_backend(tmp_path, database, redis)
    assert sentence in str(raised.value)
    assert "secret" not in str(raised.value)


def test_backend_is_a_folder_alone_or_a_database_with_redis(tmp_path: Path) -> None:
    alone = choose_backend(tmp_path, None, None)
    shared = choose_backend(tmp_path, _DATABASE, _REDIS)
    assert alone == BackendConfig(tmp_path)
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


def test_missing_redis_address_is_reported_before_the_start(tmp_path: Path) -> None:
    data = ("--data-dir", str(tmp_path / "data"))
    code, out, error = run_command("serve", "--database-url", _DATABASE, *data)
    assert (code, out) == (1, "")
    assert error.strip() == (
        "Services on one database also have to agree on limits and turns: "
        "give --redis-url redis://… too."
    )
    assert not (tmp_path / "data").exists()


# An installation without the extra: whoever looks for these packages finds none.
_WITHOUT_CLUSTER = (
    "import sys\n"
    "for name in ('asyncpg', 'greenlet', 'prometheus_client', 'redis'):\n"
    "    sys.modules[name] = None\n"
    "from local_server.cli import main\n"
    "main()\n"
)


@pytest.mark.parametrize(
    "arguments",
    [
        ("serve", "--port", "0", "--database-url", _DATABASE, "--redis-url", _REDIS),
        ("serve", "--port", "0", "--metrics-port", "0"),
        ("keys", "list", "--database-url", _DATABASE),
    ],
    ids=["database", "metrics", "keys"],
)
def test_option_whose_packages_are_not_installed_says_what_to_install(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    done = _run_without_cluster(*arguments, "--data-dir", str(tmp_path / "data"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "needs packages that are not installed here" in done.stderr
    assert "pip install '.[cluster]'" in done.stderr
    assert "Traceback" not in done.stderr
    assert "secret" not in done.stderr


def test_service_with_a_folder_needs_no_packages_of_the_extra(tmp_path: Path) -> None:
    data = ("--data-dir", str(tmp_path / "data"))
    made = _run_without_cluster("keys", "create", "--project", "demo", *data)
    assert made.returncode == 0, made.stderr
    command = (sys.executable, "-c", _WITHOUT_CLUSTER, "serve", "--port", "0", *data)
    with ended(subprocess.Popen(command, stdout=subprocess.PIPE)) as process:
        service = ready(process)
        answer = get(f"{service.base_url}/v1/agents", made.stdout.strip())
    assert answer.status_code == 200


def _run_without_cluster(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        (sys.executable, "-c", _WITHOUT_CLUSTER, *arguments),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
