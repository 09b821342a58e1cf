"""How much a server may say: what comes faster than anybody can use is dropped or waits."""

import time
from collections.abc import Callable
from typing import Final

from mcp_types import JSONRPCMessage, JSONRPCResponse

NOTICES_PER_S: Final = 10
# A server that says more is read more slowly, until its own pipe is full.
LINES_PER_S: Final = 200
LINE_LIMIT_BYTES: Final = 4 * 1024 * 1024


class Allowance:
    """So many things a second. Lives as long as a connection."""

    def __init__(self, per_s: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_s = per_s
        self._clock = clock
        self._began_at = clock()
        self._used = 0
        self.dropped = 0

    def take(self) -> bool:
        """Whether one more is allowed in this second."""
        now = self._clock()
        if now - self._began_at >= 1.0:
            self._began_at, self._used = now, 0
        self._used += 1
        if self._used <= self._per_s:
            return True
        self.dropped += 1
        return False

    def wait_s(self) -> float:
        """How long until there is more."""
        return max(0.0, self._began_at + 1.0 - self._clock())


def drop_result_schemas(message: JSONRPCMessage) -> None:
    """Leave out of a list of tools how their results look.

    The SDK would check results against it here and now, with every pattern that a stranger wrote.
    """
    tools = message.result.get("tools") if isinstance(message, JSONRPCResponse) else None
    for tool in tools if isinstance(tools, list) else ():
        if isinstance(tool, dict):
            tool.pop("outputSchema", None)
