"""What tests need of the computer, tried: a tool that is there may be refused what it does."""

import subprocess
from collections.abc import Sequence

import pytest

_TIMEOUT_S = 60.0


def problem_with(argv: Sequence[str], descriptors: Sequence[int] = ()) -> str:
    """Why a command does not work here; empty when it does."""
    try:
        done = subprocess.run(
            argv, capture_output=True, check=False, pass_fds=descriptors, timeout=_TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired) as exc:
        return f"{argv[0]} cannot be started: {exc}"
    said = done.stderr.decode("utf-8", "replace").strip()
    return f"{argv[0]} does not work here: {said}" if done.returncode else ""


def needs(problem: str) -> pytest.MarkDecorator:
    """Skips what cannot be tested because of a problem, with that as the reason."""
    return pytest.mark.skipif(bool(problem), reason=problem or "it works")
