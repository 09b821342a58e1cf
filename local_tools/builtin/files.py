"""Work with files and folders: list, read, write, edit, move, delete, and take notes.

`edit_file` replaces one part of a file, which must match exactly. What is deleted goes into the
system's trash; notes go into the one file that the user picked for them.
"""

import json
from typing import Annotated, Final

from local_tools.diff import change_text
from local_tools.errors import named
from local_tools.paths.guarded_path import FolderEntry
from local_tools.tool import (
    DESTINATION,
    IN_PREVIEW,
    PICKED_NOTES,
    Desktop,
    GuardedPath,
    Input,
    Preview,
    ToolError,
    tool,
)
from local_tools.translation_marks import QT_TRANSLATE_NOOP

_RESULT_LIMIT_BYTES: Final = 8 * 1024 * 1024
_SHOWN_ENTRIES: Final = 100
_NOTE_CHARS: Final = 20_000


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
    """List the contents of a folder: names, kinds and sizes. Links are listed, but not followed.

    Args:
        path: The folder; "." is the chat's folder.
    """
    lines = [_entry_line(entry) for entry in path.entries()]
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
    """Read a text file (UTF-8). If it is longer than 255 KiB, only its beginning is returned.

    Args:
        path: The file, relative to the chat's folder, absolute, or beginning with ~/.
    """
    return _text_of(path)


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
    """Write a text file (UTF-8): create a new file, or replace the contents of an existing one.

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
    old = "" if path.expected.kind == "absent" else _text_of(path)
    if not content and path.expected.kind == "absent":
        return Preview("diff", "(an empty file)")
    return Preview("diff", change_text(old, content))


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
        bool, Input(title=QT_TRANSLATE_NOOP("Tools", "Replace all occurrences"))
    ] = False,
) -> str:
    """Replace a piece of text in a text file (UTF-8) and leave the rest unchanged.

    The old text must match exactly, including spaces and line ends, and occur only once in the
    file, unless all occurrences are replaced.

    Args:
        path: The file, relative to the chat's folder, absolute, or beginning with ~/.
        old_text: What is there now, with enough of the lines around it to be found only once.
        new_text: What takes its place; empty to remove it.
        replace_all: Replace it wherever it is.
    """
    old = _text_of(path)
    count = old.count(old_text)
    path.replace(_edited(path, old, old_text, new_text, replace_all=replace_all).encode())
    places = "1 place" if count == 1 else f"{count:,} places"
    return f"Changed {path} in {places}."


@edit_file.preview
def _preview_edit(path: GuardedPath, old_text: str, new_text: str, *, replace_all: bool) -> Preview:
    if path.expected.kind == "absent":
        raise ToolError(f"There is nothing at {path}.")
    old = _text_of(path)
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


@tool(
    read_only=False,
    destructive=False,
    open_world=False,
    is_undoable=True,
    timeout_s=20,
    title="Move file",
    question="Move a file or folder on this computer?",
    returns_names=True,
)
def move_file(
    path: Annotated[GuardedPath, Input(title=QT_TRANSLATE_NOOP("Tools", "From"))],
    new_path: Annotated[GuardedPath, DESTINATION, Input(title=QT_TRANSLATE_NOOP("Tools", "To"))],
) -> str:
    """Move or rename a file or folder. Nothing is ever replaced, and no folder is created.

    Args:
        path: What to move, relative to the chat's folder, absolute, or beginning with ~/.
        new_path: Its whole new path, name included; nothing may be there yet. Or a folder that is
            there, with a slash at its end, to move it into under its old name.
    """
    path.move_to(new_path)
    return f"Moved {path} to {new_path}."


@move_file.preview
def _check_move(path: GuardedPath, new_path: GuardedPath) -> None:
    _refuse_absent(path)
    if new_path.expected.kind != "absent":
        raise ToolError(f"There is something at {new_path} already, and nothing is replaced.")
    if new_path.absolute.is_relative_to(path.absolute):
        raise ToolError(f"{path} cannot be moved into itself.")


@tool(
    read_only=False,
    destructive=True,
    open_world=False,
    is_undoable=True,
    timeout_s=60,
    title="Delete file",
    question="Move this to the trash?",
    icon="trash-2",
    returns_names=True,
)
async def delete_file(path: GuardedPath, desktop: Desktop) -> str:
    """Move a file, or a folder with everything in it, to the system trash.

    Args:
        path: What to delete, relative to the chat's folder, absolute, or beginning with ~/.
        desktop: Whose trash.
    """
    await desktop.trash(path)
    return f"Put {path} into the trash."


@delete_file.preview
def _preview_delete(path: GuardedPath) -> Preview:
    _refuse_absent(path)
    if path.expected.kind == "file":
        return Preview("files", f"{path}  {path.expected.size_bytes:,} bytes")
    entries = path.entries()
    shown = [f"{path}/", *(f"  {_entry_line(entry)}" for entry in entries[:_SHOWN_ENTRIES])]
    if len(entries) > _SHOWN_ENTRIES:
        shown.append(f"  and {len(entries) - _SHOWN_ENTRIES:,} more")
    return Preview("files", "\n".join(shown))


def _refuse_absent(path: GuardedPath) -> None:
    if path.expected.kind == "absent":
        raise ToolError(f"There is nothing at {path}.")
    if path.relative == ".":
        raise ToolError(f"{path} is the folder that is worked in, so it stays where it is.")


@tool(
    read_only=False,
    destructive=False,
    open_world=False,
    is_undoable=True,
    timeout_s=20,
    title="Add note",
    question="Add to your notes?",
)
def take_note(
    text: Annotated[
        str,
        IN_PREVIEW,
        Input(min_length=1, max_length=_NOTE_CHARS, title=QT_TRANSLATE_NOOP("Tools", "Note")),
    ],
    notes: Annotated[GuardedPath, PICKED_NOTES],
) -> str:
    """Add a note to the end of the notes file that the user chose. Existing text is kept.

    Args:
        text: The note, as Markdown or plain text.
        notes: The file.
    """
    notes.replace(_with_note(_notes_in(notes), text).encode())
    return f"Added a note to {notes}."


@take_note.preview
def _preview_note(text: str, notes: GuardedPath) -> Preview:
    old = _notes_in(notes)
    return Preview("diff", change_text(old, _with_note(old, text)))


def _notes_in(notes: GuardedPath) -> str:
    if notes.expected.kind == "folder":
        raise ToolError(f"{notes} is a folder, not a file for notes.")
    return "" if notes.expected.kind == "absent" else _text_of(notes)


def _with_note(old: str, text: str) -> str:
    """Return the notes with one more, a blank line between."""
    note = text.strip("\n")
    if not note.strip():
        raise ToolError("The note is empty.")
    return f"{old.rstrip()}\n\n{note}\n" if old.strip() else f"{note}\n"


def _text_of(path: GuardedPath) -> str:
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


def _entry_line(entry: FolderEntry) -> str:
    """Describe one thing in a folder on one line."""
    # A name may contain a line feed; quoted, it cannot pass for two.
    name = entry.name if entry.name.isprintable() else json.dumps(entry.name)
    if entry.kind == "folder":
        return f"{name}/"
    size = f"{entry.size_bytes:,} bytes" if entry.kind == "file" else f"({entry.kind})"
    return f"{name}  {size}"
