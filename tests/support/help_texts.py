"""What a command line says of itself with `--help`."""

import re
from collections.abc import Iterator
from typing import Final

import typer
from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

# The name of a type, and what stands at the end of words that are cut off; a bound is `x<=8`.
_FOREIGN: Final = re.compile(r"<\w+|\.\.\.")


def check_help_texts(application: typer.Typer) -> None:
    """Look whether the help of the program and of all its commands is plain words, none cut off.

    Raises:
        AssertionError: There is something else in it.
    """
    for text in _help_texts(application):
        usage, _, words = text.partition("\n")
        assert usage.startswith("Usage: ")
        assert _FOREIGN.findall(words) == []


def _help_texts(application: typer.Typer, *words: str) -> Iterator[str]:
    yield CliRunner().invoke(application, [*words, "--help"]).stdout
    command = get_command(application)
    for word in words:
        assert isinstance(command, TyperGroup)
        command = command.commands[word]
    if isinstance(command, TyperGroup):
        for name in command.commands:
            yield from _help_texts(application, *words, name)
