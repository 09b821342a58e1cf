"""What holds where tools run, as a check says it."""

from PySide6.QtCore import QCoreApplication

from app.self_test.checks import NotAvailable
from app.viewmodels.marked_words import marked_words
from local_tools.sandbox.state import SandboxState

translate = QCoreApplication.translate


def check_sandbox(state: SandboxState) -> str:
    """Says which sandbox was taken, after forbidden acts were tried inside.

    Raises:
        NotAvailable: none holds, or not all of what it should; the text says why.
    """
    why = " ".join(marked_words("Tools", reason) for reason in state.reasons)
    if state.is_whole:
        return state.kind
    if state.kind == "none":
        raise NotAvailable(why)
    words = translate("SelfTest", "{kind}, with gaps: {why}")
    raise NotAvailable(words.format(kind=state.kind, why=why))
