"""What is behaviour shows in a fingerprint, and the fields that differ are named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, strategies as st

from runwright.fingerprint import agree, fingerprint, fingerprint_digest
from runwright.trace import (
    FaultRecord,
    Header,
    HttpRecord,
    HttpRequest,
    HttpResponse,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Record,
    SideEffect,
    SideEffectRecord,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
    Trace,
)
from tests.fingerprint.runs import Ask, Rendering, Turn, rendered
from tests.fingerprint.test_same import runs

LANES = [Rendering(), Rendering(tools=False, mcp=False), Rendering(tool_ids=False), Rendering(timed=False)]
RUN = (
    Turn((Ask("lookup", {"order": "A-1", "deep": {"list": [{"n": 1}]}}), Ask("mail", {"to": "x"})), "looking"),
    Turn((Ask("refund", {"amount": 40}),), "refunding", model="large"),
    Turn(says="done"),
)


def differ(one: Trace, other: Trace) -> set[str]:
    """The fields that differ; the digests must too."""
    first, second = fingerprint(one), fingerprint(other)
    found = agree(first, second)
    assert (found.verdict == "DRIFTED") == (fingerprint_digest(first) != fingerprint_digest(second))
    assert {each.field for each in found.differences} <= {*found.compared}
    return {each.field for each in found.differences}


def with_ask(turn: int, ask: int, **changes: Any) -> tuple[Turn, ...]:
    asks = tuple(replace(each, **changes) if n == ask else each for n, each in enumerate(RUN[turn].asks))
    return tuple(replace(each, asks=asks) if n == turn else each for n, each in enumerate(RUN))


SEQUENCES = {"tool_sequences", "graph_hash"}
CHANGES: list[tuple[str, tuple[Turn, ...], set[str]]] = [
    ("a tool", with_ask(1, 0, name="refund_all"), {"tools", *SEQUENCES}),
    ("a key", with_ask(1, 0, arguments={"total": 40}), {"tools", "graph_hash"}),
    ("a key more", with_ask(1, 0, arguments={"amount": 40, "note": ""}), {"tools", "graph_hash"}),
    ("no key", with_ask(1, 0, arguments={}), {"tools", "graph_hash"}),
    ("a type", with_ask(1, 0, arguments={"amount": "40"}), {"tools", "graph_hash"}),
    ("null", with_ask(1, 0, arguments={"amount": None}), {"tools", "graph_hash"}),
    ("a type deep inside", with_ask(0, 0, arguments={"order": "A-1", "deep": {"list": [{"n": True}]}}),
     {"tools", "graph_hash"}),
    ("a list for its item", with_ask(0, 0, arguments={"order": "A-1", "deep": {"list": {"n": 1}}}),
     {"tools", "graph_hash"}),
    ("a model", (RUN[0], replace(RUN[1], model="huge"), RUN[2]), {"models", "graph_hash"}),
    ("which turn asks which model", (replace(RUN[0], model="large"), replace(RUN[1], model="gpt-4o-mini"), RUN[2]),
     {"graph_hash"}),
    ("a call twice in parallel", (RUN[0], Turn((Ask("refund", {"amount": 40}),) * 2, "refunding", "large"), RUN[2]),
     SEQUENCES),
    ("a call twice in a row", (*RUN[:2], replace(RUN[1], says="again"), RUN[2]), SEQUENCES),
    ("a call less", (replace(RUN[0], asks=RUN[0].asks[:1]), *RUN[1:]), {"tools", *SEQUENCES}),
    ("no call", (RUN[0], RUN[2]), {"tools", "models", *SEQUENCES}),
    ("a turn without calls", (RUN[0], Turn(says="hm"), *RUN[1:]), {"graph_hash"}),
    ("causal order", (RUN[1], RUN[0], RUN[2]), SEQUENCES),
    ("one after the other for both at once",
     (replace(RUN[0], asks=RUN[0].asks[:1]), Turn(RUN[0].asks[1:], "mailing"), *RUN[1:]), SEQUENCES),
    ("the outcome", (*RUN[:2], Turn(error=500)), {"outcome_class"}),
    ("a timeout", (*RUN[:2], Turn(error=504)), {"outcome_class"}),
    ("a call at the end", (*RUN[:2], Turn((Ask("mail", {"to": "x"}),))), {"outcome_class", *SEQUENCES}),
]  # fmt: skip


@pytest.mark.parametrize("how", LANES, ids=["all lanes", "replies alone", "tools without ids", "without times"])
@pytest.mark.parametrize(("other", "fields"), [each[1:] for each in CHANGES], ids=[each[0] for each in CHANGES])
def test_a_change(other: tuple[Turn, ...], fields: set[str], how: Rendering) -> None:
    assert differ(rendered(RUN, how), rendered(other, how)) == fields


@pytest.mark.parametrize("other", [each[1] for each in CHANGES], ids=[each[0] for each in CHANGES])
def test_a_change_seen_in_other_lanes_than_the_recording(other: tuple[Turn, ...]) -> None:
    for one in LANES:
        for two in LANES:
            assert differ(rendered(RUN, one), rendered(other, two)), (one, two)


@given(runs(), st.integers(0, 3), st.integers(0, 3))
def test_any_call_dropped_or_made_twice(run: tuple[Turn, ...], turn: int, ask: int) -> None:
    assume(turn < len(run) and ask < len(run[turn].asks))
    asks = run[turn].asks
    assume(sum(each.name == asks[ask].name for each in asks) < 2)
    for changed in ((*asks, asks[ask]), (*asks[:ask], *asks[ask + 1 :])):
        other = (*run[:turn], replace(run[turn], asks=changed), *run[turn + 1 :])
        assert "graph_hash" in differ(rendered(run), rendered(other))


@given(runs(), st.integers(0, 3), st.integers(0, 3))
def test_any_tool_renamed(run: tuple[Turn, ...], turn: int, ask: int) -> None:
    assume(turn < len(run) and ask < len(run[turn].asks))
    asks = list(run[turn].asks)
    asks[ask] = replace(asks[ask], name="another", server="")
    other = (*run[:turn], replace(run[turn], asks=tuple(asks)), *run[turn + 1 :])
    assert {"tools", *SEQUENCES} <= differ(rendered(run), rendered(other))


@given(runs(depth=0), st.integers(0, 2))
def test_any_two_turns_swapped(run: tuple[Turn, ...], at: int) -> None:
    assume(at + 1 < len(run))
    one, two = run[at], run[at + 1]
    assume((one.model, sorted(map(str, one.asks))) != (two.model, sorted(map(str, two.asks))))
    other = (*run[:at], replace(two, says=one.says), replace(one, says=two.says), *run[at + 2 :])
    one_print, two_print = fingerprint(rendered(run)), fingerprint(rendered(other))
    assume(_values_differ_alone(one, two) is False)
    assert one_print.graph_hash != two_print.graph_hash


def _values_differ_alone(one: Turn, two: Turn) -> bool:
    """Whether the turns differ in no more than the values of arguments, which do not enter."""
    shapes = [(each.model, fingerprint(rendered((each,))).graph_hash) for each in (one, two)]
    return shapes[0] == shapes[1]


def test_a_tool_renamed_in_half_the_calls() -> None:
    turns = [Turn((Ask("lookup", {"n": 1}),), f"turn {n}") for n in range(8)]
    other = [replace(each, asks=(Ask("search", {"n": 1}),)) if n % 2 else each for n, each in enumerate(turns)]
    assert differ(rendered(turns), rendered(other)) == {"tools", *SEQUENCES}


def test_one_side_of_a_pair_of_nested_runs_swapped() -> None:
    left, right = ((Turn((Ask(name),), agent="w"), Turn(says=name, agent="w")) for name in ("left", "right"))
    one, other = (
        rendered((Turn((Ask("a", {}, first), Ask("b", {}, second))), Turn(says="end")))
        for first, second in ((left, right), (right, left))
    )
    assert differ(one, other) == {"graph_hash"}


def test_two_nested_runs_in_one_call_for_one_in_each() -> None:
    inside = (Turn((Ask("x"),), says="go", agent="w"),)
    both = (*inside, replace(inside[0], says="on"))
    one = rendered((Turn((Ask("sub", {}, inside), Ask("sub", {}, inside))), Turn(says="end")))
    other = rendered((Turn((Ask("sub", {}, both), Ask("sub"))), Turn(says="end")))
    assert "graph_hash" in differ(one, other)


def test_sequences_are_told_agent_by_agent() -> None:
    both = (Turn((Ask("a"),), "1", agent="p"), Turn((Ask("b"),), "2", agent="w"), Turn((Ask("c"),), "3", agent="p"))
    assert fingerprint(rendered(both)).tool_sequences == (("a x1", "c x1"), ("b x1",))
    alone = tuple(replace(each, agent="p") for each in both)
    assert fingerprint(rendered(alone)).tool_sequences == (("a x1", "b x1", "c x1"),)
    assert "tool_sequences" in differ(rendered(both), rendered(alone))


def test_what_runs_inside_a_call_stands_behind_it_and_before_what_follows() -> None:
    inside = tuple(Turn((Ask(name),), name) for name in "xyz")
    run = (Turn((Ask("a", {}, inside),), "1"), Turn((Ask("b"),), "2"), Turn(says="end"))
    assert fingerprint(rendered(run)).tool_sequences == (("a x1", "x x1", "y x1", "z x1", "b x1"),)


def test_two_requests_that_follow_one_call_for_one_that_follows_each() -> None:
    def run(*answers: str) -> Trace:
        calls = tuple(ToolCallBlock(id=each, name="look") for each in ("c1", "c2"))
        asked = ModelRecord(
            id="m0", request=ModelRequest(api="a", model="m"), response=ModelResponse(content=calls), fidelity="raw"
        )
        told = [Message(role="tool", content=(ToolResultBlock(call_id=each),)) for each in answers]
        later = tuple(
            ModelRecord(id=f"m{n}", request=ModelRequest(api="a", model="m", messages=(each,)), fidelity="raw")
            for n, each in enumerate(told, start=1)
        )
        return Trace(header=Header(kind="run", trace_id="t"), records=(asked, *later))

    same = [fingerprint(run(*each)).graph_hash for each in (("c1", "c1"), ("c2", "c2"), ("c1", "c2"), ("c2", "c1"))]
    assert same[0] == same[1] != same[2] == same[3]


# --- one lane against the others ------------------------------------------------------------------


def changed(trace: Trace, edit: Callable[[Record], Record | None]) -> Trace:
    records = tuple(each for each in map(edit, trace.records) if each is not None)
    assert records != trace.records
    return msgspec.structs.replace(trace, records=records)


def tool_edit(**fields: Any) -> Callable[[Record], Record]:
    def edit(record: Record) -> Record:
        is_it = isinstance(record, ToolRecord) and record.name == "refund"
        return msgspec.structs.replace(record, **fields) if is_it else record

    return edit


@pytest.mark.parametrize(
    ("edit", "fields"),
    [
        (tool_edit(name="refund_all"), {"tools", *SEQUENCES}),
        (tool_edit(arguments={"amount": 40, "twice": True}), {"tools", "graph_hash"}),
        (tool_edit(outcome="error"), {"outcome_class"}),
        (tool_edit(outcome="denied"), {"outcome_class"}),
    ],
    ids=["name", "arguments", "error", "denied"],
)
def test_a_tool_that_did_something_else_than_was_asked(edit: Callable[[Record], Record], fields: set[str]) -> None:
    trace = rendered(RUN)
    assert differ(trace, changed(trace, edit)) == fields


@pytest.mark.parametrize("call_id", [None, "call_3", "another"])
def test_a_tool_that_ran_twice_for_one_request(call_id: str | None) -> None:
    trace = rendered(RUN)
    ran = next(each for each in trace.records if isinstance(each, ToolRecord) and each.name == "refund")
    twice = (*trace.records, msgspec.structs.replace(ran, id="again", call_id=call_id))
    assert differ(trace, msgspec.structs.replace(trace, records=twice)) == SEQUENCES


def test_a_reply_that_asks_for_another_shape_than_the_tool_got() -> None:
    trace = rendered(RUN)

    def edit(record: Record) -> Record:
        text = msgspec.json.encode(record).replace(b'"amount":40', b'"amount":"40"')
        return msgspec.json.decode(text, type=Record) if not isinstance(record, ToolRecord) else record

    assert differ(trace, changed(trace, edit)) == {"tools", "graph_hash"}


# --- the other lanes ------------------------------------------------------------------------------


def http(number: int, method: str, url: str) -> HttpRecord:
    request = HttpRequest(method=method, url=url)
    return HttpRecord(id=f"h{number}", request=request, response=HttpResponse(status=200), fidelity="raw")


def effect(number: int, kind: Any, target: str = "out.csv") -> SideEffectRecord:
    return SideEffectRecord(id=f"e{number}", side_effect=SideEffect(kind=kind, target=target))


def also(*records: Record, **header: Any) -> Trace:
    trace = rendered(RUN, **header)
    return msgspec.structs.replace(trace, records=(*trace.records, *records))


URL = "https://shop.example/orders/A-4471?state=open"


@pytest.mark.parametrize(
    "other",
    [
        http(1, "POST", URL),
        http(1, "GET", URL.replace("orders", "refunds")),
        http(1, "GET", URL.replace("shop", "test")),
        http(1, "GET", URL.replace("https", "http")),
        http(1, "GET", URL.replace("shop.example", "shop.example:8443")),
        http(1, "GET", URL.replace("state", "page")),
        http(1, "GET", URL.replace("A-4471", "A-4471/lines")),
    ],
    ids=["method", "path", "host", "scheme", "port", "query key", "deeper"],
)
def test_an_endpoint(other: HttpRecord) -> None:
    assert differ(also(http(1, "GET", URL)), also(other)) == {"endpoints"}


def test_an_endpoint_called_twice() -> None:
    one = http(1, "POST", URL)
    assert differ(also(one), also(one, http(2, "POST", URL))) == {"endpoints"}


def test_an_effect() -> None:
    assert differ(also(effect(1, "fs_write")), also(effect(1, "fs_write"), effect(2, "fs_write"))) == {
        "side_effect_kinds"
    }
    watched = {"observation": {"fs_write": "observed", "fs_delete": "observed"}}
    assert differ(also(effect(1, "fs_write"), **watched), also(effect(1, "fs_delete"), **watched)) == {
        "side_effect_kinds"
    }
    assert differ(also(effect(1, "fs_write"), **watched), also(**watched)) == {"side_effect_kinds"}


def test_an_effect_that_one_side_did_not_watch_is_not_compared() -> None:
    found = agree(fingerprint(also(effect(1, "fs_write"))), fingerprint(also()))
    assert found.verdict == "SAME"
    assert "fs_write: the live side could not know" in found.not_compared


def test_the_order_of_http_exchanges_in_a_run_of_nothing_else() -> None:
    first, second = http(1, "GET", URL), http(2, "POST", URL)
    one = Trace(header=rendered(RUN).header, records=(first, msgspec.structs.replace(second, after=("h1",))))
    other = Trace(header=one.header, records=(second, msgspec.structs.replace(first, after=("h2",))))
    assert fingerprint(one).graph_hash != fingerprint(other).graph_hash


def test_a_cut_reply_and_an_interruption() -> None:
    trace = rendered(RUN)
    cut = msgspec.structs.replace(trace, complete=False)
    assert differ(trace, cut) == {"outcome_class"}
    fault = FaultRecord(id="f1", kind="interruption", detail="killed")
    assert differ(trace, also(fault)) == {"outcome_class"}


def test_values_of_arguments_do_not_enter() -> None:
    other = with_ask(1, 0, arguments={"amount": 41.5})
    assert differ(rendered(RUN), rendered(other)) == set()


def test_a_block_of_no_json_is_told_from_one() -> None:
    trace = rendered(RUN, Rendering(tools=False))

    def edit(record: Record) -> Record:
        content = getattr(getattr(record, "response", None), "content", ())
        blocks = tuple(
            msgspec.structs.replace(each, arguments=None, arguments_text="{amount") for each in content
            if isinstance(each, ToolCallBlock) and each.name == "refund"
        )  # fmt: skip
        if not blocks:
            return record
        return msgspec.structs.replace(record, response=msgspec.structs.replace(record.response, content=blocks))

    assert {"tools", "graph_hash"} <= differ(trace, changed(trace, edit))
