"""Run a user's tool from the worker: start its interpreter with `script_runner`."""

import json
import subprocess
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import IO, Any, Final, NoReturn

from local_tools.context import ToolContext
from local_tools.errors import ChangedError, ToolError
from local_tools.execution.worker_request import CodeArgument, WorkerRequest
from local_tools.limits import fitted
from local_tools.paths.beneath import snapshot_program
from local_tools.paths.guarded_path import GuardedPath
from local_tools.registry import ToolRegistry
from local_tools.schema import Parameter
from local_tools.tool import LateDefinition, Output, Tool
from local_tools.user_tools.folder_files import read_files
from local_tools.user_tools.tool_set import OwnInputs

_RUNNER: Final = Path(__file__).with_name("script_runner.py")
# The largest result of a script, if JSON escapes every character of it.
_LINE_LIMIT_BYTES: Final = 26 * 1024 * 1024
_LINES_LIMIT: Final = 1_000_000
_EXIT_GRACE_S: Final = 1.0


def script_registry(order: WorkerRequest, code: CodeArgument, folder: str) -> ToolRegistry:
    """Return a registry with the tool of a request, run from a copied folder.

    The definition depends only on the folder's files and the interpreter: if their hashes match, it
    is the tool that was shown.

    Raises:
        ToolError: The copy or the interpreter has changed since.
    """
    if read_files(Path(folder)).fingerprint != code.fingerprint:
        raise ChangedError(f"The code in {code.folder}")
    if snapshot_program(code.interpreter).identity != code.identity:
        raise ChangedError(code.interpreter)
    inputs = OwnInputs({}, tuple(Parameter(name, "context") for name in code.contexts))
    known = LateDefinition(order.tool_name, order.definition_digest, _has_no_definition)
    return ToolRegistry([Tool(partial(_call, code, folder), inputs, known)])


def _has_no_definition() -> NoReturn:
    raise ToolError("A worker knows of a tool only how it runs.")


def _call(code: CodeArgument, folder: str, /, **values: Any) -> Output:
    """Run the function with these values to its result.

    Raises:
        ToolError: It failed, or said nothing.
    """
    contexts: list[ToolContext] = [values.pop(name) for name in code.contexts]
    context = next(iter(contexts), None)
    paths = {name: item for name, item in values.items() if isinstance(item, GuardedPath)}
    for target in paths.values():
        target.check()
    order = {
        "folder": folder,
        "file": code.file,
        "function": code.function,
        "values": {name: item for name, item in values.items() if name not in paths},
        "paths": {name: str(item) for name, item in paths.items()},
        "contexts": list(code.contexts),
    }
    return _answer(_converse(code.interpreter, json.dumps(order).encode(), context))


def _converse(interpreter: str, order: bytes, context: ToolContext | None) -> Mapping[str, Any]:
    argv = [interpreter, "-I", "-B", "-c", _RUNNER.read_text(encoding="utf-8")]
    try:
        process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except OSError as exc:
        raise ToolError(f"{interpreter} could not be started: {exc.strerror}.") from exc
    with process:
        if process.stdin is None or process.stdout is None:
            raise ToolError("The interpreter has no line to it.")
        try:
            process.stdin.write(order)
            process.stdin.close()
        except BrokenPipeError as exc:
            raise ToolError(f"{interpreter} ended before it was told what to do.") from exc
        try:
            return _result(process.stdout, context)
        except EOFError:
            code = process.wait()
        finally:
            process.kill()
    raise ToolError(f"The tool ended without an answer (exit code {code}).")


def _result(lines: IO[bytes], context: ToolContext | None) -> Mapping[str, Any]:
    for _ in range(_LINES_LIMIT):
        line = lines.readline(_LINE_LIMIT_BYTES)
        if not line:
            raise EOFError
        message = _message(line)
        said = message.get("progress")
        if said is None:
            return message
        if context is not None and isinstance(said, dict):
            _tell(context, said)
    raise ToolError("The tool says too much.")


def _message(line: bytes) -> Mapping[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as exc:
        raise ToolError("The tool's answer could not be read.") from exc
    return message if isinstance(message, dict) else {}


def _tell(context: ToolContext, said: Mapping[str, Any]) -> None:
    done, total = said.get("done"), said.get("total")
    if isinstance(done, int | float):
        known = total if isinstance(total, int | float) else None
        context.progress(float(done), known, str(said.get("text", "")))


def _answer(message: Mapping[str, Any]) -> Output:
    text, status, cut = message.get("text"), message.get("status"), message.get("cut")
    if not isinstance(text, str):
        raise ToolError("The tool's answer could not be read.")
    if status != "ok":
        raise ToolError(fitted(text)[0])
    shown, cut_bytes = fitted(text)
    return Output(shown, cut_bytes + (cut if isinstance(cut, int) and cut > 0 else 0))
