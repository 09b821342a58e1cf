"""The command lines of `parley-server skills`."""

from typing import Annotated

import typer

from local_server.commands.catalog_options import AsJson, Project, print_listing, turn
from local_server.commands.options import Data

skills_app = typer.Typer(
    help="List a project’s skills, enable and disable them.", no_args_is_help=True
)

Name = Annotated[str, typer.Argument(help="The skill, as `skills list` names it.")]


@skills_app.command("list")
def list_skills(project: Project, data: Data = None, as_json: AsJson = False) -> None:
    """List all skills that the project could use, and which of them it does."""
    print_listing(data, project, "skills", as_json=as_json)


@skills_app.command("enable")
def enable_skill(name: Name, project: Project, data: Data = None) -> None:
    """Let a skill be used in this project."""
    turn(data, project, "skills", name, is_enabled=True)


@skills_app.command("disable")
def disable_skill(name: Name, project: Project, data: Data = None) -> None:
    """Let a skill be used in this project no more."""
    turn(data, project, "skills", name, is_enabled=False)
