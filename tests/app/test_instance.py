"""A second start raises the first window instead of opening the same data twice."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalSocket

from app.instance import SingleInstance
from app.summons import patience

_ROOT = Path(__file__).parents[2]
_HOLD = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.instance import SingleInstance

def tell(*words):
    print(*words, flush=True)

app = QCoreApplication([])
instance = SingleInstance(Path(sys.argv[1]))
instance.raise_requested.connect(lambda token: tell("raised", token))
tell(instance.settle())
sys.stdin.readline()
instance.listen()
tell("listens")
sys.exit(app.exec())
"""


class _Holder:
    """Another program that holds the folder."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        assert self.said() == "first"

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
    monkeypatch.setattr("app.summons._ANSWER_LIMIT_MS", 20_000)
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(tmp_path)],
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

    assert second.settle(until_it_listens()) == "called"
    assert holder.said() == "raised token-of-the-launcher"


@pytest.mark.security(86)
@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("said", [b"", b"\x1b[2J \xff\n", b"x" * 100_000])
def test_whoever_calls_with_anything_else_raises_the_window_too(
    said: bytes, tmp_path: Path, holder: _Holder
) -> None:
    holder.listen()
    socket = QLocalSocket()
    socket.connectToServer(SingleInstance(tmp_path)._name)
    assert socket.waitForConnected(20_000)

    socket.write(said)

    assert socket.waitForReadyRead(20_000)
    assert holder.said() == "raised"


@pytest.mark.usefixtures("qapp")
def test_a_first_start_that_hangs_is_mute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.summons._ANSWER_LIMIT_MS", 10)
    first, second = SingleInstance(tmp_path), SingleInstance(tmp_path)
    assert first.settle() == "first"
    first.listen()

    # Its loop comes to no turn.
    assert second.settle([None]) == "mute"

    first.release()


@pytest.mark.usefixtures("qapp")
def test_a_second_start_takes_the_place_of_one_that_is_about_to_end(tmp_path: Path) -> None:
    first, second = SingleInstance(tmp_path), SingleInstance(tmp_path)
    assert first.settle() == "first"
    first.listen()
    # Its window is closed, and what is behind it is put away.
    first.ignore()

    def until_it_ends() -> Iterator[None]:
        yield
        first.release()
        yield

    assert second.settle(until_it_ends()) == "first"
    second.release()


@pytest.mark.usefixtures("qapp")
def test_a_first_start_that_never_listens_is_mute(tmp_path: Path) -> None:
    first, second = SingleInstance(tmp_path), SingleInstance(tmp_path)
    assert first.settle() == "first"

    assert second.settle([None, None]) == "mute"

    first.release()


def test_a_second_start_asks_at_once_and_for_five_seconds() -> None:
    """Our choice of how long."""
    now_s = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now_s
        now_s += seconds

    tries = patience(lambda: now_s, sleep)
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
def test_two_data_folders_do_not_know_each_other(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, other = SingleInstance(tmp_path / "a"), SingleInstance(tmp_path / "b")

    assert one.acquire()
    assert other.acquire()

    one.release()
    other.release()
