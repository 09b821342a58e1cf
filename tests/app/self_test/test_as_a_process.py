"""The self-test as it is started: one run, in a home with another person's chats, looked at."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from app.self_test.report import CHECK_IDS
from tests.support.figures import Tell
from tests.support.picture_changes import note_changes
from tests.support.strace import STRACE_PROBLEM, needs_strace, reached, traced

_ROOT: Final = Path(__file__).parents[3]
_PROGRAM: Final = (sys.executable, "-m", "app.main", "--self-test")
# Some 40 s of it; a machine that does other things as well takes its time.
_TIMEOUT_S: Final = 420.0
# Where a person's own things are; no part of it is one that the program could read.
_OF_THE_PERSON: Final = (
    ".local/share/parley/store.db",
    ".local/share/parley/ledger.db",
    ".local/share/parley/in-use.lock",
    ".config/parley/settings.toml",
    ".config/parley/tool-servers.json",
)


@dataclass(frozen=True)
class Done:
    """What a run left."""

    code: int
    lines: list[str]
    told: dict[str, Any]
    folder: Path

    @property
    def trace(self) -> Path:
        return self.folder / "trace"


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Done:
    folder = tmp_path_factory.mktemp("self-test")
    for name in _OF_THE_PERSON:
        _plant(folder / "home" / name)
    asked = ("--report", str(folder / "report.json"), "--screenshots", str(folder / "pictures"))
    command = (*_PROGRAM, *asked, "--require", "service,allow,deny,undo", "--language", "de")
    ended = subprocess.run(
        command if STRACE_PROBLEM else traced(command, folder / "trace"),
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
        check=False,
        cwd=_ROOT,
        env=_around(folder),
    )
    # Qt says that nobody sees a menu that opens here.
    said = [line for line in ended.stderr.splitlines() if "plugin does not support" not in line]
    assert said == []
    told = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return Done(ended.returncode, ended.stdout.splitlines(), told, folder)


def _plant(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"not what any of our programs would write")


def _around(folder: Path) -> dict[str, str]:
    variables = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return {**variables, "HOME": str(folder / "home"), "https_proxy": "http://127.0.0.1:9"}


def test_every_check_ends_well_or_says_why_it_could_not_be_made(done: Done) -> None:
    assert done.code == 0, "\n".join(done.lines)
    assert done.told["ok"]
    assert [check["check"] for check in done.told["checks"]] == list(CHECK_IDS)
    outcomes = {check["check"]: check["outcome"] for check in done.told["checks"]}
    # From source nothing was installed; the others depend on the computer.
    may_be_missing = {"engine", "files", "keyring", "trust", "sandbox"}
    assert {name for name, outcome in outcomes.items() if outcome != "ok"} <= may_be_missing
    assert outcomes["files"] == "not available"
    assert all(c["detail"] for c in done.told["checks"] if c["outcome"] == "not available")


def test_a_line_for_each_check_comes_in_the_language_that_was_asked_for(done: Done) -> None:
    *lines, last = done.lines
    assert len(lines) == len(CHECK_IDS)
    assert all(line.startswith(("in Ordnung ", "nicht verfügbar ")) for line in lines)
    assert "keine fehlgeschlagen" in last


def test_report_names_neither_the_person_nor_the_computer(done: Done) -> None:
    shown = json.dumps(done.told, ensure_ascii=False) + "\n".join(done.lines)
    assert str(done.folder / "home") not in shown
    assert "~/.config/parley" in shown
    assert os.uname().nodename not in shown or os.uname().nodename == "localhost"


def test_pictures_are_taken_in_both_themes(done: Done) -> None:
    steps = ("first-run", "new-chat", "streaming", "question", "approval", "undo", "settings")
    pages = ("settings-server", "settings-info", "palette", "manual", "toast", "agent-editor")
    opened = ("menu-attach", "menu-chat", "picker-agents", "picker-models", "dialog-link", "rule")
    empty = ("none-chats", "none-settings", "none-palette", "none-calls", "none-archive")
    taken = {path.name for path in (done.folder / "pictures").iterdir()}

    names = steps + pages + opened + empty
    expected = {f"{name}-{theme}.png" for name in names for theme in ("light", "dark")}
    assert expected <= taken
    assert len([name for name in taken if name.startswith("settings-")]) > 2 * 10


def test_pages_that_look_different_than_before_are_reported(
    done: Done, request: pytest.FixtureRequest, tell: Tell
) -> None:
    """Nothing is refused: whoever reads the run looks at what changed."""
    kept = request.config.cache.mkdir("pictures")

    changed = note_changes(done.folder / "pictures", kept)

    assert {path.name for path in (kept / "now").iterdir()} >= set(changed)
    if changed:
        tell(f"{len(changed)} pictures of the window changed: {kept / 'index.html'}")


@pytest.mark.security(22)
def test_self_test_neither_opens_nor_changes_what_the_person_has(done: Done) -> None:
    home = done.folder / "home"
    kept = {path for path in home.rglob("*") if path.is_file() and "parley" in str(path)}
    assert kept == {home / name for name in _OF_THE_PERSON}
    assert {path.read_bytes() for path in kept} == {b"not what any of our programs would write"}
    # Where tools work while pictures are taken.
    assert not (home / "Notes").exists()


@needs_strace
@pytest.mark.security(74)
def test_whole_session_reaches_for_nothing_beyond_this_computer(done: Done) -> None:
    """First start, service, chats, tools, restarts, end: every process, by every call."""
    assert "sin_port" in done.trace.read_text(encoding="utf-8", errors="replace")
    assert reached(done.trace) == []
