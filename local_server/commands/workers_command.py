"""What `parley-server serve --workers N` does: in the parent, and in each worker."""

import asyncio
import json
import signal
import socket
import sys
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ConfigDict, SecretStr, TypeAdapter, ValidationError

from local_server import child
from local_server.backing import Backing
from local_server.commands.backing_choice import choose_store
from local_server.commands.command_error import CommandError
from local_server.commands.hosts import address_to_bind
from local_server.commands.serve_command import (
    GRACE_S,
    ServeOptions,
    Where,
    answer_on,
    bind_refusal,
    greet,
)
from local_server.observing.logs import log_to_stderr
from local_server.serving import BindError, Service, say_ready
from local_server.workers.port import SharedPort
from local_server.workers.process import Worker, WorkerStart, start_worker
from local_server.workers.supervisor import Supervisor, WorkerFailedError


class WorkerLaunch(BaseModel):
    """The line that a worker reads from its standard input.

    The addresses hold passwords, which a command line would show to everybody on the machine.
    """

    model_config = ConfigDict(frozen=True)

    options: ServeOptions
    where: Where
    database_url: SecretStr
    redis_url: SecretStr


async def serve_workers(options: ServeOptions, where: Where, backing: Backing, count: int) -> None:
    """Keep so many workers running at one address until Ctrl+C.

    Raises:
        CommandError: When the address cannot be used, or a worker does not even start.
    """
    if sys.platform == "win32":
        raise CommandError("Several workers need Linux or macOS; start one service each instead.")
    try:
        port = SharedPort.bind(address_to_bind(where.host, where.allowed_hosts), where.port)
    except BindError as exc:
        raise bind_refusal(exc) from exc
    start = WorkerStart(_command, _line(options, where, backing))

    def start_one() -> asyncio.Future[Worker]:
        return asyncio.ensure_future(start_worker(start, port.new_socket()))

    supervisor = Supervisor(start_one, count, GRACE_S)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, supervisor.stop)
    try:
        await supervisor.run(partial(_announce, port.held, options, backing))
    except WorkerFailedError as exc:
        raise CommandError("A worker could not start; what it said stands above.") from exc
    finally:
        port.close()


async def serve_worker(fd: int | None) -> None:
    """Serve as a worker, on the socket and by the line of the parent, until the parent goes.

    Raises:
        CommandError: When the line, or what stands behind the service, cannot be used.
    """
    child.harden()
    launch = _read_launch()
    if fd is None:
        raise CommandError("The parent passed no socket.")
    bound = socket.socket(fileno=fd)
    log_to_stderr(launch.options.observing.log_format)
    database = launch.database_url.get_secret_value()
    backing = Backing(choose_store(launch.options.data, database), launch.redis_url)

    def announce(service: Service, metrics: socket.socket | None) -> None:
        child.end_with_parent(service)
        say_ready(bound, metrics)

    await answer_on(bound, launch.options, launch.where, backing, announce)


def _announce(held: socket.socket, options: ServeOptions, backing: Backing) -> None:
    say_ready(held)
    greet(held, options, backing)


def _command(fd: int) -> list[str]:
    is_frozen = bool(getattr(sys, "frozen", False))
    program = [sys.executable] if is_frozen else [sys.executable, "-P", "-m", "local_server.cli"]
    return [*program, "serve", "--worker", "--fd", str(fd)]


def _line(options: ServeOptions, where: Where, backing: Backing) -> bytes:
    if isinstance(backing.store, Path) or backing.redis_url is None:
        raise CommandError("Several workers need a database and a Redis that they can share.")
    launch = {
        "options": TypeAdapter(ServeOptions).dump_python(options, mode="json"),
        "where": TypeAdapter(Where).dump_python(where, mode="json"),
        "database_url": backing.store.url.render_as_string(hide_password=False),
        "redis_url": backing.redis_url.get_secret_value(),
    }
    return json.dumps(launch).encode() + b"\n"


def _read_launch() -> WorkerLaunch:
    try:
        return WorkerLaunch.model_validate_json(child.read_line())
    except (child.LaunchError, ValidationError) as exc:
        # The original's text may hold a password.
        raise CommandError("The line of the parent cannot be used.") from exc
