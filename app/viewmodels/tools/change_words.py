"""What a choice of the settings is called where it can be taken back."""

from typing import Final

from PySide6.QtCore import QCoreApplication

from app.phrases import QT_TRANSLATE_NOOP
from app.viewmodels.marked_words import marked_words

# By table and field of the settings; those of one table that belong together have one name.
_WORDS: Final = {
    "appearance.theme": QT_TRANSLATE_NOOP("Change", "theme"),
    "appearance.contrast": QT_TRANSLATE_NOOP("Change", "contrast"),
    "appearance.scale_percent": QT_TRANSLATE_NOOP("Change", "size of everything"),
    "appearance.text_family": QT_TRANSLATE_NOOP("Change", "font of text"),
    "appearance.code_family": QT_TRANSLATE_NOOP("Change", "font of code"),
    "language.choice": QT_TRANSLATE_NOOP("Change", "language"),
    "notices.shows": QT_TRANSLATE_NOOP("Change", "what a notice shows"),
    "notices": QT_TRANSLATE_NOOP("Change", "notices"),
    "tray": QT_TRANSLATE_NOOP("Change", "icon in the tray"),
    "tools.notes_file": QT_TRANSLATE_NOOP("Change", "file for notes"),
    "tools.card_minutes": QT_TRANSLATE_NOOP("Change", "time that a card waits"),
    "tools.calls_per_reply": QT_TRANSLATE_NOOP("Change", "calls before a pause"),
    "tools.rule": QT_TRANSLATE_NOOP("Change", "rule"),
    "network.proxy": QT_TRANSLATE_NOOP("Change", "proxy"),
    "network.proxy_address": QT_TRANSLATE_NOOP("Change", "address of the proxy"),
    "network": QT_TRANSLATE_NOOP("Change", "authority"),
    "agents.new_chats": QT_TRANSLATE_NOOP("Change", "agent for new chats"),
    "agents.auto": QT_TRANSLATE_NOOP("Change", "agent for Auto"),
    "agents.agent": QT_TRANSLATE_NOOP("Change", "switch of an agent"),
    "agents.skill": QT_TRANSLATE_NOOP("Change", "switch of a skill"),
    "models.model": QT_TRANSLATE_NOOP("Change", "model"),
}


def undo_words(subject: str) -> str:
    """Returns the words of the button that takes back a change of this table and field."""
    translate = QCoreApplication.translate
    words = _WORDS.get(subject) or _WORDS.get(subject.partition(".")[0])
    if words is None:
        return translate("Change", "Undo the last change")
    return translate("Change", "Undo: {change}").format(change=marked_words("Change", words))
