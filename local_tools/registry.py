"""The registry of tools by unique name; it makes no decisions about calls.

Built-in tools are discovered: every `@tool` in a module of `local_tools.builtin`.
"""

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

from local_tools import builtin
from local_tools.canonical import CanonicalInput
from local_tools.skeleton import look_of, skeleton
from local_tools.tool import AnyTool, Tool, ToolDefinition

# Differences that a skeleton keeps, but that a reader overlooks at a glance.
_NOT_SEEN: Final = (("-", ""), ("_", ""), ("i", "l"), ("vv", "w"))
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


class ToolRegistry:
    """The tools of this program by unique name; names that look alike are refused."""

    def __init__(self, tools: Iterable[AnyTool] = ()) -> None:
        """Register `tools`.

        Raises:
            ValueError: When a name is malformed or taken.
        """
        self._tools: dict[str, AnyTool] = {}
        self._observers: list[Callable[[], None]] = []
        for item in tools:
            self.add(item)

    @classmethod
    def built_in(cls) -> "ToolRegistry":
        """Return a registry of the built-in tools."""
        return cls(_built_in_tools())

    @classmethod
    def with_built_in(cls, name: str) -> "ToolRegistry":
        """Return a registry with only the built-in tool of this name, or none.

        Imports no more modules once it has found the tool, so that a worker starts fast.
        """
        return cls(islice((item for item in _built_in_tools() if item.name == name), 1))

    def definitions(self) -> tuple[ToolDefinition, ...]:
        """Return the definitions that can be declared to the assistant, sorted by name."""
        return tuple(self._tools[name].definition for name in sorted(self._tools))

    def get(self, name: str) -> AnyTool | None:
        """Return the tool of that name."""
        return self._tools.get(name)

    def validate(self, name: str, given: CanonicalInput) -> tuple[str, ...]:
        """Return why the input of a call is invalid, as sentences; empty if it is valid."""
        found = self.get(name)
        if found is None:
            return (f"There is no tool “{name}” on this computer.",)
        return found.signature.complaints(given)

    def subscribe(self, on_change: Callable[[], None]) -> Callable[[], None]:
        """Call `on_change` after the tools have changed; call the result to unsubscribe."""
        self._observers.append(on_change)
        return lambda: self._observers.remove(on_change)

    def replace(self, source: str, tools: Iterable[AnyTool]) -> dict[str, str]:
        """Replace all tools of a source; those that are refused are left out.

        Return why they were refused, by name. Tools of other sources stay.
        """
        before = self.definitions()
        for name in [n for n, item in self._tools.items() if item.definition.source == source]:
            del self._tools[name]
        refused: dict[str, str] = {}
        titles = {look_of(known.title): known.title for known in self.definitions()}
        for item in tools:
            title = item.definition.title
            try:
                self._refuse_name(item.name)
                _refuse_disguise(title, titles.setdefault(look_of(title), title))
                self._tools[item.name] = item
            except ValueError as exc:
                refused[item.name] = f"{exc}."
        if self.definitions() != before:
            for tell in tuple(self._observers):
                tell()
        return refused

    def add(self, item: AnyTool) -> None:
        """Register one more tool.

        Raises:
            ValueError: When its name is malformed, taken, or looks like another tool's name.
        """
        self._refuse_name(item.name)
        self._tools[item.name] = item

    def _refuse_name(self, name: str) -> None:
        if _NAME.fullmatch(name) is None:
            raise ValueError(f"“{name}” cannot be a tool's name: use 1 to 64 of A-Z a-z 0-9 _ -")
        if name in self._tools:
            raise ValueError(f"There is already a tool named “{name}”")
        look = _look(name)
        other = next((known for known in self._tools if _look(known) == look), None)
        if other is not None:
            raise ValueError(f"“{name}” is easily taken for the tool “{other}”")


def described_built_in_tools() -> tuple[AnyTool, ...]:
    """Import the built-in tools and build their definitions; slow: call it in a thread."""
    tools = tuple(_built_in_tools())
    for item in tools:
        _ = item.definition
    return tools


def _built_in_tools() -> Iterator[AnyTool]:
    # The frozen program has these modules as well: it is made with all of our own, and its importer
    # lists what is in a package.
    for item in pkgutil.iter_modules(builtin.__path__):
        name = f"{builtin.__name__}.{item.name}"
        for value in vars(importlib.import_module(name)).values():
            # A module may also have imported a tool of another one.
            if isinstance(value, Tool) and value.__module__ == name:
                yield value


def _refuse_disguise(title: str, known: str) -> None:
    """Refuse a title, which has its server's name in it, that is drawn like a known one."""
    if known != title:
        raise ValueError(f"“{title}” is easily taken for the tool “{known}”")


def _look(name: str) -> str:
    """Return what a name looks like at a glance: names that share it are taken for each other."""
    text = skeleton(name).casefold()
    for seen, counted in _NOT_SEEN:
        text = text.replace(seen, counted)
    return text
