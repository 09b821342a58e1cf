"""The verb `build`: freeze the program, write its bill of materials, make and test installers."""

import argparse
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import environment
import system_packages
from checkout import ROOT, alone, program
from clean_room import installer_tests
from freeze import (
    bill_of_materials,
    build_environment,
    freezing,
    manifest,
    provenance,
    sizes,
    start_up,
)
from freeze.build_environment import LOCKS
from freeze.spec_parts import CONTENTS
from installers import flatpak, forms, licences
from installers.payload import Payload
from installers.product import read_version
from processes import Failed, run, say, succeeds

_FIRST: Final = build_environment.BUILD / "first"
_FROZEN_TESTS: Final = ("-q", "--frozen", "-m", "frozen", "tests/packaging")
_ASK_FOR_PLACES: Final = """
import json, sys, sysconfig
print(json.dumps([sysconfig.get_path("purelib"), sys.base_prefix]))
"""

_RESOURCES: Final = ROOT / "resources"
_UPDATES: Final = "updates.json"
# Uses the program's own reader, so it runs in the program's environment.
_READ: Final = """
import sys
from pathlib import Path
from app.updates.release import SourceUnreadable, read_source
try:
    read_source(Path(sys.argv[1]))
except SourceUnreadable as fault:
    print(fault)
"""


def build(arguments: Sequence[str]) -> None:
    """Freeze the program, and make or test its installers, as the arguments say.

    Raises:
        Failed: A prerequisite is missing, or a step failed.
    """
    options = _parse(arguments)
    environment.make_ready()
    if not options.test:
        check_update_source()
    # So that all child processes find the libraries of Qt that are unpacked beside the checkout.
    os.environ.update(system_packages.make_ready(for_tests=options.test))
    # All that follows writes to the same folders, and what is tested must stay as it is.
    with alone("build.lock", "building here"):
        payload = Payload(freezing.FOLDER, read_version(), freezing.moment_of_commit())
        freezing.DIST.mkdir(exist_ok=True)
        if options.pack_windows:
            forms.WINDOWS.make(replace(payload, folder=options.pack_windows), freezing.DIST)
            _write_sums(payload)
        elif options.flatpak:
            manifest_path = flatpak.make(payload, freezing.DIST)
            say(f"flatpak-builder makes it of {manifest_path.relative_to(ROOT)}")
        elif options.test:
            try_built(payload, freezing.DIST, options.release)
        else:
            _build(payload, options)


def try_built(payload: Payload, folder: Path, releases: Sequence[str]) -> None:
    """Test the frozen program and its installers, once it is clear that this can be done here.

    Args:
        payload: The frozen program.
        folder: Where its installers lie.
        releases: The code names of the systems to try them on; this system's by default.

    Raises:
        Failed: Something that is needed is missing, or a test failed.
    """
    names = [form.file_name(payload.version) for form in forms.LINUX]
    if missing := [name for name in names if not (folder / name).is_file()]:
        raise Failed(f"There is no {', '.join(missing)} yet: python3 packaging/dev.py build")
    installer_tests.make_ready(releases)
    if not succeeds([program("pytest"), *_FROZEN_TESTS], cwd=ROOT):
        raise Failed("The frozen program does not do what it must.")
    installer_tests.run_tests(payload, folder, releases)


def file_names(version: str) -> list[str]:
    """Return the names of the files of a version that can be made here, without the sums."""
    installers = [form.file_name(version) for form in forms.makeable()]
    return [bill_of_materials.file_name(version), *installers]


def clear(version: str, folder: Path) -> None:
    """Delete the files of this version from an earlier build, which were of another freeze.

    That includes unfinished files of a build that was killed; no other build may be running.
    """
    for name in (manifest.SUMS_NAME, *file_names(version)):
        (folder / name).unlink(missing_ok=True)
    for work in folder.glob(f"{forms.WORK}*"):
        shutil.rmtree(work)


def write_sums(version: str, folder: Path) -> list[Path]:
    """Write `SHA256SUMS` of the existing files of this version, and return them."""
    made = [path for name in file_names(version) if (path := folder / name).is_file()]
    manifest.write_sums(made, folder)
    return made


def check_update_source(resources: Path = _RESOURCES) -> None:
    """Check that the program understands `updates.json`, where there is one.

    Raises:
        Failed: It would not, and would tell every person that it is damaged.
    """
    if not (resources / _UPDATES).exists():
        return
    fault = run(
        [program("python"), "-I", "-c", _READ, resources], doing=f"Reading resources/{_UPDATES}"
    )
    if fault:
        raise Failed(
            f"resources/{_UPDATES} cannot be used: make it with dev.py release, or take it "
            f"away. What is wrong with it: {' '.join(fault.split())}"
        )


def _build(payload: Payload, options: argparse.Namespace) -> None:
    _freeze(payload)
    if options.twice:
        _compare(payload)
    if not options.only_folder:
        forms.make_all(payload, freezing.DIST)
    _write_sums(payload)


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="dev.py build",
        description="Freeze the program into dist/parley and make the installers of this system.",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--only-folder", action="store_true", help="freeze the program but make no installers"
    )
    what.add_argument(
        "--twice",
        action="store_true",
        help="freeze twice and compare every byte (reproducible build)",
    )
    what.add_argument(
        "--test", action="store_true", help="only test the installers of an earlier build"
    )
    what.add_argument(
        "--pack-windows",
        type=Path,
        metavar="FOLDER",
        help="on Linux, make the installer of a FOLDER that was frozen on Windows",
    )
    what.add_argument(
        "--flatpak", action="store_true", help="only write the input of flatpak-builder"
    )
    parser.add_argument(
        "--release",
        action="append",
        default=[],
        help="with --test: the Debian release to test on, such as bookworm; repeatable",
    )
    options = parser.parse_args(arguments)
    if options.release and not options.test:
        parser.error("--release goes with --test")
    return options


def _freeze(payload: Payload) -> None:
    """Freeze, write the lists, and print how large and how fast it is."""
    python = build_environment.make_ready()
    took_s, found = _freeze_whole(python, payload)
    # Not before: if freezing is interrupted, the earlier build stays complete.
    clear(payload.version, freezing.DIST)
    _bill_path(payload).write_text(_bill(payload, found), encoding="utf-8", newline="\n")
    place = payload.folder.relative_to(ROOT)
    say(f"Parley {payload.version} lies in {place} after {took_s:.0f} s.")
    print(sizes.table(payload.folder), start_up.measure(payload.folder).table(), sep="\n")


def _bill(payload: Payload, found: provenance.Provenance) -> str:
    python = build_environment.make_ready()
    return bill_of_materials.bill_of(found, python, LOCKS, payload.version, payload.moment)


def _bill_path(payload: Payload) -> Path:
    return freezing.DIST / bill_of_materials.file_name(payload.version)


def _freeze_whole(python: Path, payload: Payload) -> tuple[float, provenance.Provenance]:
    """Freeze and add what lies beside the program; return the seconds taken and the parts."""
    frozen = freezing.freeze(python, payload.moment)
    said = run([python, "-I", "-c", _ASK_FOR_PLACES], doing="Asking the Python that was frozen")
    site, base = map(Path, json.loads(said))
    contents = freezing.WORK / freezing.SPEC.stem / CONTENTS
    found = provenance.find_provenance(contents, frozen.folder, site, base)
    if found.unknown:
        raise Failed(f"Nobody knows what brought these into the program: {found.unknown}")
    licences.write((*found.packages, *found.others), site, base, frozen.folder)
    manifest.write_manifest(frozen.folder, payload.version)
    payload.set_rights()
    return frozen.took_s, found


def _compare(payload: Payload) -> None:
    shutil.rmtree(_FIRST, ignore_errors=True)
    shutil.move(payload.folder, _FIRST)
    _, found = _freeze_whole(build_environment.make_ready(), payload)
    differences = manifest.differences(_FIRST, payload.folder)
    shutil.rmtree(_FIRST)
    bill = _bill_path(payload)
    if bill.read_text(encoding="utf-8") != _bill(payload, found):
        differences.append(bill.name)
    if differences:
        raise Failed("Two builds of one commit differ:\n" + "\n".join(differences))
    say("The second build is the first one, byte by byte.")


def _write_sums(payload: Payload) -> None:
    for path in write_sums(payload.version, freezing.DIST):
        print(f"{path.stat().st_size / sizes.MIB:8.1f} MiB  {path.relative_to(ROOT)}")
