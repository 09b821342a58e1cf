"""What is wrong with an address or a key, said at its field."""

from PySide6.QtCore import QCoreApplication

from app.api.address import AddressFault, KeyFault


def address_words(fault: AddressFault) -> str:
    """Returns the sentence for a refused address."""
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
    """Returns the sentence for a refused key of a provider of models."""
    if fault is KeyFault.EMPTY:
        return QCoreApplication.translate("Fields", "Enter the key.")
    return key_words(fault)


def key_words(fault: KeyFault) -> str:
    """Returns the sentence for a refused key."""
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
