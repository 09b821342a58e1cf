"""From the entries of the ledger to the calls they tell of."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Final

from pydantic import TypeAdapter

from local_tools.chain import Entry
from local_tools.steps import CallKey, CallRecord, Step, StepDetails

_DETAILS: Final = TypeAdapter(StepDetails)


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry with its words; None when there were none or they were erased.

    Attributes:
        link: Where somebody asked for it.
        is_unsent: Its words did not leave as they are, and an export has none of them.
    """

    entry: Entry
    text: str | None
    link: str = ""
    is_unsent: bool = False

    def known(self) -> dict[str, object]:
        """What is recorded, as an export says it: of a result no more than was sent.

        The hashes of the chain are there, so that the lines of a whole record can be checked.
        """
        entry = self.entry
        return {
            "number": entry.number,
            "at": entry.at,
            "profile": entry.profile,
            "conversation_id": entry.conversation_id,
            "call_id": entry.call_id,
            "tool": entry.tool,
            "digest": entry.digest,
            "step": entry.step,
            **json.loads(entry.details),
            "text": None if self.is_unsent else self.text,
            "is_erased": bool(entry.text_hash) and self.text is None,
            "is_unsent": bool(self.is_unsent),
            "text_hash": entry.text_hash,
            "link": self.link,
        }


@dataclass(frozen=True, slots=True)
class Selection:
    """Which calls: all, those of a profile, those of a conversation, or a single one."""

    profile: str = ""
    conversation_id: str = ""
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class CallPage:
    """Some calls, newest first, without their results and with the beginning of long inputs.

    `before` leads to the next page, where there is one.
    """

    calls: tuple[CallRecord, ...]
    before: int | None


def details_text(details: StepDetails) -> str:
    """Details as they are stored: canonical JSON, without what is not set."""
    said = {key: value for key, value in asdict(details).items() if value not in (None, "", 0)}
    if details.duration_ms is not None:
        said["duration_ms"] = details.duration_ms
    return json.dumps(said, sort_keys=True, separators=(",", ":"))


def read_details(text: str) -> StepDetails:
    """Details from their stored form.

    Raises:
        ValueError: When they are none.
    """
    return _DETAILS.validate_json(text)


def calls_of(stored: Iterable[StoredEntry]) -> tuple[CallRecord, ...]:
    """The calls that these entries tell of, oldest first. Entries come in their order.

    Raises:
        ValueError: When an entry is none that we write.
    """
    calls: dict[CallKey, CallRecord] = {}
    for item in stored:
        entry = item.entry
        key = CallKey(entry.profile, entry.conversation_id, entry.call_id)
        calls[key] = _asked(key, item) if key not in calls else _advanced(calls[key], item)
    return tuple(calls.values())


def _asked(key: CallKey, item: StoredEntry) -> CallRecord:
    entry = item.entry
    return CallRecord(
        key=key,
        tool=entry.tool,
        digest=entry.digest,
        step=Step(entry.step),
        asked_at=entry.at,
        changed_at=entry.at,
        details=read_details(entry.details),
        reason="",
        input_text=item.text,
        result_text=None,
    )


def _advanced(call: CallRecord, item: StoredEntry) -> CallRecord:
    step = Step(item.entry.step)
    call = replace(call, step=step, changed_at=item.entry.at)
    said = read_details(item.entry.details)
    if step is Step.DECIDED:
        details = replace(call.details, decision=said.decision, decided_by=said.decided_by)
        return replace(call, details=details, reason=item.text or "")
    if step is Step.FINISHED:
        details = replace(said, decision=call.details.decision, decided_by=call.details.decided_by)
        return replace(call, details=details, result_text=item.text)
    if step is Step.RELEASED:
        details = replace(call.details, release=said.release, masked=said.masked)
        text = call.result_text if item.text is None else item.text
        return replace(call, details=details, result_text=text)
    return call
