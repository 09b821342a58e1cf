"""Mark English text of tools for translation; the window translates it, a terminal shows it."""

from collections.abc import Mapping
from dataclasses import dataclass, field


def QT_TRANSLATE_NOOP(_context: str, text: str) -> str:  # noqa: N802 - Qt's programs know this name
    """Return `text` as it is; `_context` is what it will be looked up under."""
    return text


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A sentence that may have been marked for translation, and what fills its gaps (“{place}”).

    `str` gives it in English.
    """

    text: str
    values: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        # Without values it may be any text, with braces of its own.
        return self.text.format_map(self.values) if self.values else self.text
