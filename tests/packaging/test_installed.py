"""What the tests of installers conclude from what a clean room answers."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from clean_room import installed, previous_release_stub
from clean_room.room import Room
from installers.payload import Payload
from processes import Failed


class AnsweringRoom(Room):
    """A room in which each program says what it was told to, or fails."""

    def __init__(self, folder: Path, answers: Mapping[str, str | Failed]) -> None:
        super().__init__(folder / "base")
        self._answers = answers

    def run(self, *argv: str, user: str = "root", has_network: bool = True, doing: str = "") -> str:
        """Return the answer of the one whose name begins the command."""
        del user, has_network, doing
        answer = self._answers[argv[0]]
        if isinstance(answer, Failed):
            raise answer
        return answer


def test_libraries_are_looked_for_in_many_files_or_it_fails(tmp_path: Path) -> None:
    files = "".join(f"/a/{number}.so:\n\tlibc.so.6 => /lib/libc.so.6\n" for number in range(101))
    installed.expect_all_libraries(AnsweringRoom(tmp_path, {"sh": files}), "/a")
    missing = f"{files}\tlibx.so.1 => not found\n" * 2
    with pytest.raises(Failed, match=r"lacks libraries:\nlibx\.so\.1 => not found$"):
        installed.expect_all_libraries(AnsweringRoom(tmp_path, {"sh": missing}), "/a")
    with pytest.raises(Failed, match="looked at 0 files only"):
        installed.expect_all_libraries(AnsweringRoom(tmp_path, {"sh": ""}), "/a")


def test_what_a_package_requires_is_much_and_there_or_it_fails(tmp_path: Path) -> None:
    names = [f"lib{number}.so.1" for number in range(11)]
    required = "".join(f"{name}()(64bit)\n{name}(A)(64bit)\n" for name in names) + "bubblewrap\n"
    there = "".join(f"\t{name} (libc6,x86-64) => /lib/{name}\n" for name in names)
    installed.expect_provided(AnsweringRoom(tmp_path, {"rpm": required, "ldconfig": there}))
    with pytest.raises(Failed, match=r"lacks libraries:\nlib0\.so\.1\n"):
        installed.expect_provided(AnsweringRoom(tmp_path, {"rpm": required, "ldconfig": ""}))
    with pytest.raises(Failed, match=r"requires only \[\]"):
        installed.expect_provided(AnsweringRoom(tmp_path, {"rpm": "", "ldconfig": there}))


def test_a_self_test_that_fails_is_told_by_all_of_its_lines_that_are_not_ok(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checks = [
        {"name": name, "outcome": outcome, "detail": "why"}
        for name, outcome in {"One": "ok", "Two": "failed", "Three": "not available"}.items()
    ]
    failed = Failed("The self-test failed.")
    answers: dict[str, str | Failed] = {"env": failed, "cat": json.dumps({"checks": checks})}
    with pytest.raises(Failed) as told:
        installed.run_self_test(AnsweringRoom(tmp_path, answers), "parley", (), has_desktop=False)
    assert str(told.value).splitlines()[1:] == [
        "Its report:",
        "  failed: Two: why",
        "  not available: Three: why",
    ]
    answers = {"env": failed, "cat": Failed("There is none.")}
    with pytest.raises(Failed, match=r"^The self-test failed\.$"):
        installed.run_self_test(AnsweringRoom(tmp_path, answers), "parley", (), has_desktop=False)
    installed.run_self_test(
        AnsweringRoom(tmp_path, {"env": "ok\n2 checks made.\n"}), "parley", (), has_desktop=False
    )
    assert "2 checks made." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({}, ""),
        ({"cat": '{"version": "0.0.0"}'}, "list of files is of version 0.0.0"),
        ({"find": "parley-0.0.0.dist-info\nparley-1.2.dist-info\n"}, "those of .*0.0.0"),
        ({"/bin/parley-tools": "parley-tools 0.0.0\n"}, "/bin/parley-tools says"),
    ],
)
def test_an_update_that_left_something_as_it_was_is_seen(
    tmp_path: Path, changed: Mapping[str, str], sentence: str
) -> None:
    said = {f"/bin/{name}": "1.2\n" for name in ("parley", "parley-server", "parley-tools")}
    files = {"cat": '{"version": "1.2"}', "find": "parley-1.2.dist-info\n"}
    room = AnsweringRoom(tmp_path, {**said, **files, **changed})
    if not sentence:
        installed.expect_version(room, "/bin/parley", "/lib", "1.2")
        return
    with pytest.raises(Failed, match=sentence):
        installed.expect_version(room, "/bin/parley", "/lib", "1.2")


def test_the_previous_release_has_other_files_and_says_so(tmp_path: Path) -> None:
    inside = tmp_path / "new" / "_internal"
    metadata = inside / "parley-1.2.dist-info" / "METADATA"
    metadata.parent.mkdir(parents=True)
    metadata.write_text("Name: parley\nVersion: 1.2\n")
    (inside / "same.txt").write_text("same")
    old = previous_release_stub.make_previous_release(
        Payload(tmp_path / "new", "1.2", 5), tmp_path / "old"
    )
    assert (old.folder, old.version, old.moment) == (tmp_path / "old", "0.0.0", 5)
    said = old.folder / "_internal" / "parley-0.0.0.dist-info" / "METADATA"
    assert said.read_text() == "Name: parley\nVersion: 0.0.0\n"
    listed = json.loads((old.folder / "manifest.json").read_text())
    assert listed["version"] == "0.0.0"
    assert {Path(path).name for path in listed["files"]} == {"METADATA", "same.txt"}
    assert metadata.read_text().endswith("Version: 1.2\n")
