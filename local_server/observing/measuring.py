"""Measures the service and answers with the metrics, for as long as it runs."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from local_server.observing.meter import Meter
from local_server.observing.metrics_port import serving_metrics
from local_server.observing.prometheus_meter import PrometheusMeter


@asynccontextmanager
async def measuring(bound: socket.socket, allowed_hosts: frozenset[str]) -> AsyncIterator[Meter]:
    """Make the meter of a service, whose figures are read at `/metrics` of a bound socket."""
    meter = PrometheusMeter()
    with meter.watching_store():
        async with serving_metrics(meter, bound, allowed_hosts):
            yield meter
