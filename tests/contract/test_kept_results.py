"""The offline assistant understands what it is told of a result that a person kept in part."""

from dataclasses import replace

import pytest

from app.approvals.gate import Chosen, HeldResult
from local_tools.secrets.scan import Secret
from tests.support.offline_requests import answered, request, text_of


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        (Chosen(), "```text\nKEY=[masked: key]\nb\n```\n\nThat is all I was given: "
         "2 lines, 19 characters.\n\n1 secret in it was masked."),
        (Chosen(part=(0, 4)), "```text\nKEY=\n```\n\nThat is all I was given: "
         "1 line, 4 characters.\n\nYou sent only a part of it: 4 of 14 characters."),
        (Chosen(part=(0, 9)), "```text\nKEY=[masked: key]\n```\n\nThat is all I was given: 1 line, "
         "17 characters.\n\n1 secret in it was masked. You sent only a part of it: 9 of 14 "
         "characters."),
        (Chosen(part=(0, 0)), "There is no text in `a.txt`.\n\nYou sent only a part of it: 0 of 14 "
         "characters."),
    ],
)  # fmt: skip
def test_what_a_person_kept_of_a_result_is_no_part_of_the_file(chosen: Chosen, said: str) -> None:
    held = HeldResult("c", "1", "", "", "KEY=12345678\nb"[:14], (Secret(4, 12, "key"),))

    read = answered("read_file", {"path": "a.txt"}, held.told(chosen))
    assert text_of(replace(request("irrelevant"), calls=(read,))).endswith(said)
