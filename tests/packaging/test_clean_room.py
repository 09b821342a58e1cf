"""What of the clean room can be tried without being root: its steps, and what they say."""

import os
from pathlib import Path

import building
import pytest
from clean_room import base, installer_tests
from clean_room.room import Steps, expect
from installers import forms
from installers.payload import Payload
from processes import Failed


def test_a_step_that_fails_is_named_with_what_was_tested(
    capsys: pytest.CaptureFixture[str],
) -> None:
    steps = Steps("a package")
    with steps.step("installed"):
        pass
    with (
        pytest.raises(Failed, match=r"a package: removed: failed\. It left x\."),
        steps.step("removed"),
    ):
        expect(False, "It left x.")
    assert [step.name for step in steps.done] == ["installed"]
    assert steps.seconds() == steps.done[0].seconds
    assert capsys.readouterr().err.endswith(" s  installed\n")


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        ("11.2.3", r"There is no parley-chat_1\.2\.3_.*\.deb, parley-chat-1\.2\.3.* yet"),
        ("1.2.3", "The clean room (needs|is made and entered as root)"),
    ],
)
def test_what_stands_in_the_way_is_said_before_anything_is_tested(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    version: str,
    sentence: str,
) -> None:
    for form in forms.LINUX:
        (tmp_path / form.file_name(version)).touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Failed, match=sentence):
        building.try_built(Payload(tmp_path, "1.2.3", 0), tmp_path, [])
    assert capfd.readouterr() == ("", "")


def test_a_release_is_one_that_debootstrap_knows(tmp_path: Path) -> None:
    (tmp_path / "trixie").touch()
    base.check_known("trixie", tmp_path)
    for name in ("nosuch", "", ".."):
        with pytest.raises(Failed, match="knows no release"):
            base.check_known(name, tmp_path)


def test_a_release_to_test_on_is_for_tests(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        building.build(["--release", "trixie"])
    assert "--release goes with --test" in capsys.readouterr().err


def test_each_form_for_linux_has_its_test() -> None:
    assert set(installer_tests.CHECKS) == set(forms.LINUX)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sources.list", "# deb-src x\ndeb [signed-by=/a] http://mirror.test/debian bookworm main"),
        ("sources.list", "deb http://mirror.test/debian bookworm main contrib"),
        (
            "sources.list.d/debian.sources",
            "Types: deb\n# a word\nURIs: http://mirror.test/debian\nSuites: bookworm x-updates\n",
        ),
    ],
)
def test_packages_come_from_where_the_system_has_its_own(
    tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    assert base.find_mirror(tmp_path, ["bookworm"]) == "http://mirror.test/debian"


@pytest.mark.parametrize(
    ("release", "address"),
    [("noble", "http://mirror.test/ubuntu"), ("questing", "http://other.test/ubuntu")],
)
def test_packages_of_a_release_do_not_come_from_others_who_have_a_suite_of_its_name(
    tmp_path: Path, release: str, address: str
) -> None:
    stanza = "Types: deb\nURIs: {}\nSuites: {}\nComponents: main\n"
    old = stanza.format("http://old.test/ubuntu", "noble") + "Enabled: no\n"
    own = stanza.format("http://mirror.test/ubuntu", "\n noble\n noble-updates")
    folder = tmp_path / "sources.list.d"
    folder.mkdir()
    (folder / "azure-cli.sources").write_text(stanza.format("http://strange.test/azure", "noble"))
    (folder / "ubuntu.sources").write_text(f"{old}\n{own}")
    (folder / "zz.list").write_text("deb [arch=amd64] http://other.test/ubuntu questing main\n")
    assert base.find_mirror(tmp_path, [release, "noble"]) == address
    assert base.find_mirror(tmp_path, ["plucky", release]) == address


def test_of_a_file_with_mirrors_the_first_is_asked(tmp_path: Path) -> None:
    mirrors = tmp_path / "mirrors.txt"
    mirrors.write_text("http://mirror.test/ubuntu/\tpriority:1\nhttp://other.test/ubuntu/\n")
    (tmp_path / "sources.list").write_text(f"deb mirror+file:{mirrors} jammy main restricted\n")
    assert base.find_mirror(tmp_path, ["jammy"]) == "http://mirror.test/ubuntu/"


@pytest.mark.parametrize(
    ("words", "parts"), [("ID=debian", "main"), ("NAME=x\nID=ubuntu", "main universe")]
)
def test_a_system_has_the_parts_with_what_parley_depends_on(
    tmp_path: Path, words: str, parts: str
) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "os-release").write_text(f"{words}\nID_LIKE=ubuntu\n")
    assert base.components(tmp_path) == parts


def test_what_a_test_left_that_was_killed_is_taken_away(tmp_path: Path) -> None:
    now = 1_700_000_000.0
    for name, age_s in {
        "room-a": 90_000,
        "wine-b": 90_000,
        "files-c": 60,
        "bookworm": 90_000,
    }.items():
        (tmp_path / name / "root").mkdir(parents=True)
        os.utime(tmp_path / name, (now - age_s, now - age_s))
    base.sweep(tmp_path, now)
    assert {path.name for path in tmp_path.iterdir()} == {"files-c", "bookworm"}


def test_a_system_that_has_no_packages_says_so(tmp_path: Path) -> None:
    with pytest.raises(Failed, match="not told"):
        base.find_mirror(tmp_path, ["bookworm"])
