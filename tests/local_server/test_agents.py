"""Agents as their files describe them, also those that people bring from Claude Code."""

from pathlib import Path

import pytest

from local_server.assistant.agents import Agent, read_agent
from local_server.assistant.front_matter import DefinitionError

# As that program writes them: everything on one line, colons and all, with its own names.
_CLAUDE_CODE = """\
---
name: code-reviewer
description: Use this agent when code was written. Examples: <example>Context: it's a PR. user: "Look!"\\nassistant: 'I will' <commentary>Reason: #1</commentary></example>
tools: Read, Grep, Glob, Bash(git log:*, git diff), WebSearch, mcp__github__get_issue
model: sonnet
color: purple
hooks:
  PreToolUse:
    - matcher: "Bash"
---

You are a senior reviewer: be kind.
"""  # noqa: E501


def _agent(folder: Path, fields: str) -> Agent:
    path = folder / "one.md"
    path.write_text(f"---\nname: one\ndescription: d\n{fields}\n---\nBe.", encoding="utf-8")
    return read_agent(path)


def test_agent_of_claude_code_works_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "code-reviewer.md"
    path.write_text(_CLAUDE_CODE, encoding="utf-8")
    agent = read_agent(path)
    assert (agent.name, agent.display_name) == ("code-reviewer", "Code reviewer")
    assert agent.description.startswith("Use this agent when code was written. Examples: <exam")
    assert agent.description.endswith("<commentary>Reason: #1</commentary></example>")
    assert "it's a PR. user: \"Look!\" assistant: 'I will'" in agent.description
    assert agent.instruction == "You are a senior reviewer: be kind."
    assert agent.model is None
    assert agent.tools == (
        "read_file",
        "search_files",
        "list_folder",
        "run_command",
        "WebSearch",
        "mcp__github__get_issue",
    )
    assert (agent.skills, agent.is_default, agent.is_enabled) == (None, False, True)


@pytest.mark.parametrize(
    ("fields", "tools"),
    [
        ("", None),
        ("tools:", None),
        ("tools: '*'", None),
        ("tools: []", ()),
        ("tools: read_file", ("read_file",)),
        ("tools: Read, Edit, Write", ("read_file", "write_file")),
        ("tools: [LS, Bash]", ("list_folder", "run_command")),
        ("tools:\n  - Glob\n  - my_tool", ("list_folder", "search_files", "my_tool")),
    ],
)
def test_tools_are_a_list_or_words_with_commas_and_all_when_missing(
    tmp_path: Path, fields: str, tools: tuple[str, ...] | None
) -> None:
    assert _agent(tmp_path, fields).tools == tools


@pytest.mark.parametrize(
    ("model", "ours"),
    [
        ("inherit", None),
        ("opus", None),
        ("claude-sonnet-4-5", None),
        ("[a]", None),
        ("offline", "offline"),
        ("ollama:llama3.2:3b", "ollama:llama3.2:3b"),
    ],
)
def test_foreign_model_means_the_services_own(tmp_path: Path, model: str, ours: str | None) -> None:
    assert _agent(tmp_path, f"model: {model}").model == ours


def test_description_without_examples_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "one.md"
    path.write_text("---\nname: one\ndescription: Minds C:\\new\n---\nBe.", encoding="utf-8")
    assert read_agent(path).description == "Minds C:\\new"


def test_own_fields_lie_under_metadata(tmp_path: Path) -> None:
    agent = _agent(
        tmp_path,
        "skills: [a, b]\nmetadata:\n  display-name: The  One\n  default: yes\n  enabled: 'False'",
    )
    assert (agent.display_name, agent.skills) == ("The One", ("a", "b"))
    assert (agent.is_default, agent.is_enabled) == (True, False)


@pytest.mark.parametrize(
    ("fields", "line", "reason"),
    [
        ("tools: {Read: true}", 4, "the field “tools” must be a list of names."),
        ("color: red\nskills:\n  - [a]", 5, "the field “skills” must be a list of names."),
        ("name: [a]", 2, "the field “name” must be text."),
        ("name: " + "n" * 65, 2, "the name must have at most 64 characters, all visible."),
        ('name: "a\\tb\\u202e"', 2, "the name must have at most 64 characters, all visible."),
    ],
)
def test_field_that_cannot_be_is_named_with_its_line(
    tmp_path: Path, fields: str, line: int, reason: str
) -> None:
    with pytest.raises(DefinitionError) as caught:
        _agent(tmp_path, fields)
    assert str(caught.value) == f"{tmp_path / 'one.md'}:{line}: {reason}"
