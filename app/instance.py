"""One window a person and data folder: a second start raises the first one's window."""

import errno
import hashlib
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_ANSWER_TIMEOUT_MS = 1_000


class SingleInstance(QObject):
    """Holds the data folder for this program, or asks the program that holds it to come forward.

    Made before anything in the folder is opened; `release` when the program ends. After a kill
    the lock is stale: its process is gone, and it is taken over.
    """

    raise_requested = Signal()
    """Another start of the program wants this window to come forward."""

    def __init__(self, data_folder: Path) -> None:
        super().__init__()
        self._lock = QLockFile(str(data_folder / "in-use.lock"))
        # A lock is stale when its process is gone, never because it is old.
        self._lock.setStaleLockTime(0)
        digest = hashlib.sha256(str(data_folder.resolve()).encode()).hexdigest()[:16]
        self._name = f"parley-{digest}"
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_server_new_connection)

    def acquire(self) -> bool:
        """Takes the folder; false when another program holds it.

        Raises:
            OSError: the folder cannot be written.
        """
        if not self._lock.tryLock(0):
            if self._lock.error() is QLockFile.LockError.LockFailedError:
                return False
            raise OSError(
                errno.EIO, "the file that marks it as in use cannot be made", self._lock.fileName()
            )
        # A killed program leaves its socket behind; the lock says that nobody listens there.
        QLocalServer.removeServer(self._name)
        self._server.listen(self._name)
        return True

    def raise_other(self) -> bool:
        """Asks the program that holds the folder to show its window; false when it is mute."""
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        is_there = socket.waitForConnected(_ANSWER_TIMEOUT_MS)
        socket.disconnectFromServer()
        return is_there

    def release(self) -> None:
        """Gives the folder up."""
        self._server.close()
        self._lock.unlock()

    def _on_server_new_connection(self) -> None:
        while (connection := self._server.nextPendingConnection()) is not None:
            connection.disconnected.connect(connection.deleteLater)
            self.raise_requested.emit()
