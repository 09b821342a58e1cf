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


def test_messages_are_sent_read_edited_and_branched_by_names_alone(
    tmp_path: Path,
) -> None:
    if missing := missing_programs():
        pytest.skip(f"not installed: {', '.join(missing)}")

    with desktop() as (variables, reader), program(tmp_path, variables):
        offline = reader.waits_for_name("Look around first")
        nameless = _nameless(reader)
        reader.press(offline)
        box = reader.waits_for_name("Message", "text")
        reader.write(box, "Hello from afar")
        reader.press(reader.waits_for_use("Send"))
        reader.waits_for(lambda: _says(reader, "Assistant: Hello! I am Assistant"), "the reply")
        assert not nameless + _nameless(reader)
        assert not reader.text_of(box)
        assert reader.find("You: Hello from afar", "list item")

        reader.press(reader.waits_for_name("Edit: Hello from afar"))
        reader.waits_for(lambda: reader.text_of(box) == "Hello from afar", "the text in the box")
        assert _says(reader, "Sending starts a new version of the chat")
        reader.write(box, "Hello from near")
        reader.press(reader.waits_for_use("Send"))
        reader.waits_for(lambda: _is_version(reader, "Hello from near", 2, 2), "the new version")

        reader.press(reader.waits_for_name("Earlier version (2 of 2): Hello from near"))
        reader.waits_for(lambda: _is_version(reader, "Hello from afar", 1, 2), "the one before")
        reader.press(reader.waits_for_name("Later version (1 of 2): Hello from afar"))
        reader.waits_for(lambda: _is_version(reader, "Hello from near", 2, 2), "the newer one")
        reader.press(reader.waits_for_name("Try again: Hello from near"))
        reader.waits_for(lambda: _is_version(reader, "Hello from near", 3, 3), "a third one")
        reader.press(reader.waits_for_name("Branch: Hello from near"))
        reader.waits_for(
            lambda: not reader.find("Earlier version (3 of 3): Hello from near"), "a branch"
        )
        assert not _nameless(reader)


def _is_version(reader: Reader, words: str, number: int, count: int) -> bool:
    """Return whether a question is shown and answered, with which version it begins."""
    at_version = reader.find(f"Earlier version ({number} of {count}): {words}")
    return at_version is not None and _says(reader, "Branch: Hello! I am Assistant")
