"""The index of heights agrees with a plain list, whatever is done to both."""

from hypothesis import given
from hypothesis import strategies as st

from app.ui.transcript.rows.row import HeightIndex

_STEPS = st.lists(
    st.tuples(st.sampled_from(["insert", "remove", "set", "append"]), st.integers(0, 30)),
    max_size=30,
)


@given(st.integers(0, 400), _STEPS)
def test_index_agrees_with_a_list(count: int, steps: list[tuple[str, int]]) -> None:
    index = HeightIndex(10)
    index.reset(count)
    plain = [10] * count

    for verb, number in steps:
        row = number % (len(plain) + 1)
        if verb == "insert":
            index.insert(row, [number, number + 1])
            plain[row:row] = [number, number + 1]
        elif verb == "append":
            index.insert(len(plain), [number])
            plain.append(number)
        elif verb == "remove" and row < len(plain):
            removed = min(3, len(plain) - row)
            index.remove(row, removed)
            del plain[row : row + removed]
        elif verb == "set" and row < len(plain):
            index.set(row, number * 7)
            plain[row] = number * 7

    assert [index[row] for row in range(len(index))] == plain
    assert index.total == sum(plain)
    for row in range(len(plain)):
        assert index.top_of(row) == sum(plain[:row])
        if plain[row]:
            assert index.row_at(sum(plain[:row])) == row
    if plain:
        assert index.row_at(sum(plain) + 5) == len(plain) - 1
