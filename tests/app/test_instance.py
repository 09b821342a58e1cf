"""A second start raises the first window instead of opening the same data twice."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.instance import SingleInstance
from app.summons import patience

_ROOT = Path(__file__).parents[2]
_HOLD = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.instance import SingleInstance
app = QCoreApplication([])
instance = SingleInstance(Path(sys.argv[1]))
print(instance.acquire(), flush=True)
instance.listen()
sys.stdin.read()
"""


@pytest.mark.security(86)
def test_a_second_start_raises_the_first_window(tmp_path: Path, qtbot: QtBot) -> None:
    first = SingleInstance(tmp_path)
    second = SingleInstance(tmp_path)
    assert first.acquire()
    first.listen()

    with qtbot.waitSignal(first.raise_requested, timeout=20_000):
        assert second.settle() == "called"

    first.release()


@pytest.mark.usefixtures("qapp")
def test_a_second_start_asks_again_when_the_first_does_not_listen_yet(
    tmp_path: Path, qtbot: QtBot
) -> None:
    first, second = SingleInstance(tmp_path), SingleInstance(tmp_path)
    assert first.settle() == "first"

    def until_it_listens() -> Iterator[None]:
        yield
        first.listen()
        yield

    with qtbot.waitSignal(first.raise_requested, timeout=20_000):
        assert second.settle(until_it_listens()) == "called"

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
def test_the_folder_is_free_again_after_the_first_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=_ROOT,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"True\n"
        mine = SingleInstance(tmp_path)
        assert not mine.acquire()

        holder.kill()
        holder.wait(20)

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
