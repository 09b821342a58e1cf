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
        head_s: How long the head of a request may take, and how long the rest of one that was
            answered early is still taken.
        body_s: Within so long something worth mentioning must come of a body.
        reader_s: Within so long something worth mentioning must be read of an answer.
    """

    head_s: float = 10.0
    body_s: float = 10.0
    reader_s: float = 60.0


@dataclass(frozen=True)
class ServiceSettings:
    """The choices of one run.

    Attributes:
        allowed_hosts: The exact values of the Host header that are answered.
        launch_key: With it, this is the only key that is valid (child mode).
        proof_secret: With it, `/proof` shows that this service knows it (child mode).
        resources: The folder with the agents and skills that ship.
        data: The folder with the users' own; None for only those that ship.
        body_limit_bytes: The largest request body that is read.
        max_connections: How many connections one process has at the same time.
        connection_timeouts: How long a connection waits for its client.
        wrong_key_delay_s: How late the answer to a wrong key comes, once there were many.
        silence_s: After so long without an event a stream sends a comment.
        release_wait_s: How long a request waits for a stream that was just stopped.
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
