"""Values new in every run match; values that somebody gave the agent do not change."""

from __future__ import annotations

import pytest

from runwright.match import Miss, Served
from runwright.match.volatile import template
from runwright.trace.model import MessageRecord, ModelResponse, ToolCallBlock
from tests.match.build import A, B, C, answered, ask, asks, called, cassette, exchange, matcher, reply, said, text

FRESH: dict[str, tuple[str, str]] = {
    "uuid": (f"session {A} opened", f"session {B} opened"),
    "uuid in a path": (f"/sessions/{A}/log", f"/sessions/{B}/log"),
    "date-time": ("now 2026-11-30T10:00:07Z", "now 2027-03-01T08:00:09Z"),
    "date-time with microseconds or none": ("now 2026-11-30T10:00:07.123456Z", "now 2027-03-01T08:00:09Z"),
    "date-time with an offset": ("now 2026-11-30T11:00:07+01:00", "now 2027-03-01T08:00:09+00:00"),
    "naive date-time": ("now 2026-11-30 10:00:07", "now 2027-03-01 08:00:09"),
    "within the grace": ("now 2026-11-30T10:05:10Z", "now 2027-03-01T07:55:10Z"),
    "date": ("today is 2026-11-30.", "today is 2027-03-01."),
    "http date": ("Date: Mon, 30 Nov 2026 10:00:07 GMT", "Date: Mon, 01 Mar 2027 08:00:09 GMT"),
    "call id": ("call_9f8Ee7d6C5b4A3f2", "call_0a1b2C3d4E5f6g7H"),
    "toolu id": ("toolu_01A09q90qw90lq917835lq9", "toolu_01B12r34st56uv78wx90yz1"),
    "message id of a cloud": ("msg_bdrk_01A09q90qw90lq917835lq9", "msg_bdrk_01B12r34st56uv78wx90yz1"),
    "request id": ("see req_7f3a9c21be", "see req_1c2d3e4f5a"),
    "ulid": ("id 01JDX3KZ8M0000000000000000", "id 01JDX4AB9N5C7E1F2G3H4J5K6M"),
    "loopback port": ("at http://127.0.0.1:54321/v1", "at http://127.0.0.1:40112/v1"),
    "temporary file": ("wrote /tmp/tmpab12cd_9/report.csv", "wrote /tmp/tmpzz00yy_1/report.csv"),
    "two in one text": (f"{A} at 2026-11-30T10:00:07Z", f"{B} at 2027-03-01T08:00:09Z"),
}


@pytest.mark.parametrize(("recorded", "live"), FRESH.values(), ids=FRESH)
def test_a_fresh_value_matches(recorded: str, live: str) -> None:
    assert isinstance(matcher(exchange("m1", ask(recorded))).serve(ask(live), False), Served)


EXACT: dict[str, tuple[str, str]] = {
    "a flight in 2026 that becomes 2031": ("fly on 2026-12-24", "fly on 2031-12-24"),
    "a date far from the run, live in it": ("fly on 2026-12-24", "fly on 2027-03-01"),
    "a date in the run, live far from it": ("today is 2026-11-30", "today is 2031-11-30"),
    "a moment just outside the grace": ("at 2026-11-30T10:05:31Z", "at 2027-03-01T08:00:09Z"),
    "a live moment just outside the grace": ("at 2026-11-30T10:00:07Z", "at 2027-03-01T08:05:31Z"),
    "no time at all": ("at 2026-11-30T99:00:07Z", "at 2027-03-01T08:00:09Z"),
    "another zone's spelling": ("at 2026-11-30T10:00:07Z", "at 2027-03-01T08:00:09+00:00"),
    "a bare integer": ("ticket 12345", "ticket 54321"),
    "a bare integer that is a stamp": ("at 1796032800", "at 1803974400"),
    "words that begin like ids": ("use run_experiment_one", "use run_experiment_two"),
    "a name with one number": ("use run_20261130", "use run_20270301"),
    "two kinds of id": ("call_9f8Ee7d6C5b4A3f2", "toolu_9f8Ee7d6C5b4A3f2"),
    "another host": ("at http://127.0.0.1:54321/v1", "at http://localhost:54321/v1"),
    "a port elsewhere": ("at db.example.com:54321", "at db.example.com:54322"),
    "a file that is not temporary": ("/tmp/report-a.csv", "/tmp/report-b.csv"),
    "a digest": ("9e107d9d372bb6826bd81d3542a419d6", "e4d909c290d0fb1ca068ffaddf22cbd0"),
    "the text around": (f"open session {A}", f"close session {B}"),
    "one token more": (f"session {A}", f"session {A} {B}"),
    "a token for a word": (f"session {A}", "session none"),
}


@pytest.mark.parametrize(("recorded", "live"), EXACT.values(), ids=EXACT)
def test_anything_else_is_compared_exactly(recorded: str, live: str) -> None:
    miss = matcher(exchange("m1", ask(recorded))).serve(ask(live), False)
    assert isinstance(miss, Miss)
    assert [each.path for each in miss.differences] == ["$.request.messages[0].content[0].text"]


def test_times_are_exact_where_the_recording_has_no_window() -> None:
    trace = cassette(exchange("m1", ask("today is 2026-11-30")), started_at=None)
    assert isinstance(matcher(trace=trace).serve(ask("today is 2027-03-01"), False), Miss)
    trace = cassette(exchange("m1", ask("today is 2026-11-30")), started_at=None)
    assert isinstance(matcher(trace=trace).serve(ask("today is 2026-11-30"), False), Served)


def test_a_uuid_used_consistently_matches() -> None:
    recorded = asks(said("system", f"session {A}"), said("user", f"in {A} and {C}"))
    live = asks(said("system", f"session {B}"), said("user", f"in {B} and {C}"))
    assert isinstance(matcher(exchange("m1", recorded)).serve(live, False), Served)


@pytest.mark.parametrize(
    ("recorded", "live"),
    [
        (f"{A} then {A}", f"{B} then {C}"),
        (f"{A} then {C}", f"{B} then {B}"),
        (f"{A} then {A}", f"{A} then {B}"),
        (f"{A} then {A}", f"{B} then {A}"),
        (f"{A} then {B}", f"{B} then {A}"),
    ],
    ids=["one becomes two", "two become one", "kept, then not", "not, then kept", "exchanged"],
)
def test_a_uuid_used_inconsistently_is_a_difference(recorded: str, live: str) -> None:
    assert isinstance(matcher(exchange("m1", ask(recorded))).serve(ask(live), False), Miss)


def test_bindings_hold_over_the_whole_session() -> None:
    def session(second: str) -> Miss | Served:
        matches = matcher(exchange("m1", ask(f"open {A}")), exchange("m2", ask(f"close {A}")))
        assert isinstance(matches.serve(ask(f"open {B}"), False), Served)
        return matches.serve(ask(f"close {second}"), False)

    assert isinstance(session(B), Served)
    assert isinstance(session(C), Miss)
    assert isinstance(session(A), Miss)


def test_another_customers_uuid_is_a_difference_where_the_prompt_gave_it() -> None:
    assert isinstance(
        matcher(exchange("m1", ask(f"refund {A}")), given=[f"refund {A}"]).serve(ask(f"refund {A}"), False), Served
    )
    assert isinstance(
        matcher(exchange("m1", ask(f"refund {A}")), given=[f"refund {A}"]).serve(ask(f"refund {B}"), False), Miss
    )


def test_also_where_the_agent_spells_it_otherwise() -> None:
    matches = matcher(exchange("m1", ask(f"refund {A}")), given=[f"refund {A.upper()}"])
    assert isinstance(matches.serve(ask(f"refund {B}"), False), Miss)


def test_also_where_only_the_cassette_says_what_the_user_said() -> None:
    user = MessageRecord(id="u1", role="user", content=(text(f"refund {A}"),))
    assert isinstance(matcher(user, exchange("m1", ask(f"refund {A}"))).serve(ask(f"refund {B}"), False), Miss)


def test_a_given_value_may_not_take_a_fresh_ones_place() -> None:
    matches = matcher(exchange("m1", ask(f"trace {B} refund {A}")), given=[f"refund {A}"])
    assert isinstance(matches.serve(ask(f"trace {A} refund {A}"), False), Miss)


def replied(value: str, live: str) -> Miss | Served:
    """A reply gave `A`; the next request must hold it where the recording does."""
    matches = matcher(
        exchange("m1", ask("who"), reply(f"customer {A}")), exchange("m2", ask(f"look up {value}"), after=("m1",))
    )
    assert isinstance(matches.serve(ask("who"), False), Served)
    return matches.serve(ask(f"look up {live}"), False)


def test_another_customers_uuid_is_a_difference_where_a_reply_gave_it() -> None:
    assert isinstance(replied(A, A), Served)
    assert isinstance(replied(A, B), Miss)
    assert isinstance(replied(B, A), Miss)
    assert isinstance(replied(B, C), Served)


def calls(*ids: str) -> ModelResponse:
    content = tuple(ToolCallBlock(id=each, name="lookup", arguments={"n": n}) for n, each in enumerate(ids))
    return ModelResponse(content=content, stop_reason="tool_calls")


X, Y = "call_9f8Ee7d6C5b4A3f2", "call_0a1b2C3d4E5f6g7H"


def test_swapped_call_ids_are_a_difference() -> None:
    turn = called((X, "lookup", {"n": 0}), (Y, "lookup", {"n": 1}))
    wrong = called((Y, "lookup", {"n": 0}), (X, "lookup", {"n": 1}))

    def second(*messages: object) -> Miss | Served:
        recorded = asks(said("user", "go"), turn, answered(X, "one"), answered(Y, "two"))
        matches = matcher(exchange("m1", ask("go"), calls(X, Y)), exchange("m2", recorded, after=("m1",)))
        assert isinstance(matches.serve(ask("go"), False), Served)
        return matches.serve(asks(said("user", "go"), *messages), False)  # type: ignore[arg-type]

    assert isinstance(second(turn, answered(X, "one"), answered(Y, "two")), Served)
    assert isinstance(second(turn, answered(Y, "two"), answered(X, "one")), Served)
    assert isinstance(second(turn, answered(Y, "one"), answered(X, "two")), Miss)
    assert isinstance(second(wrong, answered(Y, "one"), answered(X, "two")), Miss)


def test_a_value_that_a_real_tool_made_may_come_back_in_a_served_reply() -> None:
    """The tool makes a new id in each run; the recorded reply still names the recorded one."""
    turn = called((X, "create", {}))
    first = asks(said("user", "go"), turn, answered(X, f"made {A}"))
    then = asks(*first.messages, said("assistant", f"I made {A}"), said("user", "thanks"))
    matches = matcher(
        exchange("m1", ask("go"), calls(X)),
        exchange("m2", first, reply(f"I made {A}"), after=("m1",)),
        exchange("m3", then, after=("m2",)),
    )
    live = asks(said("user", "go"), turn, answered(X, f"made {B}"))
    assert isinstance(matches.serve(ask("go"), False), Served)
    assert isinstance(matches.serve(live, False), Served)
    again = asks(*live.messages, said("assistant", f"I made {A}"), said("user", "thanks"))
    assert isinstance(matches.serve(again, False), Served)


def test_a_coarse_clock_may_repeat_itself() -> None:
    recorded = asks(said("user", "at 2026-11-30T10:00:07Z"), said("user", "at 2026-11-30T10:00:09Z"))
    live = asks(said("user", "at 2027-03-01T08:00:02Z"), said("user", "at 2027-03-01T08:00:02Z"))
    assert isinstance(matcher(exchange("m1", recorded)).serve(live, False), Served)


def test_a_fine_clock_may_not() -> None:
    recorded = asks(said("user", "at 2026-11-30T10:00:07.000001Z"), said("user", "at 2026-11-30T10:00:07.000009Z"))
    live = asks(said("user", "at 2027-03-01T08:00:02.000001Z"), said("user", "at 2027-03-01T08:00:02.000001Z"))
    assert isinstance(matcher(exchange("m1", recorded)).serve(live, False), Miss)


def test_a_date_that_a_later_reply_repeats_stays_volatile() -> None:
    dated = said("system", "today is 2026-11-30")
    matches = matcher(
        exchange("m1", asks(dated, said("user", "day?")), reply("it is 2026-11-30")),
        exchange("m2", asks(dated, said("user", "day?"), said("assistant", "it is 2026-11-30"), said("user", "ok"))),
    )
    today = said("system", "today is 2027-03-01")
    assert isinstance(matches.serve(asks(today, said("user", "day?")), False), Served)
    then = asks(today, said("user", "day?"), said("assistant", "it is 2026-11-30"), said("user", "ok"))
    assert isinstance(matches.serve(then, False), Served)


def test_a_volatile_key_matches_as_a_value_does() -> None:
    recorded = asks(called(("c", "save", {A: 1, "n": 2})))
    assert isinstance(
        matcher(exchange("m1", recorded)).serve(asks(called(("c", "save", {B: 1, "n": 2}))), False), Served
    )
    assert isinstance(matcher(exchange("m1", recorded)).serve(asks(called(("c", "save", {B: 9, "n": 2}))), False), Miss)
    assert isinstance(
        matcher(exchange("m1", recorded)).serve(asks(called(("c", "save", {"x": 1, "n": 2}))), False), Miss
    )


def test_the_model_name_is_never_volatile() -> None:
    recorded, live = ask("hi", model="gpt-2026-11-30"), ask("hi", model="gpt-2027-03-01")
    assert isinstance(matcher(exchange("m1", recorded)).serve(live, False), Miss)


def test_a_template_keeps_every_character() -> None:
    value = f"a {A} b 2026-11-30 c"
    parts = template(value)
    assert (
        "".join(x + t.value for x, t in zip(parts.literals, parts.tokens, strict=False)) + parts.literals[-1] == value
    )
    assert all(value[token.start :].startswith(token.value) for token in parts.tokens)
