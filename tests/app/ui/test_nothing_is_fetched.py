"""Whatever a text names, showing it opens no connection, and no file but the program's own."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.hostile_showing import BEGIN
from tests.support.strace import needs_strace

_ROOT: Final = Path(__file__).parents[3]
_CALL: Final = re.compile(r'\b(\w+)\((?:AT_FDCWD, |\d+, )?(?:"((?:[^"\\]|\\.)*)")?')
_OWN: Final = (
    str(_ROOT),
    *{str(Path(prefix).resolve()) for prefix in (sys.prefix, sys.base_prefix)},
    *("/usr/share/fonts", "/usr/share/fontconfig", "/etc/fonts", "/usr/lib", "/lib", "/proc/self"),
    *("/etc/ld.so.cache", "/dev/null", "/dev/urandom", "/usr/share/zoneinfo", "/etc/localtime"),
)


@pytest.mark.security(75, 80)
@pytest.mark.long
@needs_strace
def test_hostile_text_reaches_nothing_wherever_it_is_shown(tmp_path: Path) -> None:
    """Streamed, loaded, searched, exported, in tooltips: every call to the system is looked at."""
    (tmp_path / "bait.png").write_bytes(b"bait")
    calls = _calls_while_showing(tmp_path)

    begin = next(n for n, (_, path) in enumerate(calls) if path == str(tmp_path / BEGIN))
    before, after = calls[:begin], calls[begin:]
    assert any(path.endswith("chat.pdf") for _, path in before)
    assert any(path.endswith("chat.pdf") for _, path in after)
    assert [call for call in after if call[0] not in {"open", "openat"}] == []
    ours = (*_OWN, *(str(tmp_path / name) for name in (BEGIN, "chat.html", "chat.pdf")))
    assert [path for _, path in after if not path.startswith(ours)] == []
    assert not any("bait" in path for _, path in calls)


def _calls_while_showing(folder: Path) -> list[tuple[str, str]]:
    """Return what the program asks the system for: the call, and the path if it names one."""
    trace = folder / "trace"
    watched = "trace=open,openat,openat2,connect,sendto,sendmsg,execve"
    command = ["strace", "-f", "-qq", "-s", "4096", "-o", str(trace), "-e", watched]
    program = [sys.executable, "-m", "tests.support.hostile_showing", str(folder)]
    around = os.environ | {"QT_QPA_PLATFORM": "offscreen", "HOME": str(folder)}
    done = subprocess.run(
        [*command, *program], cwd=_ROOT, env=around, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = map(_CALL.search, trace.read_text(encoding="utf-8", errors="replace").splitlines())
    return [(call[1], call[2] or "") for call in found if call and "resumed" not in call[0]]
