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

The inputs are described by the `Args` of its docstring. A decorated function stays callable.
Hints that are not given count as the highest risk. Nothing else in the program knows a built-in
tool by its name: what a row, a card or a rule needs to know of one is said here.

Docstring, types and hints are what the digest of a tool is over: to change them ends the rules that
people have made for it. Question, icon and `returns_names` are not in the digest.
"""

import functools
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, ParamSpec, TypeAlias, TypeVar

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
# Parameters that tell what a call is about, those that tell most first.
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
    """What a tool may do. The defaults are the worst.

    Attributes:
        read_only: It changes nothing.
        destructive: What it changes may be lost.
        open_world: It reaches beyond this computer's files, or nobody can say what it reaches.
    """

    read_only: bool = False
    destructive: bool = True
    open_world: bool = True


@dataclass(frozen=True, slots=True)
class Preview:
    """What a call would do, shown before it is allowed; never shortened.

    Attributes:
        kind: A `diff` is made by `local_tools.diff.change_text`.
    """

    kind: Literal["diff", "text", "files"]
    text: str


class FactKind(Enum):
    """What a line of the card is about."""

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
    """One line of the card, found out by the program. Nothing in it is shortened.

    Attributes:
        label: Marked for translation, unless others have named it.
    """

    label: str
    value: str
    kind: FactKind = FactKind.VALUE


@dataclass(frozen=True, slots=True)
class Output:
    """A result that was already cut by the tool, with how many bytes are missing."""

    text: str
    cut_bytes: int = 0


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """All that is known about a tool without running it.

    Attributes:
        name: Unique in a registry; what the assistant calls it.
        title: What the user reads.
        input_schema: Frozen JSON Schema.
        timeout_s: Wall-clock limit of one call.
        runs_in: `program` for host actions, which need the desktop; `server` for a tool server on
            this computer, `elsewhere` for one at an address.
        needs_network: It reaches the network; no other tool does.
        is_grantable: False for what a person decides about each time, whatever was granted.
        is_undoable: The places it names can be put back as they were before.
        digest: SHA-256 of all that this was made of; a grant or a card holds for this digest only.
        shows_result: A person sees each result before it is told to the assistant.
        question: What a card asks; empty for a question made of the title, as with every tool that
            is not built in: what a card asks is never in the words of others.
        icon: The name of a file in `resources/icons`, without its ending.
        returns_names: A result says what things are called, and nothing of what is in them.
        reads_attachments: It reads what the user attached; declared where something is.
        word_inputs: Inputs that are words and name no file; of a tool that is not built in, none
            are known.
        hidden_inputs: Inputs that let it into hidden places, likewise.
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
        """Return the schema as fresh, plain JSON (specification 2.7)."""
        return {key: thaw(value) for key, value in self.input_schema.items()}


@dataclass(frozen=True, slots=True)
class LateDefinition:
    """What is known of a tool at once; all of it is found out when somebody asks."""

    name: str
    digest: str
    make: Callable[[], ToolDefinition]


class Tool(Generic[P, R_co]):
    """A function that the assistant may ask for. Made by `@tool`, lives as long as its module.

    Code that is not Parley's own sets `code`, and `show_order` for a preview that runs apart.

    Attributes:
        name: As its definition has it; `digest` likewise.
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
        """All that is known of it without running it."""
        return self._known.make() if isinstance(self._known, LateDefinition) else self._known

    def target_in(self, values: Mapping[str, FrozenJson]) -> str:
        """Return what an input is about that was not prepared: a command, an address, a path.

        Of an input that names none of those it is the first text or number, which may be long; of
        an attachment also what is read of it.
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
        """Decorate the function that shows what a call would do; it takes the same inputs.

        It raises `ToolError` for what cannot be asked, and may have nothing to show beside the
        inputs themselves.
        """
        self.show = function
        return function

    def remark(self, function: Callable[..., Fact | None]) -> Callable[..., Fact | None]:
        """Decorate the function that finds what a person should know of a call.

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
        """Return the keyword arguments of one call. Without a context, those for the preview.

        Raises:
            ToolError: When a host action is to run where there is no desktop.
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
    `ToolContext`, and anything that pydantic can check; it returns text, `Output`,
    `AttachedContent`, or something that JSON can say. `ToolError` tells the assistant in a sentence
    why it did not work.

    Args:
        read_only: It changes nothing.
        destructive: What it changes may be lost.
        open_world: It reaches beyond this computer's files.
        timeout_s: Wall-clock limit of one call.
        title: What the user reads; by default the name in words. It is translated, and so are the
            question and the text of the docstring before `Args`.
        needs_network: It reaches the network.
        is_grantable: False when a person is to decide about every single call.
        is_undoable: The places it names can be put back as they were.
        shows_result: A person sees each result before it is told to the assistant.
        question: What a card asks; by default whether to use the tool.
        icon: The name of a file in `resources/icons`, without its ending.
        returns_names: A result says what things are called, and nothing of what is in them.
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
        words = title or name.replace("_", " ").capitalize()
        signature = Signature(function)
        marked = {
            "word_inputs": signature.marked(IN_PREVIEW, PLAIN_WORDS),
            "hidden_inputs": signature.marked(ENTERS_HIDDEN),
        }
        declared = {**said, "name": name, "title": words}
        return Tool(function, signature, _define(signature, effects, declared, {**shown, **marked}))

    return decorate


def _define(
    signature: Signature,
    effects: Effects,
    declared: Mapping[str, object],
    shown: Mapping[str, object],
) -> LateDefinition:
    said: dict[str, Any] = {
        **declared,
        "source": BUILT_IN,
        "runs_in": "program" if signature.names("desktop") else "worker",
    }
    all_said = {**said, "effects": asdict(effects), "inputs": signature.declared()}
    digest = canonical_sha256(all_said)
    # How a tool is shown is not in the digest: other words for it end no rule.
    known = {"effects": effects, "digest": digest}
    known["reads_attachments"] = bool(signature.names("attachment"))
    make = partial(_defined, signature, {**said, **shown, **known})
    return LateDefinition(said["name"], digest, make)


def _defined(signature: Signature, said: dict[str, Any]) -> ToolDefinition:
    return ToolDefinition(
        **said, description=signature.summary, input_schema=signature.json_schema()
    )
