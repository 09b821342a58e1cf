"""Folders of tools as a person writes them, made on disk for tests."""

import sys
from collections.abc import Mapping
from pathlib import Path

from local_tools.tool import AnyTool
from local_tools.user_tools.manifest import Interpreter, find_interpreter, write_hashes
from local_tools.user_tools.tool_set import read_set

COUNT_CODE = '''\
from pathlib import Path


def count_words(path: Path, least: int = 1) -> int:
    """Count the words of a text file.

    Args:
        path: The file.
        least: Shorter words do not count.
    """
    return sum(len(word) >= least for word in path.read_text().split())
'''
COUNT_TOOL = """\
[[tools]]
name = "count_words"
title = "Count words"
file = "words.py"
effects = { read_only = true, open_world = false }
"""


def make_set(
    folder: Path,
    code: str = COUNT_CODE,
    tools: str = COUNT_TOOL,
    *,
    name: str = "texts",
    others: Mapping[str, str] | None = None,
) -> Path:
    """Return a folder with a whole manifest; its one file is `words.py`."""
    folder.mkdir(parents=True, exist_ok=True)
    head = f'name = "{name}"\ntitle = "Texts"\ndescription = "About texts."\n'
    head += f'interpreter = "{sys.executable}"\n\n'
    (folder / "tool.toml").write_text(head + tools)
    (folder / "words.py").write_text(code)
    for other, text in (others or {}).items():
        (folder / other).write_text(text)
    write_hashes(folder)
    return folder


def one_tool(
    code: str, effects: str = "read_only = true, open_world = false", rest: str = ""
) -> str:
    """Return the part of a manifest about the first function of `code`."""
    name = code.split("def ", 1)[1].split("(", 1)[0]
    return (
        f'[[tools]]\nname = "{name}"\ntitle = "A tool"\nfile = "words.py"\n'
        f"effects = {{ {effects} }}\n{rest}\n"
    )


def own_interpreter() -> Interpreter:
    """Return the interpreter of the test."""
    return find_interpreter(sys.executable)


def tools_of(folder: Path) -> tuple[AnyTool, ...]:
    """Return the tools of a folder, as they are registered once it is allowed."""
    return read_set(folder).make_tools(own_interpreter())
