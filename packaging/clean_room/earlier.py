"""What passes for the version before, as long as none was published: the same with other files."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Final

from freeze import manifest, module_archive
from freeze.spec_parts import MODULES
from installers.payload import Payload
from installers.product import NAME

VERSION: Final = "0.0.0"


def make_earlier(payload: Payload, folder: Path) -> Payload:
    """Copies a payload to `folder`, which must not exist yet, and makes it the version before.

    Its programs say that version. One of its files the payload has not, one of the payload's it has
    not, the modules lie elsewhere in their archive, and its list of files is right.
    """
    shutil.copytree(payload.folder, folder, symlinks=True)
    inside = folder / "_internal"
    metadata = (inside / metadata_of(payload.version)).rename(inside / metadata_of(VERSION))
    path = metadata / "METADATA"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace(f"Version: {payload.version}\n", f"Version: {VERSION}\n"), encoding="utf-8"
    )
    archive = inside / MODULES
    modules = reversed([*module_archive.entries(archive)])
    archive.write_bytes(module_archive.written(archive.read_bytes(), modules))
    manifest.write_manifest(folder, VERSION)
    return replace(payload, folder=folder, version=VERSION, is_quick=True)


def metadata_of(version: str) -> str:
    """The folder inside by which the programs know their version."""
    return f"{NAME}-{version}.dist-info"
