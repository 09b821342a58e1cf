"""The offline assistant: what it makes of a message, and how it says it."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from local_server.assistant.catalog import Catalog
from local_server.assistant.offline import compose
from local_server.assistant.plain_requests import PlainRequestError, find_request
from local_server.assistant.reply import ReplyRequest, ToolRequest
from local_server.assistant.supervisor import choose_agent
from local_server.settings import RESOURCES
from local_server.store.records import Message, Tool, ToolCall

_CATALOG = Catalog.read(RESOURCES)
_TOOLS = tuple(
    Tool(name, "", {"type": "object", "properties": {}})
    for name in ("read_file", "list_folder", "write_file", "run_command", "current_time")
)


def _request(message: str, tools: tuple[Tool, ...] = _TOOLS) -> ReplyRequest:
    said = Message("msg_1", "user", message, datetime(2025, 1, 2, tzinfo=UTC))
    return ReplyRequest(message, (said,), _CATALOG.agents[0], _CATALOG.skills, tools)


def _answered(name: str, given: dict[str, object], result: str) -> str:
    call = ToolCall(
        "call_1", "conv_1", "msg_2", name, given, _TOOLS, "a", 0, "answered", result, False
    )
    request = _request("irrelevant")
    text, wanted = compose(
        ReplyRequest(request.message, request.history, request.agent, (), _TOOLS, (call,))
    )
    assert wanted is None
    return text


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
        ("what is in ~/Documents?", "list_folder", {"path": "~/Documents"}),
        ("list ..", "list_folder", {"path": ".."}),
        ("What time is it?", "current_time", {}),
        ("tell me what the date is: what's the date", "current_time", {}),
        ("write a.txt: b: c\nd", "write_file", {"path": "a.txt", "content": "b: c\nd"}),
        ('write to "my file": x', "write_file", {"path": "my file", "content": "x"}),
        ("run git log --format='%h %s'", "run_command", {"argv": ["git", "log", "--format=%h %s"]}),
        ('/tool read_file {"path": "a"}', "read_file", {"path": "a"}),
        ("/tool current_time", "current_time", {}),
        ('/tool any.thing {"a": [1, {"b": null}]}', "any.thing", {"a": [1, {"b": None}]}),
    ],
)  # fmt: skip
def test_plain_words_become_the_tool_call_that_they_ask_for(
    message: str, name: str, given: dict[str, object]
) -> None:
    assert find_request(message) == ToolRequest(name, given)


@pytest.mark.parametrize(
    "message",
    ["Hello", "I read a lot", "read me a story about bears", "list three ideas for dinner",
     "write a poem", "running is fun", "What is the meaning of life?", "open", "please"],
)  # fmt: skip
def test_other_words_become_none(message: str) -> None:
    assert find_request(message) is None


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("/tool", "The form is"),
        ("/tool read_file {path}", "must be JSON"),
        ("/tool read_file [1]", "must be a JSON object"),
        ('/tool read_file {"path": NaN}', "NaN is not JSON"),
        ("run echo 'x", "without its partner"),
    ],
)
def test_request_that_is_none_says_why(message: str, reason: str) -> None:
    with pytest.raises(PlainRequestError, match=reason):
        find_request(message)
    text, wanted = compose(_request(message))
    assert reason in text
    assert wanted is None


def test_reply_is_honest_varies_with_the_message_and_is_always_the_same() -> None:
    one, two = compose(_request("Why is the sky blue?"))[0], compose(_request("Any news?"))[0]
    assert one == compose(_request("Why is the sky blue?"))[0] != two
    for text, said in ((one, "Why is the sky blue?"), (two, "Any news?")):
        assert f"> {said}" in text
        assert "without a language model" in text
        assert "\n- `read notes.md`" in text
        assert '```text\n/tool read_file {"path": "notes.md"}\n```' in text


def test_only_offered_tools_are_advertised() -> None:
    clock = tuple(tool for tool in _TOOLS if tool.name == "current_time")
    text, _ = compose(_request("Hm", clock))
    assert "what time is it" in text
    assert "read_file" not in text
    assert "No tools are offered" in compose(_request("Hm", ()))[0]


def test_markdown_sample_has_a_heading_a_list_a_table_and_code() -> None:
    text, _ = compose(_request("Show me some markdown"))
    for part in ("\n## ", "\n1. ", "\n| ", "\n```python\n", "\n> "):
        assert part in text


def test_file_is_quoted_in_its_language_with_a_fence_that_it_cannot_close() -> None:
    text = _answered("read_file", {"path": "a.md"}, "before\n```\n````\nafter\n")
    assert "\n`````markdown\nbefore\n```\n````\nafter\n`````\n" in text
    assert "4 lines" in text


def test_long_result_is_cut_and_says_so() -> None:
    text = _answered("read_file", {"path": "a.txt"}, "\n".join(f"line {n}" for n in range(1000)))
    assert "line 39\n" in text
    assert "line 40" not in text
    assert "only the beginning: I was given 1,000 lines" in text
    assert "all of it" not in text
    one_line = _answered("run_command", {"argv": ["x"]}, "y" * 100_000)
    assert len(one_line) < 3000


def test_path_that_is_full_of_marks_stays_code() -> None:
    text = _answered("read_file", {"path": "a`b\n# c"}, "x")
    assert "``a`b # c``" in text


_INPUTS: dict[str, dict[str, object]] = {
    "read_file": {"path": "a.txt"},
    "list_folder": {"path": "docs"},
    "write_file": {"path": "CHANGES.md", "content": "x"},
    "run_command": {"argv": ["git", "status"]},
    "current_time": {},
    "any.thing": {},
}


@pytest.mark.parametrize(
    ("name", "result", "said"),
    [
        ("read_file", "one\n", "This is what `a.txt` says:\n\n```text\none\n```\n\n"
         "That is all of it: 1 line, 3 characters."),
        ("read_file", "", "There is no text in `a.txt`."),
        ("list_folder", "b/\nc  5 bytes", "This is in `docs`:\n\n```text\nb/\nc  5 bytes\n```"),
        ("list_folder", "docs is empty.", "There is nothing in `docs`: it is empty."),
        ("write_file", "Made CHANGES.md: 38 bytes.",
         "Done: `CHANGES.md` is written. The tool reported: `Made CHANGES.md: 38 bytes.`"),
        ("write_file", "", "Done: `CHANGES.md` is written."),
        ("write_file", "a\nb",
         "Done: `CHANGES.md` is written. This was reported:\n\n```text\na\nb\n```"),
        ("run_command", "Exit code 0.\n\nall fine\n",
         "The command is done. This is its output:\n\n```text\nall fine\n```"),
        ("run_command", "Exit code 0. No output.",
         "The command is done, without any output."),
        ("run_command", "Exit code 3. No output.",
         "The command ended with exit code 3, without any output."),
        ("run_command", "Ended by SIGKILL. No output.",
         "The command has ended. This was reported:\n\n```text\nEnded by SIGKILL. No output.\n```"),
        ("run_command", "\n\n", "The command ended without any output."),
        ("current_time", "2025-01-02T03:04:05+00:00 (Thursday, UTC)",
         "The clock of your computer says: `2025-01-02T03:04:05+00:00 (Thursday, UTC)`"),
        ("any.thing", "[1]", "`any.thing` answered:\n\n```json\n[1]\n```"),
        ("any.thing", "", "`any.thing` ended without any output."),
    ],
)  # fmt: skip
def test_tool_that_is_done_is_told_in_words_that_fit_it(name: str, result: str, said: str) -> None:
    assert _answered(name, _INPUTS[name], result) == said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("read_file", "All right, `a.txt` stays unread."),
        ("list_folder", "All right, I will not look into `docs`."),
        ("write_file", "All right, `CHANGES.md` stays as it is."),
        ("run_command", "All right, the command was not run."),
        ("current_time", "All right, I will not look at the clock."),
        ("any.thing", "All right, `any.thing` was not run."),
    ],
)
def test_declined_tool_is_told_in_words_that_fit_it(name: str, said: str) -> None:
    declined = "The user declined to run this tool."
    assert _answered(name, _INPUTS[name], declined) == said
    with_reason = _answered(name, _INPUTS[name], f"{declined} Reason: not today")
    assert with_reason == f"{said} Your reason was: “not today”"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("read_file", "Reading `a.txt` did not work"),
        ("list_folder", "Looking into `docs` did not work"),
        ("write_file", "Writing `CHANGES.md` did not work"),
        ("run_command", "Running the command did not work"),
        ("current_time", "Looking at the clock did not work"),
        ("any.thing", "`any.thing` did not work"),
    ],
)
def test_failed_tool_is_told_in_words_that_fit_it(name: str, said: str) -> None:
    text = _answered(name, _INPUTS[name], "Error: it broke")
    assert text.startswith(f"{said}. This was reported:\n\n```text\nit broke\n```\n\n")
    assert _answered(name, _INPUTS[name], "Error:") == f"{said}, and no reason was given."


def test_call_without_a_path_is_told_without_one() -> None:
    assert _answered("write_file", {}, "") == "Done: the file is written."


@pytest.mark.spec("4.4-routing")
def test_supervisor_takes_the_most_words_in_common_and_the_first_name_on_a_tie() -> None:
    names = {
        "read notes.md from my folder": "files",
        "explain general relativity": "assistant",
        "": "assistant",
        "zzz": "assistant",
    }
    for message, name in names.items():
        assert choose_agent(message, _CATALOG.agents[::-1]).name == name


def test_what_ships_is_complete(tmp_path: Path) -> None:
    assert [agent.name for agent in _CATALOG.agents] == ["assistant", "files"]
    assert [skill.name for skill in _CATALOG.skills] == ["plain-language", "release-notes"]
    assert all(agent.instruction for agent in _CATALOG.agents)
    for skill in _CATALOG.skills:
        assert (RESOURCES / "skills" / skill.name / "SKILL.md").is_file()
        assert "\n1. " in skill.instructions
    assert Catalog.read(tmp_path) == Catalog((), ())
