"""What a rule would have let through: it is tried on earlier calls, from their record.

Nothing is run and no file is looked at. Where the record does not say what a call would have met,
such as another program of the same name, it counts as what it is now.
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
from local_tools.ledger.ledger import CallRecord
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
        words: What the call was about: the path, the command, or the input.
        why: Why the rule does not cover it.
        obstacle: Why no rule would, if that is so.
        decided_by: Who decided then; `decision` is what.
        is_this: It is the call that waits.
    """

    call_id: str
    conversation_id: str
    tool: str
    words: str
    asked_at: str
    verdict: SimulatedVerdict
    why: RuleMatch
    obstacle: GrantBlocker | None
    decision: str
    decided_by: str
    is_this: bool = False


@dataclass(frozen=True, slots=True)
class SimulationReport:
    """How a rule did on earlier calls; the newest first, those of other tools left out."""

    call_count: int
    trials: tuple[SimulatedCall, ...]

    @property
    def run_count(self) -> int:
        """How many would have run without asking."""
        return sum(trial.verdict is not SimulatedVerdict.ASKS for trial in self.trials)


@dataclass(frozen=True, slots=True)
class CallHistory:
    """The earlier calls, newest last, and what they are read with.

    Attributes:
        folders: The real path of each chat's folder, by conversation; `chosen` is the path by
            which it was picked, where that leads through links.
        home: What `~` stands for.
        current: The id of the call that waits, with its conversation.
    """

    records: Sequence[CallRecord]
    folders: Mapping[str, str]
    home: Path
    current: tuple[str, str] = ("", "")
    chosen: Mapping[str, str] = field(default_factory=dict)


def simulate(rule: Rule, past: CallHistory, registry: ToolRegistry) -> SimulationReport:
    """Try a rule on the earlier calls. Bounded; may take some milliseconds a call."""
    records = past.records[-CALLS_LIMIT:]
    trials = (_try(rule, record, past, registry) for record in reversed(records))
    return SimulationReport(len(records), tuple(trial for trial in trials if trial is not None))


def _try(
    rule: Rule, record: CallRecord, past: CallHistory, registry: ToolRegistry
) -> SimulatedCall | None:
    tool = registry.get(record.tool)
    is_named = any(item.name == record.tool for item in rule.tools)
    # What was refused never came to a rule, and would not today.
    is_refused = record.details.decision == "refused"
    if tool is None or not is_named or is_refused or record.input_text is None:
        return None
    text = record.reason if record.details.decision == "edited" else record.input_text
    try:
        given = parse_text(text)
        if tool.signature.complaints(given):
            return None
        reach = _reach(rule, record, tool, given, past)
    except ToolError:
        return None
    why = match(rule, reach)
    verdict = SimulatedVerdict.ASKS
    if why is RuleMatch.COVERED:
        is_denied = record.details.decision == "denied"
        verdict = SimulatedVerdict.RUNS_DENIED if is_denied else SimulatedVerdict.RUNS
    key = record.key
    return SimulatedCall(
        call_id=key.call_id,
        conversation_id=key.conversation_id,
        tool=record.tool,
        words=_words(tool, given),
        asked_at=record.asked_at,
        verdict=verdict,
        why=why,
        obstacle=reach.obstacle,
        decision=record.details.decision or "",
        decided_by=record.details.decided_by,
        is_this=past.current == (key.conversation_id, key.call_id),
    )


def _reach(
    rule: Rule, record: CallRecord, tool: AnyTool, given: CanonicalInput, past: CallHistory
) -> CallScope:
    definition = tool.definition
    folder = past.folders.get(record.key.conversation_id, "")
    values = tool.signature.json_values(given)
    named = [str(values[name]) for name in tool.signature.names("target", "destination")]
    chosen = past.chosen.get(record.key.conversation_id, folder)
    places = [_below(text, (folder, chosen), past.home) for text in named]
    if tool.code is not None and places:
        places.append(WHOLE_FOLDER.parts)
    runs_programs = bool(tool.signature.names("command", "shell"))
    reach = CallScope(
        conversation_id=record.key.conversation_id,
        tool=record.tool,
        # Earlier calls are tried with the tools of today.
        digest=next(item.digest for item in rule.tools if item.name == record.tool),
        reads_only=definition.effects.read_only,
        input_sha256=given.sha256,
        folder=folder if places or runs_programs else "",
        places=tuple(ScopedPath(parts, is_folder=True) for parts in places if parts is not None),
        runs_programs=runs_programs,
        programs=rule.box.programs if isinstance(rule.box, InputScope) else (),
        origins=origins_of(tool, given.text),
        may_connect=definition.needs_network,
        open_world=definition.effects.open_world,
        is_elsewhere=definition.runs_in == "elsewhere",
    )
    return replace(reach, obstacle=_obstacle(tool, reach, is_outside=None in places))


def _obstacle(tool: AnyTool, reach: CallScope, *, is_outside: bool) -> GrantBlocker | None:
    if not tool.definition.is_grantable:
        return GrantBlocker.NOT_GRANTABLE
    if tool.definition.runs_in == "program":
        return GrantBlocker.IN_PROGRAM
    if is_outside:
        return GrantBlocker.OUTSIDE_FOLDER
    names = (name for place in reach.places for name in place.parts)
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
