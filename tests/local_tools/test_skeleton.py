"""What looks alike has one skeleton, and what is plain costs nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from local_tools.skeleton import TABLE, plain_letters, skeleton

pytestmark = pytest.mark.security(96)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paypal", "p\u0430ypa\u217c"),
        ("modern", "modem"),
        ("Files", "Fi1es"),
        ("HOME", "\ua4e7\ua4f3\ua4df\ua4f0"),
        ("caf\u00e9", "\u0441\u0430fe\u0301"),
    ],
)
def test_texts_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)
    assert skeleton(skeleton(one)) == skeleton(one)


def test_texts_that_do_not_look_alike_have_two() -> None:
    assert skeleton("Stra\u00dfe") != skeleton("Strasse")
    assert skeleton("na\u00efve") != skeleton("naive")
    assert plain_letters("a") == plain_letters("\u00e9") == plain_letters("\u6771") == ""


def test_what_is_said_of_ascii_is_what_the_table_says() -> None:
    rows = [line.partition(";") for line in TABLE.read_text("ascii").splitlines() if line[0] != "#"]
    table = {
        int(letter, 16): "".join(chr(int(number, 16)) for number in looks.split())
        for looks, _, letters in rows
        for letter in letters.split()
    }
    assert len(table) > 6_000
    for number in range(128):
        assert skeleton(chr(number)) == table.get(number, chr(number))


def test_plain_names_do_not_read_the_table() -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); from local_tools import skeleton;"
        "from local_tools.registry import ToolRegistry; ToolRegistry.built_in();"
        "print(skeleton._table.cache_info().currsize)"
    )
    argv = (sys.executable, "-I", "-c", script, str(Path(__file__).parents[2]))
    assert subprocess.run(argv, capture_output=True, check=True, text=True).stdout == "0\n"
