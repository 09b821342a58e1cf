"""The command lines of `parley-server keys`."""

import json
import sys
from typing import Annotated, Final, Literal

import typer

from local_server.commands.options import Data, Database, data_folder, reported_errors, run_to_end

keys_app = typer.Typer(help="Create, list and revoke API keys.", no_args_is_help=True)

# Bounds memory: the time of each request of the last minute is kept.
_MOST_PER_MINUTE: Final = 1_000_000


@keys_app.command("create")
def create_key(
    *,
    project: Annotated[
        str,
        typer.Option(metavar="NAME", help="The project whose conversations the key can access."),
    ],
    data: Data = None,
    database_url: Database = None,
    mode: Annotated[
        Literal["live", "test"],
        typer.Option(metavar="live|test", help="Test keys have separate data."),
    ] = "live",
    plan: Annotated[
        str,
        typer.Option(
            metavar="PLAN", help="Requests a minute: free (60), pro (300), enterprise (given)."
        ),
    ] = "free",
    per_minute: Annotated[
        int | None,
        typer.Option(
            "--requests-per-minute",
            min=1,
            max=_MOST_PER_MINUTE,
            metavar="N",
            help="Requests a minute of an enterprise key.",
        ),
    ] = None,
) -> None:
    """Create a key and print it, only now: just its hash is stored."""
    from local_server.commands import key_command  # noqa: PLC0415 - heavy
    from local_server.commands.backend_choice import choose_store  # noqa: PLC0415 - heavy

    with reported_errors():
        where = choose_store(data_folder(data), database_url)
    made = run_to_end(key_command.create_key(where, project, mode, plan, per_minute))
    if made.is_first:
        print(f"Made new data in {where}.", file=sys.stderr)
    print(made.key)
    print(f"It is shown only now. Its id, to revoke it by: {made.key_id}", file=sys.stderr)


@keys_app.command("list")
def list_keys(
    *,
    data: Data = None,
    database_url: Database = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the ids and projects of all keys, without the keys."""
    from local_server.commands import key_command  # noqa: PLC0415 - heavy
    from local_server.commands.backend_choice import choose_store  # noqa: PLC0415 - heavy

    with reported_errors():
        where = choose_store(data_folder(data), database_url)
    if as_json:
        print(json.dumps(run_to_end(key_command.report_keys(where))))
    else:
        print(run_to_end(key_command.list_keys(where)))


@keys_app.command("revoke")
def revoke_key(
    # The line of usage names it, and the text says what it is.
    key_id: Annotated[str, typer.Argument(metavar="ID", hidden=True)],
    data: Data = None,
    database_url: Database = None,
) -> None:
    """Revoke a key at once and permanently.

    ID is from `keys list`.
    """
    from local_server.commands import key_command  # noqa: PLC0415 - heavy
    from local_server.commands.backend_choice import choose_store  # noqa: PLC0415 - heavy

    with reported_errors():
        where = choose_store(data_folder(data), database_url)
    run_to_end(key_command.revoke_key(where, key_id))
    print(f"Revoked {key_id}.")
