"""The command lines of `parley-server keys`."""

import json
import sys
from typing import Annotated, Final, Literal

import typer

from local_server.commands.options import Data, Database, data_folder, reported_errors, run_to_end

keys_app = typer.Typer(help="Make, list and revoke the keys of projects.", no_args_is_help=True)

# All of a minute's requests are remembered, each by its time.
_MOST_PER_MINUTE: Final = 1_000_000


@keys_app.command("create")
def create_key(
    *,
    project: Annotated[str, typer.Option(metavar="NAME", help="Whose conversations the key sees.")],
    data: Data = None,
    database_url: Database = None,
    mode: Annotated[
        Literal["live", "test"],
        typer.Option(metavar="live|test", help="A test key has data of its own."),
    ] = "live",
    plan: Annotated[str, typer.Option(metavar="PLAN", help="free, pro or enterprise.")] = "free",
    per_minute: Annotated[
        int | None,
        typer.Option(
            "--requests-per-minute",
            min=1,
            max=_MOST_PER_MINUTE,
            metavar="N",
            help="For enterprise only.",
        ),
    ] = None,
) -> None:
    """Make a key and print it, this once: only its hash is kept."""
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
    """List the keys by id, without the keys."""
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
    """Make a key invalid, at once and permanently.

    ID is what `keys list` shows of it.
    """
    from local_server.commands import key_command  # noqa: PLC0415 - heavy
    from local_server.commands.backend_choice import choose_store  # noqa: PLC0415 - heavy

    with reported_errors():
        where = choose_store(data_folder(data), database_url)
    run_to_end(key_command.revoke_key(where, key_id))
    print(f"Revoked {key_id}.")
