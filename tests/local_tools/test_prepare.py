"""What the card shows is found out by the program and is what runs."""

import sys
from pathlib import Path
from typing import Annotated

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from local_tools.canonical import freeze, parse_text
from local_tools.command_lines import command_text, resolve_program
from local_tools.diff import change_text, shown_new_text
from local_tools.errors import ToolError
from local_tools.execution.prepare import CallPlaces, PreparedCall, prepare
from local_tools.execution.worker_request import WorkerRequest
from local_tools.sandbox.protected_paths import protected_paths
from local_tools.tool import IN_PREVIEW, Fact, FactKind, Input, Preview, tool
from tests.support.tool_calls import built_in, prepared


def facts(call: PreparedCall) -> list[tuple[str, str]]:
    return [(fact.label, fact.value) for fact in call.facts]


def test_a_read_shows_the_resolved_path(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    call = prepared(built_in("read_file"), tmp_path, path="./a.txt")
    assert facts(call) == [
        ("Tool", "read_file"), ("Path", str(tmp_path / "a.txt")), ("Requested path", "./a.txt"),
    ]  # fmt: skip
    assert call.is_inside_folder
    assert call.preview is None
    assert call.title == "Read file"


def test_a_place_outside_the_folder_is_marked(tmp_path: Path) -> None:
    (tmp_path / "chat").mkdir()
    (tmp_path / "a.txt").write_text("text")
    call = prepared(built_in("read_file"), tmp_path / "chat", tmp_path, path="~/a.txt")
    assert Fact("Location", "outside this chat’s folder", FactKind.REMARK) in call.facts
    assert not call.is_inside_folder


def test_a_place_is_marked_where_no_folder_is_chosen(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    call = prepared(built_in("read_file"), None, tmp_path, path="~/a.txt")
    assert Fact("Location", "no folder is chosen for this chat", FactKind.REMARK) in call.facts
    assert not call.is_inside_folder
    assert not call.has_folder


def test_a_place_for_secrets_is_refused_by_the_name_that_its_link_leads_to(tmp_path: Path) -> None:
    home, keys = tmp_path / "home", tmp_path / "chat" / "keys"
    keys.mkdir(parents=True)
    home.mkdir()
    (home / ".ssh").symlink_to(keys)
    (keys / "id_rsa").write_text("key")
    places = CallPlaces(tmp_path / "chat", home, protected=protected_paths(home))
    with pytest.raises(ToolError, match="a place where secrets are kept"):
        prepare(built_in("read_file"), freeze({"path": "keys/id_rsa"}), places)


def test_without_a_folder_a_relative_path_and_a_command_cannot_be_asked() -> None:
    with pytest.raises(ToolError, match="No folder is chosen for this chat"):
        prepared(built_in("read_file"), None, path="a.txt")
    with pytest.raises(ToolError, match="No folder is chosen for this chat"):
        prepared(built_in("run_command"), None, argv=["ls"])


def test_a_write_shows_what_changes(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one\ntwo\nthree\n")
    call = prepared(built_in("write_file"), tmp_path, path="a", content="one\n2\nthree\n")
    assert call.preview is not None
    assert call.preview.kind == "diff"
    assert call.preview.text == "@@ lines 1–3 @@\n one\n-two\n+2\n three"
    assert facts(call) == [("Tool", "write_file"), ("Path", str(tmp_path / "a"))]


def test_a_new_file_is_shown_whole(tmp_path: Path) -> None:
    call = prepared(built_in("write_file"), tmp_path, path="a", content="one\ntwo\n")
    assert call.preview is not None
    assert call.preview.text == "@@ lines 1–2 @@\n+one\n+two"
    assert Fact("File", "does not exist yet", FactKind.REMARK) in call.facts


@pytest.mark.parametrize("content", ["x\n" * 2_001, "x" * 200_000 + "\n" + "y" * 62_000])
def test_a_change_too_large_to_show_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "a").write_text("z" * 10_000)
    with pytest.raises(ToolError, match="too large to show"):
        prepared(built_in("write_file"), tmp_path, path="a", content=content)


def test_writing_over_something_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "b").mkdir()
    with pytest.raises(ToolError, match="not a text file"):
        prepared(built_in("write_file"), tmp_path, path="a", content="x")
    with pytest.raises(ToolError, match="is a folder"):
        prepared(built_in("write_file"), tmp_path, path="b", content="x")


@pytest.mark.parametrize("path", ["new/", "new/.", "a/"])
def test_no_file_is_written_where_a_folder_is_meant(tmp_path: Path, path: str) -> None:
    (tmp_path / "a").write_text("text")
    with pytest.raises(ToolError, match="/ is a folder's path; write the file's, name included"):
        prepared(built_in("write_file"), tmp_path, path=path, content="x")


def test_a_command_shows_the_program_that_would_run(tmp_path: Path) -> None:
    planted = tmp_path / "ls"
    planted.write_text("#!/bin/sh\n")
    planted.chmod(0o755)
    call = prepared(built_in("run_command"), tmp_path, argv=["ls", "a b", "$HOME"])
    program = call.order.commands[0].argv[0]
    assert program in ("/usr/bin/ls", "/bin/ls")
    sha256 = call.order.commands[0].expected.sha256 or ""
    assert facts(call) == [
        ("Tool", "run_command"),
        ("Command", f"{program} 'a b' '$HOME'"),
        ("Program file", f"root, SHA-256 {sha256[:16]}…"),
        ("Folder", str(tmp_path)),
        ("Time limit in seconds", "60"),
    ]


def test_a_program_in_the_folder_is_named_by_its_path_only(tmp_path: Path) -> None:
    planted = tmp_path / "mine"
    planted.write_text("#!/bin/sh\n")
    with pytest.raises(ToolError, match="not a program that can be run"):
        resolve_program("./mine", tmp_path)
    planted.chmod(0o755)
    assert resolve_program("./mine", tmp_path) == str(tmp_path / "mine")
    with pytest.raises(ToolError, match="There is no program “mine”"):
        resolve_program("mine", tmp_path)
    with pytest.raises(ToolError, match=r"“\.\.”"):
        resolve_program("../mine", tmp_path)


def test_a_link_to_a_program_shows_the_program_itself(tmp_path: Path) -> None:
    (tmp_path / "build").symlink_to(sys.executable)
    call = prepared(built_in("run_command"), tmp_path, argv=["./build", "x"])
    assert Fact("Requested program", "./build") in call.facts
    assert Fact("Command", f"{tmp_path / 'build'} x", FactKind.COMMAND) in call.facts
    assert Fact("Program", str(Path(sys.executable).resolve())) in call.facts


def test_an_argument_with_a_nul_character_cannot_be_asked(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="The command contains a NUL character"):
        prepared(built_in("run_command"), tmp_path, argv=["ls", "a\0b"])


def test_command_text_is_unambiguous() -> None:
    assert command_text(["a", "b c"]) != command_text(["a", "b", "c"])
    assert command_text(["a", ""]) != command_text(["a"])


def test_the_input_of_a_tool_without_a_preview_is_shown_in_full() -> None:
    @tool()
    def send(
        words: Annotated[str, IN_PREVIEW],
        count: int = 3,
        more: dict[str, list[int]] | None = None,
    ) -> None:
        """Send."""

    call = prepared(send, words="all of it", more={"a": [1, 2]})
    assert facts(call) == [
        ("Tool", "send"), ("Words", "all of it"), ("Count", "3"), ("More", '{"a":[1,2]}'),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "content", ["new\n", "no line end", "\n", "a\n\n+b\n@@ c\n\\ no line end\n"]
)
def test_what_the_preview_shows_whole_is_not_shown_again(tmp_path: Path, content: str) -> None:
    (tmp_path / "a").write_text("one\ntwo")
    for name in ("a", "b"):
        call = prepared(built_in("write_file"), tmp_path, path=name, content=content)
        assert content not in [fact.value for fact in call.facts]
        assert call.preview is not None
        assert shown_new_text(call.preview.text) == content
        assert parse_text(call.input_text).value == {"path": name, "content": content}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
        ("1\n2\n3\n4\n5\n", "one\n2\n3\n4\n5\n"),
        ("same\n", "same\n"),
        ("gone\n", ""),
    ],
)
def test_what_the_preview_does_not_show_whole_is_a_fact(tmp_path: Path, old: str, new: str) -> None:
    (tmp_path / "a").write_text(old)
    call = prepared(built_in("write_file"), tmp_path, path="a", content=new)
    assert new in [fact.value for fact in call.facts]


def test_lines_that_would_take_long_to_compare_count_as_changed() -> None:
    old = [str(number % 90) for number in range(1_800)]
    new = [line for number, line in enumerate(old) for line in (line, f"new {number}")]
    shown = change_text("\n".join(old), "\n".join(new))
    assert shown.count("@@ ") == 1
    assert shown_new_text(shown) == "\n".join(new)
    assert "\n 5\n" not in shown


LINES = st.lists(st.sampled_from(["", "a", "b", "+a", " a", "@@ a @@", "\\ no line end", "\r"]))


@settings(database=None)
@given(LINES, LINES, st.booleans(), st.booleans())
def test_a_diff_never_shows_more_of_the_new_text_than_there_is(
    old: list[str], new: list[str], old_ends: bool, new_ends: bool
) -> None:
    old_text, new_text = "\n".join(old) + "\n" * old_ends, "\n".join(new) + "\n" * new_ends
    shown = shown_new_text(change_text(old_text, new_text))
    assert len(shown) <= len(new_text)
    rest = iter(new_text.split("\n"))
    assert all(line in rest for line in shown.split("\n")[:-1])
    if not old_text:
        assert shown == new_text


def test_every_value_is_in_a_fact_or_in_the_preview() -> None:
    @tool()
    def send(
        first: Annotated[str, IN_PREVIEW],
        second: Annotated[str, IN_PREVIEW] = "by default",
        third: Annotated[list[str] | None, IN_PREVIEW] = None,
    ) -> None:
        """Send."""

    @send.preview
    def show(first: str, second: str, third: list[str] | None) -> Preview:
        del second, third
        return Preview("text", first)

    call = prepared(send, first="words", third=["c"])
    assert facts(call) == [("Tool", "send"), ("Second", "by default"), ("Third", '["c"]')]
    twice = prepared(send, first="words", second="words")
    assert facts(twice)[1:] == [("Second", "words"), ("Third", "null")]


@pytest.mark.parametrize("preview", [Preview("text", "Sends words."), Preview("files", "words")])
def test_a_preview_that_is_not_the_value_itself_carries_nothing(preview: Preview) -> None:
    @tool()
    def send(content: Annotated[str, IN_PREVIEW]) -> None:
        """Send."""

    @send.preview
    def show(content: str) -> Preview:
        del content
        return preview

    assert facts(prepared(send, content="words"))[1:] == [("Content", "words")]


def test_a_path_is_said_as_it_was_asked_only_where_what_became_of_it_does_not_show_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a").write_text("one")
    read = built_in("read_file")
    said = {
        asked: ("Requested path", asked) in facts(prepared(read, tmp_path, path=asked))
        for asked in ("notes/a", str(tmp_path / "notes" / "a"), "notes/./a", "./notes/a")
    }
    assert said == {
        "notes/a": False,
        str(tmp_path / "notes" / "a"): False,
        "notes/./a": True,
        "./notes/a": True,
    }


def test_parameters_are_called_by_their_titles_or_by_words_with_units() -> None:
    @tool()
    def wait(
        timeout_s: int,
        limit_bytes: int,
        s: int,
        place: Annotated[str, Input(title="Where to wait")],
    ) -> None:
        """Wait."""

    call = prepared(wait, timeout_s=1, limit_bytes=2, s=3, place="here")
    assert facts(call)[1:] == [
        ("Timeout (seconds)", "1"), ("Limit (bytes)", "2"), ("S", "3"), ("Where to wait", "here"),
    ]  # fmt: skip


def test_no_two_values_read_alike() -> None:
    @tool()
    def send(one: str | int | list[str] | None) -> None:
        """Send."""

    values = ["60", 60, '"60"', "null", None, '["a"]', ["a"], " 60", "", "plain"]
    said = [facts(prepared(send, one=value))[1][1] for value in values]
    assert len(set(said)) == len(values)
    assert said[-1] == "plain"


def test_the_hash_binds_order_facts_and_preview(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one")
    write = built_in("write_file")
    calls = [
        prepared(write, tmp_path, path="a", content="two"),
        prepared(write, tmp_path, path="a", content="three"),
        prepared(write, tmp_path, path="b", content="two"),
    ]
    (tmp_path / "a").write_text("other")
    calls.append(prepared(write, tmp_path, path="a", content="two"))
    assert len({call.sha256 for call in calls}) == 4
    assert prepared(write, tmp_path, path="b", content="two").sha256 == calls[2].sha256


@pytest.mark.security(11)
def test_the_hash_binds_the_preview_also_where_nothing_else_differs() -> None:
    @tool()
    def send(words: str) -> None:
        """Send."""

    shown = [
        Preview("text", "To one person."),
        Preview("text", "To everybody."),
        Preview("files", "To everybody."),
        None,
    ]
    remaining = iter(shown)

    @send.preview
    def show(words: str) -> Preview | None:
        del words
        return next(remaining)

    calls = [prepared(send, words="all") for _ in shown]
    assert len({call.order.sha256 for call in calls}) == 1
    assert len({call.facts for call in calls}) == 1
    assert len({call.sha256 for call in calls}) == len(shown)


def test_request_survives_a_json_round_trip(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one")
    for call in (
        prepared(built_in("write_file"), tmp_path, path="a", content="ä\ud83d\ude00"),
        prepared(built_in("run_command"), tmp_path, argv=["ls", "\n"]),
        prepared(built_in("current_time"), None),
    ):
        assert WorkerRequest.from_json(call.order.to_json()) == call.order
