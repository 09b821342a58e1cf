"""Keeps back what a model thinks aloud before it answers."""

from typing import Final

_OPENING: Final = "<think>"
_CLOSING: Final = "</think>"


class ThinkTagFilter:
    """Passes on an answer without the `<think>…</think>` at its start. One for each answer."""

    def __init__(self) -> None:
        self._held = ""
        self._is_thinking = False
        self._has_begun = False

    def pass_on(self, text: str) -> str:
        """Take the next piece, cut wherever, and give what of it is to be shown."""
        if self._has_begun or not text:
            return text
        self._held += text
        if not self._is_thinking:
            start = self._held.lstrip()
            if len(start) < len(_OPENING) and _OPENING.startswith(start):
                return ""
            if not start.startswith(_OPENING):
                return self._begin(self._held)
            self._is_thinking = True
        _, closing, spoken = self._held.partition(_CLOSING)
        if closing:
            # The empty lines after the thought belong to it.
            return self._begin_after_thought(spoken)
        # Enough to find a closing that is cut in two; thoughts can be long.
        self._held = self._held[-len(_CLOSING) :]
        return ""

    def rest(self) -> str:
        """Give what was kept back in case it was the start of a thought."""
        held, self._held = self._held, ""
        return "" if self._is_thinking else held

    def _begin_after_thought(self, spoken: str) -> str:
        spoken = spoken.lstrip()
        if not spoken:
            self._held = _CLOSING
            return ""
        return self._begin(spoken)

    def _begin(self, text: str) -> str:
        self._has_begun = True
        self._held = ""
        self._is_thinking = False
        return text
