"""The program as a process: its arguments, its end, and what is left after a kill."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import pytest

from app.config.settings import ConnectionSettings, Settings, SettingsFile
from app.paths import Paths, paths_under
from tests.support.processes import service_of
from tests.support.window import has_chosen_offline

_ROOT = Path(__file__).parents[2]
_PROGRAM = (sys.executable, "-m", "app.main")
_GONE_WITHIN_S = 30.0
# A filled window has a hundred times as many.
_FEW_OBJECTS = 1000
_TELLS_OF_GARBAGE = """
import atexit, gc, os, pathlib
told = pathlib.Path(__file__).with_name(str(os.getpid()))
atexit.register(lambda: told.write_text(str(len(gc.get_objects()))))
"""
# So that the end comes by itself, and not with the end of the keyring's time.
_WAITS_LONG = f"""
import sys
sys.path.insert(0, {str(_ROOT)!r})
from app.config.key_store import KeyStore
KeyStore.__init__.__kwdefaults__["timeout_s"] = 600
"""


def _run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*_PROGRAM, *arguments],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
        cwd=_ROOT,
        env={**os.environ, **variables},
    )


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--help",), 0, "--self-test"),
        (("--version",), 0, f"Parley {version('parley')}\n"),
        (("--report", "x.json"), 2, "go with --self-test"),
        (("--self-test", "--require", "sandbox,luck"), 2, "there is no check 'luck'; there are"),
    ],
)
def test_arguments_are_answered(arguments: tuple[str, ...], code: int, words: str) -> None:
    done = _run(*arguments)

    assert done.returncode == code
    assert words in done.stdout + done.stderr


@pytest.fixture
def has_no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.skipif(sys.platform != "linux", reason="not run here: there always is a display")
@pytest.mark.usefixtures("has_no_display")
def test_without_a_display_it_says_so_in_its_own_words() -> None:
    done = _run()

    assert done.returncode == 2
    assert done.stderr.startswith("Parley needs a display")


@pytest.mark.skipif(sys.platform != "linux", reason="not run here: there always is a display")
@pytest.mark.usefixtures("has_no_display")
def test_without_a_display_the_self_test_goes_on_offscreen_and_says_so(tmp_path: Path) -> None:
    # It begins by looking whether its report can be written, which ends it here.
    done = _run("--self-test", "--report", str(tmp_path / "none" / "report.json"))

    said, *_, why = done.stderr.splitlines()
    assert said == "There is no display here: the self-test goes on offscreen."
    assert "cannot be written" in why
    assert done.returncode == 2


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")

    # The first line is ours: Qt has nothing to say of the locale.
    told = _told_on_refusal(tmp_path / "file", LC_ALL="C")

    assert told.startswith(f"Parley cannot write to its folder {tmp_path / 'file'}")


@pytest.mark.parametrize("package", ["markdown_it", "pydantic", "httpx"])
def test_a_damaged_installation_is_reported_and_the_log_is_named(
    package: str, tmp_path: Path
) -> None:
    """Our choice: one sentence in a window or on the standard error, the rest in the log."""
    damaged, data = tmp_path / "damaged", tmp_path / "data"
    damaged.mkdir()
    (damaged / f"{package}.py").write_text("raise ImportError('no such thing')", encoding="utf-8")

    told = _told_on_refusal(data, PYTHONPATH=str(damaged))

    log_file = data / "logs" / "parley.log"
    assert told.startswith("Parley could not start: part of the program is missing or damaged.")
    assert str(log_file) in told
    assert "no such thing" in log_file.read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="not run here: another keyring")
def test_a_log_that_cannot_be_written_and_a_keyring_that_hangs_hinder_no_end(
    tmp_path: Path,
) -> None:
    paths = _has_chosen_hosted(tmp_path)
    (tmp_path / "logs" / "parley.log").mkdir()
    (_planted(tmp_path) / "sitecustomize.py").write_text(_WAITS_LONG, encoding="utf-8")
    with _program_that_hangs_over("secretstorage", tmp_path) as program:
        assert program.wait(_GONE_WITHIN_S) == 0
    assert paths.window_file.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_an_end_while_the_program_is_loaded_waits_for_nothing(tmp_path: Path) -> None:
    data = paths_under(tmp_path).data
    with _program_that_hangs_over("pydantic", tmp_path) as program:
        assert program.wait(_GONE_WITHIN_S) == 0
    assert not list(data.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_a_termination_closes_everything_in_order(tmp_path: Path) -> None:
    paths, planted = has_chosen_offline(tmp_path), _planted(tmp_path)
    (planted / "sitecustomize.py").write_text(_TELLS_OF_GARBAGE, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(planted)}
    with subprocess.Popen([*_PROGRAM, "--data", str(tmp_path)], cwd=_ROOT, env=env) as program:
        service = service_of(program)

        program.send_signal(signal.SIGTERM)

        assert program.wait(_GONE_WITHIN_S) == 0
    assert not service.is_running()
    assert paths.window_file.exists()
    # What is frozen is not searched: that took longer than all the rest of the end.
    assert int((planted / f"{program.pid}").read_text(encoding="utf-8")) < _FEW_OBJECTS


def _planted(folder: Path) -> Path:
    """Where modules lie that the program imports in the place of others."""
    planted = folder / "planted"
    planted.mkdir(exist_ok=True)
    return planted


@contextmanager
def _program_that_hangs_over(module: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Start the program with a module that never comes, and tells it to end meanwhile."""
    planted = _planted(folder)
    text = "import time\nprint('hanging', flush=True)\ntime.sleep(600)\n"
    (planted / f"{module}.py").write_text(text, encoding="utf-8")
    command, env = [*_PROGRAM, "--data", str(folder)], {**os.environ, "PYTHONPATH": str(planted)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, text=True, cwd=_ROOT, env=env) as program:
        try:
            assert program.stdout is not None
            assert program.stdout.readline() == "hanging\n"
            program.send_signal(signal.SIGTERM)
            yield program
        finally:
            program.kill()


def _told_on_refusal(folder: Path, **variables: str) -> str:
    """Start the program where it cannot start, and nobody could close a window; its sentence."""
    done = _run("--data", str(folder), **{"QT_QPA_PLATFORM": "offscreen", **variables})
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr.partition("\n")[0]


def _has_chosen_hosted(folder: Path) -> Paths:
    paths = paths_under(folder)
    paths.make()
    connection = ConnectionSettings(kind="hosted", base_url="https://service.invalid")
    SettingsFile(paths.settings_file).save(Settings(connection=connection))
    return paths
