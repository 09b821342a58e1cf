"""The bill of materials of the frozen program, as CycloneDX 1.6 in JSON.

It is made from what PyInstaller noted of where every module and file came from, so that it names
what is in the program, not what might be; only what was linked into a file before it was taken
stands on the word of its makers. What nobody knows, it says. The same program gives the same
bytes.
"""

import json
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from installers.product import ADDRESS, IS_ADDRESS_READ, LICENCE, NAME, PUBLISHER, TITLE

from freeze.component import Component, Licence, normal_name

_NAMESPACE: Final = uuid.UUID("5b7d2a0e-3f2c-5c55-9a0f-6d5a54f0b7a1")
_LOCKED: Final = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)", re.MULTILINE)
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
# Of what the lock says of a package: which file was installed, it had one of these.
LOCKED_HASH: Final = "parley:locked-sha256"
_NOT_KNOWN: Final = "parley:not-known"
_NAMED_BY: Final = "parley:named-by"
_LICENCE_SOURCE: Final = "parley:licence-source"
# One licence of SPDX's list, which has no exception and is no choice.
_IDENTIFIER: Final = re.compile(r"(?!LicenseRef-)[A-Za-z0-9.-]+")

_Described = dict[str, Any]
_Hashes = Mapping[tuple[str, str], Sequence[str]]


def file_name(version: str) -> str:
    """What the bill of a version is called."""
    return f"{NAME}-{version}.cdx.json"


def bill_of(
    components: Iterable[Component], locks: Sequence[Path], version: str, moment: int
) -> str:
    """The whole bill.

    Args:
        components: What is in the program.
        locks: The lock files that it was installed from, for the hashes of packages.
        version: The product's version.
        moment: The time that it says, in seconds since 1970.
    """
    hashes = locked_hashes(locks)
    wanted = sorted(components, key=_reference)
    described = [_described(item, hashes) for item in wanted]
    contents = {
        "metadata": _metadata(version, moment),
        "components": described,
        "dependencies": _dependencies(wanted),
        "compositions": _compositions(wanted),
    }
    head = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(_NAMESPACE, json.dumps(contents))}",
        "version": 1,
    }
    return json.dumps({**head, **contents}, indent=1, ensure_ascii=False) + "\n"


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


def _metadata(version: str, moment: int) -> _Described:
    publisher: _Described = {"name": PUBLISHER}
    if IS_ADDRESS_READ:
        publisher["contact"] = [{"email": ADDRESS}]
    return {
        "timestamp": datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "lifecycles": [{"phase": "build"}],
        "manufacturer": publisher,
        "component": {
            "type": "application",
            "bom-ref": NAME,
            "supplier": publisher,
            "name": TITLE,
            "version": version,
            "purl": f"pkg:generic/{NAME}@{version}",
            "licenses": [{"license": {"id": LICENCE, "acknowledgement": "declared"}}],
        },
    }


def _compositions(components: Iterable[Component]) -> list[_Described]:
    """Which lists of parts are whole: the first one, since a build takes no file of nobody's."""
    opaque = [_reference(item) for item in components if item.may_hold_more]
    return [
        {"aggregate": "complete", "assemblies": [NAME]},
        *([{"aggregate": "unknown", "assemblies": opaque}] if opaque else []),
    ]


def _dependencies(components: Sequence[Component]) -> list[_Described]:
    """Who needs whom; what none of the others asks for is there for the program itself.

    Those of which nobody says what they need have no row, as the format has it.
    """
    asking = {item.normal_name: item for item in components if item.needs is not None}
    rows = {
        _reference(item): sorted(
            _reference(asking[other])
            for other in item.needs or ()
            # A package may ask for an extra of itself, and for what is not in the program.
            if other in asking and other != name
        )
        for name, item in asking.items()
    }
    needed = {reference for row in rows.values() for reference in row}
    of_program = [
        reference
        for item in components
        if (reference := _reference(item)) not in needed or item.is_direct
    ]
    wholes = ((NAME, of_program), *rows.items())
    return [{"ref": reference, "dependsOn": row} for reference, row in wholes]


def _reference(item: Component) -> str:
    return item.purl or f"{item.kind}:{item.name}"


def _described(item: Component, hashes: _Hashes, inside: str = "") -> _Described:
    # The same library may be in two packages.
    reference = f"{inside} > {_reference(item)}" if inside else _reference(item)
    said: _Described = {"type": item.kind, "bom-ref": reference, "name": item.name}
    if item.supplier:
        said["supplier"] = {"name": item.supplier}
    said |= {
        key: value for key in ("version", "description", "purl") if (value := getattr(item, key))
    }
    if item.licence.words:
        said["licenses"] = [_licence(item.licence)]
    if item.sha256:
        said["hashes"] = [{"alg": "SHA-256", "content": item.sha256}]
    if properties := [{"name": name, "value": value} for name, value in _properties(item, hashes)]:
        said["properties"] = properties
    if item.parts:
        parts = [_described(part, hashes, reference) for part in item.parts]
        said["components"] = sorted(parts, key=lambda part: str(part["bom-ref"]))
    return said


def _properties(item: Component, hashes: _Hashes) -> Iterator[tuple[str, str]]:
    if item.licence.source:
        yield _LICENCE_SOURCE, item.licence.source
    if item.named_by:
        yield _NAMED_BY, item.named_by
    for name, value in (("version", item.version), ("licence", item.licence.words)):
        if not value:
            yield _NOT_KNOWN, name
    if item.is_locked:
        for value in hashes.get((item.normal_name, item.version), ()):
            yield LOCKED_HASH, value


def _licence(licence: Licence) -> _Described:
    """An identifier or expression of SPDX, or a name where it is none; its makers declared it."""
    if licence.is_expression and not _IDENTIFIER.fullmatch(licence.words):
        return {"expression": licence.words, "acknowledgement": "declared"}
    key = "id" if licence.is_expression else "name"
    return {"license": {key: licence.words, "acknowledgement": "declared"}}
