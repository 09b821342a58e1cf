"""What the command lines of agents and of skills share."""

import sys
from typing import Annotated, Literal

import typer

from local_server.commands.options import Data, data_folder, run_to_end

Project = Annotated[str, typer.Option(help="Whose; the app’s own project is “local”.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def print_listing(
    data: Data, project: str, kind: Literal["agents", "skills"], *, as_json: bool
) -> None:
    """Print what a project could use; what is wrong with files goes to standard error."""
    from local_server.commands import catalog_command  # noqa: PLC0415 - heavy

    listing = run_to_end(catalog_command.list_things(data_folder(data), project, kind))
    if as_json:
        print(listing.as_json())
        return
    print(listing.as_table())
    for problem in listing.problems:
        print(problem, file=sys.stderr)


def turn(
    data: Data, project: str, kind: Literal["agents", "skills"], name: str, *, is_enabled: bool
) -> None:
    """Enable or disable, and say so."""
    from local_server.commands import catalog_command  # noqa: PLC0415 - heavy

    run_to_end(catalog_command.turn(data_folder(data), project, kind, name, is_enabled=is_enabled))
    print(f"{name} is {'enabled' if is_enabled else 'disabled'} for {project}.")
