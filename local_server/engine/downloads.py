"""Download model files from a hub, and resume interrupted downloads.

`list_hub_files` asks a hub for the files of a repository; `download` writes one file to a folder,
where it gets its final name once it is complete and has the hash that the hub names. Until then a
partial file holds what has arrived, so that the download can be resumed after a pause, a lost
connection or a restart. No token or key is sent. Source: the HTTP API of the Hugging Face hub.
"""

import asyncio
import errno
import hashlib
import json
import logging
import os
import re
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import quote, urljoin, urlsplit

import httpx2

from local_server.engine.memory import fits
from local_server.engine.model_files import (
    ModelFileError,
    check_projector,
    is_first_part,
    is_projector_name,
    read_model_file,
)
from local_server.loopback import is_loopback, new_client

log = logging.getLogger(__name__)

HUB: Final = "https://huggingface.co"
# Three sizes; what files they have, and how large those are, the hub says when it is asked.
SUGGESTED: Final = ("Qwen/Qwen3-1.7B-GGUF", "Qwen/Qwen3-4B-GGUF", "Qwen/Qwen3-8B-GGUF")
_ENDING: Final = ".gguf"
_PARTIAL: Final = ".part"
_STATE: Final = ".part.json"
# Of a repository's projectors the smallest that loses nothing is taken, else the first.
_PREFERRED_PROJECTORS: Final = ("q8_0", "f16")
# Quantisations that are small and lose little quality, in order of preference.
_PREFERRED: Final = ("q4_k_m", "q4_0", "q5_k_m", "q8_0")
_LONGEST_NAME: Final = 200
_SHA256_CHARS: Final = 64
_MOST_FILES: Final = 500
_MOST_REDIRECTS: Final = 5
_LARGEST_LIST_BYTES: Final = 8 * 1024 * 1024
_STALL_S: Final = 30
# After each try without a byte; then it is left for the person to go on.
_PAUSES_S: Final = (1.0, 2.0, 4.0, 8.0)
_LONGEST_WAIT_S: Final = 60
_SPARE_BYTES: Final = 256 * 1024 * 1024
# On Windows they lead out of a folder, are in no name, or open a device, whatever follows them.
_NOT_IN_NAMES: Final = frozenset('<>:"/\\|?*')
_DEVICES: Final = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\..*)?", re.IGNORECASE
)
_ELSEWHERE: Final = "This file is also being downloaded elsewhere. Wait for that, then try again."
_HASH_BYTES: Final = 4 * 1024 * 1024
_GB: Final = 1_000_000_000
_BUSY: Final = frozenset({429, 500, 502, 503, 504})
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})


class DownloadError(Exception):
    """The file cannot be downloaded; the message is a sentence for the user."""


@dataclass(frozen=True)
class HubFile:
    """A model file of a repository.

    Attributes:
        repository: Its owner and name, with a slash between.
        path: The path of the file in the repository.
        revision: The commit.
        size_bytes: The size of the file, and `sha256` its hash, both according to the hub.
        licence: As the repository names it; empty if it does not.
        projector: The file with which the model sees images, downloaded with it; None for none.
        sees_for: Of a projector, the file name of its model.
    """

    repository: str
    path: str
    revision: str
    size_bytes: int
    sha256: str
    licence: str
    projector: "HubFile | None" = None
    sees_for: str = ""

    @property
    def name(self) -> str:
        """The local file name; that of a projector includes the name of its model."""
        if self.sees_for:
            return projector_beside(Path(self.sees_for)).name
        return PurePosixPath(self.path).name

    @property
    def total_bytes(self) -> int:
        """The size together with its projector."""
        return self.size_bytes + (self.projector.size_bytes if self.projector else 0)


def projector_beside(model: Path) -> Path:
    """Return the path of the projector of a downloaded model."""
    return model.with_name(f"{model.name[: -len(_ENDING)]}-mmproj{_ENDING}")


@dataclass(frozen=True)
class DownloadOptions:
    """The options of a download.

    Attributes:
        hub: The hub's address, without a slash at the end.
        stall_s: After this long without a byte, a connection counts as lost.
        pauses_s: The pauses before retries, as long as none of them gets a byte.
        sleep: Waits.
        free_bytes: Returns the free space for a folder.
    """

    hub: str = HUB
    stall_s: float = _STALL_S
    pauses_s: tuple[float, ...] = _PAUSES_S
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    free_bytes: Callable[[Path], int] = field(default=lambda folder: shutil.disk_usage(folder).free)


def hub_of(environ: dict[str, str]) -> str:
    """Return the hub's address: HF_ENDPOINT, or the usual one.

    Raises:
        DownloadError: Files may not come from this address.
    """
    address = (environ.get("HF_ENDPOINT") or HUB).rstrip("/")
    if not _is_safe(address):
        raise DownloadError("HF_ENDPOINT must be an address that begins with https://.")
    return address


async def list_hub_files(repository: str, options: DownloadOptions) -> tuple[HubFile, ...]:
    """Ask the hub which model files a repository has, smallest first.

    Raises:
        DownloadError: The hub gives no usable answer.
    """
    owner, _, name = repository.partition("/")
    if not owner or not name or "/" in name or {owner, name} & {".", ".."}:
        raise DownloadError("Enter the repository as OWNER/NAME.")
    where = f"{quote(owner, safe='')}/{quote(name, safe='')}"
    url = f"{options.hub}/api/models/{where}?blobs=true"
    async with new_client(options.hub) as client:
        client.timeout = httpx2.Timeout(options.stall_s)
        try:
            response = await _open(client, url, {})
            try:
                _check_status(response)
                body = await _limited(response)
            finally:
                await response.aclose()
        except httpx2.HTTPError as exc:
            raise DownloadError(f"{_host(options.hub)} does not answer.") from exc
    try:
        told = json.loads(body)
    except (ValueError, RecursionError) as exc:
        raise DownloadError(f"{_host(options.hub)} sent an answer that cannot be read.") from exc
    return _files_of(repository, told if isinstance(told, dict) else {})


def recommended(files: tuple[HubFile, ...]) -> HubFile | None:
    """Choose the file that most people want among those that fit into this memory."""
    fitting = [one for one in files if fits(one.total_bytes)]
    for mark in _PREFERRED:
        named = [one for one in fitting if mark in one.name.lower()]
        if named:
            return named[-1]
    return next(iter(fitting), None)


async def download(
    file: HubFile,
    folder: Path,
    on_progress: Callable[[int], None],
    options: DownloadOptions,
) -> Path:
    """Download a model file into a folder, after its projector; return its path.

    `on_progress` gets the number of bytes so far. However a download was interrupted, the next call
    resumes it.

    Raises:
        DownloadError: It could not be completed; a partial file that may be right is kept.
    """
    projector = file.projector
    if projector is None:
        return await _download(file, folder, on_progress, options)
    if not (folder / projector.name).is_file():
        # Checked for both files at first: without room for both, none is downloaded.
        _check_room(file.total_bytes, folder, options)
        await _download(projector, folder, on_progress, options)
    return await _download(
        file, folder, lambda done: on_progress(projector.size_bytes + done), options
    )


async def _download(
    file: HubFile,
    folder: Path,
    on_progress: Callable[[int], None],
    options: DownloadOptions,
) -> Path:
    target = folder / file.name
    try:
        partial = _Partial(file, folder)
        await asyncio.to_thread(partial.take_up, target)
        _check_room(file.size_bytes - partial.size, folder, options)
        on_progress(partial.size)
        async with new_client(options.hub) as client:
            client.timeout = httpx2.Timeout(options.stall_s)
            await _fill(client, partial, on_progress, options)
        await asyncio.to_thread(partial.finish, target)
    except OSError as exc:
        if exc.errno == errno.ENOSPC:
            raise DownloadError("The disk is full. What was downloaded is kept.") from exc
        raise DownloadError(f"The file cannot be written: {exc.strerror}.") from exc
    return target


class _Partial:
    """The partial file of a download, and its hash so far. Made for one download."""

    def __init__(self, file: HubFile, folder: Path) -> None:
        self.file = file
        self.path = folder / f"{file.name}{_PARTIAL}"
        self._state = folder / f"{file.name}{_STATE}"
        self.size = 0
        self.etag = ""
        self._hash = hashlib.sha256()

    def take_up(self, target: Path) -> None:
        """Hash what an earlier download left, if that was of the same file.

        Raises:
            DownloadError: The complete file exists already.
        """
        if os.path.lexists(target):
            raise DownloadError(f"A file named {target.name} already exists.")
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        begun = self._begun()
        if begun is None:
            self.begin_anew("")
            return
        self.etag = begun
        with self.path.open("rb") as part:
            while block := part.read(_HASH_BYTES):
                self._hash.update(block)
                self.size += len(block)

    def _begun(self) -> str | None:
        """Return the ETag of the partial file; None if there is none with the same hash."""
        try:
            told = json.loads(self._state.read_text(encoding="utf-8"))
            size = self.path.stat().st_size
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(told, dict) or told.get("sha256") != self.file.sha256:
            return None
        return str(told.get("etag", "")) if size <= self.file.size_bytes else None

    def begin_anew(self, etag: str) -> None:
        """Drop the partial file, and note the file and ETag of what follows."""
        self.size, self.etag, self._hash = 0, etag, hashlib.sha256()
        self.path.write_bytes(b"")
        state = {"sha256": self.file.sha256, "repository": self.file.repository, "etag": etag}
        self._state.write_text(json.dumps(state), encoding="utf-8")

    def add(self, block: bytes) -> None:
        """Append a part.

        Raises:
            DownloadError: The file is longer than the hub said, or another download writes to it.
        """
        if self.size + len(block) > self.file.size_bytes:
            self.drop()
            raise DownloadError("The file is larger than announced, so it was deleted.")
        with self.path.open("ab") as begun:
            if begun.tell() != self.size:
                raise DownloadError(_ELSEWHERE)
            begun.write(block)
        self._hash.update(block)
        self.size += len(block)

    def finish(self, target: Path) -> None:
        """Verify the complete file, and give it its final name.

        Raises:
            DownloadError: Its hash is wrong, it is no model, or another download wrote to it.
        """
        if self._hash.hexdigest() != self.file.sha256:
            self.drop()
            raise DownloadError(
                "The file does not match its announced checksum, so it was deleted."
            )
        with self.path.open("rb+") as whole:
            if os.fstat(whole.fileno()).st_size != self.size:
                raise DownloadError(_ELSEWHERE)
            os.fsync(whole.fileno())
        self.path.replace(target)
        self._state.unlink(missing_ok=True)
        try:
            (check_projector if self.file.sees_for else read_model_file)(target)
        except ModelFileError as exc:
            target.unlink()
            raise DownloadError(str(exc)) from exc

    def drop(self) -> None:
        """Remove the partial file."""
        self.path.unlink(missing_ok=True)
        self._state.unlink(missing_ok=True)


async def _fill(
    client: httpx2.AsyncClient,
    partial: _Partial,
    on_progress: Callable[[int], None],
    options: DownloadOptions,
) -> None:
    failures = 0
    while partial.size < partial.file.size_bytes:
        before = partial.size
        wait_s: float | None = None
        try:
            wait_s = await _fetch(client, partial, on_progress, options.hub)
        except httpx2.HTTPError as exc:
            log.debug("the connection broke: %s", exc)
        failures = 0 if partial.size > before else failures + 1
        if partial.size < partial.file.size_bytes:
            if failures > len(options.pauses_s):
                raise DownloadError(
                    f"{_host(options.hub)} stopped sending. What was downloaded is kept; try again."
                )
            pause_s = options.pauses_s[max(0, failures - 1)]
            await options.sleep(pause_s if wait_s is None else wait_s)


async def _fetch(
    client: httpx2.AsyncClient, partial: _Partial, on_progress: Callable[[int], None], hub: str
) -> float | None:
    """Download the missing part; return how long to wait if the hub says that it is busy."""
    file = partial.file
    url = f"{hub}/{quote(file.repository)}/resolve/{quote(file.revision)}/{quote(file.path)}"
    headers = {}
    if partial.size and partial.etag:
        headers = {"Range": f"bytes={partial.size}-", "If-Range": partial.etag}
    response = await _open(client, url, headers)
    try:
        if response.status_code in _BUSY:
            return _wait_of(response)
        if response.status_code == httpx2.codes.RANGE_NOT_SATISFIABLE:
            partial.begin_anew("")
            return None
        _check_status(response)
        _agree(partial, response)
        # Raw: no compression was requested, so none is decoded.
        async for block in response.aiter_raw():
            partial.add(block)
            on_progress(partial.size)
    finally:
        await response.aclose()
    return None


def _agree(partial: _Partial, response: httpx2.Response) -> None:
    """Continue at the offset that the hub confirms; begin anew if it confirms none."""
    etag = response.headers.get("ETag", "")
    goes_on = response.status_code == httpx2.codes.PARTIAL_CONTENT
    expected = f"bytes {partial.size}-{partial.file.size_bytes - 1}/{partial.file.size_bytes}"
    if goes_on and response.headers.get("Content-Range") == expected:
        return
    if goes_on:
        partial.begin_anew("")
        raise httpx2.RemoteProtocolError("it goes on somewhere else")
    # A weak ETag does not guarantee the same bytes.
    partial.begin_anew("" if etag.startswith("W/") else etag)


async def _open(client: httpx2.AsyncClient, url: str, headers: dict[str, str]) -> httpx2.Response:
    """Send a request, and follow the redirects to where the hub stores its files.

    Raises:
        DownloadError: A redirect leads to an address that is not allowed.
    """
    for _ in range(_MOST_REDIRECTS):
        request = client.build_request("GET", url, headers=headers)
        response = await client.send(request, stream=True)
        if response.status_code not in _REDIRECTS:
            return response
        await response.aclose()
        following = urljoin(url, response.headers.get("Location", ""))
        is_from_here = is_loopback(url)
        if not _is_safe(following) or (is_loopback(following) and not is_from_here):
            raise DownloadError(f"{_host(url)} redirects to an address that is not safe.")
        url = following
    raise DownloadError(f"{_host(url)} redirects in a loop.")


def _is_safe(address: str) -> bool:
    return urlsplit(address).scheme == "https" or is_loopback(address)


def _check_status(response: httpx2.Response) -> None:
    host = response.url.host
    status = response.status_code
    if status in {401, 403}:
        raise DownloadError(
            f"{host} offers this model only to users with an account who accept its terms. "
            "Download it in your browser, then open the file."
        )
    if status == httpx2.codes.NOT_FOUND:
        raise DownloadError(f"{host} has no such model.")
    if status in _BUSY:
        raise DownloadError(f"{host} is busy. Try again later.")
    if status not in {200, 206}:
        raise DownloadError(f"{host} refused the request ({status}).")


def _check_room(missing_bytes: int, folder: Path, options: DownloadOptions) -> None:
    # The folder is created later, with its first file.
    there = next(place for place in (folder, *folder.parents) if place.is_dir())
    needed, free = missing_bytes + _SPARE_BYTES, options.free_bytes(there)
    if free < needed:
        raise DownloadError(
            f"The disk has {free / _GB:.1f} GB left, but {needed / _GB:.1f} GB are needed."
        )


def _wait_of(response: httpx2.Response) -> float | None:
    said = response.headers.get("Retry-After", "")
    if not said.isdecimal():
        return None
    if int(said) > _LONGEST_WAIT_S:
        raise DownloadError(f"{response.url.host} is busy. Try again later.")
    return float(said)


async def _limited(response: httpx2.Response) -> bytes:
    body = bytearray()
    async for block in response.aiter_raw():
        body += block
        if len(body) > _LARGEST_LIST_BYTES:
            raise DownloadError(f"{response.url.host} sent an answer that cannot be read.")
    return bytes(body)


def _files_of(repository: str, told: dict[str, Any]) -> tuple[HubFile, ...]:
    revision = told.get("sha")
    card = told.get("cardData")
    licence = card.get("license") if isinstance(card, dict) else None
    siblings = told.get("siblings")
    files: list[HubFile] = []
    projectors: list[HubFile] = []
    for row in siblings if isinstance(siblings, list) else []:
        match row:
            case {"rfilename": str(path), "lfs": {"sha256": str(sha256), "size": int(size)}}:
                known = str(revision) if isinstance(revision, str) else "main"
                words = licence if isinstance(licence, str) else ""
                file = HubFile(repository, path, known, size, sha256.lower(), words[:100])
                if _is_wanted(file):
                    (projectors if is_projector_name(file.name) else files).append(file)
    files.sort(key=lambda one: one.size_bytes)
    eye = _best_projector(sorted(projectors, key=lambda one: one.size_bytes))
    seeing = (_seeing_by(eye, one) for one in files)
    return tuple(seeing)[:_MOST_FILES]


def _best_projector(found: list[HubFile]) -> HubFile | None:
    for mark in _PREFERRED_PROJECTORS:
        named = [one for one in found if mark in one.name.lower()]
        if named:
            return named[0]
    return next(iter(found), None)


def _seeing_by(projector: HubFile | None, file: HubFile) -> HubFile:
    own = projector and replace(projector, sees_for=file.name)
    return replace(file, projector=own)


def _is_wanted(file: HubFile) -> bool:
    name = file.name
    is_name = name.isprintable() and not name.startswith(".") and len(name) <= _LONGEST_NAME
    is_whole = is_first_part(Path(name)) and "-of-" not in name
    is_hash = len(file.sha256) == _SHA256_CHARS and set(file.sha256) <= set("0123456789abcdef")
    is_model = name.lower().endswith(_ENDING)
    is_plain = not set(name) & _NOT_IN_NAMES and not _DEVICES.fullmatch(name)
    return is_name and is_plain and is_whole and is_hash and is_model and file.size_bytes > 0


def _host(address: str) -> str:
    return urlsplit(address).hostname or address
