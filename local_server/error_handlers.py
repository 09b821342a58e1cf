"""Where failures become answers: those of the framework, and those that nobody foresaw."""

import logging

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from local_server.errors import (
    ApiError,
    InvalidRequestError,
    MethodNotAllowedError,
    NotFoundError,
    UnavailableError,
    error_response,
    explain,
    unforeseen,
)
from local_server.store.database import StoreUnavailableError

log = logging.getLogger(__name__)


class ErrorBoundary:
    """Answers 500 in our shape for whatever the application did not foresee.

    ASGI middleware; made with the application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application, and answer for it if it fails before it has begun to."""
        has_begun = False

        async def watched_send(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            await self._app(scope, receive, watched_send)
        except ClientDisconnect:
            log.debug("a client left before its request was read")
        except Exception as exc:  # noqa: BLE001 - the server's error handler; `unforeseen` logs it
            error = unforeseen(exc) if has_begun else _answer_for(exc)
            if not has_begun:
                await error_response(error)(scope, receive, send)


def _answer_for(exc: Exception) -> ApiError:
    if isinstance(exc, ApiError):
        return exc
    if isinstance(exc, StoreUnavailableError):
        log.warning("the store cannot be used: %s", exc)
        return UnavailableError(str(exc))
    return unforeseen(exc)


async def _on_api_error(_request: Request, exc: Exception) -> JSONResponse:
    if not isinstance(exc, ApiError):
        raise exc
    return error_response(exc)


async def _on_invalid_parameters(_request: Request, exc: Exception) -> JSONResponse:
    if not isinstance(exc, RequestValidationError):
        raise exc
    return error_response(InvalidRequestError(explain(list(exc.errors()))))


async def _on_routing_error(request: Request, exc: Exception) -> JSONResponse:
    if not isinstance(exc, HTTPException):
        raise exc
    error: ApiError
    if exc.status_code == MethodNotAllowedError.status:
        error = MethodNotAllowedError(_methods_here(request))
    elif exc.status_code == NotFoundError.status:
        error = NotFoundError("There is nothing at this path.")
    else:
        error = InvalidRequestError("The request could not be read.")
    return error_response(error)


def _methods_here(request: Request) -> set[str]:
    """All methods of a path. The framework names only those of the first route that has it."""
    found = (route for route in request.app.routes if isinstance(route, Route))
    here = (route for route in found if route.matches(request.scope)[0] is not Match.NONE)
    return {method for route in here for method in route.methods or ()}


def install_error_handlers(app: FastAPI) -> None:
    """Make every answer that is an error leave in our shape."""
    app.add_exception_handler(ApiError, _on_api_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_parameters)
    app.add_exception_handler(HTTPException, _on_routing_error)
