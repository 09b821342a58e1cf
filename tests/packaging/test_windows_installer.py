"""What is packed for Windows, and what macOS is told of the bundle."""

import plistlib
import re
from pathlib import Path

import pytest
from installers import macos, product, windows

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = windows.SCRIPT.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("version", "numbers"),
    [("0.1.0", "0.1.0.0"), ("1.2", "1.2.0.0"), ("1.2.3.4", "1.2.3.4")],
)
def test_a_version_has_four_numbers_in_the_properties_of_a_file(version: str, numbers: str) -> None:
    assert windows.four_numbers(version) == numbers


def test_what_is_installed_is_taken_away_file_by_file(tmp_path: Path) -> None:
    (tmp_path / "inside" / "$more").mkdir(parents=True)
    (tmp_path / "inside" / "$more" / "file").write_text("")
    (tmp_path / "parley.exe").write_text("")
    paths = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*"))

    installing, deleting, emptying = (
        block.splitlines()[1:-1]
        for block in windows.list_files(tmp_path, paths).split("!macro ")[1:]
    )

    assert installing == [
        '  SetOutPath "${FOLDER}\\inside\\$$more"',
        f'  File "{tmp_path}/inside/$more/file"',
        '  SetOutPath "${FOLDER}\\."',
        f'  File "{tmp_path}/parley.exe"',
    ]
    assert deleting == [
        '  Delete "$INSTDIR\\parley.exe"',
        '  Delete "$INSTDIR\\inside\\$$more\\file"',
    ]
    assert emptying == ['  RMDir "$INSTDIR\\inside\\$$more"', '  RMDir "$INSTDIR\\inside"']


def test_a_version_gets_its_name_when_it_is_whole_and_is_listed_after_that() -> None:
    (section,) = re.findall(
        r'^Section "-Program"\n(.*?)^SectionEnd', SCRIPT, re.MULTILINE | re.DOTALL
    )
    steps = [
        '!insertmacro INSTALL_FILES "$INSTDIR.new"',
        # A folder that is somebody's current one keeps its name.
        'SetOutPath "$TEMP"',
        'StrCpy $R1 "$INSTDIR.old"\n    Call rename',
        'StrCpy $R0 "$INSTDIR.new"\n  StrCpy $R1 $INSTDIR\n  Call rename',
        "WriteRegStr HKCU",
        "CreateShortcut",
    ]
    places = [section.rindex(step) for step in steps[:4]] + [
        section.index(step) for step in steps[4:]
    ]
    assert places == sorted(places)


def test_only_the_data_is_removed_as_a_whole_and_only_on_request() -> None:
    sections = re.findall(r"^Section (.*?)\n(.*?)^SectionEnd", SCRIPT, re.MULTILINE | re.DOTALL)
    removing = {head: body.strip() for head, body in sections if "/r" in body}
    # /o: not chosen by itself.
    assert removing == {'/o "un.$(DATA)" UN_DATA': 'RMDir /r "$LOCALAPPDATA\\parley"'}
    assert SCRIPT.count("RMDir /r") == 1


def test_the_installer_asks_for_no_administrator_and_takes_its_version_from_outside() -> None:
    assert "RequestExecutionLevel user" in SCRIPT
    assert "HKLM" not in SCRIPT
    assert product.read_version() not in SCRIPT


def test_every_word_of_the_installer_is_there_in_both_languages() -> None:
    words = re.findall(r"^LangString (\w+) \$\{LANG_(\w+)\}", SCRIPT, re.MULTILINE)
    english = {name for name, language in words if language == "ENGLISH"}
    assert english
    assert english == {name for name, language in words if language == "GERMAN"}


def test_macos_is_told_version_name_and_languages() -> None:
    info = plistlib.loads(plistlib.dumps(macos.info("1.2.3")))
    assert info["CFBundleShortVersionString"] == info["CFBundleVersion"] == "1.2.3"
    assert info["CFBundleIdentifier"] == product.APP_ID
    assert info["CFBundleExecutable"] in product.PROGRAMS
    assert info["CFBundleLocalizations"] == ["en", "de"]
    # The README promises no older system than the bundle starts on.
    least = float(info["LSMinimumSystemVersion"])
    assert f"| macOS {least:.0f} and later |" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_bundle_may_do_nothing_but_what_python_needs() -> None:
    path = ROOT / "packaging" / "macos" / "entitlements.plist"
    assert plistlib.loads(path.read_bytes()) == {
        "com.apple.security.cs.allow-unsigned-executable-memory": True
    }
