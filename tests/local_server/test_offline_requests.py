"""The offline assistant: which tools a message plainly asks for, and how they are called."""

from pathlib import Path

import pytest

from local_server.assistant.reply import Piece, Text, ToolRequest
from tests.support.event_streams import first_of
from tests.support.event_streams import text_of as streamed_text
from tests.support.offline_requests import TOOLS, pieces_of, request, said, tool
from tests.support.own_service import READ_FILE, own_service

_MORE = tuple(
    tool(name)
    for name in (
        "search_files",
        "edit_file",
        "move_file",
        "delete_file",
        "make_folder",
        "fetch_page",
        "any.thing",
    )
)


def _wanted(message: str, *tools: object) -> list[Piece]:
    words, *wanted = pieces_of(request(message, tools or (*TOOLS, *_MORE)))  # type: ignore[arg-type]  # tools, all of them
    assert isinstance(words, Text)
    return wanted


@pytest.mark.parametrize(
    ("message", "name", "given"),
    [
        ("read notes.md", "read_file", {"path": "notes.md"}),
        ("Read the file README", "read_file", {"path": "README"}),
        ("please open ~/My.txt, thanks", "read_file", {"path": "~/My.txt"}),
        ('could you read "my notes.md"?', "read_file", {"path": "my notes.md"}),
        ("Can you show me `src/a b.py`", "read_file", {"path": "src/a b.py"}),
        (r"read C:\Users\me\a.txt", "read_file", {"path": r"C:\Users\me\a.txt"}),
        ("read ../up.txt and tell me more.", "read_file", {"path": "../up.txt"}),
        ("list", "list_folder", {"path": "."}),
        ("list this folder", "list_folder", {"path": "."}),
        ("List the files in Downloads.", "list_folder", {"path": "Downloads"}),
        ("list ~/Downloads", "list_folder", {"path": "~/Downloads"}),
        ("what is in ~/Documents?", "list_folder", {"path": "~/Documents"}),
        ("list ..", "list_folder", {"path": ".."}),
        ("what is in notes.md?", "read_file", {"path": "notes.md"}),
        ('what is in "my notes.md"', "read_file", {"path": "my notes.md"}),
        ("what is in notes.d/?", "list_folder", {"path": "notes.d/"}),
        ("write hello to a.txt.", "write_file", {"path": "a.txt", "content": "hello"}),
        ('write "a and b" into the file b.md', "write_file",
         {"path": "b.md", "content": "a and b"}),
        ("What time is it?", "current_time", {}),
        ("what day is it", "current_time", {}),
        ("today?", "current_time", {}),
        ("tell me what the date is: what's the date", "current_time", {}),
        ("write a.txt: b: c\nd", "write_file", {"path": "a.txt", "content": "b: c\nd"}),
        ("write a.txt: b, c and d", "write_file", {"path": "a.txt", "content": "b, c and d"}),
        ('write to "my file": x', "write_file", {"path": "my file", "content": "x"}),
        ("run git log --format='%h %s'", "run_command", {"argv": ["git", "log", "--format=%h %s"]}),
        ("run echo a and b", "run_command", {"argv": ["echo", "a", "and", "b"]}),
        ("find TODO in src", "search_files", {"query": "TODO", "path": "src"}),
        ("search for milk in .", "search_files", {"query": "milk", "path": "."}),
        ("find milk in src.", "search_files", {"query": "milk", "path": "src"}),
        ('search for "two words"', "search_files", {"query": "two words", "path": "."}),
        ('replace "a b" with "c" in x.md', "edit_file",
         {"path": "x.md", "old_text": "a b", "new_text": "c"}),
        ("rename a.md to b.md", "move_file", {"source": "a.md", "destination": "b.md"}),
        ("delete a.md", "delete_file", {"path": "a.md"}),
        ("make a new folder called docs", "make_folder", {"path": "docs"}),
        ("open https://example.com/a.", "fetch_page", {"url": "https://example.com/a"}),
        ('/tool read_file {"path": "a"}', "read_file", {"path": "a"}),
        ("/tool current_time", "current_time", {}),
        ('/tool any.thing {"a": [1, {"b": null}]}', "any.thing", {"a": [1, {"b": None}]}),
    ],
)  # fmt: skip
def test_plain_words_become_the_tool_call_that_they_ask_for(
    message: str, name: str, given: dict[str, object]
) -> None:
    assert _wanted(message) == [ToolRequest(name, given)]


@pytest.mark.parametrize(
    "message",
    ["Hello", "I read a lot", "read me a story about bears", "list three ideas for dinner",
     "write a poem", "write it to a.txt", "write release notes to a.md", "write hello to Bob",
     "running is fun", "What is the meaning of life?", "open", "please",
     "find the meaning of life in books", "find love", "delete this chat", "remove the line",
     "what is the time of death", "/toolbox is a word"],
)  # fmt: skip
def test_other_words_become_none(message: str) -> None:
    assert _wanted(message) == []


@pytest.mark.parametrize(
    ("message", "paths"),
    [
        ("read a.md and b.md", ["a.md", "b.md"]),
        ("read a.md, b.md, and then read c.md", ["a.md", "b.md", "c.md"]),
        ("read 'a and b.md' and c.md", ["a and b.md", "c.md"]),
    ],
)
def test_several_files_become_several_calls_in_order(message: str, paths: list[str]) -> None:
    assert _wanted(message) == [ToolRequest("read_file", {"path": path}) for path in paths]


def test_different_requests_in_one_message_become_calls_in_order() -> None:
    assert _wanted("read a.md, list src and then run git add . and git commit") == [
        ToolRequest("read_file", {"path": "a.md"}),
        ToolRequest("list_folder", {"path": "src"}),
        ToolRequest("run_command", {"argv": ["git", "add", ".", "and", "git", "commit"]}),
    ]
    assert _wanted("write hello to a.txt and read b.md") == [
        ToolRequest("write_file", {"path": "a.txt", "content": "hello"}),
        ToolRequest("read_file", {"path": "b.md"}),
    ]
    assert _wanted('/tool read_file {"path": "a"}\n/tool current_time') == [
        ToolRequest("read_file", {"path": "a"}),
        ToolRequest("current_time", {}),
    ]


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("/tool", "The form is"),
        ("/tool read_file {path}", "must be JSON"),
        ("/tool read_file [1]", "must be a JSON object"),
        ('/tool read_file {"path": NaN}', "NaN is not JSON"),
        ("run echo 'x", "without its partner"),
        ("\n".join(["/tool current_time"] * 9), "At most 8 calls"),
        ("\n".join(["/tool current_time"] * 100_000), "At most 8 calls"),
        ("read " + ", ".join(f"{n}.md" for n in range(9)), "At most 8 calls"),
    ],
)
def test_request_that_is_none_says_why(message: str, reason: str) -> None:
    assert reason in said(message)


@pytest.mark.parametrize(
    ("declared", "message", "given"),
    [
        (tool("Read", "file_path", file_path="string"), "read a.md", {"file_path": "a.md"}),
        (tool("fs__read_text_file", "filePath", filePath="string"), "read a.md",
         {"filePath": "a.md"}),
        (tool("open_document", "which", which="string", page="integer"), "read a.md",
         {"which": "a.md"}),
        (tool("Bash", "command", command="string", timeout="number"), "run git log -1",
         {"command": "git log -1"}),
        (tool("shell", "args", args="array"), "run git log -1", {"args": ["git", "log", "-1"]}),
        (tool("Grep", "pattern", pattern="string", path="string"), "find TODO in src",
         {"pattern": "TODO", "path": "src"}),
        (tool("write", "file", "data", file="string", data="string"), "write a.md: x",
         {"file": "a.md", "data": "x"}),
        (tool("move_path", "from", "to", **{"from": "string", "to": "string"}), "move a.md to b/",
         {"from": "a.md", "to": "b/"}),
    ],
)  # fmt: skip
def test_tools_of_another_client_are_called_by_their_own_arguments(
    declared: object, message: str, given: dict[str, object]
) -> None:
    (call,) = _wanted(message, declared)
    assert isinstance(call, ToolRequest)
    assert call.input == given


def test_tool_that_does_not_plainly_fit_is_not_called() -> None:
    needs_more = tool("read_file", "path", "line", path="string", line="integer")
    assert "also has to be told `line`" in said("read a.md", [needs_more])
    two_ways = tool("read_file", "here", "there", here="string", there="string")
    assert "does not plainly say where the path goes" in said("read a.md", [two_ways])


def test_known_tool_is_preferred_to_one_that_is_only_alike() -> None:
    (call,) = _wanted("read a.md", tool("cat"), tool("open_file"), tool("read_file"))
    assert call == ToolRequest("read_file", {"path": "a.md"})


def test_undeclared_tool_is_named_and_not_called() -> None:
    assert said("read a.md", []).startswith(
        "That needs the tool `read_file`, and it is not offered to me here, so I cannot do it."
    )
    assert "`any.tool`, and it is not offered" in said("/tool any.tool {}")
    assert "it is not offered" in said("read a.md and run ls", [tool("read_file")])


def test_time_is_told_by_the_clock_of_the_service_where_no_tool_tells_it() -> None:
    text = said("what time is it", [])
    assert "By the clock of the service it is **Saturday, 21 November 2026**, 12:30 (UTC)" in text


def test_schema_of_any_shape_is_no_trouble() -> None:
    shapes: list[object] = [{}, {"type": ["string", "null"]}, {"anyOf": [{"type": "string"}]}, 1]
    for shape in shapes:
        odd = tool("read_file")
        odd.input_schema["properties"] = {"path": shape}
        odd.input_schema["required"] = {"path": True}
        assert _wanted("read a.md", odd) == [ToolRequest("read_file", {"path": "a.md"})]


@pytest.mark.anyio
async def test_two_files_of_one_message_are_asked_for_one_after_the_other(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        conversation_id = await service.create()
        events = await service.chat(conversation_id, "read a.md and b.md", client_tools=[READ_FILE])
        first = first_of(events, "tool_use")
        assert first["input"] == {"path": "a.md"}
        events = await service.give_result(conversation_id, first["id"], "alpha")
        second = first_of(events, "tool_use")
        assert second["input"] == {"path": "b.md"}
        events = await service.give_result(conversation_id, second["id"], "beta")
        assert "what `a.md` says:\n\n```markdown\nalpha" in streamed_text(events)
        assert "what `b.md` says:\n\n```markdown\nbeta" in streamed_text(events)


def test_search_without_a_tool_for_it_becomes_a_command() -> None:
    words, wanted = pieces_of(request("find TODO in src"))
    assert wanted == ToolRequest("run_command", {"argv": ["grep", "-rn", "--", "TODO", "src"]})
    assert isinstance(words, Text)
    assert words.text.startswith("No tool for searching is offered to me")
    line = tool("shell", "cmd", cmd="string")
    assert _wanted('search for "a b" in my.d', line) == [
        ToolRequest("shell", {"cmd": "grep -rn -- 'a b' my.d"})
    ]
    assert "`find TODO in src`" in said("help", [line])


def test_search_that_nothing_can_do_says_what_is_missing() -> None:
    (words,) = pieces_of(request("find TODO in src", [tool("read_file")]))
    assert isinstance(words, Text)
    assert "`search_files`" in words.text.partition("\n")[0]
    assert "`run_command`" in words.text.partition("\n")[0]
