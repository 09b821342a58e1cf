"""Make `Tool`s from a folder of tools: read, checked and pinned by hash, never imported here.

`read_set` reads a folder as a `ToolSet`. `OwnInputs` validates inputs against the schema in the
manifest or derived from the code. `copied_code` ensures that the allowed code runs: it copies the
code and compares the hashes.
"""

import shutil
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, NoReturn, TypeAlias

from local_tools.canonical import CanonicalInput, FrozenJson, canonical_sha256, frozen_json, thaw
from local_tools.errors import ChangedError, ToolError, explain_os_error
from local_tools.execution.worker_request import CodeArgument, WorkerRequest
from local_tools.mcp.schema_gate import InputCheck, SchemaRefused, clean_schema
from local_tools.schema import Parameter, ParameterKind
from local_tools.tool import AnyTool, Effects, Fact, FactKind, Preview, Tool, ToolDefinition
from local_tools.translation_marks import QT_TRANSLATE_NOOP
from local_tools.user_tools.code import CodeInputs, unseen_code
from local_tools.user_tools.code_reader import read_code
from local_tools.user_tools.folder_files import FolderFiles, read_files
from local_tools.user_tools.manifest import (
    FROM_CODE,
    DeclaredTool,
    Interpreter,
    Manifest,
    other_files,
    read_manifest,
)
from local_tools.user_tools.summary import CodeSummary


class OwnInputs:
    """The inputs of a user's tool. Lives as long as the tool is known."""

    def __init__(self, schema: Mapping[str, FrozenJson], parameters: tuple[Parameter, ...]) -> None:
        self._parameters = parameters
        self._check = InputCheck(schema)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of its function."""
        return self._parameters

    def names(self, *kinds: ParameterKind) -> tuple[str, ...]:
        """Return the parameters of these kinds, in order."""
        return tuple(item.name for item in self._parameters if item.kind in kinds)

    def plain_names(self, given: CanonicalInput) -> tuple[str, ...]:
        """Return the names of the given inputs that are not paths."""
        paths = self.names("target")
        return tuple(name for name in given.value if name not in paths)

    def title(self, name: str) -> str:
        """Return the parameter's name in quotes, to tell it from Parley's own labels."""
        return f"“{name}”"

    def complaints(self, given: CanonicalInput) -> tuple[str, ...]:
        """Return why an input is invalid, as sentences; empty if it is valid."""
        known = {item.name for item in self._parameters if item.kind != "context"}
        strange = [name for name in given.value if name not in known]
        if strange:
            return tuple(f"“{name[:80]}” is not an input of this tool." for name in strange[:5])
        complaints = self._check.complaints(given)
        if complaints:
            return complaints
        missing = [name for name in self.names("target") if name not in given.value]
        return tuple(f"“{name}” is missing." for name in missing)

    def values(self, given: CanonicalInput) -> dict[str, object]:
        """Return the given inputs; the function fills in its own defaults."""
        return {name: thaw(value) for name, value in given.value.items()}

    def json_values(self, given: CanonicalInput) -> dict[str, object]:
        """Return the given inputs."""
        return self.values(given)


def copied_code(code: CodeArgument, held: ExitStack) -> str:
    """Copy the code to a private folder and check its hash; closing `held` deletes the copy.

    Raises:
        ToolError: It has changed since it was allowed, or cannot be read or copied.
    """
    files = read_files(Path(code.folder))
    if files.fingerprint != code.fingerprint:
        raise ChangedError(f"The code in {code.folder}")
    copy = tempfile.mkdtemp(prefix="parley-code-")
    held.callback(partial(shutil.rmtree, copy, ignore_errors=True))
    try:
        files.write_to(Path(copy))
    except OSError as exc:
        raise explain_os_error(exc, copy) from exc
    return copy


ShowOrder: TypeAlias = Callable[[ToolDefinition, WorkerRequest], Preview | None]

_SAYS_THE_TOOL: Final = Fact(
    QT_TRANSLATE_NOOP("Tools", "Preview"),
    QT_TRANSLATE_NOOP("Tools", "the tool says what it would do"),
    FactKind.REMARK,
)


@dataclass(frozen=True, slots=True)
class ReadTool:
    """One tool of a folder. `problem` says why it cannot be used; empty if it can."""

    declared: DeclaredTool
    inputs: CodeInputs | None = None
    schema: Mapping[str, FrozenJson] | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ToolSet:
    """A folder of tools, read without running anything. Made by `read_set`.

    Attributes:
        problems: Why no tool of it can be used, as sentences; empty if they can.
        code: The summaries of the code, by file.
        kind: Installed by the user, or brought by a Python package.
    """

    folder: Path
    files: FolderFiles
    manifest: Manifest
    tools: tuple[ReadTool, ...]
    problems: tuple[str, ...]
    code: Mapping[str, CodeSummary]
    kind: Literal["folder", "package"] = "folder"

    @property
    def source(self) -> str:
        """The `source` of its tools in the registry."""
        return f"{self.kind}:{self.manifest.name}"

    def make_tools(
        self, interpreter: Interpreter, show: ShowOrder | None = None
    ) -> tuple[AnyTool, ...]:
        """Return the tools to register; those with a problem are left out.

        Args:
            interpreter: The interpreter that runs them.
            show: Runs a preview in a worker; None for tools without previews.
        """
        whole = [tool for tool in self.tools if not tool.problem]
        return tuple(self._made(tool, interpreter, show) for tool in whole)

    def _made(self, read: ReadTool, interpreter: Interpreter, show: ShowOrder | None) -> AnyTool:
        if read.schema is None or read.inputs is None:
            raise ValueError(read.problem)
        definition = _definition(self, read, read.schema, interpreter)
        standing = [
            Fact(QT_TRANSLATE_NOOP("Tools", "Tools folder"), str(self.folder)),
            Fact(QT_TRANSLATE_NOOP("Tools", "Run by"), interpreter.path),
        ]
        has_preview = show is not None and read.declared.preview is not None
        if has_preview:
            standing.append(_SAYS_THE_TOOL)
        inputs = OwnInputs(read.schema, read.inputs.parameters)
        made: AnyTool = Tool(_never_here, inputs, definition, tuple(standing))
        made.code = CodeArgument(
            folder=str(self.folder),
            fingerprint=self.files.fingerprint,
            interpreter=interpreter.path,
            identity=interpreter.identity,
            file=read.declared.file,
            function=read.declared.function_name,
            preview=read.declared.preview or "",
            contexts=inputs.names("context"),
            reads=interpreter.reads,
        )
        if show is not None and has_preview:
            made.show_order = partial(show, definition)
        return made


def read_set(folder: Path) -> ToolSet:
    """Read a folder of tools. Looks at files and starts a process: call it in a thread.

    Raises:
        ToolError: Its manifest cannot be read, or it is too large.
    """
    files = read_files(folder)
    manifest = read_manifest(files)
    wanted: dict[str, list[str]] = {}
    for tool in manifest.tools:
        wanted.setdefault(tool.file, []).extend(_functions_of(tool))
    code = read_code(files.contents, wanted)
    tools = tuple(_read_tool(tool, files, code) for tool in manifest.tools)
    problems = [*other_files(manifest, files), *unseen_code(files.contents)]
    if all(tool.problem for tool in tools):
        problems += [f"{tool.declared.name}: {tool.problem}" for tool in tools]
    return ToolSet(folder, files, manifest, tools, tuple(problems), code)


def wire_name(set_name: str, tool_name: str) -> str:
    """Return the name under which a tool is declared; unique if the sets' names are."""
    return f"{set_name}__{tool_name}"


def _functions_of(declared: DeclaredTool) -> tuple[str, ...]:
    return tuple(filter(None, (declared.function_name, declared.preview)))


def _read_tool(
    declared: DeclaredTool, files: FolderFiles, code: Mapping[str, CodeSummary]
) -> ReadTool:
    try:
        return _read_code(declared, files, code)
    except (ToolError, SchemaRefused) as exc:
        return ReadTool(declared, problem=str(exc))


def _read_code(
    declared: DeclaredTool, files: FolderFiles, code: Mapping[str, CodeSummary]
) -> ReadTool:
    if declared.file not in files.contents:
        raise ToolError(f"There is no file {declared.file}.")
    found = code.get(declared.file)
    if found is None or found.problem:
        raise ToolError(found.problem if found else f"{declared.file} is too long to be read.")
    for name in _functions_of(declared):
        if name not in found.functions:
            raise ToolError(f"There is no function {name} in {declared.file}.")
    function = found.functions[declared.function_name]
    inputs = function.inputs
    if inputs is None:
        raise ToolError(function.problem)
    if declared.parameters != FROM_CODE:
        return ReadTool(declared, inputs, clean_schema(_mapping(declared.parameters)))
    if inputs.schema is None:
        raise ToolError(inputs.problem)
    return ReadTool(declared, inputs, clean_schema(inputs.schema))


def _mapping(value: Any) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ToolError("Its schema is no table.")
    return value


def _definition(
    made: ToolSet, read: ReadTool, schema: Mapping[str, FrozenJson], interpreter: Interpreter
) -> ToolDefinition:
    declared, said = read.declared, read.declared.effects
    description = declared.description or (read.inputs.description if read.inputs else "")
    effects = Effects(
        read_only=said.read_only,
        destructive=said.destructive and not said.read_only,
        open_world=said.open_world or said.network,
    )
    definition = ToolDefinition(
        name=wire_name(made.manifest.name, declared.name),
        title=f"{declared.title} ({made.manifest.title})",
        description=description,
        input_schema=schema,
        effects=effects,
        timeout_s=declared.timeout_s,
        source=made.source,
        runs_in="worker",
        needs_network=said.network,
        is_grantable=True,
        is_undoable=False,
        digest="",
    )
    known: dict[str, Any] = {
        "name": definition.name,
        "title": definition.title,
        "description": description,
        "schema": frozen_json(schema),
        "effects": asdict(effects),
        "timeout_s": definition.timeout_s,
        "network": said.network,
        "code": made.files.fingerprint,
        "interpreter": [interpreter.path, interpreter.identity],
        "entry": [declared.file, declared.function_name, declared.preview],
    }
    return replace(definition, digest=canonical_sha256(frozen_json(known)))


def _never_here(**_values: object) -> NoReturn:
    raise ToolError("A tool of your own is run by a worker alone.")
