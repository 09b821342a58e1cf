"""Rename files that other programs would run or obey, in place, unless they are harmless."""

import os
import re
import secrets
import stat
from contextlib import suppress
from typing import Final, TypeAlias

from local_tools.errors import ToolError
from local_tools.paths.beneath import (
    READ_FOLDER,
    open_beneath,
    parent_beneath,
    read_up_to,
    regular_file_beneath,
)
from local_tools.persistence.autorun import REBASE_STEPS

ASIDE: Final = ".set-aside"
SETTINGS_LIMIT_BYTES: Final = 64 * 1024
# A name has at most 255 bytes, and `ASIDE` and perhaps a random part are appended.
_NAME_BYTES: Final = 200
# What `git init` and `git clone` write; nothing in it names a program.
# Possessive quantifiers: no backtracking, so that no line takes long.
_HARMLESS_SETTING: Final = re.compile(
    rb"""\s*+ (
        \[ \s*+ ( core | user | init | (remote|branch) \s++ "[\w./-]++" ) \s*+ \] \s*+
      | (repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode
        |symlinks|name|email|defaultbranch|remote|merge|fetch|url)
        \s*+ = ( [\w\s./@+*-] | :(?!:) )*+
    )?""",
    re.VERBOSE | re.IGNORECASE,
)
# Steps of a rebase except `exec`, which starts a program.
_HARMLESS_STEP: Final = re.compile(rb"\s*+(?!x\s|exec\s).*+", re.DOTALL)
_HARMLESS_LINES: Final = {"config": _HARMLESS_SETTING, REBASE_STEPS: _HARMLESS_STEP}

Parts: TypeAlias = tuple[str, ...]
"""A place, as the names that lead to it from the top."""


def is_harmless(top: int, parts: Parts) -> bool:
    """Return whether a path is empty, as a placeholder is, or has only harmless Git settings."""
    with suppress(OSError):
        folder = open_beneath(top, parts, READ_FOLDER)
        try:
            with os.scandir(folder) as entries:
                return next(entries, None) is None
        finally:
            os.close(folder)
    try:
        with regular_file_beneath(top, parts, "") as (descriptor, status):
            if status.st_size == 0:
                return True
            harmless = _HARMLESS_LINES.get(parts[-1])
            if harmless is None:
                return False
            data = read_up_to(descriptor, SETTINGS_LIMIT_BYTES, "")
    except ToolError:
        return False
    return data is not None and all(map(harmless.fullmatch, data.split(b"\n")))


def rename_aside(top: int, parts: Parts) -> str:
    """Rename a path within its folder; return a sentence with both names, or why it failed."""
    shown = "/".join(parts)
    try:
        with parent_beneath(top, parts) as folder:
            return f"{shown} (now {_rename(folder, parts[-1])})"
    except OSError as exc:
        return f"{shown} (which could not be renamed: {exc.strerror})"


def _rename(folder: int, name: str) -> str:
    mode = os.fstat(folder).st_mode
    if mode & stat.S_IRWXU != stat.S_IRWXU:
        os.fchmod(folder, stat.S_IMODE(mode) | stat.S_IRWXU)
    stem = os.fsdecode(os.fsencode(name)[:_NAME_BYTES])
    fresh = f"{stem}{ASIDE}"
    while _is_taken(folder, fresh):
        fresh = f"{stem}.{secrets.token_hex(4)}{ASIDE}"
    os.rename(name, fresh, src_dir_fd=folder, dst_dir_fd=folder)
    return fresh


def _is_taken(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
