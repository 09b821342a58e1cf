"""The window knows the sentences of the local service, and shows them in its own language."""

import ast
import re
import time
from pathlib import Path
from typing import Final, get_args

import pytest

import local_server
from app.common.error_messages import ErrorCode, explain
from app.common.errors import UserFacingError
from app.common.service_reasons import KNOWN_REASONS, translate_reason
from app.paths import resources
from app.viewmodels.i18n import SpokenLanguage, localized, localized_reason
from local_server.assistant.models.failures import FailureKind, UpstreamError

_SERVICE: Final = Path(local_server.__file__).parent
_SPEAKING: Final = ("assistant/*.py", "assistant/models/*.py", "engine/*.py", "*.py")
_GAP: Final = re.compile(r"\{[^{}]*\}")
_IS_SENTENCE: Final = re.compile(r"[a-z]{3} .*[.?]\s*\Z", re.DOTALL)
_RAISED: Final = frozenset({"DownloadError", "EngineError", "GgufError", "ModelFileError"})


def _marked(template: str) -> str:
    return f"<{template}>"


@pytest.mark.parametrize("kind", get_args(FailureKind))
def test_each_failure_of_a_model_is_known(kind: FailureKind) -> None:
    sentence = UpstreamError(kind).sentence("Qwen3 4B").strip()

    told = translate_reason(sentence, _marked)

    assert told.startswith("<")
    assert told.endswith(">")
    assert told.replace("<", "").replace(">", "") == sentence


def test_each_reason_of_a_model_or_a_file_that_cannot_be_used_is_known() -> None:
    unknown = [
        reason
        for reason in sorted(_reasons_of_service())
        if not translate_reason(reason, _marked).startswith("<")
    ]
    assert unknown == []


def test_no_known_sentence_is_one_that_the_service_never_says() -> None:
    said = {_GAP.sub("{}", text) for text in _texts_of_service()}

    never = [
        reason
        for reason in KNOWN_REASONS
        if not any(text.startswith(_GAP.sub("{}", reason)) for text in said)
    ]
    assert never == []


def test_what_a_provider_says_stays_beside_the_translated_sentence() -> None:
    failure = UpstreamError("refused", "Policy no. 5. Call us")

    told = translate_reason(failure.sentence("Qwen3 4B"), _marked)

    assert told == "<Qwen3 4B refused the request.> <It says: Policy no. 5. Call us>"


def test_several_models_that_failed_are_each_told() -> None:
    sentences = UpstreamError("slow").sentence("A"), UpstreamError("empty").sentence("B")

    told = translate_reason(" ".join(sentences), _marked)

    assert told == "<A did not answer in time.> <B gave an empty answer.>"


def test_unknown_words_stay_as_they_came() -> None:
    assert translate_reason("It burns. A did not answer in time.", _marked) == (
        "It burns. A did not answer in time."
    )


def test_cause_with_points_and_a_path_keep_their_ends() -> None:
    for told in ("The file cannot be read: a.b c.", "The model’s file is no longer available: /a"):
        assert translate_reason(told, _marked) == _marked(told)


def test_words_that_come_close_in_thousands_of_ways_are_not_searched_for_long() -> None:
    """The list of a hostile service has 5,000 rows, and the window waits for each."""
    close = (
        "a needs b of memory, and " * 30,
        "The engine did not start. " * 10_000,
        "a\tcannot use tools.\t" * 90,
    )
    begin = time.process_time()
    for text in close * 100:
        assert translate_reason(text, _marked) == text
    # At 2 ms each, 5,000 would keep the window for 10 seconds.
    assert time.process_time() - begin < 0.5


@pytest.mark.usefixtures("qapp")
def test_window_shows_a_reason_in_its_own_language() -> None:
    failed = explain(
        UserFacingError(ErrorCode.REPLY_FAILED, {"message": "Qwen did not answer in time."})
    )
    german = SpokenLanguage(resources() / "translations", "de")
    try:
        assert localized(failed).endswith(": Qwen hat nicht rechtzeitig geantwortet.")
        cut = "Answers in this chat have at most 12,500 tokens, so this one is cut off here."
        assert "12.500 Token" in localized_reason(cut)
        full = "Qwen3.5 needs 2.3 GB of memory, but only 1.0 GB is free."
        rest = " Close other programs, or choose a smaller model."
        told = localized_reason(full + rest)
        assert ("2,3 GB" in told, "1,0 GB" in told, "Qwen3.5" in told) == (True, True, True)
    finally:
        german.close()


def _reasons_of_service() -> set[str]:
    """Return the sentences that errors of files are raised with, and those of the catalog."""
    found: set[str] = set()
    for path in (_SERVICE / "model_catalog.py", *_SERVICE.glob("engine/*.py")):
        # What the engine's own process says follows "It says:".
        if path.stem == "engine_child":
            continue
        module = ast.parse(path.read_text(encoding="utf-8"))
        given = [node.value for node in module.body if isinstance(node, ast.AnnAssign)]
        given += [
            node.args[0]
            for node in ast.walk(module)
            if isinstance(node, ast.Call) and node.args and _name_of(node.func) in _RAISED
        ]
        found |= {text for node in given if node and _IS_SENTENCE.search(text := _text_of(node))}
    return {_GAP.sub("X", text) for text in found}


def _name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _texts_of_service() -> set[str]:
    """Return the texts in the source, each gap of an f-string as "{}"."""
    paths = (path for form in _SPEAKING for path in _SERVICE.glob(form))
    modules = (ast.parse(path.read_text(encoding="utf-8")) for path in paths)
    return {_text_of(node) for module in modules for node in ast.walk(module)}


def _text_of(node: ast.AST) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(map(_part, values))
    return ""


def _part(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else "{}"
