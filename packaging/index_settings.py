"""What pip was told about package indexes, in uv's words.

uv does not read pip's configuration. A person whose pip works behind a company's index, proxy or
certificate expects the same here. The settings pass through memory only; no file keeps them.
"""

import ast
import os
import re
import subprocess
from collections.abc import Mapping
from typing import Final

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


def uv_variables(python: str) -> dict[str, str]:
    """Return the environment for uv; what was set for uv itself stands above what was set for pip.

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
