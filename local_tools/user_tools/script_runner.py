"""Runs one function of a user's tool, on the interpreter that the tool names.

This text is handed to that interpreter: plain Python from 3.8 on, and nothing of Parley. It reads
one request from its standard input and writes its progress and result as lines of JSON.
"""

from __future__ import annotations

import asyncio
import functools
import importlib.util
import inspect
import json
import os
import pathlib
import sys
import types
from typing import Any

_TEXT_CHARS = 4 * 1024 * 1024


class ToolError(Exception):
    """A call did not work; the message is a sentence for the assistant and the user."""


class Context:
    """Given to a function that has a parameter of this type."""

    def __init__(self, outgoing: int) -> None:
        self._outgoing = outgoing

    def progress(self, done: float, total: float | None = None, text: str = "") -> None:
        """Tell how far the tool has come."""
        said = {"done": done, "total": total, "text": str(text)[:4096]}
        _send(self._outgoing, {"progress": said})


def _send(outgoing: int, message: Any) -> None:
    data = json.dumps(message).encode() + b"\n"
    while data:
        data = data[os.write(outgoing, data) :]


def _load(folder: str, file: str) -> types.ModuleType:
    sys.path.insert(0, folder)
    name = file[: -len(".py")]
    spec = importlib.util.spec_from_file_location(name, os.path.join(folder, file))  # noqa: PTH118
    if spec is None or spec.loader is None:
        raise ImportError(file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _call(order: Any, outgoing: int) -> str:
    function = getattr(_load(order["folder"], order["file"]), order["function"])
    values = dict(order["values"])
    values.update({name: pathlib.Path(text) for name, text in order["paths"].items()})
    values.update({name: Context(outgoing) for name in order["contexts"]})
    value = function(**values)
    if inspect.iscoroutine(value):
        value = asyncio.run(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _tell(outgoing: int, status: str, text: str) -> None:
    cut = max(0, len(text) - _TEXT_CHARS)
    _send(outgoing, {"status": status, "text": text[:_TEXT_CHARS], "cut": cut})


def _tell_failure(outgoing: int, kind: Any, error: BaseException, trace: Any) -> None:
    is_said = isinstance(error, ToolError)
    words = str(error) if is_said else f"The tool failed ({kind.__name__}): {error}"
    _tell(outgoing, "failed", words)
    if not is_said:
        sys.__excepthook__(kind, error, trace)


def main() -> None:
    """Run the function, and report its result or its failure, unless it ends the process."""
    outgoing = os.dup(1)
    os.dup2(2, 1)
    order = json.loads(sys.stdin.buffer.read())
    known = types.ModuleType("parley_tool")
    vars(known).update(ToolError=ToolError, Context=Context)
    sys.modules["parley_tool"] = known
    sys.excepthook = functools.partial(_tell_failure, outgoing)
    _tell(outgoing, "ok", _call(order, outgoing))


if __name__ == "__main__":
    main()
