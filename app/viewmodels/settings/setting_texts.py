"""Texts of the settings: names of choices, and errors in typed addresses and keys.

`setting_name` and `undo_text` name a choice, as in an offer to undo it. `address_words`,
`key_words` and `provider_key_words` are the errors below a field. `size_words` formats a file size,
`found_words` and `found_line` say where a model was found.
"""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale

from app.api.address import AddressFault, KeyFault
from app.config.settings import setting_label
from app.viewmodels.i18n import translate_marked
from local_tools.translation_marks import QT_TRANSLATE_NOOP

_GB: Final = 1_000_000_000
_MB: Final = 1_000_000


def address_words(fault: AddressFault) -> str:
    """Return the sentence for a refused address."""
    translate = QCoreApplication.translate
    return {
        AddressFault.EMPTY: translate("Fields", "Enter the service address."),
        AddressFault.NO_SCHEME: translate(
            "Fields", "The address must begin with https://, or http:// on this computer."
        ),
        AddressFault.NO_SCHEME_LOOPBACK: translate(
            "Fields", "The address of a service on this computer must begin with http://"
        ),
        AddressFault.NOT_SECURE: translate(
            "Fields", "Use https:// so that nobody can read your key on the way."
        ),
        AddressFault.HAS_USER: translate("Fields", "Remove the name and password before the @."),
        AddressFault.BAD_HOST: translate("Fields", "The host name is not valid."),
        AddressFault.BAD_BRACKETS: translate(
            "Fields", "Put an IPv6 address in brackets: http://[::1]:8422"
        ),
        AddressFault.BAD_PORT: translate("Fields", "The port must be a number from 1 to 65535."),
        AddressFault.BAD_PATH: translate(
            "Fields", "The address cannot contain “?”, “#”, “//” or “..”."
        ),
        AddressFault.BAD_CHARACTER: translate(
            "Fields", "The address contains an invalid character."
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
            "Fields", "The key contains a space or line break. Copy it again."
        ),
        KeyFault.NOT_ASCII: translate(
            "Fields", "The key contains an invalid character. Copy it again."
        ),
        KeyFault.TOO_LONG: translate("Fields", "The key is too long."),
    }[fault]


# Choices outside the settings file that can be undone, by subject: name, and what was done.
_OTHERS: Final = {
    "tools.rule": (
        QT_TRANSLATE_NOOP("Change", "revoking a rule"),
        QT_TRANSLATE_NOOP("Change", "Rule revoked"),
    ),
    "agents.auto": (
        QT_TRANSLATE_NOOP("Change", "agent for Auto"),
        QT_TRANSLATE_NOOP("Change", "Agent for Auto changed"),
    ),
    "agents.agent_on": (
        QT_TRANSLATE_NOOP("Change", "turning an agent on"),
        QT_TRANSLATE_NOOP("Change", "Agent turned on"),
    ),
    "agents.agent_off": (
        QT_TRANSLATE_NOOP("Change", "turning an agent off"),
        QT_TRANSLATE_NOOP("Change", "Agent turned off"),
    ),
    "agents.skill_on": (
        QT_TRANSLATE_NOOP("Change", "turning a skill on"),
        QT_TRANSLATE_NOOP("Change", "Skill turned on"),
    ),
    "agents.skill_off": (
        QT_TRANSLATE_NOOP("Change", "turning a skill off"),
        QT_TRANSLATE_NOOP("Change", "Skill turned off"),
    ),
    "models.model": (
        QT_TRANSLATE_NOOP("Change", "model"),
        QT_TRANSLATE_NOOP("Change", "Model changed"),
    ),
}


def undo_text(subject: str) -> str:
    """Return what a screen reader calls the button that takes back a change of this subject."""
    change = _change_name(subject)
    if not change:
        return QCoreApplication.translate("Change", "Undo last change")
    return QCoreApplication.translate("Change", "Undo: {change}").format(change=change)


def changed_text(subject: str) -> str:
    """Return what was done, as the words beside the button that takes it back: "Theme changed"."""
    if subject in _OTHERS:
        return translate_marked("Change", _OTHERS[subject][1])
    change = _change_name(subject)
    if not change:
        return QCoreApplication.translate("Change", "Changed")
    words = QCoreApplication.translate("Change", "{change} changed").format(change=change)
    return words[:1].upper() + words[1:]


def _change_name(subject: str) -> str:
    words = _OTHERS[subject][0] if subject in _OTHERS else setting_label(subject.split("."))
    return translate_marked("Change", words) if words else ""


def setting_name(place: Sequence[int | str]) -> str:
    """Return the name of the setting at this place of the file; numbers are of items."""
    names = [part for part in place if isinstance(part, str)]
    words = setting_label(names)
    return translate_marked("Change", words) if words else ".".join(names)


def size_words(size_bytes: int) -> str:
    """Write the size of a file in gigabytes or megabytes, as the window's language does."""
    if size_bytes >= _GB / 10:
        return f"{QLocale().toString(size_bytes / _GB, 'f', 1)} GB"
    return f"{QLocale().toString(size_bytes / _MB, 'f', 1)} MB"


def found_words(server: str, size_bytes: int) -> str:
    """Say where a model was found, and of a file how large it is."""
    translate = QCoreApplication.translate
    if size_bytes and not server:
        words = translate("Models", "A file on this computer: {size}.")
        return words.format(size=size_words(size_bytes))
    if not size_bytes:
        return translate("Models", "On this computer, in {server}.").format(server=server)
    words = translate("Models", "A file on this computer, from {server}: {size}.")
    return words.format(server=server, size=size_words(size_bytes))


def found_line(server: str, size_bytes: int, *, fits: bool) -> str:
    """Say in a few words where a model was found, how large it is, and whether it fits."""
    size = size_words(size_bytes) if size_bytes else ""
    words = " · ".join(filter(None, (server, size)))
    if fits:
        return words
    too_large = QCoreApplication.translate("Models", "larger than this computer’s memory")
    return f"{words} · {too_large}"
