"""What a tool is: a typed function, what it may do, and how it is described and shown.

    @tool(
        read_only=True,
        destructive=False,
        open_world=False,
        title="Count words",
        question="Count the words of a file on this computer?",
        icon="file-text",
    )
    def count_words(path: GuardedPath) -> int:
        '''Count the words of a text file.'''
        return len(path.read().split())

The `Args` section of its docstring describes the inputs. A decorated function stays callable. Hints
that are not given count as the highest risk. No other code knows a built-in tool by its name:
everything that a row, a card or a rule needs to know is declared here.

The digest of a tool covers title, docstring, types and hints: changing one of them ends the rules
that people have made for the tool, except for words listed in `local_tools.builtin.REWORDED`.
Question, icon and `returns_names` are not in the digest.
"""

import functools
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, ParamSpec, TypeAlias, TypeVar

from local_tools import builtin
from local_tools.attached_file import (
    AttachedContent,
    AttachedFile,
    ContentImage,
    part_of_attachment,
)
from local_tools.canonical import CanonicalInput, FrozenJson, canonical_sha256, thaw
from local_tools.context import Desktop, Progress, ToolContext
from local_tools.errors import InvalidInputError, ToolError, ToolTimeoutError
from local_tools.execution.worker_request import CodeArgument, WorkerRequest
from local_tools.paths.guarded_path import CommandLine, GuardedPath
from local_tools.schema import (
    AS_SHELL,
    DESTINATION,
    ENTERS_HIDDEN,
    IN_PREVIEW,
    PICKED_NOTES,
    PLAIN_WORDS,
    WEB_ADDRESS,
    Input,
    Inputs,
    ParameterKind,
    Signature,
)

__all__ = [
    "AS_SHELL",
    "BUILT_IN",
    "DESTINATION",
    "ENTERS_HIDDEN",
    "IN_PREVIEW",
    "PICKED_NOTES",
    "PLAIN_WORDS",
    "WEB_ADDRESS",
    "AnyTool",
    "AttachedContent",
    "AttachedFile",
    "CommandLine",
    "ContentImage",
    "Desktop",
    "Effects",
    "Fact",
    "FactKind",
    "GuardedPath",
    "Input",
    "InvalidInputError",
    "Output",
    "Preview",
    "Progress",
    "Tool",
    "ToolContext",
    "ToolDefinition",
    "ToolError",
    "ToolTimeoutError",
    "tool",
]

# The source of what ships.
BUILT_IN: Final = "built-in"
# The icon of a tool that names none.
TOOL_ICON: Final = "wrench"

_DEFAULT_TIMEOUT_S: Final = 60.0
# The kinds of parameters that name the target of a call, most specific first.
_TARGET_KINDS: Final[tuple[tuple[ParameterKind, ...], ...]] = (
    ("command", "shell"),
    ("address",),
    ("target",),
    ("value", "previewed"),
)

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Effects:
    """What a tool may do. The defaults are the highest risk.

    Attributes:
        read_only: It changes nothing.
        destructive: It may delete or overwrite data.
        open_world: It accesses more than this computer's files, or its reach is unknown.
    """

    read_only: bool = False
    destructive: bool = True
    open_world: bool = True


@dataclass(frozen=True, slots=True)
class Preview:
    """What a call would do, shown before it is allowed; never shortened.

    Attributes:
        kind: The format of the text; a `diff` is made by `local_tools.diff.change_text`.
    """

    kind: Literal["diff", "text", "files"]
    text: str


class FactKind(Enum):
    """The subject of a line on the card."""

    VALUE = "value"
    """A value of the call, or of whatever would run it."""
    TOOL = "tool"
    COMMAND = "command"
    ADDRESS = "address"
    ATTACHMENT = "attachment"
    """The name of an attached file that the call reads."""
    PATH = "path"
    """A place that the call names; where something would be put is a `VALUE`."""
    REMARK = "remark"
    """Words of the program, marked for translation."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the card, determined by the program; never shortened.

    Attributes:
        label: Marked for translation, except for names from others' tools.
    """

    label: str
    value: str
    kind: FactKind = FactKind.VALUE


@dataclass(frozen=True, slots=True)
class Output:
    """A result that the tool itself has cut, with the number of bytes left out."""

    text: str
    cut_bytes: int = 0


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """Everything that is known about a tool without running it.

    Attributes:
        name: Unique in a registry; the name that the assistant uses.
        title: The name that the user reads.
        input_schema: Frozen JSON Schema.
        timeout_s: Wall-clock limit of one call.
        runs_in: `program` for host actions, which need the desktop; `server` for a local tool
            server, `elsewhere` for one at an address.
        needs_network: It may access the network; other tools may not.
        is_grantable: False if a person decides about each call, despite any rule.
        is_undoable: The paths in its input can be restored.
        digest: SHA-256 of the declaration; a rule or an approval holds for this digest only.
        shows_result: A person sees each result before it is sent to the assistant.
        question: The question on the card. Empty for one made from the title; always empty for
            tools that are not built in, so that their authors cannot word the question.
        icon: The name of a file in `resources/icons`, without its ending.
        returns_names: A result lists names (of files), and nothing of their contents.
        reads_attachments: It reads attachments; declared only in chats that have one.
        word_inputs: The inputs that are plain text and name no file; empty for tools that are not
            built in.
        hidden_inputs: The inputs that make it enter hidden folders, likewise.
    """

    name: str
    title: str
    description: str
    input_schema: Mapping[str, FrozenJson]
    effects: Effects
    timeout_s: float
    source: str
    runs_in: Literal["worker", "program", "server", "elsewhere"]
    needs_network: bool
    is_grantable: bool
    is_undoable: bool
    digest: str
    shows_result: bool = False
    question: str = ""
    icon: str = TOOL_ICON
    returns_names: bool = False
    reads_attachments: bool = False
    word_inputs: frozenset[str] = frozenset()
    hidden_inputs: frozenset[str] = frozenset()

    def wire_schema(self) -> dict[str, object]:
        """Return the schema as a new plain JSON value (specification 2.7)."""
        return {key: thaw(value) for key, value in self.input_schema.items()}


@dataclass(frozen=True, slots=True)
class LateDefinition:
    """A definition that is computed on first use."""

    name: str
    digest: str
    make: Callable[[], ToolDefinition]


class Tool(Generic[P, R_co]):
    """A function that the assistant can call. Made by `@tool`, lives as long as its module.

    For users' own code, `code` is set, and `show_order` if it has a preview (run in a worker).

    Attributes:
        name: As in its definition, like `digest`.
    """

    def __init__(
        self,
        function: Callable[P, R_co],
        signature: Inputs,
        definition: ToolDefinition | LateDefinition,
        standing: tuple[Fact, ...] = (),
    ) -> None:
        """Bind a function to what is known of it.

        Args:
            function: What runs.
            signature: What it can be given.
            definition: What is known without running it.
            standing: What the card says of every call.
        """
        self.signature: Final = signature
        self.name: Final = definition.name
        self.digest: Final = definition.digest
        self.standing: Final = standing
        self.show: Callable[..., Preview | None] | None = None
        self.note: Callable[..., Fact | None] | None = None
        self.code: CodeArgument | None = None
        self.show_order: Callable[[WorkerRequest], Preview | None] | None = None
        self._function = function
        self._known = definition
        functools.update_wrapper(self, function)

    @cached_property
    def definition(self) -> ToolDefinition:
        """The tool's definition; computed on first use."""
        return self._known.make() if isinstance(self._known, LateDefinition) else self._known

    def target_in(self, values: Mapping[str, FrozenJson]) -> str:
        """Return the target of an input that was not prepared: a command, an address, a path.

        If it names none of those, return its first text or number, which may be long; for an
        attachment, also the part to read.
        """
        for name in self.signature.names("attachment"):
            return part_of_attachment(name, values)
        for kinds in _TARGET_KINDS:
            for name in self.signature.names(*kinds):
                value = values.get(name)
                if isinstance(value, tuple) and value:
                    return " ".join(map(str, value))
                if isinstance(value, str | int | float) and not isinstance(value, bool) and value:
                    return str(value)
        return ""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Call the function itself."""
        return self._function(*args, **kwargs)

    def preview(self, function: Callable[..., Preview | None]) -> Callable[..., Preview | None]:
        """Decorate the function that returns the preview of a call; it takes the same inputs.

        It raises `ToolError` if the call cannot be made, and may return None if the inputs say
        everything.
        """
        self.show = function
        return function

    def remark(self, function: Callable[..., Fact | None]) -> Callable[..., Fact | None]:
        """Decorate the function that returns a remark about a call for the card.

        It takes the same inputs.
        """
        self.note = function
        return function

    def arguments(
        self,
        given: CanonicalInput,
        targets: Mapping[str, GuardedPath],
        commands: Mapping[str, CommandLine],
        context: ToolContext | None,
        *,
        desktop: Desktop | None = None,
        files: Mapping[str, AttachedFile] = MappingProxyType({}),
    ) -> dict[str, Any]:
        """Return the keyword arguments of one call; without a context, those of the preview.

        Raises:
            ToolError: When a host action runs where there is no desktop.
        """
        values = {**self.signature.values(given), **targets, **commands, **files}
        if context is None:
            return values
        values |= dict.fromkeys(self.signature.names("context"), context)
        names = self.signature.names("desktop")
        if names and desktop is None:
            raise ToolError(f"{self.name} is done by Parley itself, not by a worker.")
        return values | dict.fromkeys(names, desktop)


AnyTool: TypeAlias = Tool[..., object]


def tool(
    *,
    read_only: bool = False,
    destructive: bool = True,
    open_world: bool = True,
    timeout_s: float = _DEFAULT_TIMEOUT_S,
    title: str | None = None,
    needs_network: bool = False,
    is_grantable: bool = True,
    is_undoable: bool = False,
    shows_result: bool = False,
    question: str = "",
    icon: str = TOOL_ICON,
    returns_names: bool = False,
) -> Callable[[Callable[P, R_co]], Tool[P, R_co]]:
    """Make a tool of a typed function, sync or async.

    It may take paths (`GuardedPath`), a command (`CommandLine`), an attachment (`AttachedFile`), a
    `ToolContext`, and any type that pydantic validates; it returns text, `Output`,
    `AttachedContent`, or a JSON value. It raises `ToolError` with a sentence for the assistant if
    it fails.

    Args:
        read_only: It changes nothing.
        destructive: It may delete or overwrite data.
        open_world: It accesses more than this computer's files.
        timeout_s: Wall-clock limit of one call.
        title: The name that the user reads; by default derived from the function's name. Title,
            question and the docstring before `Args` are translated.
        needs_network: It may access the network.
        is_grantable: False if a person has to decide about each call.
        is_undoable: The paths in its input can be restored.
        shows_result: A person sees each result before it is sent to the assistant.
        question: The question on the card; by default whether to use the tool.
        icon: The name of a file in `resources/icons`, without its ending.
        returns_names: A result lists names (of files), and nothing of their contents.
    """
    said = {
        "timeout_s": timeout_s,
        "needs_network": needs_network,
        "is_grantable": is_grantable,
        "is_undoable": is_undoable,
        # Left out where false, so that the digests of other tools stay as they were.
        **({"shows_result": True} if shows_result else {}),
    }
    effects = Effects(read_only=read_only, destructive=destructive, open_world=open_world)
    shown: dict[str, object] = {"question": question, "icon": icon, "returns_names": returns_names}

    def decorate(function: Callable[P, R_co]) -> Tool[P, R_co]:
        name = function.__name__
        signature = Signature(function)
        marked = {
            "word_inputs": signature.marked(IN_PREVIEW, PLAIN_WORDS),
            "hidden_inputs": signature.marked(ENTERS_HIDDEN),
        }
        declared = {**said, "name": name, "title": title or name.replace("_", " ").capitalize()}
        made = _define(signature, effects, declared, {**shown, **marked}, function.__module__)
        return Tool(function, signature, made)

    return decorate


def _define(
    signature: Signature,
    effects: Effects,
    declared: Mapping[str, object],
    shown: Mapping[str, object],
    module: str,
) -> LateDefinition:
    said: dict[str, Any] = {
        **declared,
        "source": BUILT_IN,
        "runs_in": "program" if signature.names("desktop") else "worker",
    }
    all_said = {**said, "effects": asdict(effects), "inputs": signature.declared()}
    digest = canonical_sha256(all_said)
    # Other tools are never imported by this program; one that is copied has its own digest.
    if module.startswith(f"{builtin.__name__}."):
        digest = builtin.REWORDED.get(digest, digest)
    # Texts and icons are not in the digest, so that rewording them ends no rule.
    known = {"effects": effects, "digest": digest}
    known["reads_attachments"] = bool(signature.names("attachment"))
    make = partial(_defined, signature, {**said, **shown, **known})
    return LateDefinition(said["name"], digest, make)


def _defined(signature: Signature, said: dict[str, Any]) -> ToolDefinition:
    return ToolDefinition(
        **said, description=signature.summary, input_schema=signature.json_schema()
    )
