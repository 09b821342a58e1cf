"""From a plain wish to the call of a declared tool, by the tool's own schema."""

import shlex
from collections.abc import Mapping
from typing import Any, Final

from local_server.assistant.offline.actions import (
    ARGUMENT_NAMES,
    KINDS,
    Purpose,
    plain_name,
)
from local_server.assistant.offline.markdown import code
from local_server.assistant.offline.wishes import Wish
from local_server.assistant.reply import ToolRequest
from local_server.store.records import Tool

_OUR_ARGUMENTS: Final[Mapping[Purpose, str]] = {
    "path": "path",
    "folder": "path",
    "content": "content",
    "query": "query",
    "old": "old_text",
    "new": "new_text",
    "source": "source",
    "destination": "destination",
    "command": "argv",
    "url": "url",
}


class MisfitError(Exception):
    """A tool cannot be called with what was said; the message says what is missing."""


def fit(wish: Wish, tool: Tool) -> ToolRequest:
    """Call a tool with what was wished.

    Raises:
        MisfitError: When its schema does not plainly say which argument takes what, or demands
            more than was said.
    """
    properties = _properties(tool)
    if not properties:
        given = {_OUR_ARGUMENTS[purpose]: value for purpose, value in wish.given.items()}
        return ToolRequest(tool.name, _with_command(given))
    filled: dict[str, Any] = {}
    for purpose in KINDS[wish.action].purposes:
        if purpose in wish.given:
            name = _argument(purpose, properties, filled, tool)
            filled[name] = _shaped(wish.given[purpose], purpose, properties[name])
    missing = [name for name in _required(tool) if name not in filled]
    if missing:
        named = ", ".join(code(name) for name in missing)
        raise MisfitError(f"The tool {code(tool.name)} also has to be told {named}.")
    return ToolRequest(tool.name, filled)


def fit_search_by_command(wish: Wish, tool: Tool) -> ToolRequest:
    """Let a tool that runs commands do a search, with `grep`.

    Raises:
        MisfitError: As `fit` does.
    """
    argv = ("grep", "-rn", "--", wish.given["query"], wish.given["folder"])
    return fit(Wish("run", {"command": shlex.join(argv)}), tool)


def _argument(
    purpose: Purpose, properties: Mapping[str, Any], filled: Mapping[str, Any], tool: Tool
) -> str:
    free = {
        plain_name(name): name
        for name, schema in properties.items()
        if name not in filled and _types(schema) & {"string", "array"}
    }
    likely = next((free[name] for name in ARGUMENT_NAMES[purpose] if name in free), None)
    if likely is not None:
        return likely
    left = [name for name in free.values() if name in _required(tool)] or list(free.values())
    if len(left) == 1:
        return left[0]
    raise MisfitError(f"The tool {code(tool.name)} does not plainly say where the {purpose} goes.")


def _shaped(value: str, purpose: Purpose, schema: Any) -> Any:
    if "string" in _types(schema):
        return value
    return _split(value) if purpose == "command" else [value]


def _with_command(given: dict[str, Any]) -> dict[str, Any]:
    return {name: _split(value) if name == "argv" else value for name, value in given.items()}


def _split(command: str) -> list[str]:
    return shlex.split(command)


def _properties(tool: Tool) -> Mapping[str, Any]:
    properties = tool.input_schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def _required(tool: Tool) -> list[str]:
    required = tool.input_schema.get("required")
    names = required if isinstance(required, list) else []
    return [name for name in names if isinstance(name, str)]


def _types(schema: Any) -> set[str]:
    """The JSON types that a property may have; one that names none may be a string."""
    if not isinstance(schema, dict):
        return {"string"}
    branches = [schema, *(schema.get("anyOf") or ()), *(schema.get("oneOf") or ())]
    named = [branch.get("type") for branch in branches if isinstance(branch, dict)]
    types = {kind for kind in named if isinstance(kind, str)}
    for several in (kind for kind in named if isinstance(kind, list)):
        types |= {kind for kind in several if isinstance(kind, str)}
    return types or {"string"}
