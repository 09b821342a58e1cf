"""Take notes in the one file that the user picked for them."""

from typing import Annotated, Final

from local_tools.builtin.text_files import text_of
from local_tools.diff import change_text
from local_tools.tool import IN_PREVIEW, PICKED_NOTES, GuardedPath, Input, Preview, ToolError, tool
from local_tools.translation_marks import QT_TRANSLATE_NOOP

_NOTE_CHARS: Final = 20_000


@tool(
    read_only=False,
    destructive=False,
    open_world=False,
    is_undoable=True,
    timeout_s=20,
    title="Take note",
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
    """Add a note at the end of the notes file that the user picked; what is there stays.

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
    return "" if notes.expected.kind == "absent" else text_of(notes)


def _with_note(old: str, text: str) -> str:
    """Return the notes with one more, a blank line between."""
    note = text.strip("\n")
    if not note.strip():
        raise ToolError("The note is empty.")
    return f"{old.rstrip()}\n\n{note}\n" if old.strip() else f"{note}\n"
