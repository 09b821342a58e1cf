"""The built-in assistant: what it says, which tools it asks for, and whom it hands over to."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from local_server.assistant.agents import Agent, read_agent
from local_server.assistant.demo import DemoAssistant
from local_server.assistant.demo.languages import GERMAN
from local_server.assistant.demo.requests import read_tool_requests
from local_server.assistant.reply import (
    HandOver,
    Piece,
    ReplyRequest,
    RequestedToolCall,
    SkillUsed,
    Text,
)
from local_server.assistant.skills import read_skill
from local_server.settings import RESOURCES
from local_server.store.records import Message, StoredTool, ToolCall
from tests.support.agent_files import write_agents
from tests.support.event_streams import agents_of, first_of
from tests.support.event_streams import text_of as streamed_text
from tests.support.own_service import READ_FILE, own_service

pytestmark = pytest.mark.anyio

_AGENTS = {path.stem: read_agent(path) for path in sorted((RESOURCES / "agents").glob("*.md"))}
_NOON = datetime(2026, 11, 21, 12, 30, tzinfo=UTC)
_OF_PLAIN_REQUESTS = ("read_file", "list_folder", "write_file", "run_command", "search_files")


def _tools(*names: str) -> tuple[StoredTool, ...]:
    return tuple(StoredTool(name, "", {"type": "object", "properties": {}}) for name in names)


def _request(
    message: str,
    tools: Sequence[StoredTool] = _tools(*_OF_PLAIN_REQUESTS, "any.thing"),
    *before: str,
) -> ReplyRequest:
    """Ask the agent `assistant`, which said some things before."""
    said = (*(Message("m", "assistant", text, _NOON) for text in before),)
    history = (*said, Message("m", "user", message, _NOON))
    return ReplyRequest(message, history, _AGENTS["assistant"], (), tuple(tools))


async def _pieces_of(request: ReplyRequest) -> list[Piece]:
    """Hear a reply, its words joined to one text at the beginning."""
    pieces = [piece async for piece in DemoAssistant(0).reply(request)]
    text = "".join(piece.text for piece in pieces if isinstance(piece, Text))
    return [Text(text), *(piece for piece in pieces if not isinstance(piece, Text))]


async def _text_of(request: ReplyRequest) -> str:
    """Hear a reply that is nothing but words."""
    [piece] = await _pieces_of(request)
    assert isinstance(piece, Text)
    return piece.text


async def _wanted(message: str) -> list[Piece]:
    return (await _pieces_of(_request(message)))[1:]


def _answered(name: str, result: str, round_: int = 0) -> ToolCall:
    tools = _tools(name)
    call = ToolCall("c", "c", "m", name, {}, tools, "a", 0, "answered", result, is_finished=False)
    return replace(call, round=round_)


async def _told(result: str) -> str:
    return await _text_of(replace(_request("any"), calls=(_answered("read_file", result),)))


async def test_first_reply_says_what_parley_is_how_to_choose_a_model_and_what_to_try() -> None:
    text = await _text_of(_request("Why is the sky blue?"))
    for part in (
        "**Assistant**, played by the demo",
        "without a language model",
        "Parley is a program",
        "**Settings**",
        "`parley-server models`",
        "\n- `read notes.md`",
        "*markdown*",
        "```text\n/tool read_file {}\n```",
    ):
        assert part in text
    assert (await _text_of(_request("Hello"))) == f"Hello! {text}"


async def test_later_replies_are_short_and_help_lists_the_examples_again() -> None:
    first = await _text_of(_request("Why is the sky blue?"))
    later = await _text_of(_request("And the sea?", (), first))
    assert "without a language model" in later
    assert "What you can try" not in later
    assert len(later) < len(first) / 3
    assert (await _text_of(_request("help", (), first))).startswith("What you can try")


# The second and third are the first example of an empty chat in English and German.
@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("help", "What you can try"),
        ("What can you help me with?", "What you can try"),
        ("Wobei können Sie mir helfen?", "Das lässt sich ausprobieren"),
        ("Hilfe!", "Das lässt sich ausprobieren"),
        ("?", "What you can try"),
    ],
)
async def test_help_is_given_in_the_language_of_the_question(message: str, words: str) -> None:
    said = await _text_of(_request(message))
    again = await _text_of(_request(message, (), said))
    assert words in said
    assert again.startswith(words)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("Hallo", "Hallo! Ich bin **Assistent**"),
        ("Hilfe", "`lies notes.md` zeigt"),
        ("Bitte lies notes.md", "Ich benutze `read_file`"),
        ("/tool read_file", "Ich benutze `read_file`"),
        ("/tool unknown", "Das braucht das Werkzeug `unknown`"),
        ("/tool", "Daraus konnte ich keinen Werkzeugaufruf machen. Die Form ist `/tool NAME"),
        ("/tool read_file {", "muss JSON sein"),
        ("/tool read_file 3", "muss ein JSON-Objekt sein: `{…}`"),
        ("führe git 'status aus", "Im Befehl fehlt ein Anführungszeichen"),
        ("/agent files hallo", "Ich übergebe an **Dateien**"),
        ("/agent cook Eier", "Einen Agenten `cook` kenne ich nicht"),
        ("markdown", "Eine Überschrift"),
        ("Bitte mit tidy folder", "Ich benutze die Fähigkeit"),
    ],
)
async def test_a_german_chat_is_answered_in_german(message: str, words: str) -> None:
    tools = _tools("read_file", "run_command")
    earlier = Message("m", "user", "Was kannst du mir zeigen?", _NOON)
    skill = read_skill(RESOURCES / "skills" / "tidy-folder" / "SKILL.md")
    asked = _request(message, tools)
    asked = replace(
        asked,
        history=(earlier, *asked.history),
        colleagues=(_AGENTS["files"],),
        skills=(skill,),
    )
    said = "".join(piece.text for piece in await _pieces_of(asked) if isinstance(piece, Text))
    assert words in said


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("", "endete ohne Ausgabe"),
        ("milk", "Das kam von `read_file` zurück"),
        ("Error: no such file", "hat nicht funktioniert. Gemeldet wurde"),
        ("Error:", "hat nicht funktioniert. Sie können"),
        ("The user declined this call.", "In Ordnung, `read_file` lief nicht"),
        ("line\n" * 1000, "Das ist nur der Anfang von"),
    ],
)
async def test_a_result_in_a_german_chat_is_told_in_german(result: str, words: str) -> None:
    asked = replace(_request("Lies bitte notes.md"), calls=(_answered("read_file", result),))
    assert words in await _text_of(asked)


def test_each_german_text_has_the_gaps_of_its_english_one() -> None:
    gap = re.compile(r"(?<!\{)\{(\w+)\}")
    assert {
        english: german
        for english, german in GERMAN.items()
        if sorted(gap.findall(english)) != sorted(gap.findall(german))
    } == {}


async def test_only_what_is_offered_is_an_example() -> None:
    text = await _text_of(_request("help", _tools("any.thing", "run_command")))
    assert "`run git status`" in text
    assert "read notes.md" not in text
    assert "/tool run_command {}" in text
    assert "/agent" not in text
    assert "No tools are offered" in await _text_of(_request("help", ()))
    skill = read_skill(RESOURCES / "skills" / "release-notes" / "SKILL.md")
    more = replace(_request("help"), colleagues=(_AGENTS["files"],), skills=(skill,))
    text = await _text_of(more)
    assert "`/agent files hello`" in text
    assert "`Release notes`" in text
    needs = replace(_tools("other")[0], input_schema={"type": "object", "required": ["path"]})
    assert '/tool other {"path": "…"}' in await _text_of(_request("help", (needs,)))


async def test_markdown_shows_each_kind_of_text() -> None:
    text = await _text_of(_request("Show me some markdown"))
    for part in ("\n## ", "\n1. ", "\n| ", "\n```python\n", "\n> ", "\n$$", "**", "*em"):
        assert part in text


@pytest.mark.parametrize(
    ("message", "name", "given"),
    [
        ('/tool read_file {"path": "a"}', "read_file", {"path": "a"}),
        ("/tool any.thing", "any.thing", {}),
        ('/tool any.thing {"a": [1, {"b": null}]}', "any.thing", {"a": [1, {"b": None}]}),
        ("read notes.md", "read_file", {"path": "notes.md"}),
        ("Please open the file ~/My.txt.", "read_file", {"path": "~/My.txt"}),
        ("Read README.md and sum it up", "read_file", {"path": "README.md"}),
        (r"read C:\Users\me\a.txt", "read_file", {"path": r"C:\Users\me\a.txt"}),
        ("Bitte lies die Datei `src/a.py`", "read_file", {"path": "src/a.py"}),
        ("README.md lesen und zusammenfassen", "read_file", {"path": "README.md"}),
        ("list", "list_folder", {"path": "."}),
        ("List the files in this folder", "list_folder", {"path": "."}),
        ("list ~/Downloads", "list_folder", {"path": "~/Downloads"}),
        ("list ..", "list_folder", {"path": ".."}),
        ("Die Dateien in diesem Ordner auflisten", "list_folder", {"path": "."}),
        ("Liste Downloads auf.", "list_folder", {"path": "Downloads"}),
        ("write a.md: b: c\nd", "write_file", {"path": "a.md", "content": "b: c\nd"}),
        ("schreibe a.md: x", "write_file", {"path": "a.md", "content": "x"}),
        ("run git log --format='%h %s'", "run_command", {"argv": ["git", "log", "--format=%h %s"]}),
        ("Führe `git status` aus", "run_command", {"argv": ["git", "status"]}),
        ("find TODO in src", "search_files", {"query": "TODO", "path": "src"}),
        ('search for "two words" in .', "search_files", {"query": "two words", "path": "."}),
        ("suche nach TODO in src", "search_files", {"query": "TODO", "path": "src"}),
    ],
)  # fmt: skip
async def test_request_becomes_the_tool_call_that_it_asks_for(
    message: str, name: str, given: dict[str, object]
) -> None:
    assert await _wanted(message) == [RequestedToolCall(name, given)]


_OFFER = "[attachment: my offer.pdf (PDF, 2 pages, 900 bytes)]"
_LIST = "list.md:\n```md\n- read a.md\n\n- page 3\n```"


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("read my offer.pdf", {"name": "my offer.pdf"}),
        ("Please read page 2 of “my offer.pdf”.", {"name": "my offer.pdf", "pages": "2"}),
        ("What is on pages 2-3 of My Offer.pdf?", {"name": "my offer.pdf", "pages": "2-3"}),
        ("Lies bitte Seite 2 von my offer.pdf", {"name": "my offer.pdf", "pages": "2"}),
        ("find fee in my offer.pdf", {"name": "my offer.pdf", "search": "fee"}),
        ("read sheet Costs of list.md", {"name": "list.md", "sheet": "Costs"}),
        ("Zeilen 3-4 von list.md lesen", {"name": "list.md", "lines": "3-4"}),
        ('/tool read_attachment {"name": "x"}', {"name": "x"}),
    ],
)
@pytest.mark.parametrize("is_earlier", [False, True])
async def test_attached_file_is_read_that_the_words_name(
    words: str, given: dict[str, object], *, is_earlier: bool
) -> None:
    tools = _tools(*_OF_PLAIN_REQUESTS, "read_attachment")
    files = f"{_OFFER}\n\n{_LIST}"
    asked = _request(words if is_earlier else f"{words}\n\n{files}", tools)
    if is_earlier:
        asked = replace(asked, history=(Message("m", "user", files, _NOON), *asked.history))
    assert (await _pieces_of(asked))[1:] == [RequestedToolCall("read_attachment", given)]


@pytest.mark.parametrize("words", ["", "Thank you for my offer.pdf", "Seen."])
async def test_attached_file_alone_is_no_request(words: str) -> None:
    assert await _wanted(f"{words}\n\n{_OFFER}\n\n{_LIST}".strip()) == []


@pytest.mark.parametrize(
    "message",
    ["Hello", "please", "read the room", "read https://example.com/a", "I read a.md yesterday",
     "list three ideas for dinner", "write a poem: short", "write a.md", "find love in two books",
     "run", "running is fun", "Führe mich herum", "/toolbox is a word"],
)  # fmt: skip
async def test_demo_calls_no_tool_for_other_messages(message: str) -> None:
    assert await _wanted(message) == []


async def test_several_tools_are_asked_for_in_order() -> None:
    assert await _wanted('/tool read_file {"path": "a"}\n/tool any.thing') == [
        RequestedToolCall("read_file", {"path": "a"}),
        RequestedToolCall("any.thing", {}),
    ]


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("/tool", "The form is"),
        ("/tool read_file {path}", "must be JSON"),
        ("/tool read_file [1]", "must be a JSON object"),
        ('/tool read_file {"path": NaN}', "NaN is not JSON"),
        ("run echo 'x", "without its partner"),
        ("\n".join(["/tool any.thing"] * 9), "At most 8 calls"),
        ("/tool not.there {}", "needs the tool `not.there`, which is not offered"),
    ],
)
async def test_request_that_cannot_be_met_says_why(message: str, reason: str) -> None:
    assert reason in await _text_of(_request(message))


@pytest.mark.parametrize(
    "part",
    ["find ", " ", "write ", 'find "', "run '", "führe ", "(", "/tool ", "a.md:", "/agent ", "/",
     "\n\n[attachment: "],
)  # fmt: skip
async def test_message_of_any_length_is_answered_at_once(part: str) -> None:
    """A pattern that took the square of the length would not come to an end here."""
    for beginning in ("", "find ", "write ", "read ", "run ", "/tool ", "/agent assistant "):
        for long in (part * (100_000 // len(part)), part * (1_900 // len(part))):
            assert await _pieces_of(_request(f"{beginning}{long}: x"))


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("one\n", "This came back from `read_file`:\n\n```text\none\n```"),
        ("a\n```\nb", "This came back from `read_file`:\n\n````text\na\n```\nb\n````"),
        ("", "`read_file` ended without any output."),
        ("Error: it broke", "`read_file` did not work. This was reported:\n\n```text\nit broke\n"
         "```\n\nYou can change the request and try again."),
        ("Error:", "`read_file` did not work. You can change the request and try again."),
        ("The user declined to run this tool. Reason: not today", "All right, `read_file` was not "
         "run: “The user declined to run this tool. Reason: not today”"),
        ("The user has a rule that forbids this.", "All right, `read_file` was not run: “The user "
         "has a rule that forbids this.”"),
    ],
)  # fmt: skip
async def test_result_of_a_tool_is_told(result: str, said: str) -> None:
    assert await _told(result) == said


async def test_long_result_is_cut_and_says_so() -> None:
    text = await _told("\n".join(f"line {n}" for n in range(1000)))
    assert "line 39\n" in text
    assert "line 40" not in text
    assert "only the beginning of 1,000 lines" in text
    assert len(await _told("y" * 100_000)) < 3000


async def test_all_calls_of_the_last_round_are_told_in_order() -> None:
    calls = (
        _answered("old", "x", 0),
        _answered("first", "x", 1),
        _answered("second", "Error: gone", 1),
    )
    text = await _text_of(replace(_request("any"), calls=calls))
    assert "`old`" not in text
    assert text.index("`first`") < text.index("`second` did not work")


async def test_skill_that_is_named_or_called_by_a_trigger_is_used() -> None:
    skill = read_skill(RESOURCES / "skills" / "release-notes" / "SKILL.md")
    for message in ("Write release notes for 2.0", "make a changelog"):
        words, used = await _pieces_of(replace(_request(message), skills=(skill,)))
        assert used == SkillUsed("release-notes")
        assert isinstance(words, Text)
        assert words.text.startswith("I am using the skill **Release notes** (version 1.0):")


async def test_reply_is_handed_over_to_the_agent_that_is_named() -> None:
    asked = replace(_request("/agent files list src"), colleagues=(_AGENTS["files"],))
    assert await _pieces_of(asked) == [Text("I hand over to **Files**."), HandOver("files")]
    assert await _pieces_of(replace(asked, message="/agent Files")) == await _pieces_of(asked)
    there = replace(asked, agent=_AGENTS["files"], colleagues=(_AGENTS["assistant"],))
    assert (await _pieces_of(there))[1:] == [RequestedToolCall("list_folder", {"path": "src"})]
    greeted = await _text_of(replace(there, message="/agent files"))
    assert greeted.startswith("I am **Files**, played by the demo")


async def test_nobody_else_is_handed_the_reply() -> None:
    asked = replace(_request("/agent cook fry eggs"), colleagues=(_AGENTS["files"],))
    said = await _text_of(asked)
    assert said.startswith("I know no agent `cook`")
    assert said.endswith("with one of these names: `files`.")
    assert (await _text_of(replace(asked, message="/agent"))).startswith("The form is `/agent")
    alone = await _text_of(_request("/agent files list"))
    assert "there is nobody else in this reply" in alone


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("read notes.md", "files"),
        ("run git status", "terminal"),
        ("run letters --for emails, reports and articles", "terminal"),
        ('/tool run_command {"argv": ["write", "letter"]}', "terminal"),
        ("Please proofread this letter", "writer"),
        ("why is the sky blue", "assistant"),
        ("/agent writer list the files of this folder", "files"),
        ("/agent Files list the files of this folder", "assistant"),
    ],
)
async def test_agent_is_chosen_that_may_do_what_is_asked_or_can_hand_over(
    message: str, name: str
) -> None:
    choice = await DemoAssistant(0).choose_agent(message, tuple(_AGENTS.values())[::-1])
    assert choice.agent.name == name


async def test_only_agent_is_chosen_whatever_it_may_do() -> None:
    only: tuple[Agent, ...] = (_AGENTS["writer"],)
    for message in ("run ls", "/agent writer hello", "/tool nonsense {"):
        assert (await DemoAssistant(0).choose_agent(message, only)).agent == only[0]


async def test_hand_over_and_tool_go_all_the_way(tmp_path: Path) -> None:
    resources = write_agents(tmp_path / "resources", "alpha", "beta")
    async with own_service(tmp_path, resources=resources) as service:
        conversation_id = await service.create()
        asked = await service.chat(
            conversation_id, "/agent beta read a.md", client_tools=[READ_FILE]
        )
        call = first_of(asked, "tool_use")
        told = await service.give_result(conversation_id, call["id"], "the words")
    assert agents_of(asked) == ["alpha", "beta"]
    assert call["input"] == {"path": "a.md"}
    assert "the words" in streamed_text(told)


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("read notes.md", "read_attachment"),
        ("read src/notes.md", "read_file"),
        ("write notes.md: please read it", "write_file"),
        ("write notes.md: see page 3", "write_file"),
        ("run cat notes.md page 3", "run_command"),
    ],
)
def test_attached_file_is_read_only_where_it_is_named_and_asked_for(text: str, tool: str) -> None:
    assert [request.name for request in read_tool_requests(text, {"notes.md"})] == [tool]
