"""How one call is decided: by the program, by a rule, or by the person, who may take their time."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from app.api.events import ToolUse
from app.approvals.policy import Declared, Forbidden, Granted, Refusal
from app.approvals.queue import Allowed, Answered, Denied, Edited, Expired, Withdrawn
from app.approvals.request import ToolRequest
from app.chat.call_facts import YOU, YOU_BEFORE
from app.chat.call_words import answer_text, denial_text, denied_before_text, forbidden_text
from app.chat.equipment import Equipment
from app.store.rows import TurnState
from local_tools.canonical import freeze
from local_tools.errors import ToolError
from local_tools.ledger import StepDetails

_REFUSED: Final = StepDetails(decision="refused")


class ClosingError(Exception):
    """The program closes while a decision is waited for; nothing was decided."""


@dataclass(frozen=True, slots=True)
class Run:
    """The call runs as `request` has it. `said` is the input when the person changed it."""

    request: ToolRequest
    details: StepDetails
    said: str = ""


@dataclass(frozen=True, slots=True)
class NoRun:
    """The call does not run: `result` is told instead, `said` are the person's own words."""

    details: StepDetails
    result: str
    said: str = ""


Outcome: TypeAlias = Run | NoRun


class Deciding:
    """Decides about the calls of one turn, one at a time. Made for a turn, ends with it.

    What was denied once in the turn is not asked again, and after many calls it asks whether the
    reply may go on.
    """

    def __init__(
        self,
        equipment: Equipment,
        conversation_id: str,
        declared: Callable[[], Declared],
        *,
        folder: Callable[[], Path | None],
        on_state: Callable[[TurnState], Awaitable[None]],
    ) -> None:
        self._policy = equipment.policy
        self._approvals = equipment.approvals
        self._calls_before_pause = equipment.calls_before_pause
        self._conversation_id = conversation_id
        self._declared = declared
        self._folder = folder
        self._on_state = on_state
        # Reasons of denials, by tool and input.
        self._denied: dict[tuple[str, str], str] = {}
        self._since_pause = 0
        self._count = 0
        self._declined_rest: str | None = None

    async def decide(self, call: ToolUse, show: Callable[[ToolRequest], None]) -> Outcome:
        """Find out what becomes of a call; `show` is told what would run before it is asked.

        Raises:
            ClosingError: Nobody decides any more.
        """
        if not await self._may_go_on():
            return _denied(self._declined_rest or "")
        return await self._denied_before(call) or await self._judged(call, show)

    async def _judged(self, call: ToolUse, show: Callable[[ToolRequest], None]) -> Outcome:
        verdict = await self._policy.judge(
            self._conversation_id, call, self._declared(), self._folder()
        )
        match verdict:
            case Refusal(result):
                return NoRun(_REFUSED, result)
            case Forbidden():
                return _forbidden(verdict)
            case Granted(request, rule):
                show(request)
                if await self._policy.count(verdict):
                    details = StepDetails(decision="allowed", decided_by=rule.decider)
                    return Run(request, details)
                return await self._ask_first(call, request, show)
            case ToolRequest():
                show(verdict)
                return await self._ask_first(call, verdict, show)

    async def _may_go_on(self) -> bool:
        """Ask after many calls; False when the person has declined the rest."""
        self._count += 1
        self._since_pause += 1
        while self._declined_rest is None and self._since_pause > self._calls_before_pause():
            await self._on_state(TurnState.ASKING)
            match await self._approvals.pause(self._conversation_id, self._count - 1):
                case Allowed():
                    self._since_pause = 1
                case Denied(reason):
                    self._declined_rest = reason
                case Withdrawn():
                    raise ClosingError
                case _:
                    continue
        return self._declined_rest is None

    async def _denied_before(self, call: ToolUse) -> NoRun | None:
        """The answer to what was denied before: at once, so that its time tells of no file."""
        if all(name != call.name for name, _ in self._denied):
            return None
        try:
            given = await asyncio.to_thread(freeze, call.input)
        except ToolError:
            return None
        reason = self._denied.get((call.name, given.sha256))
        return None if reason is None else _denied_before(reason)

    async def _ask_first(
        self, call: ToolUse, request: ToolRequest, show: Callable[[ToolRequest], None]
    ) -> Outcome:
        """Ask, and remember what was denied."""
        outcome = await self._ask(call, request, show)
        if outcome.details.decision == "denied":
            self._denied[call.name, request.prepared.input_sha256] = outcome.said
        return outcome

    async def _ask(
        self, call: ToolUse, request: ToolRequest, show: Callable[[ToolRequest], None]
    ) -> Outcome:
        is_again = False
        # A rule that was made meanwhile holds for what waited, too.
        while (forbidden := self._policy.forbidden(request)) is None:
            await self._on_state(TurnState.ASKING)
            decision = await self._approvals.ask(request, is_again=is_again)
            is_again = isinstance(decision, Expired)
            match decision:
                case Allowed():
                    return _allowed(request)
                case Denied(reason):
                    return _denied(reason)
                case Answered(text):
                    details = StepDetails(decision="answered", decided_by=YOU)
                    return NoRun(details, answer_text(text), text)
                case Withdrawn():
                    raise ClosingError
                case Edited(text):
                    request = await self._policy.with_input(request, text, self._folder())
                case Expired():
                    renewed = await self._renewed(call, request)
                    if isinstance(renewed, Refusal):
                        return NoRun(_REFUSED, renewed.result)
                    request = renewed
            show(request)
        return _forbidden(forbidden)

    async def _renewed(self, call: ToolUse, request: ToolRequest) -> ToolRequest | Refusal:
        """What the call would do now, with the input that was shown last."""
        if request.original_text:
            return await self._policy.renewed(request, self._folder())
        return await self._policy.look(
            self._conversation_id, call, self._declared(), self._folder()
        )


def _allowed(request: ToolRequest) -> Run:
    if request.original_text:
        details = StepDetails(decision="edited", decided_by=YOU)
        return Run(request, details, request.prepared.input_text)
    return Run(request, StepDetails(decision="allowed", decided_by=YOU))


def _forbidden(verdict: Forbidden) -> NoRun:
    details = StepDetails(decision="denied", decided_by=verdict.rule.decider)
    return NoRun(details, forbidden_text())


def _denied(reason: str) -> NoRun:
    details = StepDetails(decision="denied", decided_by=YOU)
    return NoRun(details, denial_text(reason), reason)


def _denied_before(reason: str) -> NoRun:
    details = StepDetails(decision="denied", decided_by=YOU_BEFORE)
    return NoRun(details, denied_before_text(reason), reason)
