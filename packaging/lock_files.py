"""Update the lock files; the only place where versions are chosen.

The files name no package index, so they work with any.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from checkout import PACKAGING
from pinned_uv import PIN, Uv, fetch_uv
from processes import say

_COMPILE: Final = (
    *("pip", "compile", "--universal", "--generate-hashes", "--no-emit-index-url"),
    *("--no-annotate", "--python-version", "3.11"),
    *("--custom-compile-command", "python3 packaging/dev.py lock"),
)
# What the installers bring, and what the tests need beside it.
_SHIPPED: Final = ("pyproject.toml", "--extra", "mcp")
_TESTED: Final = (*_SHIPPED, "--extra", "cluster", "--group", "dev")
# Constrained to the versions that are shipped or tested.
_FOR_BUILD: Final = ("--group", "build", "--constraint", "packaging/requirements.txt")
_FOR_CHECKOUT: Final = ("--group", "editable", "--constraint", "packaging/requirements-dev.txt")
_HASHES: Final = re.compile(r"( \\)?\n +--hash=\S+")
# Left out are versions that were withdrawn as malicious, and a soundfile whose only wheel lacks
# the library that it loads.
_PEER: Final = "litellm[proxy]!=1.82.7,!=1.82.8,!=1.107.0\nsoundfile<0.14\n"


def renew(arguments: Sequence[str]) -> None:
    """Rewrite all lock files; versions stay unless `arguments` say otherwise.

    Args:
        arguments: For uv, such as `--upgrade` or `--upgrade-package NAME`.

    Raises:
        Failed: There is no compatible set of versions, or the network did not answer.
    """
    uv = fetch_uv().on_one_index()
    for output, sources, text in (
        (PACKAGING / "requirements.txt", _SHIPPED, ""),
        (PACKAGING / "requirements-dev.txt", _TESTED, ""),
        (PACKAGING / "requirements-editable.txt", _FOR_CHECKOUT, ""),
        (PACKAGING / "requirements-build.txt", _FOR_BUILD, ""),
        (PIN, ("-",), "uv\n"),
        (PACKAGING / "requirements-bench.txt", ("-",), _PEER),
    ):
        say(f"Renewing {output.name}.")
        _renew(uv, output, (*arguments, *sources), text)


def _renew(uv: Uv, output: Path, arguments: Sequence[str], text: str) -> None:
    # uv keeps the hashes that it finds in the old file, also where there are more by now.
    old = _HASHES.sub("", output.read_text(encoding="utf-8")) if output.exists() else ""
    with TemporaryDirectory() as work:
        path = Path(work, output.name)
        path.write_text(old, encoding="utf-8")
        doing = f"Renewing {output.name}"
        uv.run(*_COMPILE, *arguments, "--output-file", path, doing=doing, text=text)
        if (new := path.read_text(encoding="utf-8")) != old:
            output.write_text(new, encoding="utf-8")
