"""What a call leaves for other programs to obey, in repositories of its own making."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from local_tools.persistence.persistence_guard import Bounds, Snapshot, quarantine_new, scan
from tests.support.confined import Kind, confined_runner, linux_sandboxes
from tests.support.tool_calls import built_in, prepared

pytestmark = pytest.mark.security(23)


# A look at a folder ends when it is whole, however long that takes.
ENOUGH = Bounds(10_000, 60.0, must_suffice=True)


def _look(folder: Path, bounds: Bounds = ENOUGH) -> Snapshot:
    return scan(folder, bounds, folder.parent)


def _set_aside(
    folder: Path, before: Snapshot, kept: tuple[Path, ...] = (), bounds: Bounds = ENOUGH
) -> str:
    return quarantine_new(folder, before, kept, bounds, folder.parent)


PLANT = """
export GIT_CONFIG_GLOBAL=/dev/null
git init -q new
echo 'evil' > new/.git/hooks/post-checkout && chmod +x new/.git/hooks/post-checkout
git init -q plain && git -C plain config remote.origin.url https://example.org/a.git
mkdir -p a/b/c/d/e/f src/hooks && echo '{}' > a/b/c/d/e/f/.mcp.json && echo x > src/hooks/use.ts
"""


def _files(folder: Path) -> set[str]:
    found = (path for path in folder.rglob("*") if not path.is_dir())
    return {path.relative_to(folder).as_posix() for path in found if path.suffix != ".sample"}


@pytest.mark.anyio
@pytest.mark.parametrize("kind", linux_sandboxes)
async def test_a_hook_in_a_repository_that_a_call_makes_is_set_aside_and_the_call_fails(
    kind: Kind, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    call = prepared(built_in("run_shell"), folder, command=PLANT)
    outcome = await confined_runner(kind, tmp_path / "home").run(call)
    assert outcome.status == "failed"
    said = outcome.text.partition("\n")[0]
    assert said.startswith("Error: What other programs would obey was made, so it was set aside: ")
    assert "new/.git/hooks/post-checkout (now post-checkout.set-aside)" in said
    assert "a/b/c/d/e/f/.mcp.json (now .mcp.json.set-aside)" in said
    assert outcome.text.endswith("Exit code 0. No output.")
    files = _files(folder)
    # Nothing is lost, and what steers nobody stays as it was made.
    assert {"new/.git/hooks/post-checkout.set-aside", "plain/.git/config", "src/hooks/use.ts"} < (
        files
    )
    assert not files & {"new/.git/hooks/post-checkout", "a/b/c/d/e/f/.mcp.json"}


def _bare(folder: Path) -> Path:
    (folder / "objects").mkdir(parents=True)
    (folder / "refs").mkdir()
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


def _with_config(folder: Path, text: str) -> None:
    (_bare(folder) / "config").write_text(text)


PAGER = "[core]\n\tbare = false\n\tpager = evil\n"
CONTINUED = "[core]\n\tname = a \\\n\tpager\n"


@pytest.mark.parametrize(
    ("plant", "name"),
    [
        (lambda top: _with_config(top / "sub/.git", PAGER), "sub/.git/config"),
        (lambda top: _with_config(top / "sub/.git", CONTINUED), "sub/.git/config"),
        (lambda top: _with_config(top / "objects/lib.git", PAGER), "objects/lib.git/config"),
        (lambda top: (_bare(top / "sub/.git") / "commondir").write_text("../x"), None),
        (lambda top: (_bare(top / "sub/.git") / "config.worktree").write_text(PAGER), None),
        (lambda top: (_bare(top / "sub/.git") / "hooks").symlink_to("nowhere"), None),
        (lambda top: (_bare(top / "sub/.git") / "config").symlink_to("nowhere"), None),
        (lambda top: (top / ".git").write_text("gitdir: elsewhere"), ".git"),
        (lambda top: (top / ".git").symlink_to("elsewhere"), ".git"),
        (lambda top: (top / "kept" / ".mcp.json").symlink_to("x"), "kept/.mcp.json"),
        (lambda top: (top / "kept" / "loose").rename(_bare(top / ".git") / "hooks"), None),
    ],
)
def test_every_way_to_steer_other_programs_is_found(
    tmp_path: Path, plant: Callable[[Path], object], name: str | None
) -> None:
    (tmp_path / "kept" / "loose").mkdir(parents=True)
    (tmp_path / "kept" / "loose" / "pre-commit").write_text("evil")
    before = _look(tmp_path)
    plant(tmp_path)
    new = _files(tmp_path)
    said = _set_aside(tmp_path, before)
    assert said
    gone = new - _files(tmp_path)
    assert len(gone) == 1
    assert name is None or gone == {name}
    assert _set_aside(tmp_path, before) == ""


def test_existing_protected_and_empty_files_are_not_renamed(tmp_path: Path) -> None:
    for name in ("old", "moved", "held"):
        subprocess.run(["git", "init", "-q", name], cwd=tmp_path, check=True)
        _with_hook(tmp_path / name)
    before = _look(tmp_path)
    (tmp_path / "moved").rename(tmp_path / "moved-away")
    (tmp_path / "held" / ".git" / "config").write_text(PAGER)
    # Of other calls at the same time: empty ones that stand for what is not there.
    (tmp_path / ".mcp.json").touch()
    assert _set_aside(tmp_path, before, (tmp_path / "held" / ".git" / "config",)) == ""


def _with_hook(repository: Path) -> None:
    (repository / ".git" / "hooks" / "pre-push").write_text("mine")


def test_only_files_newer_than_the_scan_of_a_too_large_folder_are_renamed(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / ".mcp.json").write_text("mine")
    before = _look(tmp_path, Bounds(1, 60.0, must_suffice=False))
    assert (before.is_whole, before.found) == (False, {})
    shown = Bounds(10_000, 60.0, must_suffice=False)
    assert _set_aside(tmp_path, before, bounds=shown) == ""
    (tmp_path / "deep" / ".mcp.json.set-aside").write_text("taken")
    os.utime(tmp_path / "deep" / ".mcp.json")
    _await_later_marks(tmp_path, before.began_ns)
    (tmp_path / "deep" / ".mcp.json").write_text("evil")
    assert re.search(r"\(now \.mcp\.json\.[0-9a-f]{8}\.set-aside\)", _set_aside(tmp_path, before))


def _await_later_marks(folder: Path, began_ns: int) -> None:
    """Wait for a tick: the system's timestamps lag behind its clock."""
    probe = folder / "probe"
    probe.touch()
    while probe.stat().st_ctime_ns <= began_ns:
        probe.touch()
