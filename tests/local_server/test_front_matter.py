"""Files with front matter: what is read from them, and how a bad one is named."""

from pathlib import Path

import pytest

from local_server.assistant.agents import read_agent
from local_server.assistant.front_matter import FrontMatterError
from local_server.assistant.skills import read_skill


def _write(folder: Path, text: str) -> Path:
    path = folder / "one.md"
    path.write_text(text, encoding="utf-8")
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


def test_what_is_not_said_has_a_default(tmp_path: Path) -> None:
    agent = read_agent(_write(tmp_path, "---\nname: a\ndescription: d\n---\nBe."))
    assert (agent.display_name, agent.is_default, agent.is_enabled) == ("A", False, True)


@pytest.mark.parametrize(
    "text",
    ["", "name: a\n", "---\nname: a\n", "---\n- a\n---\n", "---\nname: [\n---\n",
     "---\nname: a\n---\nNo description.", "---\nname:\ndescription: d\n---\n"],
)  # fmt: skip
def test_file_that_is_not_written_as_it_should_be_is_named(tmp_path: Path, text: str) -> None:
    path = _write(tmp_path, text)
    with pytest.raises(FrontMatterError, match=str(path)):
        read_agent(path)


def test_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "one.md"
    path.write_bytes(b"---\nname: \xff\n---\n")
    for missing in (path, tmp_path / "two.md"):
        with pytest.raises(FrontMatterError, match=str(missing)):
            read_agent(missing)
