"""Correct the estimate of tokens for each model, by what the model has counted itself.

Questions are trimmed to a window by estimated tokens. `TokenRates` remembers for each model how far
the estimate is off, in a file in the data folder: if a model has refused a question as too long,
later ones are trimmed more, also after a restart.
"""

import asyncio
import json
import logging
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from local_server.assistant.models.failures import CountedTokens
from local_tools.recovery.files import write_atomically

log = logging.getLogger(__name__)

RATES_FILE: Final = "token-rates.json"
# In a shorter question the chat template weighs too much for a rate that holds for longer ones.
_LEAST_TOKENS: Final = 500
_HIGHEST: Final = 8.0
# The weight of a new rate that is lower than the known one; a higher one replaces it at once.
_WEIGHT: Final = 0.1
# Smaller changes of a rate are not written to the file.
_NOTICEABLE: Final = 0.05
_MOST_MODELS: Final = 200
_MOST_BYTES: Final = 256 * 1024


@dataclass(frozen=True)
class _Learnt:
    """What is known of one model.

    Attributes:
        rate: Counted tokens for each estimated one; at least 1.
        told: The window that was assumed when the model named a smaller one in a refusal.
        window: The smaller window that it named; 0 if it has never done so.
    """

    rate: float = 1.0
    told: int = 0
    window: int = 0


class TokenRate:
    """How one model counts. Lives as long as the `TokenRates` that it belongs to."""

    def __init__(self, rates: "TokenRates", model: str) -> None:
        self._rates = rates
        self._model = model

    @classmethod
    def unknown(cls, model: object = None) -> "TokenRate":
        """Make one that is remembered nowhere."""
        return cls(TokenRates(), str(model))

    def window(self, told: int) -> int:
        """Return the window of a model in its own tokens; `told` is what its server says."""
        learnt = self._rates.read(self._model)
        return min(told, learnt.window) if learnt.told == told and learnt.window else told

    def as_estimated(self, window: int) -> int:
        """Return the size of a window in estimated tokens."""
        return int(window / self._rates.read(self._model).rate)

    async def learn(self, estimated: int, counted: int) -> None:
        """Learn from an answer: what its question was estimated at, and what the model counted."""
        rate = counted / max(estimated, 1)
        # A server with a prompt cache may count only the new part; such a count says nothing.
        if estimated < _LEAST_TOKENS or rate < 1 / 2:
            return
        learnt = self._rates.read(self._model)
        if rate < learnt.rate:
            rate = max(1.0, learnt.rate + _WEIGHT * (rate - learnt.rate))
        await self._rates.write(self._model, replace(learnt, rate=min(rate, _HIGHEST)))

    async def learn_refusal(self, told: int, estimated: int, counted: CountedTokens) -> None:
        """Learn from a question that was too long for a window of `told` tokens."""
        learnt = self._rates.read(self._model)
        if counted.window is not None and counted.window < told:
            learnt = replace(learnt, told=told, window=counted.window)
        if counted.question is not None and counted.question > estimated >= _LEAST_TOKENS:
            learnt = replace(learnt, rate=min(counted.question / estimated, _HIGHEST))
        await self._rates.write(self._model, learnt)


class TokenRates:
    """What was learnt of all models. One for the life of the service."""

    def __init__(self, folder: Path | None = None) -> None:
        """Make it; without a `folder` it is remembered for the run alone."""
        self._file = None if folder is None else folder / RATES_FILE
        self._learnt: dict[str, _Learnt] | None = None
        self._saved: dict[str, _Learnt] = {}
        self._writing = asyncio.Lock()

    def of(self, model: str) -> TokenRate:
        """Return how a model counts, by its id."""
        return TokenRate(self, model)

    def read(self, model: str) -> _Learnt:
        """Return what is known of a model."""
        return self._all().get(model, _Learnt())

    async def write(self, model: str, learnt: _Learnt) -> None:
        """Store what was learnt of a model; in the file, too, if it differs noticeably from it."""
        known = self._all()
        known.pop(model, None)
        known[model] = learnt
        while len(known) > _MOST_MODELS:
            del known[next(iter(known))]
        saved = self._saved.get(model, _Learnt())
        is_new = abs(learnt.rate - saved.rate) > _NOTICEABLE or learnt.window != saved.window
        if self._file is None or not is_new:
            return
        self._saved = dict(known)
        rows = {name: [one.rate, one.told, one.window] for name, one in known.items()}
        async with self._writing:
            try:
                await asyncio.to_thread(write_atomically, self._file, json.dumps(rows))
            except OSError as exc:
                log.warning("cannot save how models count tokens: %s", exc)

    def _all(self) -> dict[str, _Learnt]:
        if self._learnt is None:
            self._saved = {} if self._file is None else _read(self._file)
            self._learnt = dict(self._saved)
        return self._learnt


def _read(file: Path) -> dict[str, _Learnt]:
    """Read what can be read: all of it can be learnt anew."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            return {}
        rows = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    rows = rows if isinstance(rows, dict) else {}
    return {name: learnt for name, row in rows.items() if (learnt := _learnt(row)) is not None}


def _learnt(row: Any) -> _Learnt | None:
    match row:
        case [int() | float() as rate, int() as told, int() as window] if (
            1 <= rate <= _HIGHEST and told >= 0 and window >= 0
        ):
            return _Learnt(float(rate), told, window)
    return None
