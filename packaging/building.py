"""The verb `build`: the frozen program, its bill of materials, installers, and tests of them."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import environment
import system_packages
from checkout import ROOT
from freeze import bill_of_materials, build_environment, freezing, manifest, origins, sizes
from freeze.build_environment import LOCKS
from freeze.spec_parts import CONTENTS
from installers import making
from installers.payload import Payload
from installers.product import read_version
from processes import Failed, run, say

_ASK_FOR_PLACES: Final = """
import json, sys, sysconfig
print(json.dumps([sysconfig.get_path("purelib"), sys.base_prefix]))
"""


def build(arguments: Sequence[str]) -> None:
    """Makes the program and its installers, as the arguments say.

    Raises:
        Failed: Something that is needed is missing, or did not succeed.
    """
    options = _parse(arguments)
    environment.make_ready()
    system_packages.make_ready()
    version, moment = read_version(), freezing.moment_of_commit()
    python = build_environment.make_ready()
    frozen = freezing.freeze(python, moment)
    bill = _write_bill(python, version, moment)
    manifest.write_manifest(frozen.folder, version)
    say(f"Parley {version} lies in {frozen.folder.relative_to(ROOT)} after {frozen.took_s:.0f} s.")
    print(sizes.table(frozen.folder))
    made = [bill]
    if not options.only_folder:
        made += making.make(Payload(frozen.folder, version, moment), freezing.DIST)
    manifest.write_sums(made, freezing.DIST)
    for path in made:
        print(f"{path.stat().st_size / sizes.MIB:8.1f} MiB  {path.relative_to(ROOT)}")


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="dev.py build", description="Freeze the program and make its installers in dist/."
    )
    parser.add_argument(
        "--only-folder", action="store_true", help="leave the installers out: dist/parley alone"
    )
    return parser.parse_args(arguments)


def _write_bill(python: Path, version: str, moment: int) -> Path:
    said = run([python, "-I", "-c", _ASK_FOR_PLACES], doing="Asking the Python that was frozen")
    site, base = map(Path, json.loads(said))
    found = origins.find_origins(freezing.WORK / freezing.SPEC.stem / CONTENTS, site, base)
    if found.unknown:
        raise Failed(f"Nobody knows what brought these into the program: {found.unknown}")
    return bill_of_materials.write_bill(found.components, LOCKS, version, moment, freezing.DIST)
