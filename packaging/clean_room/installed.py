"""Checks of an installed program in a clean room, the same for every kind of installer."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Final

from installers.product import NAME, PACKAGE, PROGRAMS
from processes import Failed, say

from clean_room.previous_release_stub import metadata_of
from clean_room.room import USER, Room, Steps, expect

# A real display, and the session that a keyring needs; as a desktop starts them.
DESKTOP: Final = ("xvfb", "xauth", "dbus", "dbus-x11", "gnome-keyring")
_IN_SESSION: Final = """
printf '\\n' | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null
exec xvfb-run --auto-servernum --server-args='-screen 0 1400x900x24' "$@"
"""
_DATA: Final = (".local/share/parley", ".config/parley")
# With fewer than these, the check itself did not work.
_FEWEST_FILES: Final = 100
_FEWEST_REQUIRED: Final = 10
_REQUIRED: Final = re.compile(r"^(lib[^(]*)\(", re.MULTILINE)
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
    """Check with the system's loader that every library of every file is found, without a desktop.

    Raises:
        Failed: One is missing, or there are hardly any files.
    """
    script = f"""
    find {folder} -type f \\( -name '*.so*' -o -perm -1 \\) -print0 |
        LD_LIBRARY_PATH={folder}/_internal xargs -0 ldd 2>/dev/null || true
    """
    said = room.run("sh", "-c", script, doing="Looking for libraries").splitlines()
    files = [line for line in said if line.endswith(":")]
    expect(len(files) > _FEWEST_FILES, f"The loader looked at {len(files)} files only.")
    _expect_none_missing(line.strip() for line in said if "not found" in line)


def expect_provided(room: Room) -> None:
    """Look among the libraries of the system for each that the package for rpm requires.

    Raises:
        Failed: One is missing, or it requires hardly any.
    """
    required = {*_REQUIRED.findall(room.run("rpm", "--query", "--requires", PACKAGE))}
    expect(len(required) > _FEWEST_REQUIRED, f"It requires only {sorted(required)}.")
    there = {line.split()[0] for line in room.run("ldconfig", "-p").splitlines() if line.strip()}
    _expect_none_missing(required - there)


def _expect_none_missing(missing: Iterable[str]) -> None:
    names = "\n".join(sorted({*missing}))
    expect(not names, f"The system lacks libraries:\n{names}")


def run_self_test(room: Room, program: str, required: Sequence[str], *, has_desktop: bool) -> None:
    """Run the self-test as an ordinary user, without any network.

    Raises:
        Failed: A check failed, or one that is required was not available.
    """
    report = "self-test-on-display.json" if has_desktop else "self-test-offscreen.json"
    argv = [program, "--self-test", "--report", report, "--require"]
    # Everything that it depends on was installed with it.
    argv.append(",".join(("plugins", *required)))
    if has_desktop:
        session = ("dbus-run-session", "--", "sh", "-ec", _IN_SESSION, "sh")
        argv = [*session, *argv]
    else:
        argv = ["env", "QT_QPA_PLATFORM=offscreen", *argv]
    try:
        said = room.run(*argv, user=USER, has_network=False, doing="The self-test")
    except Failed as failure:
        raise Failed(f"{failure}{_unwell(room, report)}") from failure
    say(f"            {said.splitlines()[-1]}")


def _unwell(room: Room, report: str) -> str:
    """Return the failed checks of a report, each on a new line."""
    try:
        checks = json.loads(room.run("cat", report, user=USER))["checks"]
    except (Failed, ValueError):
        # The program was killed before it wrote its report.
        return ""
    lines = [
        f"\n  {check['outcome']}: {check['name']}: {check['detail']}"
        for check in checks
        if check["outcome"] != "ok"
    ]
    return "\nIts report:" + "".join(lines)


def open_window(room: Room, program: str) -> None:
    """Let the user of the room open the window and close it again.

    Raises:
        Failed: It does not open, or does not end well.
    """
    script = _OPEN_AND_CLOSE.format(program=program, kept=f"{_DATA[0]}/store.db")
    room.run("sh", "-c", script, user=USER, has_network=False, doing="Opening the window")


def look_at_data(room: Room) -> str:
    """Return the hashes of the user's files that belong to the program; empty if there are none."""
    script = (
        f"find {' '.join(_DATA)} -type f 2>/dev/null | sort | xargs --no-run-if-empty sha256sum"
    )
    return room.run("sh", "-c", script, user=USER)


def expect_version(room: Room, program: str, folder: str, version: str) -> None:
    """Check the version of the files, and the one that each of the three programs reports.

    Args:
        room: Where they are installed.
        program: How the window is started; the others lie beside it.
        folder: Where the files are.
        version: Which it should be.

    Raises:
        Failed: One is of another.
    """
    listed = json.loads(room.run("cat", f"{folder}/manifest.json"))["version"]
    expect(listed == version, f"The list of files is of version {listed}.")
    found = room.run("find", folder, "-name", metadata_of("*"), "-printf", "%f\\n").split()
    expect(found == [metadata_of(version)], f"The files are those of {found}.")
    for name in PROGRAMS:
        asked = program.removesuffix(NAME) + name
        said = room.run(asked, "--version", user=USER)
        expect(version in re.split(r"\s+", said), f"{asked} says that it is version {said!r}.")


def expect_gone(room: Room, name: str) -> None:
    """Look for files of the program in the whole system, except in the user's own folder.

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
    """Bring a display and a keyring, and run the whole self-test there."""
    with steps.step("a display and a keyring come"):
        room.run("apt-get", "install", "-y", *DESKTOP, doing="Installing a display")
    with steps.step("self-test on a display, with keyring and sandbox, without a network"):
        run_self_test(room, program, ("sandbox", "keyring"), has_desktop=True)
