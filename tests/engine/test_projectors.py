"""A model whose projector lies beside it sees: it is listed so, and the engine takes images."""

import base64
import json
import shutil
from pathlib import Path
from typing import Final

import httpx
import pytest

from local_server.engine.keeper import BorrowedEngine, EngineKeeper, EngineOptions
from local_server.engine.library import ModelLibrary
from local_server.model_catalog import of_file
from tests.support.engine import TinyModels
from tests.support.tiny_model import PLAIN_TEMPLATE, write_projector

pytestmark = pytest.mark.anyio

# A red square of 2 × 2 pixels.
_PNG: Final = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGM4wcUFRAwQCgAbFgNxOExuRAAAAABJRU5E"
    "rkJggg=="
)
_DIGESTS: Final = ("sha256:" + "ab" * 32, "sha256:" + "cd" * 32)
_LAYERS: Final = (
    "application/vnd.ollama.image.model",
    "application/vnd.ollama.image.projector",
)


@pytest.fixture
def model(tmp_path: Path, tiny_models: TinyModels) -> Path:
    path = tmp_path / "data/models/tiny.gguf"
    path.parent.mkdir(parents=True)
    shutil.copy(tiny_models.file("plain", PLAIN_TEMPLATE), path)
    return path


async def _asked(borrowed: BorrowedEngine) -> httpx.Response:
    """Ask what an image shows, over loopback, as any client of OpenAI's would."""
    image = f"data:image/png;base64,{base64.b64encode(_PNG).decode()}"
    content = [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": image}},
    ]
    body = {"messages": [{"role": "user", "content": content}], "max_tokens": 8}
    engine = borrowed.engine
    key = {"Authorization": f"Bearer {engine.key.get_secret_value()}"}
    async with httpx.AsyncClient(trust_env=False, timeout=20, headers=key) as client:
        return await client.post(f"{engine.address}/chat/completions", json=body)


async def test_model_with_a_projector_is_listed_as_seeing_and_takes_an_image(
    tmp_path: Path, model: Path
) -> None:
    write_projector(model.with_name("mmproj-tiny-f16.gguf"))
    library = ModelLibrary(tmp_path / "data", tmp_path / "home", {})
    [listed] = library.list_files()
    keeper = EngineKeeper(EngineOptions(4096, bubblewrap=""))
    try:
        borrowed = await keeper.borrow(model)
        answer = await _asked(borrowed)
    finally:
        await keeper.aclose()
    assert of_file(listed.model, listed.source).sees_images
    assert borrowed.engine.sees
    assert answer.status_code == 200
    assert answer.json()["choices"][0]["message"]["content"]


async def test_model_without_a_projector_is_listed_as_blind(tmp_path: Path, model: Path) -> None:
    [listed] = ModelLibrary(tmp_path / "data", tmp_path / "home", {}).list_files()
    assert listed.model.path == model
    assert not of_file(listed.model, listed.source).sees_images


async def test_projector_of_an_ollama_model_is_given_to_the_engine(
    tmp_path: Path, tiny_models: TinyModels
) -> None:
    ollama = tmp_path / "ollama"
    blobs = [ollama / "blobs" / digest.replace(":", "-") for digest in _DIGESTS]
    blobs[0].parent.mkdir(parents=True)
    shutil.copy(tiny_models.file("plain", PLAIN_TEMPLATE), blobs[0])
    write_projector(blobs[1])
    manifest = ollama / "manifests/registry.ollama.ai/library/seeing/latest"
    manifest.parent.mkdir(parents=True)
    layers = [
        {"mediaType": kind, "digest": digest}
        for kind, digest in zip(_LAYERS, _DIGESTS, strict=True)
    ]
    manifest.write_text(json.dumps({"layers": layers}))
    library = ModelLibrary(tmp_path / "data", tmp_path / "home", {"OLLAMA_MODELS": str(ollama)})
    keeper = EngineKeeper(EngineOptions(4096, bubblewrap="", read=library.read_file))
    try:
        borrowed = await keeper.borrow(blobs[0])
    finally:
        await keeper.aclose()
    assert borrowed.engine.sees
