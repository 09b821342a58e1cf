"""The protocol between the program and a worker: length-prefixed JSON frames in both directions.

The program sends one request, followed by the contents of the attachment that it names, if any. The
worker answers with any number of `progress` frames and exactly one `result` frame, followed by the
bytes of the images that the frame lists.
"""

import json
import os
from dataclasses import asdict, dataclass
from functools import cache
from typing import Final, Literal, Protocol, TypeAlias

from local_tools.limits import RESULT_LIMIT_BYTES

HEADER_BYTES: Final = 4
# The number of images that a tool may return beside its text, and their total size.
IMAGES_LIMIT: Final = 8
IMAGES_LIMIT_BYTES: Final = 16 * 1024 * 1024
# In JSON one byte of text may take six.
FRAME_LIMIT_BYTES: Final = 6 * RESULT_LIMIT_BYTES + 4096

ResultStatus: TypeAlias = Literal["ok", "failed", "timed_out"]


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """An image that a tool returned, whose bytes follow the frame."""

    name: str
    media_type: str
    width: int
    height: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class ResultFrame:
    """The outcome of the call; the bytes of its images follow the frame, in order."""

    status: ResultStatus
    text: str
    cut_bytes: int = 0
    images: tuple[ImageHeader, ...] = ()
    type: Literal["result"] = "result"


@dataclass(frozen=True, slots=True)
class ProgressFrame:
    """The progress of the call."""

    done: float
    total: float | None
    text: str
    type: Literal["progress"] = "progress"


Frame: TypeAlias = ResultFrame | ProgressFrame


def encode(frame: Frame) -> bytes:
    """Return a frame as bytes, with its header."""
    return with_header(json.dumps(asdict(frame), ensure_ascii=False).encode())


def decode(data: bytes) -> Frame:
    """Parse a frame from its JSON.

    Raises:
        ValueError: When it is none.
    """
    return _reader().validate_json(data)


def with_header(data: bytes) -> bytes:
    """Prefix the data with its length."""
    return len(data).to_bytes(HEADER_BYTES, "big") + data


def length_of(header: bytes) -> int:
    """Parse the length in a header.

    Raises:
        ValueError: When it is beyond the limit.
    """
    length = int.from_bytes(header, "big")
    if length > FRAME_LIMIT_BYTES:
        raise ValueError(f"a frame of {length} bytes")
    return length


def read_exactly(descriptor: int, size: int) -> bytes:
    """Read from a pipe without Python's buffers.

    Raises:
        EOFError: When the pipe ends before.
    """
    data = bytearray()
    while len(data) < size:
        chunk = os.read(descriptor, size - len(data))
        if not chunk:
            raise EOFError
        data += chunk
    return bytes(data)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all the data to a pipe, which may take less at once."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


class _Reader(Protocol):
    def validate_json(self, data: bytes, /) -> Frame: ...


@cache
def _reader() -> _Reader:
    # Only the program reads what a worker says, and a worker does without the library.
    from pydantic import TypeAdapter  # noqa: PLC0415

    return TypeAdapter[Frame](Frame)
