"""What the installers are made of: names, dependencies, and the same bytes each time."""

import configparser
import gzip
import os
import re
import shlex
import shutil
import stat
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from freeze.provenance import Part
from installers import archive, deb, forms, libraries, licences, product, rpm, tree
from installers.icons import write_icns, write_ico
from installers.libraries import Needs
from installers.payload import Payload, make_uniform
from processes import Failed
from PySide6.QtGui import QImageReader
from system_packages import ALWAYS, X11

from app.main import main
from app.updates.release import is_newer

ROOT = Path(__file__).resolve().parents[2]
MOMENT = 1_790_000_000
_DEB_TOOLS = ("dpkg-deb", "ar", "xz")
_CONTROL = """\
Package: parley
Version: 1.2.3
Architecture: all
Maintainer: Nobody <nobody@parley.invalid>
Description: a stand-in
"""


@pytest.mark.parametrize("version", ["1", "1.0.0rc1", "1.0.dev1", "1.0+local", "1.2.3.4.5", "v1.0"])
def test_version_that_cannot_be_compared_is_not_built(tmp_path: Path, version: str) -> None:
    project = tmp_path / "pyproject.toml"
    project.write_text(f'[project]\nversion = "{version}"\n', encoding="utf-8")

    with pytest.raises(Failed, match="two to four numbers"):
        product.read_version(project)

    project.write_text('[project]\nversion = "1.10.0"\n', encoding="utf-8")
    # Whoever runs it is told of what comes after it, by the program's own reading.
    assert is_newer("1.10.1", product.read_version(project))


@contextmanager
def umask(mask: int) -> Iterator[None]:
    """Meanwhile, others get no more of what is made than this leaves them."""
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


@pytest.fixture(scope="module")
def payload(tmp_path_factory: pytest.TempPathFactory) -> Payload:
    """Return a folder of the shape of the frozen one."""
    folder = tmp_path_factory.mktemp("frozen")
    inside = folder / "_internal" / "PySide6"
    inside.mkdir(parents=True)
    (inside / "libQt.so.6").write_text("a library")
    (inside / "libQt.so").symlink_to("libQt.so.6")
    (folder / "manifest.json").write_text("{}")
    for name in product.PROGRAMS:
        (folder / name).write_text("a program")
        (folder / name).chmod(0o777)
    return Payload(folder, "1.2.3", MOMENT)


@pytest.fixture(scope="module")
def laid_out(payload: Payload, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return what packages install under /usr."""
    usr = tmp_path_factory.mktemp("root") / "usr"
    with umask(0o002):
        tree.lay_out(payload, usr)
    make_uniform(usr, MOMENT)
    return usr


def test_the_programs_are_links_into_one_folder(laid_out: Path) -> None:
    for name in product.PROGRAMS:
        assert (laid_out / "bin" / name).resolve() == laid_out / "lib" / "parley" / name


@pytest.mark.security(83)
def test_nobody_else_may_write_what_is_installed_and_nothing_gives_rights(laid_out: Path) -> None:
    for path in laid_out.rglob("*"):
        mode = path.lstat().st_mode
        if not stat.S_ISLNK(mode):
            assert not mode & (stat.S_IWGRP | stat.S_IWOTH | stat.S_ISUID | stat.S_ISGID), path
    programs = {path.name for path in (laid_out / "lib").rglob("*") if os.access(path, os.X_OK)}
    assert programs >= set(product.PROGRAMS)
    assert not os.access(laid_out / "lib" / "parley" / "manifest.json", os.X_OK)


def test_a_folder_that_is_not_whole_is_refused(payload: Payload, tmp_path: Path) -> None:
    with pytest.raises(Failed, match=r"has no parley\.exe"):
        payload.check(".exe")
    with pytest.raises(Failed, match="has no parley:"):
        Payload(tmp_path, "1.2.3", MOMENT).check()


def test_the_desktop_entry_says_only_what_every_desktop_knows(laid_out: Path) -> None:
    entry = configparser.RawConfigParser()
    entry.read(laid_out / "share" / "applications" / "parley.desktop", encoding="utf-8")
    values = dict(entry["Desktop Entry"])
    # Refused by the checks of Debian 12.
    assert not {"version", "singlemainwindow"} & values.keys()
    assert values["exec"] == values["icon"] == values["startupwmclass"] == "parley"
    assert {"comment[de]", "keywords[de]"} <= values.keys()
    assert (laid_out / "share/icons/hicolor/scalable/apps/parley.svg").is_file()


def test_the_page_in_software_centres_has_this_version(laid_out: Path) -> None:
    (path,) = (laid_out / "share" / "metainfo").iterdir()
    component = ET.parse(path).getroot()  # noqa: S314 - our own file
    assert component.findtext("id") == product.APP_ID == path.name.removesuffix(".metainfo.xml")
    release = component.find("releases/release")
    assert release is not None
    assert release.attrib == {"version": "1.2.3", "date": "2026-09-21"}
    assert component.findtext("launchable") == "parley.desktop"


def test_the_manual_page_names_every_option_and_program(
    laid_out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))

    page = gzip.decompress((laid_out / "share/man/man1/parley.1.gz").read_bytes()).decode()

    text = page.replace("\\", "")
    assert {"--data", "--report"} <= options <= set(re.findall(r"--[a-z-]+", text))
    assert all(f"\n.B {name}\n" in text for name in product.PROGRAMS)
    assert "\n.SH EXIT STATUS\n" in text


def test_a_place_that_nothing_fills_is_noticed(payload: Payload) -> None:
    with pytest.raises(Failed, match="RELEASE, REQUIRES"):
        tree.fill("linux/parley.spec.in", payload, DESCRIPTION="")


def test_what_is_loaded_becomes_packages_and_what_nobody_knows_is_refused() -> None:
    needs = Needs(("libEGL.so.1", "libglib-2.0.so.0", "libxcb-cursor.so.0"), (2, 34))
    assert libraries.debian_packages(needs) == [
        *("libc6 (>= 2.34)", "libegl1", "libglib2.0-0 | libglib2.0-0t64", "libxcb-cursor0"),
    ]
    assert libraries.rpm_requires(needs)[:2] == [
        *("libc.so.6(GLIBC_2.34)(64bit)", "libEGL.so.1()(64bit)"),
    ]
    with pytest.raises(Failed, match="libnobody"):
        libraries.debian_packages(Needs(("libnobody.so.1",), (2, 34)))


def test_no_package_is_taken_for_the_other_program_of_this_name(payload: Payload) -> None:
    """Distributions have a `parley`, which an update would put in the place of ours."""
    control, spec = deb.control(payload, 7), rpm.write_spec(payload)
    for named in ("Package: parley-chat", "Conflicts: parley"):
        assert f"{named}\n" in control
    for named in ("Name: parley-chat", "Conflicts: parley", "%doc /usr/share/doc/parley-chat"):
        assert f"\n{named}\n" in spec


def test_packages_name_whoever_publishes_them(
    payload: Payload, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "pyproject.toml"
    written = '[project]\nauthors = [{ name = "We & Co", email = "us@example.org" }]\n'
    project.write_text(written, encoding="utf-8")
    assert product.read_publisher(project) == ("We & Co", "us@example.org")
    assert f"Maintainer: {product.MAINTAINER}\n" in deb.control(payload, 7)
    assert f"\nPackager: {product.MAINTAINER}\n" in rpm.write_spec(payload)
    monkeypatch.setattr(product, "PUBLISHER", "We & Co")
    metainfo = ET.fromstring(tree.fill("linux/metainfo.xml.in", payload))  # noqa: S314 - our own
    assert metainfo.findtext("developer_name") == "We & Co"
    for other in ('name = "We"', 'name = "We", email = "us"', 'name = "$We", email = "a@b.c"'):
        project.write_text(f"[project]\nauthors = [{{ {other} }}]\n", encoding="utf-8")
        with pytest.raises(Failed, match="must be one name and address"):
            product.read_publisher(project)


def test_both_packages_always_bring_the_sandbox(payload: Payload) -> None:
    control = deb.control(payload, 7)
    assert "Version: 1.2.3\n" in control
    assert "Installed-Size: 7\n" in control
    (depends,) = (line for line in control.splitlines() if line.startswith("Depends: "))
    assert depends.endswith(", bubblewrap")
    spec = rpm.write_spec(payload)
    assert "\nVersion: 1.2.3\n" in spec
    assert "\nRequires: bubblewrap\n" in spec
    assert "\n%post" not in spec


@pytest.mark.skipif(not all(map(shutil.which, _DEB_TOOLS)), reason="no tools for packages here")
def test_a_package_says_nothing_of_who_made_it_and_when(tmp_path: Path) -> None:
    packages: list[bytes] = []
    for place, names, mask in (("a", "xy", 0o002), ("b", "yx", 0o077)):
        root = tmp_path / place
        with umask(mask):
            for name in names:
                tree.write(root / "usr" / name, name)
                os.utime(root / "usr" / name, (5, len(packages)))
            tree.write(root / "DEBIAN" / "control", _CONTROL)
        deb.write_package(root, tmp_path / f"{place}.deb", MOMENT, is_quick=False)
        packages.append((tmp_path / f"{place}.deb").read_bytes())
    assert packages[0] == packages[1]
    command = ("dpkg-deb", "--contents", tmp_path / "a.deb")
    listed = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
    owners = {line.split()[1] for line in listed.splitlines()}
    assert (owners, listed.count("./usr/x\n"), listed.count("./usr/y\n")) == ({"root/root"}, 1, 1)


@pytest.mark.skipif(not all(map(shutil.which, _DEB_TOOLS)), reason="no tools for packages here")
def test_a_package_is_compressed_in_one_piece(tmp_path: Path) -> None:
    """Only one who compresses in pieces names their sizes, before each of them."""
    root = tmp_path / "root"
    tree.write(root / "DEBIAN" / "control", _CONTROL)
    deb.write_package(root, tmp_path / "x.deb", MOMENT, is_quick=False)
    subprocess.run(("ar", "x", "x.deb", "data.tar.xz"), cwd=tmp_path, check=True)
    command = ("xz", "--robot", "--list", "-vv", "data.tar.xz")
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, encoding="utf-8")
    [block] = [line.split() for line in said.stdout.splitlines() if line.startswith("block")]
    assert "cu" not in block
    assert "--" in block


@pytest.mark.skipif(shutil.which("rpmbuild") is None, reason="there is no rpmbuild here")
def test_a_package_is_made_in_whatever_folder(payload: Payload, tmp_path: Path) -> None:
    folder = tmp_path / "a 100 % 'folder'"
    folder.mkdir()
    package = forms.RPM.make(replace(payload, is_quick=True), folder)
    assert list(folder.iterdir()) == [package]
    listed = subprocess.run(
        ["rpm", "--query", "--list", "--package", package.name],
        cwd=folder,
        capture_output=True,
        check=True,
        encoding="utf-8",
    ).stdout
    assert "/usr/lib/parley/_internal/PySide6/libQt.so.6\n" in listed


def test_an_archive_tells_how_what_it_needs_of_the_system_is_installed(payload: Payload) -> None:
    needs = Needs(tuple(one.name for one in (*ALWAYS, *X11)), (2, 34))
    text = archive.read_me(payload, needs)
    (command,) = re.findall(r"^  sudo apt-get (?:.*\\\n)*.*$", text, re.MULTILINE)
    packages = {one.package for one in (*ALWAYS, *X11)}
    words = shlex.split(command.replace("\\\n", ""))
    assert set(words) == {"sudo", "apt-get", "install", "bubblewrap", *packages}
    assert max(map(len, text.splitlines())) <= 100


def test_an_archive_says_nothing_of_who_packed_it_and_when(tmp_path: Path) -> None:
    tars: list[Path] = []
    for place, names, mask in (("a", "xy", 0o002), ("b", "yx", 0o077)):
        folder = tmp_path / place / "parley"
        with umask(mask):
            folder.mkdir(parents=True)
            for name in names:
                (folder / name).write_text(name)
                os.utime(folder / name, (len(tars), 5))
        archive.write_tar(folder, tmp_path / f"{place}.tar", MOMENT)
        tars.append(tmp_path / f"{place}.tar")
    assert tars[0].read_bytes() == tars[1].read_bytes()
    with tarfile.open(tars[0]) as packed:
        assert packed.getnames() == ["parley", "parley/x", "parley/y"]
        assert {(entry.uid, entry.uname, entry.mtime) for entry in packed} == {(0, "root", MOMENT)}
        assert [oct(entry.mode) for entry in packed] == ["0o755", "0o644", "0o644"]


def test_the_icon_is_one_file_for_windows_and_one_for_macos(laid_out: Path, tmp_path: Path) -> None:
    hicolor = laid_out / "share" / "icons" / "hicolor"
    drawn = {size: hicolor / f"{size}x{size}/apps/parley.png" for size in (32, 64, 256, 512)}
    ico = QImageReader(str(write_ico(drawn, tmp_path / "parley.ico")))
    # Windows knows none that are larger.
    assert ico.imageCount() == 3
    sizes = []
    for index in range(3):
        ico.jumpToImage(index)
        sizes.append(ico.read().width())
    assert sizes == [32, 64, 256]
    icns = write_icns(drawn, tmp_path / "parley.icns").read_bytes()
    assert icns[:4] == b"icns"
    assert int.from_bytes(icns[4:8], "big") == len(icns)
    assert all(kind in icns for kind in (b"ic09", b"ic14", b"icp5"))


def test_every_part_of_others_has_its_licence_in_one_text(tmp_path: Path) -> None:
    site = tmp_path / "site"
    for name in ("alike", "bash"):
        info = site / f"{name}-1.dist-info"
        (info / "licenses").mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (info / "licenses" / "LICENSE").write_text("Do as you like.")
        # What a package brings inside it is named after that.
        (info / "licenses" / "inner.txt").write_text("Do as others like.")
        files = ("licenses/LICENSE", "licenses/inner.txt")
        record = "".join(f"{info.name}/{file},,\n" for file in files)
        (info / "RECORD").write_text(f"{record}{name}/licence.py,,\n")
    named = [
        # A package of the system has the same name, and another text.
        Part("bash", "library", "pkg:pypi/bash@1", "1", "MIT"),
        Part("alike", "library", "pkg:pypi/alike@1", "1", "MIT"),
        Part("shiboken6", "library", version="6.11.3", licence="LGPL-3.0-only"),
        Part("Inter", "data", licence="OFL-1.1"),
    ]
    text = licences.write(named, site, tmp_path, tmp_path).read_text(encoding="utf-8")
    assert text.count("Do as you like.") == 1
    assert text.count("Do as others like.") == 1
    assert "bash 1\nMIT\n\nThe same text as of alike 1.\n" in text
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in text
    assert "SIL OPEN FONT LICENSE" in text.upper()
