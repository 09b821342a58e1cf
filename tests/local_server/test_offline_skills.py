"""The offline assistant uses a skill that a message names, or whose words it holds."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from local_server.assistant.offline.skill_use import find_skill
from local_server.assistant.reply import SkillUsed, Text, ToolRequest
from local_server.assistant.skills import Skill, find_named
from tests.support.offline_requests import pieces_of, request, skill, tool

_NOTES = skill(
    "release-notes",
    "News",
    "Makes notes. Use when somebody asks for a changelog, or a summary of what is new.",
)
_PLAIN = skill("plain-words", "Plain words", "Use when the user wants a simpler text.")
_TABLES = skill("data-table", "Tables", "Makes tables of data.", "spreadsheet", "rows and columns")
_SKILLS = (_TABLES, _PLAIN, _NOTES)


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("Use release notes for this", "release-notes"),
        ("Use release-notes for this", "release-notes"),
        ("what about the News?", "release-notes"),
        ("Please write a changelog for 2.0", "release-notes"),
        ("I need a summary of the new things", "release-notes"),
        ("make this text simpler", "plain-words"),
        ("put it into a spreadsheet", "data-table"),
        ("as rows and columns, please", "data-table"),
        ("use plain words in the changelog", "plain-words"),
        ("I have a new bicycle", None),
        ("tell me of your data", None),
        ("Hello", None),
        ("renewal of plainness", None),
    ],
)
def test_skill_is_found_by_its_name_or_its_words(message: str, name: str | None) -> None:
    found = find_skill(message, _SKILLS)
    assert (found and found.name) == name


def test_name_without_a_letter_is_in_no_message() -> None:
    assert find_named("Do as you like - please", [skill("-", "--")]) is None
    assert find_skill("Do as you like - please", [skill("-", "--", "", "-")]) is None


def test_skills_that_tie_go_by_name() -> None:
    twins = [skill(name, name, "Use when asked for a changelog.") for name in ("b-two", "a-one")]
    assert find_skill("a changelog", twins) == find_skill("a changelog", twins[::-1]) == twins[1]


def _used(message: str, skills: Sequence[Skill], *tools: str) -> tuple[str, list[object]]:
    declared = [tool(name) for name in tools]
    used, words, *wanted = pieces_of(replace(request(message, declared), skills=tuple(skills)))
    assert isinstance(words, Text)
    assert used == SkillUsed("release-notes")
    return words.text, list(wanted)


def test_skill_is_named_with_its_version_and_gives_its_steps_for_the_case() -> None:
    text, wanted = _used("Write a changelog for 2.0", _SKILLS)
    assert text.startswith("I am using the skill **News** (version 1.2) for this:")
    assert "> Write a changelog for 2.0" in text
    assert "1. First this,\n   with more of it.\n2. Then that.\n\nI have no language model" in text
    assert "And a rule." not in text
    assert wanted == []


def test_skill_begins_with_the_file_that_the_message_names() -> None:
    message = "Write a changelog from docs/CHANGES.md, please"
    text, wanted = _used(message, _SKILLS, "read_file")
    assert text.endswith("show you `docs/CHANGES.md`, which you named: there they begin.")
    assert wanted == [ToolRequest("read_file", {"path": "docs/CHANGES.md"})]
    assert _used(message, _SKILLS)[1] == []


def test_skill_without_numbered_steps_gives_its_instructions() -> None:
    text, _ = _used("a changelog", [replace(_NOTES, instructions="Just do it.")])
    assert "Its steps are:\n\nJust do it.\n\n" in text
