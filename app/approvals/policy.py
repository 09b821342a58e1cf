"""What becomes of a call before anybody is asked.

Today everything that is known and fits asks; what is unknown or does not fit is answered without
a card, so that a person never has to judge nonsense.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from app.api.events import ToolUse
from app.approvals.request import ToolRequest
from local_tools.canonical import freeze
from local_tools.errors import named
from local_tools.prepare import Places, PreparedCall, prepare
from local_tools.registry import ToolRegistry
from local_tools.sandbox.state import SandboxState, nothing_holds
from local_tools.tool import ToolError

Declared: TypeAlias = Mapping[str, str]
"""The tools that a chat request declared: name → digest of the definition."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The call is answered with `result`, and nobody is asked."""

    result: str


class Policy:
    """Looks at each call before a person does. Made once; knows nothing of conversations."""

    def __init__(
        self,
        registry: ToolRegistry,
        home: Path | None = None,
        notes_file: Callable[[], Path | None] = lambda: None,
        sandbox: Callable[[], Awaitable[SandboxState]] | None = None,
    ) -> None:
        """Take what is looked up for each call.

        Args:
            registry: The tools.
            home: What `~` stands for; the user's home by default.
            notes_file: Asked for each call: the file that the user picked for notes, if any.
            sandbox: Tells what holds where calls run; by default nothing does. Where it is not
                whole, a person decides about every call.
        """
        self._registry = registry
        self._home = home
        self._notes_file = notes_file
        self._sandbox = sandbox

    async def judge(
        self, conversation_id: str, call: ToolUse, declared: Declared, folder: Path | None
    ) -> ToolRequest | Refusal:
        """Find out whether `call` can be asked at all, and what it would do.

        Args:
            conversation_id: Where the call came.
            call: What the assistant wants.
            declared: The tools declared when the turn began; no other tool is ever looked up.
            folder: The chat's folder, if one is chosen.
        """
        tool = self._registry.get(call.name)
        if tool is None or declared.get(call.name) != tool.definition.digest:
            return Refusal(f"Error: unknown tool “{named(call.name)}”.")
        try:
            # Looking at files may block, and a hostile input may take its time to be refused.
            prepared = await asyncio.to_thread(self._prepare, call, folder)
        except ToolError as exc:
            return Refusal(f"Error: {exc}")
        state = nothing_holds("none") if self._sandbox is None else await self._sandbox()
        return ToolRequest(conversation_id, call.id, prepared, state)

    def _prepare(self, call: ToolUse, folder: Path | None) -> PreparedCall:
        given = freeze(call.input)
        tool = self._registry.get(call.name)
        complaints = self._registry.validate(call.name, given)
        if tool is None or complaints:
            raise ToolError(" ".join(complaints))
        return prepare(tool, given, Places(folder, self._home, self._notes_file()))
