"""Which skill a message calls for, and its steps."""

import re
from collections.abc import Sequence
from typing import Final

from local_server.assistant.offline.markdown import code, echo
from local_server.assistant.skills import LOOKED_AT_CHARS, Skill, find_named

_STEP: Final = re.compile(r"^\d+\. .+(?:\n {2,}.+)*", re.MULTILINE)
_WHEN: Final = re.compile(
    r"\buse (?:this |it )?(?:when|for|if|to)\b(?P<rest>[^.!?]*)", re.IGNORECASE
)
_PHRASE_END: Final = re.compile(r"[,;:()]|\bor\b")
_WORD: Final = re.compile(r"[^\W\d_]+")
_SHORTEST_STEM: Final = 5
_LONGEST_ENDING: Final = 5
_LEAST_LETTERS: Final = 6
# They say that somebody wants something, but not what.
_EMPTY_WORDS: Final = (
    "the and for about are asked asking asks ask can from has have her his how into its just like "
    "make makes need needs new one our out person please should some somebody someone somewhere "
    "something than that their them then there these they this use user users want wants was what "
    "when where which who whoever will with without work would write writes written you your "
    "give given gives help helps show tell message text file files"
)
_EMPTY: Final = frozenset(_EMPTY_WORDS.split())


def find_skill(message: str, skills: Sequence[Skill]) -> Skill | None:
    """Find the skill that a message names, else the one most of whose words it holds.

    A word or phrase of its triggers, or of what its description says after “Use when”, counts
    when all its telling words are in the message. Ties go by name.
    """
    named = find_named(message, skills, by_triggers=True)
    if named is not None:
        return named
    words = _telling_words(message[:LOOKED_AT_CHARS])
    ranked = sorted(skills, key=lambda skill: skill.name)
    best = max(ranked, key=lambda skill: _shared(words, skill), default=None)
    return best if best is not None and _shared(words, best) else None


def steps_of(skill: Skill) -> str:
    """Take the numbered steps out of a skill's instructions; all of them if there are none."""
    steps = "\n".join(_STEP.findall(skill.instructions))
    return steps or skill.instructions


def introduce(skill: Skill, message: str, path: str | None) -> str:
    """Give the steps of a skill for what was asked, beginning with a file if one is named."""
    told = (
        f"I am using the skill **{skill.display_name}** (version {skill.version}) for this:\n\n"
        f"> {echo(message)}\n\nIts steps are:\n\n{steps_of(skill)}\n\n"
        "I have no language model, so I can give you the steps but not take them."
    )
    if path is None:
        return told
    return f"{told} What I can do is show you {code(path)}, which you named: there they begin."


def _shared(words: frozenset[str], skill: Skill) -> int:
    """How many telling words of the skill's phrases the message has, in whole phrases."""
    matched: set[str] = set()
    for phrase in _phrases(skill):
        if phrase and all(any(_is_alike(word, said) for said in words) for word in phrase):
            matched |= phrase
    return len(matched)


def _phrases(skill: Skill) -> list[frozenset[str]]:
    when = " , ".join(match["rest"] for match in _WHEN.finditer(skill.description))
    phrases = [_telling_words(phrase) for phrase in _PHRASE_END.split(when)]
    # One short word alone is in too many messages to mean anything.
    return [
        phrase
        for phrase in phrases
        if len(phrase) > 1 or any(len(word) >= _LEAST_LETTERS for word in phrase)
    ]


def _is_alike(word: str, other: str) -> bool:
    """Whether two words have one stem: `summary` and `summarise`, but not `report` and `repair`."""
    if word == other:
        return True
    shorter, longer = sorted((word, other), key=len)
    common = next((n for n, letter in enumerate(shorter) if letter != longer[n]), len(shorter))
    return common >= max(_SHORTEST_STEM, len(longer) - _LONGEST_ENDING)


def _telling_words(text: str) -> frozenset[str]:
    return frozenset(
        word for word in _WORD.findall(text.casefold()) if len(word) > 2 and word not in _EMPTY
    )
