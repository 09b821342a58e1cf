"""What host actions need of the desktop, and what stands in for it where there is no window."""

import asyncio
from pathlib import Path
from typing import NoReturn, Protocol

from local_tools.errors import ToolError
from local_tools.target import Target
from local_tools.trash import move_to_trash


class Desktop(Protocol):
    """The few things that need the desktop. The window's program implements it.

    A tool with a parameter of this type runs in the program itself, never in a worker. Every
    method is called on the thread of the window and raises `ToolError` with a sentence.
    """

    def clipboard_text(self) -> str:
        """What text the clipboard holds; empty when it holds something else."""

    def set_clipboard_text(self, text: str) -> None:
        """Put a text on the clipboard."""

    def open_path(self, path: Path) -> None:
        """Open a file or a folder in the application that the system has for it."""

    async def trash(self, target: Target) -> None:
        """Put a file or a folder into the system's trash, only as it was shown."""


class NoDesktop:
    """Where there is no window: the trash works, the rest says what it needs."""

    def clipboard_text(self) -> str:
        """There is no clipboard here."""
        _refuse("The clipboard")

    def set_clipboard_text(self, text: str) -> None:  # noqa: ARG002 - the protocol's
        """There is no clipboard here."""
        _refuse("The clipboard")

    def open_path(self, path: Path) -> None:  # noqa: ARG002 - the protocol's
        """Nothing is opened from here."""
        _refuse("Opening a file in its application")

    async def trash(self, target: Target) -> None:
        """Put a file or a folder into the system's trash, only as it was shown."""
        await asyncio.to_thread(move_to_trash, target)


def _refuse(what: str) -> NoReturn:
    raise ToolError(f"{what} needs Parley's window, so nothing was done.")
