"""Files with front matter: what is read from them, and how a bad one is named."""

import os
from pathlib import Path

import pytest

from local_server.assistant.agents import read_agent
from local_server.assistant.front_matter import DefinitionError, read_front_matter
from local_server.assistant.skills import read_skill


def _write(folder: Path, text: str) -> Path:
    path = folder / "one.md"
    path.write_bytes(text.encode())
    return path


def test_values_stay_the_text_that_they_are(tmp_path: Path) -> None:
    text = (
        "---\nname: on\ndescription: >\n  two\n  lines\nmetadata:\n  version: 1.10\n"
        "  display-name: No\nextra: [1]\n---\n\nDo this.\n\n---\n\nAnd that.\n"
    )
    skill = read_skill(_write(tmp_path, text))
    assert (skill.name, skill.display_name, skill.description) == ("on", "No", "two lines")
    assert (skill.version, skill.author) == ("1.10", None)
    assert skill.instructions == "Do this.\n\n---\n\nAnd that."


def test_missing_fields_of_the_front_matter_have_defaults(tmp_path: Path) -> None:
    agent = read_agent(_write(tmp_path, "---\nname: a\ndescription: d\n---\nBe."))
    assert (agent.display_name, agent.is_default, agent.is_enabled) == ("A", False, True)


def test_file_of_another_system_is_read_as_well(tmp_path: Path) -> None:
    text = (
        "\ufeff---  \r\nname: a\r\ndescription: d\r\n--- \r\nOne.\r\n\r\nTwo.\u2028Still two.\r\n"
    )
    agent = read_agent(_write(tmp_path, text))
    assert (agent.name, agent.description) == ("a", "d")
    assert agent.instruction == "One.\n\nTwo.\u2028Still two."


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("description: when: asked", "when: asked"),
        ("description: it's: \"so\" # not a comment", "it's: \"so\" # not a comment"),
        ("description: a: b\n  and c: d", "a: b and c: d"),
        ("description: a: b\nuser: \"x\" y\nassistant: 'z", "a: b"),
        ("description: a: b\n<commentary>\nc", "a: b <commentary> c"),
        ("description: [beta] does it", "[beta] does it"),
        ("description: @ work", "@ work"),
        ("description: 'a' or: 'b'", "'a' or: 'b'"),
        ("color: a: b\ndescription: |\n  first: line\n  second", "first: line second"),
        ("description: ok\ntools: a: b", "ok"),
        ("description: \"quoted: well\"", "quoted: well"),
        ("description: \"\\e[31mred\\x07\"", "[31mred"),
    ],
)  # fmt: skip
def test_text_that_nobody_quoted_is_repaired(tmp_path: Path, written: str, read: str) -> None:
    matter = read_front_matter(_write(tmp_path, f"---\nname: a\n{written}\n---\nBe."))
    assert matter.text("description") == read
    assert (matter.name(), matter.body) == ("a", "Be.")


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "there is no front matter between two lines of “---”."),
        ("name: a\n", 1, "there is no front matter between two lines of “---”."),
        ("---\nname: a\n", 1, "there is no front matter between two lines of “---”."),
        ("---\n- a\n---\n", 2, "the front matter must be lines of “name: value”."),
        ("---\n---\n", 2, "the front matter must be lines of “name: value”."),
        ("---\nname: a\n\tdescription: d\n---\n", 3, "this is not YAML: found character '\\t' "),
        ("---\nname: a\nmetadata:\n  a: b\n c: d\n---\n", 5, "this is not YAML: "),
        ("---\nx: a: b\n  c\nmetadata:\n  a: b\n c: d\n---\n", 6, "this is not YAML: "),
        ("---\nname: a\n\u0001: b\n---\n", 2, "this is not YAML: it has a character that"),
        (
            '---\nname: a\nx: "\\UFFFFFFFF"\n---\n',
            2,
            "this is not YAML: there is a character code",
        ),
        (
            '---\nname: a\nx: "\\U00110000"\n---\n',
            2,
            "this is not YAML: there is a character code",
        ),
        (f"---\n%YAML {'9' * 5000}.1\n---\n", 2, "this is not YAML: there is a character code"),
        ("---\nname: a\nx: " + "{a: " * 3000 + "\n---\n", 1, "this YAML is nested too deeply."),
        ("---\nname: a\nx: " + "y" * 17000 + "\n---\n", 1, "the front matter is too long."),
        ("---\nname: a\n---\n" + "y" * 263_000, 1, "the file is larger than 256 KiB."),
        ("---\nname: a\n---\nNo description.", 1, "the field “description” is missing."),
        ("---\ndescription: d\nname:\n---\n", 3, "the field “name” is missing."),
    ],
    ids=lambda value: str(value)[:40],
)
def test_file_that_is_not_written_as_it_should_be_is_named_with_the_line(
    tmp_path: Path, text: str, line: int, reason: str
) -> None:
    path = _write(tmp_path, text)
    with pytest.raises(DefinitionError) as caught:
        read_agent(path)
    assert str(caught.value).startswith(f"{path}:{line}: {reason}")


def test_halves_of_characters_are_joined_or_replaced(tmp_path: Path) -> None:
    """A half alone could not be sent: the list of all agents would fail because of one file."""
    lines = [
        r'description: "Smiles \ud83d\ude00 \ud83d."',
        r'model: "openai:\ud83d"',
        r'tools: ["a\ud83d", "b"]',
        r'metadata: {display-name: "N \ude00"}',
    ]
    agent = read_agent(_write(tmp_path, "\n".join(["---", "name: a", *lines, "---"])))
    assert agent.description == "Smiles 😀 \ufffd."
    assert agent.display_name == "N \ufffd"
    assert agent.tools == ("a\ufffd", "b")
    assert agent.model is None


def test_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    bad, pipe = tmp_path / "one.md", tmp_path / "pipe.md"
    bad.write_bytes(b"---\nname: \xff\n---\n")
    os.mkfifo(pipe)
    for path, reason in (
        (bad, f"{bad}:2: this is not UTF-8 text."),
        (pipe, f"{pipe}:1: this is not a regular file."),
        (tmp_path, f"{tmp_path}:1: it cannot be read: Is a directory."),
        (
            tmp_path / "none",
            f"{tmp_path / 'none'}:1: it cannot be read: No such file or directory.",
        ),
    ):
        with pytest.raises(DefinitionError) as caught:
            read_agent(path)
        assert str(caught.value) == reason
