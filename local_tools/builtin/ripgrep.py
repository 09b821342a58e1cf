"""Use ripgrep, if it is installed, to find out which files a search need not read.

ripgrep only excludes files. Our own code opens the others beneath the folder and matches their
lines, so results are the same without ripgrep, and a file swapped for a link reveals nothing.
"""

import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from local_tools.command_lines import resolve_program
from local_tools.errors import ToolError
from local_tools.processes import clean_environment

_BATCH_CHARS: Final = 100_000
_BATCH_LIMIT_S: Final = 5.0
_OPTIONS: Final = (
    *("--no-config", "--no-messages", "--files-with-matches", "--null", "--text"),
    "--encoding=none",
)
# Syntax with the same meaning in Python and ripgrep: plain characters, sets without classes,
# groups, repeats, alternatives.
_TOKEN: Final = re.compile(
    r"[^\\\[\](){}*+?]|\\[.\\+*?()|\[\]{}^$/dwsb-]|\[\^?[^\\\[\]^&~|-]+(?:-[^\\\[\]^&~|-]+)*\]"
    r"|\((?!\?)|\)|[*+?]\??|\{\d{1,3}(?:,\d{0,3})?\}"
)
# Classes differ at their edges (is “²” part of a word?), so ripgrep gets the wider class: it may
# find too many files, never too few.
_WIDER: Final = {r"\w": r"[\w\p{N}]", r"\s": r"[\s\x1c-\x1f]", r"\d": r"\p{Nd}", r"\b": "(?:)"}


@dataclass(frozen=True, slots=True)
class Query:
    """The search that a call asks for."""

    text: str
    is_regex: bool
    ignore_case: bool


def find_ripgrep() -> str | None:
    """Return the path of ripgrep on the fixed search path; None if it is not installed."""
    try:
        return resolve_program("rg", Path("/"))
    except ToolError:
        return None


def candidates(program: str, query: Query, paths: Sequence[str]) -> set[str] | None:
    """Return the files that may contain a match.

    Args:
        program: ripgrep.
        query: What is looked for.
        paths: The files to search, relative to the current folder.

    Returns:
        A subset of `paths`; None if ripgrep failed, so that every file has to be read.
    """
    wanted = _asked(query)
    if wanted is None:
        return None
    found: set[str] = set()
    for batch in _batches(paths):
        named = _ask([program, *wanted, "--", *batch])
        if named is None:
            return None
        found |= named
    return found


def _asked(query: Query) -> list[str] | None:
    """Return what ripgrep is told; None when it might leave out what Python would find."""
    if query.ignore_case and not query.text.isascii():
        return None
    case = "--ignore-case" if query.ignore_case else "--case-sensitive"
    if not query.is_regex:
        return [*_OPTIONS, case, "--fixed-strings", "-e", query.text]
    tokens = _TOKEN.findall(query.text)
    if "".join(tokens) != query.text:
        return None
    return [*_OPTIONS, case, "-e", "".join(_WIDER.get(token, token) for token in tokens)]


def _ask(argv: Sequence[str]) -> set[str] | None:
    try:
        answer = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=clean_environment(os.environ),
            timeout=_BATCH_LIMIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    # 1: nothing matched; 2: it did not understand, or could not read all of them.
    if answer.returncode not in (0, 1):
        return None
    return set(os.fsdecode(answer.stdout).split("\0")) - {""}


def _batches(paths: Sequence[str]) -> list[list[str]]:
    batches: list[list[str]] = [[]]
    room = _BATCH_CHARS
    for path in paths:
        room -= len(os.fsencode(path)) + 1
        if room < 0:
            batches.append([])
            room = _BATCH_CHARS - len(os.fsencode(path))
        batches[-1].append(path)
    return [batch for batch in batches if batch]
