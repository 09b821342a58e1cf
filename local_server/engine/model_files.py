"""Describe a model file: its name, what it supports, and how much memory it needs.

`read_model_file` makes a `ModelFile` from the header, and finds the files beside it that belong to
it: the further parts of a split model, and the projector of a model that sees images.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from local_server.engine.gguf_header import GgufError, GgufHeader, read_header

_ENDING: Final = ".gguf"
_PART: Final = re.compile(r"-(\d{5})-of-(\d{5})(?=\.gguf\Z)")
_MOST_PARTS: Final = 100
_PROJECTOR: Final = re.compile(r"mmproj", re.IGNORECASE)
# The quantisation, at the end of a name.
_KEPT_AS: Final = re.compile(r"[-._](?:i?q\d\w*|tq\d\w*|b?f16|f32|fp16|mxfp4\w*)\Z")
_LONGEST_NAME: Final = 120
# Where a model says nothing of its window.
_WINDOW: Final = 4096
_LARGEST_WINDOW: Final = 100_000_000
_THINKING: Final = ("enable_thinking", "<think>", "reasoning_content", "<|channel|>")
_THOUGHTS: Final = ("<think>", "<|channel|>")
# Names of variables with which a question turns thinking on or off.
_SWITCHES: Final = ("enable_thinking", "if thinking", "thinking_budget", "/no_think")
# `general.file_type`, as llama.cpp numbers it.
_QUANTISATIONS: Final[dict[int, str]] = {
    0: "F32",
    1: "F16",
    2: "Q4_0",
    3: "Q4_1",
    7: "Q8_0",
    8: "Q5_0",
    9: "Q5_1",
    10: "Q2_K",
    11: "Q3_K_S",
    12: "Q3_K_M",
    13: "Q3_K_L",
    14: "Q4_K_S",
    15: "Q4_K_M",
    16: "Q5_K_S",
    17: "Q5_K_M",
    18: "Q6_K",
    19: "IQ2_XXS",
    20: "IQ2_XS",
    21: "Q2_K_S",
    22: "IQ3_XS",
    23: "IQ3_XXS",
    24: "IQ1_S",
    25: "IQ4_NL",
    26: "IQ3_S",
    27: "IQ3_M",
    28: "IQ2_S",
    29: "IQ2_M",
    30: "IQ4_XS",
    31: "IQ1_M",
    32: "BF16",
    36: "TQ1_0",
    37: "TQ2_0",
    38: "MXFP4",
}


class ModelFileError(Exception):
    """This file cannot be used as a model; the message is a sentence for the user."""


@dataclass(frozen=True)
class ModelFile:
    """A model in a file.

    Attributes:
        path: The file, or the first of its parts.
        parts: All its files, including `path`.
        projector: The file with which it sees images; None if it has none.
        name: The name for users.
        size_bytes: The size of all its files, including the projector.
        quantisation: Such as "Q4_K_M"; empty if it does not say.
        window: The context window that it was trained for, in tokens.
        token_bytes: The memory that each token of the window takes.
        has_template: It has a chat template.
        has_tools: The template supports tools.
        has_thinking: It may think before it answers.
        always_thinks: The template has no switch to turn that off.
    """

    path: Path
    parts: tuple[Path, ...]
    projector: Path | None
    name: str
    size_bytes: int
    quantisation: str
    window: int
    token_bytes: int
    has_template: bool
    has_tools: bool
    has_thinking: bool
    always_thinks: bool


def read_model_file(path: Path, name: str = "", projector: Path | None = None) -> ModelFile:
    """Read the description of a model file.

    Args:
        path: Its path.
        name: Its name, if that is known from elsewhere.
        projector: Its projector, if that is known from elsewhere.

    Raises:
        ModelFileError: When it is none, or not whole.
    """
    try:
        header = read_header(path)
        if header.text("general.type") not in {"", "model"} or _is_projector(header):
            raise ModelFileError("This file belongs to a model and cannot be used by itself.")
        parts = _parts_of(path)
        whole = [header, *(read_header(part) for part in parts[1:])]
        found = projector or _projector_beside(path)
        size = sum(part.file_bytes for part in whole) + (found.stat().st_size if found else 0)
    except FileNotFoundError as exc:
        raise ModelFileError("The file is no longer available.") from exc
    except OSError as exc:
        raise ModelFileError(f"The file cannot be read: {exc.strerror}.") from exc
    except GgufError as exc:
        raise ModelFileError(str(exc)) from exc
    if not all(part.is_whole for part in whole):
        raise ModelFileError("This model file is incomplete: its end is missing.")
    template, kind = header.text("tokenizer.chat_template"), header.number("general.file_type")
    return ModelFile(
        path=path,
        parts=parts,
        projector=found,
        name=name or _name_of(header, path),
        size_bytes=size,
        quantisation="" if kind is None else _QUANTISATIONS.get(kind, ""),
        window=_of_architecture(header, "context_length", _WINDOW, _LARGEST_WINDOW),
        token_bytes=_token_bytes(header),
        has_template=bool(template),
        has_tools="tools" in template,
        has_thinking=any(mark in template for mark in _THINKING),
        always_thinks=any(mark in template for mark in _THOUGHTS)
        and not any(switch in template for switch in _SWITCHES),
    )


def check_projector(path: Path) -> None:
    """Find out whether a file is a whole projector.

    Raises:
        ModelFileError: When it is none.
    """
    if not _is_whole_projector(path):
        raise ModelFileError(
            "This file cannot be used for images because it is not a complete projector."
        )


def is_projector_name(name: str) -> bool:
    """Return whether a file is a projector, as far as its name tells."""
    return _PROJECTOR.search(name) is not None


def is_first_part(path: Path) -> bool:
    """Return whether a file is a model's first part, as far as its name tells."""
    part = _PART.search(path.name)
    return part is None or int(part[1]) == 1


def _is_projector(header: GgufHeader) -> bool:
    return header.text("general.architecture") == "clip"


def _parts_of(path: Path) -> tuple[Path, ...]:
    """Find the parts of a split model, by their names.

    Raises:
        ModelFileError: When it is not the first part, or the number of parts is impossible.
    """
    part = _PART.search(path.name)
    if part is None:
        return (path,)
    count = int(part[2])
    if int(part[1]) != 1 or not 0 < count <= _MOST_PARTS:
        raise ModelFileError("This file is one part of a model. Choose the first part.")
    begin, end = path.name[: part.start()], path.name[part.end() :]
    names = (f"{begin}-{number:05}-of-{count:05}{end}" for number in range(1, count + 1))
    return tuple(path.with_name(name) for name in names)


def _is_whole_projector(path: Path) -> bool:
    try:
        header = read_header(path)
    except (GgufError, OSError):
        return False
    return header.is_whole and _is_projector(header)


def _projector_beside(path: Path) -> Path | None:
    """Find the projector of a model, by its name if several models share the folder."""
    if path.suffix.lower() != _ENDING:
        return None
    beside = sorted(path.parent.glob(f"*{_ENDING}"))
    projectors = [other for other in beside if other != path and is_projector_name(other.name)]
    kinds = {_kind_of(other) for other in beside if not is_projector_name(other.name)}
    if len(kinds) > 1:
        projectors = [other for other in projectors if _kind_of(other) == _kind_of(path)]
    return next(filter(_is_whole_projector, projectors), None)


def _kind_of(path: Path) -> str:
    """Return the name of a model or its projector without the quantisation."""
    name = _KEPT_AS.sub("", _PART.sub("", path.name.lower()).removesuffix(_ENDING))
    return _PROJECTOR.sub("", name).strip("-._")


def _name_of(header: GgufHeader, path: Path) -> str:
    """Return the name of the metadata, else that of the file."""
    said = " ".join(header.text("general.name").split())
    is_name = said.isprintable() and 0 < len(said) <= _LONGEST_NAME
    if is_name and not said.startswith(("/", ".")):
        return said
    return _PART.sub("", path.name).removesuffix(_ENDING)[:_LONGEST_NAME]


def _token_bytes(header: GgufHeader) -> int:
    """Return how much a token of the window takes: a key and a value, in each layer, two bytes."""
    layers = _of_architecture(header, "block_count", 32, 1000)
    width = _of_architecture(header, "embedding_length", 4096, 1 << 20)
    heads = max(1, _of_architecture(header, "attention.head_count", 32, 4096))
    groups = _of_architecture(header, "attention.head_count_kv", heads, 4096)
    usual = width // heads
    key = _of_architecture(header, "attention.key_length", usual, 1 << 16)
    value = _of_architecture(header, "attention.value_length", usual, 1 << 16)
    return 2 * layers * groups * (key + value)


def _of_architecture(header: GgufHeader, field: str, otherwise: int, most: int) -> int:
    number = header.number(f"{header.text('general.architecture')}.{field}")
    return number if number is not None and 0 < number <= most else otherwise
