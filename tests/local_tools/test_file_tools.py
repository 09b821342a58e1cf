"""Searching, editing, moving, deleting and taking notes, as the assistant asks for them."""

import os
from pathlib import Path

import pytest

from local_tools.builtin import search
from local_tools.builtin.ripgrep import Query, find_ripgrep
from local_tools.builtin.search import search_files
from local_tools.builtin.text_search import Finder, SearchOutcome, time_limit
from local_tools.canonical import freeze
from local_tools.context import Desktop, Progress, ToolContext
from local_tools.errors import ToolError, ToolTimeoutError
from local_tools.execution.call_runner import HostActions
from local_tools.execution.prepare import CallPlaces, PreparedCall, prepare
from local_tools.execution.tool_runner import ToolRunner
from local_tools.outcome import ToolOutcome
from local_tools.registry import ToolRegistry
from local_tools.tool import Fact, FactKind
from tests.support.targets import shown
from tests.support.tool_calls import built_in, prepared

pytestmark = pytest.mark.anyio

QUERIES = [
    Query("needle", is_regex=False, ignore_case=False),
    Query("NEEDLE", is_regex=False, ignore_case=True),
    Query("a.c", is_regex=False, ignore_case=False),
    Query("a.c", is_regex=True, ignore_case=False),
    Query("straße", is_regex=False, ignore_case=True),
    Query(r"^\w+$", is_regex=True, ignore_case=False),
    Query(r"\bneedle\b", is_regex=True, ignore_case=False),
    Query(r"(needle|pin)s?\s*=\s*\d{1,3}$", is_regex=True, ignore_case=True),
    Query(r"(?<=x)y", is_regex=True, ignore_case=False),
    Query(r"[^a-z]+$", is_regex=True, ignore_case=False),
    Query("-e", is_regex=False, ignore_case=False),
    Query("--pre=touch pwned", is_regex=False, ignore_case=False),
    Query("no such words", is_regex=False, ignore_case=False),
]


async def act(call: PreparedCall) -> ToolOutcome:
    """Run a call without the cost of a worker, which other tests show."""
    return await HostActions(ToolRegistry.built_in(), Desktop()).run(call)


async def run(name: str, folder: Path, /, **values: object) -> ToolOutcome:
    return await act(prepared(built_in(name), folder, **values))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a folder with all kinds of files in it."""
    files = {
        "a.txt": "one\nneedle\nA.C abc\n-e --pre=touch pwned\n",
        "b/c.py": "needles = 12\nx²\nxy\n",
        "b/d.log": "needle in a log\n",
        "b/.hidden": "needle hidden\n",
        ".git/config": "needle\n",
        "b/e/f.md": "STRASSE straße STRAẞE\nneedle\r\nK pins = 7\n",
        "build/out.txt": "needle built\n",
        ".gitignore": "*.log\n/build/\n[bad\n",
        "b/e/.gitignore": "!keep.log\n",
        "b/e/keep.log": "needle kept\n",
        "name\nwith break": "needle\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, newline="")
    (tmp_path / "b" / "binary").write_bytes(b"needle\0needle\n")
    (tmp_path / "b" / "latin").write_bytes("needle gr\u00fc\u00dfe\n".encode("latin-1"))
    with (tmp_path / "b" / "large").open("wb") as file:
        file.truncate(3 * 1024 * 1024)
    (tmp_path / "link").symlink_to("b")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


def _searched(
    tree: Path, query: Query, ripgrep: str | None, *, hidden: bool = False
) -> SearchOutcome:
    finder = Finder(query, "", include_hidden=hidden, max_lines=100)
    with shown(tree, ".") as target:
        return finder.in_folder(target, ToolContext(lambda _progress: None), ripgrep)


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.text)
def test_results_are_the_same_with_and_without_ripgrep(
    tree: Path, monkeypatch: pytest.MonkeyPatch, query: Query, hidden: bool
) -> None:
    program = find_ripgrep()
    if program is None:
        pytest.skip("ripgrep is not installed")
    monkeypatch.chdir(tree)  # Where a worker is.
    with_it = _searched(tree, query, program, hidden=hidden)
    assert with_it == _searched(tree, query, None, hidden=hidden)
    assert not (tree / "pwned").exists()


@pytest.mark.security(26)
def test_a_file_swapped_for_a_link_while_ripgrep_looks_shows_nothing(tmp_path: Path) -> None:
    root, secret, program = tmp_path / "root", tmp_path / "secret", tmp_path / "rg"
    root.mkdir()
    (root / "a").write_text("needle")
    secret.write_text("needle and the secret")
    program.write_text(f"#!/bin/sh\nln -sf {secret} {root}/a\nprintf './a\\0'\n")
    program.chmod(0o755)
    found = _searched(root, QUERIES[0], str(program))
    assert (root / "a").is_symlink()
    assert (found.lines, found.file_count, found.skipped_count) == ([], 0, 1)


async def test_search_leaves_out_what_it_says_it_leaves_out(tree: Path) -> None:
    call = prepared(built_in("search_files"), tree, query="needle", path=".")
    found = await ToolRunner().run(call)
    assert found.text.splitlines() == [
        f"5 lines in 7 files of {tree}. Left out, too large or out of reach: 1.",
        "a.txt:2: needle",
        "b/c.py:1: needles = 12",
        "b/e/f.md:2: needle",
        "b/e/keep.log:1: needle kept",
        '"name\\nwith break":1: needle',
    ]
    everything = await run("search_files", tree, query="needle", path=".", include_hidden=True)
    names = {line.partition(":")[0] for line in everything.text.splitlines()[1:]}
    assert {".git/config", "b/.hidden", "b/d.log", "build/out.txt"} < names
    assert not any(name.startswith("link") for name in names)


async def test_search_looks_at_named_files_or_at_one_only(tree: Path) -> None:
    named = await run("search_files", tree, query="needle", path="b", file_pattern="*.py")
    assert named.text == f"1 line in 1 file of {tree / 'b'}.\nc.py:1: needles = 12"
    one = await run("search_files", tree, query="one", path="a.txt")
    assert one.text == f"1 line in 1 file of {tree / 'a.txt'}.\na.txt:1: one"
    nothing = await run("search_files", tree, query="absent", path="a.txt")
    assert nothing.text == f"Nothing found in 1 file of {tree / 'a.txt'}."


async def test_search_bounds_lines_and_their_length(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(("x" * 5_000 + "needle" + "y" * 5_000 + "\n") * 5)
    found = await run("search_files", tmp_path, query="needle", path=".", max_lines=2)
    lines = found.text.splitlines()
    assert lines[0].endswith("There are more; these are the first.")
    assert len(lines) == 3
    assert "needle" in lines[1]
    assert len(lines[1]) < 450


@pytest.mark.parametrize("query", ["(", "[[a]]", "*", "a" + "{9}" * 2, "(?P<x>a)(?P<x>b)", "a\nb"])
async def test_a_query_that_is_no_regular_expression_is_reported(
    tmp_path: Path, query: str
) -> None:
    found = await run("search_files", tmp_path, query=query, path=".", is_regex=True)
    assert found.status == "failed"
    assert "regular expression" in found.text or "within one line" in found.text


@pytest.mark.security(19)
def test_a_regular_expression_that_never_ends_is_ended(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a" * 40 + "!\n")
    query = Query("^(a+)+$", is_regex=True, ignore_case=False)
    with (
        pytest.raises(ToolTimeoutError, match="took too long"),
        time_limit(0.1, "It took too long."),
    ):
        _searched(tmp_path, query, None)
    assert search_files.definition.timeout_s >= search._LIMIT_S


async def test_search_tells_how_far_it_has_come(tree: Path) -> None:
    told: list[Progress] = []
    call = prepared(built_in("search_files"), tree, query="needle", path=".")
    await ToolRunner().run(call, on_progress=told.append)
    assert told
    assert told[0].total == 7


def edits(folder: Path, old: str, new: str, **more: object) -> PreparedCall:
    return prepared(built_in("edit_file"), folder, path="a", old_text=old, new_text=new, **more)


async def test_edit_shows_the_change_and_makes_it(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one\r\ntwo\nthree\n", newline="")
    (tmp_path / "a").chmod(0o640)
    call = edits(tmp_path, "two\n", "2\n")
    assert call.preview is not None
    assert "-two\n+2\n" in call.preview.text
    outcome = await act(call)
    assert outcome.text == f"Changed {tmp_path / 'a'} in 1 place."
    assert (tmp_path / "a").read_bytes() == b"one\r\n2\nthree\n"
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


async def test_edit_changes_every_place_only_when_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x x x")
    with pytest.raises(ToolError, match="contains “x” 3 times"):
        edits(tmp_path, "x", "y")
    outcome = await act(edits(tmp_path, "x", "y", replace_all=True))
    assert outcome.text.endswith("in 3 places.")
    assert (tmp_path / "a").read_text() == "y y y"


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("gone", "x", "does not contain “gone”"),
        ("a  b", "x", "differs in blanks or line ends only"),
        ("one\ntwo", "x", "end with CR LF"),
        ("", "x", "is empty"),
        ("one", "one", "are the same"),
    ],
)
def test_an_edit_that_does_not_fit_is_told_before_it_is_asked(
    tmp_path: Path, old: str, new: str, part: str
) -> None:
    (tmp_path / "a").write_text("one\r\ntwo\r\na b\r\n", newline="")
    with pytest.raises(ToolError, match=part):
        edits(tmp_path, old, new)


async def test_a_file_that_changed_after_it_was_shown_is_not_edited(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one two")
    call = edits(tmp_path, "one", "1")
    (tmp_path / "a").write_text("one three")
    outcome = await act(call)
    assert "changed since it was shown" in outcome.text
    assert (tmp_path / "a").read_text() == "one three"


async def test_move_renames_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("text")
    (tmp_path / "sub").mkdir()
    call = prepared(built_in("move_file"), tmp_path, path="a", new_path="sub/b")
    assert call.facts[1:3] == (
        Fact("From", str(tmp_path / "a"), FactKind.PATH), Fact("To", str(tmp_path / "sub" / "b")),
    )  # fmt: skip
    outcome = await act(call)
    assert outcome.text == f"Moved {tmp_path / 'a'} to {tmp_path / 'sub' / 'b'}."
    moved = await run("move_file", tmp_path, path="sub", new_path="other")
    assert moved.status == "ok"
    assert (tmp_path / "other" / "b").read_text() == "text"


async def test_move_goes_into_a_folder_that_is_named_with_a_slash(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("text")
    (tmp_path / "sub").mkdir()
    call = prepared(built_in("move_file"), tmp_path, path="a", new_path="sub/")
    assert call.facts[1:] == (
        Fact("From", str(tmp_path / "a"), FactKind.PATH),
        Fact("To", str(tmp_path / "sub" / "a")),
        Fact("File", "does not exist yet", FactKind.REMARK),
        Fact("Requested path", "sub/"),
    )
    outcome = await act(call)
    assert outcome.text == f"Moved {tmp_path / 'a'} to {tmp_path / 'sub' / 'a'}."
    assert (tmp_path / "sub" / "a").read_text() == "text"
    # A folder that goes to where nothing is only gets another name.
    renamed = await run("move_file", tmp_path, path="sub/", new_path="other/")
    assert renamed.status == "ok"
    assert (tmp_path / "other" / "a").read_text() == "text"


@pytest.mark.parametrize(
    ("path", "new_path", "part"),
    [
        ("gone", "b", "There is nothing at"),
        ("a", "sub", "There is something at"),
        ("a", "no/b", "There is no folder"),
        ("a", "no/", "There is no folder .*no to hold a"),
        ("a", "no/.", "There is no folder .*no to hold a"),
        ("a", "./", "There is something at"),
        ("sub", "sub/", "cannot be moved into itself"),
        ("sub", "sub/in", "cannot be moved into itself"),
        (".", "b", "the folder that is worked in"),
        ("a", "/tmp", "must lie in one folder"),
    ],
)
def test_a_move_that_cannot_be_is_told_before_it_is_asked(
    tmp_path: Path, path: str, new_path: str, part: str
) -> None:
    (tmp_path / "a").write_text("text")
    (tmp_path / "sub").mkdir()
    with pytest.raises(ToolError, match=part):
        prepared(built_in("move_file"), tmp_path, path=path, new_path=new_path)


async def test_a_move_never_replaces_what_appeared_since(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("mine")
    call = prepared(built_in("move_file"), tmp_path, path="a", new_path="b")
    (tmp_path / "b").write_text("somebody else's")
    outcome = await act(call)
    assert (
        outcome.text == f"Error: {tmp_path / 'b'} changed since it was shown, so nothing was done."
    )
    assert ((tmp_path / "a").read_text(), (tmp_path / "b").read_text()) == (
        "mine", "somebody else's",
    )  # fmt: skip


@pytest.fixture
def trash(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty trash on the disk of the tests."""
    data = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    return data / "Trash"


async def test_delete_puts_a_file_into_the_trash_with_where_it_came_from(
    tmp_path: Path, trash: Path
) -> None:
    for text in ("first", "second"):
        (tmp_path / "my notes.md").write_text(text)
        outcome = await act(prepared(built_in("delete_file"), tmp_path, path="my notes.md"))
        assert outcome.text == f"Put {tmp_path / 'my notes.md'} into the trash."
        assert not (tmp_path / "my notes.md").exists()
    assert (trash / "files" / "my notes.md").read_text() == "first"
    assert (trash / "files" / "my notes.2.md").read_text() == "second"
    info = (trash / "info" / "my notes.md.trashinfo").read_text().splitlines()
    assert info[0] == "[Trash Info]"
    assert info[1].endswith("/my%20notes.md")
    assert info[2].startswith("DeletionDate=2")


async def test_delete_shows_what_is_in_a_folder(tmp_path: Path, trash: Path) -> None:
    (tmp_path / "sub" / "deep").mkdir(parents=True)
    (tmp_path / "sub" / "a").write_text("text")
    call = prepared(built_in("delete_file"), tmp_path, path="sub")
    assert call.preview is not None
    assert call.preview.text == f"{tmp_path / 'sub'}/\n  a  4 bytes\n  deep/"
    assert (await act(call)).status == "ok"
    assert (trash / "files" / "sub" / "deep").is_dir()


async def test_only_what_was_shown_goes_into_the_trash(tmp_path: Path, trash: Path) -> None:
    (tmp_path / "a").write_text("old")
    call = prepared(built_in("delete_file"), tmp_path, path="a")
    (tmp_path / "a").write_text("new and precious")
    assert "changed since it was shown" in (await act(call)).text
    assert (tmp_path / "a").read_text() == "new and precious"
    assert not any((trash / "info").iterdir() if (trash / "info").exists() else ())


async def test_the_worker_refuses_host_actions(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("text")
    outcome = await ToolRunner().run(prepared(built_in("delete_file"), tmp_path, path="a"))
    assert outcome.text == "Error: delete_file is done by Parley itself, not by a worker."
    assert (tmp_path / "a").exists()


def notes(text: str, notes_file: Path | None) -> PreparedCall:
    given = freeze({"text": text})
    assert ToolRegistry.built_in().validate("take_note", given) == ()
    return prepare(built_in("take_note"), given, CallPlaces(notes_file=notes_file))


async def test_a_note_is_added_to_the_file_that_was_picked(tmp_path: Path) -> None:
    place = tmp_path / "notes.md"
    assert (await act(notes("First.\n", place))).status == "ok"
    call = notes("Second.", place)
    assert Fact("Path", str(place), FactKind.PATH) in call.facts
    assert call.preview is not None
    assert "+Second." in call.preview.text
    assert (await act(call)).text == f"Added a note to {place}."
    assert place.read_text() == "First.\n\nSecond.\n"


def test_without_a_notes_file_it_is_said_that_one_must_be_picked(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="No notes file is chosen yet"):
        notes("x", None)
    with pytest.raises(ToolError, match="is a folder"):
        notes("x", tmp_path)
    with pytest.raises(ToolError, match="The note is empty"):
        notes("\n", tmp_path / "n")
