"""Read a tool's inputs, description and risky calls from its source, without running it.

Only the syntax tree is inspected; nothing is imported or evaluated.
"""

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from local_tools.errors import ToolError, named
from local_tools.schema import Parameter, ParameterKind

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

_CODE_LIMIT_BYTES: Final = 1024 * 1024
# The memory of the parser grows with the square of the length of a dotted name.
_LONG_NAME: Final = re.compile(rb"(?<![\w\x80-\xff])(?:[\w\x80-\xff]++[\s\\]*+\.[\s\\]*+){100}")
_SOURCES: Final = (".py", ".pyw")
# Nobody can read compiled code before allowing it, and Python may run it instead of the source.
_COMPILED: Final = (".pyc", ".pyo")
_PLAIN: Final = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
}
_GIVEN: Final = ("Context", "parley_tool.Context")
_PATHS: Final = ("Path", "pathlib.Path")
_LISTS: Final = ("list", "List", "typing.List")
_OBJECTS: Final = ("dict", "Dict", "typing.Dict")
_CHOICES: Final = ("Literal", "typing.Literal")
_OPTIONAL: Final = ("Optional", "typing.Optional")
_NO_TYPE: Final = "its type cannot be read from the code; write a schema into the manifest"


@dataclass(frozen=True, slots=True)
class CodeInputs:
    """The inputs of a function.

    Attributes:
        schema: JSON Schema, derived from the annotations; None if they are not sufficient.
        problem: Why there is no schema, as a sentence; empty if there is one.
        undescribed: The inputs that the docstring does not describe.
    """

    description: str
    parameters: tuple[Parameter, ...]
    schema: Mapping[str, object] | None
    problem: str
    undescribed: tuple[str, ...]


def parse_code(name: str, data: bytes) -> ast.Module:
    """Return the syntax tree of a file.

    Raises:
        ToolError: It is not Python, or too large.
    """
    if len(data) > _CODE_LIMIT_BYTES:
        raise ToolError(f"{name} is too long to be read.")
    if _LONG_NAME.search(data):
        raise ToolError(
            f"{name} has a name of too many parts; it is no Python that can be read here."
        )
    try:
        return ast.parse(data, name)
    except SyntaxError as exc:
        raise ToolError(f"{name} is no Python that can be read here (line {exc.lineno}).") from exc
    except (ValueError, RecursionError, MemoryError) as exc:
        raise ToolError(f"{name} is no Python that can be read here.") from exc


def unseen_code(contents: Mapping[str, bytes]) -> Iterator[str]:
    """Yield sentences about code that would not run as it reads, such as compiled files."""
    for name, data in sorted(contents.items()):
        if name.endswith(_COMPILED):
            yield f"{name} is compiled code, which nobody can read before allowing it."
        elif name.endswith(_SOURCES) and not _reads_as_it_runs(data):
            yield f"{name} is not written in plain UTF-8, so it could run otherwise than it reads."


def _reads_as_it_runs(data: bytes) -> bool:
    """Return whether Python reads the text that is shown, and not one in another encoding."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return encoding in ("utf-8", "utf-8-sig") and "\0" not in data.decode()
    except (SyntaxError, ValueError):
        return False


def find_function(module: ast.Module, name: str) -> Function | None:
    """Return the top-level function of that name; None if there is none."""
    functions = (n for n in module.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    return next((node for node in functions if node.name == name), None)


def inputs_of(function: Function) -> CodeInputs:
    """Return a function's inputs, from its annotations and docstring.

    Raises:
        ToolError: It has parameters that cannot be passed by name.
    """
    given = function.args
    if given.vararg or given.kwarg or given.posonlyargs:
        raise ToolError(f"{function.name} must take each of its inputs by name.")
    import docstring_parser  # noqa: PLC0415 - the start of the program parses no code

    said = docstring_parser.parse(ast.get_docstring(function) or "")
    words = {item.arg_name: (item.description or "").replace("\n", " ") for item in said.params}
    reader = _Reader(words)
    for argument, default in _arguments(given):
        reader.add(argument, default)
    names = [item.name for item in reader.parameters if item.kind != "context"]
    return CodeInputs(
        description="\n".join(filter(None, (said.short_description, said.long_description))),
        parameters=tuple(reader.parameters),
        schema=None if reader.problem else reader.schema(),
        problem=reader.problem,
        undescribed=tuple(name for name in names if not words.get(name)),
    )


def _arguments(given: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    missing = len(given.args) - len(given.defaults)
    yield from zip(given.args, [*[None] * missing, *given.defaults], strict=True)
    yield from zip(given.kwonlyargs, given.kw_defaults, strict=True)


class _Reader:
    """Collects the inputs of one function."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self.parameters: list[Parameter] = []
        self.problem = ""
        self._words = words
        self._properties: dict[str, object] = {}
        self._required: list[str] = []

    def add(self, argument: ast.arg, default: ast.expr | None) -> None:
        name, hint = argument.arg, argument.annotation
        kind = _kind(hint)
        self.parameters.append(Parameter(name, kind))
        if kind == "context":
            return
        if kind == "target" and default is not None:
            self.problem = self.problem or f"“{named(name)}”: a path cannot have a default."
        try:
            part = {"type": "string"} if kind == "target" else _schema(hint)
            if self._words.get(name):
                part = {**part, "description": self._words[name]}
            if default is not None:
                part = {**part, "default": _of_json(ast.literal_eval(default))}
        except (TypeError, ValueError, SyntaxError, RecursionError):
            self.problem = self.problem or f"“{named(name)}”: {_NO_TYPE}."
            return
        self._properties[name] = part
        if default is None:
            self._required.append(name)

    def schema(self) -> dict[str, object]:
        required = {"required": self._required} if self._required else {}
        return {
            "type": "object",
            "properties": self._properties,
            **required,
            "additionalProperties": False,
        }


def _of_json(value: Any) -> Any:
    """Return the value, if JSON can say it.

    Raises:
        TypeError: It cannot.
        ValueError: It cannot, either.
    """
    json.dumps(value, allow_nan=False)
    return value


def _kind(hint: ast.expr | None) -> ParameterKind:
    name = _dotted(hint)
    if name in _GIVEN:
        return "context"
    return "target" if name in _PATHS else "value"


def _schema(hint: ast.expr | None) -> dict[str, Any]:
    """Return the schema of one annotation.

    Raises:
        TypeError: It says nothing that JSON can say.
    """
    if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
        return _schema(ast.parse(hint.value, mode="eval").body)
    if isinstance(hint, ast.Constant) and hint.value is None:
        return {"type": "null"}
    if (name := _dotted(hint)) in _PLAIN:
        return {"type": _PLAIN[name]}
    if isinstance(hint, ast.BinOp) and isinstance(hint.op, ast.BitOr):
        return {"anyOf": [_schema(hint.left), _schema(hint.right)]}
    if isinstance(hint, ast.Subscript):
        return _generic(_dotted(hint.value), hint.slice)
    raise TypeError


def _generic(name: str, inside: ast.expr) -> dict[str, Any]:
    parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
    if name in _CHOICES:
        return {"enum": [_of_json(ast.literal_eval(part)) for part in parts]}
    if name in _LISTS and len(parts) == 1:
        return {"type": "array", "items": _schema(parts[0])}
    if name in _OBJECTS and len(parts) == 2 and _dotted(parts[0]) == "str":
        return {"type": "object", "additionalProperties": _schema(parts[1])}
    if name in _OPTIONAL and len(parts) == 1:
        return {"anyOf": [_schema(parts[0]), {"type": "null"}]}
    raise TypeError


def _dotted(node: ast.expr | None) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return ""
