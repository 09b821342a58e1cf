"""Sanitize the JSON Schemas of tool servers: keywords not on a list are dropped or refused.

No reference is fetched, no `pattern` is evaluated, and validation takes bounded time: references
are resolved beforehand, and recursive schemas are refused. A `pattern` is still declared to the
assistant; the server enforces it.
"""

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from local_tools.canonical import CanonicalInput, FrozenJson, frozen_json, thaw
from local_tools.errors import InvalidInputError, named
from local_tools.translation_marks import QT_TRANSLATE_NOOP

SCHEMA_LIMIT_BYTES: Final = 64 * 1024
_NODES_LIMIT: Final = 4_000
# Nodes of the schema times values of the input.
_WORK_LIMIT: Final = 1_000_000
_COMPLAINTS_LIMIT: Final = 5
_MESSAGE_CHARS: Final = 200

_PLAIN: Final = frozenset(
    {
        *("type", "description", "title", "default", "examples", "enum", "const", "format"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems"),
        *("minProperties", "maxProperties", "required", "deprecated", "nullable"),
    }
)
_ONE: Final = frozenset({"not", "if", "then", "else", "contains", "propertyNames"})
_ONE_OR_PLAIN: Final = frozenset({"items", "additionalProperties"})
_MANY: Final = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_NAMED: Final = frozenset({"properties", "patternProperties"})
# Not checked here, but by the server: a pattern is code of a stranger; the others do not decide
# anything or take too long.
_NOT_CHECKED: Final = ("pattern", "patternProperties", "format", "uniqueItems", "default")
_TYPES: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


class SchemaRefused(ValueError):
    """A schema that is not accepted; the message is a sentence."""


def clean_schema(schema: Mapping[str, object]) -> Mapping[str, FrozenJson]:
    """Return the schema as it is declared: only allowed keywords, references resolved.

    Raises:
        SchemaRefused: it is too large, recursive, or refers to another document.
    """
    try:
        frozen = frozen_json(schema)
    except InvalidInputError as exc:
        raise SchemaRefused(
            QT_TRANSLATE_NOOP("ToolServers", "The description of its inputs is not JSON.")
        ) from exc
    if len(json.dumps(thaw(frozen)).encode()) > SCHEMA_LIMIT_BYTES:
        raise SchemaRefused(
            QT_TRANSLATE_NOOP("ToolServers", "The description of its inputs is too long.")
        )
    if not isinstance(frozen, Mapping) or frozen.get("type") != "object":
        raise SchemaRefused(
            QT_TRANSLATE_NOOP("ToolServers", "The description of its inputs is not a JSON object.")
        )
    cleaner = _Cleaner(frozen)
    cleaned = frozen_json(cleaner.clean(frozen, ()))
    if not isinstance(cleaned, Mapping) or cleaned.get("type") != "object":
        raise SchemaRefused(
            QT_TRANSLATE_NOOP("ToolServers", "The description of its inputs is not a JSON object.")
        )
    return MappingProxyType({"properties": MappingProxyType({}), **cleaned})


class InputCheck:
    """Validates inputs against a sanitized schema. Lives as long as its tool."""

    def __init__(self, schema: Mapping[str, FrozenJson]) -> None:
        self._schema = schema
        self._size = _count(schema)
        self._validator: Any = None

    def complaints(self, given: CanonicalInput) -> tuple[str, ...]:
        """Return why an input is invalid, as sentences; empty if it is valid."""
        if self._size * _count(given.value) > _WORK_LIMIT:
            return ("The input is too large to be checked.",)
        errors = self._errors(thaw(given.value))
        return tuple(_sentence(error) for error, _ in zip(errors, range(_COMPLAINTS_LIMIT)))  # noqa: B905

    def _errors(self, value: object) -> Iterator[Any]:
        if self._validator is None:
            # Takes a while, and most sessions call no tool of a server.
            from jsonschema import Draft202012Validator  # noqa: PLC0415
            from referencing import Registry  # noqa: PLC0415

            checked = _without_strangers(thaw(self._schema))
            self._validator = Draft202012Validator(checked, registry=Registry())
        found: Iterator[Any] = self._validator.iter_errors(value)
        return found


class _Cleaner:
    """Resolves references within one schema, in a bounded number of steps."""

    def __init__(self, root: Mapping[str, FrozenJson]) -> None:
        self._root = root
        self._left = _NODES_LIMIT

    def clean(self, node: FrozenJson, trail: tuple[str, ...]) -> FrozenJson:
        self._left -= 1
        if self._left < 0:
            raise SchemaRefused(
                QT_TRANSLATE_NOOP("ToolServers", "The description of its inputs is too complex.")
            )
        if isinstance(node, bool):
            return node
        if not isinstance(node, Mapping):
            raise SchemaRefused(
                QT_TRANSLATE_NOOP("ToolServers", "The description of its inputs is malformed.")
            )
        if "$ref" in node:
            return self._resolved(node, trail)
        return {key: self._part(key, item, trail) for key, item in node.items() if _is_known(key)}

    def _part(self, key: str, item: FrozenJson, trail: tuple[str, ...]) -> FrozenJson:
        if key in _PLAIN:
            _refuse_misshapen(key, item)
            return item
        if key in _MANY:
            if not isinstance(item, tuple):
                raise SchemaRefused(f"“{key}” in the description of its inputs is no list.")
            return tuple(self.clean(part, trail) for part in item)
        if key in _NAMED:
            if not isinstance(item, Mapping):
                raise SchemaRefused(f"“{key}” in the description of its inputs is no object.")
            return {name: self.clean(part, trail) for name, part in item.items()}
        return self.clean(item, trail)

    def _resolved(self, node: Mapping[str, FrozenJson], trail: tuple[str, ...]) -> FrozenJson:
        reference = str(node["$ref"])
        if not reference.startswith("#/"):
            raise SchemaRefused(
                QT_TRANSLATE_NOOP(
                    "ToolServers", "The description of its inputs refers to another document."
                )
            )
        if reference in trail:
            raise SchemaRefused(
                QT_TRANSLATE_NOOP("ToolServers", "The description of its inputs refers to itself.")
            )
        found: FrozenJson = self._root
        for step in reference[2:].split("/"):
            name = step.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, Mapping) or name not in found:
                raise SchemaRefused(
                    QT_TRANSLATE_NOOP(
                        "ToolServers", "The description of its inputs refers to something missing."
                    )
                )
            found = found[name]
        if not isinstance(found, Mapping):
            return self.clean(found, trail)
        beside = {key: item for key, item in node.items() if key != "$ref"}
        return self.clean({**found, **beside}, (*trail, reference))


def _is_known(key: str) -> bool:
    return key in _PLAIN or key in _ONE or key in _ONE_OR_PLAIN or key in _MANY or key in _NAMED


def _refuse_misshapen(key: str, item: FrozenJson) -> None:
    """Refuse a schema in which a keyword that the check relies on has another type."""
    numbers = key.startswith(("min", "max", "exclusive", "multiple"))
    is_number = isinstance(item, int | float) and not isinstance(item, bool)
    shapes = {
        "type": _is_type(item),
        "required": isinstance(item, tuple) and all(isinstance(part, str) for part in item),
        "enum": isinstance(item, tuple),
    }
    if not (is_number if numbers else shapes.get(key, True)) or (key == "multipleOf" and not item):
        raise SchemaRefused(f"“{key}” in the description of its inputs is malformed.")


def _is_type(item: FrozenJson) -> bool:
    names = item if isinstance(item, tuple) else (item,)
    return all(isinstance(name, str) and name in _TYPES for name in names)


def _without_strangers(node: Any) -> Any:
    """Return what is checked here: no pattern, and nothing that counts on one."""
    if isinstance(node, list):
        return [_without_strangers(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {key: item for key, item in node.items() if key not in _NOT_CHECKED}
    if "patternProperties" in node:
        kept.pop("additionalProperties", None)
    for key, item in kept.items():
        if key == "properties":
            kept[key] = {name: _without_strangers(part) for name, part in item.items()}
        elif key not in _PLAIN:
            kept[key] = _without_strangers(item)
    return kept


def _count(value: object) -> int:
    if isinstance(value, Mapping):
        return 1 + sum(_count(item) for item in value.values())
    if isinstance(value, tuple):
        return 1 + sum(_count(item) for item in value)
    return 1


def _sentence(error: Any) -> str:
    place = ".".join(str(part) for part in error.absolute_path) or "input"
    message = str(error.message)
    if len(message) > _MESSAGE_CHARS:
        message = f"does not fit “{error.validator}”"
    return f"“{named(place)}”: {message}."
