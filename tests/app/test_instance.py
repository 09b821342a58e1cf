"""A second start raises the first window instead of opening the same data twice."""

import hashlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalSocket

from app.platform.instance_channel import retry_ticks
from app.platform.single_instance import SingleInstance

_ROOT = Path(__file__).parents[2]
_HOLD = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.platform.single_instance import SingleInstance

def tell(*words):
    print(*words, flush=True)

app = QCoreApplication([])
instance = SingleInstance(Path(sys.argv[1]))
instance.raise_requested.connect(lambda token: tell("raised", token))
instance.file_requested.connect(lambda file: tell("file", file))
tell(instance.acquire_or_activate())
sys.stdin.readline()
instance.listen()
tell("listens")
sys.exit(app.exec())
"""


class _Holder:
    """Another program that holds the folder."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        assert self.said() == "primary"

    def said(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def listen(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        assert self.said() == "listens"

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(20)


@pytest.fixture
def holder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[_Holder]:
    monkeypatch.setattr("app.platform.instance_channel._ANSWER_LIMIT_MS", 20_000)
    with _held(tmp_path) as held:
        yield held


@contextmanager
def _held(folder: Path) -> Iterator[_Holder]:
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=_ROOT,
        text=True,
    ) as process:
        held = _Holder(process)
        yield held
        held.kill()


@pytest.mark.security(86)
@pytest.mark.usefixtures("qapp")
def test_a_second_start_raises_the_first_window(
    tmp_path: Path, holder: _Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "token-of-the-launcher")
    second = SingleInstance(tmp_path)

    def until_it_listens() -> Iterator[None]:
        # It has only just begun.
        yield
        holder.listen()
        yield

    assert second.acquire_or_activate(until_it_listens()) == "activated"
    assert holder.said() == "raised token-of-the-launcher"


@pytest.mark.security(86)
@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("said", [b"", b"\x1b[2J \xff\n", b"x" * 100_000])
def test_malformed_call_from_another_instance_raises_the_window(
    said: bytes, tmp_path: Path, holder: _Holder
) -> None:
    holder.listen()
    socket = QLocalSocket()
    socket.connectToServer(SingleInstance(tmp_path)._name)
    assert socket.waitForConnected(20_000)

    socket.write(said)

    assert socket.waitForReadyRead(20_000)
    assert holder.said() == "raised"


@pytest.mark.security(102)
@pytest.mark.skipif(sys.platform == "win32", reason="not run here: names of pipes")
@pytest.mark.parametrize("depth", [0, 8])
@pytest.mark.usefixtures("qapp")
def test_socket_in_a_folder_that_others_can_write_is_not_called(
    tmp_path_factory: pytest.TempPathFactory, depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The names that a stranger can foresee, in the folder that all users share.
    shared = tmp_path_factory.mktemp("s")
    shared.chmod(0o1777)
    monkeypatch.setenv("TMPDIR", str(shared))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    data = tmp_path_factory.mktemp("d") / Path(*["deep-folder"] * depth)
    data.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(str(data.resolve()).encode()).hexdigest()[:16]
    (shared / f"parley-{os.getuid()}").mkdir(mode=0o777)
    (shared / f"parley-{os.getuid()}").chmod(0o777)
    first, second = SingleInstance(data), SingleInstance(data)
    assert first.acquire_or_activate() == "primary"
    with (
        _answering(shared / f"parley-{digest}"),
        _answering(shared / f"parley-{os.getuid()}" / digest),
    ):
        assert second.acquire_or_activate([None]) == "unresponsive"
    first.release()


@contextmanager
def _answering(place: Path) -> Iterator[None]:
    """Somebody who answers every call at a place."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place))
        listener.listen()

        def answer() -> None:
            with suppress(OSError):
                while True:
                    listener.accept()[0].sendall(b"\n")

        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(20)


@pytest.mark.usefixtures("qapp")
def test_a_data_folder_with_a_long_path_can_be_called_too(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path_factory.mktemp("s")))
    monkeypatch.setattr("tempfile.tempdir", None)
    data = tmp_path_factory.mktemp("d") / Path(*["deep-folder"] * 9)
    data.mkdir(parents=True)
    with _held(data) as holder:
        holder.listen()
        assert SingleInstance(data).acquire_or_activate([None]) == "activated"
        assert holder.said() == "raised"


@pytest.mark.usefixtures("qapp")
def test_a_model_file_reaches_the_first_start_whatever_it_is_called(tmp_path: Path) -> None:
    file = tmp_path / "My mödels" / "a b%20#?.gguf"
    with _held(tmp_path) as holder:
        holder.listen()
        assert SingleInstance(tmp_path).acquire_or_activate([None], file) == "activated"
        assert (holder.said(), holder.said()) == ("raised", f"file {file}")


@pytest.mark.usefixtures("qapp")
def test_a_first_start_that_hangs_is_mute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.platform.instance_channel._ANSWER_LIMIT_MS", 10)
    first, second = SingleInstance(tmp_path), SingleInstance(tmp_path)
    assert first.acquire_or_activate() == "primary"
    first.listen()

    # Its loop comes to no turn.
    assert second.acquire_or_activate([None]) == "unresponsive"

    first.release()


@pytest.mark.usefixtures("qapp")
def test_a_second_start_takes_the_place_of_one_that_is_about_to_end(tmp_path: Path) -> None:
    first, second = SingleInstance(tmp_path), SingleInstance(tmp_path)
    assert first.acquire_or_activate() == "primary"
    first.listen()
    # Its window is closed, and what is behind it is put away.
    first.ignore()

    def until_it_ends() -> Iterator[None]:
        yield
        first.release()
        yield

    assert second.acquire_or_activate(until_it_ends()) == "primary"
    second.release()


@pytest.mark.usefixtures("qapp")
def test_a_first_start_that_never_listens_is_mute(tmp_path: Path) -> None:
    first, second = SingleInstance(tmp_path), SingleInstance(tmp_path)
    assert first.acquire_or_activate() == "primary"

    assert second.acquire_or_activate([None, None]) == "unresponsive"

    first.release()


def test_a_second_start_asks_at_once_and_for_five_seconds() -> None:
    """Our choice of how long."""
    now_s = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now_s
        now_s += seconds

    tries = retry_ticks(lambda: now_s, sleep)
    next(tries)
    assert now_s == 0
    assert all(pause is None for pause in tries)
    assert 5 <= now_s < 6


@pytest.mark.security(86)
@pytest.mark.usefixtures("qapp")
def test_the_folder_is_free_again_after_the_first_is_killed(
    tmp_path: Path, holder: _Holder
) -> None:
    holder.listen()
    mine = SingleInstance(tmp_path)
    assert not mine.acquire()

    holder.kill()

    assert mine.acquire()
    mine.listen()
    mine.release()


@pytest.mark.usefixtures("qapp")
def test_a_folder_that_cannot_be_locked_is_not_taken_for_one_in_use(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="in-use"):
        SingleInstance(tmp_path / "not there").acquire()


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("content", [b"", b"\xff\x00 no lock", b"words\nof others\n"])
def test_damaged_lock_without_owner_is_put_aside(tmp_path: Path, content: bytes) -> None:
    lock = tmp_path / "in-use.lock"
    lock.write_bytes(content)
    os.utime(lock, (0, 0))
    instance = SingleInstance(tmp_path)

    assert instance.acquire()

    [aside] = tmp_path.glob("in-use.damaged-*.lock")
    assert aside.read_bytes() == content
    instance.release()


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("thing", ["folder", "link"])
def test_file_that_is_not_a_lock_is_put_aside(tmp_path: Path, thing: str) -> None:
    lock = tmp_path / "in-use.lock"
    if thing == "folder":
        lock.mkdir()
    else:
        lock.symlink_to("nowhere")
    instance = SingleInstance(tmp_path)

    assert instance.acquire()

    [aside] = (path for path in tmp_path.iterdir() if ".damaged-" in path.name)
    assert aside.is_symlink() or aside.is_dir()
    instance.release()


@pytest.mark.usefixtures("qapp")
def test_a_lock_that_is_just_being_made_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "in-use.lock").touch()

    assert not SingleInstance(tmp_path).acquire()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows moves no file that is held")
@pytest.mark.usefixtures("qapp")
def test_a_lock_that_was_emptied_while_somebody_holds_it_is_left_alone(
    tmp_path: Path, holder: _Holder
) -> None:
    holder.listen()
    lock = tmp_path / "in-use.lock"
    lock.write_bytes(b"")
    os.utime(lock, (0, 0))

    assert not SingleInstance(tmp_path).acquire()


@pytest.mark.usefixtures("qapp")
def test_two_data_folders_do_not_know_each_other(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, other = SingleInstance(tmp_path / "a"), SingleInstance(tmp_path / "b")

    assert one.acquire()
    assert other.acquire()

    one.release()
    other.release()
