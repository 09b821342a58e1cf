"""Task lists: an item that begins with a box."""

import re
from itertools import pairwise
from typing import Final

from markdown_it.token import Token

TASK_KEY: Final = "task"
_BOX: Final = re.compile(r"\[([ xX])\][ \t\n]+(?=\S)")


def mark_tasks(tokens: list[Token]) -> None:
    """Move the box at the beginning of an item from its words to the paragraph's `meta`."""
    for index, (item, paragraph) in enumerate(pairwise(tokens)):
        if item.type != "list_item_open" or paragraph.type != "paragraph_open":
            continue
        words = tokens[index + 2]
        if found := _BOX.match(words.content):
            paragraph.meta[TASK_KEY] = "[ ]" if found[1] == " " else "[x]"
            words.content = words.content[found.end() :]
