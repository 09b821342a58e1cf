"""The test of each installer: install, run, update and remove it on a clean system."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from installers.product import NAME, PACKAGE

from clean_room import installed, previous_release_stub
from clean_room.room import USER, Room, Steps, expect

_DATA: Final = (".local/share", ".config", ".local/state")
_FOLDER: Final = f"/usr/lib/{NAME}"
_OWN_FOLDER: Final = f"/home/{USER}/.local/lib/{NAME}"
_SYSTEM_FILES: Final = """
find / -xdev \\( -path /home -o -path /host -o -path /proc -o -path /tmp -o -path /run \\
    -o -path /var/lib/dpkg -o -path /var/lib/rpm -o -path /root/.rpmdb -o -path /var/lib/apt \\
    -o -path /var/cache -o -path /var/log \\) -prune -o ! -type d -print | sort
"""


@dataclass(frozen=True)
class Release:
    """An installer and that of the previous version, both in one folder.

    Attributes:
        folder: The folder of both.
        previous: The file name of the previous version's installer.
        current: The file name of the installer under test.
        version: The version of the current one.
        depends: The Debian package's `Depends` field.
    """

    folder: Path
    previous: str
    current: str
    version: str
    depends: str


def check_deb(base: Path, release: Release) -> Steps:
    """Install, update, use, remove and purge the Debian package.

    Raises:
        Failed: A step did; the sentence says which.
    """
    steps = Steps(f"{release.current} on {base.name}")
    with Room(base, release.folder) as room:
        _prepare(steps, room)
        with steps.step("the previous release is installed by apt, with all it depends on"):
            _install_deb(room, release.previous)
            _expect_deb(room, previous_release_stub.VERSION)
        with steps.step("the user opens the window, which leaves data"):
            installed.open_window(room, NAME)
            data = installed.look_at_data(room)
        with steps.step("the new version takes its place, and the data stays"):
            _install_deb(room, release.current)
            _expect_deb(room, release.version)
            expect(installed.look_at_data(room) == data, "The user's data changed.")
            installed.open_window(room, NAME)
            room.run("parley-tools", "ledger", "verify", user=USER)
        _try_out(steps, room, _FOLDER)
        with steps.step("removed: the data stays"):
            room.run("apt-get", "remove", "-y", PACKAGE)
            expect("store.db" in installed.look_at_data(room), "The user's data is gone.")
        with steps.step("purged: nothing is left"):
            room.run("apt-get", "purge", "-y", PACKAGE)
            room.run("sh", "-c", f"! dpkg-query --show {PACKAGE}")
            installed.expect_gone(room, NAME)
    return steps


def check_rpm(base: Path, release: Release) -> Steps:
    """Install the RPM package with rpm alone, since the system is a Debian.

    There rpm does not know the installed packages and cannot resolve dependencies; instead, each
    required library is looked for.

    Raises:
        Failed: A step did; the sentence says which.
    """
    steps = Steps(f"{release.current} by rpm on {base.name}")
    with Room(base, release.folder) as room:
        _prepare(steps, room)
        with steps.step("rpm and the libraries of a desktop come"):
            room.run("apt-get", "install", "-y", "rpm")
            _satisfy(room, release.depends)
            before = room.run("sh", "-c", _SYSTEM_FILES).splitlines()
        with steps.step("the previous release is installed by rpm"):
            room.run("rpm", "--install", "--nodeps", f"/host/{release.previous}")
            _expect_rpm(room, previous_release_stub.VERSION)
            installed.expect_provided(room)
        with steps.step("the new version takes its place, and the data stays"):
            installed.open_window(room, NAME)
            data = installed.look_at_data(room)
            room.run("rpm", "--upgrade", "--nodeps", f"/host/{release.current}")
            _expect_rpm(room, release.version)
            expect(installed.look_at_data(room) == data, "The user's data changed.")
            room.run("rpm", "--verify", "--nodeps", PACKAGE)
        with steps.step("self-test offscreen, with sandbox, without a network"):
            installed.run_self_test(room, NAME, ("sandbox",), has_desktop=False)
        with steps.step("removed: nothing is left but the data"):
            room.run("rpm", "--erase", PACKAGE)
            installed.expect_gone(room, NAME)
            # Shared folders stay: on a system that uses rpm, other packages own them.
            after = set(room.run("sh", "-c", _SYSTEM_FILES).splitlines())
            left = sorted(after - set(before))
            expect(not left, f"It left {left}.")
    return steps


def check_archive(base: Path, release: Release) -> Steps:
    """Unpack the archive and install it for one user.

    Raises:
        Failed: A step did; the sentence says which.
    """
    steps = Steps(f"{release.current} on {base.name}")
    own = f"/home/{USER}/.local/bin/{NAME}"
    with Room(base, release.folder) as room:
        _prepare(steps, room)
        with steps.step("the libraries of a desktop come"):
            room.run("apt-get", "install", "-y", "xz-utils")
            _satisfy(room, release.depends)
        with steps.step("the previous release is installed for one user"):
            _install_archive(room, release.previous)
            installed.expect_version(room, own, _OWN_FOLDER, previous_release_stub.VERSION)
            installed.open_window(room, own)
            data = installed.look_at_data(room)
        with steps.step("the new version takes its place, and the data stays"):
            _install_archive(room, release.current)
            installed.expect_version(room, own, _OWN_FOLDER, release.version)
            expect(installed.look_at_data(room) == data, "The user's data changed.")
        with steps.step("self-test offscreen, with sandbox, without a network"):
            installed.run_self_test(room, own, ("sandbox",), has_desktop=False)
        with steps.step("removed: nothing is left but the data"):
            room.run(f"{_OWN_FOLDER}/uninstall.sh", user=USER)
            expect("store.db" in installed.look_at_data(room), "The user's data is gone.")
            named = room.run("find", ".", "-name", "*parley*", user=USER).splitlines()
            left = [path for path in named if not _is_data(path)]
            expect(not left, f"It left {left}.")
    return steps


def _is_data(path: str) -> bool:
    return any(path.startswith(f"./{folder}/{NAME}") for folder in _DATA)


def _prepare(steps: Steps, room: Room) -> None:
    with steps.step("a system that never saw it, with one ordinary user"):
        room.run("apt-get", "update")
        room.run("useradd", "--create-home", USER)


def _install_deb(room: Room, name: str) -> None:
    room.run("apt-get", "install", "-y", f"/host/{name}", doing=f"Installing {name}")


def _expect_deb(room: Room, version: str) -> None:
    said = room.run("dpkg-query", "--show", "--showformat=${Version}", PACKAGE)
    expect(said == version, f"dpkg has version {said}.")
    installed.expect_version(room, NAME, _FOLDER, version)


def _expect_rpm(room: Room, version: str) -> None:
    said = room.run("rpm", "--query", "--queryformat=%{VERSION}", PACKAGE)
    expect(said == version, f"rpm has version {said}.")
    installed.expect_version(room, NAME, _FOLDER, version)


def _install_archive(room: Room, name: str) -> None:
    script = f"cd /tmp && tar --extract --file /host/{name} && ./parley-*/install.sh"
    room.run("sh", "-c", script, user=USER, doing=f"Installing {name}")


def _satisfy(room: Room, depends: str) -> None:
    room.run("apt-get", "satisfy", "-y", depends, doing="Installing the libraries of a desktop")


def _try_out(steps: Steps, room: Room, folder: str) -> None:
    with steps.step("the loader finds every library"):
        installed.expect_all_libraries(room, folder)
    with steps.step("self-test offscreen, with sandbox, without a network"):
        installed.run_self_test(room, NAME, ("sandbox",), has_desktop=False)
    installed.try_with_desktop(steps, room, NAME)
