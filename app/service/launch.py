"""What the service is given: its socket, its key, and the secret that it proves itself with."""

import base64
import json
import secrets
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import SecretStr

from app.error_text import Reason
from app.errors import UserFacingError

_SECRET_BYTES = 32
_BACKLOG = 128


@dataclass(frozen=True, slots=True)
class ServiceAddress:
    """Where the service answers, and to which key."""

    base_url: str
    api_key: SecretStr


class Launch:
    """Binds the socket and makes up the key; both stay the same however often the child restarts.

    The socket belongs to this process, so nobody can take the port while the child is away; what
    connects meanwhile waits. Made and closed by `ServiceProcess`.
    """

    def __init__(self, model: str, provider_keys: Mapping[str, SecretStr]) -> None:
        self._model = model
        self._provider_keys = dict(provider_keys)
        self._socket = _listen()
        self.proof_secret = SecretStr(secrets.token_hex(_SECRET_BYTES))
        host, port = self._socket.getsockname()
        key = SecretStr(f"pk_live_{secrets.token_urlsafe(_SECRET_BYTES)}")
        self.address = ServiceAddress(f"http://{host}:{port}", key)

    @property
    def inherited_fd(self) -> int | None:
        """The descriptor that the child inherits; Windows gets the socket with the line."""
        return None if sys.platform == "win32" else self._socket.fileno()

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never stand in a log."""
        kept = (self.address.api_key, self.proof_secret, *self._provider_keys.values())
        return tuple(secret.get_secret_value() for secret in kept)

    def line_for(self, pid: int) -> bytes:
        """The one line that the child `pid` reads from its standard input."""
        keys = {name: key.get_secret_value() for name, key in self._provider_keys.items()}
        told = {
            "launch_key": self.address.api_key.get_secret_value(),
            "proof_secret": self.proof_secret.get_secret_value(),
            "socket": self._shared_with(pid),
            "model": self._model,
            "provider_keys": keys,
        }
        return json.dumps(told).encode() + b"\n"

    def close(self) -> None:
        """Give the port back."""
        self._socket.close()

    def _shared_with(self, pid: int) -> str | None:
        if sys.platform == "win32":
            return base64.b64encode(self._socket.share(pid)).decode("ascii")
        return None


def _listen() -> socket.socket:
    """Bind a free port of the loopback.

    Raises:
        UserFacingError: this computer has no loopback, or no port left.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        listener.bind(("127.0.0.1", 0))
        listener.listen(_BACKLOG)
    except OSError as exc:
        listener.close()
        raise UserFacingError(Reason.SERVICE_FAILED, {"message": str(exc.strerror)}) from exc
    return listener
