"""What all commands share: where the data lies, and how a command runs to its end."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any, TypeVar

import platformdirs
import typer

from local_server.commands.command_error import CommandError

Data = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        envvar="PARLEY_SERVER_DATA",
        help="The folder for conversations and keys; by default where this system keeps such.",
    ),
]
Result = TypeVar("Result")


def data_folder(data: Path | None) -> Path:
    """Find the data folder: the one that was named, or the system's."""
    return data or platformdirs.user_data_path("parley-server", appauthor=False)


def run_to_end(
    command: Coroutine[Any, Any, Result],
    loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None,
) -> Result:
    """Run a command; what it cannot do is said on standard error, with exit code 1.

    Raises:
        typer.Exit: When the command failed, or was interrupted.
    """
    try:
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            return runner.run(command)
    except CommandError as exc:
        print(exc, file=sys.stderr)
        raise typer.Exit(1) from exc
    except KeyboardInterrupt:
        raise typer.Exit(0) from None
