"""Change a part of a text file: exactly what was there becomes exactly what is asked."""

from typing import Annotated

from local_tools.builtin.files import text_of
from local_tools.diff import change_text
from local_tools.errors import named
from local_tools.phrases import QT_TRANSLATE_NOOP
from local_tools.tool import IN_PREVIEW, Input, Preview, Target, ToolError, tool

_RESULT_LIMIT_BYTES = 8 * 1024 * 1024


@tool(
    read_only=False,
    destructive=True,
    open_world=False,
    is_undoable=True,
    timeout_s=20,
    title="Edit file",
)
def edit_file(
    path: Target,
    old_text: Annotated[str, IN_PREVIEW, Input(title=QT_TRANSLATE_NOOP("Tools", "Old text"))],
    new_text: Annotated[str, IN_PREVIEW, Input(title=QT_TRANSLATE_NOOP("Tools", "New text"))],
    replace_all: Annotated[
        bool, Input(title=QT_TRANSLATE_NOOP("Tools", "Every place in the file"))
    ] = False,
) -> str:
    """Replace a piece of a text file (UTF-8) by another, leaving the rest as it is.

    The old text must be in the file exactly once, blanks and line ends included, unless every
    place is meant.

    Args:
        path: The file, relative to the chat's folder, absolute, or beginning with ~/.
        old_text: What is there now, with enough of the lines around it to be found only once.
        new_text: What takes its place; empty to remove it.
        replace_all: Replace it wherever it is.
    """
    old = text_of(path)
    count = old.count(old_text)
    path.replace(_edited(path, old, old_text, new_text, replace_all=replace_all).encode())
    places = "1 place" if count == 1 else f"{count:,} places"
    return f"Changed {path} in {places}."


@edit_file.preview
def _preview_edit(path: Target, old_text: str, new_text: str, *, replace_all: bool) -> Preview:
    if path.expected.kind == "absent":
        raise ToolError(f"There is nothing at {path}.")
    old = text_of(path)
    new = _edited(path, old, old_text, new_text, replace_all=replace_all)
    return Preview("diff", change_text(old, new))


def _edited(path: Target, old: str, old_text: str, new_text: str, *, replace_all: bool) -> str:
    if not old_text:
        raise ToolError("The old text is empty, so there is nothing to replace.")
    if old_text == new_text:
        raise ToolError("The old and the new text are the same.")
    count = old.count(old_text)
    if not count:
        raise ToolError(f"{path} does not contain {_quoted(old_text)}.{_hint(old, old_text)}")
    if count > 1 and not replace_all:
        raise ToolError(
            f"{path} contains {_quoted(old_text)} {count:,} times. Give more of the lines around "
            "the place that is meant, or say that every place is."
        )
    # Long enough inputs could make a file grow without bounds.
    if len(old) + count * len(new_text) > _RESULT_LIMIT_BYTES:
        raise ToolError(f"{path} would become too large.")
    return old.replace(old_text, new_text)


def _quoted(text: str) -> str:
    return f"“{named(text.split(chr(10), maxsplit=1)[0])}”" if "\n" not in text else "the old text"


def _hint(old: str, old_text: str) -> str:
    if "\r\n" in old and "\r\n" not in old_text and old_text in old.replace("\r\n", "\n"):
        return " Its lines end with CR LF."
    if " ".join(old_text.split()) in " ".join(old.split()):
        return " It differs in blanks or line ends only."
    return ""
