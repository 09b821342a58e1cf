"""`parley-tools check`: what an author is told."""

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from local_tools.cli import application
from local_tools.user_tools.folder_check import check_folder
from tests.support.confined import needs_bubblewrap
from tests.support.user_tool_fixtures import COUNT_CODE, COUNT_TOOL, make_set, one_tool


def command(*arguments: object) -> Result:
    return CliRunner().invoke(application, list(map(str, arguments)))


def words_of(folder: Path) -> list[str]:
    return [f"{finding.weight}: {finding.words}" for finding in check_folder(folder).findings]


def test_a_folder_without_faults_is_exit_code_0(tmp_path: Path) -> None:
    result = command("check", make_set(tmp_path))
    assert (result.exit_code, result.stdout) == (0, "Nothing is wrong with it.\n")


def test_hashes_are_written_on_request_and_all_else_stays(tmp_path: Path) -> None:
    folder = make_set(tmp_path)
    place = folder / "tool.toml"
    place.write_text("# mine\n" + place.read_text())
    (folder / "words.py").write_text(COUNT_CODE + "\n# more\n")
    assert command("check", folder).exit_code == 1
    assert command("check", folder, "--pin").exit_code == 0
    assert place.read_text().startswith("# mine\n")
    assert place.read_text().count("[files]") == 1


def test_a_folder_without_a_manifest_has_a_fault(tmp_path: Path) -> None:
    result = command("check", tmp_path)
    assert (result.exit_code, result.stdout) == (1, "Error: The folder has no tool.toml.\n")


def test_an_interpreter_that_is_not_there_is_named(tmp_path: Path) -> None:
    folder = make_set(tmp_path)
    place = folder / "tool.toml"
    place.write_text(place.read_text().replace(sys.executable, "python9"))
    assert words_of(folder)[0].startswith("fault: There is no interpreter “python9”")


@pytest.mark.parametrize(
    ("line", "effects", "words"),
    [
        ("import urllib.request", "read_only = true", "needs no network, and there is “import url"),
        (
            "Path('a').write_text('')",
            "read_only = true",
            "only reads, and there is “….write_text”",
        ),
        ("open('a', 'wb')", "read_only = true", "only reads, and there is “open(…, “wb”)”"),
        ("open('a', mode='a')", "read_only = true", "only reads"),
        ("import subprocess", "read_only = true", "only reads, and there is “import subprocess"),
        ("import shutil; shutil.rmtree('a')", "destructive = false", "nothing is lost"),
    ],
)
def test_effects_that_are_not_what_the_code_does_are_faults(
    tmp_path: Path, line: str, effects: str, words: str
) -> None:
    code = f'from pathlib import Path\ndef go() -> str:\n    """Go."""\n    {line}\n'
    folder = make_set(tmp_path, code, one_tool(code, f"{effects}, open_world = false"))
    (said,) = words_of(folder)
    assert said.startswith("fault: go: ")
    assert words in said


def test_what_a_file_of_the_folder_does_counts_for_the_tool_that_imports_it(tmp_path: Path) -> None:
    code = 'import helper\ndef go() -> str:\n    """Go."""\n    return helper.x\n'
    folder = make_set(tmp_path, code, one_tool(code), others={"helper.py": "import socket\nx = ''"})
    assert "“import socket” in helper.py" in words_of(folder)[0]


def test_inputs_and_tools_without_a_description_are_reported(tmp_path: Path) -> None:
    code = "def go(much: int) -> str:\n    return ''\n"
    said = words_of(make_set(tmp_path, code, one_tool(code)))
    assert said == [
        "fault: go: it has neither a description nor a docstring.",
        "note: go: nothing says what “much” is; add it to the docstring's Args.",
    ]


@pytest.mark.security(14)
def test_a_name_that_is_taken_for_another_is_a_fault(tmp_path: Path) -> None:
    tools = COUNT_TOOL + COUNT_TOOL.replace('"count_words"', '"count_w0rds"').replace(
        "file =", 'function = "count_words"\nfile ='
    )
    assert "easily taken for the tool" in " ".join(words_of(make_set(tmp_path, tools=tools)))


@needs_bubblewrap
def test_previews_are_tried_with_the_example(tmp_path: Path) -> None:
    code = (
        'def go(how: str) -> str:\n    """Go.\n\n    Args:\n        how: How.\n    """\n'
        "    return how\n"
        "def show(how: str) -> str:\n    return open(how, 'w').name\n"
    )
    rest = 'preview = "show"\nexample = { how = "/usr/x" }'
    folder = make_set(tmp_path, code, one_tool(code, "open_world = false", rest))
    result = command("check", folder)
    assert result.exit_code == 1
    assert "Error: go: its preview: The tool failed (OSError)" in result.stdout


def test_a_tool_of_a_folder_runs_from_the_command_line(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "texts")
    (tmp_path / "a").write_text("one two")
    given = ("run", "texts__count_words", '{"path": "a"}', "--root", tmp_path, "--folder", folder)
    result = command(*given)
    assert (result.exit_code, result.stdout) == (0, "2\n")
    assert "texts__count_words" in command("list", "--folder", folder).stdout
    (folder / "words.py").write_text("")
    assert "another hash" in command(*given).stderr
