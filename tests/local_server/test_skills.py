"""Skills as their folders describe them: what is listed, and the files that they bring."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_server.assistant.skills import (
    Skill,
    SkillFileError,
    count_tokens,
    find_named,
    read_skill,
    shorten,
)


def _skill(folder: Path, fields: str = "description: d") -> Skill:
    home = folder / "one"
    home.mkdir(exist_ok=True)
    (home / "SKILL.md").write_text(f"---\nname: one\n{fields}\n---\n1. Do.", encoding="utf-8")
    return read_skill(home / "SKILL.md")


def test_skill_of_the_open_format_is_read_with_what_nobody_here_knows(tmp_path: Path) -> None:
    skill = _skill(
        tmp_path,
        "description: Does it: well. Use when: asked\nlicense: MIT\ncompatibility: any\n"
        "allowed-tools: Bash(rm:*) Read\nwhat-is-this: 1\n"
        "metadata:\n  version: 1.10\n  triggers: One Two,three ,  three",
    )
    assert (skill.display_name, skill.version, skill.author) == ("One", "1.10", None)
    assert skill.description == "Does it: well. Use when: asked"
    assert skill.triggers == ("one two", "three")
    assert (skill.instructions, skill.is_enabled) == ("1. Do.", True)
    assert not any("Bash" in str(value) for value in vars(skill).values())


@pytest.mark.spec("8-skill-description")
def test_long_description_is_cut_after_a_sentence_our_choice(tmp_path: Path) -> None:
    first = "Does this. Use when e.g. 3.5 of it is there. " * 8
    skill = _skill(tmp_path, f"description: {first}{'more ' * 30}.")
    assert skill.description == first.strip()
    assert skill.is_shortened
    assert not _skill(tmp_path).is_shortened


@pytest.mark.spec("8-skill-description")
@pytest.mark.parametrize(
    ("description", "kept"),
    [
        ("word " * 200, "word " * 78 + "word…"),
        ("x" * 500, "x" * 397 + "…"),
        ("字。" * 100, "字。" * 66),
        ("é" * 300, "é" * 198 + "…"),
    ],
)
def test_description_without_sentences_is_cut_after_a_word_our_choice(
    description: str, kept: str
) -> None:
    assert shorten(description.strip()) == kept


@given(st.text())
def test_shortened_description_is_about_a_hundred_tokens_at_most(text: str) -> None:
    assert count_tokens(shorten(text * 40)) <= 100
    assert shorten(text[:50]) == text[:50]


def test_skill_is_called_by_its_names_and_where_it_is_wanted_by_a_trigger(tmp_path: Path) -> None:
    skill = _skill(
        tmp_path, "description: d\nmetadata: {display-name: The Notes, triggers: tidy up}"
    )
    for message in ("what about One?", "use the notes", "THE-NOTES"):
        assert find_named(message, [skill]) is skill
    assert find_named("Please tidy up", [skill], by_triggers=True) is skill
    assert find_named("Please tidy up", [skill]) is None
    assert find_named("at once", [skill], by_triggers=True) is None


def test_name_without_a_letter_is_in_no_message(tmp_path: Path) -> None:
    skill = replace(_skill(tmp_path), name="-", display_name="--", triggers=("-",))
    assert find_named("Do as you like - please", [skill], by_triggers=True) is None


def test_files_are_listed_by_path_without_hidden_ones_and_links(tmp_path: Path) -> None:
    skill = _skill(tmp_path)
    assert skill.files() == ()
    for path in ("b.md", "a/c.txt", "a/.hidden", ".git/config", "a/b/c/d/too-deep"):
        (skill.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (skill.folder / path).write_text(path, encoding="utf-8")
    (skill.folder / "link.md").symlink_to(skill.folder / "b.md")
    (skill.folder / "loop").symlink_to(skill.folder)
    assert skill.files() == ("a/c.txt", "b.md")
    for number in range(120):
        (skill.folder / f"n{number:03}").touch()
    assert len(skill.files()) == 100


def test_file_is_read_when_asked_for(tmp_path: Path) -> None:
    skill = _skill(tmp_path)
    (skill.folder / "a").mkdir()
    (skill.folder / "a" / "ö.md").write_bytes("\ufeffText ö\r\n".encode())
    (skill.folder / "inside").symlink_to("a/ö.md")
    for path in ("a/ö.md", "./a//ö.md", "inside"):
        assert skill.read_file(path) == "Text ö\r\n"
    (skill.folder / "full").write_bytes(b"x" * 64 * 1024)
    assert len(skill.read_file("full")) == 64 * 1024


@pytest.mark.parametrize(
    "path",
    ["../secret", "a/../../secret", "/etc/hostname", "~/x", "", ".", "a", "none", "a/none/b",
     "..\\secret", "C:secret", "\\\\host\\share", "b\0.md", "link", "links/secret", "loop", "pipe",
     "binary", "large", "n" * 5000, "\ud800",
     ".git/config", "to-hidden"],
)  # fmt: skip
def test_path_that_leads_out_or_to_no_text_is_refused_with_a_reason(
    tmp_path: Path, path: str
) -> None:
    (tmp_path / "secret").write_text("CANARY", encoding="utf-8")
    skill = _skill(tmp_path)
    (skill.folder / "a").mkdir()
    (skill.folder / "link").symlink_to("../secret")
    (skill.folder / "links").symlink_to("..")
    (skill.folder / "loop").symlink_to("loop")
    os.mkfifo(skill.folder / "pipe")
    (skill.folder / ".git").mkdir()
    (skill.folder / ".git" / "config").write_text("CANARY", encoding="utf-8")
    (skill.folder / "to-hidden").symlink_to(".git/config")
    (skill.folder / "binary").write_bytes(b"\xff\xfe\0")
    (skill.folder / "large").write_bytes(b"x" * (64 * 1024 + 1))
    with pytest.raises(SkillFileError) as caught:
        skill.read_file(path)
    assert str(tmp_path) not in str(caught.value)
    assert str(caught.value).endswith(".")
