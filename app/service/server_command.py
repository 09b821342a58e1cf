"""The command lines and the environment of the bundled service's program.

`service_command` starts the service. `models_command` and `catalog_command` query the same program:
`run_cli` runs it to its end and returns its output.
"""

import asyncio
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from local_tools.aio import start_managed

# What a program needs to find its files and to speak the user's language. No secrets, no
# proxies, nothing that loads foreign code, and of a frozen program no path into its bundle.
_PASSED_ON = frozenset(
    {
        "APPDATA",
        # Where the Hugging Face libraries and Ollama keep models, and where models come from.
        "HF_ENDPOINT",
        "HF_HOME",
        "HF_HUB_CACHE",
        "HOME",
        "LANG",
        "LOCALAPPDATA",
        "LOGNAME",
        "OLLAMA_MODELS",
        "PATH",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "TMPDIR",
        "TZ",
        "USER",
        "USERNAME",
        "USERPROFILE",
    }
)
_PASSED_ON_PREFIXES = ("LC_", "XDG_")
_PROGRAM = "parley-server"


def service_command(data: Path, fd: int | None) -> list[str]:
    """Return the command line of the service as a child, on the inherited socket `fd` if given.

    From source it is this interpreter, without the current folder on its path; frozen, the
    program beside ours.
    """
    command = [*_program(), "serve", "--child", "--data-dir", str(data)]
    return command if fd is None else [*command, "--fd", str(fd)]


def models_command(data: Path) -> list[str]:
    """Return the command line that prints the models of this computer as JSON.

    `data` is the service's own folder, in which it looks for model files, too.
    """
    return [*_program(), "models", "--json", "--data-dir", str(data)]


def model_file_command(file: Path) -> list[str]:
    """Return the command line that prints what a model file is, as JSON."""
    return [*_program(), "model-files", "show", "--json", str(file)]


def model_hub_command(repository: str | None) -> list[str]:
    """Return the command line that asks the hub what a repository has, as JSON.

    Without one it prints the suggested repositories, and asks nobody.
    """
    named = () if repository is None else (repository,)
    return [*_program(), "model-files", "hub", "--json", *named]


def model_download_command(repository: str, name: str, data: Path) -> list[str]:
    """Return the command line that downloads a file, whose licence was accepted."""
    accepted = ("--yes", "--json", "--data-dir", str(data))
    return [*_program(), "model-files", "get", repository, name, *accepted]


def model_removal_command(file: Path, data: Path) -> list[str]:
    """Return the command line that deletes a model file which was downloaded here."""
    return [*_program(), "model-files", "remove", str(file), "--data-dir", str(data)]


def catalog_command(arguments: Sequence[str]) -> list[str]:
    """Return the command line about agents and skills that has these arguments."""
    return [*_program(), *arguments]


def service_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return what of our own surroundings the service gets to see."""
    kept = {name: value for name, value in environ.items() if _is_passed_on(name.upper())}
    # Otherwise the child would read its line on stdin in the encoding of the locale.
    return {**kept, "PYTHONUTF8": "1"}


def _is_passed_on(name: str) -> bool:
    return name in _PASSED_ON or name.startswith(_PASSED_ON_PREFIXES)


def _is_frozen() -> bool:
    return bool(getattr(sys, "frozen", False))


def _program() -> list[str]:
    if _is_frozen():
        return [str(_frozen_program())]
    # -P keeps the current folder off the path: a planted module there is not imported.
    return [sys.executable, "-P", "-m", "local_server.cli"]


def _frozen_program() -> Path:
    name = f"{_PROGRAM}.exe" if sys.platform == "win32" else _PROGRAM
    return Path(sys.executable).with_name(name)


_TIMEOUT_S: Final = 30.0
_REAP_TIMEOUT_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class CliResult:
    """What the program said, and the code that it ended with."""

    code: int
    output: bytes
    errors: bytes


async def run_cli(
    command: Sequence[str], environ: Mapping[str, str], given: bytes | None = None
) -> CliResult:
    """Run the program to its end, which it reaches within 30 s or by force.

    Of `environ`, which is ours, it sees what the service sees; `given` is its standard input.

    Raises:
        OSError: it cannot be started.
        TimeoutError: it took too long.
    """
    # asyncio alone leaves the pipes of a process open when its starter is cancelled.
    process = await start_managed(
        *command,
        stdin=subprocess.DEVNULL if given is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=service_environment(environ),
    )
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            output, errors = await process.communicate(given)
            return CliResult(await process.wait(), output, errors)
    finally:
        if process.returncode is None:
            process.kill()
        await process.reap(_REAP_TIMEOUT_S)
