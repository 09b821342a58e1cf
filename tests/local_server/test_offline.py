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
    assert "the whole has 1,000 lines" in text
    one_line = _answered("run_command", {"argv": ["x"]}, "y" * 100_000)
    assert len(one_line) < 3000


def test_path_that_is_full_of_marks_stays_code() -> None:
    text = _answered("read_file", {"path": "a`b\n# c"}, "x")
    assert "``a`b # c``" in text


@pytest.mark.parametrize("result", ["", "\n\n"])
def test_result_without_words_is_told(result: str) -> None:
    assert _answered("run_command", {"argv": ["true"]}, result).endswith("without any output.")


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
