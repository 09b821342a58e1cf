"""What the palette offers, in which order."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.chat.conversation_rows import ConversationRow
from app.store.search import SearchResults, TextHit, TitleHit
from app.store.search_terms import Snippet
from app.ui.commands import CommandGroup, Commands
from app.ui.palette.entries import PaletteEntries, PaletteEntry, PaletteOffer
from app.viewmodels.chat.catalog import AgentRow, SkillRow
from app.viewmodels.sidebar.search import Results

_NOW = datetime(2026, 5, 20, 14, 30, tzinfo=UTC)


def _row(number: int, title: str) -> ConversationRow:
    return ConversationRow(f"c{number}", title, 12, _NOW)


@pytest.fixture
def commands(qtbot: QtBot) -> Commands:
    window = QWidget()
    qtbot.addWidget(window)
    made = Commands(window)
    for name, text, keys in (
        ("new-chat", "New chat", "Ctrl+N"),
        ("reload", "Reload agents and skills", ""),
        ("restart", "Restart the local service", ""),
    ):
        made.add(name, text, lambda: None, group=CommandGroup.CHAT, keys=keys)
    return made


def _offer(commands: Commands, results: Results | None = None) -> PaletteOffer:
    return PaletteOffer(
        [_row(1, "Why is it slow?"), _row(2, "Tidy the release notes")],
        results or Results(),
        [SkillRow("release-notes", "Release notes", "…", "1.2.0", None)],
        [AgentRow(None, "Auto", "Whoever fits"), AgentRow("coder", "Coder", "Writes code")],
        commands.all,
    )


def _texts(entries: Sequence[PaletteEntry]) -> list[str]:
    return [entry.text for entry in entries]


def _entries() -> PaletteEntries:
    return PaletteEntries(lambda: _NOW)


def test_without_letters_chats_and_every_action_are_offered(commands: Commands) -> None:
    found = _entries().of("", _offer(commands))

    assert _texts(found) == [
        "Why is it slow?",
        "Tidy the release notes",
        "New chat",
        "Reload agents and skills",
        "Restart the local service",
    ]
    assert found[2].hint == "Ctrl N"


def test_chat_without_a_name_is_offered_with_words_and_is_not_found_by_them(
    commands: Commands,
) -> None:
    offer = replace(_offer(commands), chats=[_row(1, ""), ConversationRow("c2", "", 0, _NOW)])

    assert _texts(_entries().of("", offer))[:2] == ["Untitled chat", "New chat"]
    assert "Untitled chat" not in _texts(_entries().of("untitled", offer))


def test_letters_choose_from_every_group_the_best_first(commands: Commands) -> None:
    text = TextHit("home", "c3", "m", "user", Snippet("last release", ((5, 8),)), "Boat", _NOW)
    title = TitleHit("home", "c2", "Tidy the release notes", ((9, 12),), 12, _NOW)
    results = Results("rel", SearchResults((title,), (text,)))

    found = _entries().of("rel", _offer(commands, results))

    assert _texts(found) == [
        "Tidy the release notes",
        "Release notes",
        "Reload agents and skills",
        "Restart the local service",
        "last release",
    ]
    assert found[0].hint == "14:30 · 12 messages"
    assert found[1].hint == "1.2.0"
    assert found[-1].hint == "in Boat · 14:30"


def test_action_that_begins_with_the_words_stands_first(commands: Commands) -> None:
    """Our choice: "new" or "import" and Enter do that, whatever the chats are called."""
    offer = replace(_offer(commands), chats=[_row(1, "New boat")])

    assert _texts(_entries().of("new", offer)) == ["New chat", "New boat"]
    assert _texts(_entries().of("ne", offer)) == ["New boat", "New chat"]


def test_hits_of_another_query_are_not_listed(commands: Commands) -> None:
    title = TitleHit("home", "c9", "Relay race", ((0, 3),), 12, _NOW)
    results = Results("re", SearchResults((title,)))

    assert "Relay race" not in _texts(_entries().of("rel", _offer(commands, results)))


def test_recently_used_commands_come_first(commands: Commands) -> None:
    entries = _entries()
    for text in ("Restart the local service", "Tidy the release notes"):
        found = entries.of("", _offer(commands))
        entries.note_use(next(entry for entry in found if entry.text == text))

    assert _texts(entries.of("", _offer(commands))) == [
        "Tidy the release notes",
        "Why is it slow?",
        "Restart the local service",
        "New chat",
        "Reload agents and skills",
    ]


def test_better_fit_comes_before_what_was_used(commands: Commands) -> None:
    entries = _entries()
    entries.note_use(entries.of("restart", _offer(commands))[0])

    found = entries.of("rel", _offer(commands))

    assert _texts(found)[-2:] == ["Reload agents and skills", "Restart the local service"]
