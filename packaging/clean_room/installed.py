"""What an installed program must do in a clean room, however it was installed."""

import re
from collections.abc import Sequence
from typing import Final

from installers.product import NAME, PROGRAMS
from processes import say

from clean_room.room import USER, Room
from clean_room.steps import Steps, expect

# A real display, and the session that a keyring needs; as a desktop starts them.
DESKTOP: Final = ("xvfb", "xauth", "dbus", "dbus-x11", "gnome-keyring")
_IN_SESSION: Final = """
printf '\\n' | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null
exec xvfb-run --auto-servernum --server-args='-screen 0 1400x900x24' "$@"
"""
_DATA: Final = (".local/share/parley", ".config/parley")
_OPEN_AND_CLOSE: Final = """
QT_QPA_PLATFORM=offscreen {program} &
window=$!
for _ in $(seq 300); do
    [ -s {kept} ] && break
    sleep 0.1
done
sleep 2
kill $window && wait $window && [ -s {kept} ]
"""


def expect_all_libraries(room: Room, folder: str) -> None:
    """Lets the loader of the system find every library of every file, before any desktop is there.

    Raises:
        Failed: One is missing.
    """
    script = f"""
    find {folder} -type f \\( -name '*.so*' -o -perm -1 \\) -print0 |
        LD_LIBRARY_PATH={folder}/_internal xargs -0 ldd 2>/dev/null |
        grep 'not found' | sort -u || true
    """
    missing = room.run("sh", "-c", script, doing="Looking for libraries")
    expect(not missing.strip(), f"The system lacks libraries:\n{missing}")


def run_self_test(room: Room, program: str, required: Sequence[str], *, has_desktop: bool) -> None:
    """Runs the self-test as an ordinary user without any network, and says how it ended.

    Raises:
        Failed: A check failed, or one that is required was not available.
    """
    argv = [program, "--self-test", "--require", ",".join(required)]
    if has_desktop:
        session = ("dbus-run-session", "--", "sh", "-ec", _IN_SESSION, "sh")
        argv = [*session, *argv]
    else:
        argv = ["env", "QT_QPA_PLATFORM=offscreen", *argv]
    lines = room.run(*argv, user=USER, has_network=False, doing="The self-test").splitlines()
    say(f"            {lines[-1]}")


def open_window(room: Room, program: str) -> None:
    """Lets the user of the room open the window and close it again.

    Raises:
        Failed: It does not open, or does not end well.
    """
    script = _OPEN_AND_CLOSE.format(program=program, kept=f"{_DATA[0]}/store.db")
    room.run("sh", "-c", script, user=USER, has_network=False, doing="Opening the window")


def look_at_data(room: Room) -> str:
    """The hash of each file of the user's that belongs to the program; empty if there is none."""
    script = (
        f"find {' '.join(_DATA)} -type f 2>/dev/null | sort | xargs --no-run-if-empty sha256sum"
    )
    return room.run("sh", "-c", script, user=USER)


def expect_version(room: Room, program: str, version: str) -> None:
    """Asks each of the three programs which version it is.

    Raises:
        Failed: One says another.
    """
    for name in PROGRAMS:
        asked = program.removesuffix(NAME) + name
        said = room.run(asked, "--version", user=USER)
        expect(version in re.split(r"\s+", said), f"{asked} says that it is version {said!r}.")


def expect_gone(room: Room, name: str) -> None:
    """Looks for files of the program in the whole system, except in the user's own folder.

    Raises:
        Failed: There are some.
    """
    script = (
        "find / -xdev \\( -path /home -o -path /host -o -path /proc -o -path /var/log "
        f"-o -path /var/cache/apt \\) -prune -o -iname '*{name}*' -print"
    )
    left = room.run("sh", "-c", script, doing="Looking for what was left")
    expect(not left.strip(), f"It left behind:\n{left}")


def try_with_desktop(steps: Steps, room: Room, program: str) -> None:
    """Brings a display and a keyring, and runs the whole self-test there."""
    with steps.step("a display and a keyring come"):
        room.run("apt-get", "install", "-y", *DESKTOP, doing="Installing a display")
    with steps.step("self-test on a display, with keyring and sandbox, without a network"):
        run_self_test(room, program, ("sandbox", "keyring"), has_desktop=True)
