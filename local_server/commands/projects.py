"""The command lines of `parley-server projects`."""

import json
from typing import Annotated, Final

import typer

from local_server.commands.options import Data, Database, data_folder, reported_errors, run_to_end

projects_app = typer.Typer(
    help="Allow projects choices, and limit what they use.",
    no_args_is_help=True,
)

_MOST_TOKENS: Final = 10**15
_MOST_USD: Final = 10**9
Project = Annotated[str, typer.Option(metavar="NAME", help="Whose users it is about.")]


@projects_app.command("allow")
def allow(
    *,
    project: Project,
    data: Data = None,
    database_url: Database = None,
    models: Annotated[
        list[str] | None,
        typer.Option("--model", metavar="ID", help="A model to choose; can be repeated."),
    ] = None,
    settings: Annotated[
        bool, typer.Option("--settings", help="Temperature, lengths and instructions of a chat.")
    ] = False,
    titles: Annotated[
        bool, typer.Option("--titles", help="A title for each chat, asked of its model.")
    ] = False,
    max_output_tokens: Annotated[
        int | None,
        typer.Option(min=1, max=1_000_000, metavar="N", help="The longest answer of a model."),
    ] = None,
    tokens_per_day: Annotated[
        int | None,
        typer.Option(min=0, max=_MOST_TOKENS, metavar="N", help="Used up, requests get 429."),
    ] = None,
    usd_per_day: Annotated[
        float | None,
        typer.Option(min=0, max=_MOST_USD, metavar="USD", help="Used up, requests get 429."),
    ] = None,
) -> None:
    """Allow a project this and nothing else, at once.

    It replaces what the project was allowed before. Days begin at midnight, UTC.
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
    """List what projects are allowed, and what they used today."""
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
    """Allow a project nothing any more, at once.

    It has no ceilings either.
    """
    from local_server.commands import project_command  # noqa: PLC0415 - heavy
    from local_server.commands.backend_choice import choose_store  # noqa: PLC0415 - heavy

    with reported_errors():
        where = choose_store(data_folder(data), database_url)
    run_to_end(project_command.forbid(where, project))
    print(f"{project} is allowed nothing any more.")
