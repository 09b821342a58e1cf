"""What a sandbox holds, in words for the person who decides."""

from PySide6.QtCore import QCoreApplication

from app.error_text import Reason, explain
from app.errors import UserFacingError
from app.viewmodels.marked_words import marked_words
from app.viewmodels.states import BannerView, Dot
from local_tools.prepare import PreparedCall
from local_tools.sandbox.state import SandboxState


def sandbox_words(call: PreparedCall, state: SandboxState) -> str:
    """Where a call would run and what it could reach there."""
    if call.definition.runs_in == "program":
        return QCoreApplication.translate("Approval", "done by Parley itself, as shown here")
    if call.definition.runs_in == "elsewhere":
        return QCoreApplication.translate("Approval", "runs elsewhere, at the address shown here")
    if not (state.holds_files and state.holds_network):
        return QCoreApplication.translate(
            "Approval", "runs in its own process with your rights, without a sandbox"
        )
    # What a server may reach is among the facts.
    is_server = call.definition.runs_in == "server"
    words = [_name(state), *(() if is_server else (_reach(call),)), _network(call)]
    if not state.is_whole:
        words += [marked_words("Tools", reason) for reason in state.reasons]
    return "; ".join(words)


def sandbox_banner(state: SandboxState) -> BannerView | None:
    """What is worth knowing before anything is asked; nothing where all holds."""
    if state.is_whole:
        return None
    has_one = state.holds_files and state.holds_network
    reason = Reason.SANDBOX_GAPS if has_one else Reason.NO_SANDBOX
    return BannerView(Dot.WARN, explain(UserFacingError(reason)))


def _name(state: SandboxState) -> str:
    if state.is_whole:
        return QCoreApplication.translate("Approval", "runs in a sandbox")
    return QCoreApplication.translate("Approval", "runs in a sandbox with gaps")


def _reach(call: PreparedCall) -> str:
    if call.order.root is None:
        return QCoreApplication.translate("Approval", "sees none of your files")
    if call.effects.read_only:
        return QCoreApplication.translate("Approval", "can change nothing")
    return QCoreApplication.translate("Approval", "can change only what is in its folder")


def _network(call: PreparedCall) -> str:
    if call.order.may_use_network:
        return QCoreApplication.translate("Approval", "with the network")
    return QCoreApplication.translate("Approval", "without network")
