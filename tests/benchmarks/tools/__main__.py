"""The command line of the benchmark."""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from local_tools.canonical import freeze
from local_tools.execution.prepare import CallPlaces, PreparedCall, prepare
from local_tools.execution.tool_runner import ToolRunner
from local_tools.programs import program_of
from local_tools.registry import ToolRegistry
from local_tools.sandbox.choice import SandboxChoice, sandboxes_of_system
from local_tools.tool import AnyTool
from tests.benchmarks.machine import describe
from tests.benchmarks.rows import Figure, Goal, Row
from tests.benchmarks.table import add_json_option, write
from tests.benchmarks.tools.allowed import allowed_call
from tests.support.user_tool_fixtures import make_set, tools_of

_OURS = "here"
_ROUNDS = 15
_QUICK_ROUNDS = 1

Seconds: TypeAlias = tuple[float, float]
"""By the clock, and of the processor in the processes that were started."""


def main(arguments: Sequence[str]) -> int:
    """Measure and print; 0 whatever the figures are."""
    parser = argparse.ArgumentParser(
        prog="dev.py bench tools", description="Measure what a call of a tool costs."
    )
    parser.add_argument(
        "--quick", action="store_true", help="a short run, to see that the benchmark works"
    )
    add_json_option(parser)
    options = parser.parse_args(arguments)
    rounds = _QUICK_ROUNDS if options.quick else _ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        rows = asyncio.run(_measured(Path(os.path.realpath(folder)), rounds))
    write(describe(), rows, (_OURS,), options.json)
    return 0


async def _measured(folder: Path, rounds: int) -> list[Row]:
    (folder / "a.txt").write_text("one two\n")
    confined = ToolRunner(sandboxes=SandboxChoice(sandboxes_of_system()))
    state = await confined.sandbox_state()
    calls = _calls(folder)
    cases: Mapping[str, Callable[[], Awaitable[object]]] = {
        "bare interpreter": _bare_interpreter,
        "read_file, no sandbox": lambda: ToolRunner().run(calls["read"]),
        f"read_file, {state.kind}": lambda: confined.run(calls["read"]),
        f"write_file, {state.kind}": lambda: confined.run(_written(folder)),
        f"run_command true, {state.kind}": lambda: confined.run(calls["command"]),
        f"a tool of one's own, {state.kind}": lambda: confined.run(calls["own"]),
    }
    rows = [row for name, act in cases.items() for row in await _rows(name, act, rounds)]
    whole = [await allowed_call() for _ in range(rounds)]
    return [*rows, *_rows_of("current_time, allowed to told", whole)]


def _calls(folder: Path) -> dict[str, PreparedCall]:
    (own,) = tools_of(make_set(folder / "texts"))
    return {
        "read": prepare(_built_in("read_file"), freeze({"path": "a.txt"}), CallPlaces(folder)),
        "command": prepare(
            _built_in("run_command"), freeze({"argv": ["true"]}), CallPlaces(folder)
        ),
        "own": prepare(own, freeze({"path": "a.txt"}), CallPlaces(folder)),
    }


def _written(folder: Path) -> PreparedCall:
    given = freeze({"path": "b.txt", "content": "two"})
    return prepare(_built_in("write_file"), given, CallPlaces(folder))


def _built_in(name: str) -> AnyTool:
    found = ToolRegistry.built_in().get(name)
    if found is None:
        raise LookupError(name)
    return found


async def _bare_interpreter() -> None:
    program, *rest = program_of("worker").argv
    process = await asyncio.create_subprocess_exec(program, *rest[:1], "-c", "")
    await process.wait()


async def _rows(name: str, act: Callable[[], Awaitable[object]], rounds: int) -> list[Row]:
    if rounds > _QUICK_ROUNDS:
        await act()
    taken = [await _taken(act) for _ in range(rounds)]
    return _rows_of(name, taken)


def _rows_of(name: str, taken: Sequence[Seconds]) -> list[Row]:
    wall, processor = ([1000 * each[index] for each in taken] for index in (0, 1))
    goal = None if name.startswith("bare") else Goal(300, of="figure")
    return [
        Row(f"{name}: processor", "ms", {_OURS: Figure.of(processor)}, subject=_OURS, digits=0),
        Row(f"{name}: clock", "ms", {_OURS: Figure.of(wall)}, goal, subject=_OURS, digits=0),
    ]


async def _taken(act: Callable[[], Awaitable[object]]) -> Seconds:
    before, started_at = os.times(), time.perf_counter()
    await act()
    took_s, after = time.perf_counter() - started_at, os.times()
    children_s = after.children_user - before.children_user
    return took_s, children_s + after.children_system - before.children_system


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
