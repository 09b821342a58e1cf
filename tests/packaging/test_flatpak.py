"""The sources of the Flatpak: made from the lock, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest
from installers import flatpak
from processes import Failed

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
OWN = "cp" + flatpak.PYTHON.replace(".", "")
LOCK = "\n".join(f"one==1 --hash=sha256:{digit * 64}" for digit in "0123")


def found(*names: str, name: str = "one", **further: str) -> dict[str, Any]:
    """Return what an index answers of a package; the first file's hash is all zeros, and so on."""
    wheels = [
        {"url": f"https://files.test/{file}", "hashes": {"sha256": str(number) * 64}}
        for number, file in enumerate(names)
    ]
    return {"packages": [{"name": name, "wheels": wheels, **further}]}


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("one-1-py3-none-any.whl", True),
        ("one-1-py2.py3-none-any.whl", True),
        (f"one-1-{OWN}-{OWN}-manylinux_2_17_x86_64.manylinux2014_x86_64.whl", True),
        ("one-1-cp38-abi3-manylinux_2_34_x86_64.whl", True),
        ("one-1-cp38-abi3-manylinux_2_34_aarch64.whl", False),
        ("one-1-cp38-abi3-musllinux_1_2_x86_64.whl", False),
        ("one-1-cp38-abi3-win_amd64.whl", False),
        ("one-1-cp311-cp311-manylinux_2_17_x86_64.whl", False),
        (f"one-1-{OWN}-{OWN}t-manylinux_2_17_x86_64.whl", False),
    ],
)
def test_only_files_that_the_runtime_can_install_are_fetched(name: str, *, fits: bool) -> None:
    answer = found("one-1-py3-none-any.whl", name)
    taken = [source["dest-filename"] for source in flatpak.find_sources(answer, LOCK)]
    assert taken == ["one-1-py3-none-any.whl", *([name] if fits else [])]


def test_files_for_one_kind_of_machine_say_so() -> None:
    every, one = "one-1-py3-none-any.whl", "one-1-cp38-abi3-manylinux_2_34_x86_64.whl"
    taken = flatpak.find_sources(found(every, one), LOCK)
    sources = {source["dest-filename"]: source for source in taken}
    assert "only-arches" not in sources[every]
    assert sources[one]["only-arches"] == ["x86_64"]


@pytest.mark.security(85)
def test_a_file_whose_hash_is_not_in_the_lock_is_not_fetched() -> None:
    with pytest.raises(Failed, match="no file of one"):
        list(flatpak.find_sources(found("one-1-py3-none-any.whl"), "one==1"))


def test_what_only_another_system_needs_is_left_out() -> None:
    answer = found("one-1-cp313-win_amd64.whl", marker="sys_platform == 'win32'")
    assert list(flatpak.find_sources(answer, LOCK)) == []


def test_the_manifest_names_no_source_but_what_is_made_from_the_lock() -> None:
    text = (PACKAGING / "flatpak" / "manifest.json.in").read_text(encoding="utf-8")
    manifest = json.loads(text)
    assert "://" not in text
    libraries, parley = manifest["modules"]
    assert libraries["sources"] == [{"type": "file", "path": "requirements.txt"}, "sources.json"]
    assert "--require-hashes" in libraries["build-commands"][0]
    assert all("url" not in source for source in parley["sources"])
    # The sandbox cannot be left through the host's session.
    assert not any("org.freedesktop.Flatpak" in one for one in manifest["finish-args"])
