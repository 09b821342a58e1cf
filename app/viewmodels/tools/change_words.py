"""What a choice of the settings is called where it is spoken of, as when it can be taken back."""

from collections.abc import Sequence
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
# Those that nobody takes back, by table, or table and field; those of hosted projects by field.
_OTHERS: Final = {
    "agents": QT_TRANSLATE_NOOP("Change", "agents"),
    "appearance": QT_TRANSLATE_NOOP("Change", "appearance"),
    "chats": QT_TRANSLATE_NOOP("Change", "order of the chats"),
    "connection": QT_TRANSLATE_NOOP("Change", "connection"),
    "language": QT_TRANSLATE_NOOP("Change", "language"),
    "models": QT_TRANSLATE_NOOP("Change", "models"),
    "network": QT_TRANSLATE_NOOP("Change", "network"),
    "projects": QT_TRANSLATE_NOOP("Change", "projects"),
    "projects.hosted": QT_TRANSLATE_NOOP("Change", "project"),
    "projects.hosted.colour": QT_TRANSLATE_NOOP("Change", "colour of a project"),
    "projects.hosted.name": QT_TRANSLATE_NOOP("Change", "name of a project"),
    "projects.local_colour": QT_TRANSLATE_NOOP("Change", "colour of the project on this computer"),
    "projects.local_name": QT_TRANSLATE_NOOP("Change", "name of the project on this computer"),
    "tools": QT_TRANSLATE_NOOP("Change", "tools"),
    "updates": QT_TRANSLATE_NOOP("Change", "asking for updates"),
}


def undo_words(subject: str) -> str:
    """Returns the words of the button that takes back a change of this table and field."""
    translate = QCoreApplication.translate
    words = _WORDS.get(subject) or _WORDS.get(subject.partition(".")[0])
    if words is None:
        return translate("Change", "Undo the last change")
    return translate("Change", "Undo: {change}").format(change=marked_words("Change", words))


def setting_words(place: Sequence[int | str]) -> str:
    """Returns what the setting at this place of the file is called; numbers are of items."""
    names = [part for part in place if isinstance(part, str)]
    known = {**_WORDS, **_OTHERS}
    ways = (".".join(names[:depth]) for depth in range(len(names), 0, -1))
    words = next((known[way] for way in ways if way in known), "")
    return marked_words("Change", words) if words else ".".join(names)
