"""Files and folders that appear whole or not at all."""

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.error_text import Reason
from app.errors import UserFacingError


class NotWritten(UserFacingError):
    """A file could not be written; nothing of it is left."""


class AlreadyThere(UserFacingError):
    """Something of this name is there, and was left alone."""

    def __init__(self, path: Path) -> None:
        super().__init__(Reason.EXPORT_EXISTS, {"name": path.name})


@contextmanager
def appearing_file(target: Path, *, may_replace: bool) -> Iterator[Path]:
    """Give a path to write to; at the end of the block it becomes `target`.

    Whatever ends the block early leaves nothing behind.

    Raises:
        AlreadyThere: the target exists and may not be replaced.
        NotWritten: the disk is full, or the folder may not be written.
    """
    with _in_words(target), _own_folder(target) as folder:
        if target.is_dir():
            raise IsADirectoryError
        part = folder / target.name
        yield part
        if not may_replace:
            _reserve(target)
        part.replace(target)


@contextmanager
def appearing_folder(target: Path) -> Iterator[Path]:
    """Give an empty folder to write into; at the end of the block it becomes `target`.

    Raises:
        AlreadyThere: the target exists.
        NotWritten: the disk is full, or the folder may not be written.
    """
    with _in_words(target), _own_folder(target) as folder:
        part = folder / "chats"
        part.mkdir()
        yield part
        if target.exists():
            raise AlreadyThere(target)
        part.replace(target)


def settle(files: Iterable[Path]) -> None:
    """Wait until these files are on the disk: a name must not be older than its contents."""
    for path in files:
        # Windows wants to write what it settles.
        with path.open("r+b") as file:
            os.fsync(file.fileno())


def names_in(folder: Path) -> frozenset[str]:
    """The names that are taken in a folder; none where nobody may look."""
    try:
        return frozenset(path.name for path in folder.iterdir())
    except OSError:
        return frozenset()


@contextmanager
def _own_folder(target: Path) -> Iterator[Path]:
    """Beside the target, so that the last step is a rename; only its owner reads what is in it."""
    folder = Path(tempfile.mkdtemp(dir=target.parent, prefix=".parley-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _reserve(target: Path) -> None:
    try:
        target.open("x").close()
    except FileExistsError:
        raise AlreadyThere(target) from None


@contextmanager
def _in_words(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        raise NotWritten(Reason.EXPORT_NOT_WRITTEN, {"name": target.name}) from exc
