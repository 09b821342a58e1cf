"""Tools that do whatever a script says, in a worker of their own, to see what it can reach."""

import json
import sys
from pathlib import Path

from local_tools.programs import interpreter_folders
from local_tools.registry import ToolRegistry
from local_tools.sandbox.types import Program
from local_tools.tool import GuardedPath, ToolContext, tool

_CHECKOUT = Path(__file__).parents[2]
_BOOT = """
import sys
sys.path[:0] = sys.argv[1].split(":")
from local_tools.execution.worker import main
from tests.support.confined_tools import registry
main(*map(int, sys.argv[2:]), registry=registry())
"""


def _done(script: str, names: dict[str, object]) -> str:
    exec(script, names)  # noqa: S102 - hostile code is what these tests are about
    return json.dumps(names.get("found"))


@tool(timeout_s=20)
def changes(place: GuardedPath, script: str, context: ToolContext) -> str:
    """Run a script that may write; tells what it left in `found`."""
    return _done(script, {"place": str(place), "tell": _teller(context)})


@tool(timeout_s=20, read_only=True)
def looks(place: GuardedPath, script: str) -> str:
    """Run a script that may only read."""
    return _done(script, {"place": str(place)})


@tool(timeout_s=20, needs_network=True)
def connects(script: str) -> str:
    """Run a script that may use the network."""
    return _done(script, {})


@tool(timeout_s=21)
def hurries(place: GuardedPath, script: str, context: ToolContext) -> str:
    """Run a script, in a time that no other tool has."""
    return _done(script, {"place": str(place), "tell": _teller(context)})


def _teller(context: ToolContext) -> object:
    return lambda words: context.progress(0, None, json.dumps(words))


def registry() -> ToolRegistry:
    """All of the above, and what ships."""
    known = ToolRegistry.built_in()
    for item in (changes, connects, hurries, looks):
        known.add(item)
    return known


def package_folders() -> list[str]:
    """Where the packages lie that these tools need."""
    return [str(_CHECKOUT), *(item for item in sys.path if item.endswith("site-packages"))]


def confined_worker() -> Program:
    """Return what starts a worker that knows these tools, on the interpreter of the test."""
    argv = (sys.executable, "-I", "-c", _BOOT, ":".join(package_folders()))
    return Program(argv, interpreter_folders(_CHECKOUT))
