"""What stands in an exported file."""

import json
from dataclasses import replace

from app.chat.items import ToolCall
from app.import_export.formats.parley import json_head, json_of, json_tail, read_own
from app.import_export.loading import Labels, TextPart
from app.import_export.markdown_format import fenced, markdown_of
from app.viewmodels.import_export import export_labels
from app.viewmodels.tool_call_texts import allowed_words
from local_tools.ledger.steps import Decider, Decision
from tests.support.import_export_fixtures import NOON, chat_of, full_chat


def test_markdown_has_everything_that_was_said_and_done() -> None:
    text = "".join(markdown_of(full_chat(), Labels(), NOON))

    assert text.startswith("# Tidy \\*everything\\*\n")
    assert "> Some messages may be missing" in text
    assert "## Coder ·" in text
    assert "Let me *see*." in text
    assert "*Writer continues*" in text
    assert "**Write file** ``~/notes/`a`.md``: allowed by you, done, 14 ms" in text
    assert "· not delivered\n\nAnd then?" in text


def test_no_empty_lines_pile_up_after_the_output_of_a_call() -> None:
    chat = full_chat()
    call = next(part for part in chat.messages[1].parts if isinstance(part, ToolCall))
    parts = replace(call, output_text="written\n"), TextPart("\n\n\nIt is written.")
    message = replace(chat.messages[1], parts=parts)

    text = "".join(markdown_of(replace(chat, messages=(message,)), Labels(), NOON))

    assert "written\n```\n\nIt is written.\n" in text


def test_who_allowed_a_call_is_named_as_the_window_names_it() -> None:
    chat = full_chat()
    call = next(part for part in chat.messages[1].parts if isinstance(part, ToolCall))
    attached = replace(call, decider=Decider.ATTACHING)
    parts = attached, replace(call, decision=Decision.EDITED)
    told = replace(chat, messages=(replace(chat.messages[1], parts=parts),))

    for words in (Labels(), export_labels()):
        text = "".join(markdown_of(told, words, NOON))
        assert f": {allowed_words(attached)}, done" in text
        assert ": changed and allowed by you, done" in text

    written = "".join(json_of(told, is_first=True))
    (read,) = read_own(json.loads(written[written.index("{") :])).messages
    calls = [part for part in read.parts if isinstance(part, ToolCall)]
    assert [(one.decider, one.decision) for one in calls] == [
        (Decider.ATTACHING, None),
        (Decider.USER, Decision.EDITED),
    ]


def test_fence_is_longer_than_any_fence_in_the_code() -> None:
    assert fenced("a\n````\nb") == "`````\na\n````\nb\n`````"


def test_a_title_stays_one_heading() -> None:
    text = "".join(markdown_of(chat_of(title="a\n# b <i>"), Labels(), NOON))

    assert text.splitlines()[0] == "# a \\# b \\<i\\>"


def test_json_says_of_each_part_what_it_is() -> None:
    chats = [full_chat(), chat_of("Yes")]
    chunks = [c for n, chat in enumerate(chats) for c in json_of(chat, is_first=n == 0)]
    told = json.loads("".join([json_head(NOON), *chunks, json_tail()]))

    assert (told["format"], told["version"]) == ("parley-chats", 1)
    first, second = told["chats"]
    assert [part["type"] for part in first["messages"][1]["parts"]] == [
        "text",
        "handover",
        "tool_call",
        "text",
    ]
    assert first["messages"][1]["parts"][2]["decided_by"] == "you"
    assert first["messages"][2]["is_delivered"] is False
    assert first["is_complete"] is False
    assert second["messages"][1]["parts"][0]["agent"] == {"name": "coder", "display_name": "Coder"}


def test_an_empty_file_of_chats_is_json() -> None:
    assert json.loads(json_head(NOON) + json_tail())["chats"] == []
