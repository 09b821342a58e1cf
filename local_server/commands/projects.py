"""The command lines of `parley-server projects`."""

import json
from typing import Annotated, Final

import typer

from local_server.commands.options import Data, Database, data_folder, reported_errors, run_to_end

projects_app = typer.Typer(
    help="Permit models and settings, and limit usage.",
    no_args_is_help=True,
)

_MOST_TOKENS: Final = 10**15
_MOST_USD: Final = 10**9
Project = Annotated[str, typer.Option(metavar="NAME", help="The project, as named in its keys.")]


@projects_app.command("allow")
def allow(
    *,
    project: Project,
    data: Data = None,
    database_url: Database = None,
    models: Annotated[
        list[str] | None,
        typer.Option(
            "--model", metavar="ID", help="A model that its users may choose; repeatable."
        ),
    ] = None,
    settings: Annotated[
        bool,
        typer.Option(
            "--settings", help="Users may set temperature, length and instructions of a chat."
        ),
    ] = False,
    titles: Annotated[
        bool, typer.Option("--titles", help="The chat’s model writes a title for each chat.")
    ] = False,
    max_output_tokens: Annotated[
        int | None,
        typer.Option(
            min=1, max=1_000_000, metavar="N", help="Limit of one answer of a model, in tokens."
        ),
    ] = None,
    tokens_per_day: Annotated[
        int | None,
        typer.Option(
            min=0, max=_MOST_TOKENS, metavar="N", help="Tokens a day; beyond it requests get 429."
        ),
    ] = None,
    usd_per_day: Annotated[
        float | None,
        typer.Option(
            min=0, max=_MOST_USD, metavar="USD", help="Cost a day; beyond it requests get 429."
        ),
    ] = None,
) -> None:
    """Set what a project is allowed; takes effect at once.

    Replaces all earlier permissions of the project: what is not given is not allowed. Days begin
    at midnight, UTC. Example: projects allow --project home --model openai:gpt-5 --usd-per-day 2
    """
    from local_server.commands import project_command  # noqa: PLC0415 - heavy
    from local_server.commands.backend_choice import choose_store  # noqa: PLC0415 - heavy
    from local_server.store.records import Permit  # noqa: PLC0415 - heavy

    permit = Permit(
        models=tuple(dict.fromkeys(models or ())),
        has_settings=settings,
        has_titles=titles,
        max_output_tokens=max_output_tokens,
        tokens_per_day=tokens_per_day,
        micro_usd_per_day=None if usd_per_day is None else round(usd_per_day * 1_000_000),
    )
    with reported_errors():
        where = choose_store(data_folder(data), database_url)
    print(run_to_end(project_command.allow(where, project, permit)))


@projects_app.command("list")
def list_permits(
    *,
    data: Data = None,
    database_url: Database = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the permissions of projects and their usage today."""
    from local_server.commands import project_command  # noqa: PLC0415 - heavy
    from local_server.commands.backend_choice import choose_store  # noqa: PLC0415 - heavy

    with reported_errors():
        where = choose_store(data_folder(data), database_url)
    if as_json:
        print(json.dumps(run_to_end(project_command.report_permits(where))))
    else:
        print(run_to_end(project_command.list_permits(where)))


@projects_app.command("forbid")
def forbid(*, project: Project, data: Data = None, database_url: Database = None) -> None:
    """Remove all permissions of a project; takes effect at once.

    Its limits a day are removed as well.
    """
    from local_server.commands import project_command  # noqa: PLC0415 - heavy
    from local_server.commands.backend_choice import choose_store  # noqa: PLC0415 - heavy

    with reported_errors():
        where = choose_store(data_folder(data), database_url)
    run_to_end(project_command.forbid(where, project))
    print(f"{project} is allowed nothing any more.")
