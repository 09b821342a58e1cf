"""A language model of half a megabyte with random weights, for the real engine to run.

It says random words and ends by itself. What it says means nothing, but what the engine does with
it is what it does with every model: templates, slots, streams, grammars, refusals.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import gguf
import numpy as np

# What a template has to do with: who speaks, what was said, and where the answer begins.
PLAIN_TEMPLATE: Final = (
    "{{ bos_token }}{% for message in messages %}<|{{ message['role'] }}|>\n"
    "{{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
)
# As Qwen's: whoever asks says whether the model thinks first.
THINKING_TEMPLATE: Final = (
    "{{ bos_token }}{% for message in messages %}<|{{ message['role'] }}|>\n"
    "{% if message['reasoning_content'] %}<think>\n{{ message['reasoning_content'] }}\n</think>\n\n"
    "{% endif %}{{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>\n<think>\n"
    "{% if not enable_thinking %}\n</think>\n\n{% endif %}{% endif %}"
)
# As Gemma's: the two roles take turns, and there is nobody else.
ALTERNATING_TEMPLATE: Final = (
    "{{ bos_token }}{% if messages[0]['role'] == 'system' %}"
    "{{ raise_exception('System role not supported') }}{% endif %}"
    "{% for message in messages %}"
    "{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}"
    "{% endif %}<start_of_turn>{{ 'model' if message['role'] == 'assistant' else 'user' }}\n"
    "{{ message['content'] | trim }}<end_of_turn>\n{% endfor %}"
    "{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}"
)
# As Hermes's and Qwen's: calls stand in tags, from which the engine makes a grammar.
TOOLS_TEMPLATE: Final = (
    "{{ bos_token }}{% if tools %}<|im_start|>system\nTools:\n<tools>\n"
    "{% for tool in tools %}{{ tool | tojson }}\n{% endfor %}</tools>\n"
    'Call one so: <tool_call>\n{"name": <name>, "arguments": <arguments>}\n</tool_call>'
    "<|im_end|>\n{% endif %}"
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] %}{{ message['content'] }}{% endif %}"
    "{% if message['tool_calls'] %}{% for call in message['tool_calls'] %}"
    '\n<tool_call>\n{"name": "{{ call.function.name }}", "arguments": '
    "{{ call.function.arguments | tojson }}}\n</tool_call>{% endfor %}{% endif %}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
CONTEXT_TOKENS: Final = 32_768
_WIDTH: Final = 64
_HIDDEN: Final = 128
_HEADS: Final = 4
_LAYERS: Final = 2
_BYTES: Final = 256
END_TOKEN: Final = 2
_UNKNOWN, _BEGIN, _END, _FIRST_BYTE = 0, 1, END_TOKEN, 3
# With it a template ends before the answer begins.
_LINE_END: Final = _FIRST_BYTE + ord("\n")
_WORDS: Final = (
    "a an and are as at be but by can do for from go good had has have he her here his how I if in "
    "is it just know like little long made make man may me more my new no not now of on one or our "
    "out over people see she so some than that the their them then there these they this time to "
    "two up us very was water way we were what when which who will with word work year you your"
)
# What such a model sees: four squares of an image.
_IMAGE_PX: Final = 28
_SQUARE_PX: Final = 14
_SIGHT: Final = 32
# How much likelier than the rest: words are said rather than single letters, and after some thirty
# of them comes the end.
_FAVOURED: Final = {"word": 4.0, "end": 5.5, "byte": -4.0}
_NEVER: Final = -400.0
# Where it may, such a model begins a call soon, and ends its texts.
_CALL_FAVOURS: Final = {"<tool_call>\n": 7.0, '"': 6.0}


def write_model(
    path: Path,
    template: str = PLAIN_TEMPLATE,
    *,
    name: str = "Tiny llama",
    ends: bool = True,
    is_small: bool = False,
) -> None:
    """Write a model whose conversations are put as `template` says; an empty one is left out.

    One that does not end by itself speaks until its window is full. A small file keeps its weights
    by halves: the self-test's is one.
    """
    chance = np.random.default_rng(1)
    pieces, kinds, favours = _vocabulary(_CALL_FAVOURS if template is TOOLS_TEMPLATE else {})
    if not ends:
        favours[_END] = _NEVER
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name(name)
    writer.add_context_length(CONTEXT_TOKENS)
    writer.add_embedding_length(_WIDTH)
    writer.add_block_count(_LAYERS)
    writer.add_feed_forward_length(_HIDDEN)
    writer.add_head_count(_HEADS)
    writer.add_head_count_kv(_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(_WIDTH // _HEADS)
    writer.add_vocab_size(len(pieces))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(pieces)
    writer.add_token_scores([-float(place) for place in range(len(pieces))])
    writer.add_token_types(kinds)
    writer.add_unk_token_id(_UNKNOWN)
    writer.add_bos_token_id(_BEGIN)
    writer.add_eos_token_id(_END)
    if template:
        writer.add_chat_template(template)
    for tensor, weights in _weights(chance, favours).items():
        kept_as = np.float16 if is_small and weights.ndim > 1 else np.float32
        writer.add_tensor(tensor, weights.astype(kept_as))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _vocabulary(own: Mapping[str, float]) -> tuple[list[str], list[gguf.TokenType], list[float]]:
    """List the pieces of text, of which kind each is, and how much it is favoured."""
    normal, byte = gguf.TokenType.NORMAL, gguf.TokenType.BYTE
    letters = [chr(code) for code in range(33, 127)]
    words = [f"▁{word}" for word in _WORDS.split()]
    parts = [f"▁{word[:cut]}" for word in _WORDS.split() for cut in range(1, len(word))]
    rest = dict.fromkeys([*words, "▁", *letters, *own, *parts])
    favours = {**dict.fromkeys(words, _FAVOURED["word"]), **own}
    rows = [
        ("<unk>", gguf.TokenType.UNKNOWN, _FAVOURED["byte"]),
        ("<s>", gguf.TokenType.CONTROL, _FAVOURED["byte"]),
        ("</s>", gguf.TokenType.CONTROL, _FAVOURED["end"]),
        *((f"<0x{value:02X}>", byte, _FAVOURED["byte"]) for value in range(_BYTES)),
        *((piece, normal, favours.get(piece, 0.0)) for piece in rest),
    ]
    return [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]


def _weights(chance: np.random.Generator, favours: list[float]) -> dict[str, np.ndarray]:
    def random(*shape: int) -> np.ndarray:
        return chance.normal(0, 0.5 / np.sqrt(shape[-1]), shape)

    # The first number of each state is the same for every token and never changed by a layer:
    # what the output makes of it is how much a token is favoured.
    embedding = chance.normal(0, 0.3, (len(favours), _WIDTH))
    embedding[:, 0] = 8.0
    output = chance.normal(0, 0.1, (len(favours), _WIDTH))
    output[:, 0] = np.array(favours) / np.sqrt(_WIDTH)
    # So is the second, with which no answer ends before its first word.
    embedding[:, 1] = 0.0
    embedding[_LINE_END, 1] = 8.0
    output[:, 1] = 0.0
    output[_END, 1] = -10.0
    weights = {
        "token_embd.weight": embedding,
        "output_norm.weight": np.ones(_WIDTH),
        "output.weight": output,
    }
    for layer in range(_LAYERS):
        block = {
            "attn_norm.weight": np.ones(_WIDTH),
            "attn_q.weight": random(_WIDTH, _WIDTH),
            "attn_k.weight": random(_WIDTH, _WIDTH),
            "attn_v.weight": random(_WIDTH, _WIDTH),
            "attn_output.weight": random(_WIDTH, _WIDTH),
            "ffn_norm.weight": np.ones(_WIDTH),
            "ffn_gate.weight": random(_HIDDEN, _WIDTH),
            "ffn_up.weight": random(_HIDDEN, _WIDTH),
            "ffn_down.weight": random(_WIDTH, _HIDDEN),
        }
        for name in ("attn_output.weight", "ffn_down.weight"):
            block[name][:2] = 0
        weights |= {f"blk.{layer}.{name}": values for name, values in block.items()}
    return weights


def write_projector(path: Path) -> None:
    """Write what makes these models see: a tiny vision transformer with random weights."""
    chance = np.random.default_rng(2)
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_type("mmproj")
    writer.add_clip_has_vision_encoder(True)
    writer.add_clip_projector_type("mlp")
    writer.add_vision_use_gelu(True)
    writer.add_vision_image_size(_IMAGE_PX)
    writer.add_vision_patch_size(_SQUARE_PX)
    writer.add_vision_embedding_length(_SIGHT)
    writer.add_vision_feed_forward_length(_HIDDEN)
    writer.add_vision_projection_dim(_WIDTH)
    writer.add_vision_block_count(1)
    writer.add_vision_head_count(2)
    writer.add_vision_attention_layernorm_eps(1e-5)
    writer.add_vision_image_mean([0.5, 0.5, 0.5])
    writer.add_vision_image_std([0.5, 0.5, 0.5])
    for tensor, weights in _sight(chance):
        writer.add_tensor(tensor, weights.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _sight(chance: np.random.Generator) -> Iterator[tuple[str, np.ndarray]]:
    squares = (_IMAGE_PX // _SQUARE_PX) ** 2
    yield "v.patch_embd.weight", chance.normal(0, 0.1, (_SIGHT, 3, _SQUARE_PX, _SQUARE_PX))
    yield "v.position_embd.weight", chance.normal(0, 0.1, (squares + 1, _SIGHT))
    yield "v.class_embd", chance.normal(0, 0.1, _SIGHT)
    shapes = {"mm.0": (_WIDTH, _SIGHT), "mm.2": (_WIDTH, _WIDTH)}
    for name in ("attn_q", "attn_k", "attn_v", "attn_out"):
        shapes[f"v.blk.0.{name}"] = (_SIGHT, _SIGHT)
    shapes |= {"v.blk.0.ffn_up": (_HIDDEN, _SIGHT), "v.blk.0.ffn_down": (_SIGHT, _HIDDEN)}
    for name, shape in shapes.items():
        yield f"{name}.weight", chance.normal(0, 0.1, shape)
        yield f"{name}.bias", np.zeros(shape[0])
    for name in ("v.pre_ln", "v.blk.0.ln1", "v.blk.0.ln2"):
        yield f"{name}.weight", np.ones(_SIGHT)
        yield f"{name}.bias", np.zeros(_SIGHT)
