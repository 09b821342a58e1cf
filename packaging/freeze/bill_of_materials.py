"""The bill of materials of the frozen program, as CycloneDX 1.6 in JSON.

It is made from what PyInstaller noted of where every module and file came from, so that it names
what is in the program, not what might be. The same program gives the same bytes.
"""

import json
import re
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from installers.product import LICENCE, NAME, TITLE

from freeze.origins import Component

_NAMESPACE: Final = uuid.UUID("5b7d2a0e-3f2c-5c55-9a0f-6d5a54f0b7a1")
_LOCKED: Final = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)", re.MULTILINE)
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
# Of what the lock says of a package: which file was installed, it had one of these.
_PROPERTY: Final = "parley:locked-sha256"


def file_name(version: str) -> str:
    """What the bill of a version is called."""
    return f"{NAME}-{version}.cdx.json"


def write_bill(
    components: Sequence[Component], locks: Sequence[Path], version: str, moment: int, into: Path
) -> Path:
    """Writes the bill.

    Args:
        components: What is in the program.
        locks: The lock files that it was installed from, for the hashes of packages.
        version: The product's version.
        moment: The time that it says, in seconds since 1970.
        into: Where the file goes.
    """
    hashes = locked_hashes(locks)
    described = [_described(item, hashes) for item in sorted(components, key=lambda c: c.reference)]
    contents = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(_NAMESPACE, json.dumps(described))}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": NAME,
                "name": TITLE,
                "version": version,
                "licenses": [{"expression": LICENCE}],
            },
        },
        "components": described,
        "dependencies": [{"ref": NAME, "dependsOn": [item["bom-ref"] for item in described]}],
    }
    target = into / file_name(version)
    text = json.dumps(contents, indent=1, ensure_ascii=False)
    target.write_text(f"{text}\n", encoding="utf-8", newline="\n")
    return target


def locked_hashes(locks: Sequence[Path]) -> dict[tuple[str, str], list[str]]:
    """The hashes that lock files have for each package, by its normal name and its version."""
    found = {}
    for path in locks:
        blocks = re.split(r"^(?=\S)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for block in blocks:
            if match := _LOCKED.match(block):
                key = (normal_name(match["name"]), match["version"])
                found[key] = sorted(_HASH.findall(block))
    return found


def normal_name(name: str) -> str:
    """A package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _described(item: Component, hashes: dict[tuple[str, str], list[str]]) -> dict[str, Any]:
    said: dict[str, Any] = {"type": item.kind, "bom-ref": item.reference, "name": item.name}
    if item.version:
        said["version"] = item.version
    if item.reference.startswith("pkg:"):
        said["purl"] = item.reference
    if item.licence:
        said["licenses"] = [_licence(item.licence)]
    if item.sha256:
        said["hashes"] = [{"alg": "SHA-256", "content": item.sha256}]
    if item.is_locked:
        locked = hashes.get((normal_name(item.name), item.version), [])
        said["properties"] = [{"name": _PROPERTY, "value": value} for value in locked]
    return said


def _licence(words: str) -> dict[str, Any]:
    """An expression of identifiers, or a name where it is none."""
    is_expression = re.fullmatch(r"[A-Za-z0-9.+-]+( (AND|OR|WITH) [A-Za-z0-9.+-]+)*", words)
    has_number = re.search(r"\d", words) or words in {"MIT", "ISC"}
    if is_expression and has_number:
        return {"expression": words}
    return {"license": {"name": words}}
