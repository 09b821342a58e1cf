"""The words of an exported file in the language of the window."""

from PySide6.QtCore import QCoreApplication, QLocale

from app.chat.items import CallState
from app.exchange.labels import Labels


def export_labels() -> Labels:
    """Returns the words for files that are written now."""
    translate = QCoreApplication.translate
    return Labels(
        code=QLocale().bcp47Name() or "en",
        you=translate("Export", "You"),
        assistant=translate("Export", "Assistant"),
        untitled=translate("Export", "Chat"),
        exported=translate("Export", "Exported from Parley, {date}"),
        incomplete=translate(
            "Export", "Some messages may be missing: the service could not be asked."
        ),
        not_delivered=translate("Export", "not delivered"),
        handed_over=translate("Export", "{name} goes on"),
        allowed_by_you=translate("Export", "allowed by you"),
        allowed_by_rule=translate("Export", "allowed by a rule"),
        input_words=translate("Export", "Input"),
        output_words=translate("Export", "Output"),
        left_out=translate(
            "Export", "Shortened here ({count}). The export as Markdown or JSON has all of it."
        ),
        states={
            CallState.WAITING: translate("Export", "not decided"),
            CallState.RUNNING: translate("Export", "running"),
            CallState.DONE: translate("Export", "done"),
            CallState.FAILED: translate("Export", "failed"),
            CallState.DENIED: translate("Export", "denied"),
            CallState.ANSWERED: translate("Export", "answered by you"),
            CallState.REFUSED: translate("Export", "not run"),
            CallState.INTERRUPTED: translate("Export", "interrupted"),
        },
    )
