"""What a card shows, as plain values.

Text that came from elsewhere (names, input, output) is carried as it came; widgets draw it as
plain text.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class CardView:
    """One approval card.

    `facts` are made by the program ("Path", "/home/ada/notes/CHANGES.md"); together with
    `preview_text` they show the whole input to the letter. `note` is what else a person should
    know before deciding, such as that it was asked before. `rules` are what rules could be made
    of it, in words. `input_text` is the input as JSON, for changing it, or empty when it is too
    long for that; what could not be taken of that is `typed`, and `problem` says why. `generation`
    changes with whatever is shown: an answer names the one that the person saw. `position` counts
    from 1.
    """

    request_id: str
    generation: int
    question: str
    effect_words: str
    tool_name: str
    source_words: str
    facts: tuple[tuple[str, str], ...]
    preview_kind: Literal["none", "text", "diff"]
    preview_text: str
    sandbox_words: str
    position: int
    total: int
    note: str = ""
    rules: tuple[str, ...] = ()
    input_text: str = ""
    typed: str = ""
    problem: str = ""
