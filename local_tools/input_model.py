"""Validate a tool's inputs, and describe them as JSON Schema, with a pydantic model.

The model is strict. The schema is for the assistant: one self-contained object without references
or titles, with descriptions from the docstring.
"""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any, Final, cast

import docstring_parser
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from local_tools.canonical import FrozenJson, frozen_json
from local_tools.errors import named
from local_tools.schema import InputField

# Keywords whose values are plain data: nothing in them is a schema.
_VERBATIM: Final = frozenset({"default", "enum", "const", "examples"})
# Bounds the list of faults for a hostile input.
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


class InputModel:
    """The pydantic model of one tool's inputs. Made by its `Signature` on first use; lives as long.

    Attributes:
        summary: The docstring before its first section, on one line.
    """

    def __init__(self, name: str, doc: str, fields: Sequence[InputField]) -> None:
        said = docstring_parser.parse(doc)
        words = {item.arg_name: item.description or "" for item in said.params}
        self.summary: Final = " ".join(
            text.replace("\n", " ")
            for text in (said.short_description, said.long_description)
            if text
        )
        made: dict[str, Any] = {
            field.name: _declared(field, words.get(field.name, "")) for field in fields
        }
        self._model = create_model(name, __config__=ConfigDict(extra="forbid"), **made)

    def json_schema(self) -> Mapping[str, FrozenJson]:
        """Return the frozen schema: `{type, properties, required?}`.

        Raises:
            TypeError: A type contains itself.
        """
        raw = self._model.model_json_schema()
        schema = _inlined(raw, raw.get("$defs", {}), ())
        kept = {key: schema[key] for key in ("type", "properties", "required") if key in schema}
        return cast("Mapping[str, FrozenJson]", frozen_json({"properties": {}, **kept}))

    def complaints(self, text: str) -> tuple[str, ...]:
        """Return why an input is invalid, as sentences; empty if it is valid."""
        try:
            self._model.model_validate_json(text, strict=True)
        except ValidationError as exc:
            errors = exc.errors(include_url=False, include_context=False, include_input=False)
            said = [
                _sentence(item["type"], item["loc"], item["msg"])
                for item in errors[:_COMPLAINTS_LIMIT]
            ]
            more = len(errors) - len(said)
            return (*said, f"There are {more:,} more faults like these.") if more else tuple(said)
        return ()

    def values(self, text: str) -> dict[str, object]:
        """Return the validated values by parameter, defaults filled in.

        Raises:
            pydantic.ValidationError: When the input is invalid.
        """
        model: BaseModel = self._model.model_validate_json(text, strict=True)
        return {name: getattr(model, name) for name in type(model).model_fields}

    def json_values(self, text: str) -> dict[str, object]:
        """Return the same values as plain JSON, for display."""
        model: BaseModel = self._model.model_validate_json(text, strict=True)
        return model.model_dump(mode="json")


def _declared(field: InputField, description: str) -> tuple[Any, Any]:
    """Return a field as pydantic is told of it; titles are for people, and not in a schema."""
    limits = {name: value for name, value in asdict(field.mark).items() if name != "title"}
    known: dict[str, Any] = {name: value for name, value in limits.items() if value is not None}
    hint = Annotated[field.hint, Field(**known)] if known else field.hint
    default = ... if field.default is inspect.Parameter.empty else field.default
    return hint, Field(default, description=description.replace("\n", " ") or None)


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
