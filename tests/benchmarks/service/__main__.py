"""The command line of the benchmark."""

import argparse
import asyncio
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import psutil

from tests.benchmarks.service import (
    cores,
    engine_rows,
    first_delta,
    idle,
    listing,
    paced,
    parties,
    starting,
    throughput,
)
from tests.benchmarks.service.bench import Bench
from tests.benchmarks.service.exchange import ExchangeError
from tests.benchmarks.service.loop import new_event_loop
from tests.benchmarks.service.parties import StartError
from tests.benchmarks.service.rows import COLUMNS, Row
from tests.benchmarks.table import add_options, write

_PARTS: Mapping[str, Callable[[Bench], list[Row]]] = {
    "first-delta": first_delta.measure,
    "throughput": throughput.measure,
    "paced": paced.measure,
    "idle": idle.measure,
    "list": listing.measure,
    "start": starting.measure,
    "engine": engine_rows.measure,
}


def main(arguments: Sequence[str]) -> int:
    """Measure and print; 0 whatever the figures are, 1 when a part could not be measured."""
    options = _parser().parse_args(arguments)
    parties.allow_many_connections()
    division = cores.divide()
    cores.pin(psutil.Process(), division.asking)
    with (
        tempfile.TemporaryDirectory(prefix="parley-bench-") as folder,
        asyncio.Runner(loop_factory=new_event_loop) as runner,
    ):
        bench = Bench(division, Path(folder), options.peer, options.quick, runner)
        names: Sequence[str] = options.only or tuple(_PARTS)
        found = {name: _measured(name, bench) for name in dict.fromkeys(names)}
    rows = [row for part in found.values() for row in part or ()]
    write(cores.describe(division), rows, COLUMNS, options.json)
    return 1 if None in found.values() else 0


def _measured(name: str, bench: Bench) -> list[Row] | None:
    """Return the rows of a part; None, said with its reason, when it came to no end."""
    sys.stderr.write(f"Measuring: {name}\n")
    try:
        return _PARTS[name](bench)
    except (ExchangeError, StartError, TimeoutError, ExceptionGroup) as exc:
        sys.stderr.write("".join(traceback.format_exception_only(exc)))
        sys.stderr.write(f"Not measured: {name}\n")
        return None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dev.py bench service",
        description="Measure the service beside LiteLLM's proxy and the bare upstream.",
    )
    add_options(parser, _PARTS)
    parser.add_argument("--peer", type=Path, help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
