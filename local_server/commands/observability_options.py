"""What a service is told of how it is to be watched: the form of its log, and where metrics are."""

import socket
from dataclasses import dataclass
from typing import Annotated

import typer

from local_server.commands.cluster_extra import require_cluster
from local_server.commands.options import CommandError
from local_server.observability.logs import LogFormat

LogForm = Annotated[
    LogFormat,
    typer.Option(
        "--log-format",
        envvar="PARLEY_LOG_FORMAT",
        metavar="text|json",
        help="A line for people, or a JSON object.",
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
        help="Metrics for Prometheus at /metrics of this loopback port, or with 0 of a free one.",
    ),
]


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
