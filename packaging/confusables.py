"""Make the table of look-alike letters from the data of UTS 39.

usage: python3 packaging/confusables.py CONFUSABLES_TXT

CONFUSABLES_TXT is Unicode's `confusables.txt` in the wanted version; ICU's sources have it in
`source/data/unidata`. The result is `resources/unicode/confusables.txt`, with one line for each
prototype: its characters, and all characters that look like it, as hexadecimal numbers.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Final

from checkout import ROOT

TABLE: Final = ROOT / "resources" / "unicode" / "confusables.txt"
_VERSION: Final = re.compile(r"^# Version: (\S+)", re.MULTILINE)
_ROW: Final = re.compile(r"^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA\t", re.MULTILINE)
_HEAD: Final = """\
# Which characters look like others, after UTS 39, version {version}; see LICENSE beside this.
# Made by packaging/confusables.py: what they look like; the characters.
"""


def table_of(text: str) -> str:
    """Return the table that is made of the text of `confusables.txt`.

    Raises:
        ValueError: The text is something else.
    """
    version = _VERSION.search(text)
    rows = _ROW.findall(text)
    if version is None or not rows:
        raise ValueError("This is not Unicode's confusables.txt.")
    alike: dict[str, list[str]] = defaultdict(list)
    for letter, prototype in rows:
        alike[prototype.strip()].append(letter)
    lines = [f"{prototype};{' '.join(letters)}\n" for prototype, letters in sorted(alike.items())]
    return _HEAD.format(version=version[1]) + "".join(lines)


def main(arguments: list[str]) -> int:
    """Write the table, and return the exit code."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python3 packaging/confusables.py CONFUSABLES_TXT\n")
        return 2
    text = Path(arguments[0]).read_text(encoding="utf-8-sig")
    TABLE.write_text(table_of(text), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
