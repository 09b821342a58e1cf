"""The bill of materials: what it names, what it says of licences, and what nobody knows."""

import hashlib
import json
import struct
import sys
from collections.abc import Sequence
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from freeze import (
    artwork,
    bill_of_materials,
    debian_copyright,
    licence_names,
    needs,
    origins,
    wheel_bills,
)
from freeze.component import Component, Statement

ROOT = Path(__file__).resolve().parents[2]
PYTHON = Path(sys.executable)
MOMENT = 1_700_000_000
FORM = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"


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


def test_a_licence_has_the_name_of_spdx_where_it_is_certain(tmp_path: Path) -> None:
    cases = [
        ("License-Expression: MIT OR Apache-2.0\nLicense: other\n", "MIT OR Apache-2.0", True),
        ("License: bsd-3-clause\n", "BSD-3-Clause", True),
        ("License: Apache 2.0\n", "Apache-2.0", True),
        # The field says less than the classifier.
        ("License: LGPL\nClassifier: License :: OSI Approved :: GNU Lesser General Public License "
         "v2 or later (LGPLv2+)\n", "LGPL-2.0-or-later", True),
        ("License: GPLv2-or-later with a special exception which allows to use PyInstaller to build"
         " and distribute non-free programs (including commercial ones)\n",
         "GPL-2.0-or-later WITH Bootloader-exception", True),
        # Some have the whole text there.
        (f"License: {'x' * 200}\nClassifier: License :: OSI Approved :: MIT License\n",
         "MIT", True),
        # It may be any of several.
        ("License: BSD\nClassifier: License :: OSI Approved :: BSD License\n", "BSD", False),
        ("Classifier: License :: OSI Approved :: Apache Software License\n",
         "Apache Software License", False),
        # Nobody says whether one may choose.
        ("Classifier: License :: OSI Approved :: MIT License\n"
         "Classifier: License :: OSI Approved :: ISC License (ISCL)\n",
         "MIT License; ISC License (ISCL)", False),
        ("Classifier: License :: OSI Approved\n", "", False),
        ("", "", False),
    ]  # fmt: skip
    infos = [write_package(tmp_path / str(n), "one", said) for n, (said, *_) in enumerate(cases)]
    said = [licence_names.statements_of(PathDistribution(info).metadata) for info in infos]
    components = [Component(name="one", kind="library", said=each) for each in said]
    # What is in a component gets its licence as well.
    whole = Component(name="whole", kind="library", parts=tuple(components))
    (found,) = licence_names.settled([whole], PYTHON)
    licences = [part.licence for part in found.parts]
    assert [(one.words, one.is_expression) for one in licences] == [case[1:] for case in cases]
    assert licences[3].source == "Classifier"


@pytest.mark.parametrize(
    ("package", "text", "said"),
    [
        ("liba1", FORM + "\nFiles: *\nLicense: Expat\n text\n", ("Expat", "MIT", "*")),
        ("liba1", FORM + "\nFiles: *\nCopyright: A\n\tB\nLicense: GPL-2+ or LGPL-2.1\n",
         ("GPL-2+ or LGPL-2.1", "GPL-2.0-or-later or LGPL-2.1-only", "*")),
        # One source package has many libraries; the last that fits holds.
        ("libuuid1", FORM + "\nFiles: *\nLicense: GPL-2\n\nFiles: a/*\n libuuid/*\nLicense: ISC\n\n"
         "Files: debian/*\nLicense: GPL-3\n\nLicense: GPL-2\n text\n", ("ISC", "ISC", "libuuid/*")),
        ("libbz2-1.0", FORM + "\nFiles: src/libbz2/*\nLicense: BSD-variant\n",
         ("BSD-variant", "BSD-variant", "src/libbz2/*")),
        ("libssl3t64", FORM + "\nFiles: libssl/*\nLicense: Apache-2.0\n",
         ("Apache-2.0", "Apache-2.0", "libssl/*")),
        ("liba1", FORM + "\nFiles: debian/*\nLicense: GPL-2\n", None),
        ("liba1", "Everything here is free.\n\nFiles: *\nLicense: MIT\n", None),
        ("liba1", "", None),
        ("liba1", None, None),
    ],
)  # fmt: skip
def test_a_library_of_debian_has_the_licence_of_its_copyright_file(
    tmp_path: Path, package: str, text: str | None, said: tuple[str, str, str] | None
) -> None:
    if text is not None:
        (tmp_path / package).mkdir()
        (tmp_path / package / "copyright").write_text(text)
    found = debian_copyright.statements_of(package, tmp_path)
    if said is None:
        assert found == ()
    else:
        words, expression, files = said
        source = f"usr/share/doc/{package}/copyright, Files: {files}"
        assert found == (Statement(source, words, expression),)


def test_what_a_package_says_was_linked_into_it_is_a_part_of_it(tmp_path: Path) -> None:
    bills = "one-1.0.dist-info/sboms"
    names = [f"{bills}/rust.json", f"{bills}/other.spdx.json", f"{bills}/twice.json"]
    info = write_package(tmp_path, "one", "", names)
    crate = {
        "name": "crate",
        "version": "2",
        "scope": "required",
        "licenses": [{"expression": "0BSD"}],
    }
    purl = "pkg:generic/openssl@4.0?download_url=https://example.org/o.tar.gz"
    openssl = {
        "name": "openssl",
        "version": "4.0",
        "purl": purl,
        "hashes": [{"alg": "SHA-512", "content": "b"}, {"alg": "SHA-256", "content": "a"}],
        "licenses": [{"license": {"id": "MIT"}}, {"license": {"name": "Own"}}],
    }
    near = {"name": "near", "purl": "pkg:cargo/near@3?download_url=file://../near"}
    rust = [crate, {"name": "build-tool", "scope": "excluded"}, near]
    for name, bill in (
        ("rust.json", {"bomFormat": "CycloneDX", "components": rust}),
        ("other.spdx.json", {"spdxVersion": "SPDX-2.3"}),
        ("twice.json", {"bomFormat": "CycloneDX", "components": [crate, openssl]}),
    ):
        (tmp_path / bills / name).write_text(json.dumps(bill))
    rust_path, twice_path = f"{bills}/rust.json", f"{bills}/twice.json"
    assert wheel_bills.parts_of(PathDistribution(info)) == (
        Component("crate", "library", version="2", said=(Statement(rust_path, "0BSD"),),
                  named_by=rust_path),
        # Where its makers had it is nobody's business.
        Component("near", "library", "pkg:cargo/near@3", named_by=rust_path),
        Component("openssl", "library", purl, "4.0",
                  (Statement(twice_path, "MIT; Own"),), sha256="a", named_by=twice_path),
    )  # fmt: skip


def test_what_packages_need_is_read_as_it_holds_where_it_was_frozen(tmp_path: Path) -> None:
    said = {
        "web": 'Requires-Dist: Core_part>=1\nRequires-Dist: old; python_version < "3"\n'
        'Provides-Extra: fast\nRequires-Dist: speed; extra == "fast"\n'
        'Provides-Extra: all\nRequires-Dist: web[fast]; extra == "all"\n'
        'Provides-Extra: other\nRequires-Dist: stranger; extra == "other"\n',
        "core.part": "",
        "speed": "Requires-Dist: core.part\n",
        "alone": 'Requires-Dist: speed; extra == "fast"\n',
    }
    for name, metadata in said.items():
        write_package(tmp_path, name, metadata)
    asked = ("web[all]>=1", 'nowhere; sys_platform == "other"')

    found = needs.read_needs(PYTHON, tmp_path, asked, ["web", "core-part", "speed", "alone"])

    assert found.direct == ("web",)
    assert found.of_packages == {
        "web": ("core-part", "speed", "web"),
        "core-part": (),
        "speed": ("core-part",),
        "alone": (),
    }
    assert {"httpx>=0.28,<0.29", "jsonschema>=4.25"} <= {*needs.asked_by_project()}


def test_the_bill_tells_who_needs_whom() -> None:
    parts = (
        Component(
            "Web", "library", "pkg:pypi/web@1", needs=("core", "web", "gone"), is_direct=True
        ),
        Component("core", "library", "pkg:pypi/core@1", needs=(), is_direct=True),
        Component("deep", "library", "pkg:pypi/deep@1", needs=()),
        Component("user", "library", "pkg:pypi/user@1", needs=("deep",)),
        # Nobody says what it needs.
        Component("libz1", "library", "pkg:deb/debian/libz1@1", supplier="A Team"),
    )
    text = bill_of_materials.bill_of(parts, [], "1.2.3", MOMENT)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    bill = json.loads(text)
    # What the program asks for, and what none of the others does.
    own = ("deb/debian/libz1", "pypi/core", "pypi/user", "pypi/web")
    assert bill["dependencies"] == [
        {"ref": "parley", "dependsOn": [f"pkg:{name}@1" for name in own]},
        {"ref": "pkg:pypi/core@1", "dependsOn": []},
        {"ref": "pkg:pypi/deep@1", "dependsOn": []},
        {"ref": "pkg:pypi/user@1", "dependsOn": ["pkg:pypi/deep@1"]},
        {"ref": "pkg:pypi/web@1", "dependsOn": ["pkg:pypi/core@1"]},
    ]
    assert [item.get("supplier") for item in bill["components"]] == [
        {"name": "A Team"},
        *[None] * 4,
    ]


def test_a_font_says_its_version_itself(tmp_path: Path) -> None:
    (tmp_path / "fonts").mkdir()
    table = struct.pack(">4sIII", b"head", 0, 28, 8) + struct.pack(">Ii", 0x10000, 0x28000)
    (tmp_path / "fonts" / "Inter-Bold.otf").write_bytes(
        struct.pack(">4sHHHH", b"OTTO", 1, 0, 0, 0) + table
    )
    assert [(one.name, one.version) for one in artwork.components(tmp_path)] == [("Inter", "2.500")]
    assert {one.name for one in artwork.components()} == set(artwork.TEXTS)
    assert all((artwork.RESOURCES / text).is_file() for text in artwork.TEXTS.values())


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> origins.Origins:
    """What is in a small program."""
    tmp_path = tmp_path_factory.mktemp("program")
    site, base, folder = tmp_path / "site", tmp_path / "python", tmp_path / "parley"
    library, plugin = "used.libs/libyajl-1.so.2.1", "used/plugins/libsvg.so"
    write_package(
        site, "used", "License-Expression: MIT OR ISC\nRequires-Dist: unused\n", [library, plugin]
    )
    write_package(site, "unused", "")
    loaders = [f"PyInstaller/bootloader/Linux/{name}" for name in ("run", "run_d")]
    write_package(site, "pyinstaller", "License: BSD\n", loaders)
    rows = [
        ["used", str(site / "used.py"), "PYMODULE"],
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
    return origins.find_origins(contents, folder, origins.Environment(PYTHON, site, base))


def test_what_is_in_the_program_comes_from_those_who_brought_it(found: origins.Origins) -> None:
    assert [Path(path).name for path in found.unknown] == ["stranger.so"]
    by_name = {item.name: item for item in found.components}
    assert set(by_name) - set(artwork.TEXTS) == {
        *("CPython", "used", "pyinstaller", "Microsoft Visual C++ Runtime")
    }
    used = {part.name: part for part in by_name["used"].parts}
    yajl = used["libyajl-1.so.2.1"]
    # As it lies there, stripped; where it does not, nothing is said.
    assert (yajl.version, yajl.sha256) == ("2.1", sha256("stripped libyajl-1.so.2.1"))
    assert (used["libsvg.so"].version, used["libsvg.so"].sha256) == ("", "")
    (python,) = by_name["CPython"].parts
    assert (python.version, python.licence.words) == (by_name["CPython"].version, "PSF-2.0")
    (bootloader,) = by_name["pyinstaller"].parts
    assert (bootloader.name, bootloader.sha256) == ("run", sha256("run"))
    # Of PyInstaller, only what is at the front of each executable is there.
    assert (by_name["used"].needs, by_name["pyinstaller"].needs) == (("unused",), None)
    opaque = {name for name, item in by_name.items() if item.may_hold_more}
    assert opaque == {"CPython", "used", "pyinstaller"}


@pytest.mark.security(85)
def test_the_bill_names_what_is_in_the_program_with_the_hashes_of_the_lock(
    tmp_path: Path, found: origins.Origins
) -> None:
    lock = tmp_path / "lock.txt"
    lock.write_text(f"used==1.0 ; python_version < '4' \\\n    --hash=sha256:{'a' * 64}\n")
    text = bill_of_materials.bill_of(found.components, [lock], "1.2.3", MOMENT)
    assert text == bill_of_materials.bill_of(found.components[::-1], [lock], "1.2.3", MOMENT)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    bill = json.loads(text)
    assert bill["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"
    assert bill["serialNumber"] not in bill_of_materials.bill_of((), [lock], "1.2.3", MOMENT)
    by_name = {item["name"]: item for item in bill["components"]}
    described = by_name["used"]
    parts = {part["name"]: part for part in described.pop("components")}
    assert described == {
        "type": "library",
        "bom-ref": "pkg:pypi/used@1.0",
        "name": "used",
        "version": "1.0",
        "purl": "pkg:pypi/used@1.0",
        "licenses": [{"expression": "MIT OR ISC", "acknowledgement": "declared"}],
        "properties": [
            {"name": "parley:licence-source", "value": "License-Expression"},
            {"name": "parley:locked-sha256", "value": "a" * 64},
        ],
    }
    # What nobody knows, it says.
    purl = "pkg:pypi/used@1.0#used/plugins/libsvg.so"
    assert parts["libsvg.so"] == {
        "type": "library",
        "bom-ref": f"pkg:pypi/used@1.0 > {purl}",
        "name": "libsvg.so",
        "purl": purl,
        "properties": [
            {"name": "parley:not-known", "value": "version"},
            {"name": "parley:not-known", "value": "licence"},
        ],
    }
    hashes = [{"alg": "SHA-256", "content": sha256("stripped libyajl-1.so.2.1")}]
    assert parts["libyajl-1.so.2.1"]["hashes"] == hashes
    assert by_name["CPython"]["licenses"][0]["license"]["id"] == "PSF-2.0"
    assert by_name["pyinstaller"]["licenses"][0]["license"]["name"] == "BSD"
    assert bill["compositions"] == [
        {"aggregate": "complete", "assemblies": ["parley"]},
        {
            "aggregate": "unknown",
            "assemblies": [by_name[name]["bom-ref"] for name in ("CPython", "pyinstaller", "used")],
        },
    ]
