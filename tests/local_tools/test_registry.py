"""Tools are found by unique names, and calls are checked against them."""

import pytest

from local_tools.canonical import freeze
from local_tools.registry import ToolRegistry
from local_tools.tool import AnyTool, tool


def named(name: str) -> AnyTool:
    def function() -> None:
        """Do nothing."""

    function.__name__ = name
    return tool()(function)


def test_the_built_in_tools_are_listed_by_name() -> None:
    names = [item.name for item in ToolRegistry.built_in().definitions()]
    assert names == ["current_time", "list_folder", "read_file", "run_command", "write_file"]


def test_only_reading_tools_say_that_they_only_read() -> None:
    effects = {item.name: item.effects for item in ToolRegistry.built_in().definitions()}
    reading = {name for name, effect in effects.items() if effect.read_only}
    assert reading == {"current_time", "list_folder", "read_file"}
    assert effects["write_file"].destructive
    assert effects["run_command"].open_world


@pytest.mark.parametrize("name", ["", "a b", "reаd_file", "a.b", "a" * 65, "a\n"])
def test_malformed_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be a tool's name"):
        ToolRegistry([named(name)])


def test_a_second_tool_of_the_same_name_is_refused() -> None:
    with pytest.raises(ValueError, match="already a tool"):
        ToolRegistry([named("same"), named("same")])


def test_an_unknown_tool_is_told_by_a_sentence() -> None:
    registry = ToolRegistry.built_in()
    assert registry.get("nope") is None
    assert registry.validate("nope", freeze({})) == ("There is no tool “nope” on this computer.",)


def test_a_fitting_input_has_no_complaints() -> None:
    registry = ToolRegistry.built_in()
    assert registry.validate("read_file", freeze({"path": "a"})) == ()
    assert registry.validate("read_file", freeze({})) == ("“path” is missing.",)
