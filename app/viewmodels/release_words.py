"""How the result of a tool call left, in words for its row."""

from PySide6.QtCore import QCoreApplication


def release_words(way: str, masked: int) -> str:
    """What a person has kept of a result; empty where it left whole, or nobody was asked.

    Args:
        way: As in `local_tools.steps.StepDetails`; empty where nobody was asked.
        masked: How many secrets were masked; older records do not know it.
    """
    translate = QCoreApplication.translate
    if way == "kept_back":
        return translate("Activity", "kept back")
    if masked:
        return translate("Activity", "sent with %n secrets masked", "", masked)
    if way in ("masked", "some"):
        return translate("Activity", "sent with secrets masked")
    return translate("Activity", "sent in part") if way == "part" else ""
