"""Sends the log to standard error."""

import logging
import sys
from enum import StrEnum
from typing import TextIO

from local_server.observing.log_lines import JsonLines, OwnOrUrgent, TextLines


class LogFormat(StrEnum):
    """How a line of the log looks."""

    TEXT = "text"
    JSON = "json"


def log_to_stderr(log_format: LogFormat) -> None:
    """Send the log to standard error, a line each; what was set up before is replaced."""
    handler = log_handler(log_format, sys.stderr)
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    # What strangers send is nothing that anybody could act on.
    logging.getLogger("uvicorn").setLevel(logging.ERROR)


def log_handler(log_format: LogFormat, stream: TextIO) -> logging.Handler:
    """Make what writes the log to a stream."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines() if log_format is LogFormat.JSON else TextLines())
    handler.addFilter(OwnOrUrgent())
    return handler
