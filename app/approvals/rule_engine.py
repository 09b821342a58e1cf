"""Apply the permission rules of one profile to calls, and suggest new ones.

`match` and `forbids` say whether a call lies in a rule's scope. They are pure: the answer is the
same for a call that waits and for one that ran long ago. `PermissionRules` keeps the rules with
their ends and counts how often each was used. `suggest_rules` returns the rules that could be made
from a waiting call, and `reading_tools` the tools that may be allowed to read a chosen folder.
"""

import logging
import unicodedata
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from app.approvals.call_scope import WHOLE_FOLDER, CallScope, ScopedPath
from app.approvals.queue import ApprovalRequest
from app.approvals.rules import (
    FolderScope,
    HostScope,
    InputScope,
    Rule,
    RuleEnd,
    RuleLifetime,
    RuleScope,
    ToolScope,
    body_text,
    definition_text,
    ended_text,
    is_lasting,
    read_rule,
)
from app.common.clock import Clock, Timestamp
from app.common.observable import Subscribers
from app.store.records import StoredRule
from app.store.rules import RuleTable
from local_tools.command_lines import command_text
from local_tools.registry import ToolRegistry
from local_tools.tool import BUILT_IN, AnyTool, ToolDefinition


class RuleMatch(Enum):
    """How a call stands to a rule; everything but `COVERED` says why it does not apply."""

    COVERED = "covered"
    NEVER = "never"
    OTHER_TOOL = "other_tool"
    CHANGED_TOOL = "changed_tool"
    OTHER_CHAT = "other_chat"
    OUTSIDE = "outside"
    EXCEPTED = "excepted"
    WRITES = "writes"
    OTHER_INPUT = "other_input"
    CHANGED_PROGRAM = "changed_program"
    OTHER_HOST = "other_host"


def match(rule: Rule, call: CallScope) -> RuleMatch:
    """Return whether a rule that allows covers a call. When in doubt it does not."""
    if call.blocker is not None or _is_too_wide(rule, call):
        return RuleMatch.NEVER
    tool = next((tool for tool in rule.tools if tool.name == call.tool), None)
    if tool is None:
        return RuleMatch.OTHER_TOOL
    # Same name, other definition: the user allowed something else (a tool that changed asks again).
    if tool.digest != call.digest:
        return RuleMatch.CHANGED_TOOL
    if rule.span.conversation_id not in ("", call.conversation_id):
        return RuleMatch.OTHER_CHAT
    return match_scope(rule.scope, call)


def _is_too_wide(rule: Rule, call: CallScope) -> bool:
    """Return whether a rule is wider than Parley makes any: somebody else wrote it to the store."""
    span = rule.span
    if is_lasting(rule):
        return not (isinstance(rule.scope, FolderScope) and call.reads_only)
    is_bounded = span.calls is not None or span.minutes is not None
    return not span.conversation_id or (call.is_elsewhere and not is_bounded)


def match_scope(scope: RuleScope, call: CallScope) -> RuleMatch:
    """Return whether everything that a call would touch lies in a scope."""
    match scope:
        case FolderScope():
            return _match_folder(scope, call)
        case InputScope():
            return _match_input(scope, call)
        case HostScope(origin):
            is_there = bool(call.origins) and all(item == origin for item in call.origins)
            is_only_that = not call.places and not call.runs_programs
            return RuleMatch.COVERED if is_there and is_only_that else RuleMatch.OTHER_HOST
        case ToolScope():
            # What a server elsewhere touches nobody here can see; `_is_too_wide` bounds such rules.
            is_free = _touches_nothing(call) or call.is_elsewhere
            return RuleMatch.COVERED if is_free else RuleMatch.OUTSIDE


def forbids(rule: Rule, call: CallScope) -> bool:
    """Return whether a rule that denies covers a call. When in doubt it does."""
    if not _is_about(rule, call.conversation_id, call.tool):
        return False
    match rule.scope:
        case FolderScope():
            # A program may reach any file of the folder, whatever its arguments name.
            programs = (WHOLE_FOLDER,) if call.runs_programs else ()
            return any(_is_forbidden(rule.scope, call, item) for item in (*call.places, *programs))
        case InputScope(input_sha256, _, folder):
            return call.input_sha256 == input_sha256 and call.folder == folder
        case HostScope(origin):
            return origin in call.origins
        case ToolScope():
            return True


def forbids_tool(rule: Rule, conversation_id: str, tool: str) -> bool:
    """Return whether a rule denies every call of a tool in a chat, whatever its input."""
    return isinstance(rule.scope, ToolScope) and _is_about(rule, conversation_id, tool)


def _is_about(rule: Rule, conversation_id: str, tool: str) -> bool:
    is_here = rule.span.conversation_id in ("", conversation_id)
    return is_here and (not rule.tools or any(item.name == tool for item in rule.tools))


def _touches_nothing(call: CallScope) -> bool:
    """Return whether a call only reads, names no place and reaches nothing."""
    reaches = call.runs_programs or call.may_connect or call.open_world
    return call.reads_only and not call.folder and not call.places and not reaches


def _match_folder(scope: FolderScope, call: CallScope) -> RuleMatch:
    if call.folder != scope.folder or not call.places:
        return RuleMatch.OUTSIDE
    if call.runs_programs or call.may_connect or call.open_world:
        return RuleMatch.OUTSIDE
    if not call.reads_only and not scope.writes:
        return RuleMatch.WRITES
    if any(_meets_exception(place, scope.exceptions) for place in call.places):
        return RuleMatch.EXCEPTED
    return RuleMatch.COVERED


def _match_input(scope: InputScope, call: CallScope) -> RuleMatch:
    if call.input_sha256 != scope.input_sha256:
        return RuleMatch.OTHER_INPUT
    if call.folder != scope.folder:
        return RuleMatch.OUTSIDE
    return RuleMatch.COVERED if call.programs == scope.programs else RuleMatch.CHANGED_PROGRAM


def _meets_exception(place: ScopedPath, exceptions: tuple[str, ...]) -> bool:
    """Return whether a place lies in an exception, or is a folder that one lies in."""
    names = _alike(place.parts)
    for exception in exceptions:
        kept = _alike(tuple(exception.split("/")))
        if names[: len(kept)] == kept or (place.is_folder and kept[: len(names)] == names):
            return True
    return False


def _is_forbidden(scope: FolderScope, call: CallScope, place: ScopedPath) -> bool:
    """Return whether a place lies in a forbidden folder, or is a folder in which that one lies."""
    names = (*Path(call.folder).parts, *place.parts)
    folder = _alike(Path(scope.folder).parts)
    if _alike(names)[: len(folder)] != folder:
        return place.is_folder and folder[: len(names)] == _alike(names)
    below = names[len(folder) :]
    # To the letter: an exception lets a call through, so here doubt is for the ban.
    return not any(below[: e.count("/") + 1] == tuple(e.split("/")) for e in scope.exceptions)


def _alike(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return names as the most forgiving file system compares them."""
    return tuple(unicodedata.normalize("NFKC", name).casefold() for name in names)


log = logging.getLogger(__name__)

_MINUTE_S: Final = 60


@dataclass(frozen=True, slots=True)
class ActiveRule:
    """A rule, and when it was made or found as far as this run knows, with the time left then."""

    rule: Rule
    since: Timestamp
    left_s: float | None


class PermissionRules:
    """What a person allowed and forbade. Kept in the store; looked up here, without waiting.

    Made for a profile; `load` comes first. Ends with nothing: it holds nothing open.
    """

    def __init__(
        self,
        table: RuleTable,
        definitions: Callable[[], Iterable[ToolDefinition]],
        clock: Clock,
    ) -> None:
        """Take what the rules are kept in, the tools as they are now, and the time."""
        self._table = table
        self._definitions = definitions
        self._clock = clock
        self._active: dict[str, ActiveRule] = {}
        self._changes: Subscribers[[]] = Subscribers()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that hold and those that ended because of a change, oldest first."""
        return tuple(a.rule for a in self._active.values() if a.rule.ended or not self._is_over(a))

    def subscribe(self, on_change: Callable[[], None]) -> Callable[[], None]:
        """Call `on_change` when a rule was made, used, ended or revoked; returns what ends that."""
        return self._changes.subscribe(on_change)

    async def load(self) -> None:
        """Read what is kept, forget what is over, and end what is about tools that changed.

        Raises:
            StoreError: it cannot be read.
        """
        found: dict[str, ActiveRule] = {}
        for kept in await self._table.all():
            active = self._read(kept)
            if active is None or (active.rule.ended is None and self._is_over(active)):
                await self._table.remove(kept.rule_id)
            else:
                found[kept.rule_id] = active
        self._active = found
        await self.check_tools()
        self._changes.notify()

    async def add(self, rule: Rule) -> None:
        """Add a rule, which holds from now on.

        Raises:
            StoreError: it could not be kept, and does not hold.
        """
        await self._table.add(_kept(rule))
        minutes = rule.span.minutes
        left_s = None if minutes is None else float(minutes * _MINUTE_S)
        self._active[rule.rule_id] = ActiveRule(rule, Timestamp.of(self._clock), left_s)
        self._changes.notify()

    async def revoke(self, rule_id: str) -> None:
        """Revoke a rule, from this moment on.

        Raises:
            StoreError: it could not be forgotten for good, and holds again after a restart.
        """
        # Before the disk: where the store fails, the rule must not hold any longer in this run.
        self._active.pop(rule_id, None)
        self._changes.notify()
        await self._table.remove(rule_id)

    async def restore(self, rule: Rule) -> None:
        """Take a revocation back: the rule holds for what was left of it; an ended one is shown.

        Raises:
            StoreError: it could not be kept, and does not hold.
        """
        # Its lifetime went on meanwhile, so it is read as after a restart.
        kept = _kept(rule)
        active = self._read(kept)
        if active is not None and (rule.ended or not self._is_over(active)):
            await self._table.add(kept)
            if rule.ended:
                await self._table.end(rule.rule_id, kept.ended)
            self._active[rule.rule_id] = active
            self._changes.notify()

    def find_denying(self, call: CallScope) -> Rule | None:
        """Return the rule that forbids a call; it beats every rule that allows."""
        return next((r for r in self._holding() if r.denies and forbids(r, call)), None)

    def forbidding_tool(self, conversation_id: str, tool: str) -> Rule | None:
        """Return the rule that forbids a tool in a chat, whatever it is given."""
        denying = (rule for rule in self._holding() if rule.denies)
        return next((r for r in denying if forbids_tool(r, conversation_id, tool)), None)

    def find_allowing(self, call: CallScope) -> Rule | None:
        """Return the rule that lets a call run; one for good goes before one that is counted."""
        covering = [
            rule
            for rule in self._holding()
            if not rule.denies and match(rule, call) is RuleMatch.COVERED
        ]
        return min(covering, key=lambda rule: rule.calls_left is not None, default=None)

    async def use(self, rule_id: str) -> bool:
        """Count one use, once per call; False when the rule holds no longer: ask.

        Raises:
            StoreError: it could not be counted: ask.
        """
        active = self._active.get(rule_id)
        if active is None or active.rule.ended or self._is_over(active):
            return False
        at = self._clock.wall()
        if not await self._table.use(rule_id, at):
            return False
        # The rule may have been revoked while its use was being stored.
        active = self._active.get(rule_id)
        if active is None:
            return False
        rule = active.rule
        left = None if rule.calls_left is None else rule.calls_left - 1
        used = replace(rule, use_count=rule.use_count + 1, last_used_at=at, calls_left=left)
        self._active[rule_id] = replace(active, rule=used)
        self._changes.notify()
        return True

    async def note_changes(self, call: CallScope) -> None:
        """End the rules that would cover a call, were its program still the one they are for.

        Raises:
            StoreError: it could not be written down; the rule does not hold all the same.
        """
        for rule in self._holding():
            if not rule.denies and match(rule, call) is RuleMatch.CHANGED_PROGRAM:
                await self._end(rule, RuleEnd("program_changed", call.tool))

    async def check_tools(self) -> None:
        """End every rule about a tool that is not what it was.

        Raises:
            StoreError: it could not be written down; the rules do not hold all the same.
        """
        now = {definition.name: definition for definition in self._definitions()}
        for rule in self._holding():
            if rule.denies:
                continue
            for tool in rule.tools:
                # Keep the rule of a missing tool: its server may only be switched off.
                found = now.get(tool.name)
                if found is not None and found.digest != tool.digest:
                    await self._end(rule, RuleEnd("changed", tool.name, definition_text(found)))
                    break

    async def _end(self, rule: Rule, ended: RuleEnd) -> None:
        # Before the disk, as in `revoke`.
        active = self._active[rule.rule_id]
        self._active[rule.rule_id] = replace(active, rule=replace(rule, ended=ended))
        self._changes.notify()
        await self._table.end(rule.rule_id, ended_text(ended))

    def _holding(self) -> tuple[Rule, ...]:
        return tuple(
            active.rule
            for active in self._active.values()
            if active.rule.ended is None and not self._is_over(active)
        )

    def _is_over(self, active: ActiveRule) -> bool:
        calls_left, calls = active.rule.calls_left, active.rule.span.calls
        # The remaining calls are stored apart from the rule; a count it does not allow ends it.
        if calls is not None and (calls_left is None or not 0 < calls_left <= calls):
            return True
        return active.left_s is not None and active.since.passed_s(self._clock) >= active.left_s

    def _read(self, kept: StoredRule) -> ActiveRule | None:
        rule: Rule | None = None
        with suppress(ValidationError):
            rule = read_rule(kept.rule_id, kept.body, kept.ended)
        if rule is None:
            log.warning("Dropped a tool rule that cannot be read")
            return None
        rule = replace(
            rule,
            calls_left=kept.calls_left,
            use_count=kept.use_count,
            last_used_at=kept.last_used_at,
        )
        return ActiveRule(rule, Timestamp.of(self._clock), self._left_s(rule))

    def _left_s(self, rule: Rule) -> float | None:
        """Return the seconds left of an earlier run's rule; 0 if the clock was set back since."""
        if rule.span.minutes is None:
            return None
        passed_s = (self._clock.wall() - rule.created_at).total_seconds()
        whole_s = rule.span.minutes * _MINUTE_S
        return whole_s - passed_s if 0 <= passed_s <= whole_s else 0.0


def _kept(rule: Rule) -> StoredRule:
    return StoredRule(
        rule.rule_id,
        rule.span.conversation_id,
        body_text(rule),
        rule.calls_left,
        rule.use_count,
        rule.last_used_at,
        "" if rule.ended is None else ended_text(rule.ended),
    )


_GRANTED_CALLS: Final = 5
_GRANTED_MINUTES: Final = 15

# The kinds of parameters that a tool may have which only reads places in a folder.
_READING_KINDS: Final = frozenset({"value", "previewed", "target", "context"})


@dataclass(frozen=True, slots=True)
class RuleSuggestion:
    """A scope that a rule could be made of, and for how long it may hold; the first is proposed."""

    definition: ToolDefinition
    scope: RuleScope
    spans: tuple[RuleLifetime, ...]


def suggest_rules(request: ApprovalRequest) -> tuple[RuleSuggestion, ...]:
    """Return what rules a waiting call suggests, widest first; none when no rule may cover it."""
    call = request.call_scope
    if call is None or call.blocker is not None:
        return ()
    definition = request.prepared.definition
    chat = request.conversation_id
    return tuple(
        RuleSuggestion(definition, scope, _spans_for(scope, chat, call))
        for scope in _scopes(request, call)
    )


def _spans_for(scope: RuleScope, chat: str, call: CallScope) -> tuple[RuleLifetime, ...]:
    """For how long a rule with this scope may hold."""
    short = (RuleLifetime(chat, calls=_GRANTED_CALLS), RuleLifetime(chat, minutes=_GRANTED_MINUTES))
    if call.is_elsewhere:
        return short
    if isinstance(scope, FolderScope) and call.reads_only:
        return (RuleLifetime(chat), *short, RuleLifetime())
    return (RuleLifetime(chat), *short)


def reading_tools(registry: ToolRegistry) -> tuple[ToolDefinition, ...]:
    """Return the tools that may read a folder once a person allows that without being asked.

    Only those that ship: what others read and tell is for a person to decide, tool by tool.
    """
    found = (registry.get(definition.name) for definition in registry.definitions())
    return tuple(tool.definition for tool in found if tool is not None and _only_reads(tool))


def _only_reads(tool: AnyTool) -> bool:
    definition = tool.definition
    if definition.source != BUILT_IN:
        return False
    kinds = {parameter.kind for parameter in tool.signature.parameters}
    is_harmless = definition.effects.read_only and not definition.effects.open_world
    is_in_worker = definition.runs_in == "worker" and not definition.needs_network
    reads_places = "target" in kinds and kinds <= _READING_KINDS
    return is_harmless and is_in_worker and reads_places and definition.is_grantable


def _scopes(request: ApprovalRequest, call: CallScope) -> Iterable[RuleScope]:
    if _touches_nothing(call) or call.is_elsewhere:
        yield ToolScope()
    if _touches_nothing(call):
        return
    is_in_folder = call.places and not call.runs_programs and not call.origins
    if is_in_folder and not call.may_connect and not call.open_world:
        yield FolderScope(call.folder, writes=not call.reads_only)
    if len(call.origins) == 1 and not call.places and not call.runs_programs:
        yield HostScope(call.origins[0])
    yield InputScope(call.input_sha256, _shown(request), call.folder, call.programs)


def _shown(request: ApprovalRequest) -> str:
    commands = request.prepared.order.commands
    if commands:
        return " ; ".join(command_text(command.argv) for command in commands)
    return request.prepared.input_text
