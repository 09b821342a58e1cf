"""The command line: what it says when something cannot be, and the keys that it makes."""

import json
import signal
import socket
from importlib.metadata import version
from pathlib import Path

import pytest

from local_server.cli import app
from tests.support.help_texts import check_help_texts
from tests.support.own_service import refusal_of_serve
from tests.support.service import get, run_command, running_service
from tests.support.service_commands import run_here


def test_serving_on_a_port_that_is_taken_is_explained_in_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, out, error = run_command("serve", "--port", port, "--data-dir", str(tmp_path))
    assert (code, out) == (1, "")
    assert error.strip() == (
        f"127.0.0.1:{port} cannot be used: Address already in use. "
        "Choose another port with --port N."
    )


def test_data_folder_that_cannot_be_written_is_explained_in_one_sentence(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("here", encoding="utf-8")
    folder = in_the_way / "data"
    code, out, error = run_here("keys", "create", "--project", "demo", "--data-dir", str(folder))
    sentence = f"The data folder {folder} cannot be written: Not a directory."
    assert (code, out, error.strip()) == (1, "", sentence)
    assert refusal_of_serve(folder) == sentence
    assert refusal_of_serve(in_the_way) == f"{in_the_way} is a file; the data need a folder."


def test_keys_of_a_folder_without_data_are_not_listed_and_nothing_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "mistyped"
    where = ("--data-dir", str(folder))
    for arguments in (("list",), ("revoke", "key_1")):
        code, out, error = run_here("keys", *arguments, *where)
        assert (code, out, error.strip()) == (1, "", f"There is no data in {folder}.")
    assert not folder.exists()
    code, _, error = run_here("keys", "create", "--project", "demo", *where)
    assert (code, error.splitlines()[0]) == (0, f"Made new data in {folder}.")


def test_database_that_is_none_is_explained_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "parley-server.sqlite3").write_bytes(b"not a database " * 100)
    code, out, error = run_here("keys", "list", "--data-dir", str(tmp_path))
    assert (code, out) == (1, "")
    assert error.strip() == (
        f"The database in {tmp_path} cannot be used. The files of the database are damaged."
    )


def test_service_that_runs_alone_ends_well_when_it_is_asked_to(tmp_path: Path) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        with running_service(tmp_path, plan="free") as service:
            get(service.base_url + "/v1/agents", service.key)
            service.process.send_signal(number)
            assert service.process.wait(20) == 0


@pytest.mark.spec("5-live-and-test", "1-project-key", "5-invalid")
def test_key_is_shown_once_is_valid_and_can_be_revoked(tmp_path: Path) -> None:
    with running_service(tmp_path, plan="pro") as service:
        where = {"PARLEY_SERVER_DATA": str(service.data)}
        code, made, told_of_it = run_here(
            "keys", "create", "--project", "demo", "--mode", "test", env=where
        )
        key = made.strip()
        _, listed, _ = run_here("keys", "list", env=where)
        row = next(line for line in listed.splitlines() if "demo/test" in line)
        _, told, _ = run_here("keys", "list", "--json", env=where)
        before = get(service.base_url + "/v1/agents", key)
        itself, _, hint = run_here("keys", "revoke", key, env=where)
        revoked = run_here("keys", "revoke", row.split()[0], env=where)
        again, _, error = run_here("keys", "revoke", row.split()[0], env=where)
        after = get(service.base_url + "/v1/agents", key)
        second = run_command("serve", "--port", "0", env=where)
    in_use = f"{service.data} is in use by another service (process {service.process.pid})."
    assert (second[0], second[1], second[2].strip()) == (1, "", in_use)
    assert code == revoked[0] == 0
    assert key.startswith("pk_test_")
    assert key not in listed
    assert "Made new data" not in told_of_it
    assert "free (60 a minute)" in row
    [_, record] = json.loads(told)
    assert key not in told
    assert {name: record[name] for name in ("id", "project", "mode", "plan", "revoked_at")} == {
        "id": row.split()[0],
        "project": "demo",
        "mode": "test",
        "plan": "free",
        "revoked_at": None,
    }
    assert (record["requests_per_minute"], record["created_at"].endswith("+00:00")) == (60, True)
    assert (itself, key in hint) == (1, False)
    assert (before.status_code, after.status_code) == (200, 401)
    assert (again, error.strip().endswith(row.split()[0] + ".")) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--project", "../up"), "A project’s name has small letters"),
        (("--project", "demo", "--plan", "gold"), "There is no plan gold"),
        (
            ("--project", "demo", "--plan", "enterprise"),
            "needs its limit: --requests-per-minute N.",
        ),
        (
            ("--project", "demo", "--requests-per-minute", "9"),
            "--requests-per-minute is for enterprise.",
        ),
    ],
)
def test_key_that_does_not_go_together_is_explained_in_one_sentence(
    tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    code, out, error = run_here("keys", "create", *arguments, "--data-dir", str(tmp_path))
    assert (code, out) == (1, "")
    assert sentence in error
    assert "Traceback" not in error


def test_limit_of_a_key_is_bounded_in_words(tmp_path: Path) -> None:
    limit = ("--plan", "enterprise", "--requests-per-minute", str(2**31), "--data-dir", tmp_path)
    code, out, error = run_here("keys", "create", "--project", "demo", *map(str, limit))
    assert (code, out) == (2, "")
    assert "--requests-per-minute" in error
    assert "1000000" in error


def test_version_is_reported() -> None:
    code, out, _ = run_command("--version")
    assert (code, out) == (0, f"parley-server {version('parley')}\n")


def test_help_is_words_for_people() -> None:
    """Our choice: plain text, and no names of types."""
    check_help_texts(app)


def test_models_are_listed_for_programs() -> None:
    code, out, _ = run_here("models", "--json")
    report = json.loads(out)
    assert code == 0
    assert set(report) == {"models", "found"}
    # What else is found depends on the machine that runs this.
    built_in, *others = report["models"]
    assert built_in == {"id": "offline", "provider": "offline", "name": "Demo"}
    assert all(set(model) == set(built_in) for model in others)
