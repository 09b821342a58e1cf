"""What a model is asked without, for want of room, and how the user is told."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal

_Share = Literal["none", "some", "all"]
_SHARES: Final[tuple[_Share, ...]] = ("none", "some", "all")
_TOOLS: Final = {"none": "", "some": "some of the tools", "all": "tools"}
_NO_TOOLS: Final = "*This model takes no tools, so it answers without them.*"


@dataclass(frozen=True)
class LeftOut:
    """What one question leaves out.

    Attributes:
        tools: How many of the client's tools.
        instruction: Whether the agent's own instruction is.
        takes_no_tools: The model takes none, whatever room it has.
    """

    skills: bool = False
    tools: _Share = "none"
    instruction: bool = False
    takes_no_tools: bool = False

    @property
    def notice(self) -> str:
        """What the user is told, as a paragraph of Markdown; empty where there is nothing to tell.

        It says what is left out and nothing else, so that it is the same as long as that is.
        """
        if self.takes_no_tools:
            return _NO_TOOLS
        named = (
            "skills" if self.skills else "",
            _TOOLS[self.tools],
            "the agent’s instructions" if self.instruction else "",
        )
        *first, last = [name for name in named if name] or [""]
        if not last:
            return ""
        listed = f"{', '.join(first)} and {last}" if first else last
        return f"*This model has too little room for {listed}, so it answers without them.*"


NOTHING: Final = LeftOut()
_NOTICES: Final = (
    _NO_TOOLS,
    *(
        LeftOut(skills, tools, instruction).notice
        for skills, tools, instruction in product((False, True), _SHARES, (False, True))
        if skills or tools != "none" or instruction
    ),
)


def without_notices(text: str) -> str:
    """Take the notices out of a reply, for the model that is to read it again."""
    for notice in _NOTICES:
        if notice in text:
            text = text.replace(f"{notice}\n\n", "").replace(notice, "")
    return text


def latest_notice(replies: Iterable[str]) -> str:
    """Find the notice that was told last in a conversation; empty where there is none."""
    latest = ""
    for text in replies:
        found = [(text.rfind(notice), notice) for notice in _NOTICES if notice in text]
        latest = max(found)[1] if found else latest
    return latest
