"""Read a file that a user attaches, once and whole, and have a worker describe it.

Paths come from the user, by a dialog, a drop or the clipboard. Later changes of the file do not
matter: the chat uses the contents that were read here.
"""

import asyncio
import hashlib
import os
import stat
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from local_tools.attached_file import (
    ATTACHMENT_LIMIT_BYTES,
    DRAWN,
    SIDE_LIMIT_PX,
    AttachmentReference,
    ContentImage,
)
from local_tools.attachments.document import FileError, FileFault, FileKind
from local_tools.attachments.file_kinds import text_kind
from local_tools.attachments.file_tools import (
    FileDescription,
    describe_attachment,
    draw_attachment,
)
from local_tools.canonical import FrozenJson, freeze
from local_tools.errors import ToolError
from local_tools.execution.prepare import CallPlaces, prepare
from local_tools.execution.tool_runner import ToolRunner
from local_tools.outcome import ToolOutcome
from local_tools.secrets.files import sounds_secret
from local_tools.threads import run_in_thread
from local_tools.tool import AnyTool

_READ_LIMIT_S: Final = 10.0
_LOOK_LIMIT_S: Final = 1.0
_SMALL_BYTES: Final = 32 * 1024
_CHUNK_BYTES: Final = 1024 * 1024
_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
T = TypeVar("T")

_UNITS: Final = frozenset({"", "page", "slide", "chapter", "sheet"})
_MOST_PARTS: Final = 10_000_000
_DESCRIPTION: Final = TypeAdapter(FileDescription)


class FileIntake:
    """Reads files and describes them. Lives as long as the program."""

    def __init__(self, workers: ToolRunner, *, read_limit_s: float = _READ_LIMIT_S) -> None:
        self._workers = workers
        self._read_limit_s = read_limit_s

    async def read(self, path: Path) -> bytes:
        """Return all of a file.

        Raises:
            FileError: It is not a file, is too large, or cannot be read within 10 s.
        """
        try:
            return await _answered(lambda: _read(path), self._read_limit_s)
        except TimeoutError:
            raise FileError(path.name, FileFault.SLOW) from None

    async def name_of(self, path: Path) -> str:
        """Return the name of a file, or of the file with secrets that a link of that name hides."""
        try:
            return await _answered(lambda: _told_name(path), self._read_limit_s)
        except (TimeoutError, OSError, ValueError):
            return path.name

    async def describe(
        self, name: str, content: bytes
    ) -> tuple[FileDescription, ContentImage | None]:
        """Return the description of a file; its `fault` says why if it cannot be read.

        For an image, also return the form that is sent: scaled down and re-encoded.
        """
        if len(content) <= _SMALL_BYTES and (kind := text_kind(name, content)):
            # Nothing of it is parsed, so no worker is started for it.
            return FileDescription(kind), None
        outcome = await self._run(describe_attachment, name, content)
        if outcome.status == "timed_out":
            return FileDescription(fault=FileFault.TOO_LARGE), None
        try:
            found = _DESCRIPTION.validate_json(outcome.text)
        except ValidationError:
            # Reading the file broke the worker, which therefore described nothing.
            return FileDescription(fault=FileFault.BROKEN), None
        if not _is_possible(found):
            return FileDescription(fault=FileFault.BROKEN), None
        image = next(iter(outcome.images), None)
        if found.kind is FileKind.IMAGE and (image is None or not is_sendable(image)):
            return FileDescription(fault=FileFault.BROKEN), None
        return found, image

    async def draw(self, name: str, content: bytes, width: int, height: int) -> ContentImage | None:
        """Return an image's pixels, scaled to fit into a box; None if it cannot be decoded."""
        outcome = await self._run(draw_attachment, name, content, width=width, height=height)
        image = next(iter(outcome.images), None)
        if image is None or not (0 < image.width <= width and 0 < image.height <= height):
            return None
        is_whole = len(image.data) == image.width * image.height * 4
        return image if image.media_type == DRAWN and is_whole else None

    async def _run(
        self, asked: AnyTool, name: str, content: bytes, **values: FrozenJson
    ) -> ToolOutcome:
        # Of the largest file it takes longer than the window may stand still.
        digest = await run_in_thread(hashlib.sha256, content)
        reference = AttachmentReference(name, digest.hexdigest(), len(content))
        places = CallPlaces(attachments=(reference,))
        call = prepare(asked, freeze({"file": name, **values}), places)
        return await self._workers.run(call, content=content)


def _is_possible(found: FileDescription) -> bool:
    """Return whether a worker can have found this; a hostile file may have taken it over."""
    numbers = (found.count, found.width, found.height)
    return found.unit in _UNITS and all(0 <= number <= _MOST_PARTS for number in numbers)


def is_sendable(image: ContentImage) -> bool:
    """Return whether a service accepts this image, judged by its first bytes."""
    starts = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
    start = starts.get(image.media_type)
    is_small = 0 < image.width <= SIDE_LIMIT_PX and 0 < image.height <= SIDE_LIMIT_PX
    return start is not None and image.data.startswith(start) and is_small


async def is_folder(path: Path) -> bool:
    """Return whether a path is a folder; False if the disk does not answer within a second."""
    try:
        return await _answered(path.is_dir, _LOOK_LIMIT_S)
    except (TimeoutError, OSError, ValueError):
        return False


async def _answered(work: Callable[[], T], limit_s: float) -> T:
    """Return what blocking work returns, unless a drive hangs.

    Raises:
        ToolError: What the work raised, as are an `OSError` and a `ValueError`.
        TimeoutError: It has not answered; nothing waits for it any more, at the end of the
            program neither.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def settle(act: Callable[[], None]) -> None:
        if not answer.done():
            act()

    def run() -> None:
        try:
            result = work()
        except (ToolError, OSError, ValueError) as exc:
            act = partial(answer.set_exception, exc)
        else:
            act = partial(answer.set_result, result)
        # Whoever waited may have closed the program meanwhile.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, act)

    threading.Thread(target=run, name="look at file", daemon=True).start()
    async with asyncio.timeout(limit_s):
        return await answer


def _told_name(path: Path) -> str:
    """Return the name of a file, or that of its link's target if that usually holds secrets."""
    target = Path(os.path.realpath(path)).name
    return target if sounds_secret(target) else path.name


def _made_by_the_system() -> set[int]:
    """Return the devices of files that are no files: variables and memory of processes (Linux)."""
    found: set[int] = set()
    for place in ("/proc", "/sys") if sys.platform == "linux" else ():
        with suppress(OSError):
            found.add(Path(place).stat().st_dev)
    return found


def _read(path: Path) -> bytes:
    try:
        descriptor = os.open(path, _FLAGS)
    except (OSError, ValueError) as exc:
        # A path that no file can have, such as one with a NUL, is a `ValueError`.
        raise FileError(path.name, FileFault.UNREADABLE) from exc
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_dev in _made_by_the_system():
            raise FileError(path.name, FileFault.NO_FILE)
        if status.st_size > ATTACHMENT_LIMIT_BYTES:
            raise FileError(path.name, FileFault.OVER_LIMIT)
        # In one piece, where it stays as it is: to put pieces together keeps other threads waiting.
        parts = [os.read(descriptor, status.st_size + 1)]
        size = len(parts[0])
        while parts[-1] and size <= ATTACHMENT_LIMIT_BYTES:
            parts.append(os.read(descriptor, _CHUNK_BYTES))
            size += len(parts[-1])
        if size > ATTACHMENT_LIMIT_BYTES:
            raise FileError(path.name, FileFault.OVER_LIMIT)
    except OSError as exc:
        raise FileError(path.name, FileFault.UNREADABLE) from exc
    finally:
        os.close(descriptor)
    if not size:
        raise FileError(path.name, FileFault.EMPTY)
    return b"".join(filter(None, parts))
