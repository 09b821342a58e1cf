"""What packages say in bills of their own that was linked into their compiled code (PEP 770)."""

import json
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any, Final

from freeze.component import Component, Statement

_FOLDER: Final = "sboms"
# Where the makers had it while they built.
_PLACE: Final = "?download_url=file:"


def parts_of(package: Distribution) -> tuple[Component, ...]:
    """What the bills in a package name; empty where it has none.

    What only building needed is left out. Bills of Rust name what any system may need, not only
    the one that the package is for, and nothing tells them apart.
    """
    found = dict[tuple[str, str, str], Component]()
    for file in sorted(package.files or ()):
        if file.parent.name == _FOLDER and file.parent.parent.suffix == ".dist-info":
            text = Path(str(package.locate_file(file))).read_text(encoding="utf-8")
            for part in _named_in(json.loads(text), file.as_posix()):
                found.setdefault((part.purl, part.name, part.version), part)
    return tuple(found.values())


def _named_in(bill: Mapping[str, Any], path: str) -> Iterator[Component]:
    if bill.get("bomFormat") != "CycloneDX":
        return
    for item in bill.get("components", ()):
        if item.get("scope") != "excluded":
            yield Component(
                name=item["name"],
                kind="library",
                purl=item.get("purl", "").partition(_PLACE)[0],
                version=item.get("version", ""),
                said=tuple(_said(item, path)),
                sha256=_sha256(item),
                named_by=path,
            )


def _said(item: Mapping[str, Any], path: str) -> Iterator[Statement]:
    choices = item.get("licenses", ())
    names = [choice["license"] for choice in choices if "license" in choice]
    words = [choice["expression"] for choice in choices if "expression" in choice]
    words += [name.get("id") or name["name"] for name in names]
    if words:
        yield Statement(path, "; ".join(words))


def _sha256(item: Mapping[str, Any]) -> str:
    hashes = item.get("hashes", ())
    return next((one["content"] for one in hashes if one["alg"] == "SHA-256"), "")
