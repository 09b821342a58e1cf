"""What buttons in the transcript say."""

from PySide6.QtCore import QCoreApplication

from app.chat.items import Action


def action_words(action: Action) -> str:
    """Return what the button for an action says, in the language of the window."""
    translate = QCoreApplication.translate
    return {
        Action.LOAD_REST: translate("Transcript", "Load the rest"),
        Action.SEND_AGAIN: translate("Transcript", "Send again"),
        Action.TRY_AGAIN: translate("Transcript", "Try again"),
        Action.GO_ON: translate("Transcript", "Go on"),
        Action.CHECK_AGAIN: translate("Transcript", "Check again"),
        Action.CANCEL: translate("Transcript", "Cancel"),
        Action.OPEN_SETTINGS: translate("Transcript", "Open settings"),
        Action.CHOOSE_FOLDER: translate("Transcript", "Choose folder…"),
        Action.STOP_CALL: translate("Transcript", "Stop"),
        Action.SEND_NOW: translate("Transcript", "Send now"),
        Action.REMOVE: translate("Transcript", "Remove"),
        Action.MOVE_UP: translate("Transcript", "Earlier"),
        Action.MOVE_DOWN: translate("Transcript", "Later"),
    }[action]
