"""How dev.py runs other programs: what is told of a failure, and that none holds it for ever."""

import io
import re
import sys
from pathlib import Path

import processes
import psutil
import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Its programs are of the shell.")

_SAYS_BOTH = "echo 'failed: it timed out'; echo 'some noise' >&2; exit 1"


@pytest.mark.parametrize(
    ("asks_network", "told"),
    [
        (False, "It failed. The last that was said:\n  failed: it timed out\n  some noise"),
        (True, "It failed, since the network did not answer. Check the connection"),
    ],
)
def test_a_failure_is_told_in_all_words_of_a_program(*, asks_network: bool, told: str) -> None:
    with pytest.raises(processes.Failed) as failure:
        processes.run(["sh", "-c", _SAYS_BOTH], doing="It", asks_network=asks_network)
    assert str(failure.value).startswith(told)


def test_a_program_that_minds_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "END_LIMIT_S", 0.1)
    waits = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    with pytest.raises(processes.Failed, match=r"It was given up after 0\.4 s\."):
        processes.run([sys.executable, "-I", "-S", "-c", waits], doing="It", limit_s=0.4)


def test_progress_of_a_silent_program_is_printed_until_it_ends(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    noted = tmp_path / "noted"

    class Terminal(io.StringIO):
        def write(self, text: str) -> int:
            if "still running" in text:
                noted.touch()
            return super().write(text)

    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(processes, "NOTE_S", 0.05)
    waits = f"read said; until [ -e '{noted}' ]; do sleep 0.02; done; echo $said; echo end"
    said = processes.run(["sh", "-c", waits], doing="Packing (with xz)", text="begin\n", limit_s=20)

    assert said == "begin\nend\n"
    assert re.match(r"dev\.py: Packing: still running after \d+ s\.\n", shown.getvalue())


def test_what_runs_alongside_is_over_after_the_block_and_tells_its_failure() -> None:
    done: list[str] = []
    with (
        pytest.raises(processes.Failed, match="It failed") as failure,
        processes.alongside(["sh", "-c", _SAYS_BOTH], doing="It"),
    ):
        done.append("the block")
    assert done
    assert str(failure.value).endswith("failed: it timed out\n  some noise")


def test_failing_block_ends_the_command_alongside() -> None:
    before = set(psutil.Process().children())
    with (
        pytest.raises(processes.Failed, match="the block"),
        processes.alongside(["sleep", "600"], doing="It"),
    ):
        raise processes.Failed("the block")
    # What others began before may have ended meanwhile.
    assert set(psutil.Process().children()) <= before


def test_what_runs_alongside_waits_for_nobody_and_is_given_up_in_the_end() -> None:
    with processes.alongside(["cat"], doing="It"):
        pass
    with (
        pytest.raises(processes.Failed, match=r"It was given up after 0\.1 s\."),
        processes.alongside(["sleep", "600"], doing="It", limit_s=0.1),
    ):
        pass
