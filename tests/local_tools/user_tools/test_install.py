"""Taking tools over: only whole sets, only plain files, and nothing outside their folder."""

import stat
import struct
import zipfile
from pathlib import Path

import pytest

from local_tools.errors import ToolError
from local_tools.user_tools.install import install_tools
from tests.support.user_tool_fixtures import make_set

MANIFEST = b'name = "x"\ntitle = "X"\ndescription = "X."\n[[tools]]\nname = "a"\ntitle = "A"\n'
MANIFEST += b'file = "a.py"\n[files]\n'


def packed(place: Path, files: dict[str, bytes], mode: int = 0) -> Path:
    """Return a zip file with these names, whatever they are."""
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return place


def everything(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_a_folder_and_a_zip_are_taken_over_as_they_are(tmp_path: Path) -> None:
    first = make_set(tmp_path / "one")
    files = {f"top/{p.name}": p.read_bytes() for p in make_set(tmp_path / "b", name="b").iterdir()}
    second = packed(tmp_path / "b.zip", files)
    tools = tmp_path / "tools"
    assert [install_tools(first, tools), install_tools(second, tools)] == ["texts", "b"]
    assert everything(tools) == [
        *("b", "b/tool.toml", "b/words.py"),
        *("texts", "texts/tool.toml", "texts/words.py"),
    ]
    assert stat.S_IMODE((tools / "b" / "words.py").stat().st_mode) == 0o600
    with pytest.raises(ToolError, match="already a folder “b”"):
        install_tools(second, tools)


_NAMES = [
    *("../x", "/x", "a/../../x", "a//x", "./x", "..", "C:x", "C:\\x", "a\\..\\x", "\\\\host\\x"),
    *("a:b", "a\nb", "a\u202eb", "x.", "x ", " x", "a/./b", "con\x00", "y" * 300),
]


@pytest.mark.security(31)
@pytest.mark.parametrize("name", _NAMES)
def test_name_that_leaves_the_folder_is_never_written(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as made:
        entry = zipfile.ZipInfo("placeholder")
        # What the library would have changed.
        entry.filename = name
        made.writestr(entry, b"x")
        made.writestr("tool.toml", MANIFEST)
    with pytest.raises(ToolError):
        install_tools(tmp_path / "a.zip", tmp_path / "tools")
    assert everything(tmp_path) == ["a.zip"]


@pytest.mark.security(31)
@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_links_and_devices_are_refused(tmp_path: Path, kind: int) -> None:
    archive = packed(tmp_path / "a.zip", {"tool.toml": MANIFEST, "a": b"/etc/passwd"}, kind | 0o777)
    with pytest.raises(ToolError, match="link or a device"):
        install_tools(archive, tmp_path / "tools")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a").symlink_to("/etc/passwd")
    with pytest.raises(ToolError, match="is a link"):
        install_tools(tmp_path / "folder", tmp_path / "tools")


@pytest.mark.security(31)
def test_bombs_are_refused_whatever_they_say_of_their_size(tmp_path: Path) -> None:
    bomb = packed(tmp_path / "a.zip", {"tool.toml": MANIFEST, "a.py": bytes(8 * 1024 * 1024)})
    with pytest.raises(ToolError, match="becomes too large"):
        install_tools(bomb, tmp_path / "tools")
    lying = bomb.read_bytes().replace(struct.pack("<I", 8 * 1024 * 1024), struct.pack("<I", 9))
    (tmp_path / "b.zip").write_bytes(lying)
    with pytest.raises(ToolError):
        install_tools(tmp_path / "b.zip", tmp_path / "tools")
    many = packed(tmp_path / "c.zip", {f"f{n}": b"" for n in range(1_001)})
    with pytest.raises(ToolError, match="more than 1,000 files"):
        install_tools(many, tmp_path / "tools")
    assert not (tmp_path / "tools").exists()


@pytest.mark.security(31)
def test_what_is_no_set_of_tools_is_refused_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 nothing")
    twice = packed(tmp_path / "b.zip", {"tool.toml": MANIFEST, "a.py": b"", "A.py": b""})
    none = packed(tmp_path / "c.zip", {"a.py": b""})
    for place, words in (
        (tmp_path / "a.zip", "no zip file"),
        (twice, "in it twice"),
        (none, "no tool.toml"),
        (tmp_path / "gone.zip", "There is nothing at"),
    ):
        with pytest.raises(ToolError, match=words):
            install_tools(place, tmp_path / "tools")
