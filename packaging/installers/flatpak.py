"""Make the input of flatpak-builder: the manifest, the locked sources, and Parley.

The URLs of the sources are looked up in the package index that is configured here and written
beside the manifest only: the lock has hashes and no URLs, and the checkout keeps none.
"""

import json
import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from checkout import PACKAGING, ROOT, program
from pinned_uv import fetch_uv
from processes import Failed, run

from installers import tree
from installers.payload import Payload
from installers.product import APP_ID

LOCK: Final = PACKAGING / "requirements.txt"
# The Python of the runtime that the manifest names.
PYTHON: Final = "3.13"
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_OTHER_SYSTEMS: Final = ("== 'win32'", "== 'emscripten'")
_MACHINE: Final = "x86_64"


def make(payload: Payload, into: Path) -> Path:
    """Write the folder `flatpak` into `into`, for `flatpak-builder` to be started in.

    Args:
        payload: Gives the version; the frozen folder is not used, since the Flatpak runtime has its
            own Python.
        into: The parent of the new folder; an existing one is replaced.

    Returns:
        The path of the manifest.

    Raises:
        Failed: The network did not answer, or the index has no matching file for a locked package.
    """
    folder = into.absolute() / "flatpak"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(LOCK, folder)
    sources = list(find_sources(_look_up(), LOCK.read_text(encoding="utf-8")))
    _write_json(folder / "sources.json", sources)
    tree.add_desktop_files(payload, folder / "share")
    manifest = folder / f"{APP_ID}.json"
    filled = tree.fill("flatpak/manifest.json.in", payload, WHEEL=_build_wheel(folder))
    manifest.write_text(filled, encoding="utf-8")
    return manifest


def find_sources(found: Mapping[str, Any], lock: str) -> Iterator[dict[str, object]]:
    """Return the files that flatpak-builder fetches, one for each wheel that can be installed.

    Those that are for one kind of machine say so.

    Args:
        found: What the index has of the packages of the lock, as a `pylock.toml` says it.
        lock: The text of the lock; only files with its hashes are taken.

    Raises:
        Failed: A package has none.
    """
    hashes = set(_HASH.findall(lock))
    for package in found["packages"]:
        fitting = [
            wheel
            for wheel in package.get("wheels", ())
            if _fits(_name_of(wheel)) and wheel["hashes"]["sha256"] in hashes
        ]
        if not _is_wanted(package):
            continue
        if not fitting:
            raise Failed(f"There is no file of {package['name']} that a Flatpak could install.")
        for wheel in fitting:
            yield {
                "type": "file",
                "url": wheel["url"],
                "sha256": wheel["hashes"]["sha256"],
                "dest": "wheels",
                "dest-filename": _name_of(wheel),
                **_only_for(_name_of(wheel)),
            }


def _is_wanted(package: Mapping[str, Any]) -> bool:
    return not any(system in package.get("marker", "") for system in _OTHER_SYSTEMS)


def _only_for(name: str) -> dict[str, list[str]]:
    return {"only-arches": [_MACHINE]} if name.endswith(f"_{_MACHINE}.whl") else {}


def _name_of(wheel: Mapping[str, Any]) -> str:
    return str(wheel["url"]).rpartition("/")[2].partition("#")[0]


def _fits(name: str) -> bool:
    """Return whether, by its name, the runtime's Python can install a wheel."""
    python, abi, platform = name.removesuffix(".whl").split("-")[-3:]
    own = f"cp{PYTHON.replace('.', '')}"
    is_python = own in python or abi == "abi3" or "py3" in python.split(".")
    is_abi = abi in {own, "abi3", "none"}
    is_platform = platform == "any" or ("manylinux" in platform and platform.endswith(_MACHINE))
    return is_python and is_abi and is_platform


def _look_up() -> dict[str, Any]:
    with TemporaryDirectory() as work:
        path = Path(work, "pylock.toml")
        fetch_uv().on_one_index().run(
            *("pip", "compile", "--universal", "--python-version", PYTHON, "--no-deps"),
            *("--generate-hashes", "--format", "pylock.toml", LOCK, "--output-file", path),
            doing="Looking up where the packages of the lock are",
        )
        return tomllib.loads(path.read_text(encoding="utf-8"))


def _build_wheel(folder: Path) -> str:
    run(
        [program("python"), "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        doing="Building Parley's own package",
        cwd=ROOT,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel.name


def _write_json(path: Path, content: object) -> None:
    path.write_text(f"{json.dumps(content, indent=2)}\n", encoding="utf-8")
