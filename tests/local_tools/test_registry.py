"""Tools are found by unique names, and calls are checked against them."""

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

import pytest
from pydantic import Field

from local_tools.canonical import freeze
from local_tools.registry import ToolRegistry
from local_tools.tool import AnyTool, Tool, ToolDefinition, tool

_ROOT: Final = Path(__file__).parents[2]
MADE_BY_0_1_0: Final = _ROOT / "tests" / "data" / "made-by-0.1.0.zip"


def named(name: str) -> AnyTool:
    return tool()(_doing_nothing(name))


def _doing_nothing(name: str) -> Callable[[], None]:
    def function() -> None:
        """Do nothing."""

    function.__name__ = name
    return function


# By 0.1.0, and so in the rules that people have made since. Whatever a digest is over cannot be
# changed without ending those: the docstring of a tool, its types, limits and hints.
_DIGESTS: Final[Mapping[str, str]] = {
    "calculate": "c495439df78d921bea1c5a8b2d241409e662baed07890d17aea336074b28a6d3",
    "convert_units": "d73ac53fb5bec2410f8415a5f741d0080d9a74ed7da62464b6b4cff8225440ea",
    "current_time": "948d57df4ecb1f5638aaf7d34100f5b17fd44bb75fd074846efd1380dc74f65f",
    "delete_file": "24f1ae2ca9d4158937bc590fdcf9efaf27329ff608ed1e6d9889290d23e9e622",
    "edit_file": "6b67b95925f66217a367fe118d0960f99f809b70fb5894bf3dc8ceb8181ba336",
    "fetch_page": "1dd126a7f3f56eb730e983b7a62c094076e5564b4781509b3aa0b46a6178eef9",
    "list_folder": "713ca5c96b2b79dcf8410916810b991dcecd53d17ef4438522a7927fae3b1a24",
    "move_file": "74753493ee503dbd3af2f263ac479903a5f98b55bcb869c01aa7275e2835cee8",
    "open_file": "c464742f069cc37a33f2572f9506368e1bf8e1bcb590e4a78c4063faad7bd43e",
    "read_clipboard": "b7cffa76fa752d69d7491e875b056bf60ad9fb6c2ba520a74816138c5cd96def",
    "read_file": "ab46534ceec184c845adc9ab1878ee50077872aa99608dc120146f5f35e4e255",
    "run_command": "0056b33053abbd746910f02d6bc0e5cf0e46d1fb9e15d90d473ed167ea644c25",
    "run_shell": "37d810943c20eafcc073319dd2ae5cab448be4d980509f3ee6312b9e1f5a84e6",
    "search_files": "d239e7ff442b71ff7c16e50521fcf0427c6e7e0c9801290db68cdbc74a5148d5",
    "system_information": "0abec92843cf685c8aa7f2a20c3ee0d6400a53769959f235da38f9fa7f7c2178",
    "take_note": "c2f6dd8cdbac728ae0973ce6399732e0a833af0a7c5c4d5682dbd81d039c4247",
    "write_clipboard": "5855fb78f00d94371ec2297e58e2aa6e70f987f8c6594efbd1a2b27f6c794594",
    "write_file": "21d8290b203ed6409cf25e7a0752e185122a998348f945724e272387fdfd2d5a",
}


def _shipped_before() -> dict[str, ToolDefinition]:
    known = ToolRegistry.built_in().definitions()
    return {item.name: item for item in known if item.name in _DIGESTS}


def test_the_built_in_tools_are_those_that_rules_were_made_for() -> None:
    assert {name: item.digest for name, item in _shipped_before().items()} == _DIGESTS


def test_a_call_that_an_earlier_version_kept_was_one_of_a_tool_of_today(tmp_path: Path) -> None:
    shutil.unpack_archive(MADE_BY_0_1_0, tmp_path)
    with closing(sqlite3.connect(tmp_path / "data" / "ledger.db")) as kept:
        calls = set(kept.execute("SELECT tool, digest FROM entries"))
    assert calls
    assert calls <= set(_DIGESTS.items())


def test_the_built_in_tools_are_found_and_listed_by_name() -> None:
    names = [item.name for item in ToolRegistry.built_in().definitions()]
    assert names == sorted(names)
    assert set(names) >= _DIGESTS.keys()


def test_how_a_tool_is_shown_is_not_in_its_digest() -> None:
    plain = tool(title="Count")(_doing_nothing("count"))
    shown = tool(title="Count", question="Count?", icon="clock", returns_names=True)(
        _doing_nothing("count")
    )
    assert shown.digest == plain.digest
    assert (shown.definition.question, shown.definition.icon) == ("Count?", "clock")
    assert shown.definition.returns_names


def test_every_built_in_tool_asks_a_question_of_its_own_and_has_an_icon() -> None:
    known = ToolRegistry.built_in().definitions()
    questions = [item.question for item in known]
    assert all(question.endswith("?") for question in questions)
    assert len(set(questions)) == len(questions)
    icons = {path.stem for path in (_ROOT / "resources" / "icons").glob("*.svg")}
    assert {item.icon for item in known} <= icons


def test_a_worker_knows_the_one_tool_that_it_runs() -> None:
    known = ToolRegistry.with_built_in("read_file")
    assert [item.digest for item in known.definitions()] == [_DIGESTS["read_file"]]
    assert ToolRegistry.with_built_in("nope").definitions() == ()


LOADED = """
import sys
sys.path.insert(0, sys.argv[1])
import local_tools.execution.worker
from local_tools.registry import ToolRegistry
registry = ToolRegistry.built_in()
print(*sorted({"asyncio", "docstring_parser", "psutil", "pydantic", "ssl"} & set(sys.modules)))
"""


def test_every_tool_that_ships_is_known_without_what_few_of_them_need() -> None:
    argv = (sys.executable, "-I", "-c", LOADED, str(Path(__file__).parents[2]))
    said = subprocess.run(argv, capture_output=True, check=True, encoding="utf-8").stdout
    assert said == "\n"


def test_only_reading_tools_say_that_they_only_read() -> None:
    effects = {name: item.effects for name, item in _shipped_before().items()}
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
    known = _shipped_before()
    assert {name for name, item in known.items() if item.needs_network} == {"fetch_page"}
    assert {name for name, item in known.items() if not item.is_grantable} == {"run_shell"}
    assert {name for name, item in known.items() if item.runs_in == "program"} == {
        *("delete_file", "open_file", "read_clipboard", "write_clipboard")
    }
    assert {name for name, item in known.items() if item.is_undoable} == {
        *("delete_file", "edit_file", "move_file", "take_note", "write_file")
    }
    assert {name for name, item in known.items() if item.returns_names} == {
        *("delete_file", "list_folder", "move_file", "open_file")
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


def test_unknown_tool_is_refused_with_a_sentence() -> None:
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
