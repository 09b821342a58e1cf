"""Tools are found by unique names, and calls are checked against them."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import Field

from local_tools.canonical import freeze
from local_tools.registry import ToolRegistry
from local_tools.tool import AnyTool, Tool, tool


def named(name: str) -> AnyTool:
    return tool()(_doing_nothing(name))


def _doing_nothing(name: str) -> Callable[[], None]:
    def function() -> None:
        """Do nothing."""

    function.__name__ = name
    return function


def test_the_built_in_tools_are_listed_by_name() -> None:
    names = [item.name for item in ToolRegistry.built_in().definitions()]
    assert names == [
        *("calculate", "convert_units", "current_time", "delete_file", "edit_file", "fetch_page"),
        *("list_folder", "move_file", "open_file", "read_clipboard", "read_file", "run_command"),
        *("run_shell", "search_files", "system_information", "take_note", "write_clipboard"),
        "write_file",
    ]


LOADED = """
import sys
sys.path.insert(0, sys.argv[1])
import local_tools.execution.worker
print(*sorted({"asyncio", "docstring_parser", "psutil", "pydantic", "ssl"} & set(sys.modules)))
"""


def test_a_worker_knows_every_tool_that_ships_without_what_few_of_them_need() -> None:
    argv = (sys.executable, "-I", "-c", LOADED, str(Path(__file__).parents[2]))
    said = subprocess.run(argv, capture_output=True, check=True, encoding="utf-8").stdout
    assert said == "\n"


def test_only_reading_tools_say_that_they_only_read() -> None:
    effects = {item.name: item.effects for item in ToolRegistry.built_in().definitions()}
    reading = {name for name, effect in effects.items() if effect.read_only}
    assert reading == {
        *("calculate", "convert_units", "current_time", "fetch_page", "list_folder"),
        *("read_clipboard", "read_file", "search_files", "system_information"),
    }
    assert effects["write_file"].destructive
    assert {name for name, effect in effects.items() if effect.open_world} == {
        *("fetch_page", "open_file", "run_command", "run_shell")
    }


def test_what_a_tool_needs_is_said_by_its_definition() -> None:
    known = {item.name: item for item in ToolRegistry.built_in().definitions()}
    assert {name for name, item in known.items() if item.needs_network} == {"fetch_page"}
    assert {name for name, item in known.items() if not item.is_grantable} == {"run_shell"}
    assert {name for name, item in known.items() if item.runs_in == "program"} == {
        *("delete_file", "open_file", "read_clipboard", "write_clipboard")
    }
    assert {name for name, item in known.items() if item.is_undoable} == {
        *("delete_file", "edit_file", "move_file", "take_note", "write_file")
    }


def test_every_input_has_words_for_a_person_and_every_tool_says_what_it_does() -> None:
    for item in ToolRegistry.built_in().definitions():
        assert item.description.endswith(".")
        properties = item.wire_schema()["properties"]
        assert isinstance(properties, dict)
        tool_ = ToolRegistry.built_in().get(item.name)
        assert tool_ is not None
        for name, schema in properties.items():
            assert schema["description"].endswith("."), (item.name, name)
            assert tool_.signature.title(name)[0].isupper()


@pytest.mark.security(14)
@pytest.mark.parametrize("name", ["", "a b", "reаd_file", "a.b", "a" * 65, "a\n"])
def test_malformed_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be a tool's name"):
        ToolRegistry([named(name)])


@pytest.mark.security(14)
def test_a_second_tool_of_the_same_name_is_refused() -> None:
    with pytest.raises(ValueError, match="already a tool"):
        ToolRegistry([named("same"), named("same")])


LOOK_ALIKES = [
    ("read_file", "read_fiIe"),
    ("read_file", "read_fi1e"),
    ("read_file", "Read_File"),
    ("read_file", "read-file"),
    ("read_file", "readfile"),
    ("read_file", "read__file"),
    ("open", "0pen"),
    ("list", "1ist"),
    ("modem", "modern"),
    ("web", "vveb"),
]


@pytest.mark.security(14)
@pytest.mark.parametrize(("first", "second"), LOOK_ALIKES)
def test_a_name_that_is_taken_for_another_is_refused(first: str, second: str) -> None:
    original = named(first)
    registry = ToolRegistry([original])
    with pytest.raises(ValueError, match=f"“{second}” is easily taken for the tool “{first}”"):
        registry.add(named(second))
    assert registry.get(first) is original
    assert registry.get(second) is None


def test_an_unknown_tool_is_told_by_a_sentence() -> None:
    registry = ToolRegistry.built_in()
    assert registry.get("nope") is None
    assert registry.validate("nope", freeze({})) == ("There is no tool “nope” on this computer.",)


def test_a_fitting_input_has_no_complaints() -> None:
    registry = ToolRegistry.built_in()
    assert registry.validate("read_file", freeze({"path": "a"})) == ()
    assert registry.validate("read_file", freeze({})) == ("“path” is missing.",)


def test_a_source_is_replaced_whole_and_takes_nothing_from_others() -> None:
    registry, told = ToolRegistry.built_in(), list[int]()
    before = registry.definitions()
    end = registry.subscribe(lambda: told.append(len(registry.definitions())))

    refused = registry.replace("far", (_from_far("far__see"), _from_far("read_fi1e")))
    registry.replace("far", (_from_far("far__see"),))
    registry.replace("far", ())
    end()
    registry.replace("far", (_from_far("far__see"),))

    assert list(refused) == ["read_fi1e"]
    assert "read_file" in refused["read_fi1e"]
    assert told == [len(before) + 1, len(before)]


def _from_far(name: str) -> AnyTool:
    known = named(name)
    return Tool(lambda: None, known.signature, replace(known.definition, source="far"))


KEYWORDS = {
    *("additionalProperties", "anyOf", "default", "description", "items", "maxLength", "maximum"),
    *("minItems", "minLength", "minimum", "properties", "required", "type"),
}


@pytest.mark.security(19)
def test_no_schema_refers_elsewhere_or_has_a_pattern_to_hang_on() -> None:
    for item in ToolRegistry.built_in().definitions():
        schema = item.wire_schema()
        assert len(json.dumps(schema)) < 4_096
        for node in _schemas_in(schema):
            assert set(node) <= KEYWORDS, item.name


def _schemas_in(node: Any) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("properties", {}).values():
        yield from _schemas_in(child)
    if "items" in node:
        yield from _schemas_in(node["items"])


@pytest.mark.security(19)
def test_a_pattern_of_a_tool_of_ours_cannot_hang() -> None:
    @tool()
    def matched(text: Annotated[str, Field(pattern="^(a+)+$")]) -> str:
        """Take a text."""
        return text

    registry = ToolRegistry([matched])
    # Pydantic's own engine takes time in proportion to the text.
    assert registry.validate("matched", freeze({"text": "a" * 100_000 + "!"}))
    assert registry.validate("matched", freeze({"text": "a" * 100_000})) == ()


@pytest.mark.security(96)
@pytest.mark.parametrize("title", ["re\u0430d (files)", "read (f\u0456les)", "\uff52ead (files)"])
def test_a_title_that_is_drawn_like_that_of_another_tool_is_refused(title: str) -> None:
    registry = ToolRegistry([])
    first = tool(title="read (files)")(_doing_nothing("files__read"))
    second = tool(title=title)(_doing_nothing("other__look"))
    assert registry.replace("first", [first]) == {}
    (problem,) = registry.replace("second", [second]).values()
    assert problem == f"“{title}” is easily taken for the tool “read (files)”."
    assert registry.get("other__look") is None
