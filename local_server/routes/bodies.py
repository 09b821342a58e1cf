"""How a route gets its JSON body: declared as JSON, strictly parsed, of the specified shape."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError

from local_server.errors import InvalidRequestError, UnsupportedMediaTypeError, explain
from local_server.json_text import JsonTextError, parse_json

Body = TypeVar("Body", bound=BaseModel)


def json_body(model: type[Body]) -> Callable[[Request], Awaitable[Body]]:
    """Make a dependency that reads a request's body as this model."""

    async def read(request: Request) -> Body:
        declared = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        packed = request.headers.get("content-encoding", "identity").strip().lower()
        if declared != "application/json" or packed != "identity":
            raise UnsupportedMediaTypeError
        try:
            return model.model_validate(parse_json(await request.body()))
        except JsonTextError as exc:
            raise InvalidRequestError(f"The body cannot be read: {exc}.") from exc
        except ValidationError as exc:
            raise InvalidRequestError(explain(exc.errors())) from exc

    return read
