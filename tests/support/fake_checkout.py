"""A checkout in which dev.py is the real one and every program that it starts is a fake."""

import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support.fake_programs import script, write_program

_REAL: Final = Path(__file__).resolve().parents[2] / "packaging"
_START: Final = """
import os, runpy, subprocess, sys
uid, version, listing, sys.argv = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
run = subprocess.run
def run_but_pip(command, **options):
    if command[1:] != ["-m", "pip", "config", "list"]:
        return run(command, **options)
    return subprocess.CompletedProcess(command, 0, listing, "")
if listing:
    subprocess.run = run_but_pip
os.geteuid = lambda: uid
if version:
    sys.version_info = (*map(int, version.split(".")), 0, "final", 0)
sys.path.insert(0, os.path.dirname(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
"""
WAIT_S: Final = 20


@dataclass(frozen=True)
class Call:
    """How a fake program was called."""

    command: str
    argv: list[str]
    cwd: str
    env: dict[str, str]


class FakeCheckout:
    """A checkout in a folder of the test; made by fixtures, which close it at the end.

    Attributes:
        root: The checkout.
        programs: The only folder on PATH; fakes of system programs go here.
        variables: What the fakes and dev.py find in their environment.
        pip_settings: What pip says of its settings, as long as no test changes them: to ask it
            takes longer than all else.
    """

    def __init__(self, folder: Path) -> None:
        self.root = folder / "checkout"
        self.programs = folder / "programs"
        self._state = folder / "state"
        self._processes: list[subprocess.Popen[str]] = []
        for path in (self.root / "packaging", self.programs, self._state, folder / "home"):
            path.mkdir(parents=True)
        for path in _REAL.glob("*.py"):
            shutil.copy(path, self.root / "packaging")
        for part in ("", "-editable", "-dev", "-bench"):
            (self.root / "packaging" / f"requirements{part}.txt").write_text("anyio==1\n")
        (self.root / "pyproject.toml").write_text("[project]\n")
        _write_uv_wheel(folder / "wheels", self.root / "packaging" / "uv-requirements.txt")
        self._locks = {path: path.read_bytes() for path in (self.root / "packaging").glob("*.txt")}
        self._first_variables = {
            "FAKE_STATE": str(self._state),
            "HOME": str(folder / "home"),
            "PATH": str(self.programs),
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_FIND_LINKS": str(folder / "wheels"),
            "PIP_NO_INDEX": "1",
        }
        self.variables = dict(self._first_variables)
        self.pip_settings = (
            f":env:.config-file='{os.devnull}'\n"
            f":env:.find-links='{folder / 'wheels'}'\n"
            ":env:.no-index='1'\n"
        )

    def begin_again(self) -> None:
        """Take back what a test did outside `.venv`, so that another one finds it as new."""
        self.close()
        self.variables = dict(self._first_variables)
        for path, lock in self._locks.items():
            path.write_bytes(lock)
        made = self.root / ".setup"
        for folder in (self.programs, self._state, made / "sysroot", made / "bench"):
            shutil.rmtree(folder, ignore_errors=True)
        self.programs.mkdir()
        self._state.mkdir()

    def close(self) -> None:
        """End what a test that failed has left behind."""
        for process in self._processes:
            with process:
                process.kill()

    def add_program(self, name: str) -> None:
        """Put a fake of a system program on PATH."""
        write_program(self.programs / name, name)

    def place_uv(self) -> None:
        """Make uv as present as an earlier start leaves it; saves a test the time of pip."""
        write_program(self.root / ".setup" / "uv" / "bin" / "uv", "uv")

    @property
    def calls(self) -> list[Call]:
        """Every call of a fake so far, oldest first; uv's answers to `--version` left out."""
        path = self._state / "calls"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        calls = [Call(**json.loads(line)) for line in lines]
        return [call for call in calls if call.command != "uv --version"]

    @property
    def has_installed(self) -> bool:
        """Whether the fake of apt has come to the end of an installation."""
        return (self._state / "installed").exists()

    def commands(self, program: str) -> list[str]:
        """Return the commands of one program so far, without the program."""
        return [" ".join(call.argv) for call in self.calls if call.command.split()[0] == program]

    def forget_calls(self) -> None:
        """Begin a new record of calls."""
        (self._state / "calls").unlink(missing_ok=True)

    def start(
        self, *arguments: str, cwd: Path | None = None, uid: int = 1000, version: str = ""
    ) -> subprocess.Popen[str]:
        """Start dev.py as the user with `uid`, on a Python that says it is `version`."""
        dev = str(self.root / "packaging" / "dev.py")
        listing = self.pip_settings if self._has_first_settings() else ""
        process = subprocess.Popen(
            [sys.executable, "-c", _START, str(uid), version, listing, dev, *arguments],
            env=self.variables,
            cwd=cwd or self.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self._processes.append(process)
        return process

    def run(
        self, *arguments: str, cwd: Path | None = None, uid: int = 1000, version: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run dev.py to its end."""
        process = self.start(*arguments, cwd=cwd, uid=uid, version=version)
        output, errors = process.communicate(timeout=2 * WAIT_S)
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors)

    def _has_first_settings(self) -> bool:
        now, first = (
            {name: value for name, value in variables.items() if name.startswith("PIP_")}
            for variables in (self.variables, self._first_variables)
        )
        return now == first

    @contextmanager
    def gate(self, command: str) -> Iterator["Gate"]:
        """While this lasts, programs whose command begins so stop there until they are let go."""
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.settimeout(WAIT_S)
            self.variables["FAKE_GATE"] = f"{command}:{listener.getsockname()[1]}"
            yield Gate(listener)
            self.variables.pop("FAKE_GATE", None)


class Gate:
    """Where fake programs wait; made by `FakeCheckout.gate`."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener

    @contextmanager
    def holding(self) -> Iterator[socket.socket]:
        """Wait until a program has arrived, and let it go at the end.

        Yields:
            Its connection; nothing more is read from it once the program has ended.
        """
        program, _ = self._listener.accept()
        program.settimeout(WAIT_S)
        with program:
            yield program


def _write_uv_wheel(folder: Path, requirements: Path) -> None:
    """Write a wheel with the fake of uv, and the file that pins it by its hash."""
    folder.mkdir()
    wheel = folder / "uv-9.9.9-py3-none-any.whl"
    metadata = "Metadata-Version: 2.1\nName: uv\nVersion: 9.9.9\n"
    kind = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    with zipfile.ZipFile(wheel, "w") as archive:
        program = zipfile.ZipInfo("uv-9.9.9.data/scripts/uv")
        program.external_attr = 0o100755 << 16
        archive.writestr(program, script("uv"))
        archive.writestr("uv-9.9.9.dist-info/METADATA", metadata)
        archive.writestr("uv-9.9.9.dist-info/WHEEL", kind)
        archive.writestr("uv-9.9.9.dist-info/RECORD", "")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    requirements.write_text(f"uv==9.9.9 \\\n    --hash=sha256:{digest}\n", encoding="utf-8")
