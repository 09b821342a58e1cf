"""Decide about a call before a person is asked: refuse it, apply a rule, or ask.

A call of an unknown tool, or with invalid input, is refused without a card; such a refusal depends
on the input alone. Everything that was found on the disk, including why a call cannot run, is told
to the assistant only after a person or a rule has decided, so that refusals reveal no files. A rule
that forbids beats every rule that allows; what no rule covers is asked.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from app.api.events import ToolUse
from app.approvals.call_scope import CallScope, scope_of
from app.approvals.queue import ApprovalRequest
from app.approvals.rule_engine import PermissionRules
from app.approvals.rules import Rule
from app.store.errors import StoreError
from local_tools.attached_file import AttachmentReference
from local_tools.canonical import CanonicalInput, freeze, parse_text
from local_tools.errors import NoFolderError, named
from local_tools.execution.prepare import CallPlaces, prepare_to_ask
from local_tools.ledger.steps import RefusalReason
from local_tools.registry import ToolRegistry
from local_tools.sandbox.protected_paths import protected_paths
from local_tools.sandbox.types import SandboxState, nothing_holds
from local_tools.tool import BUILT_IN, ToolError

log = logging.getLogger(__name__)

_OTHER_TOOL: Final = "This tool is not what it was when it was asked for."

Attached: TypeAlias = Sequence[AttachmentReference]
"""What the person attached to a chat."""

Declared: TypeAlias = Mapping[str, str]
"""The tools that a chat request declared: name → digest of the definition."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The call is answered with `result`, and nobody is asked."""

    reason: RefusalReason
    result: str


@dataclass(frozen=True, slots=True)
class Forbidden:
    """A rule of the person says no, and nobody is asked."""

    rule: Rule


@dataclass(frozen=True, slots=True)
class Granted:
    """A rule of the person lets the call run, if that can be counted (`PermissionRules.use`)."""

    request: ApprovalRequest
    rule: Rule


@dataclass(frozen=True, slots=True)
class GrantedByAttaching:
    """The call reads a file that the person attached to this chat, and nothing else."""

    request: ApprovalRequest


Verdict: TypeAlias = ApprovalRequest | Refusal | Forbidden | Granted | GrantedByAttaching


class Policy:
    """Looks at each call before a person does. Made for a profile; knows nothing of its chats."""

    def __init__(
        self,
        registry: ToolRegistry,
        home: Path | None = None,
        notes_file: Callable[[], Path | None] = lambda: None,
        sandbox: Callable[[], Awaitable[SandboxState]] | None = None,
        *,
        rules: PermissionRules | None = None,
        own_folders: tuple[Path, ...] = (),
    ) -> None:
        """Take what is looked up for each call.

        Args:
            registry: The tools.
            home: What `~` stands for; the user's home by default.
            notes_file: Asked for each call: the file that the user picked for notes, if any.
            sandbox: Tells what holds where calls run; by default nothing does. Where it is not
                whole, a person decides about every call.
            rules: What the person allowed and forbade; by default nothing.
            own_folders: Where the program keeps what it remembers; no tool gets there.
        """
        self._registry = registry
        self._home = home
        self._notes_file = notes_file
        self._sandbox = sandbox
        self._rules = rules
        self._protected = protected_paths(home or Path.home(), own_folders)

    async def judge(
        self,
        conversation_id: str,
        call: ToolUse,
        declared: Declared,
        folder: Path | None,
        attachments: Attached = (),
    ) -> Verdict:
        """Find out what becomes of `call`.

        Args:
            conversation_id: Where the call came.
            call: What the assistant wants.
            declared: The tools declared when the turn began; no other tool is ever looked up.
            folder: The chat's folder, if one is chosen.
            attachments: What the person attached to the chat.
        """
        # Before `look`, which goes to the disk.
        if (refused := self._at_once(conversation_id, call, declared)) is not None:
            return refused
        request = await self.look(conversation_id, call, declared, folder, attachments)
        if isinstance(request, Refusal):
            return request
        if (forbidden := self.forbidden(request)) is not None:
            return forbidden
        if _reads_attachment_only(request):
            return GrantedByAttaching(request)
        return await self._granted_by_rule(request) or request

    async def _granted_by_rule(self, request: ApprovalRequest) -> Granted | None:
        if self._rules is None or request.call_scope is None:
            return None
        await self._note_changes(self._rules, request.call_scope)
        rule = self._rules.find_allowing(request.call_scope)
        return None if rule is None else Granted(request, rule)

    def forbidden(self, request: ApprovalRequest) -> Forbidden | None:
        """Return what a rule of the person says against a call at this moment."""
        if self._rules is None or request.call_scope is None:
            return None
        rule = self._rules.find_denying(request.call_scope)
        return None if rule is None else Forbidden(rule)

    async def count(self, granted: Granted) -> bool:
        """Count the use of a rule, just before the call starts; False when it has to be asked."""
        if self._rules is None:
            return False
        try:
            # The person may have forbidden it while it was written down.
            is_counted = await self._rules.use(granted.rule.rule_id)
            return is_counted and self.forbidden(granted.request) is None
        except StoreError as exc:
            log.info("Cannot save the use of a rule, so the call asks: %s", exc.reason)
            return False

    async def look(
        self,
        conversation_id: str,
        call: ToolUse,
        declared: Declared,
        folder: Path | None,
        attachments: Attached = (),
    ) -> ApprovalRequest | Refusal:
        """Find out what `call` would do, whatever rules say of it."""
        if (unknown := self._unknown(call, declared)) is not None:
            return unknown
        try:
            given = await asyncio.to_thread(freeze, call.input)
            return await self._request(conversation_id, call, given, folder, attachments)
        except ToolError as exc:
            return _refused(exc)

    async def with_input(
        self, request: ApprovalRequest, input_text: str, folder: Path | None
    ) -> ApprovalRequest:
        """Return the same call with the input that the person typed, to be shown before it may run.

        What cannot be taken leads back to the request as it was, with the reason.
        """
        try:
            edited = await self._edited(request, input_text, folder)
        except ToolError as exc:
            return replace(request, typed=input_text, problem=str(exc))
        if edited.prepared.problem:
            return replace(request, typed=input_text, problem=edited.prepared.problem)
        return edited

    async def renewed(
        self, request: ApprovalRequest, folder: Path | None
    ) -> ApprovalRequest | Refusal:
        """Prepare a call again, with the latest edited input, against the files as they are now."""
        try:
            return await self._edited(request, request.prepared.input_text, folder)
        except ToolError as exc:
            return _refused(exc)

    def _at_once(
        self, conversation_id: str, call: ToolUse, declared: Declared
    ) -> Refusal | Forbidden | None:
        """Return what becomes of a call whatever it is given.

        No file is looked at: how long that takes would tell something of it, and as nobody is
        asked, it could be tried as often as anybody likes.
        """
        if (unknown := self._unknown(call, declared)) is not None or self._rules is None:
            return unknown
        rule = self._rules.forbidding_tool(conversation_id, call.name)
        return None if rule is None else Forbidden(rule)

    def _unknown(self, call: ToolUse, declared: Declared) -> Refusal | None:
        tool = self._registry.get(call.name)
        if tool is None or declared.get(call.name) != tool.definition.digest:
            words = f"Error: unknown tool “{named(call.name)}”."
            return Refusal(RefusalReason.UNKNOWN_TOOL, words)
        return None

    async def _edited(
        self, request: ApprovalRequest, input_text: str, folder: Path | None
    ) -> ApprovalRequest:
        call = ToolUse(request.call_id, request.prepared.tool_name, {})
        tool = self._registry.get(call.name)
        # A tool that changed while its card was edited would run with an input meant for another.
        if tool is None or tool.definition.digest != request.prepared.definition_digest:
            raise ToolError(_OTHER_TOOL)
        given = await asyncio.to_thread(parse_text, input_text)
        edited = await self._request(request.conversation_id, call, given, folder)
        asked = request.original_text or request.prepared.input_text
        # An input that was edited back is the assistant's own again.
        is_same = edited.prepared.input_text == asked
        return replace(edited, original_text="" if is_same else asked)

    async def _request(
        self,
        conversation_id: str,
        call: ToolUse,
        given: CanonicalInput,
        folder: Path | None,
        attachments: Attached = (),
    ) -> ApprovalRequest:
        # At each call: a sandbox that is gone since must not count for a rule (threat 44).
        state = nothing_holds("none") if self._sandbox is None else await self._sandbox()
        places = CallPlaces(
            folder, self._home, self._notes_file(), self._protected, tuple(attachments)
        )
        # Looking at files may block, and a hostile input may take its time to be refused.
        return await asyncio.to_thread(self._prepare, conversation_id, call, given, places, state)

    def _prepare(
        self,
        conversation_id: str,
        call: ToolUse,
        given: CanonicalInput,
        places: CallPlaces,
        sandbox: SandboxState,
    ) -> ApprovalRequest:
        tool = self._registry.get(call.name)
        complaints = self._registry.validate(call.name, given)
        if tool is None or complaints:
            raise ToolError(" ".join(complaints))
        prepared = prepare_to_ask(tool, given, places)
        call_scope = scope_of(conversation_id, prepared, tool, sandbox, self._protected)
        return ApprovalRequest(conversation_id, call.id, prepared, sandbox, call_scope)

    async def _note_changes(self, rules: PermissionRules, call_scope: CallScope) -> None:
        try:
            await rules.check_tools()
            await rules.note_changes(call_scope)
        except StoreError as exc:
            # The rules are off in this run anyway; the next run finds the change again.
            log.info("Cannot save the end of a rule: %s", exc.reason)


def _reads_attachment_only(request: ApprovalRequest) -> bool:
    """Return whether a call reads what was attached, and can do nothing else."""
    order, definition = request.prepared.order, request.prepared.definition
    does_more = order.root is not None or bool(order.commands) or order.may_use_network
    is_ours = definition.source == BUILT_IN and definition.effects.read_only
    return order.file is not None and is_ours and not does_more


def _refused(error: ToolError) -> Refusal:
    is_folder = isinstance(error, NoFolderError)
    reason = RefusalReason.NO_FOLDER if is_folder else RefusalReason.INVALID_INPUT
    return Refusal(reason, f"Error: {error}")
