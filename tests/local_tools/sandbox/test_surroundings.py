"""What a confined call is given: variables, files, and how much of the computer it may use."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from local_tools.errors import ToolError
from local_tools.processes import ENVIRONMENT_NAMES
from local_tools.sandbox.placeholders import PlaceholderCleanup, Placeholders
from local_tools.sandbox.protected_paths import ProtectedPath
from tests.support.confined import (
    ATTEMPT,
    changing,
    confined_runner,
    needs_bubblewrap,
    program_that_runs,
)
from tests.support.confined_tools import package_folders
from tests.support.nobody import (
    NOBODY,
    folder_for_nobody,
    packages_for_nobody,
    python_for_nobody,
    run_as_nobody,
)

pytestmark = [pytest.mark.anyio, needs_bubblewrap]

CANARY = "canary-8d1f0c"
# What a desktop, a shell, a frozen program and other people's programs leave in the environment.
LEFT_OVERS = (
    *("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AZURE_CLIENT_SECRET", "GITHUB_TOKEN"),
    *("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "NPM_TOKEN", "PGPASSWORD"),
    *("SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY"),
    *("WAYLAND_DISPLAY", "XAUTHORITY", "GPG_AGENT_INFO", "KUBECONFIG", "DOCKER_HOST"),
    *("HTTP_PROXY", "HTTPS_PROXY", "SSLKEYLOGFILE", "LD_LIBRARY_PATH_ORIG", "_MEIPASS2"),
    *("_PYI_ARCHIVE_FILE", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME_ORIG", "QT_PLUGIN_PATH"),
    *("QML2_IMPORT_PATH", "DYLD_LIBRARY_PATH", "PARLEY_KEY"),
)

LOOK_AROUND = f"""
import gc, glob, os, subprocess, sys
def reads(path):
    try:
        return open(path, "rb").read()
    except OSError:
        return b""
ways = [*glob.glob("/proc/*/environ"), *glob.glob("/proc/*/cmdline")]
mine = subprocess.run(["env", "-0"], capture_output=True).stdout.decode()
linked = subprocess.run(["ldd", sys.executable], capture_output=True, text=True).stdout
try:
    import keyring
    keyring.get_password("parley", "key")
    kept = "asked"
except Exception as exc:
    kept = type(exc).__name__
found = {{
    "canary": [way for way in ways if {CANARY[:-3]!r}.encode() + b"{CANARY[-3:]}" in reads(way)],
    "given": sorted(item.partition("=")[0] for item in mine.split("\\0") if item),
    "processes": sorted(int(name) for name in os.listdir("/proc") if name.isdecimal()),
    "app": [name for name in sys.modules if name.partition(".")[0] == "app"],
    "objects": [str(type(item)) for item in gc.get_objects() if "KeyStore" in str(type(item))],
    "keyring": kept,
    "linked": linked,
    "flags": [sys.flags.isolated, sys.flags.ignore_environment],
}}
"""


@pytest.mark.security(38)
@pytest.mark.security(39)
@pytest.mark.security(40)
@pytest.mark.security(46)
def test_a_call_is_given_nothing_of_the_program_around_it(tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    bundle.mkdir()
    own = {name: os.environ[name] for name in ENVIRONMENT_NAMES if name in os.environ}
    planted = dict.fromkeys(LEFT_OVERS, CANARY) | {"LD_LIBRARY_PATH": str(bundle)}
    assert len(planted) >= 30
    ended = subprocess.run(
        program_that_runs(tmp_path, LOOK_AROUND),
        env=own | planted,
        capture_output=True,
        check=True,
        timeout=30,
    )
    seen = json.loads(ended.stdout)
    assert seen["canary"] == []
    assert seen["given"] == sorted(own.keys() - {"TMPDIR"})
    # The watcher, the tool, and nobody else.
    assert len(seen["processes"]) == 2
    assert (seen["app"], seen["objects"]) == ([], [])
    assert seen["keyring"] == "NoKeyringError"
    assert str(bundle) not in seen["linked"]
    assert seen["flags"] == [1, 1]


LIMITS = f"""{ATTEMPT}
import os, resource, signal
def fill(size):
    try:
        bytearray(size)
    except MemoryError:
        return "MemoryError"
large = os.path.join(place, "large")
with open(large, "wb") as file:
    sizes = [attempt(lambda: os.truncate(large, size)) for size in (2**30, 2**30 + 1)]
os.unlink(large)
limits = ("CORE", "FSIZE", "DATA", "AS", "CPU", "NPROC")
found = {{
    "memory": fill(3 * 2**30),
    "sizes": sizes,
    "limits": [resource.getrlimit(getattr(resource, f"RLIMIT_{{name}}"))[1] for name in limits],
    "first_to_go": open("/proc/self/oom_score_adj").read(),
    "temporary": os.statvfs("/tmp").f_blocks * os.statvfs("/tmp").f_frsize,
    "shared": os.statvfs("/dev/shm").f_blocks * os.statvfs("/dev/shm").f_frsize,
}}
"""


@pytest.mark.security(41)
async def test_a_call_can_use_so_much_of_the_computer_and_no_more(tmp_path: Path) -> None:
    seen = await changing(confined_runner("bubblewrap", tmp_path / "home"), tmp_path, LIMITS)
    assert seen == {
        "memory": "MemoryError",
        "sizes": [None, "EFBIG"],
        "limits": [0, 2**30, 2 * 2**30, 16 * 2**30, 4 * 20 + 1, 1024],
        "first_to_go": "1000\n",
        "temporary": 512 * 2**20,
        "shared": 512 * 2**20,
    }


@pytest.fixture
def folder_of_nobody() -> Iterator[Path]:
    """Yield a folder of the user `nobody`, where that user can get to."""
    with folder_for_nobody() as folder:
        yield folder


# Lowered first, since what counts is that the others of the same user do not.
FORK_BOMB = f"""{ATTEMPT}
import os, resource, signal
given = resource.getrlimit(resource.RLIMIT_NPROC)
resource.setrlimit(resource.RLIMIT_NPROC, (24, 24))
children = []
def fork():
    child = os.fork()
    if child == 0:
        signal.pause()
    children.append(child)
for _ in range(100):
    refused = attempt(fork)
found = [os.getuid(), given, len(children), refused, open("/proc/self/status").read()]
"""


@pytest.mark.security(41)
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_fork_bomb_of_an_ordinary_user_ends_at_its_own_limit(folder_of_nobody: Path) -> None:
    python = python_for_nobody(folder_of_nobody)
    packages = packages_for_nobody(folder_of_nobody, package_folders())
    argv = program_that_runs(folder_of_nobody, FORK_BOMB, python, packages)
    said = run_as_nobody(argv, {"PATH": "/usr/bin:/bin"})
    user, given, count, refused, status = json.loads(said)
    assert (user, given, refused) == (NOBODY, [1024, 1024], "EAGAIN")
    assert 10 <= count <= 24
    assert "CapEff:\t0000000000000000" in status
    assert "NoNewPrivs:\t1" in status
    assert "Seccomp:\t2" in status


@pytest.mark.security(23)
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_protected_path_without_placeholder_stops_the_call_if_its_user_could_create_it(
    folder_of_nobody: Path,
) -> None:
    own, of_others = folder_of_nobody / "own", folder_of_nobody / "others"
    for folder, mode in ((own, 0o500), (of_others, 0o755)):
        folder.mkdir()
        folder.chmod(mode)
    os.chown(own, NOBODY, NOBODY)
    placeholders = Placeholders()
    mine, theirs = PlaceholderCleanup(own), PlaceholderCleanup(of_others)
    os.seteuid(NOBODY)
    try:
        # Its owner could open it to writing.
        with pytest.raises(ToolError, match="refused by the system"):
            placeholders.hold(own, ProtectedPath(own / ".mcp.json", "file"), mine)
        missing = ProtectedPath(of_others / ".mcp.json", "file")
        assert not placeholders.hold(of_others, missing, theirs)
    finally:
        os.seteuid(0)
        mine.close()
        theirs.close()


@pytest.mark.security(100, 41)
async def test_no_disk_in_memory_takes_more_than_its_share(tmp_path: Path) -> None:
    """Each but those for files is closed to writing, or ends at its size."""
    script = f"""{ATTEMPT}
import os
def writable():
    for line in open("/proc/self/mounts"):
        _, place, kind, options, *_ = line.split()
        if kind in ("tmpfs", "ramfs", "mqueue", "devpts") and "rw" in options.split(","):
            yield place, kind, options
def size_of(options):
    return next((item for item in options.split(",") if item.startswith("size=")), "")
found = {{
    "unbounded": [place for place, kind, options in writable()
        if not size_of(options) and kind != "devpts"],
    "device": attempt(lambda: open("/dev/filled", "wb").write(b"x")),
    "folder": attempt(lambda: os.mkdir("/dev/folder")),
    "null": attempt(lambda: open("/dev/null", "wb").write(b"x")),
    "shared": attempt(lambda: open("/dev/shm/x", "wb").write(b"x")),
    "terminals": attempt(lambda: open("/dev/pts/x", "wb").write(b"x")),
}}
"""
    folder = tmp_path / "folder"
    folder.mkdir()
    seen = await changing(confined_runner("bubblewrap", tmp_path / "home"), folder, script)
    assert seen["unbounded"] == []
    assert (seen["device"], seen["folder"]) == ("EROFS", "EROFS")
    assert (seen["null"], seen["shared"]) == (1, 1)
    assert seen["terminals"] in ("EROFS", "EACCES", "EPERM", "ENOENT")
