"""Try a rule on earlier calls, to show which of them it would have let through.

Only the record is read: nothing runs and no file is opened. What the record does not say (such as
which program a name stood for) counts as it is now.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path, PurePosixPath
from typing import Final

from app.approvals.call_scope import WHOLE_FOLDER, CallScope, GrantBlocker, ScopedPath, origins_of
from app.approvals.rule_engine import RuleMatch, match
from app.approvals.rules import InputScope, Rule
from local_tools.canonical import CanonicalInput, parse_text
from local_tools.command_lines import command_text
from local_tools.ledger.steps import CallRecord, Decision
from local_tools.registry import ToolRegistry
from local_tools.secrets.files import sounds_secret
from local_tools.tool import AnyTool, ToolError

CALLS_LIMIT: Final = 200


class SimulatedVerdict(Enum):
    """What the rule would have done with an earlier call."""

    RUNS = "runs"
    RUNS_DENIED = "runs_denied"
    ASKS = "asks"


@dataclass(frozen=True, slots=True)
class SimulatedCall:
    """An earlier call of the rule's tools.

    Attributes:
        words: The tool and what the call was about: the path, the command, or the input.
    """

    words: str
    verdict: SimulatedVerdict


@dataclass(frozen=True, slots=True)
class SimulationReport:
    """How a rule did on earlier calls: on how many, and those of its tools, newest first."""

    call_count: int
    calls: tuple[SimulatedCall, ...]

    @property
    def run_count(self) -> int:
        """How many would have run without asking."""
        return sum(call.verdict is not SimulatedVerdict.ASKS for call in self.calls)

    @property
    def denied_count(self) -> int:
        """How many of these the person denied."""
        return sum(call.verdict is SimulatedVerdict.RUNS_DENIED for call in self.calls)


@dataclass(frozen=True, slots=True)
class CallHistory:
    """The earlier calls, newest last, and what they are read with.

    Attributes:
        folders: The real path of each chat's folder, by conversation; `chosen` is the path by
            which it was picked, where that leads through links.
        home: What `~` stands for.
    """

    records: Sequence[CallRecord]
    folders: Mapping[str, str]
    home: Path
    chosen: Mapping[str, str] = field(default_factory=dict)


def simulate(rule: Rule, history: CallHistory, registry: ToolRegistry) -> SimulationReport:
    """Try a rule on the earlier calls. Bounded; may take some milliseconds a call."""
    records = history.records[-CALLS_LIMIT:]
    calls = (_simulate_call(rule, record, history, registry) for record in reversed(records))
    return SimulationReport(len(records), tuple(call for call in calls if call is not None))


def _simulate_call(
    rule: Rule, record: CallRecord, history: CallHistory, registry: ToolRegistry
) -> SimulatedCall | None:
    tool, decision = registry.get(record.tool), record.details.decision
    is_named = any(item.name == record.tool for item in rule.tools)
    # What was refused never came to a rule, and would not today.
    if tool is None or not is_named or decision is Decision.REFUSED or record.input_text is None:
        return None
    # Of a call that the person edited, the record has the edited input as the reason.
    text = record.reason if decision is Decision.EDITED else record.input_text
    try:
        given = parse_text(text)
        if tool.signature.complaints(given):
            return None
        call = _scope_of(rule, record, tool, given, history)
    except ToolError:
        return None
    verdict = SimulatedVerdict.ASKS
    if match(rule, call) is RuleMatch.COVERED:
        is_denied = decision is Decision.DENIED
        verdict = SimulatedVerdict.RUNS_DENIED if is_denied else SimulatedVerdict.RUNS
    return SimulatedCall(f"{record.tool} {_words(tool, given)}", verdict)


def _scope_of(
    rule: Rule, record: CallRecord, tool: AnyTool, given: CanonicalInput, history: CallHistory
) -> CallScope:
    definition = tool.definition
    folder = history.folders.get(record.key.conversation_id, "")
    values = tool.signature.json_values(given)
    named = [str(values[name]) for name in tool.signature.names("target", "destination")]
    chosen = history.chosen.get(record.key.conversation_id, folder)
    places = [_below(text, (folder, chosen), history.home) for text in named]
    if tool.code is not None and places:
        places.append(WHOLE_FOLDER.parts)
    runs_programs = bool(tool.signature.names("command", "shell"))
    call = CallScope(
        conversation_id=record.key.conversation_id,
        tool=record.tool,
        # Earlier calls are tried with the tools of today.
        digest=next(item.digest for item in rule.tools if item.name == record.tool),
        reads_only=definition.effects.read_only,
        input_sha256=given.sha256,
        folder=folder if places or runs_programs else "",
        # The record does not say which are files; as folders they meet more exceptions.
        places=tuple(ScopedPath(parts, is_folder=True) for parts in places if parts is not None),
        runs_programs=runs_programs,
        programs=rule.scope.programs if isinstance(rule.scope, InputScope) else (),
        origins=origins_of(tool, given.text),
        may_connect=definition.needs_network,
        open_world=definition.effects.open_world,
        is_elsewhere=definition.runs_in == "elsewhere",
    )
    return replace(call, blocker=_blocker(tool, call, is_outside=None in places))


def _blocker(tool: AnyTool, call: CallScope, *, is_outside: bool) -> GrantBlocker | None:
    if not tool.definition.is_grantable:
        return GrantBlocker.NOT_GRANTABLE
    if tool.definition.runs_in == "program":
        return GrantBlocker.IN_PROGRAM
    if is_outside:
        return GrantBlocker.OUTSIDE_FOLDER
    names = (name for place in call.places for name in place.parts)
    return GrantBlocker.SENSITIVE if any(sounds_secret(name) for name in names) else None


def _below(text: str, folders: tuple[str, str], home: Path) -> tuple[str, ...] | None:
    """Return the names that lead from the chat's folder to a place; None when it lies outside."""
    first, _, rest = text.partition("/")
    path = PurePosixPath(home, rest.lstrip("/")) if first == "~" else PurePosixPath(text)
    if ".." in path.parts or not all(folders):
        return None
    if not path.is_absolute():
        return path.parts
    found = (path.relative_to(base).parts for base in folders if path.is_relative_to(base))
    return next(found, None)


def _words(tool: AnyTool, given: CanonicalInput) -> str:
    values = tool.signature.json_values(given)
    paths = [
        str(values[name])
        for name in tool.signature.names("target", "destination", "address", "shell")
    ]
    commands = [values[name] for name in tool.signature.names("command")]
    paths += [command_text([str(i) for i in argv]) for argv in commands if isinstance(argv, list)]
    return ", ".join(paths) or given.text
