"""The settings and the clock of a running service, which never change."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from pydantic import SecretStr

# A source of the present moment, with its zone; tests give another one.
Clock = Callable[[], datetime]

RESOURCES: Final = Path(__file__).resolve().parent.parent / "resources"


def utc_now() -> datetime:
    """Return the present moment, with its zone."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class ConnectionTimeouts:
    """How long a connection waits for its client.

    Attributes:
        head_s: How long the head of a request may take; also how long the rest of a request that
            was answered early is still read.
        body_s: A body must make progress within this time.
        reader_s: The client must read some of an answer within this time.
    """

    head_s: float = 10.0
    body_s: float = 10.0
    reader_s: float = 60.0


@dataclass(frozen=True)
class ServiceSettings:
    """The settings of one run of the service; immutable.

    Attributes:
        allowed_hosts: The exact values of the Host header that are accepted.
        launch_key: If given, the only valid key (child mode).
        proof_secret: If given, `/proof` proves that this service knows it (child mode).
        resources: The folder with the agents and skills that ship.
        data: The folder with the users' own agents and skills; None for none.
        body_limit_bytes: The largest request body that is read.
        max_connections: How many connections one process has at the same time.
        connection_timeouts: How long a connection waits for its client.
        wrong_key_delay_s: How long the answer to a wrong key is delayed after many of them.
        silence_s: After this long without an event a stream sends a comment (keep-alive).
        release_wait_s: How long a request waits until a stream that was just stopped has released
            its conversation.
    """

    allowed_hosts: frozenset[str]
    launch_key: SecretStr | None = None
    proof_secret: SecretStr | None = None
    resources: Path = RESOURCES
    data: Path | None = None
    body_limit_bytes: int = 8 * 1024 * 1024
    max_connections: int = 2000
    connection_timeouts: ConnectionTimeouts = ConnectionTimeouts()
    wrong_key_delay_s: float = 1.0
    silence_s: float = 10.0
    release_wait_s: float = 0.5
