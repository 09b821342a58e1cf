"""What a running tool can use besides its input: `ToolContext` for progress, `Desktop`."""

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
        done: In units of the tool's own.
        total: In the same units; None while nobody knows.
        text: A few words about what is being done.
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
        """Tell how far the tool has come; calls that come too fast are dropped."""
        self._report(Progress(done, total, text))

    def keep_output(self, data: bytes) -> None:
        """Add to the file with all that a program wrote, for when the result has to be cut."""
        if self._keep is not None:
            self._keep(data)


class DesktopBackend(Protocol):
    """The few things that need a window system; the window's program implements it.

    Every method is called on the thread of the windows.
    """

    def clipboard_text(self) -> str:
        """Return the text on the clipboard; empty when it holds something else."""

    def set_clipboard_text(self, text: str) -> None:
        """Put a text on the clipboard."""

    def open_path(self, path: Path) -> bool:
        """Open a file or folder in its application; false when the system has none for it."""


class Desktop:
    """The desktop of the user. A tool with a parameter of this type runs in the program itself.

    Made by the program at start; without a screen only the trash works.
    """

    def __init__(self, screen: DesktopBackend | None = None) -> None:
        self._screen = screen

    def clipboard_text(self) -> str:
        """Return what text the user copied last.

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
        """Put a file or a folder into the system's trash, only as it was shown.

        Raises:
            ToolError: When it could not be moved; then it is where it was.
        """
        await run_in_thread(move_to_trash, target)

    def _needed(self, what: str) -> DesktopBackend:
        if self._screen is None:
            raise ToolError(f"{what} needs Parley's window, so nothing was done.")
        return self._screen
