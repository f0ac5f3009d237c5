"""A conversation: what the user said in each delivery, and where the agent's answer to it ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from runwright.dialects.fields import count_at, list_at, object_at, text_at
from runwright.readers.flowproof.keys import left_out
from runwright.readers.flowproof.turn import DELIVERY
from runwright.readers.reading import Reading
from runwright.trace.model import JSON, MessageRecord, ModelRecord, Record, TextBlock


def deliveries_of(cassette: dict[str, JSON], reading: Reading) -> tuple[str, ...]:
    """What the user said, delivery by delivery; none where the run had a single prompt, which is not stored."""
    found: list[str] = []
    for at, value in enumerate(list_at(cassette.get("deliveries"), "$.cassette.deliveries")):
        place = f"$.cassette.deliveries[{at}]"
        delivery = object_at(value, place)
        left_out(delivery, ("user", "turn_count"), place, reading)
        found.append(text_at(delivery.get("user"), f"{place}.user"))
        told, held = count_at(delivery.get("turn_count"), f"{place}.turn_count"), _turns(cassette, at)
        if told != held:
            reading.lose("malformed", f"a delivery of {told} turns of which {held} are there", place)
    return tuple(found)


def _turns(cassette: dict[str, JSON], delivery: int) -> int:
    turns = list_at(cassette.get("turns"), "$.cassette.turns")
    return sum(isinstance(turn, dict) and turn.get("delivery_index", 0) == delivery for turn in turns)


def with_deliveries(records: Sequence[Record], deliveries: Sequence[str]) -> tuple[Record, ...]:
    """The records with each delivery before its first exchange, and the agent's words after the last one."""
    return tuple(_numbered(_placed(records, deliveries)))


def _placed(records: Sequence[Record], deliveries: Sequence[str]) -> Iterator[Record]:
    exchanges = [record for record in records if isinstance(record, ModelRecord)]
    last = {_delivery(each): each.id for each in exchanges}
    said = 0
    for record in records:
        while isinstance(record, ModelRecord) and said <= min(_delivery(record), len(deliveries) - 1):
            yield MessageRecord(id="", role="user", content=(TextBlock(text=deliveries[said]),))
            said += 1
        yield record
        if isinstance(record, ModelRecord) and last[_delivery(record)] == record.id:
            yield from _answer(record)
    for text in deliveries[said:]:  # the user said it, and no exchange came of it
        yield MessageRecord(id="", role="user", content=(TextBlock(text=text),))


def _delivery(exchange: ModelRecord) -> int:
    at = exchange.ext.get(DELIVERY, 0)
    return at if isinstance(at, int) else 0


def _answer(exchange: ModelRecord) -> list[MessageRecord]:
    content = exchange.response.content if exchange.response else ()
    words = tuple(block for block in content if isinstance(block, TextBlock) and block.text)
    return [MessageRecord(id="", role="agent", content=words)] if words else []


def _numbered(records: Iterator[Record]) -> Iterator[Record]:
    number = 0
    for record in records:
        if isinstance(record, MessageRecord):
            number += 1
            yield msgspec.structs.replace(record, id=f"u{number}")
        else:
            yield record
