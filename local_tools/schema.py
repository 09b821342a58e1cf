"""Derive a tool's inputs from the signature of its function.

Pydantic, which validates and describes inputs, is imported only when that is needed
(`local_tools.input_model`): a worker gets an input that was validated before, and starts faster
without it.
"""

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    Protocol,
    TypeAlias,
    get_args,
    get_origin,
    get_type_hints,
)

from local_tools.attached_file import AttachedFile
from local_tools.canonical import CanonicalInput, FrozenJson, thaw
from local_tools.context import Desktop, ToolContext
from local_tools.paths.guarded_path import CommandLine, GuardedPath

ParameterKind: TypeAlias = Literal[
    "value",
    "previewed",
    "target",
    "destination",
    "notes",
    "attachment",
    "command",
    "shell",
    "address",
    "context",
    "desktop",
]

# Marks of parameters, given as `Annotated[type, MARK]`.
# A text that the preview may show whole. The card leaves it out of its facts only if the new text
# of the diff, or the text of the preview, is exactly this value.
IN_PREVIEW: Final = "shown in the preview"
# A `CommandLine` whose input is one text for the system's shell.
AS_SHELL: Final = "read by a shell"
# A `GuardedPath` that no input names: the notes file that the user picked.
PICKED_NOTES: Final = "the notes file that the user picked"
# A `GuardedPath` to which the path of the parameter before it is moved or copied: the new path
# itself, or a folder to put it in if the input ends with a slash.
DESTINATION: Final = "where the path before goes"
# A text that is the address of a web page.
WEB_ADDRESS: Final = "the address of a web page"
# A text that is prose: not searched for paths.
PLAIN_WORDS: Final = "words, and no path"
# A flag that makes the tool read hidden files and folders, which it skips otherwise.
ENTERS_HIDDEN: Final = "hidden places too"

# Given by the program, and not in the input.
_GIVEN: Final = frozenset({"notes", "context", "desktop"})
# What stands for itself, whatever is said of it.
_INJECTED: Final[Mapping[type, ParameterKind]] = {
    ToolContext: "context",
    Desktop: "desktop",
    AttachedFile: "attachment",
}
# In JSON and in Python the same, but for a whole number where a fraction may stand.
_PLAIN: Final[tuple[object, ...]] = (str, int, float, bool, list[str])

# The unit for the label, by the suffix of a parameter's name.
_UNITS: Final = {
    "ms": "milliseconds",
    "s": "seconds",
    "min": "minutes",
    "h": "hours",
    "bytes": "bytes",
    "kib": "KiB",
    "mib": "MiB",
    "px": "pixels",
    "percent": "%",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool's function and how it gets its value."""

    name: str
    kind: ParameterKind


class Inputs(Protocol):
    """The inputs of a tool. Made when the tool is declared, lives as long as the tool."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The declared parameters, in order."""

    def names(self, *kinds: ParameterKind) -> tuple[str, ...]:
        """Return the parameters of these kinds, in order."""

    def plain_names(self, given: CanonicalInput) -> tuple[str, ...]:
        """Return the inputs of a call that are shown unchanged: no path, command or address."""

    def title(self, name: str) -> str:
        """Return the label for people of a parameter."""

    def complaints(self, given: CanonicalInput) -> tuple[str, ...]:
        """Return why an input is invalid, as sentences; empty if it is valid."""

    def values(self, given: CanonicalInput) -> dict[str, object]:
        """Return the validated values by parameter, defaults filled in; the input must be valid."""

    def json_values(self, given: CanonicalInput) -> dict[str, object]:
        """Return the same values as plain JSON, for display."""


@dataclass(frozen=True, slots=True)
class Input:
    """Metadata of an input, for `Annotated`; limits are named as in pydantic.

    Attributes:
        title: The label for people, instead of the parameter's name.
    """

    title: str = ""
    ge: int | None = None
    le: int | None = None
    min_length: int | None = None
    max_length: int | None = None


@dataclass(frozen=True, slots=True)
class InputField:
    """One input that is given as JSON.

    Attributes:
        hint: Its type; `mark` is Parley's own marker in its `Annotated`, if any.
        default: `inspect.Parameter.empty` if it is required.
    """

    name: str
    hint: Any
    mark: Input
    default: object

    @property
    def is_plain(self) -> bool:
        """Whether its type can be validated without pydantic."""
        return self.hint in _PLAIN

    def value_in(self, given: CanonicalInput) -> object:
        """Return the given value of a plain input if it is valid, or its default."""
        if self.name not in given.value:
            return self.default
        value = thaw(given.value[self.name])
        return _fraction(value) if self.hint is float and isinstance(value, int) else value


class _Checks(Protocol):
    """What `local_tools.input_model.InputModel` does."""

    @property
    def summary(self) -> str: ...
    def json_schema(self) -> Mapping[str, FrozenJson]: ...
    def complaints(self, text: str) -> tuple[str, ...]: ...
    def values(self, text: str) -> dict[str, object]: ...
    def json_values(self, text: str) -> dict[str, object]: ...


class Signature:
    """The inputs of one function. Made when the tool is declared, lives as long as the tool."""

    def __init__(self, function: Callable[..., object]) -> None:
        """Read a function.

        Raises:
            TypeError: A type that contains itself cannot be described.
        """
        hints = get_type_hints(function, include_extras=True)
        found = inspect.signature(function).parameters
        self.parameters: Final = tuple(Parameter(name, _kind(hints[name])) for name in found)
        self._marks = {
            name: {mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, str)}
            for name, hint in hints.items()
        }
        self._name = function.__name__
        self._doc = inspect.getdoc(function) or ""
        self._fields = tuple(
            _field(item, hints[item.name], found[item.name].default)
            for item in self.parameters
            if item.kind not in _GIVEN
        )
        self._is_plain = all(field.is_plain for field in self._fields)
        if not self._is_plain:
            # Whether such a type can be described at all is said where the tool is declared.
            self.json_schema()

    def declared(self) -> Mapping[str, object]:
        """Return the declaration of the inputs, the same in every process, for the digest."""
        said = [
            [item.name, repr(item.hint) if item.is_plain else "", repr(item.mark)]
            for item in self._fields
        ]
        kinds = [[item.name, item.kind] for item in self.parameters]
        known = {"docstring": self._doc, "parameters": kinds, "inputs": said}
        if self._is_plain:
            return {**known, "defaults": [repr(item.default) for item in self._fields]}
        return {**known, "schema": self.json_schema()}

    @property
    def summary(self) -> str:
        """The docstring before its first section, on one line."""
        return self._model.summary

    def names(self, *kinds: ParameterKind) -> tuple[str, ...]:
        """Return the parameters of these kinds, in the order of the signature."""
        return tuple(item.name for item in self.parameters if item.kind in kinds)

    def marked(self, *marks: str) -> frozenset[str]:
        """Return the parameters whose `Annotated` has one of these markers."""
        return frozenset(name for name, found in self._marks.items() if not found.isdisjoint(marks))

    def plain_names(self, given: CanonicalInput) -> tuple[str, ...]:
        """Return the inputs that are shown unchanged, given or not."""
        del given
        return self.names("value", "previewed")

    def title(self, name: str) -> str:
        """Return the label for people of a parameter.

        From `Annotated[int, Input(title="Time limit in seconds")]`; else derived from the name.
        """
        marks = (field.mark for field in self._fields if field.name == name)
        return next(marks, Input()).title or title_from(name)

    def json_schema(self) -> Mapping[str, FrozenJson]:
        """`{type, properties, required?}`, frozen."""
        return self._model.json_schema()

    def complaints(self, given: CanonicalInput) -> tuple[str, ...]:
        """Return why an input is invalid, as sentences; empty if it is valid."""
        return self._model.complaints(given.text)

    def values(self, given: CanonicalInput) -> dict[str, object]:
        """Return the validated values by parameter, defaults filled in; the input must be valid."""
        if self._is_plain:
            return {field.name: field.value_in(given) for field in self._fields}
        return self._model.values(given.text)

    def json_values(self, given: CanonicalInput) -> dict[str, object]:
        """Return the same values as plain JSON, for display."""
        return self.values(given) if self._is_plain else self._model.json_values(given.text)

    @cached_property
    def _model(self) -> _Checks:
        # Takes longer than all else that a worker does.
        from local_tools.input_model import InputModel  # noqa: PLC0415

        return InputModel(self._name, self._doc, self._fields)


def title_from(name: str) -> str:
    """Derive a label from a parameter's name: `timeout_s` becomes “Timeout (seconds)”."""
    *words, last = name.strip("_").split("_")
    unit = _UNITS.get(last) if words else None
    said = " ".join(words if unit else (*words, last))
    said = said[:1].upper() + said[1:]
    return f"{said} ({unit})" if unit else said


def _kind(hint: object) -> ParameterKind:
    plain = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    marks = getattr(hint, "__metadata__", ())
    if isinstance(plain, type) and plain in _INJECTED:
        return _INJECTED[plain]
    if plain is GuardedPath:
        return _target_kind(marks)
    if plain is CommandLine:
        return "shell" if AS_SHELL in marks else "command"
    if WEB_ADDRESS in marks:
        return "address"
    return "previewed" if IN_PREVIEW in marks else "value"


def _target_kind(marks: tuple[object, ...]) -> ParameterKind:
    if PICKED_NOTES in marks:
        return "notes"
    return "destination" if DESTINATION in marks else "target"


def _field(item: Parameter, hint: Any, default: object) -> InputField:
    """Return the input that a parameter is in JSON: a path or a name of a file is a text."""
    plain: Any = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    marks = getattr(hint, "__metadata__", ())
    mark = next((each for each in marks if isinstance(each, Input)), Input())
    others = tuple(each for each in marks if not isinstance(each, Input | str))
    if item.kind in ("target", "destination", "attachment", "shell"):
        plain = str
    elif item.kind == "command":
        plain, mark = list[str], replace(mark, min_length=1)
    return InputField(item.name, Annotated[(plain, *others)] if others else plain, mark, default)


def _fraction(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
