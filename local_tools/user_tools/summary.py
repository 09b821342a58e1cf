"""Summarize the code of a folder of tools; `code_reader` runs this in a separate process.

The code is neither imported nor run. `write_summaries` is the process's entry point: it limits its
memory and time, and imports little, so that it starts fast.
"""

import ast
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Final

from local_tools.errors import ToolError
from local_tools.processes import limit_resources
from local_tools.user_tools.code import CodeInputs, Function, find_function, inputs_of, parse_code

_NETWORK: Final = frozenset(
    {
        *("socket", "ssl", "http", "urllib", "ftplib", "smtplib", "imaplib", "poplib", "xmlrpc"),
        *("telnetlib", "socketserver", "requests", "httpx", "aiohttp", "urllib3", "websockets"),
    }
)
_STARTS: Final = frozenset({"subprocess", "multiprocessing", "pty"})
_CHANGES: Final = frozenset(
    {
        *("write_text", "write_bytes", "unlink", "mkdir", "rmdir", "rename", "touch", "chmod"),
        *("symlink_to", "hardlink_to", "rmtree", "copyfile", "copytree", "move", "makedirs"),
        *("removedirs", "truncate", "copy2"),
    }
)
_CHANGES_OF_OS: Final = frozenset({"os.remove", "os.replace", "os.rename", "os.system", "os.link"})
_LOSES: Final = frozenset({"unlink", "rmtree", "rmdir", "removedirs", "truncate"})
_MODES_THAT_WRITE: Final = frozenset("wax+")

_CPU_LIMIT_S: Final = 5
_MEMORY_LIMIT_BYTES: Final = 512 * 1024 * 1024
_SIGNS_LIMIT: Final = 1_000


@dataclass(frozen=True, slots=True)
class FunctionSummary:
    """One top-level function: its inputs, or why it cannot be called."""

    problem: str = ""
    inputs: CodeInputs | None = None


@dataclass(frozen=True, slots=True)
class CodeSummary:
    """The summary of one file.

    Attributes:
        problem: Why it cannot be parsed, as a sentence; empty if it can.
        functions: The wanted functions that exist, by name.
        imports: The other files of the folder that it may import.
        signs: The kind of an effect, and the code that suggests it.
    """

    problem: str = ""
    functions: Mapping[str, FunctionSummary] = field(default_factory=dict)
    imports: tuple[str, ...] = ()
    signs: tuple[tuple[str, str], ...] = ()


def unreadable(name: str) -> str:
    """Return the sentence about a file that could not be summarized."""
    return f"{name} is no Python that can be read here."


def write_summaries() -> None:
    """Read a request from stdin and write the summaries to stdout, as JSON."""
    limit_resources(_CPU_LIMIT_S, memory_bytes=_MEMORY_LIMIT_BYTES)
    order = json.load(sys.stdin)
    told = {
        name: asdict(_summary(name, text.encode("latin-1"), order["wanted"].get(name, ())))
        for name, text in order["files"].items()
    }
    json.dump(told, sys.stdout)


def _summary(name: str, data: bytes, wanted: Iterable[str]) -> CodeSummary:
    try:
        module = parse_code(name, data)
        nodes = list(ast.walk(module))
    except ToolError as exc:
        return CodeSummary(str(exc))
    except MemoryError:
        return CodeSummary(unreadable(name))
    signs = (sign for node in nodes for sign in _signs_of(node))
    found = ((item, find_function(module, item)) for item in wanted)
    return CodeSummary(
        functions={item: _function(node) for item, node in found if node is not None},
        imports=tuple(dict.fromkeys(part for node in nodes for part in _imports(node))),
        signs=tuple(islice(dict.fromkeys(signs), _SIGNS_LIMIT)),
    )


def _function(node: Function) -> FunctionSummary:
    try:
        return FunctionSummary(inputs=inputs_of(node))
    except ToolError as exc:
        return FunctionSummary(str(exc))


def _imports(node: ast.AST) -> Iterable[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and node.module else []


def _signs_of(node: ast.AST) -> Iterator[tuple[str, str]]:
    for name in _imports(node):
        top = name.partition(".")[0]
        if top in _NETWORK and name != "urllib.parse":
            yield "network", f"import {name}"
        if top in _STARTS:
            yield "change", f"import {name}"
    if not isinstance(node, ast.Call):
        return
    called = _called(node.func)
    last = called.rpartition(".")[2]
    if "." in called and (last in _CHANGES or called in _CHANGES_OF_OS):
        yield "lose" if last in _LOSES or called == "os.remove" else "change", called
    if last == "open" and _MODES_THAT_WRITE & set(_mode_of(node)):
        yield "change", f"{called}(…, “{_mode_of(node)}”)"


def _called(function: ast.expr) -> str:
    """Return what is called, as far as two names say it; code may be nested too deeply for more."""
    if isinstance(function, ast.Name):
        return function.id
    if not isinstance(function, ast.Attribute):
        return ""
    owner = function.value
    return f"{owner.id if isinstance(owner, ast.Name) else '…'}.{function.attr}"


def _mode_of(call: ast.Call) -> str:
    named = [item.value for item in call.keywords if item.arg == "mode"]
    first = 0 if isinstance(call.func, ast.Attribute) else 1
    values = [*named, *call.args[first : first + 1]]
    texts = [node.value for node in values if isinstance(node, ast.Constant)]
    mode = next((text for text in texts if isinstance(text, str)), "")
    return mode if len(mode) <= 4 else ""
