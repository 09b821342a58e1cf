"""The bill of materials of the frozen program, as CycloneDX 1.6 in JSON.

cyclonedx-py describes the packages of the environment that was frozen: licences, dependencies,
package URLs. Only packages of which PyInstaller took a file stay. Parts that are no Python packages
are added: Python, system libraries, artwork, and each shared library with its hash. The same
program gives the same bytes.
"""

import json
import os
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from checkout import ROOT, program
from installers.product import ADDRESS, IS_ADDRESS_READ, NAME, PUBLISHER, TITLE
from processes import run

from freeze.provenance import BOOTLOADER, Part, Provenance

_NAMESPACE: Final = uuid.UUID("5b7d2a0e-3f2c-5c55-9a0f-6d5a54f0b7a1")
_LOCKED: Final = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)", re.MULTILINE)
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
# The property for each hash in the lock; one of them is that of the installed file.
LOCKED_HASH: Final = "parley:locked-sha256"
# Licences of packages whose metadata does not state them readably, or states those of other parts:
# only the bootloader of PyInstaller is included, and its licence has an exception.
_LICENCES: Final = {
    BOOTLOADER: "GPL-2.0-or-later WITH Bootloader-exception",
    "pypdfium2": "BSD-3-Clause OR Apache-2.0",
}
# The fields that are copied for a component that is linked into compiled code.
_LINKED_KEYS: Final = ("type", "name", "version", "purl", "licenses", "hashes")
# Begins a path on the build machine of a wheel's makers.
_LOCAL_PLACE: Final = "?download_url=file:"

# As JSON has it.
_Object = dict[str, Any]


def file_name(version: str) -> str:
    """Return what the bill of a version is called."""
    return f"{NAME}-{version}.cdx.json"


def normal_name(name: str) -> str:
    """Return a package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def bill_of(
    provenance: Provenance, python: Path, locks: Sequence[Path], version: str, moment: int
) -> str:
    """Return the whole bill.

    Args:
        provenance: What is in the program.
        python: Of the environment that was frozen.
        locks: The lock files that it was installed from, for the hashes of packages.
        version: The product's version.
        moment: The time that it says, in seconds since 1970.

    Raises:
        Failed: cyclonedx-py did not succeed.
    """
    bill = _describe_environment(python, moment)
    hashes = locked_hashes(locks)
    packages = {normal_name(part.name): part for part in provenance.packages}
    described = [
        _package(item, packages[name], hashes.get((name, item["version"]), ()))
        for item in bill["components"]
        if (name := normal_name(item["name"])) in packages
    ]
    others = [_other(part) for part in provenance.others]
    bill["components"] = sorted([*described, *others], key=lambda item: str(item["bom-ref"]))
    root = _complete_metadata(bill["metadata"], version)
    bill["dependencies"] = _dependencies(bill, root, others)
    # What wheels have linked into their compiled code is known of those alone that say it.
    bill["compositions"] = [{"aggregate": "incomplete", "assemblies": [root]}]
    bill["serialNumber"] = f"urn:uuid:{uuid.uuid5(_NAMESPACE, json.dumps(bill, sort_keys=True))}"
    return json.dumps(bill, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def locked_hashes(locks: Sequence[Path]) -> dict[tuple[str, str], list[str]]:
    """Return the hashes of lock files for each package, by its normal name and its version."""
    found = {}
    for path in locks:
        blocks = re.split(r"^(?=\S)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for block in blocks:
            if match := _LOCKED.match(block):
                key = (normal_name(match["name"]), match["version"])
                found[key] = sorted(_HASH.findall(block))
    return found


def _describe_environment(python: Path, moment: int) -> _Object:
    said = run(
        [
            *(program("cyclonedx-py"), "environment", "--output-reproducible"),
            *("--spec-version", "1.6", "--pyproject", ROOT / "pyproject.toml", python),
        ],
        doing="Describing the packages",
        env={**os.environ, "SOURCE_DATE_EPOCH": str(moment)},
    )
    bill: _Object = json.loads(said)
    return bill


def _complete_metadata(metadata: _Object, version: str) -> str:
    """Add what pyproject.toml does not say of the program; return how the bill refers to it."""
    publisher: _Object = {"name": PUBLISHER}
    if IS_ADDRESS_READ:
        publisher["contact"] = [{"email": ADDRESS}]
    metadata["lifecycles"] = [{"phase": "build"}]
    metadata["manufacturer"] = publisher
    own = {"supplier": publisher, "name": TITLE, "version": version}
    metadata["component"] |= {**own, "purl": f"pkg:generic/{NAME}@{version}"}
    return str(metadata["component"]["bom-ref"])


def _package(item: _Object, part: Part, hashes: Sequence[str]) -> _Object:
    """Add to what is said of a package what it brought, and the hashes that it was locked to."""
    if licence := _LICENCES.get(part.name):
        item["licenses"] = [{"expression": licence, "acknowledgement": "declared"}]
    locked = [{"name": LOCKED_HASH, "value": value} for value in hashes]
    return _with_parts(item | {"properties": [*item.get("properties", ()), *locked]}, part)


def _other(part: Part) -> _Object:
    item: _Object = {"type": part.kind, "bom-ref": part.purl or part.name, "name": part.name}
    item |= {key: value for key in ("version", "purl") if (value := getattr(part, key))}
    if part.licence:
        item["licenses"] = [{"license": {"id": part.licence, "acknowledgement": "declared"}}]
    if part.supplier:
        item["supplier"] = {"name": part.supplier}
    return _with_parts(item, part)


def _with_parts(item: _Object, part: Part) -> _Object:
    if parts := [*_libraries(part), *_linked(part)]:
        item["components"] = parts
    return item


def _libraries(part: Part) -> Iterator[_Object]:
    for library in part.libraries:
        purl = f"{part.purl}#{quote(library.path.as_posix())}"
        item = {"type": "library", "bom-ref": purl, "name": library.path.name, "purl": purl}
        if library.version:
            item["version"] = library.version
        if library.sha256:
            yield item | {"hashes": [{"alg": "SHA-256", "content": library.sha256}]}
        else:
            yield item


def _linked(part: Part) -> Iterator[_Object]:
    """Yield what a package's own bills list as linked into its compiled code (PEP 770).

    Bills of Rust name what any system may need, not only the one that the package is for.
    """
    found: dict[str, _Object] = {}
    for path in part.sboms:
        bill = json.loads(path.read_text(encoding="utf-8"))
        is_read = bill.get("bomFormat") == "CycloneDX"
        for item in bill.get("components", ()) if is_read else ():
            # Packages that only the build needed are not part of the program.
            if item.get("scope") != "excluded":
                told = {key: item[key] for key in _LINKED_KEYS if key in item}
                if "purl" in told:
                    told["purl"] = told["purl"].partition(_LOCAL_PLACE)[0]
                found.setdefault(json.dumps(told, sort_keys=True), told)
    yield from found.values()


def _dependencies(bill: _Object, root: str, others: Sequence[_Object]) -> list[_Object]:
    """Return who needs whom, without packages that are not in the program."""
    kept = {item["bom-ref"] for item in bill["components"]}
    rows: dict[str, Sequence[str]] = {
        row["ref"]: [other for other in row.get("dependsOn", ()) if other in kept]
        for row in bill["dependencies"]
        if row["ref"] in kept | {root}
    }
    rows[root] = sorted({*rows[root], *(item["bom-ref"] for item in others), *_unasked(rows, root)})
    return [{"ref": reference, "dependsOn": row} for reference, row in sorted(rows.items())]


def _unasked(rows: Mapping[str, Sequence[str]], root: str) -> set[str]:
    """Return what no package asks for: it is there for the program itself, as the bootloader."""
    return rows.keys() - {root} - {other for row in rows.values() for other in row}
