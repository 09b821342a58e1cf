"""Freezing: what goes in, what is noted of it, and what a program begins with."""

import hashlib
import importlib.util
import json
import os
import runpy
import shutil
import signal
import struct
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest
from checkout import SETUP
from freeze import (
    collected,
    freezing,
    manifest,
    sizes,
    spec_parts,
    unicode_data,
)

from app.config.key_store import BACKENDS

ROOT = Path(__file__).resolve().parents[2]
SITE = "/build/venv/lib/python3.11/site-packages"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a small folder of the shape of the frozen one."""
    folder = tmp_path / "parley"
    for name, size in {
        "parley": 10,
        "parley-server": 3 * sizes.MIB - 10,
        "_internal/PySide6/Qt/lib/libQt6Core.so.6": 5 * sizes.MIB,
        "_internal/PySide6/Qt/lib/libicudata.so.73": 2 * sizes.MIB,
        "_internal/PySide6/QtCore.abi3.so": sizes.MIB,
        "_internal/libssl.so.3": 100,
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * size)
    return folder


def test_the_manifest_lists_every_file_but_itself(folder: Path) -> None:
    for _ in range(2):
        manifest.write_manifest(folder, "1.2.3")
    listed = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert listed["version"] == "1.2.3"
    assert len(listed["files"]) == 6
    digest = hashlib.sha256(b"x" * 100).hexdigest()
    assert listed["files"]["_internal/libssl.so.3"] == {"size": 100, "sha256": digest}


def test_sums_are_as_the_system_checks_them(tmp_path: Path) -> None:
    (tmp_path / "a.deb").write_bytes(b"abc")
    sums = manifest.write_sums([tmp_path / "a.deb"], tmp_path)
    digest = hashlib.sha256(b"abc").hexdigest()
    assert sums.read_text(encoding="utf-8") == f"{digest}  a.deb\n"


def test_the_table_names_what_takes_the_space_and_judges_the_whole(folder: Path) -> None:
    assert sizes.groups(folder)[:3] == [
        ("Qt", 5 * sizes.MIB),
        ("Executables, with their Python modules", 3 * sizes.MIB),
        ("Unicode data of Qt (ICU)", 2 * sizes.MIB),
    ]
    assert "11.0 MiB  in all, within the 220 MiB allowed" in sizes.table(folder)


def test_two_folders_are_compared_by_names_bytes_and_rights(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    assert manifest.differences(folder, other) == []
    (other / "parley").write_bytes(b"y" * 10)
    (other / "_internal" / "libssl.so.3").unlink()
    (folder / "parley-server").chmod(0o700)
    assert manifest.differences(folder, other) == [
        "only in the first: _internal/libssl.so.3",
        "not the same: parley",
        "not the same: parley-server",
    ]


@pytest.mark.parametrize(
    ("destination", "source", "is_kept"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", SITE, True),
        ("PySide6/Qt/plugins/platforms/libqoffscreen.so", SITE, True),
        ("PySide6/plugins/platforms/qwindows.dll", SITE, True),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", SITE, False),
        ("PySide6/Qt/plugins/imageformats/libqtiff.so", SITE, False),
        ("PySide6/Qt/plugins/sqldrivers/libqsqlite.so", SITE, False),
        ("PySide6/Qt/lib/libQt6Network.so.6", SITE, True),
        ("PySide6/Qt/lib/libQt6Quick.so.6", SITE, False),
        ("PySide6/Qt/translations/qtbase_de.qm", SITE, True),
        ("PySide6/Qt/translations/qtbase_fr.qm", SITE, False),
        ("resources/translations/parley_de.qm", "/checkout/parley_de.qm", True),
        ("resources/translations/parley_de.ts", "/checkout/parley_de.ts", False),
        ("libgtk-3.so.0", "/lib/x86_64-linux-gnu/libgtk-3.so.0", False),
        ("libfontconfig.so.1", "/usr/lib/x86_64-linux-gnu/libfontconfig.so.1", False),
        ("libEGL.so.1", f"{SETUP}/sysroot/usr/lib/x86_64-linux-gnu/libEGL.so.1", False),
        ("libssl.so.3", "/usr/lib/x86_64-linux-gnu/libssl.so.3", True),
        ("libpython3.11.so.1.0", "/usr/lib/x86_64-linux-gnu/libpython3.11.so.1.0", True),
        ("lxml/etree.so", f"{SITE}/lxml/etree.so", True),
        ("mcp-2.3.0.dist-info/METADATA", SITE, True),
        ("mcp-2.3.0.dist-info/direct_url.json", SITE, False),
        ("base_library.zip", "/build/base_library.zip", True),
    ],
)
def test_what_is_kept_of_what_was_found(destination: str, source: str, is_kept: bool) -> None:
    assert collected.is_kept(destination, source, "BINARY", "linux") is is_kept


def test_links_stay_where_apples_libraries_need_them() -> None:
    link = ("QtCore", "PySide6/Qt/lib/QtCore.framework/QtCore", "SYMLINK")
    assert collected.is_kept(*link, "darwin")
    assert not collected.is_kept(*link, "linux")


def test_every_part_that_is_named_is_there() -> None:
    for program in spec_parts.PROGRAMS:
        assert program.script.is_file()
    for name in (*collected.READ_AS_TEXT, *(f"resources/{name}" for name in collected.RESOURCES)):
        assert (ROOT / name).exists()
    hidden = {name for each in spec_parts.PROGRAMS for name in collected.hidden_imports(each.name)}
    assert {"app", "app.self_test.run", "local_tools.mcp.oauth", "local_server.cli"} <= hidden
    assert "local_tools.user_tools.script_runner" not in hidden
    for name in hidden if sys.platform == "linux" else ():
        assert importlib.util.find_spec(name.partition(".")[0]), name


def test_an_executable_runs_no_hook_for_workers_that_it_has_not() -> None:
    names = ("pyi_rth_inspect", "pyi_rth_multiprocessing", "pyi_rth_pyside6", "parley")
    ran = spec_parts.used_scripts((name, "", "PYSOURCE") for name in names)
    assert [name for name, _, _ in ran] == ["pyi_rth_inspect", "pyi_rth_pyside6", "parley"]


@pytest.mark.security(40)
@pytest.mark.security(84)
def test_the_program_hands_on_the_variables_that_it_was_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in list(os.environ):
        if name.startswith(("LD_", "QML", "_PYI_")):
            monkeypatch.delenv(name)
    given = {
        "LD_LIBRARY_PATH": "/bundle/_internal:/mine",
        "LD_LIBRARY_PATH_ORIG": "/mine",
        "DYLD_LIBRARY_PATH": "/bundle/_internal",
        "_PYI_ARCHIVE_FILE": "/bundle/parley",
        "QT_PLUGIN_PATH": "/planted",
        "QT_QPA_PLATFORM_PLUGIN_PATH": "/planted",
        "QML2_IMPORT_PATH": "/planted",
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": "/mine",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    runpy.run_path(str(ROOT / "packaging" / "freeze" / "programs" / "runtime_env.py"))
    left = {name: value for name, value in os.environ.items() if name in given}
    assert left == {
        "LD_LIBRARY_PATH": "/mine",
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": "/mine",
    }


def test_an_archive_is_the_same_in_whichever_order_its_entries_came(tmp_path: Path) -> None:
    archives = [tmp_path / name for name in ("one.zip", "other.zip")]
    for path, names in zip(archives, ("ab", "ba"), strict=True):
        with ZipFile(path, "w") as archive:
            for name in names:
                archive.writestr(ZipInfo(name), name * 9)
        freezing.sort_entries(path)
    one, other = (path.read_bytes() for path in archives)
    assert one == other
    with ZipFile(archives[0]) as archive:
        assert [(name, archive.read(name)) for name in archive.namelist()] == [
            ("a", b"a" * 9),
            ("b", b"b" * 9),
        ]


def test_windows_is_told_the_one_version() -> None:
    words = spec_parts.version_resource("parley-server")
    assert "filevers=(" in words
    assert f"StringStruct('ProductVersion', '{spec_parts.VERSION}')" in words
    assert "StringStruct('OriginalFilename', 'parley-server.exe')" in words
    # As PyInstaller reads it.
    compile(words, "version", "eval")


def package_of_data(*items: tuple[str, bytes]) -> bytes:
    """Return data in the form of ICU's packages, each item at a multiple of 16."""
    head = struct.pack("<HHH", 32, 0x27DA, 20).ljust(32, b"\0")
    names = b"".join(name.encode() + b"\0" for name, _ in items)
    table, blocks = struct.pack("<I", len(items)), b""
    names_at = 4 + 8 * len(items)
    data_at = names_at + len(names) + -(names_at + len(names)) % 16
    padding = b"\0" * (data_at - names_at - len(names))
    for name, data in items:
        table += struct.pack("<II", names_at, data_at + len(blocks))
        names_at += len(name) + 1
        blocks += data + b"\0" * (-len(data) % 16)
    return head + table + names + padding + blocks


def test_unicode_data_keeps_what_is_used_and_stays_in_its_form() -> None:
    kept = (
        ("icudt73l/coll/de.res", b"collation"),
        ("icudt73l/ibm-5348_P100-1997.cnv", b"windows-1252"),
        ("icudt73l/root.res", b"r" * 40),
        ("icudt73l/zone/de.res", b"zones"),
    )
    dropped = (
        ("icudt73l/brkitr/cjdict.dict", b"words" * 9),
        ("icudt73l/ibm-37.cnv", b"converter"),
        ("icudt73l/unames.icu", b"names"),
    )
    whole = package_of_data(*sorted((*kept, *dropped)))
    assert unicode_data.trimmed(whole) == package_of_data(*kept)


def _start_with(folder: Path, stand_in: str) -> subprocess.CompletedProcess[str]:
    """Run the window's executable with something else in place of the program."""
    (folder / "app").mkdir()
    (folder / "app" / "__init__.py").touch()
    (folder / "app" / "main.py").write_text(stand_in, encoding="utf-8")
    return subprocess.run(
        [sys.executable, ROOT / "packaging" / "freeze" / "programs" / "parley.py"],
        env={**os.environ, "PYTHONPATH": os.fspath(folder)},
        capture_output=True,
        check=False,
        encoding="utf-8",
    )


def test_ctrl_c_while_qt_is_loaded_ends_the_program_and_is_no_exception(tmp_path: Path) -> None:
    done = _start_with(tmp_path, "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


def test_a_library_of_the_system_that_is_missing_is_named_in_a_sentence(tmp_path: Path) -> None:
    # The loader's own words.
    done = _start_with(
        tmp_path,
        "import ctypes\ntry:\n    ctypes.CDLL('libnobody.so.1')\n"
        "except OSError as error:\n    raise ImportError(str(error)) from None\n",
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "Parley does not find libnobody.so.1, a library of the system. "
        "Install it with your package manager.\n"
    )


def test_any_other_fault_of_a_module_is_shown_whole(tmp_path: Path) -> None:
    done = _start_with(tmp_path, "import nobody_has_this\n")
    assert done.returncode == 1
    assert done.stderr.endswith("ModuleNotFoundError: No module named 'nobody_has_this'\n")


def test_every_file_that_drawing_a_formula_reads_comes_along() -> None:
    script = """
import sys
read = set()
sys.addaudithook(lambda event, given: read.add(str(given[0])) if event == "open" else None)
from app.ui.markdown.formulas import draw
assert draw(r"\\frac{a}{b}") is not None
data = (path for path in read if "site-packages" in path and ".py" not in path)
print(*(path for path in data if ".dist-info" not in path))
"""
    argv = (sys.executable, "-c", script)
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, check=True, encoding="utf-8")
    packages = {Path(path).parts for path in done.stdout.split()}
    names = {parts[parts.index("site-packages") + 1] for parts in packages}
    assert names
    assert names <= set(collected.WITH_DATA)


@pytest.mark.parametrize("program", ["parley", "parley-server", "parley-tools"])
def test_on_windows_the_time_zones_come_along(program: str) -> None:
    assert "tzdata" in collected.hidden_imports(program, "win32")
    assert collected.WITH_DATA_BY_SYSTEM["win32"] == ("tzdata",)
    assert "tzdata" not in collected.hidden_imports(program, "linux")


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_the_keyrings_that_are_asked_are_frozen_and_no_other(system: str) -> None:
    asked = {backend.partition(":")[0] for backend in BACKENDS[system]}
    hidden = collected.hidden_imports("parley", system)
    assert {name for name in hidden if "keyring.backends" in name} == asked
