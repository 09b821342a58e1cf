"""Resolve a path as the assistant wrote it to a root folder and the names below it.

Relative paths start at the chat's folder, `~` at the user's home, absolute ones stand for
themselves. The result is what the approval card shows and what the worker opens, beneath the
root, by descriptor. Nothing is opened here.
"""

import os
import re
import stat
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final

from local_tools.errors import NoFolderError, ToolError, explain_os_error

_LENGTH_LIMIT: Final = 4096
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_DEVICE_NAMES: Final = re.compile(r"(CON|PRN|AUX|NUL|COM[0-9]|LPT[0-9])(\..*)?", re.IGNORECASE)
_IS_WINDOWS: Final = os.name == "nt"

NO_FOLDER_WORDS: Final = "No folder is chosen for this chat"
NO_FOLDER: Final = (
    f"{NO_FOLDER_WORDS}, so only absolute paths and paths that begin with ~/ have a place."
)


@dataclass(frozen=True, slots=True)
class ResolvedPath:
    """An absolute place, split into a root folder and the names below it.

    Attributes:
        root: An existing folder; its path contains no links.
        parts: The names below it; empty for the root itself.
        is_inside_folder: The root is the chat's folder. Every call elsewhere needs approval.
        is_meant_as_folder: The path was written with a `/` at its end.
    """

    root: Path
    parts: tuple[str, ...]
    is_inside_folder: bool
    is_meant_as_folder: bool = False

    @property
    def absolute(self) -> Path:
        """The absolute path, as it is shown."""
        return self.root.joinpath(*self.parts)

    @property
    def relative(self) -> str:
        """The path relative to the root; `.` for the root itself."""
        return "/".join(self.parts) or "."


def resolve(path_text: str, folder: Path | None, home: Path) -> ResolvedPath:
    """Resolve `path_text`.

    Args:
        path_text: The path as the assistant wrote it.
        folder: The chat's folder, if one is chosen.
        home: The meaning of `~`.

    Raises:
        ToolError: When the form of the path is refused, or its folder does not exist.
    """
    refuse_form(path_text)
    is_meant_as_folder = path_text.rpartition("/")[2] in ("", ".")
    return replace(_found(path_text, folder, home), is_meant_as_folder=is_meant_as_folder)


def named_path(path_text: str, folder: Path | None, home: Path) -> tuple[Path, ...]:
    """Resolve a path against each name (through links) of the chat's folder; follow no link in it.

    Raises:
        ToolError: When the form of the path is refused, or there is no folder for it.
    """
    refuse_form(path_text)
    expanded = _expand_home(path_text, home)
    if folder is None and not expanded.is_absolute():
        raise NoFolderError(NO_FOLDER)
    folders = () if folder is None else (folder, led_to(folder))
    return tuple(dict.fromkeys(base / expanded for base in folders)) or (expanded,)


def moved_to(destination: ResolvedPath, moved: ResolvedPath) -> ResolvedPath:
    """Return the final place of a moved file: inside `destination` if that is meant as a folder.

    A moved folder takes the name of a destination that does not exist, with or without a slash at
    its end.
    """
    if not destination.is_meant_as_folder or not moved.parts:
        return destination
    if stat.S_ISDIR(_mode(moved.absolute)) and not _mode(destination.absolute):
        return destination
    parts = (*destination.parts, moved.parts[-1])
    return replace(destination, parts=parts, is_meant_as_folder=False)


def led_to(folder: Path) -> Path:
    """Return the path of a folder with all links resolved; it need not exist."""
    return Path(os.path.realpath(folder))


def real_folder(folder: Path) -> Path:
    """Return the path of an existing folder with all links resolved.

    Raises:
        ToolError: When there is no such folder.
    """
    try:
        real = folder.resolve(strict=True)
    except (OSError, RuntimeError):
        raise ToolError(f"The folder {folder} is not there.") from None
    if not real.is_dir():
        raise ToolError(f"{folder} is not a folder.")
    return speakable(real)


def speakable(path: Path) -> Path:
    """Return the path; refuse one that is not valid Unicode, since it could not be displayed.

    Raises:
        ToolError: When it is refused.
    """
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise ToolError("The path contains bytes that are not text (UTF-8).") from None
    return path


def refuse_form(path_text: str, *, is_windows: bool = _IS_WINDOWS) -> None:
    """Refuse suspicious forms of a path, whether or not anything exists there.

    Raises:
        ToolError: When it is refused; the message says why.
    """
    if not path_text:
        raise ToolError("The path is empty.")
    if "\0" in path_text:
        raise ToolError("The path contains a NUL character.")
    if len(path_text) > _LENGTH_LIMIT:
        raise ToolError(f"The path is longer than {_LENGTH_LIMIT:,} characters.")
    if "\\" in path_text or _DRIVE.match(path_text):
        raise ToolError("Windows forms of paths are refused; write the path with / and no drive.")
    names = path_text.split("/")
    if ".." in names:
        raise ToolError("Paths with “..” are refused; write where the file is.")
    if is_windows and any(_is_odd_on_windows(name) for name in names):
        raise ToolError("The path contains a name that means something else on Windows.")


def _mode(path: Path) -> int:
    """Return the mode bits of a path; 0 if it does not exist or cannot be examined."""
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def _is_odd_on_windows(name: str) -> bool:
    has_odd_end = name not in ("", ".") and name[-1] in ". "
    return ":" in name or has_odd_end or _DEVICE_NAMES.fullmatch(name) is not None


def _found(path_text: str, folder: Path | None, home: Path) -> ResolvedPath:
    root = None if folder is None else real_folder(folder)
    expanded = _expand_home(path_text, home)
    if not expanded.is_absolute():
        if root is None:
            raise NoFolderError(NO_FOLDER)
        return ResolvedPath(root, _names(expanded), is_inside_folder=True)
    if folder is not None and root is not None:
        for base in (folder, root):
            if expanded.is_relative_to(base):
                return ResolvedPath(root, _names(expanded.relative_to(base)), True)
    return _resolve_outside(expanded, root)


def _expand_home(path_text: str, home: Path) -> Path:
    first, _, rest = path_text.partition("/")
    if not first.startswith("~"):
        return Path(path_text)
    if first != "~":
        raise ToolError(f"{first} is refused; only ~/ is known, or ./{first} for a file so named.")
    return home / rest.lstrip("/")


def _names(path: Path) -> tuple[str, ...]:
    return PurePosixPath(path.as_posix()).parts


def _resolve_outside(path: Path, root: Path | None) -> ResolvedPath:
    try:
        real = path.resolve()
        is_folder = real.is_dir()
    except RuntimeError:
        raise ToolError(f"{path} is a link that leads to itself.") from None
    except OSError as exc:
        raise explain_os_error(exc, path) from exc
    if root is not None and real.is_relative_to(root):
        return ResolvedPath(root, _names(speakable(real).relative_to(root)), True)
    if is_folder:
        return ResolvedPath(speakable(real), (), False)
    return ResolvedPath(real_folder(speakable(real).parent), (real.name,), False)
