"""What a service is told of how it is to be watched: the form of its log, and where metrics are."""

import socket
from dataclasses import dataclass
from typing import Annotated

import typer

from local_server.commands.command_error import CommandError
from local_server.observing.logs import LogFormat

LogForm = Annotated[
    LogFormat | None,
    typer.Option(
        "--log-format",
        envvar="PARLEY_LOG_FORMAT",
        metavar="text|json",
        help="A line for people, or a JSON object; by default JSON with several workers.",
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
        help="Metrics for Prometheus at /metrics of this loopback port, or with 0 of a free one; "
        "each worker takes the next.",
    ),
]


@dataclass(frozen=True)
class Observing:
    """How a service is watched.

    Attributes:
        metrics_port: None for no metrics, 0 for any free port.
        metrics_ports: How many ports there are from that one on, one for each worker.
    """

    log_format: LogFormat
    metrics_port: int | None = None
    metrics_ports: int = 1


def choose_observing(
    log_format: LogFormat | None, metrics_port: int | None, workers: int
) -> Observing:
    """Fill in what was not said on the command line."""
    usual = LogFormat.TEXT if workers == 1 else LogFormat.JSON
    return Observing(log_format or usual, metrics_port, workers)


def bind_metrics(observing: Observing) -> socket.socket | None:
    """Bind the port of the metrics, if there is to be one; whoever gets it closes it.

    Raises:
        CommandError: When no port is free.
    """
    from local_server.serving import BindError, bind_socket  # noqa: PLC0415 - heavy

    if observing.metrics_port is None:
        return None
    count = observing.metrics_ports if observing.metrics_port else 1
    refusal = ""
    for port in range(observing.metrics_port, observing.metrics_port + count):
        try:
            return bind_socket("127.0.0.1", port)
        except (BindError, OverflowError) as exc:
            refusal = str(exc)
    raise CommandError(f"{refusal} Choose another port with --metrics-port N.")
