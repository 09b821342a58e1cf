"""Suggest a model file from a hub for this computer, and download it through the service's program.

`suggest_model` sends the first request to the hub. `ModelDownload` runs the download as a child
process, which pauses when its stdin closes; a later download resumes there.
"""

import json
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, TypeAdapter

from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.service.server_command import (
    model_download_command,
    model_hub_command,
    run_cli,
    service_environment,
)
from local_tools.aio import ManagedProcess, start_managed, wait_bounded

_END_TIMEOUT_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class OfferedModel:
    """A model file to download; `licence` is as its makers name it, or empty.

    `fits`: this computer's memory is large enough.
    """

    repository: str
    name: str
    size_bytes: int
    licence: str
    fits: bool = True


class _HubRow(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="ignore")

    name: str
    size_bytes: int
    licence: str = ""
    fits: bool = True
    is_recommended: bool = False


_LATER: Final = ConfigDict(defer_build=True)
_NAMES: Final = TypeAdapter(list[str], config=_LATER)
_ROWS: Final = TypeAdapter(list[_HubRow], config=_LATER)


async def suggest_model(environ: Mapping[str, str]) -> OfferedModel:
    """Ask the hub for the largest suggested model that fits into this computer's memory.

    Raises:
        UserFacingError: the hub cannot be reached, or no model fits.
    """
    names = _NAMES.validate_json(await _asked(None, environ))
    # The list goes from small to large.
    for repository in reversed(names):
        rows = _ROWS.validate_json(await _asked(repository, environ))
        for row in rows:
            if row.is_recommended and row.fits:
                return OfferedModel(repository, row.name, row.size_bytes, row.licence)
    raise UserFacingError(ErrorCode.NO_MODEL_FITS)


async def list_model_files(repository: str, environ: Mapping[str, str]) -> tuple[OfferedModel, ...]:
    """Ask the hub which model files a repository has, smallest first.

    Raises:
        UserFacingError: it cannot be asked, or has none.
    """
    rows = _ROWS.validate_json(await _asked(repository, environ))
    if not rows:
        raise UserFacingError(ErrorCode.NO_MODEL_FILES, {"repository": repository})
    return tuple(
        OfferedModel(repository, row.name, row.size_bytes, row.licence, row.fits) for row in rows
    )


async def _asked(repository: str | None, environ: Mapping[str, str]) -> bytes:
    try:
        said = await run_cli(model_hub_command(repository), environ)
    except TimeoutError as error:
        raise UserFacingError(ErrorCode.REQUEST_TIMEOUT) from error
    if said.code:
        raise UserFacingError(ErrorCode.DOWNLOAD_FAILED, {"message": _last_line(said.errors)})
    return said.output


class ModelDownload:
    """One download. `run` is a task of its owner; cancelled, it leaves no process."""

    def __init__(self, offer: OfferedModel, data: Path, environ: Mapping[str, str]) -> None:
        """Make one; `data` is the service's own folder, where the file comes to lie."""
        self._command = model_download_command(offer.repository, offer.name, data)
        self._environ = service_environment(environ)
        self._process: ManagedProcess | None = None
        self._is_paused = False

    def pause(self) -> None:
        """End it for now; what came so far is kept."""
        self._is_paused = True
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()

    async def run(self, on_progress: Callable[[int], None]) -> Path | None:
        """Download until the file is whole, and return where it lies; None when it was paused.

        `on_progress` is told how many bytes there are so far.

        Raises:
            UserFacingError: it could not be downloaded.
        """
        process = await start_managed(
            *self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._environ,
        )
        self._process = process
        # Paused while the process was being started: only now is there a pipe to close.
        if self._is_paused:
            self.pause()
        try:
            path = await self._follow(process, on_progress)
            errors = await process.stderr.read() if process.stderr else b""
            await process.wait()
        finally:
            await _end(process)
        if path is None and not self._is_paused:
            raise UserFacingError(ErrorCode.DOWNLOAD_FAILED, {"message": _last_line(errors)})
        return path

    async def _follow(
        self, process: ManagedProcess, on_progress: Callable[[int], None]
    ) -> Path | None:
        while process.stdout and (line := await process.stdout.readline()):
            match _told(line):
                case {"event": "progress", "done": int(done)}:
                    on_progress(done)
                case {"event": "done", "path": str(path)}:
                    return Path(path)
        return None


async def _end(process: ManagedProcess) -> None:
    if process.stdin is not None:
        process.stdin.close()
    if not await wait_bounded(_END_TIMEOUT_S, process.wait()):
        process.kill()
    await process.reap(_END_TIMEOUT_S)


def _told(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _last_line(errors: bytes) -> str:
    lines = errors.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""
