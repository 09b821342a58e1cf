"""Who or what decided about a tool call, in words."""

from PySide6.QtCore import QCoreApplication

from app.ui.parts.labels import one_line


def decision_words(decided_by: str) -> str:
    """Say who decided; `decided_by` is in the words of `app.chat.call_facts`."""
    translate = QCoreApplication.translate
    words = {
        "": "",
        "you": translate("Transcript", "Decided by you"),
        "you, before": translate("Transcript", "Denied by you before, and not asked again"),
        "you, edited": translate("Transcript", "Decided by you, with the input that you changed"),
        "folder rule": translate("Transcript", "Decided by your rule for this folder"),
        "input rule": translate("Transcript", "Decided by your rule for exactly this"),
        "host rule": translate("Transcript", "Decided by your rule for this site"),
        "tool rule": translate("Transcript", "Decided by your rule for this tool"),
    }
    said = words.get(decided_by)
    if said is not None:
        return said
    return translate("Transcript", "Decided by {who}").format(who=one_line(decided_by))
