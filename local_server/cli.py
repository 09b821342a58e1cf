"""The command `parley-server`: serve, make keys, see which models there are.

What is heavy is imported by the command that needs it, so that the others answer at once.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

import platformdirs
import typer

from local_server.command_error import CommandError

DEFAULT_PORT: Final = 8422

app = typer.Typer(
    name="parley-server",
    help="The bundled service of Parley.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
keys_app = typer.Typer(help="Make, list and revoke the keys of projects.", no_args_is_help=True)
app.add_typer(keys_app, name="keys")

Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        envvar="PARLEY_SERVER_DATA",
        help="The folder for conversations and keys; by default where this system keeps such.",
    ),
]
Result = TypeVar("Result")


@app.command()
def serve(
    *,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = DEFAULT_PORT,
    host: Annotated[str, typer.Option(help="127.0.0.1 or ::1.")] = "127.0.0.1",
    data: Data = None,
    child: Annotated[bool, typer.Option("--child", hidden=True)] = False,
    fd: Annotated[int | None, typer.Option(hidden=True)] = None,
    pace_ms: Annotated[float, typer.Option(min=0, hidden=True)] = 15,
) -> None:
    """Answer requests on this computer, until Ctrl+C."""
    from local_server import serve_command, serving  # noqa: PLC0415 - heavy

    serving.log_to_stderr()
    options = serve_command.ServeOptions(_folder(data), pace_ms / 1000)
    if child:
        _run(serve_command.serve_child(options, fd), serving.new_event_loop)
    else:
        _run(serve_command.serve_alone(options, host, port), serving.new_event_loop)


@keys_app.command("create")
def create_key(
    project: Annotated[str, typer.Option(help="Whose conversations the key sees.")],
    data: Data = None,
    test: Annotated[bool, typer.Option("--test", help="A key for test data.")] = False,
    plan: Annotated[str, typer.Option(help="free, pro or enterprise.")] = "free",
    per_minute: Annotated[
        int | None, typer.Option(min=1, help="Requests a minute; for enterprise only.")
    ] = None,
) -> None:
    """Make a key and print it, this once: only its hash is kept."""
    from local_server import key_command  # noqa: PLC0415 - heavy

    mode: Literal["live", "test"] = "test" if test else "live"
    made = _run(key_command.create_key(_folder(data), project, mode, plan, per_minute))
    print(made.key)
    print(f"It is shown only now. Its id, to revoke it by: {made.key_id}", file=sys.stderr)


@keys_app.command("list")
def list_keys(data: Data = None) -> None:
    """List the keys by id, without the keys."""
    from local_server import key_command  # noqa: PLC0415 - heavy

    print(_run(key_command.list_keys(_folder(data))))


@keys_app.command("revoke")
def revoke_key(
    key_id: Annotated[str, typer.Argument(help="The id, as `keys list` shows it.")],
    data: Data = None,
) -> None:
    """Make a key invalid, at once and for ever."""
    from local_server import key_command  # noqa: PLC0415 - heavy

    _run(key_command.revoke_key(_folder(data), key_id))
    print(f"Revoked {key_id}.")


@app.command()
def models(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List what can answer, and which model servers run on this computer."""
    from local_server import discovery  # noqa: PLC0415 - heavy

    found = _run(discovery.find_model_servers())
    if as_json:
        print(json.dumps(discovery.report(found)))
        return
    for model in discovery.report(found)["models"]:
        print(f"{model['id']}  ({model['name']})")
    for server in found:
        if not server.is_usable:
            print(f"{server.provider} runs here too, but cannot be chosen yet.")


def main() -> None:
    """Run the command line."""
    app()


def _folder(data: Path | None) -> Path:
    return data or platformdirs.user_data_path("parley-server", appauthor=False)


def _run(
    command: Coroutine[Any, Any, Result],
    loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None,
) -> Result:
    try:
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            return runner.run(command)
    except CommandError as exc:
        print(exc, file=sys.stderr)
        raise typer.Exit(1) from exc
    except KeyboardInterrupt:
        raise typer.Exit(0) from None


if __name__ == "__main__":
    main()
