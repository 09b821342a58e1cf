"""Which rules can be made from a call that waits, and which when a folder is chosen."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.approvals.call_scope import CallScope
from app.approvals.queue import ApprovalRequest
from app.approvals.rule_engine import touches_nothing
from app.approvals.rules import (
    FolderScope,
    HostScope,
    InputScope,
    RuleLifetime,
    RuleScope,
    ToolScope,
)
from local_tools.command_lines import command_text
from local_tools.registry import ToolRegistry
from local_tools.tool import BUILT_IN, AnyTool, ToolDefinition

CALLS: Final = 5
MINUTES: Final = 15

# Which parameters a tool may have that reads places in a folder and does nothing else.
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
    if call is None or call.obstacle is not None:
        return ()
    definition = request.prepared.definition
    chat = request.conversation_id
    return tuple(
        RuleSuggestion(definition, scope, _spans_for(scope, chat, call))
        for scope in _scopes(request, call)
    )


def _spans_for(scope: RuleScope, chat: str, call: CallScope) -> tuple[RuleLifetime, ...]:
    """For how long a rule with this scope may hold."""
    short = (RuleLifetime(chat, calls=CALLS), RuleLifetime(chat, minutes=MINUTES))
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
    if touches_nothing(call) or call.is_elsewhere:
        yield ToolScope()
    if touches_nothing(call):
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
