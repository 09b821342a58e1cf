"""What is in the frozen program, without starting it. Run with --frozen."""

import ast
import json
import marshal
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import pytest
from freeze import build_environment, collected, manifest, unicode_data
from freeze.bill_of_materials import LOCKED_HASH, file_name, locked_hashes, normal_name
from freeze.build_environment import LOCKS
from installers.product import read_version

from tests.support import frozen

pytestmark = pytest.mark.frozen

ROOT = Path(__file__).resolve().parents[2]
OURS = ("app", "local_server", "local_tools")
# Names of tests/support that say what tests do, where others are words of anybody's.
TELLING = re.compile(
    r"fake|stand_?in|scripted|hostile|misbehav|planted|pytest|for_tests?$", re.IGNORECASE
)


# In the Python that was frozen, which has PyInstaller.
READ_MODULES = """
import marshal, sys
from PyInstaller.archive.readers import CArchiveReader
codes = {}
for path in sys.argv[1:]:
    archive = CArchiveReader(path).open_embedded_archive("PYZ.pyz")
    codes |= {name: archive.extract(name) for name in archive.toc}
sys.stdout.buffer.write(marshal.dumps(codes))
"""


@pytest.fixture(scope="module")
def codes() -> dict[str, CodeType | None]:
    """Every module of the three programs by its name."""
    frozen.check_built()
    python = build_environment.make_ready()
    programs = [frozen.program(name) for name in ("parley", "parley-server", "parley-tools")]
    argv = [str(python), "-I", "-c", READ_MODULES, *programs]
    said = subprocess.run(argv, capture_output=True, check=True).stdout
    # Written by ourselves a moment ago.
    found: dict[str, CodeType | None] = marshal.loads(said)  # noqa: S302
    return found


def words_of(code: CodeType) -> Iterator[str]:
    """Every name and every text that a module's code has."""
    yield from (*code.co_names, *code.co_varnames, code.co_name)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from words_of(constant)
        elif isinstance(constant, str):
            yield constant
        elif isinstance(constant, tuple | frozenset):
            yield from (item for item in constant if isinstance(item, str))


def imported_by_tests() -> set[str]:
    """Return the top names of all modules that tests import."""
    found = set()
    for path in (ROOT / "tests").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
    return found


def defined_for_tests() -> set[str]:
    """Return the telling names of what tests/support defines."""
    found = set()
    for path in (ROOT / "tests" / "support").glob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                found.add(node.name)
    return {name for name in found if TELLING.search(name)}


def imported_by_product() -> Iterator[str]:
    """Yield the top names of all modules that the product imports."""
    for part in OURS:
        for path in (ROOT / part).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    yield from (alias.name.partition(".")[0] for alias in node.names)
                elif isinstance(node, ast.ImportFrom) and node.module:
                    yield node.module.partition(".")[0]


@pytest.mark.security(22)
def test_frozen_program_contains_nothing_of_the_tests(codes: dict[str, CodeType | None]) -> None:
    tops = {name.partition(".")[0] for name in codes}
    only_tests = imported_by_tests() - set(imported_by_product()) - set(sys.stdlib_module_names)
    brought = {normal_name(name).replace("-", "_") for name, _ in locked_hashes(LOCKS[:1])}
    assert "pytest" in only_tests
    assert not tops & (only_tests - brought - {"anyio", "PySide6", "starlette", "google"})
    ours = {name: code for name, code in codes.items() if name.partition(".")[0] in OURS}
    words = {word for code in ours.values() if code for word in words_of(code)}
    assert not defined_for_tests() & words
    assert not [word for word in words if "PYTEST" in word or "tests.support" in word]


def test_each_of_our_modules_is_in_it(codes: dict[str, CodeType | None]) -> None:
    ours = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for part in OURS
        for path in (ROOT / part).rglob("*.py")
    }
    # What another program runs is in it as text.
    as_text = {name.removesuffix(".py").replace("/", ".") for name in collected.READ_AS_TEXT}
    assert ours - set(codes) <= as_text


def test_no_module_lacks_what_it_is_in(codes: dict[str, CodeType | None]) -> None:
    """A folder of modules without code of its own is a package, too."""
    known = {*codes, *sys.stdlib_module_names, ""}
    assert not [name for name in codes if name.rpartition(".")[0] not in known]


@pytest.mark.security(83)
@pytest.mark.skipif(sys.platform == "win32", reason="Rights of Windows are another matter.")
def test_frozen_program_is_one_folder_writable_by_its_owner_only() -> None:
    frozen.check_built()
    assert {path.name for path in frozen.FOLDER.iterdir()} == {
        *("_internal", "licences.txt", "manifest.json"),
        *("parley", "parley-server", "parley-tools"),
    }
    for path in frozen.FOLDER.rglob("*"):
        assert not path.is_symlink(), path
        mode = path.stat().st_mode
        assert not mode & (stat.S_ISUID | stat.S_ISGID | stat.S_IWGRP | stat.S_IWOTH), path


def test_the_manifest_is_true() -> None:
    frozen.check_built()
    listed = json.loads((frozen.FOLDER / manifest.NAME).read_text(encoding="utf-8"))["files"]
    found = {
        path.relative_to(frozen.FOLDER).as_posix(): {
            "size": path.stat().st_size,
            "sha256": manifest.digest(path),
        }
        for path in frozen.FOLDER.rglob("*")
        if path.is_file() and path.name != manifest.NAME
    }
    assert found == listed


@pytest.mark.security(85)
def test_every_package_in_it_is_in_the_bill_and_pinned_by_hash(
    codes: dict[str, CodeType | None],
) -> None:
    path = frozen.DIST / file_name(read_version())
    bill = json.loads(path.read_text(encoding="utf-8"))
    packages = [item for item in bill["components"] if item.get("purl", "").startswith("pkg:pypi/")]
    known = locked_hashes(LOCKS)
    for item in packages:
        hashes = {one["value"] for one in item["properties"] if one["name"] == LOCKED_HASH}
        assert hashes, item["name"]
        assert hashes == set(known[normal_name(item["name"]), item["version"]])
        assert item["licenses"], item["name"]
    named = {normal_name(item["name"]) for item in packages}
    metadata = {
        normal_name(folder.name.removesuffix(".dist-info").rpartition("-")[0])
        for folder in frozen.LIBRARIES.glob("*.dist-info")
    }
    assert metadata - named == {"parley"}
    assert {"pyside6-essentials", "mcp", "openai", "anthropic", "google-genai"} <= named
    assert not any("pytest" in name for name in named)
    assert set(codes) >= {"openai", "anthropic", "google.genai", "mcp"}


@pytest.mark.security(85)
def test_the_bill_is_valid_and_names_every_shared_library() -> None:
    frozen.check_built()
    text = (frozen.DIST / file_name(read_version())).read_text(encoding="utf-8")
    # Its schemas take seconds to load, which each process of the tests would spend on collecting.
    from cyclonedx.schema import SchemaVersion  # noqa: PLC0415
    from cyclonedx.validation.json import JsonStrictValidator  # noqa: PLC0415

    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    parts = [part for item in json.loads(text)["components"] for part in item.get("components", ())]
    named = {
        part["purl"].partition("#")[2]: part["hashes"][0]["content"]
        for part in parts
        # What the makers of a package say of its code has no hash of a file.
        if "#" in part.get("purl", "") and "hashes" in part
    }
    listed = json.loads((frozen.FOLDER / manifest.NAME).read_text(encoding="utf-8"))["files"]
    inside = {name.removeprefix("_internal/"): said["sha256"] for name, said in listed.items()}
    assert {name: inside[name] for name in named} == named
    if sys.platform == "linux":
        libraries = {name for name in inside if re.search(r"(^|/)lib[^/]*\.so", name)}
        assert libraries <= named.keys()


@pytest.mark.skipif(sys.platform != "linux", reason="Only Qt for Linux brings ICU.")
def test_text_that_is_pasted_is_read_in_the_encodings_of_the_web() -> None:
    """In a process of its own: the Qt of the tests has loaded libraries of the same names."""
    frozen.check_built()
    read = """
import sys
from ctypes import CDLL, RTLD_GLOBAL, byref, c_char_p, c_int
CDLL(sys.argv[1], RTLD_GLOBAL)
for name in sys.argv[4:]:
    error = c_int()
    getattr(CDLL(sys.argv[2]), "ucnv_open_" + sys.argv[3])(c_char_p(name.encode()), byref(error))
    if error.value > 0:
        print(name)
"""
    folder = frozen.LIBRARIES / "PySide6" / "Qt" / "lib"
    (data,) = folder.glob("libicudata.so.*")
    release = data.suffix.removeprefix(".")
    libraries = [data, folder / f"libicuuc.so.{release}"]
    names = ["utf-8", "iso-8859-1", *unicode_data.ENCODINGS]
    argv = [sys.executable, "-I", "-c", read, *map(str, libraries), release, *names]
    done = subprocess.run(argv, capture_output=True, check=True, encoding="utf-8")
    assert done.stdout == ""


def test_no_path_of_the_machine_that_built_it_is_in_the_modules(
    codes: dict[str, CodeType | None],
) -> None:
    for name, code in codes.items():
        if code is not None:
            assert not Path(code.co_filename).is_absolute(), name
