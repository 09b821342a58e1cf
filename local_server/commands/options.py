"""What all commands share: options, what they need installed, and how a command runs to its end.

A command that cannot do what it was asked raises a `CommandError`, whose sentence `run_to_end`
prints.
"""

import asyncio
import gc
import socket
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import platformdirs
import typer

from local_server.observability import LogFormat

Data = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        envvar="PARLEY_SERVER_DATA",
        metavar="DIR",
        help="The folder for conversations and keys; by default in the user’s data folder.",
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
        help="A database that several services share: postgresql+asyncpg://USER@HOST/NAME.",
    ),
]
Redis = Annotated[
    str | None,
    typer.Option(
        "--redis-url",
        envvar=REDIS_URL,
        metavar="URL",
        show_default=False,
        help="Redis for limits and locks, required with --database-url: redis://HOST or rediss://HOST.",
    ),
]
Result = TypeVar("Result")
_PACKAGES: Final = ("asyncpg", "greenlet", "prometheus_client", "redis")
LogForm = Annotated[
    LogFormat,
    typer.Option(
        "--log-format",
        envvar="PARLEY_LOG_FORMAT",
        metavar="text|json",
        help="The format of log lines: text, or one JSON object a line.",
    ),
]
MetricsPort = Annotated[
    int | None,
    typer.Option(
        "--metrics-port",
        envvar="PARLEY_METRICS_PORT",
        min=0,
        max=65535,
        metavar="N",
        help="Serve Prometheus metrics at /metrics on this loopback port; 0 takes a free one.",
    ),
]


class CommandError(Exception):
    """The command cannot do what it was asked; the message tells the user why."""


def _say_version(is_asked: bool) -> None:
    if is_asked:
        print(f"parley-server {version('parley')}")
        raise typer.Exit


def parley_server(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_say_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Handle the options that stand before any command."""


def data_folder(data: Path | None) -> Path:
    """Find the data folder: the one that was named, or the system's."""
    return data or platformdirs.user_data_path("parley-server", appauthor=False)


@contextmanager
def reported_errors() -> Iterator[None]:
    """Print what a command cannot do to standard error, and end with exit code 1.

    Raises:
        typer.Exit: When the command failed.
    """
    try:
        yield
    except CommandError as exc:
        print(exc, file=sys.stderr)
        raise typer.Exit(1) from exc


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Collect no garbage in what the block imports, neither meanwhile nor later: there is none."""
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
        with reported_errors(), asyncio.Runner(loop_factory=loop_factory) as runner:
            return runner.run(command)
    except KeyboardInterrupt:
        raise typer.Exit(0) from None


def require_cluster(option: str) -> None:
    """Refuse an option whose packages are not installed.

    Raises:
        CommandError: When one of them is missing; the message says what to install.
    """
    if any(find_spec(name) is None for name in _PACKAGES):
        raise CommandError(
            f"{option} needs packages that are not installed here. "
            "Install Parley with its extra “cluster”: in a checkout, pip install '.[cluster]'."
        )


@dataclass(frozen=True)
class ObservabilityOptions:
    """How a service is watched.

    Attributes:
        metrics_port: None for no metrics, 0 for any free port.
    """

    log_format: LogFormat
    metrics_port: int | None = None


def bind_metrics(observing: ObservabilityOptions) -> socket.socket | None:
    """Bind the port of the metrics, if there is to be one; whoever gets it closes it.

    Raises:
        CommandError: When the port is not free, or the packages for metrics are not installed.
    """
    from local_server.serving import BindError, bind_socket  # noqa: PLC0415 - heavy

    if observing.metrics_port is None:
        return None
    require_cluster("--metrics-port")
    try:
        return bind_socket("127.0.0.1", observing.metrics_port)
    except BindError as exc:
        raise CommandError(f"{exc} Choose another port with --metrics-port N.") from exc
