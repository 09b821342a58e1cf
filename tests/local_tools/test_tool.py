"""A typed function becomes a tool: schema, description, hints, digest."""

from typing import Annotated, Literal

import pytest
from pydantic import BaseModel

from local_tools.canonical import freeze
from local_tools.schema import Signature
from local_tools.tool import (
    WEB_ADDRESS,
    CommandLine,
    Effects,
    GuardedPath,
    Input,
    ToolContext,
    tool,
)


class Point(BaseModel):
    """A place."""

    x: int
    title: str = "none"


@tool(read_only=True, destructive=False, open_world=False, timeout_s=5, title="Do it")
def do_it(
    path: GuardedPath,
    command: CommandLine,
    point: Point,
    context: ToolContext,
    mode: Literal["fast", "slow"] = "fast",
) -> str:
    """Do one thing.

    And say more about it.

    Args:
        path: Where to
            do it.
        command: What with.
        point: Which one.
        context: Not an input.
        mode: How.
    """
    return f"{path} {command} {point} {context} {mode}"


@pytest.mark.spec("2.7-tool-definition")
def test_the_schema_is_one_plain_object_without_references_and_titles() -> None:
    assert do_it.definition.wire_schema() == {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "Where to do it."},
            "command": {
                "type": "array",
                "items": {"type": "string"},
                "minItems": 1,
                "description": "What with.",
            },
            "point": {
                "type": "object",
                "description": "Which one.",
                "properties": {
                    "x": {"type": "integer"},
                    "title": {"type": "string", "default": "none"},
                },
                "required": ["x"],
            },
            "mode": {
                "type": "string",
                "enum": ["fast", "slow"],
                "default": "fast",
                "description": "How.",
            },
        },
        "required": ["path", "command", "point"],
    }


@pytest.mark.spec("2.7-tool-definition")
def test_a_tool_without_inputs_has_empty_properties() -> None:
    @tool()
    def nothing() -> None:
        """Do nothing."""

    assert nothing.definition.wire_schema() == {"type": "object", "properties": {}}


def test_a_definition_says_what_the_decorator_and_the_docstring_say() -> None:
    definition = do_it.definition
    assert definition.name == "do_it"
    assert definition.title == "Do it"
    assert definition.description == "Do one thing. And say more about it."
    assert definition.effects == Effects(read_only=True, destructive=False, open_world=False)
    assert definition.timeout_s == 5


def test_missing_hints_count_as_the_highest_risk() -> None:
    @tool()
    def silent() -> None:
        """Say nothing."""

    assert silent.definition.effects == Effects(read_only=False, destructive=True, open_world=True)


def test_a_decorated_function_stays_callable() -> None:
    @tool()
    def add(first: int, second: int) -> int:
        """Add."""
        return first + second

    assert add(1, second=2) == 3


def test_the_digest_changes_with_anything_that_is_told() -> None:
    def digest(docstring: str, *, read_only: bool = False, timeout_s: float = 60) -> str:
        def same_name(value: int) -> None:
            del value

        same_name.__doc__ = docstring
        return tool(read_only=read_only, timeout_s=timeout_s)(same_name).definition.digest

    digests = [digest("One."), digest("Two."), digest("One.", read_only=True),
               digest("One.", timeout_s=61)]  # fmt: skip
    assert len(set(digests)) == 4
    assert digest("One.") == digests[0]


def test_the_digest_changes_with_the_type_the_limits_and_the_default_of_an_input() -> None:
    def one(value: int) -> None: ...
    def limited(value: Annotated[int, Input(le=9)]) -> None: ...
    def titled(value: Annotated[int, Input(title="Number")]) -> None: ...
    def given(value: int = 3) -> None: ...
    def text(value: str) -> None: ...
    def place(value: GuardedPath) -> None: ...
    def shaped(value: Point) -> None: ...

    functions = (one, limited, titled, given, text, place, shaped)
    for function in functions:
        function.__name__ = "same_name"
    assert len({tool()(function).digest for function in functions}) == len(functions)


@tool()
def plain(
    path: GuardedPath,
    *,
    address: Annotated[str, WEB_ADDRESS, Input(title="Where")],
    number: float,
    words: list[str],
    count: Annotated[int, Input(ge=1, le=5)] = 2,
    is_on: bool = False,
    more: float = 0.5,
) -> str:
    """Take what needs no library to be read."""
    return f"{path} {address} {number} {words} {count} {is_on} {more}"


@pytest.mark.parametrize(
    "given",
    [
        {"number": 3, "words": []},
        {"number": -0.0, "words": ["a", ""], "count": 5, "is_on": True},
        {"number": 10**400, "words": ["a"], "more": -(10**400)},
        {"number": 2**53 + 1, "words": ["\ud83d\ude00 é"], "more": 1e-300, "count": 1},
    ],
)
def test_plain_values_are_read_as_the_model_would_read_them(given: dict[str, object]) -> None:
    whole = freeze({"path": "a", "address": "https://example.org", **given})
    assert plain.signature.complaints(whole) == ()
    assert isinstance(plain.signature, Signature)
    model = plain.signature._model
    for ours, theirs in (
        (plain.signature.values(whole), model.values(whole.text)),
        (plain.signature.json_values(whole), model.json_values(whole.text)),
    ):
        assert {name: repr(value) for name, value in ours.items()} == {
            name: repr(value) for name, value in theirs.items()
        }


def test_limits_of_plain_inputs_are_kept_and_reported() -> None:
    good = {"path": "a", "address": "a", "number": 1, "words": []}
    assert plain.signature.complaints(freeze({**good, "count": 6}))
    assert plain.definition.wire_schema()["properties"]["count"] == {  # type: ignore[index]  # JSON
        "type": "integer", "default": 2, "minimum": 1, "maximum": 5,
    }  # fmt: skip


def test_a_wire_schema_is_a_fresh_copy() -> None:
    do_it.definition.wire_schema().clear()
    assert do_it.definition.wire_schema()["type"] == "object"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({}, "“path” is missing."),
        ({"path": 3}, "“path” must be text."),
        ({"command": "ls"}, "“command” must be a list."),
        ({"command": []}, "“command”: List should have at least 1 item"),
        ({"command": ["ls", 3]}, "“command.1” must be text."),
        ({"point": {"x": "1"}}, "“point.x” must be a whole number."),
        ({"mode": "loud"}, "“mode”: Input should be 'fast' or 'slow'."),
        ({"more": 1}, "“more” is not an input of this tool."),
    ],
)
def test_an_input_that_does_not_fit_is_told_in_sentences(
    values: dict[str, object], sentence: str
) -> None:
    good = {"path": "a", "command": ["ls"], "point": {"x": 1}}
    complaints = do_it.signature.complaints(freeze({**good, **values} if values else {}))
    assert any(sentence in complaint for complaint in complaints)


def test_what_is_said_about_a_hostile_input_stays_short() -> None:
    many = do_it.signature.complaints(freeze({f"k{number}": 0 for number in range(20_000)}))
    assert len(many) == 6
    assert many[-1] == "There are 19,998 more faults like these."
    (_, _, _, long) = do_it.signature.complaints(freeze({"k" * 200_000: 0}))
    assert long == f"“{'k' * 80}…” is not an input of this tool."


def test_a_type_that_contains_itself_is_refused_when_declared() -> None:
    with pytest.raises(TypeError, match="contains itself"):

        @tool()
        def endless(tree: Tree) -> None:
            """Never."""
            del tree


class Tree(BaseModel):
    """A tree."""

    branches: list["Tree"]
