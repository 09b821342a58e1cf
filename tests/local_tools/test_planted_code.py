"""Code that a command leaves in its folder, and then the program that would have run it."""

import asyncio
import mmap
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from local_tools.outcome import ToolOutcome
from local_tools.persistence.persistence_guard import Bounds, quarantine_new, scan
from tests.support import confined_tools
from tests.support.clocks import within_own_time
from tests.support.confined import (
    Kind,
    confined_runner,
    linux_sandboxes,
    needs_bubblewrap,
    needs_landlock,
)
from tests.support.tool_calls import built_in, prepared

both = pytest.mark.parametrize("kind", linux_sandboxes)


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder under version control, with one commit, to be copied."""
    made = tmp_path_factory.mktemp("committed") / "folder"
    made.mkdir()
    _git(made, "init", "-q")
    (made / "notes").write_text("notes\n")
    _git(made, "add", ".")
    _git(made, "commit", "-q", "-m", "x")
    return made


@pytest.fixture
def folder(committed: Path, tmp_path: Path) -> Path:
    """Return a folder under version control, with one commit."""
    return shutil.copytree(committed, tmp_path / "folder", symlinks=True)


def _git(folder: Path, *arguments: str) -> None:
    """Run Git as the user does afterwards, outside of any sandbox."""
    who = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b"}
    variables = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder.parent),
        "GIT_PAGER_IN_USE": "1",
        **who,
        **{name.replace("AUTHOR", "COMMITTER"): value for name, value in who.items()},
    }
    subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=variables,
        check=False,
        capture_output=True,
        timeout=30,
    )


async def _run(kind: Kind, folder: Path, script: str) -> ToolOutcome:
    program = folder.parent / "plant.py"
    program.write_text(script)
    text = program.read_text().rstrip() + "\n"
    command = f"{sys.executable} -I -S - <<'END'\n{text}END"
    call = prepared(built_in("run_shell"), folder, command=command)
    return await confined_runner(kind, folder.parent / "home").run(call)


EVIL = """
import os
from pathlib import Path
def program(path, marker):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\\ntouch {marker}\\ncat >/dev/null\\n")
    path.chmod(0o755)
def repository(path, settings=""):
    for name in ("objects", "refs/heads"):
        (path / name).mkdir(parents=True, exist_ok=True)
    (path / "HEAD").write_text("ref: refs/heads/main\\n")
    (path / "config").write_text("[core]\\n\\trepositoryformatversion = 0\\n" + settings)
"""


@both
@pytest.mark.anyio
@pytest.mark.security(88)
async def test_code_behind_ten_thousand_folders_does_not_run_at_the_next_status(
    kind: Kind, folder: Path
) -> None:
    marker = folder.parent / "marker"
    plant = f"""{EVIL}
for number in range(10_050):
    os.mkdir(f"a{{number}}")
program(Path("zz/evil"), {str(marker)!r})
repository(Path("zz/deep/.git"), "\\tfsmonitor = ../evil\\n")
"""
    outcome = await _run(kind, folder, plant)
    _git(folder / "zz" / "deep", "status")
    assert not marker.exists()
    assert outcome.status == "failed"
    assert "zz/deep/.git/config (now config.set-aside)" in outcome.text


def _halves(first: str, second: str) -> str:
    """Return a repository whose one half has HEAD, and the other the settings."""
    return f"""
repository(Path({second!r}), "\\tfsmonitor = ../evil\\n\\tbare = false\\n\\tworktree = ..\\n")
program(Path({second!r}).parent / "evil", MARKER)
Path({second!r}, "HEAD").unlink()
os.makedirs({first!r}, exist_ok=True)
Path({first!r}, "HEAD").write_text("ref: refs/heads/main\\n")
Path({first!r}, "commondir").write_text(os.path.relpath({second!r}, {first!r}) + "\\n")
"""


@both
@pytest.mark.anyio
@pytest.mark.security(90)
async def test_a_repository_in_two_halves_does_not_run_what_it_brings(
    kind: Kind, folder: Path
) -> None:
    halves = {"a/half": "a/other/half", "b/half/odd": "b/half", "c/half": "c/objects/x"}
    markers = {first: folder.parent / f"marker-{first[0]}" for first in halves}
    plants = [
        _halves(first, second).replace("MARKER", repr(str(markers[first])))
        for first, second in halves.items()
    ]
    outcome = await _run(kind, folder, "\n".join([EVIL, *plants]))
    for first in halves:
        _git(folder / first, "status")
    assert [first for first, marker in markers.items() if marker.exists()] == []
    assert outcome.status == "failed"
    assert [second for second in halves.values() if (folder / second / "config").exists()] == []


LED = {
    "hooks": ("core.hooksPath", "tools/hooks", "tools/hooks/post-commit"),
    "a program": ("core.fsmonitor", "tools/monitor --fast", "tools/monitor"),
    "an included file": ("include.path", "../tools/settings", "tools/settings"),
    "an alias": ("alias.st", "!tools/st", "tools/st"),
    "a filter": ("filter.x.clean", "tools/clean", "tools/clean"),
}


_PLANT = """
def plant(place, marker):
    path = Path(place)
    try:
        if path.name == "settings":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"[core]\\n\\tfsmonitor = touch '{marker}' #\\n")
        else:
            program(path, f"'{marker}'")
    except OSError as error:
        print(error)
"""


@both
@pytest.mark.anyio
@pytest.mark.security(89)
@pytest.mark.parametrize("depth", ["", "a/b/c/d/e/f"])
@pytest.mark.parametrize("was_there", [True, False])
async def test_files_named_by_repository_settings_are_protected_or_renamed(
    kind: Kind, folder: Path, depth: str, *, was_there: bool
) -> None:
    # A command that names nothing that is there is no place.
    names = list(LED) if was_there else ["hooks", "an included file"]
    top, markers = folder / depth, {name: folder.parent / f"marker of {name}" for name in names}
    top.mkdir(parents=True, exist_ok=True)
    _git(top, "init", "-q")
    (top / "notes").write_text("* filter=x\n")
    plants = [EVIL, _PLANT]
    for name in names:
        key, value, place = LED[name]
        _git(top, "config", key, value)
        if was_there:
            (top / place).parent.mkdir(parents=True, exist_ok=True)
            (top / place).write_text("[user]\n\tname = A\n" if "file" in name else "#!/bin/sh\n")
            (top / place).chmod(0o755)
        plants.append(f"plant({str(Path(depth, place))!r}, {str(markers[name])!r})")
    await _run(kind, folder, "\n".join(plants))
    _git(top, "st")
    (top / ".gitattributes").write_text("* filter=x\n")
    _git(top, "add", "notes")
    _git(top, "commit", "-q", "--allow-empty", "-m", "y")
    assert [name for name, marker in markers.items() if marker.exists()] == []


OBEYED = (
    *(".envrc", ".mcp.json", ".vscode/tasks.json", ".cursor/mcp.json", ".claude/settings.json"),
    *(".idea/workspace.xml", ".husky/pre-commit", ".zed/settings.json", ".hg/hgrc"),
    *(".jj/repo/config.toml", ".direnv/bin/python", ".CLAUDE/settings.json"),
    *(".helix/languages.toml", ".opencode/plugins/x.js", "opencode.json"),
)
ONCE_KNOWN = (".pre-commit-config.yaml", "lefthook.yml", "mise.toml")


@both
@pytest.mark.anyio
@pytest.mark.security(89)
@pytest.mark.parametrize("depth", ["", "a/b/c/d/e/f"])
@pytest.mark.parametrize("was_there", [True, False])
async def test_command_leaves_no_changed_or_new_file_that_programs_obey(
    kind: Kind, folder: Path, depth: str, *, was_there: bool
) -> None:
    names = (*OBEYED, *(ONCE_KNOWN if was_there else ()))
    places = [folder / depth / name for name in names]
    for place in places if was_there else ():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("mine")
    plant = f"""{EVIL}
for place in map(Path, {[str(place) for place in places]!r}):
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("evil")
    except OSError as error:
        print(error)
"""
    await _run(kind, folder, plant)
    evil = [place for place in places if place.exists() and place.read_text() != "mine"]
    assert not evil


@needs_bubblewrap
@pytest.mark.anyio
@pytest.mark.security(89)
async def test_obeyed_files_are_readable_and_not_writable_during_a_call(
    folder: Path,
) -> None:
    _git(folder, "config", "core.hooksPath", ".husky/_")
    for name in (".vscode/settings.json", "sub/.envrc", ".husky/_/h", "lefthook.yml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("mine")
    names = (".vscode/settings.json", ".vscode/new", "sub/.envrc", ".husky/_/h", "lefthook.yml")
    script = f"""
for name in {names!r}:
    try:
        open(name, "a").write("evil")
        print("wrote", name)
    except OSError as error:
        print(error.errno)
print(open(".vscode/settings.json").read())
"""
    outcome = await _run("bubblewrap", folder, script)
    assert outcome.status == "ok"
    assert outcome.text.split() == ["Exit", "code", "0.", *["30"] * len(names), "mine"]


@both
@pytest.mark.anyio
@pytest.mark.security(89)
@pytest.mark.parametrize("depth", ["", "a/b/c/d/e/f"])
async def test_new_files_that_configured_programs_obey_are_renamed(
    kind: Kind, folder: Path, depth: str
) -> None:
    set_up = {
        "lefthook.yml": "lefthook-local.yml",
        ".git/hooks/pre-commit": ".pre-commit-config.yaml",
        "mise.toml": ".mise.local.toml",
    }
    top = folder / depth
    for known in set_up:
        (top / known).parent.mkdir(parents=True, exist_ok=True)
        (top / known).write_text("mine")
    new = [str(Path(depth, name)) for name in set_up.values()]
    outcome = await _run(kind, folder, f"for name in {new!r}: open(name, 'w').write('evil')")
    assert outcome.status == "failed"
    assert [name for name in new if (folder / name).exists()] == []


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="not run here: no disk in memory")
@pytest.mark.security(88)
def test_write_through_a_memory_mapping_is_noticed_on_tmpfs(tmp_path: Path) -> None:
    bounds = Bounds(100, 60.0, must_suffice=True)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as place:
        folder = Path(place).resolve()
        config = folder / "a/b/c/d/e/f/.git/config"
        config.parent.mkdir(parents=True)
        config.write_text(f"[core]\n\tbare = false\n#{'x' * 100}\n")
        before = scan(folder, bounds, tmp_path)
        with config.open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
            mapped[:34] = b"[core]\n\tfsmonitor = touch marker #"
        assert "config.set-aside" in quarantine_new(folder, before, (), bounds, tmp_path)


@both
@pytest.mark.anyio
@pytest.mark.security(88)
async def test_names_that_are_taken_too_long_or_no_text_are_no_way_to_keep_it(
    kind: Kind, folder: Path
) -> None:
    plant = """
import os
from pathlib import Path
Path("sub/.vscode").mkdir(parents=True)
Path("sub/.vscode/tasks.json").write_text("evil")
Path("sub/.vscode.set-aside").mkdir()
for number in range(200):
    Path(f"sub/.vscode.{number}.set-aside").mkdir()
os.makedirs(b"odd\\xff\\x1b[2J")
with open(b"odd\\xff\\x1b[2J/.envrc", "w") as file:
    file.write("evil")
hooks = Path("new/.git/hooks")
hooks.mkdir(parents=True)
(hooks / ("x" * 250)).write_text("evil")
"""
    outcome = await _run(kind, folder, plant)
    assert outcome.status == "failed"
    assert "could not" not in outcome.text
    assert not _left(folder, ".envrc", "tasks.json", "x" * 250)


def _left(folder: Path, *names: str) -> list[Path]:
    """Return what has these names, and was not set aside."""
    found = (item for item in folder.rglob("*") if item.name in names and item.is_file())
    return [item for item in found if ".set-aside" not in str(item)]


@needs_bubblewrap
@pytest.mark.anyio
@pytest.mark.security(88)
async def test_a_call_takes_nothing_for_known_that_another_one_under_way_has_made(
    folder: Path,
) -> None:
    runner = confined_runner("bubblewrap", folder.parent / "home")
    wait = """
import os, time
def wait_for(name):
    while not os.path.exists(os.path.join(place, name)):
        time.sleep(0.02)
def move(source, target):
    top = os.path.join(place, "a/b/c/d/e/f/.git")
    os.rename(os.path.join(top, source), os.path.join(top, target))
"""
    plant = f"""{wait}
from pathlib import Path
hooks = Path(place, "a/b/c/d/e/f/.git/hooks")
hooks.mkdir(parents=True)
(hooks / "pre-push").write_text("evil")
tell("planted")
wait_for("seen")
move("hooks", "loose")
"""
    show = f"""{wait}
Path = __import__("pathlib").Path
Path(place, "seen").touch()
wait_for("go")
move("loose", "hooks")
"""
    planted = asyncio.Event()
    first = asyncio.create_task(
        runner.run(
            prepared(confined_tools.changes, folder, place=".", script=plant),
            on_progress=lambda _: planted.set(),
        )
    )
    await planted.wait()
    call = prepared(confined_tools.changes, folder, place=".", script=show)
    late = asyncio.create_task(runner.run(call))
    # In the first one's look it is not to be seen.
    assert (await first).status == "ok"
    (folder / "go").touch()
    assert "pre-push (now pre-push.set-aside)" in (await late).text


def test_a_folder_that_cannot_be_looked_through_is_reported(tmp_path: Path) -> None:
    bounds = Bounds(3, 60.0, must_suffice=True)
    before = scan(tmp_path, bounds, tmp_path)
    assert before.is_whole
    assert quarantine_new(tmp_path, before, (), bounds, tmp_path) == ""
    for number in range(9):
        (tmp_path / str(number)).mkdir()
    said = quarantine_new(tmp_path, before, (), bounds, tmp_path)
    assert said.startswith("There are more folders than can be looked through, so something ")
    enough = Bounds(10, 60.0, must_suffice=True)
    assert quarantine_new(tmp_path, before, (), enough, tmp_path) == ""


@pytest.mark.security(88)
def test_a_folder_whose_name_is_too_long_to_be_opened_is_no_hiding_place(tmp_path: Path) -> None:
    bounds = Bounds(1_000, 60.0, must_suffice=True)
    before = scan(tmp_path, bounds, tmp_path)
    top = os.open(tmp_path, os.O_RDONLY)
    for _ in range(40):
        os.mkdir("x" * 200, dir_fd=top)
        below = os.open("x" * 200, os.O_RDONLY, dir_fd=top)
        os.close(top)
        top = below
    os.close(top)
    assert quarantine_new(tmp_path, before, (), bounds, tmp_path)
    subprocess.run(["rm", "-rf", str(tmp_path / ("x" * 200))], check=True)


@pytest.mark.long
@pytest.mark.anyio
@needs_bubblewrap
@pytest.mark.security(88)
async def test_call_in_a_too_large_folder_is_announced_on_the_card_and_fails(
    folder: Path,
) -> None:
    for number in range(100_000):
        (folder / str(number)).mkdir()
    call = prepared(built_in("run_shell"), folder, command="touch new")
    assert any("too large to be looked through" in fact.value for fact in call.facts)
    outcome = await confined_runner("bubblewrap", folder.parent / "home").run(call)
    assert (outcome.status, (folder / "new").exists()) == ("failed", True)
    assert outcome.text.startswith("Error: There are more folders than can be looked through")
    quiet = prepared(built_in("run_shell"), folder / "0", command="touch new")
    assert not any("too large" in fact.value for fact in quiet.facts)


@both
@pytest.mark.anyio
@pytest.mark.security(89)
async def test_a_program_of_the_settings_that_is_not_there_yet_does_not_run_once_it_is_made(
    kind: Kind, folder: Path
) -> None:
    marker = folder.parent / "marker"
    _git(folder, "config", "core.fsmonitor", "tools/watch")
    outcome = await _run(kind, folder, f"{EVIL}\nprogram(Path('tools/watch'), {str(marker)!r})\n")
    _git(folder, "status")
    assert not marker.exists()
    assert "tools/watch (now watch.set-aside)" in outcome.text


@pytest.mark.anyio
@needs_landlock
@pytest.mark.security(89)
async def test_a_program_of_the_settings_does_not_run_when_one_call_removes_and_the_next_makes_it(
    folder: Path,
) -> None:
    marker = folder.parent / "marker"
    (folder / "tools").mkdir()
    (folder / "tools" / "watch").write_text("#!/bin/sh\n")
    _git(folder, "config", "core.fsmonitor", "tools/watch")
    await _run("landlock", folder, "import os\nos.rename('tools', 'old')\n")
    assert not (folder / "tools").exists()
    plant = f"{EVIL}\nprogram(Path('tools/watch'), {str(marker)!r})\n"
    outcome = await _run("landlock", folder, plant)
    _git(folder, "status")
    assert not marker.exists()
    assert "tools/watch (now watch.set-aside)" in outcome.text


@both
@pytest.mark.anyio
@pytest.mark.security(90)
async def test_a_repository_that_lay_unused_does_not_run_once_it_is_moved_to_where_git_looks(
    kind: Kind, folder: Path
) -> None:
    marker = folder.parent / "marker"
    unused = folder / "fixtures" / "sample"
    _git(folder, "init", "-q", "--bare", str(unused))
    _git(unused, "config", "core.bare", "false")
    _git(unused, "config", "core.fsmonitor", f"touch {marker}; false")
    plant = "import os\nos.mkdir('sub')\nos.rename('fixtures/sample', 'sub/.git')\n"
    outcome = await _run(kind, folder, plant)
    _git(folder / "sub", "status")
    assert not marker.exists()
    assert "sub/.git/config (now config.set-aside)" in outcome.text


@pytest.mark.security(90)
def test_a_project_that_is_moved_keeps_its_repository(folder: Path) -> None:
    bounds = Bounds(100, 10.0, must_suffice=True)
    project = folder / "project"
    project.mkdir()
    _git(project, "init", "-q")
    _git(project, "config", "core.pager", "less")
    before = scan(folder, bounds, folder.parent)
    project.rename(folder / "moved")
    assert not quarantine_new(folder, before, (), bounds, folder.parent)
    assert (folder / "moved" / ".git" / "config").exists()


@pytest.mark.parametrize(
    ("place", "content"),
    [
        ("sub/.git/config", f"[core]\n{' ' * 60_000}!\n"),
        ("sub/.git/config", f"[core]\nname = {' ' * 60_000}!\n"),
        ("sub/.git", f"gitdir: a{' ' * 250_000}b"),
    ],
)
def test_a_long_line_of_settings_takes_no_longer_than_its_length(
    tmp_path: Path, place: str, content: str
) -> None:
    bounds = Bounds(1_000, 60.0, must_suffice=True)
    before = scan(tmp_path, bounds, tmp_path)
    path = tmp_path / place
    path.parent.mkdir(parents=True)
    path.write_text(content)
    # Growing with the square of it, a single file would take longer.
    with within_own_time(10):
        quarantine_new(tmp_path, before, (), bounds, tmp_path)
    assert scan(tmp_path, bounds, tmp_path).is_whole


@both
@pytest.mark.anyio
@pytest.mark.security(89)
@pytest.mark.parametrize("around", ["scripts", "."])
async def test_a_script_that_a_hook_is_a_link_to_does_not_run_with_what_a_command_wrote(
    kind: Kind, folder: Path, around: str
) -> None:
    marker, script = folder.parent / "marker", folder / around / "pre-commit"
    script.parent.mkdir(exist_ok=True)
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    (folder / ".git/hooks/pre-commit").symlink_to(script)
    (folder / ".git/hooks/all").symlink_to("../..")
    plant = f"""{EVIL}
Path("free").touch()
program(Path({around!r}, "pre-commit"), {str(marker)!r})
"""
    outcome = await _run(kind, folder, plant)
    _git(folder, "commit", "-q", "--allow-empty", "-m", "y")
    assert not marker.exists()
    assert (folder / "free").exists(), outcome.text
