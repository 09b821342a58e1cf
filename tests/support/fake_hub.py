"""A hub with one repository, for downloads of models."""

import hashlib
import json
from collections.abc import Callable
from typing import Any, Final

from tests.support.fake_http import Answer, FakeHttp, Received

REPOSITORY: Final = "maker/model-GGUF"
Json = dict[str, Any]
Behave = Callable[[Received, Answer], Answer]


class FakeHub(FakeHttp):
    """Has one repository with one model; `behaviours` change an answer each, in order.

    `projector` are the bytes of what makes it see, if it does.
    """

    def __init__(self, model: bytes) -> None:
        super().__init__()
        self.model = model
        self.sha256 = hashlib.sha256(model).hexdigest()
        self.etag = '"one"'
        self.projector = b""
        self.listing: Json = {}
        self.behaviours: list[Behave] = []

    @property
    def ranges(self) -> list[str | None]:
        """From where the file was asked for, each time."""
        return [one.header("Range") for one in self.requests if "/resolve/" in one.path]

    def choose(self, request: Received) -> Answer:
        if request.path.startswith("/api/models/"):
            return Answer(200, json.dumps(self.listing or self.usual()).encode())
        if "/resolve/" not in request.path:
            return Answer(404)
        answer = self._file(request)
        return self.behaviours.pop(0)(request, answer) if self.behaviours else answer

    def usual(self) -> Json:
        siblings: list[Json] = [_row("tiny-Q4_K_M.gguf", self.sha256, len(self.model))]
        siblings.append({"rfilename": "README.md"})
        if self.projector:
            sha256 = hashlib.sha256(self.projector).hexdigest()
            siblings.append(_row("mmproj-model-f16.gguf", sha256, len(self.projector)))
        return {
            "sha": "abc123",
            "cardData": {"license": "apache-2.0"},
            "siblings": siblings,
        }

    def _file(self, request: Received) -> Answer:
        if "mmproj" in request.path:
            return Answer(200, self.projector, {"ETag": '"eye"'})
        begin = int((request.header("Range") or "bytes=0-")[6:-1])
        if begin and request.header("If-Range") == self.etag:
            end = len(self.model)
            where = f"bytes {begin}-{end - 1}/{end}"
            return Answer(206, self.model[begin:], {"ETag": self.etag, "Content-Range": where})
        return Answer(200, self.model, {"ETag": self.etag})


def _row(name: str, sha256: str, size: int) -> Json:
    return {"rfilename": name, "lfs": {"sha256": sha256, "size": size}}
