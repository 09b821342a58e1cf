"""Build the ASGI application: middleware, routes, and the objects behind them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.routing import BaseRoute

from local_server.assistant.allowances import (
    Allowances,
    EveryAllowance,
    ModelDescriber,
    PermittedAllowances,
)
from local_server.assistant.assistants import Assistants
from local_server.assistant.catalog import Catalogs
from local_server.assistant.fork_service import ForkService
from local_server.assistant.titles import Titles
from local_server.assistant.turn_service import TurnService
from local_server.assistant.writer import Autosave
from local_server.auth import KeyCheck, LaunchKey, StoredKeys, WrongKeys
from local_server.coordination import Coordination
from local_server.middleware import (
    BodyGuard,
    CrowdGuard,
    ErrorBoundary,
    KeyGate,
    OriginGuard,
    RateGate,
    RequestWatch,
    install_error_handlers,
)
from local_server.observability import Meter, Unmeasured
from local_server.routes import catalog, chat, conversations, health, openapi
from local_server.routes.openapi import Description
from local_server.settings import Clock, ServiceSettings
from local_server.sse import ShutdownEvent, Streams
from local_server.store.opening import ServiceStore


def create_app(
    settings: ServiceSettings,
    store: ServiceStore,
    assistants: Assistants,
    clock: Clock,
    coordination: Coordination,
    *,
    meter: Meter | None = None,
    describer: ModelDescriber | None = None,
) -> FastAPI:
    """Make the application.

    With a `describer`, users may choose the models that their project is permitted.

    Setting the event `app.state.shutdown` makes open streams end, with what they have stored.
    Store, assistants and coordination are the caller's, to be closed after the application
    has ended.
    """
    catalogs = Catalogs(settings.resources, settings.data, clock)
    allowances = _allowances(store, assistants, describer, clock)
    turns = TurnService(
        store,
        assistants,
        catalogs,
        coordination.locks,
        clock,
        Autosave(store.replies),
        Titles(store.replies),
        allowances,
    )

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        await turns.aclose()

    app = FastAPI(
        title="Parley service",
        lifespan=lifespan,
        middleware=[
            Middleware(RequestWatch, meter=meter or Unmeasured()),
            *_middleware(settings, store, clock, coordination),
        ],
        routes=_routes(settings),
        redirect_slashes=False,
        openapi_url=None,
    )
    app.state.settings = settings
    app.state.store = store
    app.state.coordination = coordination
    app.state.turns = turns
    app.state.forks = ForkService(store.forks, coordination.locks)
    app.state.catalogs = catalogs
    app.state.allowances = allowances
    app.state.description = Description(app.routes)
    app.state.shutdown = ShutdownEvent()
    install_error_handlers(app)
    return app


def _allowances(
    store: ServiceStore, assistants: Assistants, describer: ModelDescriber | None, clock: Clock
) -> Allowances:
    """Permit users everything in child mode, and elsewhere what their project may do."""
    if assistants.models is not None:
        return EveryAllowance(assistants.models)
    return PermittedAllowances(store.permits, describer, clock)


def _routes(settings: ServiceSettings) -> list[BaseRoute]:
    modules = (conversations, chat, catalog, health, openapi)
    routers = [module.router for module in modules]
    if settings.proof_secret is not None:
        routers.append(health.proof_router)
    return [route for router in routers for route in router.routes]


def _middleware(
    settings: ServiceSettings, store: ServiceStore, clock: Clock, coordination: Coordination
) -> list[Middleware]:
    """List the middleware, outermost first: nothing is looked at before the key is."""
    launch_key = settings.launch_key
    keys: KeyCheck = LaunchKey(launch_key) if launch_key else StoredKeys(store.keys)
    wrong_keys = WrongKeys(clock, partial(asyncio.sleep, settings.wrong_key_delay_s))
    is_child = settings.proof_secret is not None
    open_paths = health.PATHS | ({health.PROOF_PATH} if is_child else set())
    return [
        Middleware(OriginGuard, allowed_hosts=settings.allowed_hosts, any_host=health.PATHS),
        Middleware(ErrorBoundary),
        Middleware(KeyGate, keys=keys, wrong_keys=wrong_keys, open_paths=open_paths),
        Middleware(CrowdGuard),
        Middleware(RateGate, limits=coordination.rate_limits),
        Middleware(Streams),
        Middleware(BodyGuard, limit_bytes=settings.body_limit_bytes),
    ]
