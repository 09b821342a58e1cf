"""What stands behind a service: where its data lies, and what it shares with others like it."""

from dataclasses import dataclass

from pydantic import SecretStr

from local_server.clock import Clock
from local_server.coordination import Coordination
from local_server.store.opening import StoreAddress


@dataclass(frozen=True)
class BackendConfig:
    """Told once, at the start.

    Attributes:
        store: A data folder, for a service that is alone with it, or a PostgreSQL database.
        redis_url: Where several services on one database agree on limits and turns.
    """

    store: StoreAddress
    redis_url: SecretStr | None = None

    @property
    def is_shared(self) -> bool:
        """Tell whether other services may stand on it too."""
        return self.redis_url is not None

    async def open_shared(self, clock: Clock, release_wait_s: float) -> Coordination:
        """Open what is shared; whoever opens it closes it.

        Raises:
            SharedError: When it cannot be used.
        """
        if self.redis_url is None:
            return Coordination.in_this_process(clock, release_wait_s)
        # In the extra `cluster`, and 0.4 s to import.
        from local_server.cluster.redis_coordination import (  # noqa: PLC0415 - optional, heavy
            open_coordination,
        )

        return await open_coordination(self.redis_url, release_wait_s)
