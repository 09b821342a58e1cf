"""How events are written: the fast way and the slow way say the same."""

from hypothesis import example, given
from hypothesis import strategies as st

from local_server.schemas import ContentBlockDelta, TextDelta
from local_server.sse import encode, encode_text
from tests.support.event_streams import read_events

_ALL_SIGNS = st.text(st.characters(exclude_categories=["Cs"]))


@given(_ALL_SIGNS)
@example("".join(map(chr, range(0x3000))))
@example('\u0085\u2028\u2029\x7f\ufeff\uffff\U0010ffff"\\/\b\f\n\r\t\0')
def test_fragment_is_written_as_its_model_is(text: str) -> None:
    written = encode_text(text)
    assert written == encode(ContentBlockDelta(delta=TextDelta(text=text)))
    [event] = read_events(written)
    assert event["delta"]["text"] == text
    assert len(written.decode().splitlines()) == 3
