"""A program that takes the place of the service's where agents and skills are asked for.

Run as a script with the file that it keeps them in, then what the service's program is given. It
knows `list`, `enable`, `disable` and `default`, and says of the agent “broken” that it cannot.
"""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any


def catalog_command(
    file: Path,
    *,
    agents: Sequence[str] = (),
    skills: Sequence[str] = (),
    problems: Sequence[dict[str, Any]] = (),
) -> Callable[[Sequence[str]], list[str]]:
    """Make the command line for a catalog of these, all of them on."""
    kept = {
        "agents": [_thing(name) for name in agents],
        "skills": [{**_thing(name), "version": "1.2", "author": "Ada"} for name in skills],
        "problems": list(problems),
    }
    file.write_text(json.dumps(kept), encoding="utf-8")
    return lambda arguments: [sys.executable, "-I", "-S", __file__, str(file), *arguments]


def _thing(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "display_name": name.title(),
        "description": f"Knows about {name}.",
        "is_enabled": True,
        "is_default": False,
        "source": "built-in",
        "path": f"/ships/{name}",
    }


def _main(file: Path, kind: str, verb: str, *rest: str) -> None:
    kept = json.loads(file.read_text(encoding="utf-8"))
    if verb == "list":
        sys.stdout.write(json.dumps({kind: kept[kind], "problems": kept["problems"]}))
        return
    name = None if "--none" in rest else rest[-1]
    if name == "broken":
        sys.exit("catalog.toml cannot be written: no space.")
    for thing in kept[kind]:
        if verb == "default":
            thing["is_default"] = thing["name"] == name
        elif thing["name"] == name:
            thing["is_enabled"] = verb == "enable"
    file.write_text(json.dumps(kept), encoding="utf-8")


if __name__ == "__main__":
    _main(Path(sys.argv[1]), *sys.argv[2:])
