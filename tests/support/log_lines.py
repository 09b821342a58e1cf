"""The log of a service in the test's own loop, as the service itself would write it."""

import asyncio
import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from local_server.observability.logs import LogFormat, log_handler

Line = dict[str, Any]


class LogLines:
    """What was logged, at every level."""

    def __init__(self) -> None:
        self._stream = io.StringIO()
        self._news = asyncio.Event()

    @property
    def text(self) -> str:
        """All of it."""
        return self._stream.getvalue()

    @property
    def lines(self) -> list[Line]:
        """Its lines, of a log in JSON."""
        return [json.loads(line) for line in self.text.splitlines()]

    async def request(self, route: str, **fields: object) -> Line:
        """Wait for the line of a request, with these fields, and return it."""
        wanted = {"message": "request", "route": route, **fields}
        async with asyncio.timeout(20):
            while True:
                self._news.clear()
                for line in self.lines:
                    if wanted.items() <= line.items():
                        return line
                await self._news.wait()

    def add(self, handler: logging.Handler, record: logging.LogRecord) -> None:
        """Take a record in."""
        if handler.filter(record):
            self._stream.write(f"{handler.format(record)}\n")
            self._news.set()


class _Keeper(logging.Handler):
    def __init__(self, lines: LogLines, writer: logging.Handler) -> None:
        super().__init__()
        self._lines = lines
        self._writer = writer

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.add(self._writer, record)


@contextmanager
def log_lines(log_format: LogFormat = LogFormat.JSON) -> Iterator[LogLines]:
    """Collect the log within this block."""
    lines = LogLines()
    keeper = _Keeper(lines, log_handler(log_format, io.StringIO()))
    root = logging.getLogger()
    level = root.level
    root.addHandler(keeper)
    root.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        root.setLevel(level)
        root.removeHandler(keeper)
