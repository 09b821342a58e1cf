"""Install and run uv in one pinned version, for the environment and the lock files.

pip installs it, with hashes, into `.setup/`: a bare Debian refuses both `pip install` and `python3
-m venv`, but lets pip install into a folder.

uv does not read pip's configuration. A person whose pip works behind a company's index, proxy or
certificate expects the same here. The settings pass through memory only; no file keeps them.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from checkout import PACKAGING, ROOT, SETUP
from processes import Failed, alongside, run, say

# The interpreter below a virtual environment that may be active: ours must not rest on another.
PYTHON: Final[str] = getattr(sys, "_base_executable", sys.executable)

PIN: Final = PACKAGING / "uv-requirements.txt"
_FOLDER: Final = SETUP / "uv"
# Settings a person may have for pip that contradict `--target`.
_PIP_VARIABLES: Final = {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"}

_LINE: Final = re.compile(r"(?P<section>[^.=]+)\.(?P<name>[a-z-]+)=(?P<value>.+)")
# Later sections win, as in pip: the environment over a verb's own section over the global one.
_SECTIONS: Final = ("global", "install", ":env:")

# pip's setting → the variable of uv, and what uv puts between several values.
_VARIABLES: Final = {
    "index-url": ("UV_DEFAULT_INDEX", " "),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "trusted-host": ("UV_INSECURE_HOST", " "),
    "cert": ("SSL_CERT_FILE", " "),
    "proxy": ("ALL_PROXY", " "),
}


@dataclass(frozen=True)
class Uv:
    """uv, configured with pip's settings of package indexes."""

    path: Path
    variables: dict[str, str]

    def on_one_index(self) -> "Uv":
        """Return a uv without extra indexes: it takes a package from the first index that has it.

        That index might have only some of the package's files.
        """
        further = {"UV_INDEX", "UV_FIND_LINKS"}
        kept = {name: value for name, value in self.variables.items() if name not in further}
        return Uv(self.path, kept)

    def run(self, *arguments: str | Path, doing: str, text: str = "") -> None:
        """Run one command of uv in the checkout.

        Raises:
            Failed: It did not succeed; `doing` begins the sentence.
        """
        run(
            [self.path, *arguments],
            doing=doing,
            env=self.variables,
            cwd=ROOT,
            text=text,
            asks_network=True,
        )

    def alongside(self, *arguments: str | Path, doing: str) -> AbstractContextManager[None]:
        """Run one command of uv while a block runs, and wait for its end after the block.

        Raises:
            Failed: It did not succeed; `doing` begins the sentence.
        """
        argv = [self.path, *arguments]
        return alongside(argv, doing=doing, env=self.variables, cwd=ROOT, asks_network=True)


def fetch_uv() -> Uv:
    """Return uv in the pinned version; ask the network only if it is not here yet.

    Raises:
        Failed: pip is missing or could not fetch it.
    """
    match = re.search(r"^uv==([\w.]+)", PIN.read_text(encoding="utf-8"), re.MULTILINE)
    if match is None:
        raise Failed(f"{PIN} names no version of uv.")
    path = _FOLDER / "bin" / ("uv.exe" if sys.platform == "win32" else "uv")
    if not _is_version(path, match[1]):
        say(f"Fetching uv {match[1]}.")
        _install()
    return Uv(path, _variables())


def _index_variables(python: str) -> dict[str, str]:
    """Return the environment for uv; settings for uv itself override those for pip.

    Args:
        python: The interpreter whose pip is asked.
    """
    variables = {
        # All indexes count alike, as for pip; the hashes say which files are right.
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_SYSTEM_CERTS": "true",
        "UV_PYTHON_DOWNLOADS": "never",
    }
    for name, value in _pip_settings(python).items():
        if name in _VARIABLES:
            variable, separator = _VARIABLES[name]
            variables[variable] = separator.join(value.split())
    return {**variables, **os.environ}


def _is_version(path: Path, version: str) -> bool:
    if not path.exists():
        return False
    try:
        return version in run([path, "--version"], doing="Asking uv for its version").split()
    except Failed:  # A half-made one.
        return False


def _install() -> None:
    shutil.rmtree(_FOLDER, ignore_errors=True)
    pip = (PYTHON, "-m", "pip", "--disable-pip-version-check", "--no-input", "--retries=2")
    run([*pip, "--version"], doing="Starting pip (on Debian: apt-get install python3-pip)")
    install = ("install", "--quiet", "--require-hashes", "--only-binary=:all:")
    run(
        [*pip, *install, "--target", _FOLDER, "--requirement", PIN],
        doing="Fetching uv",
        env={**os.environ, **_PIP_VARIABLES},
        asks_network=True,
    )


def _variables() -> dict[str, str]:
    variables = _index_variables(PYTHON)
    if not _has_home():
        variables.setdefault("UV_CACHE_DIR", str(SETUP / "cache"))
    return variables


def _has_home() -> bool:
    """Return whether there is a place for downloads outside; `nobody` has none."""
    try:
        return os.access(Path.home(), os.W_OK)
    except RuntimeError:
        return False


def _pip_settings(python: str) -> Mapping[str, str]:
    listing = subprocess.run(
        [python, "-m", "pip", "config", "list"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    ).stdout
    found = [match for line in listing.splitlines() if (match := _LINE.fullmatch(line))]
    return {
        match["name"]: str(ast.literal_eval(match["value"]))
        for section in _SECTIONS
        for match in found
        if match["section"] == section
    }
