"""What a build leaves beside the frozen folder: the bill of materials, installers, their sums."""

import shutil
from pathlib import Path

from freeze import bill_of_materials, manifest
from installers import forms, making


def names(version: str) -> list[str]:
    """What the files of a version are called, the sums apart; those that can be made here."""
    installers = [form.file_name(version) for form in making.makeable()]
    return [bill_of_materials.file_name(version), *installers]


def clear(version: str, folder: Path) -> None:
    """Take away what a build before left of this version, since it was of another freeze.

    So goes what one that was killed was working on; no other may be under way.
    """
    for name in (manifest.SUMS_NAME, *names(version)):
        (folder / name).unlink(missing_ok=True)
    for work in folder.glob(f"{forms.WORK}*"):
        shutil.rmtree(work)


def sum_up(version: str, folder: Path) -> list[Path]:
    """Write `SHA256SUMS` of all of this version that is there, and returns what that is."""
    made = [path for name in names(version) if (path := folder / name).is_file()]
    manifest.write_sums(made, folder)
    return made
