"""Folders of tools that a stranger made: what is read is what would run, and soon read."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from local_tools.errors import ToolError
from local_tools.user_tools.folder_files import FILES_LIMIT, read_files
from local_tools.user_tools.manifest import write_hashes
from local_tools.user_tools.tool_set import read_set
from tests.support.user_tool_fixtures import COUNT_CODE, COUNT_TOOL, make_set, one_tool

# In UTF-7, "+AAo-" ends the line of the remark.
HIDDEN = b"# -*- coding: utf-7 -*-\n# +AAo-import os+AAo-\n"


@pytest.mark.security(45)
@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("words.py", HIDDEN + COUNT_CODE.encode(), "could run otherwise than it reads"),
        ("more.py", HIDDEN, "could run otherwise than it reads"),
        ("more.py", b"#!/x\n# vim: set fileencoding=latin-1 :\n", "otherwise than it reads"),
        ("more.py", b"# coding: no-such-thing\n", "otherwise than it reads"),
        ("more.pyw", b"x = '\xff'\n", "otherwise than it reads"),
        ("sub/helper.pyc", b"\xa7\r\r\n", "compiled code, which nobody can read"),
    ],
)
def test_folder_with_code_that_runs_otherwise_than_it_reads_cannot_be_used(
    tmp_path: Path, name: str, data: bytes, words: str
) -> None:
    folder = make_set(tmp_path / "texts")
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(data)
    write_hashes(folder)
    (problem,) = read_set(folder).problems
    assert problem.startswith(name)
    assert words in problem


def test_plain_utf8_code_in_any_language_has_no_problem(tmp_path: Path) -> None:
    others = {"more.py": "# -*- coding: utf-8 -*-\nä = '😀'\n", "bom.py": "\ufeffx = 1\n"}
    assert read_set(make_set(tmp_path, others=others)).problems == ()


@pytest.mark.security(6)
@pytest.mark.parametrize("sign", ["\\n", "\\u202e", "\\u200b", "\\t", "\\u0007"])
def test_a_title_has_no_signs_that_cannot_be_seen(tmp_path: Path, sign: str) -> None:
    tools = COUNT_TOOL.replace("Count words", f"Count{sign}words")
    with pytest.raises(ToolError, match="cannot be seen"):
        read_set(make_set(tmp_path, tools=tools))


DEEP = ".".join(["a"] * 20_000)
LONG = {
    "keys": f"{DEEP} = 1\n",
    "quoted": '"a"."b" . ' * 9 + "c = 1\n",
    "table": f"[{DEEP}]\n",
    "inside": f"x = {{ {DEEP} = 1 }}\n",
    "behind a string": f'x = """it\'s \\"""" # "\n{DEEP} = 1\n',
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG.keys())
def test_keys_that_would_take_a_minute_to_read_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ToolError, match="a key of too many parts"):
        read_set(make_set(tmp_path, tools=text + COUNT_TOOL))


def test_dots_in_words_and_versions_are_none_of_a_key(tmp_path: Path) -> None:
    words = f'description = "{"a.b" * 50} 1.2.3.4.5.6.7.8.9.10.11"  # {DEEP}\n'
    words += f"schema = {{ type = 'object', description = '''{DEEP}''' }}\n"
    assert read_set(make_set(tmp_path, tools=COUNT_TOOL + words)).problems == ()


_ROOT = Path(__file__).parents[3]

CODE: Mapping[str, str] = {
    "signs": f"x = {'-' * 100_000}1\n",
    "names": f"x = a{'.b' * 50_000}\n",
    "sums": f"x = 1{'+1' * 100_000}\n",
    "brackets": f"x = {'(' * 10_000}{')' * 10_000}\n",
    "types": f"def more(a: int{'|int' * 20_000}) -> str: ...\n",
}


@pytest.mark.parametrize("code", CODE.values(), ids=CODE.keys())
def test_code_that_is_nested_without_end_is_a_problem_in_words(tmp_path: Path, code: str) -> None:
    read = read_set(make_set(tmp_path, code + COUNT_CODE))
    assert "no Python that can be read here" in read.tools[0].problem


# What the parser takes its square of, what it takes a lot of, and what it may take for ever.
BOMBS: Mapping[str, str] = {
    "import": f"import a{'.b' * 78_000}\n",
    "import on many lines": "import a" + ".\\\n  b" * 30_000 + "\n",
    "import in other letters": f"import a{'.ä' * 50_000}\n",
    "from": f"from a{'.b' * 78_000} import c\n",
    "numbers": f"x = [{'0,' * 520_000}]\n",
    "comparisons": f"x = a{'<a' * 500_000}\n",
}


@pytest.mark.security(94, 45)
@pytest.mark.parametrize(
    "bombs",
    [
        pytest.param(("import in other letters", "numbers"), id="some"),
        pytest.param(tuple(BOMBS), id="all", marks=pytest.mark.long),
    ],
)
def test_code_that_takes_gigabytes_to_parse_takes_nothing_of_this_process(
    tmp_path: Path, bombs: Sequence[str]
) -> None:
    folders = []
    for name in bombs:
        code = BOMBS[name]
        (tmp_path / name).mkdir()
        folders.append(str(make_set(tmp_path / name, code + COUNT_CODE)))
    script = f"""
import resource, sys
sys.path.insert(0, {str(_ROOT)!r})
from pathlib import Path
from local_tools.user_tools.tool_set import read_set
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for folder in {folders!r}:
    read_set(Path(folder))
    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, timeout=120
    )
    taken = [int(mib) for mib in done.stdout.split()]
    assert all(mib < 60 for mib in taken[::2]), dict(zip(bombs, taken[::2], strict=True))
    assert all(mib < 700 for mib in taken[1::2]), dict(zip(bombs, taken[1::2], strict=True))


@pytest.mark.parametrize("default", ["...", "b'x'", "1 + 2j", "{1}", "{[]: 1}", "nan", "10 ** 9"])
def test_a_default_that_json_cannot_say_is_a_problem_in_words(tmp_path: Path, default: str) -> None:
    code = f'def f(a: str = {default}) -> str:\n    """Do."""\n'
    assert read_set(make_set(tmp_path, code, one_tool(code))).tools[0].problem


def test_folders_count_like_files(tmp_path: Path) -> None:
    for number in range(FILES_LIMIT + 1):
        (tmp_path / f"d{number}").mkdir()
    with pytest.raises(ToolError, match="more than 1,000 files"):
        read_files(tmp_path)
