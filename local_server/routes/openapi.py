"""Serve `/openapi.json`, the OpenAPI description, generated from the routes."""

import inspect
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.metadata import version
from typing import Any, Final, get_args

from fastapi import APIRouter, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.routing import BaseRoute

from local_server.auth import KEY_HEADER
from local_server.errors import RETRY_AFTER
from local_server.middleware import LIMIT_HEADERS
from local_server.routes.chat import JsonBody
from local_server.schemas import StreamEvent
from local_server.sse import EventStream

router = APIRouter(include_in_schema=False)

_REF: Final = "#/components/schemas/{model}"
_EVENT_STREAM: Final = "text/event-stream"
_WORDS: Final = """\
Hosts conversations with an assistant for a project, which is identified by its API key.

Every request carries the key in `X-API-Key`; a missing or wrong one is answered by 401 before
anything else is looked at, except the Host (400 `bad_host`) and an Origin (403 `origin_refused`):
web pages are refused. `/healthz` and `/readyz` take no key and have no content.

Bodies are JSON of at most 8 MiB and 20,000 values (60,000 where a conversation begins with
messages), without keys that occur twice in one object.
Unknown fields and query parameters are ignored. Heads have at most 16 KiB and 100 headers.
A key has 60 (free), 300 (pro) or its own number of (enterprise) requests in any sliding minute;
refused requests do not count. `attachments` (extension `attachments`) are at most 8 images of
together 5 MiB; a model that sees is shown the newest ones of a conversation. An unknown path
is answered by 404 `not_found`, a wrong method by 405 `method_not_allowed` with `Allow`, and every
error has the same shape."""
_STREAM_WORDS: Final = """\
Server-Sent Events in UTF-8. Each event is two lines, `event: TYPE` and `data: JSON`, and a blank
line; the `type` in the JSON equals the event's name. The schema is of each event. Lines that begin
with a colon are comments; one comes after every 10 seconds of silence.

The order: `message_start`, then `content_block_delta` and `tool_use` events, those of an agent
between its `agent_start` and `agent_end`, at last `message_stop`, or `error` when the reply could
not be finished. Nothing follows these two, and a stream that ends without either was cut off. A
stream that ends with an open `tool_use` is continued by the tool-result operation.

Extensions are announced in the header `Parley-Extensions` of `GET /v1/agents`. Their events come
only where `Parley-Accept` names them, comma separated: `thinking_delta` (`thinking`) wherever a
text may stand, and `usage` (`usage`) once, the last before `message_stop` or `error`, where a model
was asked: what this stream alone used, null where that is not known. Where models may be chosen
(`models`), it also names the one that answered. A `title` comes once a conversation, before
`message_start` or after `usage`."""


class Description:
    """The description of a service's routes. Lives as long as the application."""

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        self._routes = routes

    @cached_property
    def body(self) -> bytes:
        """The JSON as bytes; generated on first use, then cached."""
        return bytes(JSONResponse(self.as_json()).body)

    def as_json(self) -> dict[str, Any]:
        """Generate the description as plain dicts and lists."""
        found: dict[str, Any] = get_openapi(
            title="Parley service",
            version=version("parley"),
            description=_WORDS,
            routes=self._routes,
        )
        schemas: dict[str, Any] = found.setdefault("components", {}).setdefault("schemas", {})
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        for route in self._described():
            for method in route.methods or ():
                _complete(route, found["paths"][route.path_format][method.lower()], schemas)
        found["components"]["headers"] = _headers()
        scheme = {"type": "apiKey", "in": "header", "name": KEY_HEADER}
        found["components"]["securitySchemes"] = {"key": scheme}
        found["security"] = [{"key": []}]
        return found

    def _described(self) -> Iterator[APIRoute]:
        for route in self._routes:
            if isinstance(route, APIRoute) and route.include_in_schema:
                yield route


@router.get("/openapi.json")
async def get_description(request: Request) -> Response:
    """Answer with the description of the interface."""
    description: Description = request.app.state.description
    return Response(description.body, media_type="application/json")


def _complete(route: APIRoute, operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Add what the framework does not know of an operation: its body, its stream, its headers."""
    responses: dict[str, Any] = operation["responses"]
    responses.pop("422", None)
    body = _body(route.dependant)
    if body is not None:
        schema = _schema(body.model, schemas, "validation")
        content = {"application/json": {"schema": schema}}
        operation["requestBody"] = {"required": body.is_required, "content": content}
    if inspect.signature(route.endpoint).return_annotation is EventStream:
        responses["200"] = {"description": _STREAM_WORDS, "content": _events(schemas)}
    for status, response in responses.items():
        if status != "401":
            named = {name: {"$ref": f"#/components/headers/{name}"} for name in LIMIT_HEADERS}
            response["headers"] = named | response.get("headers", {})


def _body(dependant: Dependant) -> JsonBody[Any] | None:
    calls = (inner.call for inner in dependant.dependencies)
    return next((call for call in calls if isinstance(call, JsonBody)), None)


def _events(schemas: dict[str, Any]) -> dict[str, Any]:
    kinds = []
    for model in get_args(StreamEvent):
        data = {"type": "string", "contentMediaType": "application/json"}
        inside = {"contentSchema": _schema(model, schemas, "serialization")}
        _leave_out_none(model, schemas[model.__name__])
        name = {"const": model.model_fields["type"].default}
        properties = {"event": name, "data": data | inside}
        kinds.append({"type": "object", "properties": properties, "required": ["event", "data"]})
    return {_EVENT_STREAM: {"schema": {"oneOf": kinds}}}


def _leave_out_none(model: type[BaseModel], schema: dict[str, Any]) -> None:
    """Describe fields that may be None as optional, since events are written without them then."""
    for name, field in model.model_fields.items():
        if field.default is None:
            schema["required"].remove(name)
            [schema["properties"][name]["type"]] = {
                part["type"]
                for part in schema["properties"][name].pop("anyOf")
                if part["type"] != "null"
            }
            schema["properties"][name].pop("default")


def _schema(model: type[BaseModel], schemas: dict[str, Any], mode: Any) -> dict[str, Any]:
    """Put a model's schema among the components, with those that it refers to."""
    schema = model.model_json_schema(ref_template=_REF, mode=mode)
    schemas.update(schema.pop("$defs", {}))
    schemas[model.__name__] = schema
    return {"$ref": _REF.format(model=model.__name__)}


def _headers() -> dict[str, Any]:
    whole = {"type": "integer", "minimum": 0}
    described = {RETRY_AFTER: "Seconds after which it is worth trying again.", **LIMIT_HEADERS}
    return {name: {"description": words, "schema": whole} for name, words in described.items()}
