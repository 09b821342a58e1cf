"""The worker's side of a user's tool: it starts the interpreter and speaks with what runs there."""

import json
import subprocess
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import IO, Any, Final

from local_tools.context import ToolContext
from local_tools.errors import ChangedError, ToolError
from local_tools.limits import fitted
from local_tools.order import OrderedCode
from local_tools.own.interpreters import same_interpreter
from local_tools.own.manifest import DeclaredTool
from local_tools.own.tool_set import OwnInputs, ToolSet, read_set, wire_name
from local_tools.registry import ToolRegistry
from local_tools.target import Target
from local_tools.tool import AnyTool, Output, Tool

_GUEST: Final = Path(__file__).with_name("guest.py")
# A result of the guest's, every sign of it escaped.
_LINE_LIMIT_BYTES: Final = 26 * 1024 * 1024
_LINES_LIMIT: Final = 1_000_000
_EXIT_GRACE_S: Final = 1.0


def guest_registry(code: OrderedCode, folder: str) -> ToolRegistry:
    """The tools of a copied folder, each run by the interpreter that was named.

    Raises:
        ToolError: The copy is not what was allowed.
    """
    read = read_set(Path(folder))
    if read.files.fingerprint != code.fingerprint:
        raise ChangedError(f"The code in {code.folder}")
    interpreter = same_interpreter(code.interpreter, code.reads)
    declared = {wire_name(read.manifest.name, t.declared.name): t.declared for t in read.tools}
    return ToolRegistry(
        _runnable(made, declared[made.definition.name], read, code)
        for made in read.made_tools(interpreter)
    )


def _runnable(made: AnyTool, declared: DeclaredTool, read: ToolSet, code: OrderedCode) -> AnyTool:
    function = (declared.preview if code.is_preview else None) or declared.function_name
    call = partial(_call, code.interpreter, str(read.folder), declared.file, function)
    inputs = made.signature
    if not isinstance(inputs, OwnInputs):
        raise TypeError(type(inputs))
    return Tool(partial(call, inputs), inputs, made.definition)


def _call(
    interpreter: str, folder: str, file: str, function: str, inputs: OwnInputs, /, **values: Any
) -> Output:
    """Run the function with these values to its result.

    Raises:
        ToolError: It failed, or said nothing.
    """
    contexts = inputs.names("context")
    context: ToolContext | None = next((values.pop(name) for name in contexts), None)
    paths = {name: item for name, item in values.items() if isinstance(item, Target)}
    for target in paths.values():
        target.check()
    order = {
        "folder": folder,
        "file": file,
        "function": function,
        "values": {name: item for name, item in values.items() if name not in paths},
        "paths": {name: str(item) for name, item in paths.items()},
        "contexts": list(contexts),
    }
    return _answer(_converse(interpreter, json.dumps(order).encode(), context))


def _converse(interpreter: str, order: bytes, context: ToolContext | None) -> Mapping[str, Any]:
    argv = [interpreter, "-I", "-B", "-c", _GUEST.read_text(encoding="utf-8")]
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
