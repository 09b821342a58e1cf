"""Words that are written down where no Qt is, as the window says them."""

from PySide6.QtCore import QCoreApplication


def marked_words(context: str, text: str) -> str:
    """Returns `text` in the language of the window.

    It was marked by `QT_TRANSLATE_NOOP` with the same context. What never was, such as the title
    of somebody else's tool, comes back as it is.
    """
    return QCoreApplication.translate(context, text)
