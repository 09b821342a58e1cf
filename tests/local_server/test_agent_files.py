"""Agents written by an editor: the file, what stays in it, and what is refused."""

import errno
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from local_server.assistant.agents import read_agent
from local_server.cli import app

_WRITER: dict[str, Any] = {
    "display_name": "Letter writer",
    "description": "Letters: minutes, and notices # for the board.",
    "instruction": "Write plainly.",
}
_OF_ANOTHER_PROGRAM = """---
# Made by hand.
name: reviewer
description: Reviews code
color: purple   # of another program
tools: Read, Bash(git log)
metadata:
  author: Ada
---
Review it.
"""


def _run(data: Path, *arguments: str, given: object = None) -> tuple[int, str]:
    where = ("--project", "local", "--data-dir", str(data))
    text = given if isinstance(given, str) else json.dumps(given)
    result = CliRunner().invoke(app, ["agents", *arguments, *where], input=text)
    return result.exit_code, result.output


def _save(data: Path, revision: str = "", **draft: Any) -> dict[str, Any]:
    code, output = _run(data, "save", given={"draft": draft, "revision": revision})
    assert code == 0, output
    saved: dict[str, Any] = json.loads(output)
    return saved


def _show(data: Path, name: str) -> dict[str, Any]:
    code, output = _run(data, "show", name)
    assert code == 0, output
    shown: dict[str, Any] = json.loads(output)
    return shown


def test_new_agent_is_written_as_the_file_that_the_service_reads(tmp_path: Path) -> None:
    more: dict[str, Any] = {
        "model": "openai:gpt-5",
        "temperature": 0.4,
        "thinking": "short",
        "icon": "mail",
    }
    saved = _save(tmp_path, **_WRITER, **more, colour="teal", tools=["read_file"], skills=[])

    agent = read_agent(tmp_path / "agents" / "letter-writer.md")
    assert (agent.name, agent.display_name) == ("letter-writer", "Letter writer")
    assert agent.description == _WRITER["description"]
    assert (agent.model, agent.temperature, agent.thinking) == ("openai:gpt-5", 0.4, "short")
    assert (agent.tools, agent.skills, agent.icon, agent.colour) == (
        ("read_file",),
        (),
        "mail",
        "teal",
    )
    assert _show(tmp_path, "letter-writer") == saved


def test_unedited_parts_of_an_agent_file_stay_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "agents" / "mine.md"
    file.parent.mkdir()
    file.write_text(_OF_ANOTHER_PROGRAM, encoding="utf-8")
    shown = _show(tmp_path, "reviewer")
    draft = {**shown["draft"], "instruction": "Review it well.", "temperature": 0.2}

    _save(tmp_path, shown["revision"], **draft)

    lines = file.read_text(encoding="utf-8").splitlines()
    kept = ("# Made by hand.", "color: purple   # of another program", "tools: Read, Bash(git log)")
    assert set(kept) <= set(lines)
    assert "  author: Ada" in lines
    assert lines[-1] == "Review it well."
    assert read_agent(file).temperature == 0.2


def test_agent_that_ships_becomes_ones_own_and_comes_back_when_that_is_removed(
    tmp_path: Path,
) -> None:
    ships = _show(tmp_path, "writer")
    assert (ships["revision"], ships["text"]) == ("", None)

    saved = _save(tmp_path, **{**ships["draft"], "instruction": "Mine."})
    assert saved["path"] == str(tmp_path / "agents" / "writer.md")
    assert _show(tmp_path, "writer")["draft"]["instruction"] == "Mine."

    back = {"path": saved["path"], "text": None, "revision": saved["revision"]}
    assert json.loads(_run(tmp_path, "restore", given=back)[1]) == {"revision": ""}
    assert _show(tmp_path, "writer") == ships


def test_file_that_somebody_else_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    saved = _save(tmp_path, **_WRITER)
    file = Path(saved["path"])
    theirs = file.read_text(encoding="utf-8") + "Theirs.\n"
    file.write_text(theirs, encoding="utf-8")

    draft = {**saved["draft"], "instruction": "Ours."}
    back = {"path": saved["path"], "text": None, "revision": saved["revision"]}
    assert _save(tmp_path, saved["revision"], **draft)["fault"] == "changed"
    assert json.loads(_run(tmp_path, "restore", given=back)[1])["fault"] == "changed"
    assert file.read_text(encoding="utf-8") == theirs

    file.unlink()
    assert _save(tmp_path, saved["revision"], **draft)["fault"] in ("changed", "name_taken")
    assert not file.exists()


@pytest.mark.parametrize(
    ("draft", "fault"),
    [
        ({**_WRITER, "display_name": "WRITER"}, "name_taken"),
        ({**_WRITER, "display_name": " \u200b\n"}, "unnamed"),
        ({**_WRITER, "description": ""}, "unnamed"),
        ({**_WRITER, "instruction": "long " * 60_000}, "too_large"),
        ({**_WRITER, "tools": [f"tool_{n}" for n in range(3000)]}, "too_large"),
        ({**_WRITER, "model": "no provider"}, "not_written"),
    ],
)
def test_draft_that_cannot_be_a_file_is_refused_and_leaves_none(
    tmp_path: Path, draft: dict[str, Any], fault: str
) -> None:
    assert _save(tmp_path, **draft)["fault"] == fault
    assert not list(tmp_path.rglob("*.md"))


@pytest.mark.parametrize(
    "given",
    [
        "",
        "{}",
        '{"draft": {"display_name": "x", "description": "y", "temperature": 9}}',
        '{"draft": {"display_name": "x", "description": "y", "is_default": true}}',
        '{"draft": {"display_name": "x", "description": "y"}, "draft": {}}',
        "[" * 100_000,
        " " * (5 * 1024 * 1024),
    ],
)
def test_input_that_is_no_draft_is_explained_in_one_sentence(tmp_path: Path, given: str) -> None:
    code, output = _run(tmp_path, "save", given=given)

    assert code == 1
    assert output.startswith("Standard input")
    assert len(output.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("../../etc/passwd", "etc-passwd.md"),
        ("README", "readme-2.md"),
        ("con", "agent-con.md"),
        ("…", "agent.md"),
        ("Übersetzer – Deutsch", "übersetzer-deutsch.md"),
        ("手紙", "手紙.md"),
        ("n" * 200, f"{'n' * 40}.md"),
        ("yes", "yes.md"),
        ("\U0001f58b\ufe0f Pen: 'x' {y} [z] & *a !b |c", "pen-x-y-z-a-b-c.md"),
    ],
)
def test_any_name_makes_a_file_inside_the_folder(tmp_path: Path, name: str, file: str) -> None:
    saved = _save(tmp_path, **{**_WRITER, "display_name": name})

    assert Path(saved["path"]) == tmp_path / "agents" / file
    assert read_agent(Path(saved["path"])).display_name == saved["draft"]["display_name"]


def test_instructions_cannot_end_the_front_matter_nor_hide_what_is_in_them(tmp_path: Path) -> None:
    text = "---\nname: evil\n---\r\nA\x00B \ud83d\ude00"
    saved = _save(tmp_path, **{**_WRITER, "instruction": text, "description": "a\n---\nname: x"})

    agent = read_agent(Path(saved["path"]))
    assert agent.name == "letter-writer"
    assert agent.instruction == "---\nname: evil\n---\nAB \U0001f600"
    assert agent.description == "a --- name: x"


def test_only_files_of_agents_are_put_back(tmp_path: Path) -> None:
    other = tmp_path / "parley-server.sqlite3"
    for path in (other, tmp_path / "agents" / ".." / "x.md", tmp_path / "agents" / "x.txt"):
        given = {"path": str(path), "text": "x", "revision": ""}
        assert json.loads(_run(tmp_path, "restore", given=given)[1])["fault"] == "not_written"
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="limits the size of files")
def test_full_disk_leaves_the_file_as_it_was_and_says_why(tmp_path: Path) -> None:
    saved = _save(tmp_path, **_WRITER)
    given = {
        "draft": {**saved["draft"], "instruction": "long " * 10_000},
        "revision": saved["revision"],
    }
    # -B: what the child compiled would be cut off as well, for every program after it.
    command = (sys.executable, "-B", "-P", "-m", "local_server.cli", "agents", "save")
    where = ("--project", "local", "--data-dir", str(tmp_path))

    answer = subprocess.run(
        [*command, *where],
        input=json.dumps(given).encode(),
        capture_output=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )

    told = json.loads(answer.stdout)
    assert (told["fault"], told["message"]) == ("not_written", os.strerror(errno.EFBIG))
    assert Path(saved["path"]).read_text(encoding="utf-8") == saved["text"]
    assert [file.name for file in (tmp_path / "agents").iterdir()] == ["letter-writer.md"]
