"""What of the clean room can be tried without being root: its steps, and what they say."""

from pathlib import Path

import building
import pytest
from clean_room import base, trying
from clean_room.steps import Steps, expect
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


def test_each_form_for_linux_has_its_test() -> None:
    assert set(trying.CHECKS) == set(forms.LINUX)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sources.list", "# deb-src x\ndeb [signed-by=/a] http://mirror.test/debian bookworm main"),
        ("sources.list", "deb http://mirror.test/debian bookworm main contrib"),
        ("sources.list.d/debian.sources", "Types: deb\n# a word\nURIs: http://mirror.test/debian"),
    ],
)
def test_packages_come_from_where_the_system_has_its_own(
    tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    assert base.find_mirror(tmp_path) == "http://mirror.test/debian"


def test_of_a_file_with_mirrors_the_first_is_asked(tmp_path: Path) -> None:
    mirrors = tmp_path / "mirrors.txt"
    mirrors.write_text("http://mirror.test/ubuntu/\tpriority:1\nhttp://other.test/ubuntu/\n")
    (tmp_path / "sources.list").write_text(f"deb mirror+file:{mirrors} jammy main restricted\n")
    assert base.find_mirror(tmp_path) == "http://mirror.test/ubuntu/"


@pytest.mark.parametrize(
    ("words", "parts"), [("ID=debian", "main"), ("NAME=x\nID=ubuntu", "main universe")]
)
def test_a_system_has_the_parts_with_what_parley_depends_on(
    tmp_path: Path, words: str, parts: str
) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "os-release").write_text(f"{words}\nID_LIKE=ubuntu\n")
    assert base.components(tmp_path) == parts


def test_a_system_that_has_no_packages_says_so(tmp_path: Path) -> None:
    with pytest.raises(Failed, match="not told"):
        base.find_mirror(tmp_path)
