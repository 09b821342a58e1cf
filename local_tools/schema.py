"""What a tool expects, read from its signature: a checking model and a JSON Schema.

The model checks strictly. The schema is what the assistant sees: one self-contained object
without references or titles, with descriptions from the docstring.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    Protocol,
    TypeAlias,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import docstring_parser
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from local_tools.canonical import CanonicalInput, FrozenJson, frozen_json
from local_tools.context import ToolContext
from local_tools.desktop import Desktop
from local_tools.errors import named
from local_tools.target import CommandLine, Target

ParameterKind: TypeAlias = Literal[
    "value", "previewed", "target", "notes", "command", "shell", "address", "context", "desktop"
]

# The value is shown in full by the tool's preview, so the card need not list it again.
IN_PREVIEW: Final = "shown in the preview"
# A `CommandLine` whose input is one text for the system's shell.
AS_SHELL: Final = "read by a shell"
# A `Target` that no input names: the notes file that the user picked.
PICKED_NOTES: Final = "the notes file that the user picked"
# A text that is the address of a web page.
WEB_ADDRESS: Final = "the address of a web page"

# Given by the program, and not in the input.
_GIVEN: Final = frozenset({"notes", "context", "desktop"})

# How units end the names of parameters.
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
# Values stand as they are; nothing in them is a schema.
_VERBATIM: Final = frozenset({"default", "enum", "const", "examples"})
# What is wrong with a hostile input must not be longer than anybody reads.
_COMPLAINTS_LIMIT: Final = 5
_ERROR_SENTENCES: Final = {
    "missing": "“{place}” is missing.",
    "extra_forbidden": "“{place}” is not an input of this tool.",
    "string_type": "“{place}” must be text.",
    "int_type": "“{place}” must be a whole number.",
    "float_type": "“{place}” must be a number.",
    "bool_type": "“{place}” must be true or false.",
    "list_type": "“{place}” must be a list.",
    "dict_type": "“{place}” must be an object.",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool's function and how it gets its value."""

    name: str
    kind: ParameterKind


class Inputs(Protocol):
    """What a tool can be given. Made when the tool is declared, lives as long as the tool."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Those that are known beforehand, in order."""

    def names(self, *kinds: ParameterKind) -> tuple[str, ...]:
        """The parameters of these kinds, in order."""

    def plain_names(self, given: CanonicalInput) -> tuple[str, ...]:
        """Whatever of a call is shown as it is: no path, no command, no address."""

    def title(self, name: str) -> str:
        """What a person reads instead of the parameter's name."""

    def complaints(self, given: CanonicalInput) -> tuple[str, ...]:
        """Why an input does not fit, as sentences; empty when it does."""

    def values(self, given: CanonicalInput) -> dict[str, object]:
        """The checked values by parameter, defaults filled in; the input must fit."""

    def json_values(self, given: CanonicalInput) -> dict[str, object]:
        """The same values as plain JSON, for showing."""


class Signature:
    """The inputs of one function. Made when the tool is declared, lives as long as the tool."""

    def __init__(self, function: Callable[..., object]) -> None:
        hints = get_type_hints(function, include_extras=True)
        found = inspect.signature(function).parameters
        doc = docstring_parser.parse(inspect.getdoc(function) or "")
        descriptions = {item.arg_name: item.description or "" for item in doc.params}
        self.summary: Final = " ".join(
            text.replace("\n", " ")
            for text in (doc.short_description, doc.long_description)
            if text
        )
        self.parameters: Final = tuple(Parameter(name, _kind(hints[name])) for name in found)
        fields: dict[str, Any] = {
            item.name: (
                _wire_type(hints[item.name], item.kind),
                _field(found[item.name].default, descriptions.get(item.name, "")),
            )
            for item in self.parameters
            if item.kind not in _GIVEN
        }
        self._model = create_model(
            function.__name__, __config__=ConfigDict(extra="forbid"), **fields
        )
        self._titles: Final = {
            name: field.title or title_from(name)
            for name, field in self._model.model_fields.items()
        }

    def names(self, *kinds: ParameterKind) -> tuple[str, ...]:
        """The parameters of these kinds, in the order of the signature."""
        return tuple(item.name for item in self.parameters if item.kind in kinds)

    def plain_names(self, given: CanonicalInput) -> tuple[str, ...]:
        """Whatever of a call is shown as it is, whether it was given or not."""
        del given
        return self.names("value", "previewed")

    def title(self, name: str) -> str:
        """What a person reads instead of the parameter's name.

        A tool says it by `Annotated[int, Field(title="Time limit in seconds")]`; else it is made
        of the name.
        """
        return self._titles[name]

    def json_schema(self) -> Mapping[str, FrozenJson]:
        """`{type, properties, required?}`, frozen."""
        raw = self._model.model_json_schema()
        schema = _inlined(raw, raw.get("$defs", {}), ())
        kept = {key: schema[key] for key in ("type", "properties", "required") if key in schema}
        return cast("Mapping[str, FrozenJson]", frozen_json({"properties": {}, **kept}))

    def complaints(self, given: CanonicalInput) -> tuple[str, ...]:
        """Why an input does not fit, as sentences; empty when it does."""
        try:
            self._model.model_validate_json(given.text, strict=True)
        except ValidationError as exc:
            errors = exc.errors(include_url=False, include_context=False, include_input=False)
            said = [
                _sentence(item["type"], item["loc"], item["msg"])
                for item in errors[:_COMPLAINTS_LIMIT]
            ]
            more = len(errors) - len(said)
            return (*said, f"There are {more:,} more faults like these.") if more else tuple(said)
        return ()

    def values(self, given: CanonicalInput) -> dict[str, object]:
        """The checked values by parameter, defaults filled in.

        Raises:
            pydantic.ValidationError: When the input does not fit.
        """
        model: BaseModel = self._model.model_validate_json(given.text, strict=True)
        return {name: getattr(model, name) for name in type(model).model_fields}

    def json_values(self, given: CanonicalInput) -> dict[str, object]:
        """The same values as plain JSON, for showing."""
        model: BaseModel = self._model.model_validate_json(given.text, strict=True)
        return model.model_dump(mode="json")


def title_from(name: str) -> str:
    """A parameter's name in words: `timeout_s` is “Timeout (seconds)”."""
    *words, last = name.strip("_").split("_")
    unit = _UNITS.get(last) if words else None
    said = " ".join(words if unit else (*words, last))
    said = said[:1].upper() + said[1:]
    return f"{said} ({unit})" if unit else said


def _kind(hint: object) -> ParameterKind:
    plain = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    marks = getattr(hint, "__metadata__", ())
    if plain is ToolContext:
        return "context"
    if plain is Desktop:
        return "desktop"
    if plain is Target:
        return "notes" if PICKED_NOTES in marks else "target"
    if plain is CommandLine:
        return "shell" if AS_SHELL in marks else "command"
    if WEB_ADDRESS in marks:
        return "address"
    return "previewed" if IN_PREVIEW in marks else "value"


def _wire_type(hint: Any, kind: ParameterKind) -> Any:
    plain: Any = hint
    if kind in ("target", "shell"):
        plain = str
    elif kind == "command":
        plain = Annotated[list[str], Field(min_length=1)]
    # A title that a path or a command has stays with it.
    marks = getattr(hint, "__metadata__", ())
    return plain if plain is hint or not marks else Annotated[(plain, *marks)]


def _field(default: object, description: str) -> Any:
    value = ... if default is inspect.Parameter.empty else default
    return Field(value, description=description.replace("\n", " ") or None)


def _inlined(node: Any, shared: Mapping[str, Any], trail: tuple[str, ...]) -> Any:
    """Replace references by what they refer to, and drop titles."""
    if isinstance(node, list):
        return [_inlined(item, shared, trail) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = str(node["$ref"]).rpartition("/")[2]
        if name in trail:
            raise TypeError(f"The input type {name} contains itself; no schema can say that here.")
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return _inlined({**shared[name], **rest}, shared, (*trail, name))
    return {
        key: _inlined_value(key, value, shared, trail)
        for key, value in node.items()
        if key not in ("title", "$defs")
    }


def _inlined_value(key: str, value: Any, shared: Mapping[str, Any], trail: tuple[str, ...]) -> Any:
    if key in _VERBATIM:
        return value
    if key == "properties":
        return {name: _inlined(item, shared, trail) for name, item in value.items()}
    return _inlined(value, shared, trail)


def _sentence(kind: str, location: tuple[int | str, ...], message: str) -> str:
    place = named(".".join(str(part) for part in location) or "input")
    known = _ERROR_SENTENCES.get(kind)
    return known.format(place=place) if known else f"“{place}”: {message}."
