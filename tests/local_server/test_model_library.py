"""Which model files are found on this computer, and what their headers say."""

import json
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import gguf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_server.engine.gguf_header import BLOCKS, GgufError, read_header
from local_server.engine.library import LibraryFile, ModelLibrary
from local_server.engine.memory import EngineError, EnginePlan, fits, needed_bytes, plan
from local_server.engine.model_files import ModelFile, ModelFileError, read_model_file

_GIB: Final = 1024**3
_DIGEST: Final = "sha256:" + "ab" * 32
_EYE: Final = "sha256:" + "cd" * 32


def _write(path: Path, **fields: Any) -> Path:
    """Write a small model file; `fields` are texts and numbers of its metadata, dots as __."""
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = gguf.GGUFWriter(path, str(fields.pop("architecture", "llama")))
    for key, value in {"llama__context_length": 8192, **fields}.items():
        add: Callable[[str, Any], None] = (
            writer.add_string if isinstance(value, str) else writer.add_uint32
        )
        add(key.replace("__", "."), value)
    writer.add_array("tokenizer.ggml.tokens", ["<s>", "a", "b"])
    writer.add_token_scores([0.0, 1.0, 2.0])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    writer.close()
    return path


def _found(tmp_path: Path, **environ: str) -> list[tuple[str, str]]:
    return [(one.model.name, one.source) for one in _listed(tmp_path, **environ)]


def _listed(tmp_path: Path, **environ: str) -> tuple[LibraryFile, ...]:
    return ModelLibrary(tmp_path / "data", tmp_path / "home", environ).list_files()


def test_files_of_the_data_folder_and_of_other_programs_are_found(tmp_path: Path) -> None:
    home = tmp_path / "home"
    _write(tmp_path / "data/models/own.gguf", general__name="Own")
    _write(home / ".lmstudio/models/maker/repo/studio.gguf", general__name="Studio")
    _write(home / ".local/share/Jan/data/llamacpp/models/jans/model.gguf")
    _write(home / ".local/share/nomic.ai/GPT4All/all.gguf", general__name="All")
    snapshot = home / ".cache/huggingface/hub/models--a--b/snapshots/1/hub.gguf"
    blob = _write(home / ".cache/huggingface/hub/models--a--b/blobs/1234", general__name="Hub")
    snapshot.parent.mkdir(parents=True)
    snapshot.symlink_to(blob)
    assert _found(tmp_path) == [
        ("Own", "parley"),
        ("Studio", "lm-studio"),
        ("jans", "jan"),
        ("All", "gpt4all"),
        ("Hub", "hugging-face"),
    ]


def test_models_of_ollama_are_read_from_manifests(tmp_path: Path) -> None:
    ollama = tmp_path / "elsewhere"
    for digest in (_DIGEST, _EYE):
        _write(ollama / "blobs" / digest.replace(":", "-"), general__name="Not this name")
    layers = [
        {"mediaType": "application/vnd.ollama.image.model", "digest": _DIGEST},
        {"mediaType": "application/vnd.ollama.image.projector", "digest": _EYE},
    ]
    for place, text in (
        ("registry.ollama.ai/library/llama3.2/latest", json.dumps({"layers": layers})),
        ("registry.ollama.ai/library/broken/latest", "{"),
        ("registry.ollama.ai/library/odd/latest", "[" * 5000),
        (
            "registry.ollama.ai/library/out/latest",
            json.dumps({"layers": [{**layers[0], "digest": "sha256:../../../etc/passwd"}]}),
        ),
    ):
        manifest = ollama / "manifests" / place
        manifest.parent.mkdir(parents=True)
        manifest.write_text(text)
    [found] = _listed(tmp_path, OLLAMA_MODELS=str(ollama))
    assert (found.model.name, found.source) == ("llama3.2", "ollama")
    assert found.model.projector is not None


def test_files_that_are_no_complete_model_are_not_listed(tmp_path: Path) -> None:
    models = tmp_path / "data/models"
    _write(models / "m.gguf", general__name="Seeing")
    _write(models / "mmproj-m.gguf", architecture="clip")
    _write(models / "lora.gguf", general__type="adapter")
    (models / "torn.gguf").write_bytes((models / "m.gguf").read_bytes()[:100])
    (models / "notes.gguf").write_text("nothing of the kind")
    (models / "folder.gguf").mkdir()
    [found] = _listed(tmp_path)
    assert found.model.name == "Seeing"
    assert found.model.projector == models / "mmproj-m.gguf"


def test_projector_is_that_of_the_model_where_several_lie_together(tmp_path: Path) -> None:
    models = tmp_path / "data/models"
    for name in ("Eye-3B-Q4_K_M", "Eye-3B-Q8_0", "Other-1B-Q4_0"):
        _write(models / f"{name}.gguf", general__name=name)
    eye = _write(models / "mmproj-Eye-3B-f16.gguf", architecture="clip")
    _write(models / "mmproj-model-f16.gguf", architecture="clip")
    assert {one.model.name: one.model.projector for one in _listed(tmp_path)} == {
        "Eye-3B-Q4_K_M": eye,
        "Eye-3B-Q8_0": eye,
        "Other-1B-Q4_0": None,
    }


def test_projector_is_seen_when_it_comes_and_counted_with_its_model(tmp_path: Path) -> None:
    library = ModelLibrary(tmp_path / "data", tmp_path / "home", {})
    path = _write(tmp_path / "data/models/m.gguf", general__name="Seeing")
    [before] = library.list_files()
    eye = _write(path.with_name("mmproj.gguf"), architecture="clip")
    [after] = library.list_files()
    assert (before.model.projector, after.model.projector) == (None, eye)
    assert after.model.size_bytes == path.stat().st_size + eye.stat().st_size


@pytest.mark.parametrize("fields", [{"architecture": "llama"}, {"architecture": "clip", "cut": 1}])
def test_incomplete_projector_is_ignored(tmp_path: Path, fields: dict[str, Any]) -> None:
    cut = fields.pop("cut", 0)
    path = _write(tmp_path / "m.gguf")
    eye = _write(tmp_path / "mmproj.gguf", **fields)
    eye.write_bytes(eye.read_bytes()[: -40 if cut else None])
    assert read_model_file(path).projector is None


def test_file_that_changes_is_read_again(tmp_path: Path) -> None:
    library = ModelLibrary(tmp_path / "data", tmp_path / "home", {})
    path = _write(tmp_path / "data/models/m.gguf", general__name="First")
    first = [one.model.name for one in library.list_files()]
    path.unlink()
    gone = library.list_files()
    _write(path, general__name="Second")
    assert (first, gone) == (["First"], ())
    assert [one.model.name for one in library.list_files()] == ["Second"]


def test_parts_of_a_split_model_are_one(tmp_path: Path) -> None:
    models = tmp_path / "data/models"
    for number in (1, 2, 3):
        _write(models / f"big-0000{number}-of-00003.gguf", general__name="Big")
    [found] = _listed(tmp_path)
    assert len(found.model.parts) == 3
    assert found.model.size_bytes == sum(path.stat().st_size for path in models.iterdir())
    (models / "big-00002-of-00003.gguf").unlink()
    with pytest.raises(ModelFileError, match="no longer available"):
        read_model_file(found.model.path)
    with pytest.raises(ModelFileError, match="first part"):
        read_model_file(models / "big-00003-of-00003.gguf")


def test_header_says_what_a_model_is(tmp_path: Path) -> None:
    path = _write(
        tmp_path / "m-Q4_K_M.gguf",
        general__file_type=15,
        llama__block_count=10,
        llama__embedding_length=1024,
        llama__attention__head_count=8,
        llama__attention__head_count_kv=2,
        tokenizer__chat_template="{% for tool in tools %}{% endfor %}<think>",
    )
    model = read_model_file(path)
    assert (model.name, model.quantisation, model.window) == ("m-Q4_K_M", "Q4_K_M", 8192)
    assert model.token_bytes == 2 * 10 * 2 * (128 + 128)
    assert (model.has_template, model.has_tools, model.has_thinking) == (True, True, True)


@pytest.mark.parametrize(
    ("template", "always"),
    [
        ("{{ messages }}<think>", True),
        ("{% if enable_thinking %}<think>{% endif %}", False),
        ("{{ messages }}", False),
    ],
)
def test_thinking_that_a_template_cannot_turn_off_is_always_there(
    tmp_path: Path, template: str, always: bool
) -> None:
    model = read_model_file(_write(tmp_path / "m.gguf", tokenizer__chat_template=template))
    assert model.always_thinks is always


def test_weights_that_are_not_quantised_are_named_too(tmp_path: Path) -> None:
    assert read_model_file(_write(tmp_path / "m.gguf", general__file_type=0)).quantisation == "F32"
    assert read_model_file(_write(tmp_path / "n.gguf")).quantisation == ""


def test_sizes_of_tensors_are_those_of_llama_cpp() -> None:
    assert dict(gguf.GGML_QUANT_SIZES) == BLOCKS


def _header(*parts: bytes, values: int = 1, tensors: int = 0) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", 3, tensors, values) + b"".join(parts)


def _named(name: bytes, kind: int, value: bytes) -> bytes:
    return struct.pack("<Q", len(name)) + name + struct.pack("<I", kind) + value


_HUGE: Final = struct.pack("<Q", 2**63)


@pytest.mark.security(132)
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GGUF",
        b"GGUF" + struct.pack("<IQQ", 99, 0, 0),
        _header(values=2**60),
        _header(tensors=2**60),
        _header(_HUGE),
        _header(_named(b"k", 8, _HUGE)),
        _header(_named(b"k", 77, b"")),
        _header(_named(b"k", 9, struct.pack("<I", 8) + _HUGE)),
        _header(_named(b"k", 9, struct.pack("<IQ", 9, 1) * 2000)),
        _header(_named(b"k", 9, struct.pack("<IQ", 8, 4_000_000) + bytes(800))),
        # Each list keeps to its bound; in a sparse file, many of them are as small as one.
        _header(
            _named(b"a", 9, struct.pack("<IQ", 0, 4_000_000) + bytes(4_000_000)),
            _named(b"b", 9, struct.pack("<IQ", 8, 1) + bytes(8)),
            values=2,
        ),
        _header(_named(b"general.alignment", 4, bytes(4))),
        _header(_HUGE, values=0, tensors=1),
    ],
)
def test_hostile_header_is_refused_at_once(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(data)
    with pytest.raises(GgufError):
        read_header(path)


@pytest.mark.security(132)
@given(place=st.integers(0, 700), value=st.binary(min_size=1, max_size=9))
def test_any_bytes_in_a_header_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, place: int, value: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "spoilt.gguf"
    _write(path, general__name="Spoilt")
    data = path.read_bytes()
    path.write_bytes(data[:place] + value + data[place + len(value) :])
    with suppress(ModelFileError):
        model = read_model_file(path)
        assert model.window > 0
        assert model.token_bytes > 0


def _model(**fields: Any) -> ModelFile:
    path = Path("/m.gguf")
    given: dict[str, Any] = {
        "path": path,
        "parts": (path,),
        "projector": None,
        "name": "M",
        "size_bytes": 2 * _GIB,
        "quantisation": "Q4_K_M",
        "window": 131_072,
        "token_bytes": 100_000,
        "has_template": True,
        "has_tools": True,
        "has_thinking": False,
        "always_thinks": False,
    }
    return ModelFile(**{**given, **fields})


@pytest.mark.parametrize(
    ("free_gib", "wanted", "window", "slots"),
    [
        (64, None, 32_768, 2),
        (64, 100_000, 100_000, 2),
        (12, None, 32_768, 1),
        (6, None, 17_408, 1),
        (3.3, None, 4096, 1),
    ],
)
def test_window_is_what_memory_allows(
    free_gib: float, wanted: int | None, window: int, slots: int
) -> None:
    found = plan(_model(), wanted, int(free_gib * _GIB))
    assert found == EnginePlan(window, slots, found.threads, found.most_bytes)
    assert found.threads >= 1
    assert needed_bytes(_model(), window * slots) < found.most_bytes <= free_gib * _GIB


def test_window_is_at_most_the_models_own() -> None:
    assert plan(_model(window=2048), None, 64 * _GIB).window == 2048


def test_model_larger_than_memory_is_refused_with_both_numbers() -> None:
    with pytest.raises(EngineError, match=r"M needs 3\.\d GB of memory, but only 2\.1 GB is free"):
        plan(_model(), None, 2 * _GIB)
    assert not fits(8 * _GIB, 8 * _GIB)
    assert fits(5 * _GIB, 8 * _GIB)
