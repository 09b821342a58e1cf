"""Try what tests need from this computer: an installed program may lack the permission to work."""

import subprocess
from collections.abc import Sequence

import pytest

_TIMEOUT_S = 60.0


def problem_with(argv: Sequence[str], descriptors: Sequence[int] = ()) -> str:
    """Return why a command does not work here; empty if it does."""
    try:
        done = subprocess.run(
            argv, capture_output=True, check=False, pass_fds=descriptors, timeout=_TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired) as exc:
        return f"{argv[0]} cannot be started: {exc}"
    said = done.stderr.decode("utf-8", "replace").strip()
    return f"{argv[0]} does not work here: {said}" if done.returncode else ""


def needs(problem: str) -> pytest.MarkDecorator:
    """Return a mark that skips a test because of a problem; an empty problem skips nothing."""
    return pytest.mark.skipif(bool(problem), reason=problem or "it works")
