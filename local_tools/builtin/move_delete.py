"""Move files and folders, and put them into the trash."""

from typing import Annotated, Final

from local_tools.builtin.text_files import entry_line
from local_tools.tool import DESTINATION, Desktop, GuardedPath, Input, Preview, ToolError, tool
from local_tools.translation_marks import QT_TRANSLATE_NOOP

_SHOWN_ENTRIES: Final = 100


@tool(
    read_only=False,
    destructive=False,
    open_world=False,
    is_undoable=True,
    timeout_s=20,
    title="Move file",
    question="Move this on your computer?",
    returns_names=True,
)
def move_file(
    path: Annotated[GuardedPath, Input(title=QT_TRANSLATE_NOOP("Tools", "From"))],
    new_path: Annotated[GuardedPath, DESTINATION, Input(title=QT_TRANSLATE_NOOP("Tools", "To"))],
) -> str:
    """Move or rename a file or a folder. Nothing is ever replaced, and no folder is made.

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
    question="Put this into the trash?",
    icon="trash-2",
    returns_names=True,
)
async def delete_file(path: GuardedPath, desktop: Desktop) -> str:
    """Put a file or a folder, with all that is in it, into the system's trash.

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
    shown = [f"{path}/", *(f"  {entry_line(entry)}" for entry in entries[:_SHOWN_ENTRIES])]
    if len(entries) > _SHOWN_ENTRIES:
        shown.append(f"  and {len(entries) - _SHOWN_ENTRIES:,} more")
    return Preview("files", "\n".join(shown))


def _refuse_absent(path: GuardedPath) -> None:
    if path.expected.kind == "absent":
        raise ToolError(f"There is nothing at {path}.")
    if path.relative == ".":
        raise ToolError(f"{path} is the folder that is worked in, so it stays where it is.")
