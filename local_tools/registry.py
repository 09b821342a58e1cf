"""Which tools there are: by unique name, each with its definition. No policy."""

import re
from collections.abc import Iterable
from typing import Final

from local_tools.builtin.clock import current_time
from local_tools.builtin.files import list_folder, read_file, write_file
from local_tools.builtin.shell import run_command
from local_tools.canonical import CanonicalInput
from local_tools.tool import AnyTool, ToolDefinition

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


class ToolRegistry:
    """The tools of this program. Made once at start, unchanged until the end."""

    def __init__(self, tools: Iterable[AnyTool] = ()) -> None:
        """Register `tools`.

        Raises:
            ValueError: When a name is malformed or taken.
        """
        self._tools: dict[str, AnyTool] = {}
        for item in tools:
            self._add(item)

    @classmethod
    def built_in(cls) -> "ToolRegistry":
        """The tools that ship."""
        return cls((current_time, list_folder, read_file, run_command, write_file))

    def definitions(self) -> tuple[ToolDefinition, ...]:
        """What can be declared to the assistant, by name."""
        return tuple(self._tools[name].definition for name in sorted(self._tools))

    def get(self, name: str) -> AnyTool | None:
        """The tool of that name."""
        return self._tools.get(name)

    def validate(self, name: str, given: CanonicalInput) -> tuple[str, ...]:
        """Why a call cannot be made, as sentences; empty when it can."""
        found = self.get(name)
        if found is None:
            return (f"There is no tool “{name}” on this computer.",)
        return found.signature.complaints(given)

    def _add(self, item: AnyTool) -> None:
        name = item.definition.name
        if _NAME.fullmatch(name) is None:
            raise ValueError(f"“{name}” cannot be a tool's name: use 1 to 64 of A-Z a-z 0-9 _ -")
        if name in self._tools:
            raise ValueError(f"There is already a tool named “{name}”")
        self._tools[name] = item
