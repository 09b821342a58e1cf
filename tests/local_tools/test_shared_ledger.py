"""A ledger that two programs make and write at the same time."""

import subprocess
import sys
from pathlib import Path

from local_tools.ledger.ledger_file import LedgerFile

CHECKOUT = Path(__file__).parents[2]

TWO_AT_ONCE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from local_tools.ledger.ledger_file import LedgerFile
from local_tools.ledger.steps import CallKey, Step
sys.stdin.readline()
file = LedgerFile(Path(sys.argv[2]))
for number in range(40):
    key = CallKey("home", "conversation", f"{sys.argv[3]}{number}")
    at = "2030-01-01T12:00:00"
    assert file.append(key, Step.ASKED, at, details="{}", text="x", what=("t", "d"))
file.close()
"""


def test_two_programs_can_make_and_write_one_ledger(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    arguments = [sys.executable, "-c", TWO_AT_ONCE, str(CHECKOUT), str(path)]
    programs = [
        subprocess.Popen([*arguments, name], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        for name in ("a", "b")
    ]
    for program in programs:
        assert program.stdin is not None
        program.stdin.write(b"go\n")
        program.stdin.flush()
    assert [program.communicate(timeout=20)[1] for program in programs] == [b"", b""]
    file = LedgerFile(path)
    found = file.verify()
    file.close()
    assert (found.state, found.call_count) == ("ok", 80)
    assert sorted(item.name for item in tmp_path.iterdir()) == ["ledger.db", "ledger.db.head"]
