"""How often a person is asked during ordinary tasks, once their folder may be read."""

from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any, Final, TypeAlias

import pytest

from app.approvals.policy import Granted
from app.approvals.queue import ApprovalRequest
from tests.support.figures import Tell
from tests.support.rules import PolicyFixture, bench, reading_in

Call: TypeAlias = tuple[str, Mapping[str, Any]]

_FILES: Final = ("a.md", "b.md", "c.md", "sub/d.md")


def _read(path: str) -> Call:
    return "read_file", {"path": path}


def _edit(path: str) -> Call:
    return "edit_file", {"path": path, "old_text": "word", "new_text": "words"}


def _move(path: str, new_path: str) -> Call:
    return "move_file", {"path": path, "new_path": new_path}


def _run(*argv: str) -> Call:
    return "run_command", {"argv": list(argv)}


_LIST: Final[Call] = ("list_folder", {"path": "."})
_SEARCH: Final[Call] = ("search_files", {"path": ".", "query": "word"})
_TASKS: Final[Mapping[str, tuple[Call, ...]]] = {
    "sum up the notes": (_LIST, *map(_read, _FILES)),
    "mend a slip": (_SEARCH, _read("a.md"), _edit("a.md")),
    "rename two files": (_LIST, _move("a.md", "x.md"), _move("b.md", "y.md")),
    "mend and try": (_SEARCH, _read("a.md"), _edit("a.md"), _run("true")),
    "look something up": (("fetch_page", {"address": "https://example.org/"}),),
    "work it out": (_read("a.md"), ("calculate", {"expression": "2+2"})),
    "tidy up": (_LIST, _move("a.md", "sub/a.md"), ("delete_file", {"path": "b.md"})),
    "write a report": (*map(_read, _FILES), ("write_file", {"path": "r.md", "content": "All."})),
    "change a word everywhere": (_SEARCH, *map(_edit, _FILES)),
    "build": (_LIST, _run("true"), _run("ls", "-l"), _run("true", "x")),
}


async def _prompts(desk: PolicyFixture, task: tuple[Call, ...]) -> int:
    """How many calls of a task ask; each can be run as it is."""
    verdicts = [await desk.judge(name, given) for name, given in task]
    refused = [one for one in verdicts if not isinstance(one, ApprovalRequest | Granted)]
    assert refused == []
    return sum(isinstance(verdict, ApprovalRequest) for verdict in verdicts)


@pytest.mark.anyio
@pytest.mark.security(11)
async def test_ordinary_tasks_ask_seldom(tmp_path: Path, tell: Tell) -> None:
    async with bench(tmp_path) as desk:
        (desk.folder / "sub").mkdir()
        for path in _FILES:
            (desk.folder / path).write_text("a word\n", encoding="utf-8")
        await desk.add(reading_in(desk.folder))
        asked = {name: await _prompts(desk, task) for name, task in _TASKS.items()}

    tell(f"prompts in {len(asked)} tasks: median {median(asked.values()):g}, {asked}")
    assert len(asked) == 10
    assert median(asked.values()) <= 3
    assert asked["sum up the notes"] == 0
