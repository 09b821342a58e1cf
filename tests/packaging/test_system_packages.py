"""How dev.py finds what the system lacks, and brings it with and without rights."""

import shutil
import signal
from pathlib import Path

import pytest
from debian import owners_of
from processes import Failed
from system_packages import SystemPackage, bring

from tests.support.fake_checkout import WAIT_S, FakeCheckout

FIRST, SECOND = "libGL.so.1", "libdbus-1.so.3"
# As on a Debian where /lib is a link to /usr/lib, and a package lists what it brings by either.
_DPKG_QUERY = """\
#!{shell}
echo "$1" >> {asked}
if [ "$1" = --search ]; then
    echo "diversion by others from: /lib/b.so"
    echo "libfirst:amd64: /lib/libfirst.so.1"
    echo "second, third: /lib/b.so"
    exit 1
fi
printf 'libfirst:amd64\\tlibfirst\\t1.0-2\\tA Team <a@b.example>\\n'
printf 'second\\tsecond\\t2:3\\tB\\n'
"""
LINE = "sudo apt-get install -y --no-install-recommends libdbus-1-3 libgl1"


@pytest.fixture
def debian(ready_checkout: FakeCheckout) -> FakeCheckout:
    """Return a Debian that lacks two libraries."""
    for name in ("apt-get", "dpkg-deb"):
        ready_checkout.add_program(name)
    ready_checkout.variables["FAKE_MISSING"] = f"{FIRST} {SECOND}"
    return ready_checkout


def test_missing_libraries_are_named_where_there_is_no_apt(ready_checkout: FakeCheckout) -> None:
    ready_checkout.variables["FAKE_MISSING"] = f"{FIRST} {SECOND}"
    result = ready_checkout.run()
    assert result.returncode == 1
    assert f"libraries that this system lacks: {SECOND}, {FIRST}." in result.stderr
    assert ready_checkout.commands("parley") == []


def test_root_installs_what_is_missing_and_nothing_else(debian: FakeCheckout) -> None:
    result = debian.run("setup", uid=0)
    assert result.returncode == 0
    update, install = debian.commands("apt-get")
    assert update.startswith("update ")
    assert install.startswith("install --no-install-recommends -y ")
    assert install.endswith(" libdbus-1-3 libgl1")


def test_nothing_is_installed_where_nothing_is_missing(debian: FakeCheckout) -> None:
    debian.variables["FAKE_MISSING"] = ""
    debian.run("setup", uid=0)
    assert debian.commands("apt-get") == []


def test_without_rights_libraries_are_unpacked_beside_the_checkout(debian: FakeCheckout) -> None:
    result = debian.run()
    assert result.returncode == 0
    assert LINE in result.stderr
    path = debian.calls[-1].env["LD_LIBRARY_PATH"]
    assert path == str(debian.root / ".setup/sysroot/usr/lib/x86_64-linux-gnu")
    # New ones only: a newer libc beside the system's would break every program.
    assert {file.name for file in Path(path).iterdir()} == {"libfirst", "libsecond"}


def test_unpacked_libraries_are_taken_again_with_the_line_that_makes_them_lasting(
    debian: FakeCheckout,
) -> None:
    debian.run()
    debian.forget_calls()
    result = debian.run()
    assert LINE in result.stderr
    assert debian.commands("apt-get") == []
    assert "LD_LIBRARY_PATH" in debian.calls[-1].env


def test_libraries_that_were_installed_later_are_preferred(debian: FakeCheckout) -> None:
    debian.run()
    debian.variables["FAKE_MISSING"] = ""
    result = debian.run()
    assert "sudo" not in result.stderr
    assert "LD_LIBRARY_PATH" not in debian.calls[-1].env


def test_a_download_that_fails_still_names_the_command(debian: FakeCheckout) -> None:
    debian.variables["FAKE_FAILURES"] = '{"apt-get": "E: Could not resolve \'a.mirror\'"}'
    result = debian.run()
    assert result.returncode == 1
    assert "the network did not answer" in result.stderr
    assert result.stderr.endswith(f"{LINE}\n")
    left = {path.name for path in (debian.root / ".setup").iterdir()}
    assert left == {"uv", "lock", "libraries.lock"}


@pytest.mark.parametrize("uid", [0, 1000])
def test_one_source_of_packages_out_of_order_does_not_matter(
    debian: FakeCheckout, uid: int
) -> None:
    debian.variables["FAKE_FAILURES"] = '{"apt-get update": "E: a.mirror has no Release file"}'
    assert debian.run(uid=uid).returncode == 0


def test_an_installation_that_was_begun_is_not_cut_off(debian: FakeCheckout) -> None:
    with debian.gate("apt-get install") as gate:
        process = debian.start(uid=0)
        with gate.holding():
            process.send_signal(signal.SIGTERM)
            assert process.stderr is not None
            assert any("waiting for its end" in line for line in process.stderr)
        process.communicate(timeout=WAIT_S)
    assert process.returncode == 143
    assert debian.has_installed
    assert debian.commands("parley") == []


@pytest.fixture
def new_debian(checkout: FakeCheckout) -> FakeCheckout:
    """Return a Debian that lacks a library, and whose checkout has no environment yet."""
    checkout.add_program("apt-get")
    checkout.variables["FAKE_MISSING"] = FIRST
    return checkout


def test_libraries_download_while_packages_are_installed(new_debian: FakeCheckout) -> None:
    # Packages that fail at once would keep what comes after them from being begun.
    new_debian.variables["FAKE_FAILURES"] = '{"uv pip sync": "no wheel for this machine"}'
    with new_debian.gate("apt-get update") as gate:
        process = new_debian.start("setup", uid=0)
        with gate.holding():
            pass
        _, errors = process.communicate(timeout=WAIT_S)
    assert process.returncode == 1
    assert new_debian.has_installed
    assert errors.endswith(" The last that was said:\n  no wheel for this machine\n")


def test_libraries_that_cannot_be_brought_end_the_installing_of_packages(
    new_debian: FakeCheckout,
) -> None:
    new_debian.variables["FAKE_FAILURES"] = '{"apt-get install": "E: no space left"}'
    with new_debian.gate("uv pip sync") as gate:
        process = new_debian.start("setup", uid=0)
        with gate.holding() as program:
            _, errors = process.communicate(timeout=WAIT_S)
            assert program.recv(1) == b""
    assert process.returncode == 1
    assert errors.endswith("  E: no space left\n")


@pytest.mark.parametrize(
    ("variable", "library"),
    [("DISPLAY", "libxcb-cursor.so.0"), ("WAYLAND_DISPLAY", "libwayland-client.so.0")],
)
def test_a_display_needs_its_own_libraries(
    ready_checkout: FakeCheckout, variable: str, library: str
) -> None:
    ready_checkout.variables["FAKE_MISSING"] = library
    assert ready_checkout.run().returncode == 0
    ready_checkout.variables[variable] = "1"
    result = ready_checkout.run()
    assert result.returncode == 1
    assert library in result.stderr


def test_root_installs_the_programs_of_tests_for_test_only(debian: FakeCheckout) -> None:
    debian.variables["FAKE_MISSING"] = ""
    debian.run("check", uid=0)
    assert debian.commands("apt-get") == []
    debian.run("test", uid=0)
    brought = (
        " dbus gnome-keyring xvfb at-spi2-core orca bubblewrap ripgrep strace rpm openbox sway"
    )
    assert debian.commands("apt-get")[-1].endswith(brought)


def test_programs_of_tests_that_are_here_are_not_installed(debian: FakeCheckout) -> None:
    debian.variables["FAKE_MISSING"] = ""
    names = "dbus-run-session gnome-keyring-daemon Xvfb at-spi-bus-launcher orca bwrap rg strace"
    for name in (*names.split(), "rpmbuild", "openbox", "sway"):
        debian.add_program(name)
    debian.run("test", uid=0)
    assert debian.commands("apt-get") == []


@pytest.mark.parametrize("uid", [0, 1000])
def test_tests_go_on_without_programs_that_cannot_be_brought(
    debian: FakeCheckout, uid: int
) -> None:
    debian.variables["FAKE_MISSING"] = ""
    debian.variables["FAKE_FAILURES"] = '{"apt-get": "E: no space left"}'
    result = debian.run("test", "-x", uid=uid)
    assert result.returncode == 0
    assert "will be skipped" in result.stderr
    assert debian.commands("pytest") == ["-x"]


@pytest.mark.parametrize(
    ("library", "reason"),
    [("libxcb-cursor.so.0", "a real window"), ("libgomp.so.1", "a model’s engine")],
)
def test_tests_go_on_without_libraries_of_their_own(
    ready_checkout: FakeCheckout, library: str, reason: str
) -> None:
    ready_checkout.variables["FAKE_MISSING"] = library

    result = ready_checkout.run("test", "-x")

    assert result.returncode == 0
    assert f"The tests of {reason} will be skipped." in result.stderr
    assert ready_checkout.commands("pytest") == ["-x"]


def test_library_of_the_engine_is_brought_for_tests_only(debian: FakeCheckout) -> None:
    debian.variables["FAKE_MISSING"] = "libgomp.so.1"
    assert debian.run("check").returncode == 0
    assert not any("libgomp1" in line for line in debian.commands("apt-get"))

    result = debian.run("test", "-x")

    assert result.returncode == 0
    assert any(line.endswith(" libgomp1") for line in debian.commands("apt-get"))
    assert debian.commands("pytest") == ["-x"]


def test_without_rights_the_libraries_of_a_display_come_together_with_the_others(
    debian: FakeCheckout,
) -> None:
    debian.variables["FAKE_MISSING"] = f"{FIRST} libxcb-cursor.so.0"

    result = debian.run("test", "-x")

    assert result.returncode == 0
    (simulated,) = [line for line in debian.commands("apt-get") if "--simulate" in line]
    assert simulated.endswith(" libgl1 libxcb-cursor0")
    assert "LD_LIBRARY_PATH" in debian.calls[-1].env


def test_the_owners_of_all_files_are_asked_for_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = tmp_path / "asked"
    query = tmp_path / "dpkg-query"
    query.write_text(_DPKG_QUERY.format(shell=shutil.which("sh"), asked=asked))
    query.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    first, second, stranger = Path("/usr/lib/libfirst.so.1"), Path("/lib/b.so"), Path("/opt/c.so")

    found = owners_of([first, second, stranger])

    assert found == {first: ("libfirst", "1.0-2", "A Team"), second: ("second", "2:3", "B")}
    assert asked.read_text().split() == ["--search", "--show"]
    assert owners_of([]) == {}
    query.unlink()
    assert owners_of([first]) == {}


def test_programs_that_cannot_be_done_without_are_named_once_where_nothing_can_be_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    bring([SystemPackage("here", "present")], "Freezing")
    needed = [SystemPackage(name, f"{name[:3]}utils") for name in ("here", "binary", "bintext")]
    with pytest.raises(Failed, match=r"Freezing needs more programs: .*-recommends binutils$"):
        bring(needed, "Freezing")
