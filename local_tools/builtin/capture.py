"""What a program writes: the beginning and the end are kept, the middle is counted."""

import os
import selectors
import subprocess
from collections.abc import Callable
from typing import Final

from local_tools.limits import HEAD_BYTES, TAIL_BYTES, output_text

_LATEST_BYTES: Final = 2048
_CHUNK_BYTES: Final = 64 * 1024
_CHUNKS_AT_ONCE: Final = 64


class Capture:
    """The output of one program. Lives as long as the call; whoever made it closes it."""

    def __init__(self, keep: Callable[[bytes], None]) -> None:
        """Take what is also told every byte."""
        self._keep = keep
        self.total_bytes = 0
        self._head = bytearray()
        self._tail = bytearray()
        self._descriptor = -1

    @property
    def cut_bytes(self) -> int:
        """How much was left out."""
        return self.total_bytes - len(self._head) - len(self._tail)

    def attach(self, process: "subprocess.Popen[bytes]", selector: selectors.BaseSelector) -> None:
        """Take over the pipe of a program and watch it."""
        if process.stdout is None:
            return
        self._descriptor = os.dup(process.stdout.fileno())
        process.stdout.close()
        os.set_blocking(self._descriptor, False)
        selector.register(self._descriptor, selectors.EVENT_READ)

    def read_available(self, selector: selectors.BaseSelector) -> bool:
        """Read what is there; true when nothing is left for now or for ever."""
        for _ in range(_CHUNKS_AT_ONCE):
            if self._descriptor < 0:
                return True
            try:
                chunk = os.read(self._descriptor, _CHUNK_BYTES)
            except BlockingIOError:
                return True
            if not chunk:
                selector.unregister(self._descriptor)
                self.close()
            self._add(chunk)
        return False

    def text(self) -> str:
        """The output as text; bytes that are no UTF-8 are replaced."""
        return output_text(self._head, self._tail, self.cut_bytes)

    def latest(self) -> str:
        """What was written last, as text: a few lines for somebody who looks on."""
        data = bytes((self._tail or self._head)[-_LATEST_BYTES:])
        return data.decode("utf-8", "replace")

    def close(self) -> None:
        """Let go of the pipe."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _add(self, chunk: bytes) -> None:
        self._keep(chunk)
        self.total_bytes += len(chunk)
        room = HEAD_BYTES - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:]
        del self._tail[:-TAIL_BYTES]
