"""How one start of the program tells another that its window should come forward.

Imported after the first paint, which needs no sockets.
"""

import time
from collections.abc import Callable, Iterator
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

# A connection is made at once, also to a program that hangs, or is about to end; an answer is not.
_CONNECTION_LIMIT_MS: Final = 1_000
_ANSWER_LIMIT_MS: Final = 5_000
_ANSWER: Final = b"\n"
_PATIENCE_S: Final = 5.0
_PAUSE_S: Final = 0.02


class Summons(QObject):
    """Hears, under this name, whoever calls `summon`. Made by the instance that has the folder."""

    came = Signal()
    """Another start of the program wants this window to come forward."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_server_new_connection)
        # A killed program leaves its socket behind; the lock says that nobody listens there.
        QLocalServer.removeServer(name)
        self._server.listen(name)

    def close(self) -> None:
        """Hears nothing more."""
        self._server.close()

    def _on_server_new_connection(self) -> None:
        while (connection := self._server.nextPendingConnection()) is not None:
            connection.disconnected.connect(connection.deleteLater)
            self.came.emit()
            connection.write(_ANSWER)
            connection.flush()
            connection.disconnectFromServer()


def summon(name: str) -> bool:
    """Asks whoever listens under this name; false when nobody does, or nobody answers."""
    socket = QLocalSocket()
    socket.connectToServer(name)
    return socket.waitForConnected(_CONNECTION_LIMIT_MS) and socket.waitForReadyRead(
        _ANSWER_LIMIT_MS
    )


def patience(
    clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
) -> Iterator[None]:
    """Yields at once, and then again and again while a program may still be about to listen.

    One that has only just begun does not listen yet, and a computer may be busy with its start.
    """
    end = clock() + _PATIENCE_S
    yield
    while clock() < end:
        sleep(_PAUSE_S)
        yield
