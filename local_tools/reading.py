"""Commands that are known to read only, so that they are given a folder that cannot be written.

Which ones these are frees no call of anything: it takes a right away that they do not use, and
spares the folder what a call that may write needs. A command that is not known here may write.
"""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from local_tools.order import WorkOrder
from local_tools.tool import Effects

_PROGRAMS: Final = frozenset(
    [
        "basename",
        "cat",
        "cmp",
        "cut",
        "df",
        "diff",
        "dirname",
        "du",
        "egrep",
        "fgrep",
        "file",
        "grep",
        "head",
        "ls",
        "md5sum",
        "nl",
        "pwd",
        "readlink",
        "realpath",
        "sha1sum",
        "sha256sum",
        "stat",
        "tail",
        "wc",
    ]
)
_OF_GIT: Final = frozenset(
    [
        "blame",
        "cat-file",
        "describe",
        "diff",
        "grep",
        "log",
        "ls-files",
        "rev-list",
        "rev-parse",
        "shortlog",
        "show",
        "status",
    ]
)
# By these, Git writes a file after all, or starts another program.
_WRITES: Final = ("--output", "--ext-diff", "--open-files-in-pager", "-O")


def may_write(effects: Effects, order: WorkOrder) -> bool:
    """Whether a call is given a folder that can be written."""
    reads = bool(order.commands) and all(only_reads(command.argv) for command in order.commands)
    return not (effects.read_only or reads)


def only_reads(argv: Sequence[str]) -> bool:
    """Whether a command with these arguments has no use for writing."""
    name = PurePath(argv[0]).name
    if name != "git":
        return name in _PROGRAMS
    is_known = len(argv) > 1 and argv[1] in _OF_GIT
    return is_known and not any(item.startswith(_WRITES) for item in argv)
