"""The files of an installed program against the list that came with it."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from app.paths import resources
from app.self_test.installed_files import check_files
from app.self_test.report import CheckFailed, NotAvailable
from tests.support.tiny_model import write_model

_FILES = {"parley": b"program", "_internal/a.so": b"library", "_internal/sub/b.txt": b""}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an installed program of three files and a list."""
    for name, content in _FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    listed = {
        name: {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in _FILES.items()
    }
    written = json.dumps({"version": "1.2", "files": listed})
    (tmp_path / "manifest.json").write_text(written, encoding="utf-8")
    return tmp_path


def test_model_file_of_the_self_test_is_the_one_that_is_written_here(tmp_path: Path) -> None:
    write_model(tmp_path / "tiny.gguf", is_small=True)
    installed = resources() / "self_test" / "tiny.gguf"
    assert installed.read_bytes() == (tmp_path / "tiny.gguf").read_bytes()


def test_files_as_they_were_built_are_counted(folder: Path) -> None:
    (folder / "_internal" / "link.so").symlink_to("a.so")
    (folder / "uninstall.exe").write_bytes(b"of the installer")

    assert "3" in check_files(folder, "1.2")


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda at: (at / "parley").unlink(), "missing: parley"),
        (lambda at: (at / "parley").write_bytes(b"PROGRAM"), "changed since the build: parley"),
        (lambda at: (at / "parley").write_bytes(b"longer than"), "changed since the build: parley"),
        (lambda at: (at / "_internal/c.so").write_bytes(b""), "unexpected: _internal/c.so"),
        (lambda at: (at / "_internal/c.so").symlink_to("/etc/hostname"), "unexpected"),
        (lambda at: (at / "manifest.json").unlink(), "cannot be read"),
        (lambda at: (at / "manifest.json").write_bytes(b"{}"), "is not valid"),
    ],
)
def test_every_difference_is_named(
    folder: Path, spoil: Callable[[Path], object], words: str
) -> None:
    spoil(folder)

    with pytest.raises(CheckFailed, match=words):
        check_files(folder, "1.2")


def test_bundle_of_macos_has_its_signature_instead_of_a_list(tmp_path: Path) -> None:
    with pytest.raises(NotAvailable, match="signature"):
        check_files(tmp_path / "Parley.app" / "Contents" / "MacOS", "1.2")


def test_list_of_another_version_is_named(folder: Path) -> None:
    with pytest.raises(CheckFailed, match=r"version 1\.2, but this is 1\.3"):
        check_files(folder, "1.3")


def test_from_source_there_is_nothing_to_compare() -> None:
    with pytest.raises(NotAvailable, match="source"):
        check_files(None, "1.2")
