"""Which places no tool may read or change, by every name that they have."""

from pathlib import Path

import pytest

from local_tools.sandbox.protected_paths import protected_paths

pytestmark = pytest.mark.security(23)


def test_a_place_is_kept_and_hidden_by_every_name_that_it_has(tmp_path: Path) -> None:
    home, dotfiles = tmp_path / "home", tmp_path / "dotfiles"
    (dotfiles / "config" / "autostart").mkdir(parents=True)
    (dotfiles / "keys").mkdir()
    (dotfiles / "bashrc").touch()
    home.mkdir()
    (home / ".bashrc").symlink_to(dotfiles / "bashrc")
    (home / ".config").symlink_to(dotfiles / "config")
    (home / ".ssh").symlink_to(dotfiles / "keys")
    places = protected_paths(home)

    kept = {place.path for place in places.kept_in(dotfiles)}
    hidden = {place.path for place in places.hidden_in(dotfiles)}
    assert {dotfiles / "bashrc", dotfiles / "config" / "autostart", dotfiles / ".git"} <= kept
    assert dotfiles / "keys" in hidden
    for path in (home / ".bashrc", dotfiles / "bashrc", dotfiles / "config/autostart/a.desktop"):
        assert places.keeps(path)
        assert not places.hides(path)
    assert places.hides(dotfiles / "keys" / "id")
    assert places.hides(home / ".ssh" / "id")


@pytest.mark.parametrize(
    ("name", "is_kept"),
    [
        (".git/config", True),
        (".git/hooks/pre-commit", True),
        ("deep/down/.git/modules/a/config", True),
        ("sub/.git", True),
        ("sub/.mcp.json", True),
        (".vscode", True),
        ("sub/.vscode/settings.json", True),
        (".CURSOR/mcp.json", True),
        ("sub/.envrc", True),
        (".hg/hgrc", True),
        (".hg/dirstate", False),
        (".jj/config.toml", True),
        (".claude/settings.json", True),
        (".claude/worktrees/x/notes.md", False),
        (".claude/worktrees/x/.vscode/tasks.json", True),
        ("lefthook.yml", False),
        (".git/index", False),
        ("git/config", False),
        ("notes.md", False),
    ],
)
def test_files_obeyed_by_other_programs_are_protected_in_any_folder(
    tmp_path: Path, name: str, *, is_kept: bool
) -> None:
    assert protected_paths(tmp_path / "home").keeps(tmp_path / "work" / name) is is_kept


def test_repositories_below_a_folder_are_found_and_those_behind_links_are_not(
    tmp_path: Path,
) -> None:
    for name in ("a/b/c/.git", "node_modules/x/.git", "elsewhere/.git"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "worktree").mkdir()
    (tmp_path / "worktree" / ".git").write_text("gitdir: ../a/b/c/.git/worktrees/w")
    (tmp_path / "a" / "link").symlink_to(tmp_path / "elsewhere")
    kept = {place.path for place in protected_paths(tmp_path / "home").kept_in(tmp_path)}
    names = {str(path.relative_to(tmp_path)) for path in kept if ".git" in path.parts}
    assert {"a/b/c/.git/hooks", "a/b/c/.git/config", "worktree/.git", ".git"} <= names
    assert not any("node_modules" in name or "link" in name for name in names)
