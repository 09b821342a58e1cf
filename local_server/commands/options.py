"""What all commands share: where the data lies, and how a command runs to its end.

A command that cannot do what it was asked raises a `CommandError`, whose sentence `run_to_end`
prints.
"""

import asyncio
import gc
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import platformdirs
import typer


class CommandError(Exception):
    """The command cannot do what it was asked; the message tells the user why."""


Data = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        envvar="PARLEY_SERVER_DATA",
        metavar="DIR",
        help="The folder for conversations and keys; by default where this system keeps such.",
    ),
]
DATABASE_URL: Final = "PARLEY_DATABASE_URL"
REDIS_URL: Final = "PARLEY_REDIS_URL"
Database = Annotated[
    str | None,
    typer.Option(
        "--database-url",
        envvar=DATABASE_URL,
        metavar="URL",
        show_default=False,
        help="postgresql+asyncpg://…, for services that share a database.",
    ),
]
Redis = Annotated[
    str | None,
    typer.Option(
        "--redis-url",
        envvar=REDIS_URL,
        metavar="URL",
        show_default=False,
        help="redis://… or rediss://…, where services on one database agree on limits.",
    ),
]
Result = TypeVar("Result")


def _say_version(is_asked: bool) -> None:
    if is_asked:
        print(f"parley-server {version('parley')}")
        raise typer.Exit


def parley_server(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_say_version, is_eager=True, help="Say which version this is."
        ),
    ] = False,
) -> None:
    """The bundled service of Parley."""


def data_folder(data: Path | None) -> Path:
    """Find the data folder: the one that was named, or the system's."""
    return data or platformdirs.user_data_path("parley-server", appauthor=False)


@contextmanager
def said_in_words() -> Iterator[None]:
    """Say what a command cannot do on standard error, and end with exit code 1.

    Raises:
        typer.Exit: When the command failed.
    """
    try:
        yield
    except CommandError as exc:
        print(exc, file=sys.stderr)
        raise typer.Exit(1) from exc


@contextmanager
def kept_to_the_end() -> Iterator[None]:
    """Look for no garbage in what the block imports, neither meanwhile nor later: there is none."""
    is_collecting = gc.isenabled()
    gc.disable()
    yield
    gc.freeze()
    if is_collecting:
        gc.enable()


def run_to_end(
    command: Coroutine[Any, Any, Result],
    loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None,
) -> Result:
    """Run a command; what it cannot do is said on standard error, with exit code 1.

    Raises:
        typer.Exit: When the command failed, or was interrupted.
    """
    try:
        with said_in_words(), asyncio.Runner(loop_factory=loop_factory) as runner:
            return runner.run(command)
    except KeyboardInterrupt:
        raise typer.Exit(0) from None
