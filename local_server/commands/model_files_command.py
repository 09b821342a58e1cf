"""The command lines of `parley-server model-files`: describe, list, download and delete files."""

import json
import os
import sys
import threading
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from local_server.commands.options import (
    CommandError,
    Data,
    data_folder,
    reported_errors,
    run_to_end,
)

model_files_app = typer.Typer(
    help="Inspect, find, download and delete model files (GGUF).", no_args_is_help=True
)

_GB: Final = 1_000_000_000
_STEPS: Final = 500
_STDIN: Final = 0
_READ_BYTES: Final = 4096
_Repository = Annotated[str, typer.Argument(metavar="OWNER/NAME", hidden=True)]
_File = Annotated[Path, typer.Argument(metavar="FILE", hidden=True)]
_Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@model_files_app.command()
def show(file: _File, as_json: _Json = False) -> None:
    """Print name, quantisation, size and context window of a model file."""
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
    row = file_as_json(LibraryFile(model, "file"))
    if as_json:
        print(json.dumps(row))
        return
    size = f"{model.size_bytes / 1_000_000_000:.1f} GB"
    details = filter(None, (model.quantisation, size, f"{model.window:,} tokens"))
    print(f"{row['id']}  ({model.name}: {', '.join(details)})")


@model_files_app.command()
def hub(
    repository: Annotated[str | None, typer.Argument(metavar="OWNER/NAME", hidden=True)] = None,
    as_json: _Json = False,
) -> None:
    """List the model files of a repository on a hub.

    Without OWNER/NAME, suggest some repositories without a request. The hub is huggingface.co, or
    the address in HF_ENDPOINT.
    """
    from local_server.engine import downloads  # noqa: PLC0415 - heavy

    if repository is None:
        suggested = downloads.SUGGESTED
        print(json.dumps(suggested) if as_json else "\n".join(suggested))
        return
    rows = run_to_end(_list(repository))
    if as_json:
        print(json.dumps(rows))
        return
    for row in rows:
        fits = "" if row["fits"] else ", larger than this computer’s memory"
        print(f"{row['name']}  ({row['size_bytes'] / _GB:.1f} GB, {row['licence']}{fits})")


@model_files_app.command()
def get(
    repository: _Repository,
    name: Annotated[str, typer.Argument(metavar="FILE", hidden=True)],
    yes: Annotated[
        bool, typer.Option("--yes", help="Accept the model’s licence without being asked.")
    ] = False,
    as_json: _Json = False,
    data: Data = None,
) -> None:
    """Download a model file of a repository.

    A repeated call resumes an interrupted download. With --json it prints its progress as one JSON
    object a line, and pauses when its standard input closes.
    """
    if as_json:
        threading.Thread(target=_end_with_input, name="input", daemon=True).start()
    path = run_to_end(_get(repository, name, data_folder(data), is_accepted=yes, as_json=as_json))
    print(json.dumps({"event": "done", "path": str(path)}) if as_json else f"file:{path}")


@model_files_app.command()
def remove(file: _File, data: Data = None) -> None:
    """Delete a model file that `get` has downloaded.

    Files of other programs are refused.
    """
    from local_server.engine.downloads import projector_beside  # noqa: PLC0415 - heavy
    from local_server.engine.library import MODELS_FOLDER  # noqa: PLC0415 - heavy

    folder = (data_folder(data) / MODELS_FOLDER).resolve()
    with reported_errors():
        if file.resolve().parent != folder:
            raise CommandError(f"{file} is not one of those in {folder}, so it stays.")
        try:
            file.unlink()
            projector_beside(file).unlink(missing_ok=True)
        except OSError as exc:
            raise CommandError(f"{file} cannot be deleted: {exc.strerror}.") from exc


async def _list(repository: str) -> list[dict[str, Any]]:
    from local_server.engine import downloads  # noqa: PLC0415 - heavy
    from local_server.engine.memory import fits  # noqa: PLC0415 - heavy

    try:
        options = downloads.DownloadOptions(downloads.hub_of(dict(os.environ)))
        files = await downloads.list_hub_files(repository, options)
    except downloads.DownloadError as exc:
        raise CommandError(str(exc)) from exc
    best = downloads.recommended(files)
    return [
        {
            "name": file.name,
            "size_bytes": file.total_bytes,
            "sees": file.projector is not None,
            "licence": file.licence,
            "fits": fits(file.total_bytes),
            "is_recommended": file is best,
        }
        for file in files
    ]


async def _get(repository: str, name: str, data: Path, *, is_accepted: bool, as_json: bool) -> Path:
    from local_server.engine import downloads  # noqa: PLC0415 - heavy
    from local_server.engine.library import MODELS_FOLDER  # noqa: PLC0415 - heavy

    try:
        options = downloads.DownloadOptions(downloads.hub_of(dict(os.environ)))
        files = await downloads.list_hub_files(repository, options)
        file = next((one for one in files if one.name == name), None)
        if file is None:
            raise CommandError(f"{repository} has no model file {name}.")
        if not is_accepted:
            licence = file.licence or "none that is named"
            raise CommandError(f"The licence is {licence}. To accept it, add --yes.")
        progress = _Progress(file.total_bytes, as_json=as_json)
        return await downloads.download(file, data / MODELS_FOLDER, progress.tell, options)
    except downloads.DownloadError as exc:
        raise CommandError(str(exc)) from exc


class _Progress:
    """Prints how far a download is, some five hundred times. Made for one download."""

    def __init__(self, total_bytes: int, *, as_json: bool) -> None:
        self._total = total_bytes
        self._as_json = as_json
        self._step = max(1, total_bytes // _STEPS)
        self._told = -1

    def tell(self, done_bytes: int) -> None:
        """Print the progress, unless nearly as much was printed before."""
        if done_bytes // self._step == self._told and done_bytes < self._total:
            return
        self._told = done_bytes // self._step
        if self._as_json:
            line = {"event": "progress", "done": done_bytes, "total": self._total}
            print(json.dumps(line), flush=True)
        elif sys.stderr.isatty():
            print(
                f"\r{done_bytes / _GB:.2f} of {self._total / _GB:.2f} GB", end="", file=sys.stderr
            )


def _end_with_input() -> None:
    while os.read(_STDIN, _READ_BYTES):
        pass
    # What came so far lies on the disk.
    os._exit(0)
