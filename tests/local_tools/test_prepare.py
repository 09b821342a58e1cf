"""What the card shows is found out by the program and is what runs."""

from pathlib import Path
from typing import Annotated

import pytest

from local_tools.commands import command_text, resolve_program
from local_tools.errors import ToolError
from local_tools.order import WorkOrder
from local_tools.prepare import Fact, PreparedCall
from local_tools.tool import IN_PREVIEW, tool
from tests.support.tool_calls import built_in, prepared


def facts(call: PreparedCall) -> list[tuple[str, str]]:
    return [(fact.label, fact.value) for fact in call.facts]


def test_a_read_shows_the_resolved_path(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    call = prepared(built_in("read_file"), tmp_path, path="./a.txt")
    assert facts(call) == [("Tool", "read_file"), ("Path", str(tmp_path / "a.txt"))]
    assert call.is_inside_folder
    assert call.preview is None
    assert call.title == "Read file"


def test_a_place_outside_the_folder_is_marked(tmp_path: Path) -> None:
    (tmp_path / "chat").mkdir()
    (tmp_path / "a.txt").write_text("text")
    call = prepared(built_in("read_file"), tmp_path / "chat", tmp_path, path="~/a.txt")
    assert Fact("Place", "outside this chat's folder") in call.facts
    assert not call.is_inside_folder


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
    assert Fact("File", "does not exist yet") in call.facts


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


def test_a_command_shows_the_program_that_would_run(tmp_path: Path) -> None:
    planted = tmp_path / "ls"
    planted.write_text("#!/bin/sh\n")
    planted.chmod(0o755)
    call = prepared(built_in("run_command"), tmp_path, argv=["ls", "a b", "$HOME"])
    program = call.order.commands[0].argv[0]
    assert program in ("/usr/bin/ls", "/bin/ls")
    assert facts(call) == [
        ("Tool", "run_command"),
        ("Command", f"{program} 'a b' '$HOME'"),
        ("Folder", str(tmp_path)),
        ("timeout_s", "60"),
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
        ("Tool", "send"), ("count", "3"), ("more", '{"a":[1,2]}'), ("words", "all of it"),
    ]  # fmt: skip


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


def test_an_order_comes_back_from_json_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one")
    for call in (
        prepared(built_in("write_file"), tmp_path, path="a", content="ä\ud83d\ude00"),
        prepared(built_in("run_command"), tmp_path, argv=["ls", "\n"]),
        prepared(built_in("current_time"), None),
    ):
        assert WorkOrder.from_json(call.order.to_json()) == call.order
