"""A target is read and written beneath its root only, and only as it was shown."""

import os
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from local_tools.errors import ChangedError, ToolError
from local_tools.paths.beneath import (
    HASH_LIMIT_BYTES,
    READ_FILE,
    open_beneath,
    opened_root,
    snapshot,
)
from tests.support.targets import read_beneath, shown

CHECKOUT = Path(__file__).parents[2]
SWAPS = 3_000


def files_in(folder: Path) -> set[str]:
    return {item.name for item in folder.iterdir()}


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a").write_bytes(b"x" * 3_000_000)
    with shown(tmp_path, "sub/a") as target:
        assert target.read() == b"x" * 3_000_000


def test_a_file_beyond_the_limit_is_refused_without_reading_it(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    with shown(tmp_path, "sparse") as target:
        assert target.expected.sha256 is None
        with pytest.raises(ToolError, match="too large to read: 1,099,511,627,776 bytes"):
            target.read()
    assert HASH_LIMIT_BYTES < 1 << 40


def test_links_below_the_root_are_refused(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "root" / "leaf").symlink_to(tmp_path / "secret")
    (tmp_path / "root" / "dir").symlink_to(tmp_path)
    for relative in ("leaf", "dir", "dir/secret", "dir/new"):
        with pytest.raises(ToolError, match="link"), shown(tmp_path / "root", relative):
            pass


def test_links_in_the_root_s_own_path_are_refused(tmp_path: Path) -> None:
    (tmp_path / "real" / "root").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    with (
        pytest.raises(ToolError, match="leads through a link"),
        opened_root(tmp_path / "link" / "root"),
    ):
        pass


def test_a_large_file_changed_in_place_is_another_one(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(HASH_LIMIT_BYTES + 1)
    with opened_root(tmp_path) as (descriptor, _):
        before = snapshot(descriptor, ("large",), path)
        assert snapshot(descriptor, ("large",), path) == before
        times = path.stat().st_atime_ns, path.stat().st_mtime_ns
        _await_later_marks(tmp_path / "probe", path)
        with path.open("r+b") as file:
            file.write(b"x")
        os.utime(path, ns=times)
        assert snapshot(descriptor, ("large",), path) != before


def _await_later_marks(probe: Path, changed: Path) -> None:
    """Within a tick of some milliseconds, many systems mark all changes with the same time."""
    probe.touch()
    while probe.stat().st_ctime_ns <= changed.stat().st_ctime_ns:
        probe.touch()


@pytest.mark.security(28)
def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        for name in ("pipe", "socket"):
            with pytest.raises(ToolError, match="not a regular file"), shown(tmp_path, name):
                pass
    with pytest.raises(ToolError, match="not a regular file"), shown(Path("/dev"), "zero"):
        pass


def test_a_file_that_became_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("text")
    with shown(tmp_path, "a") as target:
        (tmp_path / "a").unlink()
        os.mkfifo(tmp_path / "a")
        with pytest.raises(ToolError, match="not a regular file"):
            target.read()


def test_opening_a_pipe_never_waits_for_a_writer(tmp_path: Path) -> None:
    # What happens when a file turns into a pipe between the look and the opening.
    os.mkfifo(tmp_path / "pipe")
    with opened_root(tmp_path) as (descriptor, _), ThreadPoolExecutor(1) as thread:
        opening = thread.submit(open_beneath, descriptor, ("pipe",), READ_FILE)
        try:
            os.close(opening.result(timeout=20))
        finally:
            # Lets an opening that waits go on, so that the test can end.
            os.close(os.open(tmp_path / "pipe", os.O_RDWR))


def change_contents(path: Path) -> None:
    path.write_text("TEXT")


def replace_by_equal(path: Path) -> None:
    path.with_name("b").write_text("text")
    path.with_name("b").replace(path)


def make_a_link(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.with_name("other"))


@pytest.mark.parametrize("change", [change_contents, replace_by_equal, make_a_link, Path.unlink])
def test_a_file_that_changed_since_is_neither_read_nor_written(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    (tmp_path / "other").write_text("other")
    (tmp_path / "a").write_text("text")
    with shown(tmp_path, "a") as target:
        change(tmp_path / "a")
        before = files_in(tmp_path)
        with pytest.raises(ToolError, match=r"changed since|link|nothing at"):
            target.read()
        with pytest.raises(ToolError, match=r"changed since|link"):
            target.replace(b"new")
    assert files_in(tmp_path) == before
    assert (tmp_path / "other").read_text() == "other"


def test_a_file_that_appeared_since_is_not_overwritten(tmp_path: Path) -> None:
    with shown(tmp_path, "a") as target:
        (tmp_path / "a").write_text("theirs")
        with pytest.raises(ChangedError):
            target.replace(b"ours")
    assert (tmp_path / "a").read_text() == "theirs"
    assert files_in(tmp_path) == {"a"}


def test_a_new_file_is_made(tmp_path: Path) -> None:
    with shown(tmp_path, "a") as target:
        target.replace(b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert (tmp_path / "a").stat().st_nlink == 1
    assert files_in(tmp_path) == {"a"}


def test_a_replaced_file_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "a").chmod(0o751)
    with shown(tmp_path, "a") as target:
        target.replace(b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o751


def test_a_replaced_file_does_not_run_with_its_owner_s_rights(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "a").chmod(0o6755)
    with shown(tmp_path, "a") as target:
        target.replace(b"new")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o755


@pytest.mark.security(27)
def test_a_file_with_another_name_elsewhere_is_read_but_never_changed(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "b").hardlink_to(tmp_path / "a")
    with shown(tmp_path, "a") as target:
        assert target.read() == b"old"
        with pytest.raises(ToolError, match="another name elsewhere"):
            target.replace(b"new")
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text() == "old"


def test_a_file_marked_as_not_writable_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "a").chmod(0o444)
    with shown(tmp_path, "a") as target, pytest.raises(ToolError, match="not writable"):
        target.replace(b"new")
    assert (tmp_path / "a").read_text() == "old"


def test_folders_are_not_written_and_files_are_not_listed(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a").write_text("a")
    for relative in ("sub", "."):
        with shown(tmp_path, relative) as target, pytest.raises(ToolError, match="is a folder"):
            target.replace(b"new")
    with shown(tmp_path, "a") as target, pytest.raises(ToolError, match="not a folder"):
        target.entries()


def test_a_file_in_a_folder_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"no folder .*gone to hold a"), shown(tmp_path, "gone/a"):
        pass


def test_entries_are_named_and_links_not_followed(tmp_path: Path) -> None:
    (tmp_path / "b").write_text("12345")
    (tmp_path / "a").mkdir()
    (tmp_path / "link").symlink_to("/etc")
    with shown(tmp_path, ".") as target:
        found = [(item.name, item.kind, item.size_bytes) for item in target.entries()]
    assert found == [("a", "folder", 0), ("b", "file", 5), ("link", "link", 0)]


def test_files_that_vanish_while_a_folder_is_listed_do_no_harm(tmp_path: Path) -> None:
    paths = [tmp_path / str(number) for number in range(2_000)]
    for path in paths:
        path.touch()

    def remove_all() -> None:
        for path in reversed(paths):
            path.unlink()

    remover = threading.Thread(target=remove_all)
    with shown(tmp_path, ".") as target:
        remover.start()
        try:
            while target.entries():
                pass
        finally:
            remover.join()


def test_a_folder_swapped_for_another_is_not_listed(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    with shown(tmp_path, "sub") as target:
        (tmp_path / "sub").rename(tmp_path / "old")
        (tmp_path / "sub").mkdir()
        with pytest.raises(ChangedError):
            target.entries()


@pytest.mark.security(29)
def test_a_write_that_fails_half_way_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    script = f"""
import os, resource, sys
sys.path.insert(0, {str(CHECKOUT)!r})
from pathlib import Path
from local_tools.errors import ToolError
from local_tools.paths.guarded_path import GuardedPath
from tests.support.targets import read_beneath, shown
from local_tools.paths.beneath import snapshot, opened_root
root = Path(sys.argv[1])
with opened_root(root) as (descriptor, _):
    target = GuardedPath(root / "a", ("a",), descriptor, snapshot(descriptor, ("a",), "a"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
    try:
        target.replace(b"x" * 100)
    except ToolError as exc:
        os.write(1, str(exc).encode())
"""
    done = subprocess.run(
        [sys.executable, "-I", "-c", script, str(tmp_path)],
        capture_output=True, text=True, check=False, timeout=30,
    )  # fmt: skip
    assert "would become too large" in done.stdout, done.stderr
    assert (tmp_path / "a").read_text() == "old"
    assert files_in(tmp_path) == {"a"}


@pytest.mark.security(26)
def test_swapping_a_folder_for_a_link_never_leads_out_of_the_root(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    for folder in (root / "sub", outside):
        folder.mkdir(parents=True)
        (folder / "a").write_text("inside")
    (outside / "a").write_text("SECRET")
    (root / "link").symlink_to(outside)
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            (root / "sub").rename(root / "kept")
            (root / "link").rename(root / "sub")
            (root / "sub").rename(root / "link")
            (root / "kept").rename(root / "sub")

    swapper = threading.Thread(target=swap)
    with opened_root(root) as (descriptor, _):
        assert read_beneath(descriptor, "sub", "a") == b"inside"
        swapper.start()
        try:
            seen = {read_beneath(descriptor, "sub", "a") for _ in range(SWAPS)}
            # Both threads had their turns only when one has got in the way of the other.
            while b"refused" not in seen:
                seen.add(read_beneath(descriptor, "sub", "a"))
        finally:
            stop.set()
            swapper.join()
        assert read_beneath(descriptor, "sub", "a") == b"inside"
    assert b"SECRET" not in seen
