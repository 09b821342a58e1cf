"""The rules that a person made: calls that run without a card, and calls that are forbidden.

A rule has a scope (`FolderScope`, `InputScope`, `HostScope`, `ToolScope`), the digests of the tools
that it is for, and a lifetime (`RuleLifetime`).
`app.approvals.rule_engine` says whether a call lies in the scope.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, TypeAlias
from uuid import uuid4

from pydantic import TypeAdapter, with_config

from local_tools.canonical import canonical_text, frozen_json
from local_tools.ledger.steps import Decider
from local_tools.tool import ToolDefinition


@dataclass(frozen=True, slots=True)
class RuledTool:
    """A tool as it was when the rule was made; another digest is another tool.

    `definition` is all that was known of it, as indented JSON, to be compared by a person.
    """

    name: str
    title: str
    digest: str
    definition: str


@dataclass(frozen=True, slots=True)
class FolderScope:
    """Places in one folder: that one (its real path), and all below but for the exceptions.

    `exceptions` are paths below it, with names divided by `/`.
    """

    folder: str
    writes: bool = False
    exceptions: tuple[str, ...] = ()
    kind: Literal["folder"] = "folder"


@dataclass(frozen=True, slots=True)
class InputScope:
    """One input to the letter, in one folder if it works in one, with the same programs.

    `shown` is what a person reads in its place, such as the command.
    """

    input_sha256: str
    shown: str
    folder: str = ""
    programs: tuple[str, ...] = ()
    kind: Literal["input"] = "input"


@dataclass(frozen=True, slots=True)
class HostScope:
    """Any address of one machine: scheme, name and port together ("https://example.org:443")."""

    origin: str
    kind: Literal["host"] = "host"


@dataclass(frozen=True, slots=True)
class ToolScope:
    """Whatever a tool is given that reads only, touches no place and reaches nothing.

    Or, counted or timed, one of a server elsewhere: what it does there nobody here can tell.
    """

    kind: Literal["tool"] = "tool"


RuleScope: TypeAlias = FolderScope | InputScope | HostScope | ToolScope


@dataclass(frozen=True, slots=True)
class RuleLifetime:
    """For how long a rule holds; without any of the three, until it is revoked.

    Attributes:
        conversation_id: The one chat that it holds in; empty for every chat.
        calls: For that many calls.
        minutes: For that many minutes.
    """

    conversation_id: str = ""
    calls: int | None = None
    minutes: int | None = None


@with_config(defer_build=True)
@dataclass(frozen=True, slots=True)
class RuleEnd:
    """Why a rule holds no longer.

    `definition` is the tool as it is now, empty when its program changed; `tool` is its name.
    """

    reason: Literal["changed", "program_changed"]
    tool: str
    definition: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. With `denies` it forbids what it covers, and beats every rule that allows.

    Attributes:
        calls_left: None when it is not counted.
        last_used_at: None while it was not used.
        ended: None while it may still hold.
    """

    rule_id: str
    tools: tuple[RuledTool, ...]
    scope: RuleScope
    span: RuleLifetime
    created_at: datetime
    denies: bool = False
    calls_left: int | None = None
    use_count: int = 0
    last_used_at: datetime | None = None
    ended: RuleEnd | None = None

    @property
    def decider(self) -> Decider:
        """How the record of calls names its kind."""
        return Decider(f"{self.scope.kind}_rule")


@with_config(defer_build=True)
@dataclass(frozen=True, slots=True)
class _Body:
    """What is kept of a rule and never changes, by the names that the first version gave it."""

    tools: tuple[RuledTool, ...]
    box: RuleScope
    span: RuleLifetime
    created_at: datetime
    denies: bool


_BODY: Final = TypeAdapter(_Body)
_ENDED: Final = TypeAdapter(RuleEnd)


class RuleError(ValueError):
    """A rule that may not be made, whoever asks for it."""


def new_rule(
    definitions: tuple[ToolDefinition, ...],
    scope: RuleScope,
    span: RuleLifetime,
    created_at: datetime,
    *,
    denies: bool = False,
) -> Rule:
    """Make a rule.

    Raises:
        RuleError: When no rule may be as wide as this one.
    """
    if not denies:
        _refuse_wide(definitions, scope, span)
    tools = tuple(ruled(definition) for definition in definitions)
    return Rule(uuid4().hex[:12], tools, scope, span, created_at, denies, calls_left=span.calls)


def ruled(definition: ToolDefinition) -> RuledTool:
    """Return a tool as a rule remembers it."""
    return RuledTool(
        definition.name, definition.title, definition.digest, definition_text(definition)
    )


def definition_text(definition: ToolDefinition) -> str:
    """Return all that is known of a tool, one thing a line."""
    said: Mapping[str, object] = {
        "name": definition.name,
        "title": definition.title,
        "description": definition.description,
        "source": definition.source,
        "read_only": definition.effects.read_only,
        "destructive": definition.effects.destructive,
        "open_world": definition.effects.open_world,
        "needs_network": definition.needs_network,
        "runs_in": definition.runs_in,
        "timeout_s": definition.timeout_s,
        "digest": definition.digest,
    }
    lines = [f"{key}: {value}" for key, value in said.items()]
    schema = definition.wire_schema().get("properties")
    for name, value in schema.items() if isinstance(schema, dict) else ():
        lines.append(f"input {name}: {canonical_text(frozen_json(value))}")
    return "\n".join(lines)


def is_lasting(rule: Rule) -> bool:
    """Return whether it holds until it is revoked."""
    span = rule.span
    return not span.conversation_id and span.calls is None and span.minutes is None


def body_text(rule: Rule) -> str:
    """Return a rule's unchanging part, as it is kept."""
    body = _Body(rule.tools, rule.scope, rule.span, rule.created_at, rule.denies)
    return _BODY.dump_json(body).decode()


def ended_text(ended: RuleEnd) -> str:
    """Return why a rule ended, as it is kept."""
    return _ENDED.dump_json(ended).decode()


def read_rule(rule_id: str, body: str, ended: str) -> Rule:
    """Return a rule from what is kept of it, not yet used.

    Raises:
        pydantic.ValidationError: When that is none.
    """
    # Strict, so that no conversion turns damaged contents into a rule that nobody made.
    said = _BODY.validate_json(body, strict=True)
    rule = Rule(rule_id, said.tools, said.box, said.span, said.created_at, said.denies)
    return replace(rule, ended=_ENDED.validate_json(ended)) if ended else rule


def _refuse_wide(
    definitions: tuple[ToolDefinition, ...], scope: RuleScope, span: RuleLifetime
) -> None:
    reads_only = all(definition.effects.read_only for definition in definitions)
    if not definitions or not all(definition.is_grantable for definition in definitions):
        raise RuleError("No rule can allow this tool.")
    if isinstance(scope, FolderScope) and not scope.writes and not reads_only:
        raise RuleError("A rule for reading cannot name a tool that writes.")
    is_elsewhere = any(definition.runs_in == "elsewhere" for definition in definitions)
    if is_elsewhere and span.calls is None and span.minutes is None:
        raise RuleError("A tool elsewhere is allowed for some calls or some minutes only.")
    if isinstance(scope, ToolScope) and not reads_only and not is_elsewhere:
        raise RuleError("A tool that changes something needs a folder or an input.")
    is_for_good = not span.conversation_id and span.calls is None and span.minutes is None
    if is_for_good and not (isinstance(scope, FolderScope) and reads_only):
        raise RuleError("Only reading in one folder can be allowed for good.")
    if not is_for_good and not span.conversation_id:
        raise RuleError("A rule for a while belongs to one chat.")
