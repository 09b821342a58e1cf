"""Whose a program is, and who else may change it."""

import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from local_tools.errors import explain_os_error


@dataclass(frozen=True, slots=True)
class Ownership:
    """Whose a file is.

    Attributes:
        owner: The name of the account, or its number where it has no name; empty on Windows.
        is_open_to_others: Somebody but its owner and the administrator may change the file, or
            put another one in its place.
    """

    owner: str
    is_open_to_others: bool


def ownership_of(path: str) -> Ownership:
    """Whose the file at an absolute path is; links are followed.

    Raises:
        ToolError: When there is none.
    """
    real = Path(os.path.realpath(path))
    try:
        file, folder = real.stat(), real.parent.stat()
    except OSError as exc:
        raise explain_os_error(exc, path) from exc
    if sys.platform == "win32":
        return Ownership("", is_open_to_others=False)
    is_replaceable = _lets_others_write(folder) and not folder.st_mode & stat.S_ISVTX
    return Ownership(_name(file.st_uid), _lets_others_write(file) or is_replaceable)


def _lets_others_write(status: os.stat_result) -> bool:
    if status.st_mode & stat.S_IWOTH:
        return True
    return bool(status.st_mode & stat.S_IWGRP) and not _is_own_group(status)


def _is_own_group(status: os.stat_result) -> bool:
    """Whether the group is the owner's alone, as many systems make one for each user."""
    import grp  # noqa: PLC0415 - there is none on Windows

    try:
        group = grp.getgrgid(status.st_gid)
    except KeyError:
        return False
    owner = _name(status.st_uid)
    return group.gr_name == owner and set(group.gr_mem) <= {owner}


def _name(number: int) -> str:
    import pwd  # noqa: PLC0415 - there is none on Windows

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)
