"""The guide to tools of one's own: each of its examples is written down and run as it stands."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from local_tools.cli import application

_GUIDE = Path(__file__).parents[2] / "resources" / "manual" / "en" / "your-own-tools.md"
_BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


def _examples() -> list[str]:
    return _GUIDE.read_text(encoding="utf-8").split("\n## ")[1:]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_an_example_of_the_guide_does_what_the_guide_says(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # The guide is not about how long a preview may take, which on a busy machine is longer.
    monkeypatch.setattr("local_tools.user_tools.folder_check.PREVIEW_TIMEOUT_S", 20.0)
    commands: list[tuple[str, str]] = []
    for kind, text in _BLOCK.findall(_examples()[number]):
        if kind == "console":
            steps = text.split("$ ")[1:]
            commands += [(step.partition("\n")[0], step.partition("\n")[2]) for step in steps]
        else:
            head, _, body = text.partition("\n")
            place = Path(head.removeprefix("# "))
            place.parent.mkdir(exist_ok=True)
            place.write_text(body)

    assert commands
    for command, expected in commands:
        program, *arguments = shlex.split(command)
        assert program == "parley-tools"
        assert CliRunner().invoke(application, arguments).stdout == expected


def test_the_guide_has_three_examples() -> None:
    assert len(_examples()) == 3
