"""Ask an instance of Parley that runs already to raise its window, and receive such requests.

Imported after the first paint, which needs no sockets.
"""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, QUrl, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

ACTIVATION_VARIABLE: Final = "XDG_ACTIVATION_TOKEN"
"""The variable with the desktop's token that allows a window to be raised; Qt reads it."""

# Connecting works at once, even to a program that hangs or is about to end; answers do not.
_CONNECTION_LIMIT_MS: Final = 1_000
_ANSWER_LIMIT_MS: Final = 5_000
_ANSWER: Final = b"\n"
_SILENCE_MS: Final = 500
# A path may have 4,096 bytes, each of which may take three in a file: URL.
_LONGEST_LINE: Final = 16_384
_TOKEN: Final = re.compile(rb"([!-~]*)(?: (file:[!-~]+))?\n")
_PATIENCE_S: Final = 5.0
_PAUSE_S: Final = 0.02


class ActivationServer(QObject):
    """Listens under this name for calls of `request_activation`.

    Made by the instance that holds the data folder.
    """

    came = Signal(str)
    """Another start of the program wants this window to come forward; argument: the token that it
    was given for that, or empty."""
    file_came = Signal(object)
    """Another start of the program was given a model file; argument: its `Path`."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_server_new_connection)
        # A killed program leaves its socket behind; we hold the lock, so nobody listens there.
        QLocalServer.removeServer(name)
        self._server.listen(name)

    def close(self) -> None:
        """Stop listening."""
        self._server.close()

    def _on_server_new_connection(self) -> None:
        while (connection := self._server.nextPendingConnection()) is not None:
            call = _Call(connection, self)
            call.came.connect(self.came)
            call.file_came.connect(self.file_came)


class _Call(QObject):
    """A connection of another start: read once, with a line or without; ends on disconnect."""

    came = Signal(str)
    """The other start wants the window to come forward; argument: the token it sent, or empty."""
    file_came = Signal(object)
    """The other start was given a model file; argument: its `Path`."""

    def __init__(self, connection: QLocalSocket, parent: QObject) -> None:
        super().__init__(parent)
        self._connection = connection
        connection.setParent(self)
        # Whoever connects could otherwise send without end.
        connection.setReadBufferSize(_LONGEST_LINE)
        # Earlier versions connect and send nothing.
        self._silence = QTimer(self, singleShot=True, interval=_SILENCE_MS)
        self._silence.timeout.connect(self._hear)
        connection.readyRead.connect(self._on_connection_ready_read)
        connection.disconnected.connect(self.deleteLater)
        self._silence.start()
        self._on_connection_ready_read()

    def _on_connection_ready_read(self) -> None:
        is_long = self._connection.bytesAvailable() >= _LONGEST_LINE
        if self._silence.isActive() and (self._connection.canReadLine() or is_long):
            # By a timer, so that the caller can connect to the signal first.
            self._silence.start(0)

    def _hear(self) -> None:
        line = bytes(self._connection.readLine(_LONGEST_LINE).data())
        # A line without its line end was cut short, and counts as empty.
        said = _TOKEN.fullmatch(line)
        self.came.emit(said[1].decode() if said else "")
        if said and said[2]:
            self.file_came.emit(Path(QUrl(said[2].decode()).toLocalFile()))
        self._connection.write(_ANSWER)
        self._connection.flush()
        self._connection.disconnectFromServer()


def request_activation(name: str, token: str = "", model_file: Path | None = None) -> bool:
    """Ask the instance that listens under this name; return False if none does or answers.

    `token` lets the window there come forward, and the model of `model_file` is to answer there.
    """
    socket = QLocalSocket()
    socket.connectToServer(name)
    if not socket.waitForConnected(_CONNECTION_LIMIT_MS):
        return False
    # Earlier versions ignore the file, and only raise their window.
    file = f" {model_file.as_uri()}" if model_file else ""
    socket.write(f"{token}{file}\n".encode("ascii", "ignore"))
    socket.flush()
    return socket.waitForReadyRead(_ANSWER_LIMIT_MS)


def retry_ticks(
    clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
) -> Iterator[None]:
    """Yield at once, and then again and again while a program may still be about to listen.

    One that has only just begun does not listen yet, and a computer may be busy with its start.
    """
    end = clock() + _PATIENCE_S
    yield
    while clock() < end:
        sleep(_PAUSE_S)
        yield
