"""The archive of modules: how it is written, and that a program keeps the one it began with."""

import importlib.util
import marshal
import os
import runpy
import struct
import sys
import zlib
from pathlib import Path
from types import CodeType, ModuleType

import pytest
from freeze import module_archive, packing, spec_parts

_HEAD = b"PYZ\0" + importlib.util.MAGIC_NUMBER + struct.pack("!i", 17) + b"\0" * 5
_NAMES = [f"m{number}" for number in range(20)]


def _code(name: str) -> CodeType:
    return compile(f"name = {name!r}\nwords = {name * 40!r}", f"{name}.py", "exec")


def _packed(name: str) -> tuple[str, int, bytes]:
    return name, 0, zlib.compress(marshal.dumps(_code(name)))


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """One with modules that are told apart by their code, and a package without code."""
    path = tmp_path / spec_parts.MODULES
    parts = [*map(_packed, _NAMES), ("space", 3, b"")]
    path.write_bytes(module_archive.written(_HEAD, parts))
    return path


def test_an_archive_packed_anew_has_the_same_modules(archive: Path) -> None:
    before, size = dict(module_archive.modules(archive)), archive.stat().st_size
    packing.repack(archive, may_grow_bytes=200)
    assert dict(module_archive.modules(archive)) == before
    assert size < archive.stat().st_size <= size + 200


@pytest.mark.skipif(sys.platform == "win32", reason="The setup replaces no program that runs.")
@pytest.mark.parametrize("is_replaced", [True, False])
def test_a_program_reads_its_modules_from_the_archive_that_it_began_with(
    archive: Path, monkeypatch: pytest.MonkeyPatch, *, is_replaced: bool
) -> None:
    importers, reader = ModuleType("pyimod02_importers"), ModuleType("pyimod01_archive")
    vars(reader)["PYTHON_MAGIC_NUMBER"] = importlib.util.MAGIC_NUMBER
    for module in (importers, reader):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(sys, "_MEIPASS", str(archive.parent), raising=False)
    monkeypatch.setattr(sys, "dont_write_bytecode", sys.dont_write_bytecode)
    runpy.run_path(str(spec_parts.BEGINNING))
    held = vars(importers)["pyz_archive"]
    if is_replaced:
        other = archive.with_suffix(".other")
        parts = [*map(_packed, reversed(_NAMES))]
        other.write_bytes(module_archive.written(_HEAD, parts))
        other.replace(archive)
    else:
        archive.unlink()
    assert [held.extract(name) for name in _NAMES] == [_code(name) for name in _NAMES]
    assert held.extract("space") is None
    assert set(held.toc) == {*_NAMES, "space"}
    os.close(held._file)
