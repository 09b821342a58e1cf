"""The offline assistant: what it says when nothing can be computed or called."""

from dataclasses import replace
from pathlib import Path

import pytest

from local_server.assistant.agents import read_agent
from local_server.assistant.offline import OfflineAssistant
from local_server.assistant.offline.skill_use import steps_of
from local_server.assistant.reply import HandOver, Text, ToolRequest
from local_server.assistant.skills import read_skill
from local_server.assistant.supervisor import choose_agent
from local_server.settings import RESOURCES
from tests.support.event_streams import first_of
from tests.support.offline_requests import (
    FILES,
    NOW,
    TOOLS,
    pieces_of,
    request,
    said,
    text_of,
    tool,
)
from tests.support.own_service import READ_FILE, own_service

_AGENTS = [read_agent(path) for path in sorted((RESOURCES / "agents").glob("*.md"))]


def test_reply_is_honest_varies_with_the_message_and_is_always_the_same() -> None:
    one, two = said("Why is the sky blue?"), said("Any news?")
    assert one == said("Why is the sky blue?") != two
    for text, message in ((one, "Why is the sky blue?"), (two, "Any news?")):
        assert f"> {message}" in text
        assert "without a language model" in text
        assert "how do I connect a model?" in text
        assert "\n- `read notes.md`" in text
        assert '```text\n/tool read_file {"path": "notes.md"}\n```' in text


def test_what_it_is_and_can_do_is_told_at_length_only_once() -> None:
    first = said("Why is the sky blue?")
    second = text_of(request("And the sea?", (), first))
    assert "> And the sea?" in second
    assert "without a language model" in second
    assert "how do I connect a model?" in second
    assert "What you can try" not in second
    assert len(second) < len(first) / 2
    long = text_of(request("so many words " * 100, (), "15 % of 240 = **36**"))
    assert len(long.split()) <= 50
    assert "*help*" in long
    assert len(long.split("\n")) == 3


@pytest.mark.parametrize(
    ("message", "commands"),
    [
        ("How do I connect a model?", ["ollama:llama3.2:3b", "openai:NAME", "anthropic:NAME",
                                       "google:NAME", "@http://127.0.0.1:1234/v1"]),
        ("how can I use Ollama here", ["--model ollama:llama3.2:3b"]),
        ("Set up Claude, please", ["ANTHROPIC_API_KEY", "--model anthropic:NAME"]),
        ("connect my LM Studio model", ["--model openai:NAME@http://127.0.0.1:1234/v1"]),
    ],
)  # fmt: skip
def test_connecting_a_model_is_explained_for_what_was_asked(
    message: str, commands: list[str]
) -> None:
    text = said(message)
    for command in commands:
        assert command in text
    assert "**Settings**" in text
    assert "`parley-server models`" in text
    assert ("anthropic:" in text) == ("anthropic:NAME" in "".join(commands))


def test_only_offered_tools_are_advertised() -> None:
    text = said("Hm", [tool("current_time")])
    assert "what time is it" in text
    assert "read_file" not in text
    assert "No tools are offered" in said("Hm", [])
    assert "`read notes.md`" in said("help", [tool("ReadFile", path="string")])


def test_greeting_tells_who_speaks_and_thanks_are_taken() -> None:
    assert said("Hello").startswith("Hello! I am **Assistant**, played by the built-in assistant.")
    assert said("thank you!").startswith("You are welcome. Is there a file to read, or a folder")
    assert said("thanks", [tool("list_folder")]) == (
        "You are welcome. Is there a folder to look into?"
    )
    assert said("thanks", []) == "You are welcome."


@pytest.mark.parametrize("message", ["who are you", "What's your name?", "are you an AI?"])
def test_who_asks_is_told_that_it_is_no_language_model(message: str) -> None:
    name = "I am **Assistant**, played by the built-in assistant."
    assert said(message).startswith(f"{name} I am a small program **without a language model**")
    again = text_of(request(message, (), "Hello!"))
    assert again.startswith(f"{name} I work without a language model.")
    assert "beyond me" not in said(message) + again + text_of(request("Hello", (), "Hello!"))


# The first is an example that the window offers in an empty chat.
@pytest.mark.parametrize(
    "message",
    ["What can you help me with?", "what can you do", "How can you help me?", "help", "?"],
)
def test_who_asks_what_it_can_do_is_told_and_first_what_it_is(message: str) -> None:
    first, again = said(message), text_of(request(message, TOOLS, "Hello!"))
    assert first.startswith("I am **Assistant**, played by the built-in assistant. ")
    assert "without a language model" in first
    assert again.startswith("What you can try:\n\n- `read notes.md`")
    assert first.endswith(again)


def test_what_is_asked_with_the_words_of_help_is_no_call_for_it() -> None:
    for message in ("What can you help my cat with?", "How can you help a cat?", "?!"):
        assert "beyond me" in said(message)


def test_markdown_sample_has_a_heading_a_list_a_table_and_code() -> None:
    text = said("Show me some markdown")
    for part in ("\n## ", "\n1. ", "\n| ", "\n```python\n", "\n> "):
        assert part in text


@pytest.mark.parametrize(
    "message",
    ["hand over to Files", "Switch to the file-worker", "please ask the Files agent to read a.md",
     "ask Files to read a.md", "hand over to files and read a.md", "let files list src"],
)  # fmt: skip
def test_colleague_who_is_asked_for_gets_the_reply(message: str) -> None:
    asked = replace(request(message), colleagues=(FILES,))
    assert pieces_of(asked) == [Text("I hand over to **Files**."), HandOver("file-worker")]


def test_agent_that_is_asked_for_does_what_is_left_of_the_message() -> None:
    reading = replace(request("ask the Files agent to read a.md"), agent=FILES)
    assert text_of(replace(reading, tools=())).startswith("That needs the tool `read_file`")
    assert "Here is **Files**" in text_of(replace(request("hand over to Files"), agent=FILES))


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("hand over to Nobody", "I know no agent `Nobody` to hand over to. There is: **Files**."),
        ("ask the cook agent to fry eggs", "I know no agent `cook`"),
        ("transfer me to the cook agent", "I know no agent `cook`"),
        ("ask Bob to read a.md", "> ask Bob to read a.md\n\nThat is beyond me."),
        ("switch to dark colors", "> switch to dark colors\n\nThat is beyond me."),
    ],
)
def test_nobody_else_is_handed_the_reply(message: str, words: str) -> None:
    asked = replace(request(message), colleagues=(FILES,))
    assert text_of(asked).startswith(words)


def test_hand_over_is_refused_with_the_reason_where_an_agent_was_chosen() -> None:
    assert "there is nobody to whom I could" in said("hand over to Files")


@pytest.mark.parametrize(
    "part",
    ["find ", " ", "use ", "write ", 'write "', "'", "1+", "(", "/tool ", "=", "a.md and ", "hi "],
)
def test_message_of_any_length_is_answered_at_once(part: str) -> None:
    """A pattern that took the square of the length would not come to an end here."""
    long = part * 100_000
    beginnings = ("", "find ", "write ", "ask ", "let the ", "hand over to ", "switch to a")
    for message in (f"{beginning}{long}: x" for beginning in beginnings):
        assert pieces_of(request(message))


@pytest.mark.anyio
async def test_reply_is_written_word_by_word_and_its_wishes_come_last() -> None:
    assistant = OfflineAssistant(0, lambda: NOW)
    pieces = [piece async for piece in assistant.reply(request("run ls"))]
    assert pieces[0] == Text("I ")
    assert "".join(piece.text for piece in pieces[:-1] if isinstance(piece, Text)) == (
        "I will run this command and show you its output."
    )
    assert len(pieces) == 11
    assert pieces[-1] == ToolRequest("run_command", {"argv": ["ls"]})


@pytest.mark.anyio
async def test_hand_over_in_plain_words_goes_all_the_way(tmp_path: Path) -> None:
    agents = tmp_path / "agents"
    agents.mkdir()
    for name, words in (("first", "requests"), ("second", "nothing")):
        text = f"---\nname: {name}\ndescription: Takes {words}.\n---\nDo it.\n"
        (agents / f"{name}.md").write_text(text, encoding="utf-8")
    async with own_service(tmp_path, resources=tmp_path) as service:
        events = await service.chat(
            await service.create(),
            "Hand over to second and read a.md, as such requests go",
            client_tools=[READ_FILE],
        )
    started = [event["agent_name"] for event in events if event["type"] == "agent_start"]
    assert started == ["first", "second"]
    assert first_of(events, "tool_use")["input"] == {"path": "a.md"}


@pytest.mark.spec("4.4-routing")
def test_supervisor_takes_the_most_words_in_common_and_the_first_name_on_a_tie() -> None:
    names = {
        "read notes.md from my folder": "files",
        "explain general relativity": "assistant",
        "": "assistant",
        "zzz": "assistant",
    }
    for message, name in names.items():
        assert choose_agent(message, _AGENTS[::-1]).name == name


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("write me a haiku", "writer"),
        ("Please write me a poem about files and folders", "writer"),
        ("write release notes from the git log of this build", "writer"),
        ("write tests for my code", "terminal"),
        ("write CHANGES.md: a letter, an email, a report and a speech", "files"),
        ("write hello to a.txt", "files"),
        ("what is in notes.md?", "files"),
        ("find TODO in src", "files"),
        ("run echo 'x", "terminal"),
        ('/tool texts__count_words {"text": "letters, reports and texts"}', "assistant"),
        ('/tool read_file {"path": "letter.md"}', "files"),
        ("why is the sky blue", "assistant"),
    ],
)
async def test_agent_is_chosen_for_what_is_plainly_asked(message: str, name: str) -> None:
    chosen = await OfflineAssistant(0).choose_agent(message, tuple(_AGENTS[::-1]))
    assert chosen.name == name


def test_each_skill_that_ships_has_steps_to_give() -> None:
    paths = sorted((RESOURCES / "skills").glob("*/SKILL.md"))
    assert paths
    for path in paths:
        assert steps_of(read_skill(path)).startswith("1. "), path
