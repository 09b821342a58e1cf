"""Ways out of a folder, and files that are none: nothing gets out, hangs or breaks."""

import errno
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from local_tools.errors import ToolError
from local_tools.paths.beneath import opened_root
from local_tools.tool import Fact, FactKind
from tests.support.figures import Tell
from tests.support.targets import read_beneath, shown
from tests.support.tool_calls import built_in, prepared

CHECKOUT = Path(__file__).parents[2]
OUTSIDE = Fact("Location", "outside this chat’s folder", FactKind.REMARK)
CANARY = "the canary"
LONG_SWAPS = 1_000_000

# Each is tried as it stands and behind four beginnings: 120 strings.
WAYS_OUT = [
    "..",
    "../canary",
    "../../canary",
    "./../canary",
    "sub/../../canary",
    "sub/..",
    "..//canary",
    "...//canary",
    "link",
    "link/canary",
    "loop/../canary",
    "~",
    "~/../canary",
    "~root/canary",
    "~+/canary",
    "$HOME/canary",
    "%2e%2e/canary",
    "..\\canary",
    "\\\\server\\share\\canary",
    "\\\\?\\C:\\canary",
    "C:canary",
    "file:///canary",
    "canary\0.txt",
    "․․/canary",
]
BEGINNINGS = ["", "./", "sub/", "/", "sub//./"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with links that lead out of it, and beside it one with a like name."""
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (tmp_path / "root-evil").mkdir()
    for place in (tmp_path, tmp_path / "root-evil"):
        (place / "canary").write_text(CANARY)
    (root / "link").symlink_to(tmp_path)
    (root / "loop").symlink_to("loop")
    return root


@pytest.mark.security(24)
def test_no_path_leads_out_of_the_folder_unseen(root: Path) -> None:
    strings = [beginning + way for beginning in BEGINNINGS for way in WAYS_OUT]
    assert len(strings) == 120
    for text in strings:
        for name, more in (("read_file", {}), ("write_file", {"content": "x"})):
            with suppress(ToolError):
                call = prepared(built_in(name), root, root.parent, path=text, **more)
                path = next(fact.value for fact in call.facts if fact.label == "Path")
                # What is not refused lies in the folder, or the card says that it does not.
                if call.is_inside_folder:
                    assert Path(path).is_relative_to(root), text
                    assert Path(path).resolve().is_relative_to(root), text
                else:
                    assert (
                        Fact("Location", "outside this chat’s folder", FactKind.REMARK)
                        in call.facts
                    ), text
    assert (root.parent / "canary").read_text() == CANARY


@pytest.mark.security(25)
def test_a_folder_beside_with_a_like_name_is_outside(root: Path) -> None:
    call = prepared(built_in("read_file"), root, path=f"{root}-evil/canary")
    assert not call.is_inside_folder
    assert call.order.root is not None
    assert call.order.root.path == f"{root}-evil"


@pytest.mark.security(27)
def test_a_card_warns_of_a_hard_link_and_no_change_to_it_can_be_asked(root: Path) -> None:
    (root / "linked").hardlink_to(root.parent / "canary")
    call = prepared(built_in("read_file"), root, path="linked")
    assert Fact("File", "has another name elsewhere (a hard link)", FactKind.REMARK) in call.facts
    changes: list[tuple[str, dict[str, object]]] = [
        ("write_file", {"content": "x"}),
        ("edit_file", {"old_text": "canary", "new_text": "x"}),
        ("move_file", {"new_path": "moved"}),
        ("delete_file", {}),
    ]
    for name, more in changes:
        with pytest.raises(ToolError, match="read but never changed"):
            prepared(built_in(name), root, path="linked", **more)
    assert (root.parent / "canary").read_text() == CANARY


ODD_FILES = """
import resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from local_tools.errors import ToolError
from tests.support.targets import read_beneath, shown
from tests.support.tool_calls import built_in, prepared
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for path in sys.argv[2:]:
    for name in ("read_file", "open_file"):
        try:
            call = prepared(built_in(name), Path("/"), path=path)
        except ToolError as exc:
            print(exc)
        else:
            print("too large to hash" if call.order.targets[0].expected.sha256 is None else call)
grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(grown_kib // 1024, "MiB more", file=sys.stderr)
sys.exit(grown_kib > 20 * 1024)
"""


@pytest.mark.security(28)
def test_endless_files_are_refused_without_reading(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    odd = ("/dev/zero", "/dev/tty", "/proc/kcore", tmp_path / "pipe", tmp_path / "sparse")
    places = [str(place) for place in odd if Path(place).exists()]
    done = subprocess.run(
        [sys.executable, "-c", ODD_FILES, str(CHECKOUT), *places],
        capture_output=True, text=True, check=False, timeout=20, cwd=CHECKOUT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 2 * len(places) >= 8
    refusals = ("not a regular file", "too large", "refused by the system", "does not allow")
    assert all(any(refusal in line for refusal in refusals) for line in lines), lines


FAULTS = ["open", "write", "fsync", "fchmod", "replace", "link", "stat", "fstat"]


@pytest.mark.security(29)
@pytest.mark.parametrize("is_new", [False, True])
@pytest.mark.parametrize("name", FAULTS)
def test_a_full_disk_at_any_moment_leaves_the_old_file_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, is_new: bool
) -> None:
    path = tmp_path / "a"
    for number in range(60):
        path.unlink(missing_ok=True)
        if not is_new:
            path.write_text("old")
        with shown(tmp_path, "a") as target, monkeypatch.context() as patched:
            fault = FailsAt(number, getattr(os, name))
            patched.setattr(os, name, fault)
            with suppress(ToolError):
                target.replace(b"new" * 1000)
        if path.exists():
            assert path.read_bytes() in (b"old", b"new" * 1000)
        assert is_new or path.exists()
        if not fault.was_met:
            return
    pytest.fail("the fault was met every time")


class FailsAt:
    """A system call that says at its n-th use that the disk is full."""

    def __init__(self, number: int, call: Callable[..., Any]) -> None:
        self.was_met = False
        self._left = number
        self._call = call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._left -= 1
        if self._left == -1:
            self.was_met = True
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self._call(*args, **kwargs)


SWAPPER = """
import os, sys
os.chdir(sys.argv[1])
print("ready", flush=True)
while True:
    for old, new in (("sub", "kept"), ("out", "sub"), ("sub", "out"), ("kept", "sub")):
        os.rename(old, new)
"""


@pytest.mark.long
@pytest.mark.security(26)
@pytest.mark.timeout(300)
def test_a_million_swaps_of_a_folder_for_a_link_lead_nowhere(root: Path, tell: Tell) -> None:
    (root / "sub" / "canary").write_text("inside")
    (root / "out").symlink_to(root.parent)
    swapper = subprocess.Popen(
        [sys.executable, "-I", "-c", SWAPPER, str(root)], stdout=subprocess.PIPE
    )
    assert swapper.stdout is not None
    try:
        assert swapper.stdout.readline() == b"ready\n"
        with opened_root(root) as (descriptor, _):
            seen = Counter(read_beneath(descriptor, "sub", "canary") for _ in range(LONG_SWAPS))
    finally:
        swapper.kill()
        swapper.wait()
        swapper.stdout.close()
    escapes = LONG_SWAPS - seen[b"inside"] - seen[b"refused"]
    tell(f"escapes, {LONG_SWAPS:,} reads of a path being swapped: {escapes} ({dict(seen)})")
    assert escapes == 0
    assert min(seen[b"inside"], seen[b"refused"]) > 0
