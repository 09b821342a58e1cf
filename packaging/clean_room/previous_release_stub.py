"""A substitute for the previous release while none is published: this build with changed files."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Final

from freeze import manifest
from installers.payload import Payload
from installers.product import NAME

VERSION: Final = "0.0.0"


def make_previous_release(payload: Payload, folder: Path) -> Payload:
    """Copy a payload to `folder`, which must not exist yet, and make it the previous release.

    Its programs report that version. It has one file more and one file less than the payload, and
    its manifest matches.
    """
    shutil.copytree(payload.folder, folder, symlinks=True)
    inside = folder / "_internal"
    metadata = (inside / metadata_of(payload.version)).rename(inside / metadata_of(VERSION))
    path = metadata / "METADATA"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace(f"Version: {payload.version}\n", f"Version: {VERSION}\n"), encoding="utf-8"
    )
    manifest.write_manifest(folder, VERSION)
    return replace(payload, folder=folder, version=VERSION, is_quick=True)


def metadata_of(version: str) -> str:
    """Return the name of the metadata folder, from which the programs take their version."""
    return f"{NAME}-{version}.dist-info"
