"""What a project may be called, and where its own files lie."""

import re
from pathlib import Path
from typing import Final

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")


class ProjectNameError(Exception):
    """No project can have this name; the message is for the user."""


def check_project_name(project: str) -> None:
    """Make sure that a name can be a project's.

    Raises:
        ProjectNameError: When it cannot.
    """
    if not _NAME.fullmatch(project):
        raise ProjectNameError(
            "A project’s name has small letters, digits, “-” and “_”, and begins with a letter "
            "or a digit."
        )


def project_folder(data: Path, project: str) -> Path:
    """Find the folder in a data folder where a project's own files lie, if it has any.

    Raises:
        ProjectNameError: When no project can have this name.
    """
    check_project_name(project)
    return data / "projects" / project
