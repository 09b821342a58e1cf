"""The foot of the sidebar: it names the model, and is never ready over one that is gone."""

import pytest

from app.api.models import Model, ModelState, name_of_model_id
from app.viewmodels.chat.model_choice import (
    ChosenModel,
    ModelOption,
    default_model,
    model_rows,
    status_with_model,
)
from app.viewmodels.states import Dot, StatusView

_READY = StatusView(Dot.GOOD, "Local service", "ready")


@pytest.mark.parametrize(
    ("state", "dot", "words"),
    [
        ("ready", Dot.GOOD, "ready"),
        ("loadable", Dot.GOOD, "not loaded yet"),
        ("unavailable", Dot.BAD, "can’t be reached"),
    ],
)
def test_status_line_names_the_model_and_its_state(state: ModelState, dot: Dot, words: str) -> None:
    model = Model(id="m", display_name="Small", is_default=True, state=state, reason="Gone.")
    for row in model_rows([model]):
        shown = status_with_model(_READY, row)
        assert (shown.dot, shown.name, shown.words) == (dot, "Small", words)


def test_default_is_told_apart_from_the_row_of_the_same_model() -> None:
    demo = Model(id="offline", display_name="Demo", provider="Parley", is_default=True)
    other = demo.model_copy(update={"id": "other", "is_default": False})
    rows = model_rows([demo, other], is_local=True)
    assert [(row.model, row.display_name, row.where) for row in rows][:2] == [
        (None, "Demo", "Always the current default"),
        ("offline", "Demo", "Parley"),
    ]

    (alone,) = model_rows([demo], is_local=True)
    assert (alone.model, alone.display_name, alone.where) == (None, "Demo", "Parley")
    chosen = ChosenModel()
    chosen.offer([alone])
    assert chosen.with_agent("openai:gpt-5") == alone, "the demo plays every agent"
    chosen.choose_for_new(ModelOption("offline", "", ""))
    assert (chosen.now.model, chosen.now.display_name) == ("offline", "Demo")


def test_trouble_of_the_connection_comes_before_the_model() -> None:
    model = Model(id="m", display_name="Small", is_default=True)
    lost = StatusView(Dot.BAD, "Local service", "stopped")
    assert status_with_model(lost, default_model([model])) == lost


def test_service_without_a_list_of_models_is_named_alone() -> None:
    assert status_with_model(_READY, default_model()) == _READY


def test_name_of_a_model_takes_one_line_of_a_sensible_length() -> None:
    model = Model(id="m", display_name="A\nB " + "x" * 5000, is_default=True)
    name = status_with_model(_READY, default_model([model])).name
    assert name.startswith("A B x")
    assert len(name) < 80


def test_model_of_a_new_chat_is_shown_as_the_service_lists_it_now() -> None:
    chosen = ChosenModel()
    chosen.choose_for_new(ModelOption("file:/m/small.gguf", "", ""))
    assert chosen.now.model == "file:/m/small.gguf"

    listed = Model(id="file:/m/small.gguf", display_name="Small", state="loadable")
    chosen.offer(model_rows([listed], is_local=True))

    assert (chosen.now.display_name, chosen.now.state) == ("Small", "loadable")


def test_model_of_an_agent_is_shown_unless_the_chat_chose_one() -> None:
    chosen = ChosenModel()
    usual = Model(id="a", display_name="Usual", is_default=True)
    own = Model(id="openai:b@http://127.0.0.1:9/v1", display_name="Own")
    other = Model(id="c", display_name="Other")
    chosen.offer(model_rows([usual, own, other], is_local=True))

    # It counts like the default: a chat keeps no choice of it.
    for written in (own.id, f"{own.id}/"):
        shown = chosen.with_agent(written)
        assert (shown.display_name, shown.model) == ("Own", None)
    assert chosen.with_agent("").display_name == "Usual"
    assert chosen.with_agent("openai:gone").display_name == "gone"
    assert not chosen.with_agent("openai:gone").is_available
    # The service takes no file of an agent's, and no name of another program.
    assert not chosen.with_agent("file:/m/small.gguf").is_available
    assert chosen.with_agent("sonnet").display_name == "Usual"
    chosen.choose_for_new(ModelOption("c", "", ""))
    assert chosen.with_agent(own.id).display_name == "Other"


def test_model_that_is_gone_keeps_its_name() -> None:
    names = ["openai:thinker@http://127.0.0.1:9/v1", "file:/m/v1.5-q4.gguf", "ollama:a:7b"]
    assert [name_of_model_id(name) for name in names] == ["thinker", "v1.5-q4", "a:7b"]
    # What another service calls its models is not cut.
    foreign = ["plain", "qwen2.5:7b", "team:a@b", "model-3f"]
    assert [name_of_model_id(name) for name in foreign] == foreign
