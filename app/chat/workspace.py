"""Everything that belongs to one connected profile: client, chats, sessions and rules.

`Workspace` holds them. `RulePermissions` makes the profile's rules and tests them on earlier calls.
"""

import asyncio
import hashlib
import json
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.api.client import ChatApi
from app.api.models import Message
from app.approvals.rule_engine import PermissionRules, reading_tools
from app.approvals.rule_simulation import CALLS_LIMIT, CallHistory, SimulationReport, simulate
from app.approvals.rules import FolderScope, Rule, RuleLifetime, RuleScope, ToolScope, new_rule
from app.chat.call_log import CallLog
from app.chat.conversations import Conversations
from app.chat.items import ReplyPart, ToolCall, UserMessage, copied_title, tool_call
from app.chat.message_attachments import Attachments
from app.chat.rewind import Rewind
from app.chat.session import ConversationSession, check_message
from app.chat.sessions import Sessions
from app.chat.summaries import write_summary
from app.common.clock import Clock
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.store.errors import StoreError
from app.store.records import StoredAttachment
from app.store.store import ProfileStore
from local_tools.ledger.ledger import Ledger
from local_tools.ledger.steps import CallRecord, LedgerError
from local_tools.registry import ToolRegistry
from local_tools.sandbox.types import SandboxState
from local_tools.tool import ToolDefinition
from local_tools.undo.undo import RewindResult

# What a service takes (extension `fork`): 8 MiB, with room for the JSON around the texts.
_MOST_CONTINUED: Final = 10_000
_MOST_CONTINUED_BYTES: Final = 6 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class RulePermissions:
    """The rules of a profile, and what they are tried on. Made with the profile's workspace."""

    rules: PermissionRules
    registry: ToolRegistry
    store: ProfileStore
    ledger: Ledger
    clock: Clock
    home: Path
    sandbox: Callable[[], Awaitable[SandboxState]]

    def new_rule(self, definition: ToolDefinition, scope: RuleScope, span: RuleLifetime) -> Rule:
        """Return a rule that lets a tool run; it holds once it is added to the rules.

        Raises:
            RuleError: no rule may be as wide as this one.
        """
        return new_rule((definition,), scope, span, self.clock.wall())

    async def allow_reading(self, folder: Path) -> None:
        """Allow the tools that only read to read in a folder, in every chat, until it is revoked.

        Raises:
            StoreError: it could not be kept, and does not hold.
        """
        real = await asyncio.to_thread(os.path.realpath, folder)
        scope = FolderScope(real)
        if not any(rule.scope == scope and not rule.ended for rule in self.rules.rules):
            tools = reading_tools(self.registry)
            await self.rules.add(new_rule(tools, scope, RuleLifetime(), self.clock.wall()))

    async def forbid(self, definition: ToolDefinition, conversation_id: str) -> None:
        """Deny every call of a tool in a chat, without asking, until that is revoked.

        Raises:
            StoreError: it could not be kept, and does not hold.
        """
        span, now = RuleLifetime(conversation_id), self.clock.wall()
        await self.rules.add(new_rule((definition,), ToolScope(), span, now, denies=True))

    async def try_rule(self, rule: Rule) -> SimulationReport:
        """Return what a rule, kept or not, would have done with the calls in the record.

        Raises:
            StoreError: what was done cannot be read.
        """
        try:
            records = await self.ledger.recent(self.store.profile, CALLS_LIMIT)
        except LedgerError as exc:
            raise StoreError(ErrorCode.STORE_UNWRITABLE) from exc
        folders = await self.store.conversations.folders()
        return await asyncio.to_thread(self._replay, rule, records, folders)

    def _replay(
        self,
        rule: Rule,
        records: tuple[CallRecord, ...],
        folders: Mapping[str, Path],
    ) -> SimulationReport:
        real = {chat: os.path.realpath(folder) for chat, folder in folders.items()}
        chosen = {chat: str(folder) for chat, folder in folders.items()}
        return simulate(rule, CallHistory(records, real, self.home, chosen), self.registry)


@dataclass(frozen=True, slots=True)
class Workspace:
    """What the window shows of one profile.

    `is_archive` says that its chats came from elsewhere: they are read, and not continued; such
    a profile has no `permissions` for tools, no `call_log`, no `attachments`, no `rewind`. Made
    when a profile is connected, ended by `aclose` when another one is, or the program ends.
    """

    client: ChatApi
    store: ProfileStore
    conversations: Conversations
    sessions: Sessions
    ledger: Ledger
    is_archive: bool = False
    permissions: RulePermissions | None = None
    call_log: CallLog | None = None
    attachments: Attachments | None = None
    rewind: Rewind | None = None

    async def calls(self, conversation_id: str) -> dict[str, ToolCall]:
        """Return how the tool calls of a chat stand, by their ids.

        Raises:
            StoreError: the record cannot be read.
        """
        try:
            records = await self.ledger.calls(self.store.profile, conversation_id)
        except LedgerError as exc:
            raise StoreError(ErrorCode.STORE_UNWRITABLE) from exc
        return {record.key.call_id: tool_call(record) for record in records}

    async def revise(
        self,
        conversation_id: str,
        key: str,
        text: str,
        agent_name: str | None,
        attachments: Sequence[StoredAttachment] = (),
        *,
        are_sent: bool = False,
        on_rewound: Callable[[RewindResult], None] | None = None,
    ) -> str:
        """Go on from a message of a chat with another text, in a new version of the chat.

        The message is on the disk when this returns; what was said before stays as it is.

        Args:
            conversation_id: The chat.
            key: The row of the message that this one takes the place of.
            text: The message.
            agent_name: Who shall answer; None lets the service choose.
            attachments: What goes with it, from the draft of the chat.
            are_sent: They went with an earlier message, and are copied.
            on_rewound: Put back what tools changed since the message, and call this with what
                came of it; None leaves the files as they are.

        Returns:
            The conversation of the new version.

        Raises:
            UserFacingError: it could not be begun; nothing has changed.
        """
        check_message(text, has_attachments=bool(attachments))
        versions = self.sessions.versions
        async with versions.changing:
            version = await self.sessions.get(conversation_id).copy_before(key)
            new = self.sessions.get(version.conversation_id or "")
            kept = tuple(attachments)
            if are_sent:
                kept = await self.store.attachments.copy(kept, new.conversation_id)
            # After what may be refused: until then, no file has changed.
            if on_rewound is not None:
                on_rewound(await self.put_back(conversation_id, key))
            await new.begin_version(version, text, agent_name, kept)
        await self.show_version(new.conversation_id)
        return new.conversation_id

    async def changed_since(self, conversation_id: str, key: str) -> tuple[str, ...]:
        """Return the files that tools changed since a message, and that can be put back.

        Raises:
            StoreError: the record of the calls cannot be read.
        """
        if self.rewind is None:
            return ()
        items = self.sessions.get(conversation_id).transcript.items
        return await self.rewind.look(items, key, self._origins(conversation_id))

    async def put_back(self, conversation_id: str, key: str) -> RewindResult:
        """Put back what tools changed since a message, but for what somebody changed since.

        Raises:
            StoreError: the record of the calls cannot be read.
        """
        if self.rewind is None:
            return RewindResult()
        items = self.sessions.get(conversation_id).transcript.items
        return await self.rewind.put_back(items, key, self._origins(conversation_id))

    async def branch(self, conversation_id: str, key: str) -> str:
        """Copy a chat up to and with a row, as a chat of its own; return its conversation.

        Raises:
            UserFacingError: it was not made.
        """
        versions = self.sessions.versions
        session = self.sessions.get(conversation_id)
        async with versions.changing:
            version = await session.copy_through(key)
            title = self._title_of_copy(session)
            await self.store.conversations.set_title(version.conversation_id or "", title)
            branch_id = await versions.finish(version)
        await self.conversations.add_copy(branch_id)
        return branch_id

    async def summarise(self, conversation_id: str, question: str) -> str:
        """Begin a chat with a summary of another one, which stays as it is.

        Args:
            conversation_id: The chat.
            question: How its model is asked for the summary.

        Returns:
            The conversation of the new chat.

        Raises:
            UserFacingError: a reply is on its way, no summary came, or the chat was not made.
        """
        session, versions = self.sessions.get(conversation_id), self.sessions.versions
        said = (i for i in session.transcript.items if isinstance(i, UserMessage | ReplyPart))
        last = next((item.key for item in reversed(tuple(said))), "")
        async with versions.changing:
            version = await session.copy_through(last, is_scratch=True)
        copy_id = version.conversation_id or ""
        try:
            summary = await write_summary(self.client, session.settings, copy_id, question)
        finally:
            await self.conversations.delete_scratch(copy_id)
            await versions.drop(version)
        title = self._title_of_copy(session)
        return await self.continue_text(conversation_id, title, summary, choices_of=conversation_id)

    async def continue_text(
        self,
        origin_id: str,
        title: str,
        messages: Sequence[Message],
        *,
        choices_of: str = "",
        origin_profile: str = "",
    ) -> str:
        """Begin a chat with messages from another source, such as an imported chat.

        Idempotent: the same messages give the same chat, also after a lost answer or a restart.

        Args:
            origin_id: The id of the source.
            title: The title of the new chat.
            messages: The messages, oldest first.
            choices_of: The chat whose folder, agent, model and tools it has, too.
            origin_profile: The profile that knows who answered in the source.

        Returns:
            The conversation.

        Raises:
            UserFacingError: the service does not do that, the text is too long, or it failed.
        """
        await self.sessions.versions.check_offered()
        said = [message for message in messages if message.content.strip()]
        size = sum(len(message.content.encode()) for message in said)
        if len(said) > _MOST_CONTINUED or size > _MOST_CONTINUED_BYTES:
            raise UserFacingError(ErrorCode.CONTINUE_TOO_LONG)
        text = json.dumps([(message.role.value, message.content) for message in said])
        digest = hashlib.sha256(f"{origin_id}\0{text}".encode(errors="surrogatepass")).hexdigest()
        made = await self.client.begin_conversation(f"text-{digest[:48]}", said)
        if choices_of:
            await self.store.versions.copy_choices(choices_of, made.id)
        if origin_profile:
            # Not strict: the chat may have been gone on with before.
            ids = zip((one.id for one in said), (one.id for one in made.messages), strict=False)
            source = (origin_profile, origin_id)
            await self.store.versions.copy_answerers(source, made.id, dict(ids))
        # What is chosen for the other chat has its name.
        await self.store.conversations.set_title(made.id, title, keeps_other=not choices_of)
        await self.conversations.add_copy(made.id)
        return made.id

    async def show_version(self, conversation_id: str) -> None:
        """Show this version in the place of the others of its chat.

        Raises:
            StoreError: it could not be kept; the other one stays.
        """
        await self.sessions.versions.show(conversation_id)
        await self.conversations.add_copy(conversation_id)

    async def draft(self, conversation_id: str) -> str:
        """Return what was typed and not sent; an empty id is the chat that is not yet one."""
        return await self.store.conversations.draft(conversation_id)

    async def keep_draft(self, conversation_id: str, text: str) -> None:
        """Keep what is typed; an empty text deletes the draft.

        Raises:
            StoreError: it could not be kept.
        """
        await self.conversations.drafts.keep(conversation_id, text)

    def _title_of_copy(self, session: ConversationSession) -> str:
        titles = {row.title for row in self.conversations.rows}
        return copied_title(session.state.title, titles)

    def _origins(self, conversation_id: str) -> tuple[str, ...]:
        return (conversation_id, *self.sessions.versions.sources(conversation_id))

    async def aclose(self) -> None:
        """End the turns that run, keeping what arrived, then the connection."""
        self.conversations.close()
        await self.sessions.aclose()
        await self.client.aclose()
