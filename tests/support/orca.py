"""Orca, the screen reader of Linux, as people run it: what it says, word for word."""

import os
import queue
import re
import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO

from tests.support.atspi import Reader, desktop, missing_programs, running

_SAYS: Final = re.compile(r"SPEECH OUTPUT: '(.*)$")
# After the words, how they are spoken.
_ENDS: Final = re.compile(r"' ?\[?\{[^{}]*\}\]?$")
_TIMEOUT_S: Final = 40.0
# Orca leaves what it writes in a buffer, and looks for a speech service that is not there.
_CUSTOMIZATIONS: Final = (
    "import orca.debug\norca.debug.debugFile.reconfigure(line_buffering=True)\n"
)


def missing_for_orca() -> list[str]:
    """Return the programs that a session with Orca needs and that are not installed here."""
    return [*missing_programs(), *(name for name in ("orca", "openbox") if not shutil.which(name))]


class Listener:
    """Hears what Orca says, in its order, each utterance once."""

    def __init__(self) -> None:
        self._utterances: queue.Queue[str] = queue.Queue()

    def follow(self, debug_output: TextIO) -> None:
        """Take down all that is said until the output ends; runs in a thread."""
        words = ""
        for line in debug_output:
            begins = _SAYS.search(line)
            if begins:
                words = begins[1]
            elif words:
                words += "\n" + line.rstrip("\n")
            if words and (end := _ENDS.search(words)):
                self._utterances.put(words[: end.start()])
                words = ""

    def hears(self, words: str) -> list[str]:
        """Wait until this is part of what is said; returns all that was said since the last."""
        heard: list[str] = []
        end = time.monotonic() + _TIMEOUT_S
        while not any(words in utterance for utterance in heard):
            try:
                heard.append(self._utterances.get(timeout=max(0.0, end - time.monotonic())))
            except queue.Empty:
                raise AssertionError(f"not heard: {words}; but {heard}") from None
        return heard


@contextmanager
def listening(folder: Path) -> Iterator[tuple[dict[str, str], Reader, Listener]]:
    """Run a desktop with Orca on it; gives variables for programs, who reads, and who hears."""
    with desktop() as (of_desktop, reader):
        variables = {**of_desktop, **_homes(folder)}
        pipe = folder / "said"
        os.mkfifo(pipe)
        listener = Listener()
        with (
            running("openbox", variables=variables),
            _follows(pipe, listener),
            running("orca", "--debug-file", str(pipe), variables=variables),
        ):
            listener.hears("Screen reader on.")
            yield variables, reader, listener


@contextmanager
def _follows(pipe: Path, listener: Listener) -> Iterator[None]:
    def read() -> None:
        with pipe.open(encoding="utf-8", errors="replace") as output:
            listener.follow(output)

    thread = threading.Thread(target=read)
    thread.start()
    # Without this a pipe that nobody came to write to would never end.
    with pipe.open("w", encoding="utf-8"):
        yield
    thread.join(_TIMEOUT_S)


def _homes(folder: Path) -> Mapping[str, str]:
    """Variables that lead Orca to a home of its own, in which nothing is spoken aloud."""
    homes = {
        name: str(folder / name.lower())
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")
    }
    own = folder / "xdg_data_home" / "orca"
    own.mkdir(parents=True)
    (own / "orca-customizations.py").write_text(_CUSTOMIZATIONS, encoding="utf-8")
    return {**homes, "SPEECHD_CMD": "false"}
