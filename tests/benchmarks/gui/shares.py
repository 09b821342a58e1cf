"""Of many values: the ones that tell most."""

from collections.abc import Sequence


def p95(values: Sequence[float]) -> float:
    """Return the value that one in twenty lies above."""
    return _percentile(values, 95)


def p99(values: Sequence[float]) -> float:
    """Return the value that one in a hundred lies above."""
    return _percentile(values, 99)


def _percentile(values: Sequence[float], percent: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]
