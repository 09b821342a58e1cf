"""The text of an approval card.

`CardView` is the card as plain values. `question_of` is what it asks about a tool, `effect_words`
what the tool does, and `sandbox_words` what the sandbox holds.

Text that came from elsewhere (names, input, output) is carried as it came; widgets draw it as plain
text.
"""

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication

from app.approvals.call_scope import GrantBlocker
from app.common.error_messages import ErrorCode, explain
from app.common.errors import UserFacingError
from app.viewmodels.i18n import translate_marked
from app.viewmodels.states import BannerView, Dot
from local_tools.execution.prepare import PreparedCall
from local_tools.sandbox.types import SandboxState
from local_tools.tool import Fact, FactKind, ToolDefinition


def sandbox_words(call: PreparedCall, state: SandboxState) -> str:
    """Return where a call would run and what it could reach there."""
    if call.definition.runs_in == "program":
        return QCoreApplication.translate("Approval", "done by Parley itself, as shown here")
    if call.definition.runs_in == "elsewhere":
        return QCoreApplication.translate("Approval", "runs elsewhere, at the address shown here")
    if not (state.holds_files and state.holds_network):
        return QCoreApplication.translate(
            "Approval", "runs in its own process with your permissions, without a sandbox"
        )
    # What a server may reach is among the facts.
    is_server = call.definition.runs_in == "server"
    words = [_name(state), *(() if is_server else (_reach(call),)), _network(call)]
    if not state.is_whole:
        words += [translate_marked("Tools", reason) for reason in state.reasons]
    return "; ".join(words)


def sandbox_banner(state: SandboxState) -> BannerView | None:
    """Return the banner about a sandbox that is missing or has gaps; None for a whole one."""
    if state.is_whole:
        return None
    has_one = state.holds_files and state.holds_network
    reason = ErrorCode.SANDBOX_GAPS if has_one else ErrorCode.NO_SANDBOX
    return BannerView(Dot.WARN, explain(UserFacingError(reason)))


def _name(state: SandboxState) -> str:
    if state.is_whole:
        return QCoreApplication.translate("Approval", "runs in a sandbox")
    return QCoreApplication.translate("Approval", "runs in an incomplete sandbox")


def _reach(call: PreparedCall) -> str:
    if call.order.root is None:
        return QCoreApplication.translate("Approval", "cannot see your files")
    if call.effects.read_only:
        return QCoreApplication.translate("Approval", "cannot change anything")
    return QCoreApplication.translate("Approval", "can change only files in its folder")


def _network(call: PreparedCall) -> str:
    if call.order.may_use_network:
        return QCoreApplication.translate("Approval", "with network access")
    return QCoreApplication.translate("Approval", "without network access")


@dataclass(frozen=True, slots=True)
class CardView:
    """One approval card.

    Attributes:
        generation: Changes with whatever is shown: an answer names the one that the person saw.
        facts: Made by the program ("Path", "/home/ada/notes/CHANGES.md"); together with
            `preview_text` they show the whole input to the letter.
        position: Of how many that wait, from 1.
        note: What else a person should know before deciding, such as that it was asked before.
        rules: What rules could be made of it, in words.
        no_rule_words: Why none can; empty where rules are not kept at all.
        input_text: The input as JSON, for changing it; empty when it is too long for that.
        typed: What could not be taken of a changed input; `problem` says why.
    """

    request_id: str
    generation: int
    question: str
    effect_words: str
    tool_name: str
    source_words: str
    facts: tuple[tuple[str, str], ...]
    preview_kind: Literal["none", "text", "diff"]
    preview_text: str
    sandbox_words: str
    position: int
    total: int
    note: str = ""
    rules: tuple[str, ...] = ()
    no_rule_words: str = ""
    input_text: str = ""
    typed: str = ""
    problem: str = ""


def question_of(call: PreparedCall) -> str:
    """Return what the card asks."""
    if call.definition.question:
        return translate_marked("Tools", call.definition.question)
    translate = QCoreApplication.translate
    if call.definition.runs_in == "elsewhere":
        elsewhere = translate("Approval", "Send this to a server and run “{tool}”?")
        return elsewhere.format(tool=call.title)
    general = translate("Approval", "Run “{tool}” on this computer?")
    return general.format(tool=translate_marked("Tools", call.title))


def effect_words(call: PreparedCall) -> str:
    """Return what the tool may do, in a few words."""
    translate, definition = QCoreApplication.translate, call.definition
    if definition.runs_in == "elsewhere":
        return translate("Approval", "your input leaves this computer")
    if definition.needs_network:
        return translate("Approval", "uses the network")
    if definition.effects.read_only:
        return translate("Approval", "only reads")
    if call.order.commands:
        return translate("Approval", "runs a program")
    if call.order.targets and (definition.is_undoable or definition.effects.destructive):
        return translate("Approval", "changes files")
    return translate("Approval", "acts on this computer")


def no_rule_words(blocker: GrantBlocker) -> str:
    """Return why no rule can let a call run, as what stands beside "Always allow"."""
    translate = QCoreApplication.translate
    return {
        GrantBlocker.NOT_GRANTABLE: translate("Approval", "not for this tool: it always asks"),
        GrantBlocker.IN_PROGRAM: translate(
            "Approval", "not for actions that Parley performs itself"
        ),
        GrantBlocker.NO_SANDBOX: translate("Approval", "only in a complete sandbox"),
        GrantBlocker.NO_FOLDER: translate("Approval", "only in a folder chosen for this chat"),
        GrantBlocker.OUTSIDE_FOLDER: translate("Approval", "only in this chat’s folder"),
        GrantBlocker.PROTECTED: translate("Approval", "not for a protected location"),
        GrantBlocker.OTHER_NAME: translate("Approval", "not for a file with hard links"),
        GrantBlocker.SENSITIVE: translate("Approval", "not where secrets may be stored"),
    }[blocker]


def source_words(definition: ToolDefinition) -> str:
    """Return where a tool comes from."""
    source = definition.source
    if source.startswith("mcp:"):
        words = QCoreApplication.translate("Approval", "from the tool server {server}")
        return words.format(server=source.removeprefix("mcp:"))
    if source.startswith("package:"):
        words = QCoreApplication.translate("Approval", "from an installed package, {name}")
        return words.format(name=source.removeprefix("package:"))
    if source.startswith("folder:"):
        words = QCoreApplication.translate("Approval", "from your tools folder, {name}")
        return words.format(name=source.removeprefix("folder:"))
    return QCoreApplication.translate("Approval", "included with Parley")


def said_fact(fact: Fact) -> tuple[str, str]:
    """Return a fact with its label, and what is a remark of ours, in the language of the window."""
    is_ours = fact.kind is FactKind.REMARK
    value = translate_marked("Tools", fact.value) if is_ours else fact.value
    return translate_marked("Tools", fact.label), value
