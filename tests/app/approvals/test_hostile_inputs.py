"""Whatever is sent instead of an input is answered in a sentence, and nobody is asked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.api.events import ToolUse
from app.approvals.policy import Policy, Refusal
from app.approvals.queue import ApprovalRequest
from local_tools.registry import ToolRegistry

pytestmark = pytest.mark.anyio

WRONG: tuple[Any, ...] = (None, 1.5, -1, [], [1], {}, {"a": {}}, [[]], "", "a\0b", "x" * 300_000)


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def hostile_inputs() -> Iterator[tuple[str, dict[str, Any]]]:
    """Generate inputs that fit no tool; those that a tool might take after all are left out."""
    for definition in ToolRegistry.built_in().definitions():
        schema = definition.wire_schema()
        properties: Any = schema["properties"]
        if schema.get("required"):
            yield definition.name, {}
        yield definition.name, {"colour": "red"}
        yield definition.name, {"x": nested(100)}
        yield definition.name, {"x": nested(100_000)}
        yield definition.name, {"n": 10**5_000}
        for name in properties:
            for value in WRONG:
                yield definition.name, {name: value, "colour": "red"}
            if name in schema.get("required", ()):  # type: ignore[operator]  # a list
                yield definition.name, {name: None}
                yield definition.name, {name: {"$ref": "#"}}


@pytest.mark.security(18)
async def test_no_hostile_input_is_asked(tmp_path: Path) -> None:
    registry = ToolRegistry.built_in()
    declared = {item.name: item.digest for item in registry.definitions()}
    policy = Policy(registry, tmp_path)
    inputs = list(hostile_inputs())
    assert len(inputs) >= 200
    for number, (name, given) in enumerate(inputs):
        use = ToolUse(f"call-{number}", name, given)
        verdict = await policy.judge("conversation", use, declared, tmp_path)
        assert isinstance(verdict, Refusal), (name, str(given)[:100])
        assert verdict.result.startswith("Error: ")
        assert len(verdict.result) < 1_000


@pytest.mark.security(23)
@pytest.mark.parametrize("name", ["delete_file", "move_file"])
async def test_no_folder_is_taken_away_with_what_no_tool_may_touch_in_it(
    tmp_path: Path, name: str
) -> None:
    registry = ToolRegistry.built_in()
    declared = {item.name: item.digest for item in registry.definitions()}
    for folder in ("share/data/parley", "share/data/other", "projects/one"):
        (tmp_path / folder).mkdir(parents=True)
    policy = Policy(registry, tmp_path, own_folders=(tmp_path / "share/data/parley",))

    async def judged(path: str) -> object:
        given = {"path": path} | ({"new_path": "new"} if name == "move_file" else {})
        return await policy.judge("c1", ToolUse("call-1", name, given), declared, tmp_path)

    for path in ("share", "share/data", "share/data/parley"):
        assert isinstance(await judged(path), Refusal), path
    for path in ("share/data/other", "projects"):
        assert isinstance(await judged(path), ApprovalRequest), path
