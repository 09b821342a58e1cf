"""Words of the settings: what a choice is called, and what is wrong with what was typed.

`setting_label` and `undo_label` name a choice where it is spoken of, as when it can be taken back.
`address_words`, `key_words` and `provider_key_words` say what is wrong with an address or a key, at
its field.
"""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication

from app.api.address import AddressFault, KeyFault
from app.viewmodels.i18n import translate_marked
from local_tools.translation_marks import QT_TRANSLATE_NOOP


def address_words(fault: AddressFault) -> str:
    """Return the sentence for a refused address."""
    translate = QCoreApplication.translate
    return {
        AddressFault.EMPTY: translate("Fields", "Enter the service address."),
        AddressFault.NO_SCHEME: translate("Fields", "The address begins with https://"),
        AddressFault.NOT_SECURE: translate(
            "Fields", "Use https://, so that nobody on the way can read your key."
        ),
        AddressFault.HAS_USER: translate("Fields", "Leave out the name and password before the @."),
        AddressFault.BAD_HOST: translate("Fields", "This is not a host that can be asked."),
        AddressFault.BAD_BRACKETS: translate(
            "Fields", "An address with colons stands in brackets: http://[::1]:8422"
        ),
        AddressFault.BAD_PORT: translate("Fields", "The port is a number from 1 to 65535."),
        AddressFault.BAD_PATH: translate(
            "Fields", "Leave out what follows the path: “?”, “#”, “//” and “..” cannot be used."
        ),
        AddressFault.BAD_CHARACTER: translate(
            "Fields", "There is a character in the address that cannot be in one."
        ),
    }[fault]


def provider_key_words(fault: KeyFault) -> str:
    """Return the sentence for a refused key of a provider of models."""
    if fault is KeyFault.EMPTY:
        return QCoreApplication.translate("Fields", "Enter the key.")
    return key_words(fault)


def key_words(fault: KeyFault) -> str:
    """Return the sentence for a refused key."""
    translate = QCoreApplication.translate
    return {
        KeyFault.EMPTY: translate("Fields", "Enter the project key."),
        KeyFault.HAS_SPACE: translate(
            "Fields", "There is a space or line break in the key. Copy it again."
        ),
        KeyFault.NOT_ASCII: translate(
            "Fields", "There is a character in the key that cannot be in one. Copy it again."
        ),
        KeyFault.TOO_LONG: translate("Fields", "This is longer than a key can be."),
    }[fault]


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


def undo_label(subject: str) -> str:
    """Return the words of the button that takes back a change of this table and field."""
    translate = QCoreApplication.translate
    words = _WORDS.get(subject) or _WORDS.get(subject.partition(".")[0])
    if words is None:
        return translate("Change", "Undo the last change")
    return translate("Change", "Undo: {change}").format(change=translate_marked("Change", words))


def setting_label(place: Sequence[int | str]) -> str:
    """Return what the setting at this place of the file is called; numbers are of items."""
    names = [part for part in place if isinstance(part, str)]
    known = {**_WORDS, **_OTHERS}
    ways = (".".join(names[:depth]) for depth in range(len(names), 0, -1))
    words = next((known[way] for way in ways if way in known), "")
    return translate_marked("Change", words) if words else ".".join(names)
