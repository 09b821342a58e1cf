"""The interpreter that a folder of tools names: which program it is, and what it needs to read."""

import os
from dataclasses import dataclass
from pathlib import Path

from local_tools.commands import SEARCH_PATH
from local_tools.errors import ToolError, named
from local_tools.mcp.config import LocalProgram, ServerBounds
from local_tools.mcp.launch import plan


@dataclass(frozen=True, slots=True)
class Interpreter:
    """One program that runs tools.

    Attributes:
        path: Absolute.
        reads: Folders of its own, readable where it runs.
        identity: Which program it is, by its contents.
    """

    path: str
    reads: tuple[str, ...]
    identity: str


def find_interpreter(name: str) -> Interpreter:
    """The interpreter of that name, on the fixed path, or at an absolute one.

    Raises:
        ToolError: There is none; the message says what is missing.
    """
    if "/" in name and not Path(name).is_absolute():
        raise ToolError(f"Write the whole path of the interpreter “{named(name)}”, or its name.")
    candidates = [name] if "/" in name else [f"{place}/{name}" for place in SEARCH_PATH]
    found = next((path for path in candidates if os.access(path, os.X_OK)), None)
    if found is None:
        where = "" if "/" in name else f" in {', '.join(SEARCH_PATH)}"
        raise ToolError(f"There is no interpreter “{named(name)}”{where}. Install it to use these.")
    launch = plan(LocalProgram(found), ServerBounds(), os.environ)
    return Interpreter(found, tuple(map(str, launch.reads)), launch.identity)
