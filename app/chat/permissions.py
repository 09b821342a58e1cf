"""What a profile's rules are made and tried with."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from app.approvals.laboratory import CALLS_LIMIT, Past, Report, replay
from app.approvals.offers import reading_tools
from app.approvals.rulebook import Rulebook
from app.approvals.rules import Box, FolderBox, Rule, Span, ToolBox, new_rule
from app.approvals.stopwatch import Clock
from app.error_text import Reason
from app.store.errors import StoreError
from app.store.store import ProfileStore
from local_tools.ledger import CallRecord, Ledger, LedgerError
from local_tools.registry import ToolRegistry
from local_tools.sandbox.state import SandboxState
from local_tools.tool import ToolDefinition


@dataclass(frozen=True, slots=True)
class Permissions:
    """The rules of a profile, and what they are tried on. Made with the profile's workspace."""

    rules: Rulebook
    registry: ToolRegistry
    store: ProfileStore
    ledger: Ledger
    clock: Clock
    home: Path
    sandbox: Callable[[], Awaitable[SandboxState]]

    def new_rule(self, definition: ToolDefinition, box: Box, span: Span) -> Rule:
        """A rule that lets a tool run; it holds once it is added to the rules.

        Raises:
            RuleError: no rule may be as wide as this one.
        """
        return new_rule((definition,), box, span, self.clock.wall())

    async def allow_reading(self, folder: Path) -> None:
        """Let the tools that only read read in a folder, in every chat, until it is revoked.

        Raises:
            StoreError: it could not be kept, and does not hold.
        """
        real = await asyncio.to_thread(os.path.realpath, folder)
        box = FolderBox(real)
        if not any(rule.box == box and not rule.ended for rule in self.rules.rules):
            tools = reading_tools(self.registry)
            await self.rules.add(new_rule(tools, box, Span(), self.clock.wall()))

    async def forbid(self, definition: ToolDefinition, conversation_id: str) -> None:
        """Let no call of a tool run in a chat, and ask about none, until that is revoked.

        Raises:
            StoreError: it could not be kept, and does not hold.
        """
        span, now = Span(conversation_id), self.clock.wall()
        await self.rules.add(new_rule((definition,), ToolBox(), span, now, denies=True))

    async def try_rule(self, rule: Rule, current: tuple[str, str] = ("", "")) -> Report:
        """What a rule would have done with the calls of the past.

        Args:
            rule: Kept already, or only thought of.
            current: Conversation and id of the call that waits.

        Raises:
            StoreError: what was done cannot be read.
        """
        try:
            records = await self.ledger.recent(self.store.profile, CALLS_LIMIT)
        except LedgerError as exc:
            raise StoreError(Reason.STORE_UNWRITABLE) from exc
        folders = await self.store.marks.folders()
        return await asyncio.to_thread(self._replay, rule, records, folders, current)

    def _replay(
        self,
        rule: Rule,
        records: tuple[CallRecord, ...],
        folders: Mapping[str, Path],
        current: tuple[str, str],
    ) -> Report:
        real = {chat: os.path.realpath(folder) for chat, folder in folders.items()}
        chosen = {chat: str(folder) for chat, folder in folders.items()}
        return replay(rule, Past(records, real, self.home, current, chosen), self.registry)
