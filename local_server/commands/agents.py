"""The command lines of `parley-server agents`."""

from typing import Annotated

import typer

from local_server.commands.catalog_options import AsJson, Project, print_listing, turn
from local_server.commands.options import Data, data_folder, run_to_end

agents_app = typer.Typer(
    help="List a project’s agents, enable and disable them, choose the default.",
    no_args_is_help=True,
)

Name = Annotated[str, typer.Argument(help="The agent, as `agents list` names it.")]


@agents_app.command("list")
def list_agents(project: Project, data: Data = None, as_json: AsJson = False) -> None:
    """List all agents that the project could use, and which of them it does."""
    print_listing(data, project, "agents", as_json=as_json)


@agents_app.command("enable")
def enable_agent(name: Name, project: Project, data: Data = None) -> None:
    """Let an agent answer in this project."""
    turn(data, project, "agents", name, is_enabled=True)


@agents_app.command("disable")
def disable_agent(name: Name, project: Project, data: Data = None) -> None:
    """Let an agent answer in this project no more."""
    turn(data, project, "agents", name, is_enabled=False)


@agents_app.command("default")
def choose_default(
    project: Project,
    name: Annotated[
        str | None, typer.Argument(help="Who answers when a message names nobody.")
    ] = None,
    data: Data = None,
    none: Annotated[
        bool, typer.Option("--none", help="Leave it to the supervisor, message by message.")
    ] = False,
) -> None:
    """Choose the agent that answers when a message names nobody."""
    from local_server.commands import catalog_command  # noqa: PLC0415 - heavy

    if (name is None) != none:
        raise typer.BadParameter("Give either the name of an agent or --none.")
    run_to_end(catalog_command.choose_default(data_folder(data), project, name))
    who = f"“{name}” answers" if name else "The supervisor chooses"
    print(f"{who} when a message to {project} names nobody.")
