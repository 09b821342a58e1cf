"""A program that nobody touches reaches for nobody."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.strace import needs_strace, reached, traced
from tests.support.window import has_chosen_offline

_ROOT: Final = Path(__file__).parents[2]
# Nothing in the program that knows the network waits for longer than this by itself.
_IDLE_S: Final = 120.0
_END_S: Final = 20.0


@pytest.mark.long
@pytest.mark.timeout(300)
@needs_strace
@pytest.mark.security(74)
def test_idle_program_reaches_for_nothing_beyond_this_computer(tmp_path: Path) -> None:
    """Two minutes by the real clock, with the service running, stand for the hour."""
    has_chosen_offline(tmp_path)
    trace = tmp_path / "trace"
    command = traced((sys.executable, "-m", "app.main", "--data", str(tmp_path)), trace)
    around = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen(command, cwd=_ROOT, env=around, start_new_session=True) as program:
        with pytest.raises(subprocess.TimeoutExpired):
            program.wait(_IDLE_S)
        os.killpg(program.pid, signal.SIGTERM)
        program.wait(_END_S)

    # It did talk: to its own service.
    assert "sin_port" in trace.read_text(encoding="utf-8", errors="replace")
    assert reached(trace) == []
