"""The verbs of dev.py: what each starts, with which arguments, where, and how it ends."""

import json
import os
import signal
from pathlib import Path

import building
import dev
import pytest

from tests.support.fake_checkout import WAIT_S, FakeCheckout

CHECKS = ["ruff check", "ruff format --check", "lint-imports --no-logo", "deptry ."]
TYPES = "mypy"
ALL_TESTS = f"pytest -n {min(4, (os.cpu_count() or 1) + 1)} --dist loadfile --no-loadscope-reorder"


def started(checkout: FakeCheckout) -> list[str]:
    """Return what was started of the environment, apart from the search for libraries."""
    others = ("uv", "python", "apt-get", "dpkg-deb")
    return [call.command for call in checkout.calls if call.command.split()[0] not in others]


@pytest.mark.parametrize("verb", [[], ["run"]])
def test_run_passes_what_follows_the_dashes_to_the_app(
    ready_checkout: FakeCheckout, verb: list[str]
) -> None:
    assert ready_checkout.run(*verb, "--", "--help", "two words").returncode == 0
    assert [call.argv for call in ready_checkout.calls][-1] == ["--help", "two words"]


def test_options_without_a_verb_are_for_the_app(ready_checkout: FakeCheckout) -> None:
    ready_checkout.run("--version")
    assert started(ready_checkout) == ["parley --version"]


def test_run_ends_with_the_code_of_the_app(ready_checkout: FakeCheckout) -> None:
    ready_checkout.variables["FAKE_EXIT_CODE"] = "42"
    assert ready_checkout.run().returncode == 42


def test_run_opens_the_app_where_there_is_a_display(ready_checkout: FakeCheckout) -> None:
    ready_checkout.variables["WAYLAND_DISPLAY"] = "wayland-0"
    ready_checkout.run()
    assert started(ready_checkout) == ["parley"]
    assert "QT_QPA_PLATFORM" not in ready_checkout.calls[-1].env


@pytest.mark.parametrize("variables", [{}, {"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}])
def test_run_without_a_display_says_so_and_tests_itself_offscreen(
    ready_checkout: FakeCheckout, variables: dict[str, str]
) -> None:
    ready_checkout.variables.update(variables)
    result = ready_checkout.run()
    assert "no display" in result.stderr
    assert started(ready_checkout) == ["parley --self-test"]
    assert ready_checkout.calls[-1].env["QT_QPA_PLATFORM"] == "offscreen"


def test_run_stays_in_the_folder_of_the_person(
    ready_checkout: FakeCheckout, tmp_path: Path
) -> None:
    ready_checkout.run(cwd=tmp_path)
    assert ready_checkout.calls[-1].cwd == str(tmp_path)


def test_test_runs_the_checks_then_all_tests_beside_the_types_from_any_folder(
    ready_checkout: FakeCheckout, tmp_path: Path
) -> None:
    assert ready_checkout.run("test", cwd=tmp_path).returncode == 0
    *before, one, other = started(ready_checkout)
    assert before == CHECKS
    assert {one, other} == {TYPES, ALL_TESTS}
    assert ready_checkout.calls[-1].cwd == str(ready_checkout.root)


@pytest.mark.parametrize(
    ("failing", "words"),
    [
        ("mypy", "dev.py: Checking types beside the tests failed."),
        ("pytest", "dev.py: Not all tests passed."),
    ],
)
def test_test_fails_when_tests_or_types_do(
    ready_checkout: FakeCheckout, failing: str, words: str
) -> None:
    ready_checkout.variables["FAKE_FAILURES"] = json.dumps({failing: "what is wrong"})
    result = ready_checkout.run("test")
    assert result.returncode == 1
    assert words in result.stderr
    assert "what is wrong" in result.stderr
    assert {TYPES, ALL_TESTS} <= set(started(ready_checkout))


@pytest.mark.parametrize(
    ("given", "passed"),
    [
        (["-k", "name"], ["-k", "name"]),
        (["--long"], ["--long"]),
        (["--", "--help"], ["--help"]),
        (["--", "-x"], ["-x"]),
    ],
)
def test_test_with_arguments_runs_pytest_alone(
    ready_checkout: FakeCheckout, given: list[str], passed: list[str]
) -> None:
    ready_checkout.run("test", *given)
    assert started(ready_checkout) == [" ".join(["pytest", *passed])]


def test_a_failed_check_ends_test_before_the_tests(ready_checkout: FakeCheckout) -> None:
    ready_checkout.variables["FAKE_FAILURES"] = '{"lint-imports": "a forbidden import"}'
    result = ready_checkout.run("test")
    assert result.returncode == 1
    assert "a forbidden import" in result.stderr
    assert result.stderr.splitlines()[-1] == "dev.py: Not clean: lint-imports --no-logo."
    assert started(ready_checkout) == CHECKS


def test_check_runs_every_check_and_no_test(ready_checkout: FakeCheckout) -> None:
    assert ready_checkout.run("check").returncode == 0
    assert started(ready_checkout) == [*CHECKS, TYPES]


def test_setup_makes_everything_ready_and_starts_nothing(checkout: FakeCheckout) -> None:
    assert checkout.run("setup").returncode == 0
    assert started(checkout) == []
    assert (checkout.root / ".venv" / "bin" / "parley").exists()


def test_release_stays_in_the_folder_of_the_person_and_passes_what_is_said(
    ready_checkout: FakeCheckout, tmp_path: Path
) -> None:
    assert ready_checkout.run("release", "sign", "key.pem", cwd=tmp_path).returncode == 0
    signing = ready_checkout.calls[-1]
    assert Path(signing.argv[0]).name == "sign_release.py"
    assert signing.argv[1:] == ["sign", "key.pem"]
    assert signing.cwd == str(tmp_path)


def test_lock_renews_every_lock_file_and_passes_arguments_to_uv(
    ready_checkout: FakeCheckout,
) -> None:
    assert ready_checkout.run("lock", "--upgrade").returncode == 0
    compiled = ready_checkout.commands("uv")
    outputs = [Path(command.split()[-1]).name for command in compiled]
    assert outputs == [
        "requirements.txt",
        "requirements-dev.txt",
        "requirements-editable.txt",
        "requirements-build.txt",
        "uv-requirements.txt",
        "requirements-bench.txt",
    ]
    assert all("--generate-hashes" in command for command in compiled)
    assert all("--upgrade" in command for command in compiled)


@pytest.mark.parametrize("arguments", [["help"], ["--help"], ["-h"]])
def test_help_names_every_verb_and_sets_nothing_up(
    ready_checkout: FakeCheckout, arguments: list[str]
) -> None:
    result = ready_checkout.run(*arguments)
    assert result.returncode == 0
    for verb in (
        "run",
        "test",
        "check",
        "setup",
        "build",
        "bench",
        "mutate",
        "release",
        "lock",
        "pictures",
        "translate",
        "help",
    ):
        assert f"\n  {verb} " in result.stdout
    assert ready_checkout.calls == []


@pytest.mark.parametrize(
    "arguments",
    [["test", "-k", "name", "-h"], ["setup", "--help"], ["bench", "gui", "--help"]],
)
def test_help_of_a_verb_installs_nothing_and_starts_nothing(
    checkout: FakeCheckout, arguments: list[str]
) -> None:
    result = checkout.run(*arguments)
    assert result.returncode == 0
    assert result.stdout.startswith(f"usage: dev.py {arguments[0]}")
    assert result.stderr == ""
    assert checkout.calls == []


def test_every_verb_has_a_help_of_its_own() -> None:
    assert {*dev.HELP} == dev.VERBS.keys() - {"build"}
    for verb, words in dev.HELP.items():
        assert words.startswith(("usage: dev.py [run] ", f"usage: dev.py {verb}"))
        assert dev.asks_for_help(verb, ["--help"])
        # What stands behind the dashes is for another program.
        assert not dev.asks_for_help(verb, ["--", "--help"])
    assert all(f"\n  {name} " in dev.HELP["bench"] for name in dev.BENCHMARKS)


def test_build_explains_itself_before_it_makes_anything_ready(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        building.build(["--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("usage: dev.py build")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["bild"], "'bild', only run, test, check"),
        (["check", "everything"], "everything"),
        (["bench"], "gui, service, soak, tools"),
        (["bench", "sarvice"], "gui, service, soak, tools, not 'sarvice'"),
        (["release", "sing"], "key, sign, not 'sing'"),
    ],
)
def test_what_is_not_understood_is_refused_before_anything_is_done(
    checkout: FakeCheckout, arguments: list[str], named: str
) -> None:
    result = checkout.run(*arguments)
    assert result.returncode == 2
    assert named in result.stderr
    assert checkout.calls == []


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_dev_py_and_what_it_started(
    checkout: FakeCheckout, number: signal.Signals, code: int
) -> None:
    # A shell that starts the tests in the background has them, and all they start, ignore Ctrl C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with (
        checkout.gate("uv pip sync") as gate,
        checkout.start() as process,
        gate.holding() as program,
    ):
        process.send_signal(number)
        _, errors = process.communicate(timeout=WAIT_S)
        assert process.returncode == code
        assert "Traceback" not in errors
        assert program.recv(1) == b""
