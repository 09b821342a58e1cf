"""Of many values: the ones that tell most."""

from collections.abc import Sequence


def p99(values: Sequence[float]) -> float:
    """Return the value that one in a hundred lies above."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
