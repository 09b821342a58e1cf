"""The scripts of the Debian package: they bring an AppArmor profile and respect a changed one."""

import os
import subprocess
from pathlib import Path

import pytest
from installers import deb

_SCRIPTS = Path(__file__).resolve().parents[2] / "packaging" / "linux"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the package is for Linux")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a system with AppArmor, on which the files of the package are already."""
    (tmp_path / "etc" / "apparmor.d" / "abi").mkdir(parents=True)
    (tmp_path / "etc" / "apparmor.d" / "abi" / "4.0").touch()
    packed = tmp_path / "usr" / "share" / "parley" / "apparmor"
    packed.parent.mkdir(parents=True)
    packed.write_bytes(deb.profile())
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "apparmor_parser").write_text("#!/bin/sh\n")
    (programs / "apparmor_parser").chmod(0o755)
    return tmp_path


def run(root: Path, name: str, argument: str) -> str:
    """Run a script as dpkg does on a system of its own folder; returns what it says."""
    path = f"{root / 'programs'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["sh", _SCRIPTS / name, argument],
        env={"DPKG_ROOT": str(root), "PATH": path},
        capture_output=True,
        check=True,
        encoding="utf-8",
    ).stdout


def test_an_update_brings_the_new_profile_and_a_removal_takes_it_away(root: Path) -> None:
    packed, used = root / "usr/share/parley/apparmor", root / "etc/apparmor.d/parley"
    later = packed.read_bytes()
    run(root, "postinst", "configure")
    assert used.read_bytes() == later
    # As an earlier version wrote it.
    used.write_text("# x\n# 253b610bd786f2543252c8d4b45bb40eb375882587f825cb9ce1fd1241f66f1e\n")
    assert run(root, "postinst", "configure") == ""
    assert used.read_bytes() == later
    run(root, "postrm", "upgrade")
    assert used.exists()
    run(root, "postrm", "remove")
    assert [path.name for path in used.parent.iterdir()] == ["abi"]


def test_a_profile_that_was_changed_stays_until_all_is_purged(root: Path) -> None:
    used = root / "etc" / "apparmor.d" / "parley"
    run(root, "postinst", "configure")
    used.write_bytes(used.read_bytes().replace(b"  userns,", b"  userns, # and what I want"))
    changed = used.read_bytes()
    assert f"{used} was changed and stays" in run(root, "postinst", "configure")
    run(root, "postrm", "remove")
    assert used.read_bytes() == changed
    run(root, "postrm", "purge")
    assert not used.exists()


def test_where_apparmor_knows_of_no_such_rule_nothing_is_written(root: Path) -> None:
    (root / "etc" / "apparmor.d" / "abi" / "4.0").unlink()
    run(root, "postinst", "configure")
    assert not (root / "etc" / "apparmor.d" / "parley").exists()


def test_what_talks_to_the_network_may_make_no_namespaces() -> None:
    (line,) = (line for line in deb.profile().decode().splitlines() if line.startswith("profile "))
    assert line.split()[2] == "/usr/lib/parley/{parley,parley-tools}"
