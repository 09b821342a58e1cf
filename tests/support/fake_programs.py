"""The programs that dev.py starts, as small honest fakes: uv, apt, the environment's own.

A fake program is a shell script that calls this file with its name. It writes down how it was
called and does what dev.py relies on, no more; a command it does not know ends it with 64. What a
test wants to go wrong it says by variables:

- FAKE_FAILURES: JSON, the beginning of a command → the words it fails with;
- FAKE_GATE: the beginning of a command, then the loopback port at which it reports and waits;
- FAKE_MISSING: the libraries that this system lacks, until apt brings them.
"""

import json
import os
import shlex
import socket
import sys
from pathlib import Path
from typing import Final

_RECORDED: Final = ("UV_", "QT_", "LD_LIBRARY_PATH", "ALL_PROXY")


def main(name: str, argv: list[str]) -> int:
    """Record the call, then behave as the program of that name."""
    command = " ".join([name, *argv])
    record = {
        "command": command,
        "argv": argv,
        "cwd": str(Path.cwd()),
        "env": {key: value for key, value in os.environ.items() if key.startswith(_RECORDED)},
    }
    with _state("calls").open("a", encoding="utf-8") as calls:
        calls.write(json.dumps(record) + "\n")
    wait_at_gate(command)
    for beginning, words in json.loads(os.environ.get("FAKE_FAILURES", "{}")).items():
        if command.startswith(beginning):
            sys.stderr.write(f"{words}\n")
            return 7
    programs = {"uv": uv, "python": python, "apt-get": apt_get, "dpkg-deb": dpkg_deb}
    return programs.get(name, own_program)(argv)


def wait_at_gate(command: str) -> None:
    """Report to the test and go on when the test lets go."""
    beginning, _, port = os.environ.get("FAKE_GATE", "").rpartition(":")
    if beginning and command.startswith(beginning):
        with socket.create_connection(("127.0.0.1", int(port))) as gate:
            gate.recv(1)


def script(name: str) -> str:
    """Return the text of a fake program."""
    command = shlex.join([sys.executable, "-IS", str(Path(__file__).resolve()), name])
    return f'#!/bin/sh\nexec {command} "$@"\n'


def write_program(path: Path, name: str) -> None:
    """Write a fake program, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script(name), encoding="utf-8")
    path.chmod(0o755)


def uv(argv: list[str]) -> int:
    """Make an environment whose programs are fakes, too."""
    match argv:
        case ["--version"]:
            sys.stdout.write("uv 9.9.9\n")
        case ["venv", "--no-project", "--python", _, folder]:
            write_program(Path(folder, "bin", "python"), "python")
        case ["pip", "sync", "--python", python_path, "--require-hashes", *_, _lock]:
            for tool in ("pytest", "ruff", "lint-imports", "deptry", "mypy"):
                write_program(Path(python_path).with_name(tool), tool)
        case ["pip", "install", "--python", python_path, *_, "--editable", _]:
            write_program(Path(python_path).with_name("parley"), "parley")
        case ["pip", "compile", *_, "--output-file", output]:
            Path(output).write_text(f"# {sys.stdin.read()}", encoding="utf-8")
        case _:
            return 64
    return 0


def python(argv: list[str]) -> int:
    """Print the libraries that cannot be loaded: missing, not installed, not unpacked."""
    here = _state("installed").exists() or ".setup" in os.environ.get("LD_LIBRARY_PATH", "")
    missing = [] if here else os.environ.get("FAKE_MISSING", "").split()
    sys.stdout.writelines(f"{name}\n" for name in argv if name in missing)
    return 0


def apt_get(argv: list[str]) -> int:
    """Install by leaving a mark, or download one package for every name."""
    if "--simulate" in argv:
        sys.stdout.write("Inst libfirst (1.0)\nInst libc6 [1.0] (2.0)\nInst libsecond (1.0)\n")
    elif argv[0] == "install":
        _state("installed").touch()
    elif argv[0] == "download":
        for name in argv[5:]:
            Path(f"{name}.deb").touch()
    elif argv[0] != "update":
        return 64
    return 0


def dpkg_deb(argv: list[str]) -> int:
    """Unpack a package into folders as in Debian."""
    match argv:
        case ["--extract", deb, folder]:
            libraries = Path(folder, "usr/lib/x86_64-linux-gnu")
            libraries.mkdir(parents=True, exist_ok=True)
            (libraries / Path(deb).stem).touch()
            return 0
    return 64


def own_program(_argv: list[str]) -> int:
    """End as the app, pytest or a check would: with the code the test wants."""
    return int(os.environ.get("FAKE_EXIT_CODE", "0"))


def _state(name: str) -> Path:
    return Path(os.environ["FAKE_STATE"], name)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
