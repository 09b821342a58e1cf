"""Bring a tool call to its decision: by the program, by a rule, or by a person.

`ApprovalFlow` returns `Approved` or `Rejected`. The functions above it make the text that the
assistant is told about a decision.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from app.api.events import ToolUse
from app.approvals.policy import Declared, Forbidden, Granted, GrantedByAttaching, Refusal
from app.approvals.queue import (
    Allowed,
    AnsweredInstead,
    ApprovalRequest,
    Denied,
    Edited,
    Expired,
    Withdrawn,
)
from app.approvals.rules import Rule
from app.chat.chat_settings import ChatSettings
from app.chat.dependencies import ChatDependencies
from app.store.records import TurnState
from local_tools.canonical import freeze
from local_tools.errors import ToolError
from local_tools.ledger.steps import (
    INTERRUPTED_TEXT,
    CallRecord,
    Decider,
    Decision,
    StepDetails,
)

STOPPED_TEXT: Final = "Error: stopped by the user"
# Takes the seconds; the output so far follows.
_STOPPED_AFTER: Final = f"{STOPPED_TEXT} after {{:.1f}} s"
_NEVER_STARTED_TEXT: Final = "Error: interrupted before it was started; nothing was run"
_RULE_TEXT: Final = (
    "The user has a rule that forbids this, so it was not run and they were not asked."
)


def denial_text(reason: str) -> str:
    """Return that the user denied the call; with `Error:`, models would try a way around it."""
    declined = "The user declined to run this tool."
    return f"{declined} Reason: {reason.strip()}" if reason.strip() else declined


def denied_before_text(reason: str) -> str:
    """Return that the same call was denied in this reply, and that nobody was asked again."""
    again = "The user declined this same call before, so they were not asked again."
    return f"{again} Reason: {reason.strip()}" if reason.strip() else again


def forbidden_text() -> str:
    """Return that a rule of the user forbids the call."""
    return _RULE_TEXT


def answer_text(answer: str) -> str:
    """Return what the user said in place of a result."""
    return f"The tool was not run. The user answered instead: {answer.strip()}"


def stopped_text(seconds: float, set_aside: str, written: str | None) -> str:
    """Return that the user ended the call while it ran.

    `set_aside` says what of it was set aside, in sentences; `written` is what its program wrote,
    None without one.
    """
    stopped = _STOPPED_AFTER.format(seconds)
    if set_aside:
        stopped = f"{stopped}. {set_aside.removesuffix('.')}"
    if written is None:
        return stopped
    return f"{stopped}. Output until then:\n\n{written}" if written else f"{stopped}. No output."


def edited_text(input_text: str, output: str) -> str:
    """Return an output with the input that the user changed before it ran."""
    return (
        "The user changed the input of this call before allowing it. "
        f"It ran with this input: {input_text}\n\n{output}"
    )


def text_without_run(record: CallRecord) -> str:
    """Return the result of a recorded call that was decided, and not started before a restart."""
    details = record.details
    if details.decision is Decision.DENIED:
        is_by_rule = details.decider is not None and details.decider.is_rule
        return forbidden_text() if is_by_rule else denial_text(record.reason)
    if details.decision is Decision.ANSWERED:
        return answer_text(record.reason)
    return _NEVER_STARTED_TEXT


def text_after_run(record: CallRecord) -> str:
    """Return the result of a recorded call that ended, as it has to be told."""
    if record.details.decision is Decision.EDITED:
        return edited_text(record.reason, record.result_text or "")
    # None: it was erased meanwhile.
    return INTERRUPTED_TEXT if record.result_text is None else record.result_text


class ClosingError(Exception):
    """The program closes while a decision is waited for; nothing was decided."""


@dataclass(frozen=True, slots=True)
class Approved:
    """The call runs as `request` has it; `edited_input` is its input if the person changed that."""

    request: ApprovalRequest
    details: StepDetails
    edited_input: str = ""


@dataclass(frozen=True, slots=True)
class Rejected:
    """The call does not run: `result` is told instead, `reason` are the person's own words."""

    details: StepDetails
    result: str
    reason: str = ""


ApprovalOutcome: TypeAlias = Approved | Rejected


class ApprovalFlow:
    """Decides about the calls of one turn, one at a time. Made for a turn, ends with it.

    What was denied once in the turn is not asked again, and after many calls it asks whether the
    reply may go on.
    """

    def __init__(
        self,
        dependencies: ChatDependencies,
        conversation_id: str,
        declared: Declared,
        settings: ChatSettings,
        *,
        on_state: Callable[[TurnState], Awaitable[None]],
    ) -> None:
        self._policy = dependencies.policy
        self._approvals = dependencies.approvals
        self._calls_before_pause = dependencies.calls_before_pause
        self._conversation_id = conversation_id
        self._declared = declared
        self._settings = settings
        self._on_state = on_state
        # Reasons of denials, by tool and input.
        self._denied: dict[tuple[str, str], str] = {}
        self._since_pause = 0
        self._count = 0
        # An empty reason declines, too: None alone says that nobody has.
        self._declined_rest: str | None = None

    async def decide(
        self, call: ToolUse, show: Callable[[ApprovalRequest], None]
    ) -> ApprovalOutcome:
        """Find out what becomes of a call; `show` is told what would run before it is asked.

        Raises:
            ClosingError: Nobody decides any more.
        """
        if not await self._may_go_on():
            return _denied(self._declined_rest or "")
        return await self._denied_before(call) or await self._judged(call, show)

    @property
    def _enabled(self) -> Declared:
        """The declared tools but for those that the chat goes without since."""
        disabled = self._settings.disabled_tools
        return {name: digest for name, digest in self._declared.items() if name not in disabled}

    async def _judged(
        self, call: ToolUse, show: Callable[[ApprovalRequest], None]
    ) -> ApprovalOutcome:
        settings = self._settings
        verdict = await self._policy.judge(
            self._conversation_id, call, self._enabled, settings.folder, settings.attached_files
        )
        match verdict:
            case Refusal():
                return _refused(verdict)
            case Forbidden():
                return _forbidden(verdict)
            case Granted(request, rule):
                show(request)
                # A rule with a number of calls may have been used up by another chat since it was
                # found.
                if await self._policy.count(verdict):
                    return Approved(request, _by_rule(Decision.ALLOWED, rule))
                return await self._ask_first(call, request, show)
            case GrantedByAttaching(request):
                show(request)
                details = StepDetails(decision=Decision.ALLOWED, decider=Decider.ATTACHING)
                return Approved(request, details)
            case ApprovalRequest():
                show(verdict)
                return await self._ask_first(call, verdict, show)

    async def _may_go_on(self) -> bool:
        """Ask after many calls; False when the person has declined the rest."""
        self._count += 1
        self._since_pause += 1
        # A loop, as an answer to a card that has expired decides nothing.
        while self._declined_rest is None and self._since_pause > self._calls_before_pause():
            await self._on_state(TurnState.ASKING)
            match await self._approvals.pause(self._conversation_id, self._count - 1):
                case Allowed():
                    # The call that was asked about counts for the next pause, too.
                    self._since_pause = 1
                case Denied(reason):
                    self._declined_rest = reason
                case Withdrawn():
                    raise ClosingError
                case _:
                    continue
        return self._declined_rest is None

    async def _denied_before(self, call: ToolUse) -> Rejected | None:
        """Answer at once what was denied before, so that the time it takes tells of no file."""
        # Most turns have no denial: no thread is started for those.
        if all(name != call.name for name, _ in self._denied):
            return None
        try:
            given = await asyncio.to_thread(freeze, call.input)
        except ToolError:
            return None
        # By the hash of the input: spaces or the order of keys do not make another call of it.
        reason = self._denied.get((call.name, given.sha256))
        return None if reason is None else _denied_before(reason)

    async def _ask_first(
        self, call: ToolUse, request: ApprovalRequest, show: Callable[[ApprovalRequest], None]
    ) -> ApprovalOutcome:
        """Ask, and remember what was denied."""
        outcome = await self._ask(call, request, show)
        if isinstance(outcome, Rejected) and outcome.details.decision is Decision.DENIED:
            self._denied[call.name, request.prepared.input_sha256] = outcome.reason
        return outcome

    async def _ask(
        self, call: ToolUse, request: ApprovalRequest, show: Callable[[ApprovalRequest], None]
    ) -> ApprovalOutcome:
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
                case AnsweredInstead(text):
                    return Rejected(_by_user(Decision.ANSWERED), answer_text(text), text)
                case Withdrawn():
                    raise ClosingError
                case Edited(text):
                    request = await self._policy.with_input(request, text, self._settings.folder)
                case Expired():
                    renewed = await self._renewed(call, request)
                    if isinstance(renewed, Refusal):
                        return _refused(renewed)
                    # Files may have changed while the card waited, so the person sees the call as
                    # it would run now.
                    request = renewed
            show(request)
        return _forbidden(forbidden)

    async def _renewed(self, call: ToolUse, request: ApprovalRequest) -> ApprovalRequest | Refusal:
        """Return what the call would do now, with the input that was shown last."""
        if request.original_text:
            return await self._policy.renewed(request, self._settings.folder)
        return await self._policy.look(
            self._conversation_id, call, self._enabled, self._settings.folder
        )


def _by_user(decision: Decision) -> StepDetails:
    return StepDetails(decision=decision, decider=Decider.USER)


def _by_rule(decision: Decision, rule: Rule) -> StepDetails:
    return StepDetails(decision=decision, decider=rule.decider, rule_id=rule.rule_id)


def _allowed(request: ApprovalRequest) -> Approved:
    if request.original_text:
        return Approved(request, _by_user(Decision.EDITED), request.prepared.input_text)
    return Approved(request, _by_user(Decision.ALLOWED))


def _refused(verdict: Refusal) -> Rejected:
    details = StepDetails(decision=Decision.REFUSED, refusal=verdict.reason)
    return Rejected(details, verdict.result)


def _forbidden(verdict: Forbidden) -> Rejected:
    return Rejected(_by_rule(Decision.DENIED, verdict.rule), forbidden_text())


def _denied(reason: str) -> Rejected:
    return Rejected(_by_user(Decision.DENIED), denial_text(reason), reason)


def _denied_before(reason: str) -> Rejected:
    details = StepDetails(decision=Decision.DENIED, decider=Decider.USER_BEFORE)
    return Rejected(details, denied_before_text(reason), reason)
