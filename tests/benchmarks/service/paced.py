"""How many streams at the pace of a model one worker holds without falling behind."""

import asyncio
import gc
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.benchmarks.rows import Goal, figures
from tests.benchmarks.service.bench import Bench
from tests.benchmarks.service.crowd import opened
from tests.benchmarks.service.orders import TOKENS_PER_S, Order
from tests.benchmarks.service.parties import PEER, SERVICE, UPSTREAM, Party
from tests.benchmarks.service.rows import Row
from tests.benchmarks.service.usage import cpu_s, wait_until_quiet

_LATE_MS = 100
_SETTLE_S = 1
_NEARNESS = 1.05
_TRIES = 2
# Longer than a trial lasts, but not for ever: who does not notice that nobody listens any more
# would carry the streams of one trial into the next.
_REPLY_S = 20
_ORDER = Order("paced", _REPLY_S * TOKENS_PER_S)
_FIRST_GUESS = {SERVICE: 200, PEER: 24}
_FIRST_STEP, _LATER_STEP = 1.4, 1.15


@dataclass
class _Window:
    """Collects how late the tokens are that were due in a time."""

    begin_us: float = math.inf
    end_us: float = math.inf
    late_us: list[float] = field(default_factory=list)

    def take(self, stamps: Sequence[bytes]) -> None:
        """Take the stamps of tokens that came just now."""
        now_us = time.monotonic() * 1e6
        for stamp in stamps:
            due_us = int(stamp)
            if self.begin_us <= due_us < self.end_us:
                self.late_us.append(now_us - due_us)


@dataclass(frozen=True)
class Trial:
    """So many streams for some seconds: the lateness of all but the latest hundredth."""

    p99_ms: float
    token_cpu_us: float

    @property
    def is_held(self) -> bool:
        return self.p99_ms <= _LATE_MS


_NOT_HELD = Trial(math.inf, math.nan)


def measure(bench: Bench) -> list[Row]:
    """Search the largest number of streams that is held, twice, for each party in turn."""
    seconds = bench.size(3, 1)
    held: dict[str, list[float]] = {}
    costs: dict[str, list[float]] = {}
    with bench.all_parties() as parties:
        *searched, bare = parties
        for number in range(bench.size(2, 1)):
            for party in searched:
                guess = round(held.get(party.name, [_FIRST_GUESS[party.name]])[-1])

                def trial(count: int, party: Party = party) -> Trial:
                    return _best_of(bench, party, count, seconds)

                count, best = search(trial, guess, _LATER_STEP if number else _FIRST_STEP)
                held.setdefault(party.name, []).append(count)
                costs.setdefault(party.name, []).append(best.token_cpu_us)
        most = round(max(held[SERVICE]))
        floor = bench.run(_try(bare, most, seconds))
    return [
        Row(
            "paced streams held (50 tokens/s)",
            "",
            figures(held),
            Goal(3, is_least=True),
            digits=0,
            notes=(
                f"held: 99 of 100 tokens at most {_LATE_MS} ms late; straight from the upstream, "
                f"{most} streams are {floor.p99_ms:.1f} ms late",
            ),
        ),
        Row(
            "CPU per delta at that pace",
            "µs",
            figures(costs | {UPSTREAM: [floor.token_cpu_us]}),
        ),
    ]


def search(trial: Callable[[int], Trial], guess: int, step: float) -> tuple[int, Trial]:
    """Find the largest number that is held, to within a twentieth, and how it was held.

    Args:
        trial: Tries a number.
        guess: Where to begin.
        step: The factor between tries until one is held and one is not.
    """
    low, high = 0, 0
    best = _NOT_HELD
    count = max(1, guess)
    while high != 1 and (not low or not high or high > max(low * _NEARNESS, low + 1)):
        result = trial(count)
        if result.is_held:
            low, best = count, result
            count = max(low + 1, round(low * step))
        else:
            high = count
            count = max(1, min(high - 1, round(high / step)))
        if low and high:
            count = max(low + 1, round(math.sqrt(low * high)))
    return low, best


def _best_of(bench: Bench, party: Party, count: int, seconds: float) -> Trial:
    """Try again what was not held: something else may have needed the machine."""
    for _ in range(_TRIES):
        result = bench.run(_try(party, count, seconds))
        if result.is_held:
            return result
    return _NOT_HELD


async def _try(party: Party, count: int, seconds: float) -> Trial:
    window = _Window()
    gc.collect()
    gc.disable()
    try:
        async with opened(party, _ORDER, count, window.take):
            used_s = await _watch(party, window, seconds)
    except TimeoutError:
        # So many cannot even be opened.
        return _NOT_HELD
    finally:
        gc.enable()
    await wait_until_quiet(party.process)
    tokens = round(count * TOKENS_PER_S * seconds)
    return Trial(_p99_ms(window.late_us, tokens), used_s / tokens * 1e6)


async def _watch(party: Party, window: _Window, seconds: float) -> float:
    """Let the streams run for a while, and tell the processor time of that, in seconds."""
    await asyncio.sleep(_SETTLE_S)
    used_s = cpu_s(party.process)
    window.begin_us = time.monotonic() * 1e6
    window.end_us = window.begin_us + seconds * 1e6
    await asyncio.sleep(seconds)
    used_s = cpu_s(party.process) - used_s
    await asyncio.sleep(2 * _LATE_MS / 1e3)
    return used_s


def _p99_ms(late_us: Sequence[float], expected: int) -> float:
    """Return the lateness of all but a hundredth; what did not come at all is the latest."""
    most = expected // 100
    missing = max(0, expected - len(late_us))
    if missing > most:
        return math.inf
    return sorted(late_us)[len(late_us) - 1 - (most - missing)] / 1e3
