"""Marks English words of tools for translation; a window looks them up, a terminal shows them."""


def QT_TRANSLATE_NOOP(_context: str, text: str) -> str:  # noqa: N802 - Qt's programs know this name
    """Return `text` as it is; `_context` is what it will be looked up under."""
    return text
