"""The command lines of `parley-server agents`."""

from typing import Annotated

import typer

from local_server.commands.catalog_options import Project, make_catalog_app
from local_server.commands.options import Data, data_folder, run_to_end

agents_app = make_catalog_app("agents", "List a project’s agents, switch them, choose the default.")


@agents_app.command("default")
def choose_default(
    project: Project,
    name: Annotated[str | None, typer.Argument(metavar="NAME", hidden=True)] = None,
    data: Data = None,
    none: Annotated[
        bool, typer.Option("--none", help="Leave it to the supervisor, message by message.")
    ] = False,
) -> None:
    """Choose the agent that answers when a message names nobody.

    NAME is as `list` has it.
    """
    from local_server.commands import catalog_command  # noqa: PLC0415 - heavy

    if (name is None) != none:
        raise typer.BadParameter("Give either the name of an agent or --none.")
    run_to_end(catalog_command.choose_default(data_folder(data), project, name))
    who = f"“{name}” answers" if name else "The supervisor chooses"
    print(f"{who} when a message to {project} names nobody.")
