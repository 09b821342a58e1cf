"""One address for several processes."""

import socket
import sys
from typing import Final

from local_server.serving import BindError, bind_socket

_IS_SPREAD: Final = sys.platform == "linux"


class SharedPort:
    """An address that is held from the beginning to the end, and a socket of it for each worker.

    On Linux each worker has a socket of its own: the kernel spreads new connections evenly over
    those that listen, and passes by a worker that is gone or not ready yet. (Of one socket for
    all, whoever wakes up first takes most of a crowd.) Elsewhere they share one.

    Made by the parent of the workers, which closes it.
    """

    def __init__(self, held: socket.socket) -> None:
        self.held = held

    @classmethod
    def bind(cls, host: str, port: int) -> "SharedPort":
        """Take an address; port 0 takes a free one.

        Raises:
            BindError: When that is not possible, also when other workers answer there.
        """
        return cls(_bind(host, port, joins=False) if _IS_SPREAD else bind_socket(host, port))

    def new_socket(self) -> socket.socket:
        """Make the socket of one worker, which listens once the worker is ready.

        Raises:
            BindError: When that is not possible.
        """
        host, port = self.held.getsockname()[:2]
        return _bind(host, port, joins=True) if _IS_SPREAD else self.held.dup()

    def close(self) -> None:
        """Let go of the address."""
        self.held.close()


def _bind(host: str, port: int, *, joins: bool) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, joins)
        bound.bind((host, port))
        # The first one takes the address for itself, and only then lets the others join.
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    except OSError as exc:
        bound.close()
        raise BindError(host, port, exc) from exc
    return bound
