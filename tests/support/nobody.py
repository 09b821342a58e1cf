"""The user `nobody`: a folder where it can get to, and programs that it can start.

As root, a checkout or an interpreter may lie where no other user can read, as in root's home.
What `nobody` is to run is copied then.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

NOBODY: Final = 65534

_PARTS_OF_CHECKOUT: Final = ("local_tools", "tests/support", "tests/__init__.py")
# What an interpreter has and no test of confined calls needs.
_UNUSED: Final = ("site-packages", "test", "share", "include", "*.a")
# Its files come and go while others import.
_COMPILED: Final = "__pycache__"
# What a call imports, in the program that asks for it and in its worker.
_IMPORTED: Final = """
import json, sys
from pathlib import Path
sys.path[:0] = sys.argv[1:]
from tests.support import confined, confined_tools, tool_calls
import local_tools.execution.worker
tool_calls.prepared(confined_tools.changes, Path("/"), None, place=".", script="")
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def is_open_to_all(file: Path) -> bool:
    """Return whether every user can reach the folder of this file."""
    # Both ways to it, as one of them may lead through a link in a folder of root's own.
    parents = {*file.absolute().parents, *file.resolve().parents}
    return all(path.stat().st_mode & 0o5 == 0o5 for path in parents)


@contextmanager
def folder_for_nobody() -> Iterator[Path]:
    """Yield a folder with a home, of the user `nobody`; only for root."""
    folder = Path(tempfile.mkdtemp(prefix="parley-nobody-"))
    try:
        (folder / "home").mkdir()
        for path in (folder, folder / "home"):
            os.chown(path, NOBODY, NOBODY)
        yield folder
    finally:
        shutil.rmtree(folder)


def run_as_nobody(argv: list[str], variables: dict[str, str] | None = None) -> bytes:
    """Return what a program tells that `nobody` runs, with none of our groups and variables.

    Raises:
        AssertionError: It cannot be started, or fails.
    """
    try:
        ended = subprocess.run(
            argv,
            check=True,
            capture_output=True,
            cwd="/",
            env=variables or {},
            user=NOBODY,
            group=NOBODY,
            extra_groups=(),
            timeout=30,
        )
    except subprocess.CalledProcessError as exc:
        raise AssertionError(exc.stderr.decode()) from exc
    except OSError as exc:
        raise AssertionError(str(exc)) from exc
    return ended.stdout


def give_to_nobody(folder: Path) -> None:
    """Make these files those of `nobody`, which may be root's own by their modes too."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


def python_for_nobody(folder: Path) -> str:
    """Return an interpreter of our version that `nobody` can start; a copy where there is none."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for python in (sys.executable, f"/usr/bin/{version}", f"/usr/local/bin/{version}"):
        try:
            run_as_nobody([python, "-I", "-c", "import ssl"])
        except AssertionError:
            continue
        return python
    base, copy = Path(sys.base_prefix), folder / "python"
    unused = shutil.ignore_patterns(*_UNUSED, _COMPILED)
    shutil.copytree(base / "lib", copy / "lib", symlinks=True, ignore=unused)
    _copy(base / "bin" / version, copy / "bin" / version)
    give_to_nobody(copy)
    return str(copy / "bin" / version)


def packages_for_nobody(folder: Path, packages: list[str]) -> list[str]:
    """Folders from which `nobody` can import what confined calls need; copies where it must be.

    Args:
        folder: Where the copies lie.
        packages: The checkout, and then the folders of what is installed.
    """
    if all(is_open_to_all(Path(place) / "any") for place in packages):
        return packages
    checkout, *installed = map(Path, packages)
    # The name by which calls know such a folder (`confined_tools`).
    copies = (folder / "checkout", folder / "site-packages")
    for part in _PARTS_OF_CHECKOUT:
        _copy(checkout / part, copies[0] / part)
    argv = [sys.executable, "-I", "-c", _IMPORTED, *packages]
    names = json.loads(subprocess.run(argv, check=True, capture_output=True, timeout=30).stdout)
    for place in installed:
        for name in names:
            for found in (place / name, *place.glob(f"{name}.*")):
                _copy(found, copies[1] / found.name)
    for copy in copies:
        give_to_nobody(copy)
    return [str(copy) for copy in copies]


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        ignore = shutil.ignore_patterns(_COMPILED)
        shutil.copytree(source, target, dirs_exist_ok=True, ignore=ignore)
    elif source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
