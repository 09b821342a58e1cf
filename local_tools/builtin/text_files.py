"""List folders, read and write text files, and change a part of one.

`edit_file` changes a part: exactly what was there becomes exactly what is asked.
"""

import json
from typing import Annotated

from local_tools.diff import change_text
from local_tools.errors import named
from local_tools.paths.guarded_path import FolderEntry
from local_tools.tool import IN_PREVIEW, GuardedPath, Input, Preview, ToolError, tool
from local_tools.translation_marks import QT_TRANSLATE_NOOP


@tool(
    read_only=True,
    destructive=False,
    open_world=False,
    timeout_s=20,
    title="List folder",
    question="List a folder on this computer?",
    icon="folder",
    returns_names=True,
)
def list_folder(path: GuardedPath) -> str:
    """List what is in a folder: names, kinds and sizes. Links are named, not followed.

    Args:
        path: The folder; "." is the chat's folder.
    """
    lines = [entry_line(entry) for entry in path.entries()]
    if not lines:
        return f"{path} is empty."
    return "\n".join(lines)


@tool(
    read_only=True,
    destructive=False,
    open_world=False,
    timeout_s=20,
    title="Read file",
    question="Read a file on this computer?",
    icon="file-text",
)
def read_file(path: GuardedPath) -> str:
    """Read a text file (UTF-8). Of a long one, the first 255 KiB.

    Args:
        path: The file, relative to the chat's folder, absolute, or beginning with ~/.
    """
    return text_of(path)


@tool(
    read_only=False,
    destructive=True,
    open_world=False,
    is_undoable=True,
    timeout_s=20,
    title="Write file",
    question="Write a file on this computer?",
    icon="file-pen",
)
def write_file(
    path: GuardedPath,
    content: Annotated[str, IN_PREVIEW, Input(title=QT_TRANSLATE_NOOP("Tools", "New contents"))],
) -> str:
    """Write a text file (UTF-8): make a new one or replace all of an existing one.

    Args:
        path: The file, relative to the chat's folder, absolute, or beginning with ~/.
        content: The whole new contents.
    """
    data = content.encode()
    path.replace(data)
    verb = "Made" if path.expected.kind == "absent" else "Replaced"
    return f"{verb} {path}: {len(data):,} bytes."


@write_file.preview
def _preview_write(path: GuardedPath, content: str) -> Preview:
    if path.expected.kind == "folder":
        raise ToolError(f"{path} is a folder, not a file.")
    if path.is_meant_as_folder:
        raise ToolError(f"{path}/ is a folder's path; write the file's, name included.")
    old = "" if path.expected.kind == "absent" else text_of(path)
    if not content and path.expected.kind == "absent":
        return Preview("diff", "(an empty file)")
    return Preview("diff", change_text(old, content))


def text_of(path: GuardedPath) -> str:
    """Return the whole of a text file.

    Raises:
        ToolError: When it cannot be read or is no text.
    """
    data = path.read()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise _not_text(path) from None
    if "\0" in text:
        raise _not_text(path)
    return text


def _not_text(path: GuardedPath) -> ToolError:
    return ToolError(f"{path} is not a text file (UTF-8), so it cannot be shown.")


def entry_line(entry: FolderEntry) -> str:
    """One thing in a folder as one line."""
    # A name may contain a line feed; quoted, it cannot pass for two.
    name = entry.name if entry.name.isprintable() else json.dumps(entry.name)
    if entry.kind == "folder":
        return f"{name}/"
    size = f"{entry.size_bytes:,} bytes" if entry.kind == "file" else f"({entry.kind})"
    return f"{name}  {size}"


_RESULT_LIMIT_BYTES = 8 * 1024 * 1024


@tool(
    read_only=False,
    destructive=True,
    open_world=False,
    is_undoable=True,
    timeout_s=20,
    title="Edit file",
    question="Change a file on this computer?",
    icon="file-pen",
)
def edit_file(
    path: GuardedPath,
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
def _preview_edit(path: GuardedPath, old_text: str, new_text: str, *, replace_all: bool) -> Preview:
    if path.expected.kind == "absent":
        raise ToolError(f"There is nothing at {path}.")
    old = text_of(path)
    new = _edited(path, old, old_text, new_text, replace_all=replace_all)
    return Preview("diff", change_text(old, new))


def _edited(path: GuardedPath, old: str, old_text: str, new_text: str, *, replace_all: bool) -> str:
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
