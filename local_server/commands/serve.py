"""The command lines of `parley-server serve` and `parley-server models`."""

import json
import os
from pathlib import Path
from typing import Annotated, Final

import typer

from local_server.commands.options import (
    Data,
    Database,
    LogForm,
    MetricsPort,
    ObservabilityOptions,
    Redis,
    data_folder,
    reported_errors,
    run_to_end,
    without_garbage_collection,
)
from local_server.observability import LogFormat, log_to_stderr

Model = Annotated[
    str | None,
    typer.Option(
        envvar="PARLEY_MODEL",
        metavar="ID",
        help="The model that answers: an id from `parley-server models`, or `offline`, the demo.",
    ),
]
FallbackModels = Annotated[
    list[str] | None,
    typer.Option(
        envvar="PARLEY_FALLBACK_MODELS",
        metavar="ID",
        help="A model to try when the first fails; repeatable, tried in this order.",
    ),
]
ContextWindow = Annotated[
    int | None,
    typer.Option(
        min=1024,
        metavar="N",
        help="Context window in tokens, for models that do not report theirs.",
    ),
]

EngineProgram = Annotated[
    Path | None,
    typer.Option(
        "--engine",
        envvar="PARLEY_ENGINE",
        metavar="PROGRAM",
        help="A llama-server for model files (file:/PATH/MODEL.gguf), instead of the bundled one.",
    ),
]

DEFAULT_PORT: Final = 8422
DEFAULT_CONNECTIONS: Final = 2000

_Port = Annotated[
    int, typer.Option(min=0, max=65535, metavar="N", help="The TCP port; 0 takes a free one.")
]
_Host = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="The address to listen on; beyond loopback, --allowed-host is required.",
    ),
]


def serve(
    *,
    port: _Port = DEFAULT_PORT,
    host: _Host = "127.0.0.1",
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[:PORT]",
            help="A host name that clients may use, such as chat.example.org; repeatable.",
        ),
    ] = None,
    max_connections: Annotated[
        int,
        typer.Option(min=8, max=100_000, metavar="N", help="The most connections open at once."),
    ] = DEFAULT_CONNECTIONS,
    data: Data = None,
    model: Model = None,
    fallback_model: FallbackModels = None,
    context_window: ContextWindow = None,
    database_url: Database = None,
    redis_url: Redis = None,
    log_format: LogForm = LogFormat.TEXT,
    metrics_port: MetricsPort = None,
    child: Annotated[bool, typer.Option("--child", hidden=True)] = False,
    fd: Annotated[int | None, typer.Option(hidden=True)] = None,
    pace_ms: Annotated[float, typer.Option(min=0, hidden=True)] = 15,
    engine_program: EngineProgram = None,
) -> None:
    """Answer requests on this computer, until Ctrl+C."""
    with without_garbage_collection():
        from local_server import serving  # noqa: PLC0415 - heavy
        from local_server.assistant.assistants import ModelSelection  # noqa: PLC0415 - heavy
        from local_server.commands import backend_choice, serve_command  # noqa: PLC0415 - heavy
        from local_server.engine.keeper import EngineOptions  # noqa: PLC0415 - heavy

    observing = ObservabilityOptions(log_format, metrics_port)
    log_to_stderr(log_format)
    choice = ModelSelection(model, tuple(fallback_model or ()), context_window)
    engine = EngineOptions(context_window, engine_program)
    options = serve_command.ServeOptions(
        data_folder(data), pace_ms / 1000, choice, observing, engine
    )
    if child:
        run_to_end(serve_command.serve_child(options, fd), serving.new_event_loop)
        return
    where = serve_command.ListenOptions(host, port, tuple(allowed_host or ()), max_connections)
    with reported_errors():
        backend = backend_choice.choose_backend(options.data, database_url, redis_url)
    run_to_end(serve_command.serve_alone(options, where, backend), serving.new_event_loop)


def models(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    data: Data = None,
) -> None:
    """List the models that can be chosen.

    Those are the ones on this computer, and any of providers for which there is a key. Nobody
    outside this computer is asked.
    """
    from local_server import discovery  # noqa: PLC0415 - heavy
    from local_server.assistant.models.providers import ProviderAccess  # noqa: PLC0415 - heavy
    from local_server.engine.library import ModelLibrary  # noqa: PLC0415 - heavy

    found = run_to_end(discovery.find_models(ProviderAccess.of_environment(os.environ)))
    library = ModelLibrary(data_folder(data), Path.home(), os.environ)
    report = discovery.with_files(found, library)
    if as_json:
        print(json.dumps(report.as_json()))
        return
    for model in report.as_json()["models"]:
        print(f"{model['id']}  ({model['name']}, {model['provider']})")
    for server in report.servers:
        if not server.models:
            print(f"{server.provider} runs at {server.address}, without a model that can answer.")
    for provider in report.keyed:
        print(f"{provider}:NAME  (any model of the provider; there is a key)")


def engine() -> None:
    """Run a model file, as the service wants it: it tells which on standard input."""
    from local_server.engine import engine_child  # noqa: PLC0415 - only the service runs it

    engine_child.main()
