"""Count what a text has: lines, words and characters."""

from typing import Annotated

from local_tools.tool import Input, tool
from local_tools.translation_marks import QT_TRANSLATE_NOOP


@tool(
    read_only=True,
    destructive=False,
    open_world=False,
    timeout_s=10,
    title="Count words",
    question="Count the words of this text?",
    icon="calculator",
)
def count_words(
    text: Annotated[str, Input(title=QT_TRANSLATE_NOOP("Tools", "Text"))],
) -> str:
    """Count the lines, words and characters of a text exactly.

    Args:
        text: The text.
    """
    return f"{len(text.splitlines())} lines, {len(text.split())} words, {len(text)} characters"
