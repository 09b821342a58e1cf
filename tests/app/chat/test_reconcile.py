"""What the service's messages say about our turns, told by ids and content alone."""

from dataclasses import replace
from datetime import UTC, datetime

from app.api.events import PieceKind
from app.chat.reconcile import match_turns, merge_reply
from app.store.records import ReplyPiece, StoredMessage, StoredTurn, TurnState

NOW = datetime(2025, 3, 4, tzinfo=UTC)


def turn(turn_id: str, text: str, *pieces: ReplyPiece) -> StoredTurn:
    return StoredTurn(
        turn_id, "c1", 1, text, None, TurnState.UNCONFIRMED, NOW, known_upto=0, pieces=pieces
    )


def text(words: str, message_id: str = "a1") -> ReplyPiece:
    return ReplyPiece(PieceKind.TEXT, words, message_id)


def user(message_id: str, words: str) -> StoredMessage:
    return StoredMessage(message_id, "user", words, None)


def reply(message_id: str, words: str) -> StoredMessage:
    return StoredMessage(message_id, "assistant", words, None)


CALL = ReplyPiece(PieceKind.CALL, "read_file", "a1", call_id="a")


def test_a_message_is_found_by_its_reply_even_if_the_service_changed_its_words() -> None:
    messages = [user("u1", "HELLO!"), reply("a1", "Hi")]

    matches = match_turns(messages, [turn("t1", "hello", text("Hi"))], {})

    assert (matches["t1"].user.message_id, matches["t1"].reply) == ("u1", (messages[1],))


def test_text_after_a_named_agent_belongs_to_that_agent() -> None:
    begun = replace(text("Hi"), agent_name="writer", agent_display_name="Writer")
    more = reply("a2", "Bye")

    merged = merge_reply(turn("t1", "hello", begun).pieces, (reply("a1", "Hi"), more))

    assert (merged[-1].text, merged[-1].message_id) == ("Bye", "a2")
    assert (merged[-1].agent_name, merged[-1].agent_display_name) == ("writer", "Writer")


def test_a_new_message_with_the_same_words_is_ours_and_a_known_one_is_not() -> None:
    messages = [user("u1", "yes"), reply("a1", "Good"), user("u2", "yes")]

    assert match_turns(messages, [turn("t", "yes")], {"t": {"u1"}})["t"].user.message_id == "u2"
    assert match_turns(messages, [turn("t", "yes")], {"t": {"u1", "u2"}}) == {}


def test_each_message_answers_for_one_turn_and_the_certain_one_comes_first() -> None:
    messages = [user("u1", "yes"), reply("a1", "Good")]
    unknown, answered = turn("t1", "yes"), turn("t2", "yes", text("Good"))

    matches = match_turns(messages, [unknown, answered], {"t1": set(), "t2": set()})

    assert list(matches) == ["t2"]


def test_one_of_two_turns_with_equal_text_matches_the_only_message() -> None:
    messages = [user("u1", "yes"), reply("a1", "Good")]
    alike = [turn("t1", "yes"), turn("t2", "yes")]

    assert list(match_turns(messages, alike, {})) == ["t1"]
    matches = match_turns([*messages, user("u2", "yes")], alike, {})
    assert [match.user.message_id for match in matches.values()] == ["u1", "u2"]


def test_one_of_two_turns_with_equal_reply_matches_its_message() -> None:
    messages = [user("u1", "yes"), reply("a1", "Good")]
    alike = [turn("t1", "yes", text("Good")), turn("t2", "yes", text("Good"))]

    assert list(match_turns(messages, alike, {"t2": {"u1"}})) == ["t1"]


def test_a_turn_that_was_never_sent_is_not_looked_for() -> None:
    waiting = replace(turn("t1", "yes"), known_upto=None)

    assert match_turns([user("u1", "yes")], [waiting], {}) == {}


def test_the_rest_of_a_reply_goes_on_where_ours_ended() -> None:
    assert merge_reply([text("Hel")], [reply("a1", "Hello")]) == (text("Hello"),)
    assert merge_reply([text("Hel"), CALL], [reply("a1", "Hello")]) == (
        text("Hel"),
        CALL,
        text("lo"),
    )
    assert merge_reply([text("A "), CALL, text("B")], [reply("a1", "A B, C")]) == (
        text("A "),
        CALL,
        text("B, C"),
    )


def test_reply_that_is_already_stored_is_unchanged() -> None:
    pieces = (text("A "), CALL, text("B"))

    assert merge_reply(pieces, [reply("a1", "A B")]) == pieces
    assert merge_reply((), []) == ()


def test_words_that_the_service_tells_differently_replace_ours() -> None:
    assert merge_reply([text("A "), CALL, text("B")], [reply("a1", "Other")]) == (
        text("Other"),
        CALL,
    )


def test_messages_of_the_reply_that_never_came_are_added() -> None:
    assert merge_reply([text("One")], [reply("a1", "One"), reply("a2", "Two")]) == (
        text("One"),
        text("Two", "a2"),
    )
