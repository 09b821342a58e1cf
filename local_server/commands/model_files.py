"""The command lines of `parley-server model-files`: what a file is."""

import json
from pathlib import Path
from typing import Annotated

import typer

from local_server.commands.options import CommandError, reported_errors

model_files_app = typer.Typer(help="The files of models that are run here.", no_args_is_help=True)

_File = Annotated[Path, typer.Argument(metavar="FILE", show_default=False)]
_Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@model_files_app.command()
def show(file: _File, as_json: _Json = False) -> None:
    """Say what a model file is."""
    from local_server.discovery import file_as_json  # noqa: PLC0415 - heavy
    from local_server.engine.library import LibraryFile  # noqa: PLC0415 - heavy
    from local_server.engine.model_files import (  # noqa: PLC0415 - heavy
        ModelFileError,
        read_model_file,
    )

    with reported_errors():
        try:
            model = read_model_file(file.absolute())
        except ModelFileError as exc:
            raise CommandError(str(exc)) from exc
    row = file_as_json(LibraryFile(model, "parley"))
    if as_json:
        print(json.dumps(row))
        return
    size = f"{model.size_bytes / 1_000_000_000:.1f} GB"
    details = filter(None, (model.quantisation, size, f"{model.window:,} tokens"))
    print(f"{row['id']}  ({model.name}: {', '.join(details)})")
