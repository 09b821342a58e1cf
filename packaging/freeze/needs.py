"""Which packages need which others, as their own metadata says for the Python that was frozen."""

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from checkout import ROOT
from processes import run

_PROJECT: Final = ROOT / "pyproject.toml"
# Of what the project offers, this is what the program is installed with (`lock_files`).
_INSTALLED_WITH: Final = "mcp"
# What is needed for an extra counts where somebody asks for that extra.
_ASK: Final = """
import json, sys
from importlib.metadata import distributions
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
asked = json.load(sys.stdin)
said = {
    canonicalize_name(one.metadata["Name"]): [Requirement(line) for line in one.requires or ()]
    for one in distributions(path=[asked["site"]])
}
said[""] = [Requirement(line) for line in asked["direct"]]
needs, waiting = {}, [("", ""), *((name, "") for name in asked["packages"])]
while waiting:
    name, extra = waiting.pop()
    if extra in needs.setdefault(name, {}):
        continue
    holding = [one for one in said.get(name, ()) if not one.marker
               or one.marker.evaluate({"extra": extra})]
    needs[name][extra] = sorted(canonicalize_name(one.name) for one in holding)
    for one in holding:
        waiting += [(canonicalize_name(one.name), each) for each in ("", *one.extras)]
print(json.dumps({
    name: sorted(set().union(*by_extra.values())) for name, by_extra in needs.items()
}))
"""


@dataclass(frozen=True)
class Needs:
    """Who needs whom, by the names that indexes compare.

    Attributes:
        direct: What the program itself asks for.
        of_packages: What each package asks for.
    """

    direct: tuple[str, ...]
    of_packages: Mapping[str, tuple[str, ...]]


def read_needs(
    python: Path, site: Path, asked_for: Sequence[str], packages: Iterable[str]
) -> Needs:
    """Reads what each package asks for, as far as it holds here.

    Args:
        python: The one that was frozen, which has `packaging`.
        site: Its folder of packages.
        asked_for: What the program itself asks for, as requirements.
        packages: The names of those that are in the program, as indexes compare them.
    """
    asked = json.dumps({"site": str(site), "direct": list(asked_for), "packages": sorted(packages)})
    doing = "Asking what packages need"
    said = json.loads(run([python, "-I", "-c", _ASK], doing=doing, text=asked))
    found = {name: tuple(needed) for name, needed in said.items()}
    return Needs(found.pop(""), found)


def asked_by_project(project: Path = _PROJECT) -> tuple[str, ...]:
    """What the program asks for in pyproject.toml, with all that installers bring."""
    with project.open("rb") as file:
        said = tomllib.load(file)["project"]
    return (*said["dependencies"], *said["optional-dependencies"][_INSTALLED_WITH])
