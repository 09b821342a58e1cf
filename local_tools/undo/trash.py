"""Move to the system's trash exactly the file that was shown.

On Linux the file is moved to the trash in the user's home (freedesktop.org, "Trash specification
1.0") by descriptor, so that swapping a folder on the way cannot redirect the move. On another disk
or system, Send2Trash moves it by its path.
"""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import quote

from local_tools.errors import ToolError, explain_os_error
from local_tools.paths.beneath import READ_FOLDER
from local_tools.paths.guarded_path import GuardedPath

_NAMES_LIMIT: Final = 1_000
_ENTRIES_LIMIT: Final = 100_000


def move_to_trash(target: GuardedPath) -> None:
    """Move a file or folder to the trash if it is still what was shown.

    Raises:
        ToolError: When it is not what was shown or cannot be moved; nothing has changed then.
    """
    if sys.platform == "linux":
        try:
            _move_by_descriptor(target)
        except OSError as exc:
            if exc.errno != errno.EXDEV:
                raise explain_os_error(exc, target) from exc
        else:
            return
    _move_by_path(target)


def find_in_trash(device: int, inode: int) -> str | None:
    """Return the name in the home trash of the file with this device and inode, if it is there."""
    try:
        with os.scandir(home_trash() / "files") as entries:
            few = islice(entries, _ENTRIES_LIMIT)
            return next((item.name for item in few if _is_thing(item, device, inode)), None)
    except OSError:
        return None


def _is_thing(entry: "os.DirEntry[str]", device: int, inode: int) -> bool:
    try:
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return False
    return (status.st_dev, status.st_ino) == (device, inode)


def restore_from_trash(name: str, target: GuardedPath) -> None:
    """Move a file from the home trash back to `target`, which must be free.

    Raises:
        ToolError: When it cannot be moved; then it is still in the trash.
    """
    try:
        with _opened(home_trash() / "files") as files, _opened(home_trash() / "info") as info:
            target.move_from(files, name)
            with suppress(FileNotFoundError):
                os.unlink(f"{name}.trashinfo", dir_fd=info)
    except OSError as exc:
        raise explain_os_error(exc, target) from exc


def home_trash() -> Path:
    """Return the trash folder of the user's home (Linux)."""
    data = os.environ.get("XDG_DATA_HOME", "")
    base = Path(data) if Path(data).is_absolute() else Path.home() / ".local" / "share"
    return base / "Trash"


def _move_by_descriptor(target: GuardedPath) -> None:
    with _opened(home_trash() / "files") as files, _opened(home_trash() / "info") as info:
        name = _take_name(info, files, target.absolute)
        try:
            target.hand_over(files, name)
        except BaseException:
            os.unlink(f"{name}.trashinfo", dir_fd=info)
            raise


def _take_name(info: int, files: int, path: Path) -> str:
    """Reserve a name by the file that says where the thing came from."""
    # Local time without a zone is what the specification asks for.
    now = datetime.now().strftime("%Y-%m-%dT%H:%M:%S")  # noqa: DTZ005
    text = f"[Trash Info]\nPath={quote(str(path))}\nDeletionDate={now}\n"
    for number in range(1, _NAMES_LIMIT):
        name = path.name if number == 1 else f"{path.stem}.{number}{path.suffix}"
        if _is_taken(files, name):
            continue
        with suppress(FileExistsError):
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            descriptor = os.open(f"{name}.trashinfo", flags, 0o600, dir_fd=info)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            return name
    raise ToolError(f"The trash has too many things named {path.name}.")


def _is_taken(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _move_by_path(target: GuardedPath) -> None:
    import send2trash  # noqa: PLC0415 - most calls of most tools never need it

    target.check()
    try:
        send2trash.send2trash(str(target))
    except OSError as exc:
        raise ToolError(f"{target} could not be put into the trash and is where it was.") from exc


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(folder, READ_FOLDER | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
