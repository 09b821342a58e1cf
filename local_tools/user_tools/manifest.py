"""Read and write `tool.toml`, the manifest of a folder of tools.

`read_manifest` reads a `Manifest` and `write_hashes` writes file hashes into it. `find_interpreter`
resolves the interpreter that it names.
"""

import os
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from local_tools.command_lines import SEARCH_PATH
from local_tools.errors import ToolError, explain_os_error, named
from local_tools.mcp.config import LocalProgram, ServerBounds
from local_tools.mcp.launch import plan
from local_tools.user_tools.folder_files import MANIFEST, FolderFiles, read_files


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A resolved interpreter.

    Attributes:
        path: Its absolute path.
        reads: Its own folders, readable in the sandbox.
        identity: The hash of its file.
    """

    path: str
    reads: tuple[str, ...]
    identity: str


def find_interpreter(name: str) -> Interpreter:
    """Return the interpreter of this name on the fixed search path, or at an absolute path.

    Raises:
        ToolError: There is none; the message says so.
    """
    if "/" in name and not Path(name).is_absolute():
        raise ToolError(f"Write the whole path of the interpreter “{named(name)}”, or its name.")
    candidates = [name] if "/" in name else [f"{place}/{name}" for place in SEARCH_PATH]
    found = next((path for path in candidates if os.access(path, os.X_OK)), None)
    if found is None:
        where = "" if "/" in name else f" in {', '.join(SEARCH_PATH)}"
        raise ToolError(f"There is no interpreter “{named(name)}”{where}. Install it to use these.")
    launch = plan(LocalProgram(found), ServerBounds(), os.environ)
    return Interpreter(found, tuple(map(str, launch.reads)), launch.identity)


FROM_CODE: Final = "from code"

_MANIFEST_LIMIT_BYTES: Final = 128 * 1024
# Strings and comments of TOML, which are removed before the search for long keys.
_QUOTED: Final = re.compile(
    r'''"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|\#[^\n]*''',
    re.DOTALL,
)
# Keys of very many parts take the library more than a minute.
_DEEP_KEY: Final = re.compile(r"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){8}")
_COMPLAINTS_LIMIT: Final = 5
_FILES_TABLE: Final = re.compile(r"(?ms)^[ \t]*\[files\][ \t]*(?:#.*?)?$.*?(?=^[ \t]*\[|\Z)")
_SENTENCES: Final = {
    "missing": "“{place}” is missing.",
    "extra_forbidden": "“{place}” is not a key that a manifest has.",
    "string_type": "“{place}” must be text.",
    "bool_type": "“{place}” must be true or false.",
    "string_pattern_mismatch": "“{place}” has signs in it that it cannot have.",
}


def _on_one_line(text: str) -> str:
    if not text.isprintable():
        raise ValueError("it has signs in it that cannot be seen")
    return text


_Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$", max_length=30)]
_Function = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=60)]
_Line = Annotated[
    str, StringConstraints(min_length=1, max_length=200), AfterValidator(_on_one_line)
]
_Text = Annotated[str, StringConstraints(min_length=1, max_length=8_000)]
_Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class _Part(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="forbid", strict=True, frozen=True)


class DeclaredEffects(_Part):
    """The declared effects of a tool. Defaults are the highest risk, except for the network."""

    read_only: bool = False
    destructive: bool = True
    open_world: bool = True
    network: bool = False


class DeclaredTool(_Part):
    """One tool in a manifest.

    Attributes:
        description: The description for the assistant; by default the function's docstring.
        file: The file of its function.
        function: The name of the function; by default the tool's name.
        preview: The name of its preview function in the same file; empty for none.
        parameters: A JSON Schema of the inputs, or the marker to derive it from the code.
        example: An example input for checking the preview.
    """

    name: _Name
    title: _Line
    description: Annotated[str, Field(max_length=8_000)] = ""
    file: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*\.py$")]
    function: _Function | None = None
    preview: _Function | None = None
    parameters: dict[str, Any] | Literal["from code"] = Field(default=FROM_CODE, alias="schema")
    example: dict[str, Any] | None = None
    effects: DeclaredEffects = DeclaredEffects()
    timeout_s: Annotated[float, Field(gt=0, le=600, strict=False)] = 60.0

    @property
    def function_name(self) -> str:
        """The name of its function."""
        return self.function or self.name


class Manifest(_Part):
    """A parsed manifest.

    Attributes:
        interpreter: The interpreter of the tools: a program's name, or an absolute path.
        files: The SHA-256 of every other file of the folder, by name.
    """

    name: _Name
    title: _Line
    description: _Text
    interpreter: _Line = "python3"
    tools: Annotated[tuple[DeclaredTool, ...], Field(min_length=1, max_length=64, strict=False)]
    files: dict[str, _Hash]


def read_manifest(files: FolderFiles) -> Manifest:
    """Parse the manifest of a folder; does not check its hashes.

    Raises:
        ToolError: It is missing or malformed; the message says how.
    """
    data = files.contents.get(MANIFEST)
    if data is None:
        raise ToolError(f"The folder has no {MANIFEST}.")
    if len(data) > _MANIFEST_LIMIT_BYTES:
        raise ToolError(f"{MANIFEST} is too long.")
    try:
        text = data.decode()
        if _DEEP_KEY.search(_QUOTED.sub("q", text)):
            raise ToolError(f"{MANIFEST} has a key of too many parts.")
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as exc:
        raise ToolError(f"{MANIFEST} cannot be read: {named(str(exc))}.") from exc
    try:
        manifest = Manifest.model_validate(document)
    except ValidationError as exc:
        raise ToolError(f"{MANIFEST}: {' '.join(_sentences(exc))}") from exc
    names = [tool.name for tool in manifest.tools]
    if len(set(names)) < len(names):
        raise ToolError(f"{MANIFEST}: two tools have the same name.")
    return manifest


def other_files(manifest: Manifest, files: FolderFiles) -> Iterator[str]:
    """Yield a sentence about each file that differs from its hash in the manifest."""
    found = {name: digest for name, digest in files.hashes.items() if name != MANIFEST}
    for name in sorted(found.keys() | manifest.files.keys()):
        if name not in found:
            yield f"{MANIFEST} names {named(name)}, which is not there."
        elif name not in manifest.files:
            yield f"{MANIFEST} does not name {name}."
        elif manifest.files[name] != found[name]:
            yield f"{name} is not what {MANIFEST} says: another hash."


def with_hashes(text: str, files: FolderFiles) -> str:
    """Return the manifest's text with the current hashes; everything else is unchanged."""
    hashes = {name: digest for name, digest in files.hashes.items() if name != MANIFEST}
    rows = [f'"{name}" = "{digest}"' for name, digest in sorted(hashes.items())]
    table = "\n".join(["[files]", *rows]) + "\n"
    without = _FILES_TABLE.sub("", text).rstrip()
    return f"{without}\n\n{table}"


def write_hashes(folder: Path) -> None:
    """Write the hashes of the files in a folder into its manifest.

    Raises:
        ToolError: The manifest cannot be read or written.
    """
    files = read_files(folder)
    if MANIFEST not in files.contents:
        raise ToolError(f"The folder has no {MANIFEST}.")
    text = with_hashes(files.text(MANIFEST), files)
    try:
        (folder / MANIFEST).write_text(text, encoding="utf-8", newline="\n")
    except OSError as exc:
        raise explain_os_error(exc, folder / MANIFEST) from exc


def _sentences(error: ValidationError) -> Iterator[str]:
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    for item in errors[:_COMPLAINTS_LIMIT]:
        place = named(".".join(str(part) for part in item["loc"]) or "it")
        known = _SENTENCES.get(item["type"], "“{place}”: " + item["msg"] + ".")
        yield known.format(place=place)
