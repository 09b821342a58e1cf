"""What the lock files promise: hashes, no address, and versions that fit pyproject.toml."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "packaging" / "requirements.txt"
DEV_LOCK = ROOT / "packaging" / "requirements-dev.txt"
UV_PIN = ROOT / "packaging" / "uv-requirements.txt"
BENCH_LOCK = ROOT / "packaging" / "requirements-bench.txt"
BUILD_LOCK = ROOT / "packaging" / "requirements-build.txt"
EDITABLE_LOCK = ROOT / "packaging" / "requirements-editable.txt"
ALL = (LOCK, DEV_LOCK, UV_PIN, BENCH_LOCK, BUILD_LOCK, EDITABLE_LOCK)
PYTHONS = ("3.11", "3.12", "3.13")


def logical_lines(path: Path) -> list[str]:
    """Return the lines of a lock file, continued ones joined, comments left out."""
    text = path.read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def locked(path: Path) -> list[Requirement]:
    """Return what a lock file names, without the hashes."""
    return [Requirement(line.split(" --hash=")[0]) for line in logical_lines(path)]


def version_of(name: str, requirements: list[Requirement], python: str) -> str | None:
    """Return the version of a package that is locked for one version of Python."""
    fitting = [
        str(requirement.specifier).removeprefix("==")
        for requirement in requirements
        if canonicalize_name(requirement.name) == canonicalize_name(name)
        and applies(requirement, python)
    ]
    assert len(fitting) <= 1
    return fitting[0] if fitting else None


def applies(requirement: Requirement, python: str) -> bool:
    """Return whether a requirement counts on this system with one version of Python."""
    versions = {"python_version": python, "python_full_version": f"{python}.0"}
    return requirement.marker is None or requirement.marker.evaluate(versions)


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.name)
def test_a_lock_file_names_no_address(path: Path) -> None:
    assert "://" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.name)
def test_every_locked_package_has_one_version_and_hashes(path: Path) -> None:
    lines = logical_lines(path)
    assert lines
    for line in lines:
        assert line.count("==") - line.partition(";")[2].count("==") == 1, line
        assert "--hash=sha256:" in line


@pytest.mark.parametrize("python", PYTHONS)
def test_the_lock_fits_the_dependencies_of_the_project(python: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [Requirement(line) for line in project["project"]["dependencies"]]
    groups = project["dependency-groups"]
    placing = [Requirement(line) for line in groups["editable"]]
    included, *others = groups["dev"]
    assert included == {"include-group": "editable"}
    developing = [*wanted, *placing, *map(Requirement, others)]
    for path, requirements in ((LOCK, wanted), (EDITABLE_LOCK, placing), (DEV_LOCK, developing)):
        for requirement in requirements:
            if applies(requirement, python):
                version = version_of(requirement.name, locked(path), python)
                assert version is not None, f"{requirement} is not in {path.name}: dev.py lock"
                assert requirement.specifier.contains(version), f"{requirement}: {version}"


def test_what_is_shipped_or_run_from_a_checkout_is_what_is_tested() -> None:
    # Without markers: what development adds may want the same version on more systems.
    shipped, placing, tested = (
        {f"{requirement.name}{requirement.specifier}" for requirement in locked(path)}
        for path in (LOCK, EDITABLE_LOCK, DEV_LOCK)
    )
    assert shipped | placing <= tested


@pytest.mark.parametrize("name", ["pyside6-essentials", "shiboken6"])
@pytest.mark.parametrize("path", [LOCK, DEV_LOCK], ids=lambda path: path.name)
def test_one_qt_serves_every_python_and_is_not_the_one_that_crashes(path: Path, name: str) -> None:
    chosen = {version_of(name, locked(path), python) for python in PYTHONS}
    assert len(chosen) == 1
    assert not chosen & {None, "6.12.0"}


def test_uv_has_hashes_for_every_system() -> None:
    (line,) = logical_lines(UV_PIN)
    # Wheels for Linux (glibc and musl), macOS and Windows on their processors, and the source.
    assert line.count("--hash=") > 10


@pytest.mark.parametrize("path", [LOCK, DEV_LOCK], ids=lambda path: path.name)
@pytest.mark.parametrize("name", ["charset-normalizer", "lxml", "nh3", "pydantic-core", "tiktoken"])
def test_a_compiled_package_has_hashes_for_every_system(path: Path, name: str) -> None:
    (line,) = (line for line in logical_lines(path) if line.startswith(f"{name}=="))
    assert line.count("--hash=") > 10
