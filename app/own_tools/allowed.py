"""What was allowed of a person's own tools: a copy of every file, as it was read then.

A folder counts as allowed while its files are the copy's, to the last byte.
"""

import shutil
import tempfile
from pathlib import Path

from app.error_text import Reason
from app.errors import UserFacingError
from local_tools.errors import ToolError
from local_tools.own.files import FolderFiles, read_files


class AllowedCode:
    """The copies. Made by the program; a folder of ours, which no tool is let into."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def has(self, name: str) -> bool:
        """Whether anything was allowed of the folder of that name."""
        return (self._folder / name).is_dir()

    def find(self, name: str) -> FolderFiles | None:
        """What was allowed of the folder of that name; None when nothing was."""
        place = self._folder / name
        if not place.is_dir():
            return None
        try:
            return read_files(place)
        except ToolError:
            return None

    def keep(self, name: str, files: FolderFiles) -> None:
        """Keep a copy in the place of the one before.

        Raises:
            UserFacingError: It cannot be kept; then nothing is allowed.
        """
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            made = Path(tempfile.mkdtemp(dir=self._folder, prefix=".new-"))
            try:
                files.write_to(made)
                self._drop(name)
                made.rename(self._folder / name)
            finally:
                shutil.rmtree(made, ignore_errors=True)
        except OSError as exc:
            raise UserFacingError(Reason.CHOICE_NOT_KEPT) from exc

    def forget(self, name: str) -> None:
        """Allow nothing of that folder any more.

        Raises:
            UserFacingError: The copy is still there.
        """
        try:
            self._drop(name)
        except OSError as exc:
            raise UserFacingError(Reason.CHOICE_NOT_KEPT) from exc

    def _drop(self, name: str) -> None:
        if (self._folder / name).exists():
            shutil.rmtree(self._folder / name)
