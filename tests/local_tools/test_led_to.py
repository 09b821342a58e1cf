"""What settings and links of a repository lead to, however they name it, and what Git does then."""

import getpass
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from local_tools.persistence.persistence_guard import Bounds, quarantine_new, scan

# A look ends when it is whole, however long that takes.
ENOUGH = Bounds(10_000, 60.0, must_suffice=True)


@dataclass(frozen=True)
class Place:
    """A home with a project of the user in it."""

    home: Path

    @property
    def top(self) -> Path:
        return self.home / "project"

    @property
    def marker(self) -> Path:
        return self.home / "marker"

    def git(self, *arguments: str, folder: Path | None = None) -> None:
        """Run Git as the user does, outside of any sandbox."""
        passed = ("PATH", "XDG_CONFIG_HOME", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL")
        roles = ("AUTHOR", "COMMITTER")
        who = {f"GIT_{role}_{key}": "a@b" for role in roles for key in ("NAME", "EMAIL")}
        variables = {name: os.environ[name] for name in passed if name in os.environ}
        subprocess.run(
            ["git", *arguments],
            cwd=folder or self.top,
            env={**variables, **who, "HOME": str(self.home), "GIT_EDITOR": "true"},
            check=False,
            capture_output=True,
            timeout=30,
        )

    def settings(self, text: str) -> None:
        """Add to the settings of the project."""
        with (self.top / ".git" / "config").open("a") as file:
            file.write(text)

    def program(self, path: Path, *, is_evil: bool = False) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/sh\n{'touch ' + str(self.marker) if is_evil else 'exit'}\n")
        path.chmod(0o755)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path.resolve())
    made.top.mkdir()
    made.git("init", "-q", "-b", "main")
    made.git("commit", "-q", "--allow-empty", "-m", "x")
    return made


def _said_of(place: Place, plant: Callable[[], object], root: Path | None = None) -> str:
    before = scan(root or place.top, ENOUGH, place.home)
    assert before.is_whole
    plant()
    place.marker.unlink(missing_ok=True)
    return quarantine_new(root or place.top, before, (), ENOUGH, place.home)


HOOKS_IN = "[core]\n\thooksPath = {}\n"


@pytest.mark.security(89)
@pytest.mark.parametrize(
    ("settings", "hooks"),
    [
        ("[core]\n# C:\\folder\\\n\thooksPath = hk\n", "hk"),
        ('[core]\n\thooksPath = "h\x0ck"\n', "h\x0ck"),
        ("[core]\n\thooksPath = h\\tk\n", "h\tk"),
        ('[core]\n\thooksPath = "h" ; a comment\n', "h"),
        ('[alias "]"] x = y\n[core] hooksPath = hk\n', "hk"),
        ('[core "]"] x = y\n[core]\n\thooksPath = h\\\nk\n', "hk"),
        (f"[core]\n#{'x' * 300_000}\n\thooksPath = hk\n", "hk"),
        (HOOKS_IN.format("{top}"), "."),
        (HOOKS_IN.format("link/../hk"), "deep/hk"),
        (HOOKS_IN.format("{tilde}/hk"), "hk"),
        ("[alias]\n" + "\ta = ./p\n\tb = !./q{n}\n" * 300 + HOOKS_IN.format("hk"), "hk"),
        ("".join(f"[include]\n\tpath = ../i{i}\n" for i in range(41)) + "\tpath=../in\n", "hk"),
    ],
)
def test_settings_lead_to_their_hooks_however_they_are_written(
    place: Place, settings: str, hooks: str
) -> None:
    (place.top / "deep" / "er").mkdir(parents=True)
    (place.top / "link").symlink_to("deep/er")
    (place.top / "in").write_text(HOOKS_IN.format("hk"))
    user = getpass.getuser()
    tilde = f"~{user}/" + os.path.relpath(place.top, Path(f"~{user}").expanduser())
    place.settings(settings.replace("{top}", str(place.top)).replace("{tilde}", tilde))
    hook = place.top / hooks / "pre-commit"
    said = _said_of(place, lambda: place.program(hook, is_evil=True))
    place.git("commit", "--allow-empty", "-m", "y")
    assert not place.marker.exists()
    assert "pre-commit (now pre-commit.set-aside)" in said


@pytest.mark.security(89)
def test_settings_that_begin_with_a_byte_order_mark_count(place: Place) -> None:
    config = place.top / ".git" / "config"
    config.write_text("\ufeff" + HOOKS_IN.format("hk") + config.read_text())
    _said_of(place, lambda: place.program(place.top / "hk" / "pre-commit", is_evil=True))
    place.git("commit", "--allow-empty", "-m", "y")
    assert not place.marker.exists()


@pytest.mark.security(89)
@pytest.mark.parametrize("where", ["XDG_CONFIG_HOME", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL"])
def test_settings_for_all_repositories_count_wherever_they_lie(
    place: Place, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = place.home / "elsewhere" / "git" / "config"
    file.parent.mkdir(parents=True)
    file.write_text(HOOKS_IN.format("hk"))
    monkeypatch.setenv(where, str(file.parents[1] if "XDG" in where else file))
    _said_of(place, lambda: place.program(place.top / "hk" / "pre-commit", is_evil=True))
    place.git("commit", "--allow-empty", "-m", "y")
    assert not place.marker.exists()


@pytest.mark.security(89)
def test_a_template_of_repositories_gets_no_hook(place: Place) -> None:
    (place.home / ".gitconfig").write_text("[init]\n\ttemplateDir = ~/project/template\n")
    (place.top / "template").mkdir()
    hook = place.top / "template" / "hooks" / "post-checkout"
    _said_of(place, lambda: place.program(hook, is_evil=True))
    place.git("clone", "-q", str(place.top), "cloned", folder=place.home)
    assert (place.home / "cloned" / ".git").exists()
    assert not place.marker.exists()


@pytest.mark.security(89)
@pytest.mark.parametrize(
    ("key", "value", "program"),
    [
        ("core.fsmonitor", '"$(git rev-parse --show-toplevel)/tools/w"', "tools/w"),
        ("core.fsmonitor", "$PWD/tools/w", "tools/w"),
        ("core.fsmonitor", "${HOME}/project/tools/w", "tools/w"),
        ("core.fsmonitor", "'tools/my w'", "tools/my w"),
        ("core.fsmonitor", "tools/my\\ w", "tools/my w"),
        ("gpg.program", "tools/my gpg", "tools/my gpg"),
        ("remote.origin.url", "ext::tools/w %S", "tools/w"),
        ("url.ext::tools/w .insteadOf", "https://example.org/", "tools/w"),
    ],
)
@pytest.mark.parametrize("was_there", [True, False])
def test_settings_lead_to_their_programs_however_they_name_them(
    place: Place, key: str, value: str, program: str, *, was_there: bool
) -> None:
    (place.home / ".gitconfig").write_text('[protocol "ext"]\n\tallow = always\n')
    place.git("config", "remote.origin.url", "https://example.org/x")
    place.git("config", key, value)
    if was_there:
        place.program(place.top / program)
    _said_of(place, lambda: place.program(place.top / program, is_evil=True))
    place.git("status")
    place.git("commit", "-S", "--allow-empty", "-m", "y")
    place.git("fetch", "origin")
    assert not place.marker.exists()


@pytest.mark.security(89)
def test_hooks_lie_in_the_work_tree_that_the_settings_name(place: Place) -> None:
    meta, work = place.top / "meta", place.top / "work"
    for folder in (meta, work):
        folder.mkdir()
    place.git("init", "-q", folder=meta)
    place.git("config", "core.worktree", "../../work", folder=meta)
    place.git("config", "core.hooksPath", "hk", folder=meta)
    _said_of(place, lambda: place.program(work / "hk" / "pre-commit", is_evil=True))
    place.git("commit", "--allow-empty", "-m", "y", folder=meta)
    assert not place.marker.exists()


@pytest.mark.security(89)
def test_an_empty_repository_in_between_hides_no_settings_from_the_look(place: Place) -> None:
    (place.top / "sub" / ".git").mkdir(parents=True)
    place.git("config", "core.hooksPath", "sub/hk")
    hook = place.top / "sub" / "hk" / "pre-commit"
    _said_of(place, lambda: place.program(hook, is_evil=True), place.top / "sub")
    place.git("commit", "--allow-empty", "-m", "y", folder=place.top / "sub")
    assert not place.marker.exists()


def _swapped(link: Path, target: str) -> None:
    if link.is_symlink():
        link.unlink()
    else:
        link.rename(link.with_name("old"))
    link.symlink_to(target)


@pytest.mark.security(89)
@pytest.mark.parametrize("is_replaced", [True, False])
@pytest.mark.parametrize("is_one_hook", [True, False])
def test_target_of_a_link_in_the_hooks_folder_is_a_hook(
    place: Place, *, is_replaced: bool, is_one_hook: bool
) -> None:
    hook, hooks = place.top / "scripts" / "pre-commit", place.top / ".git" / "hooks"
    place.program(hook)
    if is_one_hook:
        (hooks / "pre-commit").symlink_to("../../scripts/pre-commit")
    else:
        shutil.rmtree(hooks)
        hooks.symlink_to("../scripts")

    def plant() -> None:
        if is_replaced:
            hook.unlink()
        hook.write_text(f"#!/bin/sh\ntouch {place.marker}\n")
        hook.chmod(0o755)

    _said_of(place, plant)
    place.git("commit", "--allow-empty", "-m", "y")
    assert not place.marker.exists()


@pytest.mark.security(89)
@pytest.mark.parametrize("swapped", ["tools", "tools/hk"])
@pytest.mark.parametrize("was_link", [True, False])
def test_a_new_link_on_the_way_to_the_hooks_is_set_aside_and_not_followed(
    place: Place, swapped: str, *, was_link: bool
) -> None:
    place.git("config", "core.hooksPath", "tools/hk")
    link, first, second = (place.top / name for name in (swapped, "first", "second"))
    inside = "hk" if swapped == "tools" else "."
    place.program(first / inside / "pre-commit")
    # Of the user's own, which is no hook of theirs.
    place.program(second / inside / "pre-commit", is_evil=True)
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(first)
    if not was_link:
        link.unlink()
        first.rename(link)
    said = _said_of(place, lambda: _swapped(link, str(second)))
    place.git("commit", "--allow-empty", "-m", "y")
    assert not place.marker.exists()
    assert f"{swapped} (now {link.name}.set-aside)" in said
    assert (second / inside / "pre-commit").exists()


@pytest.mark.security(89)
def test_text_for_assistants_stays_text_where_a_link_leads_to_it(place: Place) -> None:
    (place.top / ".claude").mkdir()
    (place.top / "AGENTS.md").write_text("mine")
    (place.top / ".claude" / "CLAUDE.md").symlink_to("../AGENTS.md")
    (place.top / ".claude" / "all").symlink_to("..")
    assert not _said_of(place, lambda: (place.top / "AGENTS.md").write_text("new"))


@pytest.mark.security(89)
@pytest.mark.parametrize("step", ["exec touch {}", "x touch {}", "  exec  touch {}"])
def test_a_rebase_that_has_stopped_runs_nothing_that_a_call_added(place: Place, step: str) -> None:
    _stop_in_a_rebase(place)
    todo = place.top / ".git" / "rebase-merge" / "git-rebase-todo"
    text = step.format(place.marker) + "\n" + todo.read_text()
    said = _said_of(place, lambda: todo.write_text(text))
    place.git("rebase", "--continue")
    assert not place.marker.exists()
    assert "git-rebase-todo (now git-rebase-todo.set-aside)" in said


@pytest.mark.security(89)
def test_a_call_may_change_the_order_of_the_steps_of_a_rebase(place: Place) -> None:
    _stop_in_a_rebase(place)
    todo = place.top / ".git" / "rebase-merge" / "git-rebase-todo"
    said = _said_of(place, lambda: todo.write_text(f"{todo.read_text()}noop\n# exec x\n"))
    assert not said


def _stop_in_a_rebase(place: Place) -> None:
    file = place.top / "file"
    for text in ("one", "two"):
        file.write_text(text)
        place.git("add", "file")
        place.git("commit", "-q", "-m", text)
    place.git("checkout", "-q", "-b", "topic", "HEAD~1")
    file.write_text("three")
    place.git("commit", "-q", "-a", "-m", "three")
    place.git("commit", "-q", "--allow-empty", "-m", "four")
    place.git("rebase", "main")
    file.write_text("both")
    place.git("add", "file")


@pytest.mark.security(90)
@pytest.mark.parametrize("name", [".git", ".vscode"])
def test_files_of_a_dependency_moved_to_an_obeyed_place_are_renamed(
    place: Place, name: str
) -> None:
    brought = place.top / "node_modules" / "x"
    brought.mkdir(parents=True)
    place.git("init", "-q", folder=brought)
    place.git("config", "core.fsmonitor", f"touch {place.marker}; false", folder=brought)
    (brought / ".vscode").mkdir()
    (brought / ".vscode" / "tasks.json").write_text("evil")
    sub = place.top / "sub"
    sub.mkdir()
    said = _said_of(place, lambda: (brought / name).rename(sub / name))
    place.git("status", folder=sub)
    assert not place.marker.exists()
    assert said
    assert not (sub / ".vscode").exists()


@pytest.mark.security(89)
@pytest.mark.parametrize("name", [".v\u017fcode/tasks.json", ".g\u200cit/hooks/pre-commit"])
def test_a_name_that_some_disks_find_under_another_one_is_set_aside(
    place: Place, name: str
) -> None:
    def plant() -> None:
        (place.top / "sub" / name).parent.mkdir(parents=True)
        (place.top / "sub" / name).write_text("evil")

    assert _said_of(place, plant)
    assert not (place.top / "sub" / name).exists()


@pytest.mark.security(88)
@pytest.mark.parametrize(
    "settings",
    [
        f"[core]\n#{'x' * 1024 * 1024}\n",
        "[alias]\n" + "".join(f"\ta{n} = !./p{n}\n" for n in range(6_000)),
        "[alias]\n\tx = " + " ".join(map(str, range(21_000))),
        "[include]\n" + "".join(f"\tpath = ../i{n}\n" for n in range(101)),
    ],
)
def test_more_settings_than_are_read_make_the_look_incomplete(place: Place, settings: str) -> None:
    place.settings(settings)
    before = scan(place.top, ENOUGH, place.home)
    assert not before.is_whole
    said = quarantine_new(place.top, before, (), ENOUGH, place.home)
    assert said.startswith("There ")


@pytest.mark.security(88)
@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".git/config", "[core]\nurl = " + " " * 65_000 + '"'),
        (".git/config", "\n".join([" " * 6_500 + '"'] * 9)),
        (".git", "gitdir: a" + " " * 250_000 + "\0\nb"),
        (".git/config", '[core]\na = "' * 5_000),
    ],
)
def test_no_text_that_a_call_leaves_holds_the_look_up(place: Place, name: str, text: str) -> None:
    def plant() -> None:
        (place.top / "sub" / name).parent.mkdir(parents=True)
        (place.top / "sub" / name).write_text(text)

    assert _said_of(place, plant)


@pytest.mark.security(88)
def test_many_new_files_that_are_nothing_odd_do_not_hold_the_look_up(place: Place) -> None:
    def plant(start: str) -> None:
        for number in range(2_000):
            (place.top / f"{start}{number}").mkdir()
            (place.top / f"{start}{number}" / "mise.toml").write_text("x")

    plant("a")
    assert not _said_of(place, lambda: plant("b"))


@pytest.mark.security(89)
@pytest.mark.parametrize(
    ("settings", "led_to"),
    [
        ("[hooks]\nprecommit.x = tools/x --fast\n", "tools/x"),
        ("[hooks]\nprecommit.x =\n  python:tools/x.py:run\n", "tools/x.py"),
        ("[extensions]\nx = tools/x.py\n", "tools/x.py"),
        ("%include ../tools/more\n", "tools/more"),
        ("[alias]\nx = !$HG root; ${PWD}/tools/x\n", "tools/x"),
    ],
)
@pytest.mark.parametrize("was_there", [True, False])
def test_settings_of_mercurial_lead_to_programs_too(
    place: Place, settings: str, led_to: str, *, was_there: bool
) -> None:
    (place.top / ".hg").mkdir()
    (place.top / ".hg" / "hgrc").write_text(settings)
    path = place.top / led_to
    if was_there:
        place.program(path)
    said = _said_of(place, lambda: place.program(path, is_evil=True))
    assert f"{led_to} (now {path.name}.set-aside)" in said
    assert not path.exists()
