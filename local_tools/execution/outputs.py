"""Keep the whole output of a call's program in a file if the result was cut.

The files are stored beside the copies for undoing, so they are deleted with their conversation, and
when they are too old or too many. Blocking; called in threads.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from local_tools.ledger.steps import CallKey
from local_tools.limits import HEAD_BYTES, SHOWN_LIMIT_BYTES, TAIL_BYTES, output_text
from local_tools.tool import Output
from local_tools.undo.undo import RecordFolder

log = logging.getLogger(__name__)

_NAME: Final = "output"
# The total size of all files, not counting the one that is being written.
_KEPT_LIMIT_BYTES: Final = 64 * 1024 * 1024


class OutputFiles:
    """The kept outputs of all calls. Made by the program at start; holds no open file."""

    def __init__(self, folder: Path, kept_limit_bytes: int = _KEPT_LIMIT_BYTES) -> None:
        """Use `folder`, where the copies for undoing are stored as well."""
        self._folder = folder
        self._kept_limit_bytes = kept_limit_bytes

    @contextmanager
    def opened(self, key: CallKey) -> Iterator[int | None]:
        """Yield a new open file for a call's output; None if none can be created."""
        descriptor = self._made(key)
        try:
            yield descriptor
        finally:
            if descriptor is not None:
                os.close(descriptor)

    def find(self, key: CallKey) -> Path | None:
        """Return the path of a call's output file, if the result was cut and the file is kept."""
        path = self._path(key)
        return path if path.is_file() else None

    def read(self, key: CallKey) -> Output | None:
        """Read the output of a call, cut as a result would be; None if none is kept."""
        try:
            with self._path(key).open("rb") as file:
                cut_bytes = max(0, os.fstat(file.fileno()).st_size - SHOWN_LIMIT_BYTES)
                head = file.read(HEAD_BYTES if cut_bytes else SHOWN_LIMIT_BYTES)
                tail = b""
                if cut_bytes:
                    file.seek(-TAIL_BYTES, os.SEEK_END)
                    tail = file.read(TAIL_BYTES)
        except OSError:
            return None
        return Output(output_text(head, tail, cut_bytes), cut_bytes)

    def drop(self, key: CallKey) -> None:
        """Delete the file of a call whose result is complete."""
        path = self._path(key)
        try:
            path.unlink(missing_ok=True)
            # Another record of the call may lie there, too.
            if not any(path.parent.iterdir()):
                path.parent.rmdir()
        except OSError as exc:
            log.info("Cannot delete the output of the call %s: %s", key.call_id, exc.strerror)

    def _path(self, key: CallKey) -> Path:
        return RecordFolder(self._folder, key).path / _NAME

    def _made(self, key: CallKey) -> int | None:
        path = self._path(key)
        try:
            self._make_room()
            for folder in (self._folder, path.parent.parent, path.parent):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
            return os.open(path, flags, 0o600)
        except OSError as exc:
            log.info("Cannot save the output of the call %s: %s", key.call_id, exc.strerror)
            return None

    def _make_room(self) -> None:
        """Delete the oldest outputs while there are too many bytes."""
        kept = [(file.stat(), file) for file in self._folder.glob(f"*/*/{_NAME}")]
        total_bytes = sum(status.st_size for status, _ in kept)
        for status, file in sorted(kept, key=lambda item: item[0].st_mtime):
            if total_bytes <= self._kept_limit_bytes:
                return
            file.unlink(missing_ok=True)
            total_bytes -= status.st_size
