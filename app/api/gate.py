"""The byte gate in front of the decoder of server-sent events.

The decoder takes lines on trust. The gate hands it whole events only: the byte order mark gone,
all three forms of line end made one, broken UTF-8 replaced, and everything bounded.
"""

import codecs
from dataclasses import dataclass

_MEBIBYTE = 1024 * 1024
_SLICE_BYTES = 16 * 1024
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class StreamLimits:
    """How much of a reply is taken.

    A line is part of an event, so the event's limit holds for the line too.
    """

    event_bytes: int = 4 * _MEBIBYTE
    stream_bytes: int = 64 * _MEBIBYTE
    events: int = 100_000
    silence_s: float = 120.0
    ending_s: float = 2.0


class GateError(ValueError):
    """The stream is larger than its limits."""


class ByteGate:
    """Collects the bytes of one stream and lets whole events through.

    Made for one reply; holds no resources.
    """

    def __init__(self, limits: StreamLimits) -> None:
        self._limits = limits
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._is_at_start = True
        self._is_after_cr = False
        self._is_at_line_start = True
        self._total_bytes = 0
        self._pending: list[str] = []
        self._pending_bytes = 0

    def feed(self, chunk: bytes) -> str:
        """Take what the network brought; return the events that are now whole, or nothing.

        Raises:
            GateError: an event or the whole stream is too large.
        """
        self._total_bytes += len(chunk)
        if self._total_bytes > self._limits.stream_bytes:
            raise GateError("the stream is too large")
        slices = range(0, len(chunk), _SLICE_BYTES)
        return "".join(self._feed_slice(chunk[at : at + _SLICE_BYTES]) for at in slices)

    def _feed_slice(self, part: bytes) -> str:
        text = self._normalised(self._decoder.decode(part))
        whole, rest = self._split(text)
        if whole:
            whole = "".join((*self._pending, whole))
            self._pending = []
            self._pending_bytes = len(rest.encode())
        else:
            self._pending_bytes += len(part)
        if rest:
            self._pending.append(rest)
        if self._pending_bytes > self._limits.event_bytes:
            raise GateError("an event is too large")
        return whole

    def _normalised(self, text: str) -> str:
        """The text with LF for CR and CRLF, a CRLF cut in two by the network included."""
        if not text:
            return text
        if self._is_at_start:
            self._is_at_start = False
            text = text.removeprefix(_BYTE_ORDER_MARK)
        if self._is_after_cr:
            # Nothing may wait for the second half: a lone CR ends a line too.
            self._is_after_cr = False
            text = text.removeprefix("\n")
        if text:
            self._is_after_cr = text.endswith("\r")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def _split(self, text: str) -> tuple[str, str]:
        """Cut behind the last blank line: what is whole, and what is not yet."""
        if not text:
            return "", ""
        border = text.rfind("\n\n")
        cut = border + 2
        if border < 0:
            cut = 1 if self._is_at_line_start and text[0] == "\n" else 0
        self._is_at_line_start = text[-1] == "\n"
        return text[:cut], text[cut:]
