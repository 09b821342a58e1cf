"""Reduce Markdown to its words, for one line in a list.

An approximation of what the transcript shows, in time linear in the length of the text.
"""

import re
from typing import Final

_FENCE: Final = re.compile(r"^ {0,3}(?:`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_CODE: Final = re.compile(r"(?<!`)(`++)([^`\n]++)`++")
_RULE: Final = re.compile(r"^ {0,3}([-=*_])(?:[ \t]*+\1){2,}+[ \t]*+$", re.MULTILINE)
_TABLE_RULE: Final = re.compile(r"^[ \t]*+\|?[ \t]*+:?-++[ \t:|-]*+$", re.MULTILINE)
_TABLE_ROW: Final = re.compile(r"^[ \t]*\|[^\n]*", re.MULTILINE)
_DEFINITION: Final = re.compile(r"^ {0,3}\[[^\]\n^][^\]\n]*\]:[ \t]+[^\n]*$", re.MULTILINE)
_NOTE: Final = re.compile(r"^ {0,3}\[\^[^\]\n]+\]:[ \t]*|\[\^[^\[\]\s]++\]", re.MULTILINE)
_QUOTE_OR_HEADING: Final = re.compile(r"^ {0,3}(?:(?:> ?)+ {0,3})?(?:#{1,6}[ \t]+)?", re.MULTILINE)
_ITEM: Final = re.compile(r"^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?", re.MULTILINE)
_LINK: Final = re.compile(
    r"!?\[([^\[\]\n]*+)\]\([ \t]*+(?:[^()\s]++|\([^()\s]*+\))*+"
    r"(?:[ \t]++[\"'(][^\n)]{0,300}+)?+[ \t]*+\)"
)
_NAMED_LINK: Final = re.compile(r"(?<!\w)!?\[([^\[\]\n]+)\]\[[^\[\]\n]*\]")
_ADDRESS: Final = re.compile(r"<((?:https?|mailto):[^<>\s]+)>")
_STARS: Final = re.compile(r"\*{1,3}(?=[^\s*])([^*\n]+?)(?<=\S)\*{1,3}")
_LINES_BELOW: Final = re.compile(r"(?<!\w)_{1,3}(?=[^\s_])([^_\n]+?)(?<=\S)_{1,3}(?!\w)")
_STRUCK: Final = re.compile(r"~~(?=\S)([^~\n]+?)(?<=\S)~~")
# Each turn removes one level of nested marks.
_TURNS: Final = 3
_BULLET: Final = "• "


def without_markdown(text: str) -> str:
    """Return a text without the signs of Markdown; code keeps what is in it."""
    parts = _FENCE.split(text)
    # Parts with odd numbers are the code between two fences, which is not Markdown.
    return "".join(part if number % 2 else _words(part) for number, part in enumerate(parts))


def _words(text: str) -> str:
    for sign in (_RULE, _TABLE_RULE, _DEFINITION):
        text = sign.sub("", text)
    text = _TABLE_ROW.sub(lambda row: row[0].replace("|", " "), text)
    text = _NOTE.sub("", text)
    text = _ITEM.sub(_BULLET, _QUOTE_OR_HEADING.sub("", text))
    # Text and code by turns: the even pieces are text and have marks.
    pieces: list[str] = []
    end = 0
    for code in _CODE.finditer(text):
        pieces += (text[end : code.start()], code[2])
        end = code.end()
    return _marked([*pieces, text[end:]])


def _marked(pieces: list[str]) -> str:
    """Join text and code, which come by turns, and remove the marks of the text.

    Marks may surround code, so a NUL stands for each piece of code meanwhile.
    """
    held = pieces[1::2]
    text = "\0".join(piece.replace("\0", "") for piece in pieces[::2])
    for _ in range(_TURNS):
        for sign in (_LINK, _NAMED_LINK, _ADDRESS, _STARS, _LINES_BELOW, _STRUCK):
            text = sign.sub(r"\1", text)
    words = text.split("\0")
    if len(words) != len(held) + 1:
        return "".join(pieces)
    return "".join(part for pair in zip(words, [*held, ""], strict=True) for part in pair)
