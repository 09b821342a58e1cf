"""The command lines of `parley-server agents` and `parley-server skills`.

`make_catalog_app` makes the commands that both have: `list`, `enable` and `disable`. Agents have
`default` besides, which chooses the one that answers when a message names nobody.
"""

import sys
from typing import Annotated, Final, Literal

import typer

from local_server.commands.options import Data, data_folder, run_to_end

Project = Annotated[
    str, typer.Option(metavar="NAME", help="The project; the app’s own is “local”.")
]
_AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
# Hidden from the list of arguments: the usage line names it, and `_NAME_WORDS` explains it.
_Name = Annotated[str, typer.Argument(metavar="NAME", hidden=True)]
_NAME_WORDS: Final = "NAME is as `list` has it."


def make_catalog_app(kind: Literal["agents", "skills"], text: str) -> typer.Typer:
    """Make the commands `list`, `enable` and `disable`; `text` is the help of them all."""
    app = typer.Typer(help=text, no_args_is_help=True)

    @app.command("list", help=f"List the {kind} of a project, and whether they are enabled.")
    def list_things(project: Project, data: Data = None, as_json: _AsJson = False) -> None:
        from local_server.commands import catalog_command  # noqa: PLC0415 - heavy

        listing = run_to_end(catalog_command.list_things(data_folder(data), project, kind))
        if as_json:
            print(listing.as_json())
            return
        print(listing.as_table())
        for problem in listing.problems:
            print(problem, file=sys.stderr)

    @app.command("enable", help=f"Enable one of the {kind} for a project.\n\n{_NAME_WORDS}")
    def enable(name: _Name, project: Project, data: Data = None) -> None:
        turn(name, project, data, is_enabled=True)

    @app.command("disable", help=f"Disable one of the {kind} for a project.\n\n{_NAME_WORDS}")
    def disable(name: _Name, project: Project, data: Data = None) -> None:
        turn(name, project, data, is_enabled=False)

    def turn(name: str, project: str, data: Data, *, is_enabled: bool) -> None:
        from local_server.commands import catalog_command  # noqa: PLC0415 - heavy

        where = data_folder(data)
        print(run_to_end(catalog_command.turn(where, project, kind, name, is_enabled=is_enabled)))

    return app


agents_app = make_catalog_app(
    "agents", "List, edit and switch a project’s agents, set the default."
)


@agents_app.command("default")
def choose_default(
    project: Project,
    name: Annotated[str | None, typer.Argument(metavar="NAME", hidden=True)] = None,
    data: Data = None,
    none: Annotated[
        bool,
        typer.Option(
            "--none", help="No default: the supervisor chooses an agent for each message."
        ),
    ] = False,
) -> None:
    """Set the agent that answers messages which name none.

    NAME is from `list`.
    """
    from local_server.commands import catalog_command  # noqa: PLC0415 - heavy

    if (name is None) != none:
        raise typer.BadParameter("Give either the name of an agent or --none.")
    run_to_end(catalog_command.choose_default(data_folder(data), project, name))
    who = f"“{name}” answers" if name else "The supervisor chooses"
    print(f"{who} when a message to {project} names nobody.")


@agents_app.command("show")
def show_agent(name: _Name, project: Project, data: Data = None) -> None:
    """Print an agent as JSON, with the revision of its file.

    NAME is from `list`.
    """
    from local_server.commands import agent_command  # noqa: PLC0415 - heavy

    print(run_to_end(agent_command.show_agent(data_folder(data), project, name)))


@agents_app.command("save")
def save_agent(project: Project, data: Data = None) -> None:
    """Save an agent, read as JSON from standard input."""
    from local_server.commands import agent_command  # noqa: PLC0415 - heavy

    print(run_to_end(agent_command.save_from_stdin(data_folder(data), project)))


@agents_app.command("restore")
def restore_agent(project: Project, data: Data = None) -> None:
    """Put back the file that standard input has as JSON."""
    from local_server.commands import agent_command  # noqa: PLC0415 - heavy

    print(run_to_end(agent_command.restore_from_stdin(data_folder(data), project)))


skills_app = make_catalog_app("skills", "List a project’s skills, enable and disable them.")
