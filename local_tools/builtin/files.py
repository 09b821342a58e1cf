"""Files and folders: list, read, write."""

import json
from typing import Annotated

from local_tools.diff import change_text
from local_tools.phrases import QT_TRANSLATE_NOOP
from local_tools.target import Entry
from local_tools.tool import IN_PREVIEW, Input, Preview, Target, ToolError, tool


@tool(
    read_only=True,
    destructive=False,
    open_world=False,
    timeout_s=20,
    title="List folder",
)
def list_folder(path: Target) -> str:
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
)
def read_file(path: Target) -> str:
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
)
def write_file(
    path: Target,
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
def _preview_write(path: Target, content: str) -> Preview:
    if path.expected.kind == "folder":
        raise ToolError(f"{path} is a folder, not a file.")
    if path.is_meant_as_folder:
        raise ToolError(f"{path}/ is a folder's path; write the file's, name included.")
    old = "" if path.expected.kind == "absent" else text_of(path)
    if not content and path.expected.kind == "absent":
        return Preview("diff", "(an empty file)")
    return Preview("diff", change_text(old, content))


def text_of(path: Target) -> str:
    """The whole of a text file.

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


def _not_text(path: Target) -> ToolError:
    return ToolError(f"{path} is not a text file (UTF-8), so it cannot be shown.")


def entry_line(entry: Entry) -> str:
    """One thing in a folder as one line."""
    # A name may contain a line feed; quoted, it cannot pass for two.
    name = entry.name if entry.name.isprintable() else json.dumps(entry.name)
    if entry.kind == "folder":
        return f"{name}/"
    size = f"{entry.size_bytes:,} bytes" if entry.kind == "file" else f"({entry.kind})"
    return f"{name}  {size}"
