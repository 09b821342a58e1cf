"""What a screen reader finds in the real program, and does there without a mouse."""

from pathlib import Path

import pytest

from tests.support.atspi import Node, Reader, desktop, missing_programs, program

# What a person does something with; a name is all that tells one from another.
_CONTROLS = frozenset(
    {
        "push button",
        "toggle button",
        "check box",
        "radio button",
        "combo box",
        "text",
        "password text",
        "list",
        "list item",
        "menu item",
        "slider",
        "spin button",
        "tree",
        "table",
    }
)


def _nameless(reader: Reader) -> list[Node]:
    return [
        node
        for node in reader.nodes()
        if node.is_showing and node.role in _CONTROLS and not node.name
    ]


def _says(reader: Reader, words: str) -> bool:
    return any(words in node.name for node in reader.nodes() if node.is_showing)


def test_a_message_is_sent_and_its_reply_read_by_names_alone(tmp_path: Path) -> None:
    if missing := missing_programs():
        pytest.skip(f"not installed: {', '.join(missing)}")

    with desktop() as (variables, reader), program(tmp_path, variables):
        offline = reader.waits_for_name("Look around first")
        nameless = _nameless(reader)
        reader.press(offline)

        box = reader.waits_for_name("Message", "text")
        reader.write(box, "Hello from afar")
        reader.waits_for_use("Send")
        reader.press(reader.waits_for_use("Send"))

        reader.waits_for(lambda: _says(reader, "Assistant: Hello! I am Assistant"), "the reply")
        assert not nameless + _nameless(reader)
        assert not reader.text_of(box)
        assert reader.find("You: Hello from afar", "list item")
