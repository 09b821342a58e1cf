"""How one start of the program tells another that its window should come forward.

Imported after the first paint, which needs no sockets.
"""

from PySide6.QtCore import QElapsedTimer, QObject, QThread, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_ANSWER_TIMEOUT_MS = 1_000
_PAUSE_MS = 20


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


def summon(name: str) -> bool:
    """Asks whoever listens under this name; false when nobody does.

    A program that has only just begun does not listen yet: this asks again for a while.
    """
    asked = QElapsedTimer()
    asked.start()
    socket = QLocalSocket()
    while not asked.hasExpired(_ANSWER_TIMEOUT_MS):
        socket.connectToServer(name)
        if socket.waitForConnected(_ANSWER_TIMEOUT_MS):
            socket.disconnectFromServer()
            return True
        QThread.msleep(_PAUSE_MS)
    return False
