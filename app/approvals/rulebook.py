"""The rules of one profile: which hold, what they say about a call, and how often they did."""

import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from pydantic import ValidationError

from app.approvals.matching import Match, forbids, forbids_tool, match
from app.approvals.observers import Observers
from app.approvals.reach import Reach
from app.approvals.rules import (
    Ended,
    Rule,
    body_text,
    definition_text,
    ended_text,
    read_rule,
)
from app.approvals.stopwatch import Clock, Moment
from app.store.rows import KeptRule
from app.store.rules import RuleTable
from local_tools.tool import ToolDefinition

log = logging.getLogger(__name__)

_MINUTE_S: Final = 60


@dataclass(frozen=True, slots=True)
class _Held:
    """A rule, and when it was made or found as far as this run knows, with the time left then."""

    rule: Rule
    since: Moment
    left_s: float | None


class Rulebook:
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
        self._held: dict[str, _Held] = {}
        self._changes: Observers[[]] = Observers()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that hold and those that ended because of a change, oldest first."""
        return tuple(h.rule for h in self._held.values() if h.rule.ended or not self._is_over(h))

    def subscribe(self, on_change: Callable[[], None]) -> Callable[[], None]:
        """Be told when a rule was made, used, ended or revoked; what is returned ends it."""
        return self._changes.add(on_change)

    async def load(self) -> None:
        """Read what is kept, forget what is over, and end what is about tools that changed.

        Raises:
            StoreError: it cannot be read.
        """
        found: dict[str, _Held] = {}
        for kept in await self._table.all():
            held = self._read(kept)
            if held is None or (held.rule.ended is None and self._is_over(held)):
                await self._table.remove(kept.rule_id)
            else:
                found[kept.rule_id] = held
        self._held = found
        await self.check_tools()
        self._changes.tell()

    async def add(self, rule: Rule) -> None:
        """Let a rule hold from now on.

        Raises:
            StoreError: it could not be kept, and does not hold.
        """
        await self._table.add(_kept(rule))
        minutes = rule.span.minutes
        left_s = None if minutes is None else float(minutes * _MINUTE_S)
        self._held[rule.rule_id] = _Held(rule, Moment.of(self._clock), left_s)
        self._changes.tell()

    async def revoke(self, rule_id: str) -> None:
        """Let a rule hold no longer, from this moment on.

        Raises:
            StoreError: it could not be forgotten for good, and holds again after a restart.
        """
        self._held.pop(rule_id, None)
        self._changes.tell()
        await self._table.remove(rule_id)

    async def restore(self, rule: Rule) -> None:
        """Take a revocation back: the rule holds for what was left of it; an ended one is shown.

        Raises:
            StoreError: it could not be kept, and does not hold.
        """
        # Its time went on, so it is read as after a restart.
        kept = _kept(rule)
        held = self._read(kept)
        if held is not None and (rule.ended or not self._is_over(held)):
            await self._table.add(kept)
            if rule.ended:
                await self._table.end(rule.rule_id, kept.ended)
            self._held[rule.rule_id] = held
            self._changes.tell()

    def forbidding(self, reach: Reach) -> Rule | None:
        """The rule that forbids a call; it beats every rule that allows."""
        return next((r for r in self._holding() if r.denies and forbids(r, reach)), None)

    def forbidding_tool(self, conversation_id: str, tool: str) -> Rule | None:
        """The rule that forbids a tool in a chat, whatever it is given."""
        denying = (rule for rule in self._holding() if rule.denies)
        return next((r for r in denying if forbids_tool(r, conversation_id, tool)), None)

    def allowing(self, reach: Reach) -> Rule | None:
        """The rule that lets a call run. One that is for good goes before one that is counted."""
        covering = [
            rule
            for rule in self._holding()
            if not rule.denies and match(rule, reach) is Match.COVERED
        ]
        return min(covering, key=lambda rule: rule.calls_left is not None, default=None)

    async def use(self, rule_id: str) -> bool:
        """Count one use, once per call; False when the rule holds no longer: ask.

        Raises:
            StoreError: it could not be counted: ask.
        """
        held = self._held.get(rule_id)
        if held is None or held.rule.ended or self._is_over(held):
            return False
        at = self._clock.wall()
        if not await self._table.use(rule_id, at):
            return False
        # It may have been revoked while it was written down.
        held = self._held.get(rule_id)
        if held is None:
            return False
        rule = held.rule
        left = None if rule.calls_left is None else rule.calls_left - 1
        used = replace(rule, use_count=rule.use_count + 1, last_used_at=at, calls_left=left)
        self._held[rule_id] = replace(held, rule=used)
        self._changes.tell()
        return True

    async def note_changes(self, reach: Reach) -> None:
        """End the rules that would cover a call, were its program still the one they are for.

        Raises:
            StoreError: it could not be written down; the rule does not hold all the same.
        """
        for rule in self._holding():
            if not rule.denies and match(rule, reach) is Match.CHANGED_PROGRAM:
                await self._end(rule, Ended("program_changed", reach.tool))

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
                # One that is not there covers nothing: its server may only be switched off.
                found = now.get(tool.name)
                if found is not None and found.digest != tool.digest:
                    await self._end(rule, Ended("changed", tool.name, definition_text(found)))
                    break

    async def _end(self, rule: Rule, ended: Ended) -> None:
        held = self._held[rule.rule_id]
        self._held[rule.rule_id] = replace(held, rule=replace(rule, ended=ended))
        self._changes.tell()
        await self._table.end(rule.rule_id, ended_text(ended))

    def _holding(self) -> tuple[Rule, ...]:
        return tuple(
            held.rule
            for held in self._held.values()
            if held.rule.ended is None and not self._is_over(held)
        )

    def _is_over(self, held: _Held) -> bool:
        calls_left, calls = held.rule.calls_left, held.rule.span.calls
        # What is left is kept apart from what the rule says, so the one may not undo the other.
        if calls is not None and (calls_left is None or not 0 < calls_left <= calls):
            return True
        return held.left_s is not None and held.since.passed_s(self._clock) >= held.left_s

    def _read(self, kept: KeptRule) -> _Held | None:
        rule: Rule | None = None
        with suppress(ValidationError):
            rule = read_rule(kept.rule_id, kept.body, kept.ended)
        if rule is None:
            log.warning("a rule about tools cannot be read and holds no longer")
            return None
        rule = replace(
            rule,
            calls_left=kept.calls_left,
            use_count=kept.use_count,
            last_used_at=kept.last_used_at,
        )
        return _Held(rule, Moment.of(self._clock), self._left_s(rule))

    def _left_s(self, rule: Rule) -> float | None:
        """Seconds left of a rule from an earlier run; none when the clock was set back since."""
        if rule.span.minutes is None:
            return None
        passed_s = (self._clock.wall() - rule.created_at).total_seconds()
        whole_s = rule.span.minutes * _MINUTE_S
        return whole_s - passed_s if 0 <= passed_s <= whole_s else 0.0


def _kept(rule: Rule) -> KeptRule:
    return KeptRule(
        rule.rule_id,
        rule.span.conversation_id,
        body_text(rule),
        rule.calls_left,
        rule.use_count,
        rule.last_used_at,
        "" if rule.ended is None else ended_text(rule.ended),
    )
