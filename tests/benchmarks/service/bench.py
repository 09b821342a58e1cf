"""One run of the benchmark: what its parts share."""

import asyncio
import contextlib
import itertools
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from tests.benchmarks.service import parties
from tests.benchmarks.service.cores import Cores
from tests.benchmarks.service.exchange import connected
from tests.benchmarks.service.orders import Order
from tests.benchmarks.service.parties import Party

Result = TypeVar("Result")


@dataclass(frozen=True)
class Bench:
    """The means of a run; made by the program, ends with it.

    Attributes:
        folder: Where what is measured keeps its data.
        peer_program: LiteLLM's, if it could be installed.
        is_quick: Few and short rounds: to see that it works, not what is fast.
    """

    cores: Cores
    folder: Path
    peer_program: Path | None
    is_quick: bool
    runner: asyncio.Runner
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def size(self, full: int, quick: int) -> int:
        """How much of something: in a full run, or in a quick one."""
        return quick if self.is_quick else full

    def run(self, asking: Coroutine[Any, Any, Result]) -> Result:
        """Run a coroutine to its end, in the one event loop of the run."""
        return self.runner.run(asking)

    def new_folder(self) -> Path:
        """Make an empty data folder."""
        folder = self.folder / str(next(self._numbers))
        folder.mkdir(mode=0o700)
        return folder

    @contextlib.contextmanager
    def service(self, model_port: int | None, model: str | None = None) -> Iterator[Party]:
        """Yield the service alone, with an empty data folder and perhaps another model."""
        data = self.new_folder()
        key = parties.make_key(data)
        with parties.service(self.cores, data, key, model_port, model) as service:
            yield service

    @contextlib.contextmanager
    def all_parties(self) -> Iterator[Sequence[Party]]:
        """Run the service, LiteLLM's proxy if it is here, and last the bare upstream, all warm."""
        with contextlib.ExitStack() as running:
            bare = running.enter_context(parties.upstream(self.cores))
            found = [running.enter_context(self.service(bare.port))]
            if self.peer_program is not None:
                peer = parties.peer(
                    self.cores, self.new_folder(), self.peer_program, parties.peer_models(bare)
                )
                found.append(running.enter_context(peer))
            for party in (*found, bare):
                self.run(warm_up(party))
            yield (*found, bare)


async def warm_up(party: Party, replies: int = 5) -> None:
    """Have everything imported and compiled that the first replies need."""
    async with connected(party.port) as exchange:
        for request in await party.requests(Order("fast", 100), replies):
            await exchange.stream(request, 100)
