"""The command line of the soak run."""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QApplication

from app.event_loop import AppEventLoop
from tests.benchmarks.machine import describe
from tests.benchmarks.rows import Figure, Goal, Row
from tests.benchmarks.soak.day import Day
from tests.benchmarks.soak.pulse import Pulse, beginning_and_end, feel
from tests.benchmarks.table import add_json_option, write
from tests.support.window import running_program

_COLUMNS: Final = ("end", "beginning")
_FLAT: Final = Goal(1.05)
_UNITS: Final = {"memory_mb": "MB", "service_memory_mb": "MB"}


def main(arguments: Sequence[str]) -> int:
    """Lives as long as it is told and prints what grew; 0 whatever the figures are."""
    options = _parser().parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication(["parley"])
    with (
        tempfile.TemporaryDirectory(prefix="parley-soak-") as folder,
        AppEventLoop(application) as loop,
    ):
        rounds, pulses = loop.run_until_complete(_live(Path(folder), options.minutes * 60))
    rows = _rows(pulses)
    about = {**describe(), "rounds": rounds, "minutes": f"{options.minutes:g}"}
    write(about, rows, _COLUMNS, options.json)
    return 0


async def _live(folder: Path, duration_s: float) -> tuple[int, list[Pulse]]:
    ends_at = time.monotonic() + duration_s
    pulses: list[Pulse] = []
    async with running_program(folder / "parley") as person:
        day = Day(person, folder)
        await day.begin()
        while time.monotonic() < ends_at:
            await day.live()
            pulses.append(feel())
            if len(pulses) % 10 == 0:
                sys.stderr.write(f"{day.rounds} rounds: {pulses[-1]}\n")
    return day.rounds, pulses


def _rows(pulses: Sequence[Pulse]) -> list[Row]:
    return [
        Row(
            name.removesuffix("_mb").replace("_", " "),
            _UNITS.get(name, ""),
            {"end": Figure.of([end]), "beginning": Figure.of([beginning])},
            goal=None if name == "tasks" else _FLAT,
            subject="end",
            base="beginning",
            digits=1,
        )
        for name, (beginning, end) in beginning_and_end(pulses).items()
    ]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dev.py bench soak",
        description="Use the window as fast as it goes, and show what grows.",
    )
    parser.add_argument(
        "--minutes", type=float, default=10.0, help="duration in minutes; default 10"
    )
    add_json_option(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
