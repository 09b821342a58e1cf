"""How a route gets its JSON body: declared as JSON, strictly parsed, of the specified shape."""

from typing import Generic, TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError

from local_server.errors import InvalidRequestError, UnsupportedMediaTypeError, explain
from local_server.json_text import JsonTextError, parse_json

Body = TypeVar("Body", bound=BaseModel)


class JsonBody(Generic[Body]):
    """A dependency that reads a request's body as a model. Made once, with its route.

    Attributes:
        model: The shape of the body.
    """

    def __init__(self, model: type[Body]) -> None:
        self.model = model

    async def __call__(self, request: Request) -> Body:
        """Read the body.

        Raises:
            UnsupportedMediaTypeError: When it is not declared as plain JSON.
            InvalidRequestError: When it is no JSON, or of another shape.
        """
        declared = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        packed = request.headers.get("content-encoding", "identity").strip().lower()
        if declared != "application/json" or packed != "identity":
            raise UnsupportedMediaTypeError
        try:
            return self.model.model_validate(parse_json(await request.body()))
        except JsonTextError as exc:
            raise InvalidRequestError(f"The body cannot be read: {exc}.") from exc
        except ValidationError as exc:
            raise InvalidRequestError(explain(exc.errors())) from exc
