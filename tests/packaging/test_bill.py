"""The bill of materials: what it names, and how it is joined to what cyclonedx-py says."""

import hashlib
import json
import os
import sys
import sysconfig
import venv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from freeze import provenance
from freeze.bill_of_materials import LOCKED_HASH, bill_of
from freeze.provenance import Provenance

ROOT = Path(__file__).resolve().parents[2]
MOMENT = 1_700_000_000


def write_package(site: Path, name: str, metadata: str, files: Sequence[str] = ()) -> Path:
    """Write a package as an installer does, with one module and more files; gives its folder."""
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n{metadata}")
    listed = (f"{name}.py", *files)
    (info / "RECORD").write_text("".join(f"{file},,\n" for file in listed))
    for path in (site / file for file in listed):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.name)
    return info


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_every_piece_of_artwork_has_its_licence_and_its_version() -> None:
    assert all(path.is_file() for path in provenance.ARTWORK_TEXTS.values())
    (table,) = (ROOT / "resources" / "unicode").glob("confusables*.txt")
    assert "version 15.0.0" in table.read_text(encoding="utf-8")[:200]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return the packages of an environment that is frozen, with two that the program needs."""
    venv.create(tmp_path / "env", symlinks=sys.platform != "win32")
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(tmp_path / "env")}))
    needing = "License-Expression: MIT OR ISC\nRequires-Dist: Needed_one\nRequires-Dist: unused\n"
    # Of the name of one that the program asks for.
    info = write_package(site, "httpx", needing, ["httpx.libs/libyajl-1.so.2.1", "plugins/libx.so"])
    write_package(site, "needed.one", "License: BSD\n")
    write_package(site, "unused", "")
    write_package(site, "pyinstaller", "License: BSD\n")
    linked = {
        "name": "openssl",
        "type": "library",
        "version": "4.0",
        "purl": "pkg:generic/openssl@4.0?download_url=file:///builder/openssl",
        "licenses": [{"license": {"id": "Apache-2.0"}}],
    }
    build_tool = {"name": "build-tool", "type": "library", "scope": "excluded"}
    bill = {"bomFormat": "CycloneDX", "components": [linked, build_tool, linked]}
    (info / "sboms").mkdir()
    (info / "sboms" / "own.json").write_text(json.dumps(bill))
    (info / "sboms" / "other.json").write_text(json.dumps({"spdxVersion": "SPDX-2.3"}))
    with (info / "RECORD").open("a") as record:
        record.writelines(f"{info.name}/sboms/{name}.json,,\n" for name in ("own", "other"))
    return site


@pytest.fixture
def found(tmp_path: Path, site: Path) -> Provenance:
    """Return what is in a small program."""
    base, folder = tmp_path / "python", tmp_path / "parley"
    library, plugin = "httpx.libs/libyajl-1.so.2.1", "plugins/libx.so"
    rows = [
        ["httpx", str(site / "httpx.py"), "PYMODULE"],
        ["needed.one", str(site / "needed.one.py"), "PYMODULE"],
        [library.replace("/", "\\"), str(site / library), "BINARY"],
        [plugin, str(site / plugin), "BINARY"],
        ["json", str(base / "lib" / "json.py"), "PYMODULE"],
        ["libpython3.so.1.0", str(base / "lib" / "libpython3.so.1.0"), "BINARY"],
        ["app", str(ROOT / "app" / "__init__.py"), "PYMODULE"],
        ["stranger", str(tmp_path / "stranger.so"), "BINARY"],
        # It may lie with Windows.
        ["MSVCP140.dll", str(tmp_path / "MSVCP140.dll"), "BINARY"],
        ["space", "-", "PYMODULE"],
    ]
    for name, _, kind in rows:
        if kind == "BINARY" and name != plugin:
            path = folder / "_internal" / name.replace("\\", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"stripped {path.name}")
    contents = tmp_path / "contents.json"
    contents.write_text(json.dumps(rows))
    return provenance.find_provenance(contents, folder, site, base)


def test_what_is_in_the_program_comes_from_those_who_brought_it(found: Provenance) -> None:
    assert [Path(path).name for path in found.unknown] == ["stranger.so"]
    packages = {part.name: part for part in found.packages}
    # The bootloader begins each executable, and is in no list.
    assert set(packages) == {"httpx", "needed.one", "pyinstaller"}
    yajl, plugin = packages["httpx"].libraries
    # As it lies there, stripped; where it does not, nothing is said.
    assert (yajl.version, yajl.sha256) == ("2.1", sha256("stripped libyajl-1.so.2.1"))
    assert (plugin.version, plugin.sha256) == ("", "")
    others = {part.name: part for part in found.others}
    artwork = set(provenance.ARTWORK_TEXTS)
    assert set(others) == artwork | {"CPython", "Microsoft Visual C++ Runtime"}
    (python,) = others["CPython"].libraries
    assert python.version == others["CPython"].version


@pytest.mark.security(85)
def test_the_bill_names_what_is_in_the_program_with_the_hashes_of_the_lock(
    tmp_path: Path, site: Path, found: Provenance
) -> None:
    lock = tmp_path / "lock.txt"
    lock.write_text(f"httpx==1.0 ; python_version < '4' \\\n    --hash=sha256:{'a' * 64}\n")
    python = tmp_path / "env" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")

    text = bill_of(found, python, [lock], "1.2.3", MOMENT)

    # Its schemas take seconds to load, which each process of the tests would spend on collecting.
    from cyclonedx.schema import SchemaVersion  # noqa: PLC0415
    from cyclonedx.validation.json import JsonStrictValidator  # noqa: PLC0415

    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    bill = json.loads(text)
    assert bill["metadata"]["timestamp"].startswith("2023-11-14T22:13:20")
    own = bill["metadata"]["component"]
    assert [own[key] for key in ("name", "version", "purl")] == [
        *("Parley", "1.2.3", "pkg:generic/parley@1.2.3")
    ]
    by_name = {item["name"]: item for item in bill["components"]}
    # Nothing of what else is installed where it was frozen.
    parts = {part.name for part in (*found.packages, *found.others)}
    assert set(by_name) == parts
    assert "unused" not in parts
    httpx = by_name["httpx"]
    assert httpx["licenses"][0]["expression"] == "MIT OR ISC"
    assert httpx["properties"] == [{"name": LOCKED_HASH, "value": "a" * 64}]
    yajl, _, openssl = httpx["components"]
    hashes = [{"alg": "SHA-256", "content": sha256("stripped libyajl-1.so.2.1")}]
    assert (yajl["name"], yajl["version"], yajl["hashes"]) == ("libyajl-1.so.2.1", "2.1", hashes)
    # Where its makers had it is nobody's business.
    assert (openssl["name"], openssl["purl"]) == ("openssl", "pkg:generic/openssl@4.0")
    assert "exception" in by_name["pyinstaller"]["licenses"][0]["expression"]
    assert os.fspath(site) not in text

    references = {name: item["bom-ref"] for name, item in by_name.items()}
    needs = {row["ref"]: row["dependsOn"] for row in bill["dependencies"]}
    assert needs[references["httpx"]] == [references["needed.one"]]
    assert set(needs[own["bom-ref"]]) == set(references.values()) - {references["needed.one"]}
    again = replace(found, packages=found.packages[::-1], others=found.others[::-1])
    assert bill_of(again, python, [lock], "1.2.3", MOMENT) == text
