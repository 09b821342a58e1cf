"""What a confined call sees of the files on this computer, and what it can change."""

import os
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from local_tools.execution.tool_runner import ToolRunner
from local_tools.sandbox.types import Program, SandboxRequest
from tests.support.confined import (
    ATTEMPT,
    Kind,
    changing,
    confined_runner,
    linux_sandboxes,
    looking,
    needs_bubblewrap,
    sandbox,
)
from tests.support.confined_tools import changes
from tests.support.tool_calls import prepared

pytestmark = pytest.mark.anyio

both = pytest.mark.parametrize("kind", linux_sandboxes)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a user's home with a project, a secret and a shell's file in it."""
    made = tmp_path / "home"
    (made / "project" / "sub").mkdir(parents=True)
    (made / "project" / "notes").write_text("notes")
    (made / ".ssh").mkdir()
    (made / ".ssh" / "id").write_text("PRIVATE")
    (made / ".netrc").write_text("PRIVATE")
    (made / ".bashrc").write_text("# mine\n")
    return made


@both
async def test_a_call_that_may_write_changes_its_folder_and_nothing_else(
    kind: Kind, home: Path, tmp_path: Path
) -> None:
    script = f"""{ATTEMPT}
import os
from pathlib import Path
found = {{
    "inside": attempt(lambda: Path(place, "sub/new").write_text("x")),
    "home": attempt(lambda: Path({str(home)!r}, "new").write_text("x")),
    "beside": attempt(lambda: Path({str(tmp_path)!r}, "new").write_text("x")),
    "system": attempt(lambda: Path("/usr/new").write_text("x")),
    "settings": attempt(lambda: Path("/etc/new").write_text("x")),
    "top": attempt(lambda: Path("/new").write_text("x")),
    "temporary": attempt(lambda: __import__("tempfile").TemporaryFile().write(b"x")),
}}
"""
    seen = await changing(confined_runner(kind, home), home / "project", script)
    assert seen["inside"] == seen["temporary"] == 1
    assert {seen[name] for name in ("system", "settings", "top")} <= {"EROFS", "EACCES"}
    assert (home / "project" / "sub" / "new").read_text() == "x"
    # The home that it sees may be one of its own; what it writes there stays there.
    assert not (home / "new").exists()
    assert not (tmp_path / "new").exists()


@both
@pytest.mark.security(46)
async def test_a_tool_that_only_reads_can_write_nothing_and_read_its_folder_alone(
    kind: Kind, home: Path
) -> None:
    names = (".ssh/id", ".netrc", ".bashrc")
    script = f"""{ATTEMPT}
import os
from pathlib import Path
notes = Path(place, "notes")
found = [
    [attempt(Path({str(home)!r}, name).read_text) for name in {names!r}],
    attempt(notes.read_text),
    attempt(lambda: notes.write_text("x")),
    attempt(lambda: Path(place, "new").write_text("x")),
    attempt(notes.unlink),
    attempt(lambda: os.truncate(notes, 0)),
    attempt(lambda: os.rename(notes, notes.with_name("other"))),
    attempt(lambda: os.mkdir(Path(place, "made"))),
    attempt(lambda: os.link(notes, Path(place, "second"))),
    attempt(lambda: os.open(f"/proc/self/fd/{{os.open(place, os.O_RDONLY)}}/new", 66)),
]
"""
    beside, read, *refused = await looking(confined_runner(kind, home), home / "project", script)
    assert set(beside) <= {"ENOENT", "EACCES"}
    assert read == "notes"
    assert all(isinstance(item, str) and item.startswith("E") for item in refused)
    assert sorted(item.name for item in (home / "project").iterdir()) == ["notes", "sub"]
    assert (home / "project" / "notes").read_text() == "notes"


@both
async def test_no_secret_and_nothing_of_ours_is_read_where_the_whole_home_was_picked(
    kind: Kind, home: Path
) -> None:
    own = home / ".local" / "share" / "parley"
    own.mkdir(parents=True)
    (own / "store.db").write_text("words of yesterday")
    script = f"""{ATTEMPT}
from pathlib import Path
names = (".ssh/id", ".local/share/parley/store.db", ".netrc", ".bashrc", "project/notes")
found = [attempt(Path(place, name).read_text) for name in names]
"""
    *hidden, steering, notes = await looking(confined_runner(kind, home, own), home, script)
    assert set(hidden) <= {"ENOENT", "EACCES"}
    assert (steering, notes) == ("# mine\n", "notes")


async def _refused(runner: ToolRunner, folder: Path) -> str:
    outcome = await runner.run(prepared(changes, folder, place=".", script=""))
    assert outcome.status == "failed"
    return outcome.text


@needs_bubblewrap
@pytest.mark.security(23)
@pytest.mark.parametrize("name", [".ssh", ".config/autostart", "project/.git/hooks"])
async def test_a_folder_that_steers_other_programs_is_never_made_writable(
    home: Path, name: str
) -> None:
    (home / name).mkdir(parents=True, exist_ok=True)
    text = await _refused(confined_runner("bubblewrap", home), home / name)
    assert text.startswith(f"Error: {home / name} ")
    assert text.endswith(("so nothing was run there.", "so it is never made writable."))


@needs_bubblewrap
async def test_no_folder_of_the_kernel_is_handed_in(home: Path) -> None:
    runner = confined_runner("bubblewrap", home)
    assert "is no folder of files" in await _refused(runner, Path(f"/proc/{os.getpid()}/fdinfo"))


@needs_bubblewrap
async def test_the_topmost_folder_is_never_made_writable(home: Path) -> None:
    text = await _refused(confined_runner("bubblewrap", home), Path("/"))
    assert text == "Error: The topmost folder of this computer is never made writable."


@needs_bubblewrap
async def test_the_folder_of_the_call_is_the_one_that_was_shown(home: Path) -> None:
    folder = home / "project"
    call = prepared(changes, folder, place=".", script="")
    folder.rename(home / "old")
    folder.mkdir()
    outcome = await confined_runner("bubblewrap", home).run(call)
    assert outcome.text == f"Error: {folder} changed since it was shown, so nothing was done."


KEPT: tuple[str, ...] = (
    ".bashrc",
    ".profile",
    ".zshrc",
    ".gitconfig",
    ".config/autostart/evil.desktop",
    ".config/fish/config.fish",
    ".config/systemd/user/evil.service",
    ".config/python_keyring/keyringrc.cfg",
    ".local/share/keyrings/login.keyring",
    ".local/share/parley/ledger.db",
    ".config/parley/settings.toml",
    ".ssh/authorized_keys",
    ".git/hooks/post-checkout",
    ".git/config",
    ".mcp.json",
    "project/.git/hooks/post-checkout",
    "project/.git/config",
)

# Each way to put something at a place, or to move what is there out of the way first.
ATTACKS = f"""{ATTEMPT}
import os, shutil
from pathlib import Path

def write(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("evil")

def replace(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(place, "fresh")
    fresh.write_text("evil")
    os.replace(fresh, path)

def link(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(place, "fresh")
    fresh.write_text("evil")
    os.link(fresh, path)

def point(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    os.symlink("fresh", path)

def remove(path):
    path.unlink()

def move_away(path):
    for folder in path.parents:
        if str(folder) == place:
            break
        os.rename(folder, Path(place, "away"))
        write(path)

def sweep_away(path):
    shutil.rmtree(path.parent)
    write(path)

for name in NAMES:
    for act in (write, replace, link, point, remove, move_away, sweep_away):
        attempt(lambda: act(Path(place, name)))
attempt(Path(place, "fresh").unlink)
found = sorted(os.listdir(place))
"""


def _tree(folder: Path) -> dict[str, str]:
    """Everything below a folder: the contents of files, nothing for folders."""
    return {
        str(path.relative_to(folder)): "" if path.is_dir() else path.read_text()
        for path in folder.rglob("*")
    }


@needs_bubblewrap
@pytest.mark.security(23)
@pytest.mark.parametrize("are_there", [True, False])
async def test_protected_files_in_a_writable_folder_cannot_be_changed(
    home: Path, *, are_there: bool
) -> None:
    own = (home / ".local/share/parley", home / ".config/parley")
    if are_there:
        for name in KEPT:
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text("mine")
    else:
        (home / "project" / ".git").mkdir()
    before = _tree(home)
    script = ATTACKS.replace("NAMES", repr(KEPT))
    await changing(confined_runner("bubblewrap", home, *own), home, script)
    # What stood for missing places is gone again, too.
    assert _tree(home) == before


@pytest.fixture
def repository(home: Path) -> Path:
    """Return a project under version control."""
    subprocess.run(["git", "init", "-q"], cwd=home / "project", check=True)
    return home / "project"


@needs_bubblewrap
async def test_a_repository_can_be_worked_in_as_usual(home: Path, repository: Path) -> None:
    script = """
import subprocess
steps = ("add notes", "-c user.name=A -c user.email=a@b commit -m x", "log --format=%s")
runs = [subprocess.run(["git", *step.split()], capture_output=True, text=True) for step in steps]
found = [run.stdout + run.stderr for run in runs if run.returncode] or runs[-1].stdout
"""
    assert await changing(confined_runner("bubblewrap", home), repository, script) == "x\n"


@needs_bubblewrap
async def test_git_says_nothing_of_what_only_stands_for_missing_places(
    home: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(home))
    script = """
import subprocess
runs = ("status --short", "add --all", "status --short")
found = [subprocess.run(["git", *run.split()], capture_output=True, text=True) for run in runs]
found = [[item.stdout, item.stderr] for item in found]
"""
    runner = confined_runner("bubblewrap", home)
    said = await changing(runner, repository, script)
    assert said == [["?? notes\n", ""], ["", ""], ["A  notes\n", ""]]
    # What is really there is named as ever.
    (repository / ".mcp.json").write_text("{}")
    said = await changing(runner, repository, script)
    assert said[0][0] == "A  notes\n?? .mcp.json\n"


@needs_bubblewrap
@pytest.mark.security(23)
async def test_secrets_under_version_control_stay_hidden_in_a_folder_that_may_be_written(
    home: Path,
) -> None:
    store = home / ".password-store"
    (store / ".git" / "hooks").mkdir(parents=True)
    (store / "bank").write_text("PRIVATE")
    own = home / ".config" / "systemd" / "parley"
    own.mkdir(parents=True)
    (own / "store.db").write_text("PRIVATE")
    script = f"""{ATTEMPT}
from pathlib import Path
names = (".password-store/bank", ".config/systemd/parley/store.db")
found = [attempt(Path(place, name).read_text) for name in names]
found += [attempt(lambda: Path(place, name).write_text("x")) for name in names]
"""
    runner = confined_runner("bubblewrap", home, own, own / "log")
    assert await changing(runner, home, script) == ["ENOENT", "ENOENT", "EROFS", "EROFS"]


@needs_bubblewrap
async def test_a_link_in_the_place_of_what_must_stay_stops_the_call(home: Path) -> None:
    (home / ".zshrc").symlink_to("project/notes")
    text = await _refused(confined_runner("bubblewrap", home), home)
    assert text == (
        f"Error: {home / '.zshrc'} is a link, which the sandbox cannot keep as it is, "
        "so nothing was run."
    )


@needs_bubblewrap
async def test_placeholders_stay_while_any_call_needs_them(
    home: Path,
) -> None:
    confined = sandbox("bubblewrap", home)
    folder = home / "project"
    terms = SandboxRequest(folder, may_write=True)
    first, second = ExitStack(), ExitStack()
    confined.start(Program(("/bin/true",)), terms, first)
    confined.start(Program(("/bin/true",)), terms, second)
    first.close()
    assert (folder / ".mcp.json").exists()
    second.close()
    assert sorted(item.name for item in folder.iterdir()) == ["notes", "sub"]
