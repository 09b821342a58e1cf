"""Scan the result of a finished call for secrets; one that has any waits for a person."""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from local_tools.ledger.steps import ReleaseKind
from local_tools.secrets.files import sounds_secret
from local_tools.secrets.scan import Secret, find_secrets, masked
from local_tools.tool import BUILT_IN, ToolDefinition

# Inputs that are a path, whatever it looks like.
_PLACE: Final = re.compile(r"(?i)path|file|folder|source|target|^(?:from|to|uri)$")
_WORDS_LIMIT: Final = 20_000


@dataclass(frozen=True, slots=True)
class ReleaseChoice:
    """What of a waiting result is sent; by default all of it, with each secret masked.

    Attributes:
        opened: The numbers of the secrets that are sent unmasked.
        part: The first character that is sent and the one behind the last; None for all of it.
    """

    opened: frozenset[int] = frozenset()
    part: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class PendingResult:
    """A result that waits, frozen with everything that is shown of it.

    Attributes:
        text: The whole result as it would be told.
        secrets: What was found in it; empty when only its kind makes it wait.
    """

    conversation_id: str
    call_id: str
    title: str
    target: str
    text: str
    secrets: tuple[Secret, ...]

    def released_text(self, chosen: ReleaseChoice) -> str:
        """Return what leaves: what was chosen, and that something was masked or left out."""
        first, last = self._part(chosen)
        hidden = self._hidden(chosen)
        inside = [Secret(max(s.start - first, 0), min(s.end, last) - first, s.kind) for s in hidden]
        notes = []
        if hidden:
            many = len(hidden) > 1
            words = f"{len(hidden)} secret{'s' if many else ''} in this result"
            verb = "were" if many else "was"
            notes.append(f"[{words} {verb} masked on the user's computer]")
        if chosen.part is not None:
            words = f"{last - first:,} of {len(self.text):,} characters"
            notes.append(f"[The user sent only a part of this result: {words}]")
        return "\n".join([masked(self.text[first:last], inside), *notes])

    def release_kind(self, chosen: ReleaseChoice) -> ReleaseKind:
        """Return how it leaves, as the record has it."""
        if chosen.part is not None:
            return ReleaseKind.PART
        if not self._hidden(chosen):
            return ReleaseKind.AS_IS
        return ReleaseKind.SOME if chosen.opened else ReleaseKind.MASKED

    def masked_count(self, chosen: ReleaseChoice) -> int:
        """Return how many secrets are masked in what leaves."""
        return len(self._hidden(chosen))

    def _part(self, chosen: ReleaseChoice) -> tuple[int, int]:
        first, last = chosen.part or (0, len(self.text))
        return max(0, first), min(len(self.text), last)

    def _hidden(self, chosen: ReleaseChoice) -> list[Secret]:
        first, last = self._part(chosen)
        secrets = (s for n, s in enumerate(self.secrets) if n not in chosen.opened)
        return [s for s in secrets if s.start < last and s.end > first]


def review_result(
    definition: ToolDefinition | None,
    text: str,
    input_text: str,
    *,
    is_failure: bool,
    place: tuple[str, str],
    shown: tuple[str, str],
) -> PendingResult | None:
    """Return what has to wait of a result; None when it may leave. Call it in a thread.

    Args:
        definition: The tool; None when it is gone.
        text: What would be told.
        input_text: What the tool was given, as JSON.
        is_failure: The tool did not do what it was asked for.
        place: Conversation and call.
        shown: Title and target, as the row shows them.
    """
    is_quiet = definition is not None and definition.returns_names
    is_ours = definition is not None and definition.source == BUILT_IN
    words = frozenset[str]() if definition is None else definition.word_inputs
    is_secret_file = _reads(definition) and names_secrets(input_text, words)
    # An error of a built-in tool is one line of our own, unless it has the output of a program.
    is_sentence = is_ours and is_failure and "\n" not in text
    is_secret_file = is_secret_file and not is_quiet and not is_sentence
    secrets = find_secrets(text, is_secret_file=is_secret_file)
    if not secrets and not (definition is not None and definition.shows_result):
        return None
    return PendingResult(*place, *shown, text, secrets)


def names_secrets(input_text: str, word_inputs: Collection[str] = ()) -> bool:
    """Return whether an input names a file or a folder that tends to hold secrets.

    Args:
        input_text: What a tool was given, as JSON.
        word_inputs: Names of inputs that are words; see `ToolDefinition.word_inputs`.
    """
    try:
        given = json.loads(input_text)
    except ValueError:
        return False
    return any(sounds_secret(name) for name in _names(given, word_inputs, is_path=False))


def _names(value: object, word_inputs: Collection[str], *, is_path: bool) -> Iterator[str]:
    """Yield the names of files and folders that an input may be about."""
    if isinstance(value, str):
        words = [value] if is_path else value[:_WORDS_LIMIT].split()
        for word in words:
            yield from _names_in(word, is_path=is_path)
    elif isinstance(value, list):
        for item in value:
            yield from _names(item, word_inputs, is_path=is_path)
    elif isinstance(value, dict):
        for key, item in value.items():
            # In an object of several files, the keys may be their names.
            yield from _names(key, word_inputs, is_path=is_path)
            if key not in word_inputs:
                yield from _names(item, word_inputs, is_path=_PLACE.search(key) is not None)


def _names_in(word: str, *, is_path: bool) -> list[str]:
    """Return the names in a word that may be a path; none in a word of a sentence or a search."""
    bare = word.strip("\"'`;,()=<>|& \n")
    is_path = is_path or any(sign in bare for sign in "/.\\%") or bare.startswith("id_")
    # A file: URL may have percent-encoded characters.
    return unquote(bare).replace("\\", "/").split("/") if is_path else []


def kept_back_text(reason: str) -> str:
    """Return what is told in place of a result that a person kept back."""
    words = "The tool ran, but the user kept its result back."
    return f"{words} Reason: {reason.strip()}" if reason.strip() else words


def _reads(definition: ToolDefinition | None) -> bool:
    """Return whether a result may tell what is in the files that its input names."""
    return definition is None or not definition.is_undoable
