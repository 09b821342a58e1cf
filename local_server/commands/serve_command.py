"""What `parley-server serve` does, alone or as a child of the app."""

import contextlib
import ipaddress
import logging
import os
import re
import socket
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Final

import typer

from local_server import child_mode
from local_server.assistant.allowances import ModelDescriber
from local_server.assistant.assistants import (
    ChangingAssistant,
    ChosenAssistants,
    ModelSelection,
    choose_assistants,
)
from local_server.assistant.models.providers import (
    OFFLINE,
    ModelId,
    ProviderAccess,
    UnknownModelError,
)
from local_server.assistant.models.token_rates import TokenRates
from local_server.child_mode import LoadMessage, ModelsMessage
from local_server.commands.options import CommandError, ObservabilityOptions, bind_metrics
from local_server.coordination import BackendConfig, CoordinationError
from local_server.engine.keeper import EngineKeeper, EngineOptions
from local_server.engine.library import ModelLibrary
from local_server.http_connection import raise_file_limit
from local_server.model_catalog import ModelCatalog
from local_server.observability import FIELDS, LogFormat, Meter
from local_server.serving import (
    BindError,
    Service,
    allowed_hosts,
    base_url,
    bind_socket,
    metrics_url,
    print_ready,
    serve,
)
from local_server.settings import ServiceSettings, utc_now
from local_server.store.database import DatabaseError
from local_server.store.opening import locked_folder
from local_server.store.recovery import recover_if_damaged
from local_tools.recovery.files import PutAside, is_no_folder, put_aside

log = logging.getLogger(__name__)

# Called once the service answers, with it and with the socket of its metrics if there is one.
OnReady = Callable[[Service, socket.socket | None], None]

# How long streams may go on at shutdown; the process ends a second later.
GRACE_S: Final = 9
# A child has no client left when it is asked to end; what is written so far is stored.
_GRACE_CHILD_S: Final = 0
# How long a child waits for the one before it: an ended child is gone after half that time.
_HAND_OVER_S: Final = 2.5
_CONNECTIONS_CHILD: Final = 64

_NAME: Final = re.compile(
    r"([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?"
)


@dataclass(frozen=True)
class ServeOptions:
    """The command-line options that serving alone and serving as a child have in common."""

    data: Path
    pace_s: float
    choice: ModelSelection
    observing: ObservabilityOptions
    engine: EngineOptions = field(default_factory=EngineOptions)


@dataclass(frozen=True)
class ListenOptions:
    """Where a service that runs alone listens, by which names, and to how many at once."""

    host: str
    port: int
    allowed_hosts: tuple[str, ...]
    max_connections: int


@dataclass(frozen=True)
class _ServeContext:
    """Where a service stands, and on what; `prepare` once nobody else uses the folder."""

    bound: socket.socket
    backend: BackendConfig
    settings: ServiceSettings
    observing: ObservabilityOptions
    engine: EngineKeeper
    folder_wait_s: float = 0
    prepare: Callable[[], None] = lambda: None

    def lock_folder(self) -> AbstractContextManager[None]:
        """Lock the data folder against other services; a shared database needs no lock."""
        store = self.backend.store
        if not isinstance(store, Path):
            return contextlib.nullcontext()
        return locked_folder(store, self.folder_wait_s)


async def serve_alone(options: ServeOptions, where: ListenOptions, backend: BackendConfig) -> None:
    """Serve on an own socket until Ctrl+C.

    Raises:
        CommandError: When the address, or what stands behind the service, cannot be used.
    """
    address = address_to_bind(where.host, where.allowed_hosts)
    try:
        bound = bind_socket(address, where.port)
    except BindError as exc:
        raise _bind_refusal(exc) from exc

    def announce(service: Service, metrics: socket.socket | None) -> None:
        service.on_wait(partial(_print_wait, options.observing))
        print_ready(bound, metrics)
        _print_greeting(bound, options, backend)

    await _serve_on(bound, options, where, backend, announce)


def _print_greeting(bound: socket.socket, options: ServeOptions, backend: BackendConfig) -> None:
    """Print where the service is, and what to do next, for the person who started it."""
    if options.observing.log_format is LogFormat.JSON:
        # A program reads this log: each line is a JSON object.
        log.info("ready", extra={FIELDS: {"base_url": base_url(bound)}})
        return
    where = "" if backend.is_shared else f' --data-dir "{options.data}"'
    lines = (
        f"Parley service {version('parley')} on {base_url(bound)}",
        f"Data: {options.data}",
        f"Model: {_models_of(options.choice)}",
        f"Make a key: parley-server keys create --project NAME{where}",
        "Stop it with Ctrl+C.",
    )
    typer.echo("\n".join(lines), err=True)


def _bind_refusal(exc: BindError) -> CommandError:
    """Explain why the address cannot be used, and what helps."""
    return CommandError(f"{exc} Choose another port with --port N." if exc.is_of_port else str(exc))


def _models_of(choice: ModelSelection) -> str:
    if choice.model is None:
        return "demo, except for agents that name a model"
    if choice.model == OFFLINE:
        return "demo"
    return ", else ".join((choice.model, *choice.fallbacks))


def _print_wait(observing: ObservabilityOptions) -> None:
    if observing.log_format is LogFormat.JSON:
        log.info("stopping", extra={FIELDS: {"grace_s": GRACE_S}})
        return
    text = f"Stopping; replies under way get {GRACE_S} seconds. Ctrl+C again ends at once."
    typer.echo(text, err=True)


async def _serve_on(
    bound: socket.socket,
    options: ServeOptions,
    where: ListenOptions,
    backend: BackendConfig,
    on_ready: OnReady,
) -> None:
    """Serve on a bound socket, which is closed afterwards, until asked to stop.

    Raises:
        CommandError: When what stands behind the service cannot be used.
    """
    try:
        access = ProviderAccess.of_environment(os.environ)
        engine = EngineKeeper(options.engine)
        rates = TokenRates(options.data)
        chosen = choose_assistants(options.choice, access, options.pace_s, engine, rates=rates)
    except UnknownModelError as exc:
        bound.close()
        raise CommandError(str(exc)) from exc
    settings = ServiceSettings(
        allowed_hosts(bound) | set(where.allowed_hosts),
        data=options.data,
        max_connections=raise_file_limit(where.max_connections),
    )
    context = _ServeContext(bound, backend, settings, options.observing, engine)
    describer = ModelCatalog(options.choice, access, engine=engine)
    await _serve(context, chosen, grace_s=GRACE_S, on_ready=on_ready, describer=describer)


class _ChildModels:
    """What answers in a child, and what can be chosen there, until the parent says otherwise.

    Raises:
        UnknownModelError: When it is made with a model that cannot be used.
    """

    def __init__(self, options: ServeOptions, launch: ModelsMessage) -> None:
        self._options = options
        self._rates = TokenRates(options.data)
        library = ModelLibrary(options.data, Path.home(), os.environ)
        self.engine: Final = EngineKeeper(replace(options.engine, read=library.read_file))
        self._run_files_by(launch)
        chosen, access = self._choose(launch)
        self._catalog = ModelCatalog(
            ModelSelection(launch.model), access, launch.models, library=library, engine=self.engine
        )
        self._live = ChangingAssistant(chosen.assistants.live, launch.instructions)
        assistants = replace(chosen.assistants, live=self._live, models=self._catalog)
        self.chosen: Final = replace(chosen, assistants=assistants)

    def take(self, message: ModelsMessage | LoadMessage) -> None:
        """Do what the parent says."""
        if isinstance(message, ModelsMessage):
            self._change(message)
            return
        with contextlib.suppress(UnknownModelError):
            model_id = ModelId.read(message.load)
            if model_id.provider == "file":
                self.engine.load(model_id.path)

    def _change(self, message: ModelsMessage) -> None:
        """Change models and keys from now on; one that cannot be used changes nothing."""
        try:
            chosen, access = self._choose(message)
        except UnknownModelError as exc:
            log.warning("the models were not changed: %s", exc)
            return
        self._run_files_by(message)
        self._live.change(chosen.assistants.live, message.instructions)
        self._catalog.change(ModelSelection(message.model), access, message.models)
        chosen.warm_up()
        log.info("models and keys changed")

    def _run_files_by(self, message: ModelsMessage) -> None:
        told = message.engine
        program = Path(told.program) if told.program else None
        self.engine.change(told.window or None, program)

    def _choose(self, message: ModelsMessage) -> tuple[ChosenAssistants, ProviderAccess]:
        access = ProviderAccess.of_launch(message.provider_keys, os.environ, message.address_keys)
        selection = ModelSelection(message.model)
        chosen = choose_assistants(
            selection,
            access,
            self._options.pace_s,
            self.engine,
            may_chats_choose=True,
            rates=self._rates,
        )
        return chosen, access


async def serve_child(options: ServeOptions, fd: int | None) -> None:
    """Serve on the parent's socket until the parent goes.

    Raises:
        CommandError: When the parent's line, its socket or the data folder cannot be used.
    """
    child_mode.harden()
    parent = child_mode.ParentPipe()
    try:
        launch = parent.read_launch()
        models = _ChildModels(options, launch)
        bound = child_mode.inherited_socket(launch, fd)
    except (child_mode.LaunchError, UnknownModelError) as exc:
        raise CommandError(str(exc)) from exc

    damaged: list[PutAside | None] = []

    def announce(service: Service, metrics: socket.socket | None) -> None:
        parent.follow(service, models.take)
        print_ready(bound, metrics, next(filter(None, damaged), None))

    def recover() -> None:
        damaged.append(recover_if_damaged(options.data, utc_now()))

    settings = ServiceSettings(
        allowed_hosts(bound),
        launch_key=launch.launch_key,
        proof_secret=launch.proof_secret,
        data=options.data,
        max_connections=raise_file_limit(_CONNECTIONS_CHILD),
    )
    if is_no_folder(options.data):
        # In child mode the parent chose the folder, so it is not somebody's file named by mistake.
        damaged.append(PutAside(put_aside(options.data)))
    backend = BackendConfig(options.data)
    context = _ServeContext(
        bound, backend, settings, options.observing, models.engine, _HAND_OVER_S, recover
    )
    await _serve(context, models.chosen, grace_s=_GRACE_CHILD_S, on_ready=announce)


async def _serve(
    context: _ServeContext,
    chosen: ChosenAssistants,
    *,
    grace_s: float,
    on_ready: OnReady,
    describer: ModelDescriber | None = None,
) -> None:
    async with contextlib.AsyncExitStack() as opened:
        bound = opened.enter_context(context.bound)
        opened.push_async_callback(context.engine.aclose)
        metrics = bind_metrics(context.observing)
        meter: Meter | None = None
        if metrics is not None:
            opened.enter_context(metrics)
            from local_server.cluster.prometheus import measuring  # noqa: PLC0415 - optional

            measured = measuring(metrics, allowed_hosts(metrics))
            meter = await opened.enter_async_context(measured)
            log.info("metrics", extra={FIELDS: {"metrics_url": metrics_url(metrics)}})

        def announce(service: Service) -> None:
            on_ready(service, metrics)
            # Not before readiness, which must not wait for what only the first answer needs.
            chosen.warm_up()

        try:
            opened.enter_context(context.lock_folder())
            context.prepare()
            await serve(
                bound,
                context.backend,
                context.settings,
                chosen.assistants,
                grace_s=grace_s,
                on_ready=announce,
                meter=meter,
                describer=describer,
            )
        except (DatabaseError, CoordinationError) as exc:
            raise CommandError(str(exc)) from exc


def address_to_bind(host: str, allowed_hosts: Sequence[str]) -> str:
    """Check where to answer, and return it as an address.

    Beyond this computer the names by which the service is asked must be given, since a page of
    the web could otherwise ask it by a name of its own (DNS rebinding).

    Raises:
        CommandError: When it is no address, or one beyond this computer without names.
    """
    for name in allowed_hosts:
        if not _NAME.fullmatch(name):
            raise CommandError(
                f"“{name}” is no value of a Host header; give NAME or NAME:PORT, exactly as "
                "clients send it."
            )
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        raise CommandError(f"“{host}” is no address of this computer.") from None
    if not (address.is_loopback or allowed_hosts):
        raise CommandError(
            f"On {host} other computers could reach the service, which speaks plain HTTP: put a "
            "proxy with TLS in front of it, and give the names by which clients ask it, with "
            "--allowed-host NAME[:PORT] for each."
        )
    return str(address)
