"""The command lines that start this package's own child programs, such as the worker.

From source they run on this interpreter, isolated from the user's variables and folders; in the
frozen program they are commands of the executable beside ours.
"""

import sys
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

from local_tools.sandbox.types import Program

Part: TypeAlias = Literal["worker", "confine", "probe", "read-code"]
PARTS: Final[tuple[Part, ...]] = get_args(Part)

# These set up the sandbox or probe it, and must start fast: they run without site-packages (`-S`).
_PLAIN_PARTS: Final = ("confine", "probe")
_PACKAGE: Final = Path(__file__).resolve().parent
# Finds the package by its own folder, since the one above it need not be readable in a sandbox.
_BOOT: Final = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("local_tools", sys.argv[1] + "/__init__.py")
sys.modules["local_tools"] = package = importlib.util.module_from_spec(spec)
spec.loader.exec_module(package)
from local_tools.programs import run
run(sys.argv[2], sys.argv[3:])
"""


def program_of(part: Part) -> Program:
    """Return the command that starts a part; append its arguments."""
    if getattr(sys, "frozen", False):
        name = "parley-tools.exe" if sys.platform == "win32" else "parley-tools"
        beside = Path(sys.executable).with_name(name)
        return Program((str(beside), part), (beside.parent,))
    plain = ("-S",) if part in _PLAIN_PARTS else ()
    argv = (sys.executable, "-I", *plain, "-c", _BOOT, str(_PACKAGE), part)
    return Program(argv, interpreter_folders(_PACKAGE))


def interpreter_folders(*packages: Path) -> tuple[Path, ...]:
    """Return the folders that this interpreter has to read to run these packages."""
    return tuple(dict.fromkeys((Path(sys.prefix), Path(sys.base_prefix), *packages)))


def run(part: str, arguments: list[str]) -> None:
    """Run a part of this package in this process.

    Raises:
        ValueError: There is no part of this name.
    """
    # Each imports no more than it needs.
    if part == "worker":
        from local_tools.execution.worker import main  # noqa: PLC0415

        main(int(arguments[0]), int(arguments[1]), code_folder="".join(arguments[2:3]))
    elif part == "confine":
        from local_tools.sandbox.landlock import confine  # noqa: PLC0415

        confine(arguments)
    elif part == "probe":
        from local_tools.sandbox.probe_actions import try_all  # noqa: PLC0415

        try_all(arguments)
    elif part == "read-code":
        from local_tools.user_tools.summary import write_summaries  # noqa: PLC0415

        write_summaries()
    else:
        raise ValueError(part)
