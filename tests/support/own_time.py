"""Limits of time that a busy machine does not change."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def within_own_time(limit_s: float) -> Iterator[None]:
    """Let a block, or a test, take so much of the processor in its thread at most.

    Others may run meanwhile for as long as they like. Give several times what it takes: a
    processor that is shared is also a slower one.

    Raises:
        AssertionError: It took more.
    """
    began_s = time.thread_time()
    yield
    took_s = time.thread_time() - began_s
    assert took_s <= limit_s, f"It took {took_s:.1f} s of the processor."
