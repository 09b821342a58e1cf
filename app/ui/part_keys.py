"""Keys that belong to one part of the window and work while the keyboard is in it.

What works everywhere in the window is a command (`app.ui.commands`); together they are all keys
there are, and the page of shortcuts shows them from here.
"""

from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QCoreApplication


class Part(Enum):
    """A part of the window that has keys of its own."""

    COMPOSER = "composer"
    TRANSCRIPT = "transcript"
    CHATS = "chats"
    SEARCH = "search"
    FINDING = "finding"
    PALETTE = "palette"
    CARD = "card"
    SETTINGS = "settings"


@dataclass(frozen=True, slots=True)
class PartKey:
    """What keys do in a part; each is spelled as `QKeySequence` reads it."""

    part: Part
    keys: tuple[str, ...]
    text: str


def part_keys() -> tuple[PartKey, ...]:
    """Return every key of a part, in the language of the window."""
    translate = QCoreApplication.translate
    return (
        PartKey(Part.COMPOSER, ("Return",), translate("Keys", "Send the message")),
        PartKey(Part.COMPOSER, ("Shift+Return",), translate("Keys", "Begin a new line")),
        PartKey(
            Part.COMPOSER, ("Up",), translate("Keys", "Bring back the last message, when empty")
        ),
        PartKey(Part.COMPOSER, ("Esc",), translate("Keys", "Stop the reply")),
        PartKey(Part.TRANSCRIPT, ("J", "K"), translate("Keys", "Next or previous message")),
        PartKey(Part.TRANSCRIPT, ("Tab", "Shift+Tab"), translate("Keys", "Next or previous link")),
        PartKey(Part.TRANSCRIPT, ("Return", "Space"), translate("Keys", "Follow or open it")),
        PartKey(Part.TRANSCRIPT, ("PgUp", "PgDown"), translate("Keys", "Move by a page")),
        PartKey(
            Part.TRANSCRIPT, ("Home", "End"), translate("Keys", "Go to the beginning or the end")
        ),
        PartKey(
            Part.TRANSCRIPT, ("Shift+Left", "Shift+Right"), translate("Keys", "Select letters")
        ),
        PartKey(Part.TRANSCRIPT, ("Ctrl+C",), translate("Keys", "Copy what is selected")),
        PartKey(Part.TRANSCRIPT, ("Ctrl+A",), translate("Keys", "Select the message")),
        PartKey(Part.CHATS, ("Up", "Down"), translate("Keys", "Go through the chats")),
        PartKey(Part.CHATS, ("Return",), translate("Keys", "Open the chat")),
        PartKey(Part.CHATS, ("Shift+Up", "Shift+Down"), translate("Keys", "Select several")),
        PartKey(Part.CHATS, ("Del",), translate("Keys", "Delete, after a question")),
        PartKey(Part.SEARCH, ("Up", "Down"), translate("Keys", "Go through what was found")),
        PartKey(Part.SEARCH, ("Return",), translate("Keys", "Open what was found")),
        PartKey(Part.SEARCH, ("Esc",), translate("Keys", "Empty the field, then leave it")),
        PartKey(Part.PALETTE, ("Up", "Down"), translate("Keys", "Go through what fits")),
        PartKey(Part.PALETTE, ("Return",), translate("Keys", "Open or do it")),
        PartKey(Part.PALETTE, ("Esc",), translate("Keys", "Close the palette")),
        PartKey(Part.FINDING, ("Return", "Down"), translate("Keys", "Go to the next hit")),
        PartKey(Part.FINDING, ("Shift+Return", "Up"), translate("Keys", "Go to the previous hit")),
        PartKey(Part.FINDING, ("Esc",), translate("Keys", "Close the find bar")),
        PartKey(Part.CARD, ("PgUp", "PgDown"), translate("Keys", "Read what would run")),
        PartKey(Part.CARD, ("Tab",), translate("Keys", "Go on to the answers")),
        PartKey(Part.SETTINGS, ("Esc",), translate("Keys", "Back to the chat")),
    )


def part_words(part: Part) -> str:
    """Return what the part is called."""
    translate = QCoreApplication.translate
    return {
        Part.COMPOSER: translate("Keys", "Writing a message"),
        Part.TRANSCRIPT: translate("Keys", "Reading a chat"),
        Part.CHATS: translate("Keys", "List of chats"),
        Part.SEARCH: translate("Keys", "Searching"),
        Part.FINDING: translate("Keys", "Finding in a chat"),
        Part.PALETTE: translate("Keys", "Command palette"),
        Part.CARD: translate("Keys", "When something waits for your decision"),
        Part.SETTINGS: translate("Keys", "Settings"),
    }[part]
