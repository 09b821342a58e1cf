"""Mark English text of tools for translation; the window translates it, a terminal shows it."""

from collections.abc import Mapping
from dataclasses import dataclass, field


def QT_TRANSLATE_NOOP(_context: str, text: str) -> str:  # noqa: N802 - Qt's programs know this name
    """Return `text` unchanged; mark it for translation in the Qt context `_context`."""
    return text


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A sentence, possibly marked for translation, with the values of its placeholders (“{place}”).

    `str` returns it in English, filled in.
    """

    text: str
    values: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        # Without values it may be any text, with braces of its own.
        return self.text.format_map(self.values) if self.values else self.text
