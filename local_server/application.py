"""Puts the service together: what guards it, what it answers, what it keeps."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.routing import BaseRoute

from local_server.assistant.assistants import Assistants
from local_server.assistant.catalog import Catalogs
from local_server.assistant.turn_service import TurnService
from local_server.assistant.writer import Autosave
from local_server.auth import KeyCheck, KeyGate, LaunchKey, StoredKeys, WrongKeys
from local_server.clock import Clock
from local_server.coordination import Coordination
from local_server.error_handlers import ErrorBoundary, install_error_handlers
from local_server.observability.metrics import Meter, Unmeasured
from local_server.observability.request_log import RequestWatch
from local_server.rate_limits import Throttle
from local_server.request_guards import BodyGuard, CrowdGuard, OriginGuard
from local_server.routes import catalog, chat, conversations, handshake, health, openapi
from local_server.routes.openapi import Description
from local_server.settings import ServiceSettings
from local_server.shutdown import ShutdownEvent
from local_server.sse import Streams
from local_server.store.store import ServiceStore


def create_app(
    settings: ServiceSettings,
    store: ServiceStore,
    assistants: Assistants,
    clock: Clock,
    shared: Coordination,
    *,
    meter: Meter | None = None,
) -> FastAPI:
    """Make the application.

    Setting the event `app.state.stopping` makes open streams end, with what they have stored.
    Store, assistants and what is shared are the caller's, to be closed after the application
    has ended.
    """
    known = Catalogs(settings.resources, settings.data, clock)
    turns = TurnService(store, assistants, known, shared.claims, clock, Autosave(store.replies))

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        await turns.aclose()

    app = FastAPI(
        title="Parley service",
        lifespan=lifespan,
        middleware=[
            Middleware(RequestWatch, meter=meter or Unmeasured()),
            *_gates(settings, store, clock, shared),
        ],
        routes=_routes(settings),
        redirect_slashes=False,
        openapi_url=None,
    )
    app.state.settings = settings
    app.state.store = store
    app.state.shared = shared
    app.state.turns = turns
    app.state.catalogs = known
    app.state.description = Description(app.routes)
    app.state.stopping = ShutdownEvent()
    install_error_handlers(app)
    return app


def _routes(settings: ServiceSettings) -> list[BaseRoute]:
    parts = [conversations, chat, catalog, health, openapi]
    if settings.proof_secret is not None:
        parts.append(handshake)
    return [route for part in parts for route in part.router.routes]


def _gates(
    settings: ServiceSettings, store: ServiceStore, clock: Clock, shared: Coordination
) -> list[Middleware]:
    """Return what a request passes, outermost first. Nothing is looked at before the key is."""
    launch_key = settings.launch_key
    keys: KeyCheck = LaunchKey(launch_key) if launch_key else StoredKeys(store.keys)
    wrong = WrongKeys(clock, partial(asyncio.sleep, settings.wrong_key_delay_s))
    is_child = settings.proof_secret is not None
    open_paths = health.PATHS | ({handshake.PROOF_PATH} if is_child else set())
    return [
        Middleware(OriginGuard, allowed_hosts=settings.allowed_hosts, any_host=health.PATHS),
        Middleware(ErrorBoundary),
        Middleware(KeyGate, keys=keys, wrong=wrong, open_paths=open_paths),
        Middleware(CrowdGuard),
        Middleware(Throttle, limits=shared.rate_limits),
        Middleware(Streams),
        Middleware(BodyGuard, limit_bytes=settings.body_limit_bytes),
    ]
