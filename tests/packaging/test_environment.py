"""When dev.py makes, repairs or leaves `.venv`, and what it says when it cannot."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.fake_checkout import WAIT_S, FakeCheckout

MADE_ANEW = ["venv", "pip sync", "pip install"]
SYNCHRONISED = ["pip sync", "pip install"]


def steps(checkout: FakeCheckout) -> list[str]:
    """Return the steps of uv since the last time, by the words before the first option."""
    commands = checkout.commands("uv")
    checkout.forget_calls()
    return [command.split(" -")[0] for command in commands]


def test_the_first_start_fetches_uv_by_its_hash_and_makes_the_environment(
    bare_checkout: FakeCheckout,
) -> None:
    result = bare_checkout.run("setup")
    assert (result.returncode, steps(bare_checkout)) == (0, MADE_ANEW)
    assert "Fetching uv 9.9.9." in result.stderr


def test_pip_says_of_its_settings_what_the_other_tests_take_for_granted(
    bare_checkout: FakeCheckout,
) -> None:
    command = [str(Path(sys.executable).resolve()), "-m", "pip", "config", "list"]
    said = subprocess.run(
        command, env=bare_checkout.variables, capture_output=True, check=True, encoding="utf-8"
    )
    assert said.stdout == bare_checkout.pip_settings


def test_a_uv_with_another_hash_is_refused(bare_checkout: FakeCheckout) -> None:
    pin = bare_checkout.root / "packaging" / "uv-requirements.txt"
    pin.write_text(f"uv==9.9.9 --hash=sha256:{'0' * 64}\n", encoding="utf-8")
    result = bare_checkout.run("setup")
    assert result.returncode == 1
    assert "Fetching uv failed." in result.stderr
    assert not (bare_checkout.root / ".venv").exists()


def test_another_version_of_uv_is_replaced(bare_checkout: FakeCheckout) -> None:
    old = bare_checkout.root / ".setup" / "uv" / "bin" / "uv"
    old.parent.mkdir(parents=True)
    old.write_text("#!/bin/sh\necho uv 1.0.0\n", encoding="utf-8")
    old.chmod(0o755)
    bare_checkout.run("setup")
    assert steps(bare_checkout) == MADE_ANEW


def test_only_hashed_packages_are_installed_and_building_fetches_nothing(
    checkout: FakeCheckout,
) -> None:
    checkout.run("setup")
    _, sync, install = checkout.commands("uv")
    assert "--require-hashes" in sync
    assert "--no-deps --no-build-isolation" in install


def test_a_second_start_changes_nothing(checkout: FakeCheckout) -> None:
    checkout.run("setup")
    checkout.forget_calls()
    checkout.run("setup")
    assert steps(checkout) == []


def installed(checkout: FakeCheckout) -> str:
    """Return the names of the locks that were installed last."""
    (sync,) = (line for line in checkout.commands("uv") if line.startswith("pip sync "))
    checkout.forget_calls()
    return " ".join(Path(word).name for word in sync.split() if word.endswith(".txt"))


def test_whoever_only_runs_the_app_is_spared_what_tests_it(checkout: FakeCheckout) -> None:
    assert checkout.run().returncode == 0
    assert installed(checkout) == "requirements.txt requirements-editable.txt"
    checkout.run()
    assert checkout.run("release", "key", "key.pem", "https://example.org/").returncode == 0
    assert steps(checkout) == []

    checkout.run("check")
    assert installed(checkout) == "requirements-dev.txt"
    checkout.run()
    assert steps(checkout) == []


def test_running_the_app_takes_nothing_away_from_who_develops_it(checkout: FakeCheckout) -> None:
    checkout.run("setup")
    checkout.forget_calls()
    (checkout.root / "packaging" / "requirements.txt").write_text("anyio==2\n", encoding="utf-8")
    checkout.run()
    assert installed(checkout) == "requirements-dev.txt"


@pytest.mark.parametrize(
    "path",
    [
        "packaging/requirements.txt",
        "packaging/requirements-editable.txt",
        "packaging/requirements-dev.txt",
        "packaging/uv-requirements.txt",
        "pyproject.toml",
    ],
)
def test_a_changed_lock_is_followed_without_starting_from_nothing(
    checkout: FakeCheckout, path: str
) -> None:
    checkout.run("setup")
    checkout.forget_calls()
    with (checkout.root / path).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    checkout.run("setup")
    assert steps(checkout) == SYNCHRONISED


def test_a_moved_checkout_is_made_anew(checkout: FakeCheckout, tmp_path: Path) -> None:
    checkout.run("setup")
    checkout.forget_calls()
    checkout.root = checkout.root.rename(tmp_path / "moved")
    assert checkout.run().returncode == 0
    assert steps(checkout) == MADE_ANEW


def test_an_environment_of_another_python_is_made_anew(checkout: FakeCheckout) -> None:
    checkout.run("setup", version="3.12")
    checkout.forget_calls()
    checkout.run("setup", version="3.13")
    assert steps(checkout) == MADE_ANEW


def test_an_environment_without_its_interpreter_is_made_anew(checkout: FakeCheckout) -> None:
    checkout.run("setup")
    checkout.forget_calls()
    (checkout.root / ".venv" / "bin" / "python").unlink()
    checkout.run("setup")
    assert steps(checkout) == MADE_ANEW


def test_a_start_killed_in_the_middle_is_waited_for_and_then_repaired(
    checkout: FakeCheckout,
) -> None:
    with checkout.gate("uv pip sync") as gate:
        killed = checkout.start("setup")
        with gate.holding():
            killed.kill()
            killed.wait(WAIT_S)
            del checkout.variables["FAKE_GATE"]
            second = checkout.start("setup")
            assert second.stderr is not None
            assert "waiting" in second.stderr.readline()
            checkout.forget_calls()
        second.communicate(timeout=WAIT_S)
    killed.communicate()
    assert second.returncode == 0
    assert steps(checkout) == MADE_ANEW


def test_two_starts_at_once_do_the_work_once(checkout: FakeCheckout) -> None:
    with checkout.gate("uv venv") as gate:
        first = checkout.start("setup")
        with gate.holding():
            second = checkout.start("setup")
            assert second.stderr is not None
            assert "waiting" in second.stderr.readline()
        for process in (first, second):
            process.communicate(timeout=WAIT_S)
    assert (first.returncode, second.returncode) == (0, 0)
    assert steps(checkout) == MADE_ANEW


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("uv pip sync", "error: Failed to fetch: `x`\n Caused by: tcp connect error: unreachable"),
        ("uv pip sync", "error sending request\n  dns error: name or service not known"),
    ],
)
def test_a_network_that_does_not_answer_is_explained_in_one_sentence(
    checkout: FakeCheckout, command: str, words: str
) -> None:
    checkout.variables["FAKE_FAILURES"] = json.dumps({command: words})
    result = checkout.run("setup")
    last = result.stderr.splitlines()[-1]
    assert result.returncode == 1
    assert last.startswith("dev.py: Installing the packages failed, since the network did not")
    assert "Traceback" not in result.stderr


def test_an_index_that_cannot_be_reached_is_explained_in_one_sentence(
    bare_checkout: FakeCheckout,
) -> None:
    for name in ("PIP_NO_INDEX", "PIP_FIND_LINKS"):
        del bare_checkout.variables[name]
    # The port of a service that is gone: nobody answers there.
    bare_checkout.variables["PIP_INDEX_URL"] = "http://127.0.0.1:9/simple"
    result = bare_checkout.run("setup")
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith(
        "dev.py: Fetching uv failed, since the network did not answer."
    )


def test_any_other_failure_is_told_in_the_words_of_the_program(checkout: FakeCheckout) -> None:
    checkout.variables["FAKE_FAILURES"] = '{"uv pip sync": "no wheel for this machine"}'
    result = checkout.run("setup")
    assert result.returncode == 1
    assert result.stderr.endswith(
        "dev.py: Installing the packages failed. The last that was said:\n"
        "  no wheel for this machine\n"
    )


def test_a_start_after_a_failure_makes_the_environment_whole(checkout: FakeCheckout) -> None:
    checkout.variables["FAKE_FAILURES"] = '{"uv pip sync": "no wheel for this machine"}'
    checkout.run("setup")
    checkout.forget_calls()
    del checkout.variables["FAKE_FAILURES"]
    assert checkout.run().returncode == 0
    assert steps(checkout) == MADE_ANEW


def test_an_old_lock_does_not_pass_for_whole_after_a_newer_one_failed(
    checkout: FakeCheckout,
) -> None:
    checkout.run("setup")
    lock = checkout.root / "packaging" / "requirements-dev.txt"
    old = lock.read_text(encoding="utf-8")
    lock.write_text("anyio==2\n", encoding="utf-8")
    checkout.variables["FAKE_FAILURES"] = '{"uv pip sync": "no wheel for this machine"}'
    checkout.run("setup")
    checkout.forget_calls()
    lock.write_text(old, encoding="utf-8")
    del checkout.variables["FAKE_FAILURES"]
    checkout.run("setup")
    assert steps(checkout) == MADE_ANEW


def test_what_pip_was_told_reaches_uv_and_no_file(checkout: FakeCheckout, tmp_path: Path) -> None:
    config = tmp_path / "pip.conf"
    config.write_text(
        "[global]\nindex-url = http://127.0.0.1:9/ours\nextra-index-url = file:///a\n  file:///b\n",
        encoding="utf-8",
    )
    checkout.variables["PIP_CONFIG_FILE"] = str(config)
    checkout.variables["PIP_TRUSTED_HOST"] = "127.0.0.1"
    checkout.run("setup")
    env = checkout.calls[0].env
    assert env["UV_DEFAULT_INDEX"] == "http://127.0.0.1:9/ours"
    assert env["UV_INDEX"] == "file:///a file:///b"
    assert env["UV_INSECURE_HOST"] == "127.0.0.1"
    written = [path for path in checkout.root.rglob("*") if path.is_file()]
    assert written
    assert not [path for path in written if b"127.0.0.1:9" in path.read_bytes()]


def test_what_uv_was_told_stands_above_what_pip_was_told(checkout: FakeCheckout) -> None:
    checkout.variables["PIP_INDEX_URL"] = "http://127.0.0.1:9/pip"
    checkout.variables["UV_DEFAULT_INDEX"] = "http://127.0.0.1:9/uv"
    checkout.run("setup")
    assert checkout.calls[0].env["UV_DEFAULT_INDEX"] == "http://127.0.0.1:9/uv"


def test_a_folder_that_cannot_be_written_is_named(checkout: FakeCheckout) -> None:
    (checkout.root / ".setup" / "lock").mkdir()
    result = checkout.run("setup")
    assert result.returncode == 1
    assert result.stderr == f"dev.py: {checkout.root}/.setup/lock: Is a directory.\n"


def test_a_person_without_a_home_keeps_the_downloads_in_the_checkout(
    checkout: FakeCheckout,
) -> None:
    checkout.variables["HOME"] = "/nonexistent"
    checkout.run("setup")
    assert checkout.calls[0].env["UV_CACHE_DIR"] == str(checkout.root / ".setup" / "cache")
