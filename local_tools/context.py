"""What a tool can use besides its input: `ToolContext` (progress, whole output), `Desktop`."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from local_tools.errors import ToolError
from local_tools.paths.guarded_path import GuardedPath
from local_tools.threads import run_in_thread
from local_tools.undo.trash import move_to_trash


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tool has come.

    Attributes:
        done: In units that the tool chooses.
        total: In the same units; None while unknown.
        text: A few words about the current step.
    """

    done: float
    total: float | None = None
    text: str = ""


ProgressSink: TypeAlias = Callable[[Progress], None]


class ToolContext:
    """Injected into a tool that has a parameter of this type. Lives as long as the call."""

    def __init__(self, report: ProgressSink, keep: Callable[[bytes], None] | None = None) -> None:
        self._report = report
        self._keep = keep

    def progress(self, done: float, total: float | None = None, text: str = "") -> None:
        """Report progress; calls that come too fast are dropped."""
        self._report(Progress(done, total, text))

    def keep_output(self, data: bytes) -> None:
        """Append to the file that keeps a program's whole output if the result has to be cut."""
        if self._keep is not None:
            self._keep(data)


class DesktopBackend(Protocol):
    """Desktop operations that need a window system; the app implements them with Qt.

    Every method is called on the GUI thread.
    """

    def clipboard_text(self) -> str:
        """Return the text on the clipboard; empty if it holds something else."""

    def set_clipboard_text(self, text: str) -> None:
        """Put a text on the clipboard."""

    def open_path(self, path: Path) -> bool:
        """Open a file or folder in its application; False if the system has none for it."""


class Desktop:
    """The desktop of the user. A tool with a parameter of this type runs in the program itself.

    Made by the program at start; without a screen only the trash works.
    """

    def __init__(self, screen: DesktopBackend | None = None) -> None:
        self._screen = screen

    def clipboard_text(self) -> str:
        """Return the text on the clipboard.

        Raises:
            ToolError: When there is no clipboard.
        """
        return self._needed("The clipboard").clipboard_text()

    def set_clipboard_text(self, text: str) -> None:
        """Put a text on the clipboard.

        Raises:
            ToolError: When there is no clipboard.
        """
        self._needed("The clipboard").set_clipboard_text(text)

    def open_path(self, path: Path) -> None:
        """Open a file or a folder in the application that the system has for it.

        Raises:
            ToolError: When it has none.
        """
        if not self._needed("Opening things").open_path(path):
            raise ToolError(f"The system has no application for {path}.")

    async def trash(self, target: GuardedPath) -> None:
        """Move a file or folder to the system's trash if it is still what was shown.

        Raises:
            ToolError: When it could not be moved; nothing has changed then.
        """
        await run_in_thread(move_to_trash, target)

    def _needed(self, what: str) -> DesktopBackend:
        if self._screen is None:
            raise ToolError(f"{what} needs Parley's window, so nothing was done.")
        return self._screen
