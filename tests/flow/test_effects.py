"""Assertions on side effects: their forms, what they hold of, and what a failed one shows."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from runwright.errors import FlowError
from runwright.flow import FieldDifference, Judgement, Surroundings, evidence_of, judge
from runwright.flow.prose import prose
from runwright.flow.structured import assertion_of
from runwright.trace.digests import digest_bytes
from runwright.trace.model import EFFECT_KINDS, EffectState, FaultRecord, SideEffect, SideEffectRecord, Trace
from tests.flow.made import M1, trace
from tests.flow.test_prose import CLAUSES, MATCHERS

MUST, NONE = "assert_side_effect", "assert_no_side_effect"


def state(text: str) -> EffectState:
    return EffectState(digest=digest_bytes(text.encode()), size=len(text), content=text)


def written(target: str, text: str, op: str = "create") -> SideEffect:
    return SideEffect(kind="fs_write", target=target, op=op, after=state(text), diff=f"+{text}\n")


REPORT = written("out/report.csv", "A-1,40")
LOG = written("out/run.log", "one\ntwo", "append")
KEPT_NOT = SideEffect(
    kind="fs_write", target="out/big.bin", op="create", after=EffectState(digest=digest_bytes(b"big"), size=3)
)
OUTSIDE = SideEffect(kind="fs_write", target="/outside/0011223344556677", op="create", after=EffectState(size=5))
MOVED = SideEffect(kind="fs_rename", target="draft.py", op="move", detail={"to": "src/app.py"})
POST = SideEffect(kind="http_request", target="https://a.example/v1/refunds", op="POST", detail={"status": 201})
CONNECT = SideEffect(kind="http_request", target="tcp://203.0.113.7:443", op="connect")
ROW = SideEffect(
    kind="db_change",
    target="shop.sqlite/orders/7",
    op="update",
    before=state('{"id": 7, "amount": 40}'),
    after=state('{"id": 7, "amount": 0}'),
    detail={"columns": ["amount"]},
)


def lane(*made: SideEffect, how: str = "observed", hides: tuple[str, ...] = ()) -> Trace:
    records = [SideEffectRecord(id=f"e{n}", side_effect=each) for n, each in enumerate(made, 1)]
    faults = [FaultRecord(id="f1", kind="observer_failed", detail="d", hides=hides)] if hides else []
    return trace(M1, *records, *faults, **dict.fromkeys(EFFECT_KINDS, how))


def looked_at(*servers: str, made: tuple[SideEffect, ...] = ()) -> Trace:
    """The same where databases of servers were looked at."""
    found = lane(*made)
    return replace(found, header=replace(found.header, ext={"observe": {"servers": list(servers)}}))


def judged(key: str, value: object, live: Trace) -> Judgement:
    return judge(assertion_of(key, value, "f"), evidence_of(live, Surroundings()))


# --- the two forms -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("fs", {"kind": "fs"}),
        ("fs_write out/a.csv once", {"kind": "fs_write", "target": "out/a.csv", "times": 1}),
        ("fs except out/**, a b", {"kind": "fs", "except": ["out/**", "a b"]}),
        (
            "http_request POST https://a.example/x at least 2 times",
            {"kind": "http_request", "target": "POST https://a.example/x", "at_least": 2},
        ),
        (
            "fs_write where op equals create and after.content contains 40",
            {"kind": "fs_write", "op": "create", "after": {"content": {"contains": "40"}}},
        ),
        (
            "fs_write where op equals create and diff matches x or op equals modify and diff matches x",
            {"kind": "fs_write", "op": ["create", "modify"], "diff": {"matches": "x"}},
        ),
        (
            "http_request where detail.status is 201 and detail.via is proxy",
            {"kind": "http_request", "detail": {"status": 201}, "where": {"detail.via": "proxy"}},
        ),
        ('fs_write "where" except "a, b" once', {
            "kind": "fs_write", "target": "where", "except": ["a, b"], "times": 1,
        }),
        ("db_change shop.sqlite/orders/*, 7", {"kind": "db_change", "target": "shop.sqlite/orders/*, 7"}),
    ],
)  # fmt: skip
def test_prose_and_structure_mean_the_same(text: str, form: object) -> None:
    value = assertion_of(MUST, form, "f")
    assert assertion_of(MUST, text, "f") == value
    assert assertion_of(MUST, prose(value).partition(": ")[2], "f") == value


TARGETS = st.sampled_from(
    ["a", "out/**", "POST https://a/b", "where", "a where b", "once", '"q"', "a,b", "at most 3 times"]
)
TARGETS |= st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
STATES = st.fixed_dictionaries({}, optional={"content": MATCHERS, "digest": MATCHERS, "size": MATCHERS}).filter(bool)
FORMS = st.fixed_dictionaries(
    {"kind": st.sampled_from(["http_request", "db_change"])},
    optional={
        "target": TARGETS,
        "except": st.lists(TARGETS, min_size=1, max_size=2),
        "op": st.lists(st.sampled_from(["POST", "GET"]), min_size=1, max_size=2),
        "before": STATES,
        "after": STATES,
        "diff": MATCHERS,
        "detail": CLAUSES,
        "times": st.integers(1, 4),
    },
)


@given(FORMS)
def test_structure_to_prose_and_back_is_the_same(form: dict[str, object]) -> None:
    if form["kind"] == "db_change":
        form = {key: value for key, value in form.items() if key != "op"}
    value = assertion_of(MUST, form, "f")
    assert assertion_of(MUST, prose(value).partition(": ")[2], "f") == value
    form.pop("times", None)
    none = assertion_of(NONE, form, "f")
    assert assertion_of(NONE, prose(none).partition(": ")[2], "f") == none


@pytest.mark.parametrize(
    ("form", "why", "hint"),
    [
        ({"kind": "fs_write", "op": "creat"}, "'creat' is not what is done in a fs_write", "did you mean 'create'"),
        ({"kind": "fs_delete", "op": "modify"}, "'modify' is not what is done in a fs_delete", "known: delete, rmdir"),
        ({"kind": "fs", "op": "POST"}, "not what is done in a fs", "known: create"),
        ({"kind": "http_request", "op": "post"}, "'post' is no method", "did you mean 'POST'"),
        ({"kind": "db_change", "where": {"op": "upsert"}}, "not what is done", "insert"),
        ({"kind": "fs_write", "where": {"after.contents": "x"}}, "has no after.contents", "'content'"),
        ({"kind": "fs_write", "where": {"content": "x"}}, "has no content", "known: op"),
        ({"kind": "fs_write", "where": {"detail.modes": "x"}}, "has no detail.modes", "'mode'"),
        ({"kind": "fs_write", "where": {"$": "x"}}, "has no $", ""),
        ("fs_write where afetr.size > 1", "has no afetr.size", "'after'"),
    ],
)
@pytest.mark.parametrize("key", [MUST, NONE])
def test_what_no_effect_has_is_refused(key: str, form: object, why: str, hint: str) -> None:
    with pytest.raises(FlowError) as caught:
        assertion_of(key, form, "f")
    assert (why in caught.value.message, hint in caught.value.hint) == (True, True), caught.value


# --- what they hold of -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "live", "expected"),
    [
        ("fs out/report.csv", lane(REPORT), "held"),
        ("fs out/report.csv where op is create", lane(REPORT), "held"),
        ("fs_write where op is modify", lane(REPORT), "failed"),
        ({"kind": "fs_write", "op": ["append", "modify"]}, lane(REPORT, LOG), "held"),
        ("fs_write where after.content contains A-1", lane(REPORT), "held"),
        ("fs_write where after.content contains A-2", lane(REPORT), "failed"),
        ("fs_write where after.size < 10", lane(REPORT), "held"),
        ("fs_write where after.size > 10", lane(REPORT), "failed"),
        (f"fs_write where after.digest is {digest_bytes(b'A-1,40')}", lane(REPORT), "held"),
        ("fs_write where after.digest is blake3:00", lane(REPORT), "failed"),
        ("fs_write where diff contains +A-1", lane(REPORT), "held"),
        ("fs_write where diff contains -A-1", lane(REPORT), "failed"),
        ("fs_write where before is absent", lane(REPORT), "held"),
        ("fs_write where before exists", lane(REPORT), "failed"),
        ("http_request where detail.status is 201", lane(POST), "held"),
        ("http_request where detail.status is 200", lane(POST), "failed"),
        ("db_change where before.content.amount is 40 and after.content.amount is 0", lane(ROW), "held"),
        ("db_change where after.content.amount is 40", lane(ROW), "failed"),
        ("db_change where detail.columns contains amount", lane(ROW), "held"),
        ("fs_write once", lane(REPORT), "held"),
        ("fs_write once", lane(REPORT, LOG), "failed"),
        ("fs_write out/* except out/run.log once", lane(REPORT, LOG), "held"),
        ("fs_write twice", lane(REPORT), "failed"),
        ("fs_write at least 2 times", lane(REPORT, LOG), "held"),
        ("fs_write at least 2 times", lane(REPORT, LOG, how="not_observed"), "held"),
        ("fs_write at most 2 times", lane(REPORT, LOG), "held"),
        ("fs_write at most 1 times", lane(REPORT, LOG), "failed"),
        ("fs_write at most 1 times", lane(REPORT, LOG, how="not_observed"), "failed"),
        ("fs_write at most 2 times", lane(REPORT, LOG, how="not_observed"), "capability"),
        ("fs_write at most 2 times", lane(REPORT, hides=("fs_write",)), "not_judged"),
        ({"kind": "fs_write", "at_least": 0, "at_most": 1}, lane(), "held"),
        ("fs except out/report.csv", lane(REPORT), "failed"),
        # a move is on both of its paths
        ("fs_rename draft.py", lane(MOVED), "held"),
        ("fs_rename src/**", lane(MOVED), "held"),
        ("fs_rename where detail.to is src/app.py", lane(MOVED), "held"),
        ("fs_rename out/**", lane(MOVED), "failed"),
        # what was not kept
        ("fs_write where after.content contains x", lane(KEPT_NOT), "not_judged"),
        ("fs_write where after.content does not contain x", lane(KEPT_NOT), "not_judged"),
        ("fs_write where after.content is big", lane(KEPT_NOT), "held"),
        ("fs_write where after.content is small", lane(KEPT_NOT), "failed"),
        ("fs_write where diff contains x", lane(KEPT_NOT), "not_judged"),
        ("fs_write where after.content contains x and op is modify", lane(KEPT_NOT), "failed"),
        ("fs_write where after.content contains x or op is create", lane(KEPT_NOT), "held"),
        ("fs_write where after.content contains A-1", lane(KEPT_NOT, REPORT), "held"),
        ("fs_write once where after.content contains A-1", lane(KEPT_NOT, REPORT), "not_judged"),
        ("fs_write where after.digest is blake3:00", lane(OUTSIDE), "not_judged"),
        ("fs_write where after.size is 5", lane(OUTSIDE), "held"),
        ("http_request where detail.status is 201", lane(CONNECT), "not_judged"),
        ("http_request where detail.status is absent", lane(CONNECT), "held"),
        ("fs_write where detail.mode is 0755", lane(REPORT), "failed"),
    ],
)
def test_assert_side_effect(value: object, live: Trace, expected: str) -> None:
    found = judged(MUST, value, live)
    assert found.state == expected, found


@pytest.mark.parametrize(
    ("value", "live", "expected"),
    [
        ("fs", lane(), "held"),
        ("fs", lane(REPORT), "failed"),
        ("fs", lane(POST), "held"),
        ("fs", lane(hides=("fs_rename",)), "not_judged"),
        ("fs", lane(hides=("http_request",)), "held"),
        ("fs", lane(how="not_observed"), "capability"),
        ("fs_write where op is modify", lane(REPORT), "held"),
        ("fs_write where op is create", lane(REPORT), "failed"),
        ("fs_write where after.content contains A-1", lane(REPORT), "failed"),
        ("fs_write where after.content contains A-2", lane(REPORT), "held"),
        ("fs_write where after.content contains A-2", lane(REPORT, KEPT_NOT), "not_judged"),
        ("fs_write except out/big.bin where after.content contains A-2", lane(REPORT, KEPT_NOT), "held"),
        ("fs_write where after.content is big", lane(KEPT_NOT), "failed"),
        ("fs_write where after.content is small", lane(KEPT_NOT), "held"),
        ("http_request where detail.status at least 500", lane(POST), "held"),
        ("http_request where detail.status at least 200", lane(POST), "failed"),
        ("http_request where detail.status at least 500", lane(CONNECT), "not_judged"),
        ("http_request where detail.statsu at least 200", lane(POST), "not_judged"),
        # a move is on both of its paths, and what is allowed at the one is not at the other
        ("fs src/**", lane(MOVED), "failed"),
        ("fs draft.py", lane(MOVED), "failed"),
        ("fs except draft.py", lane(MOVED), "failed"),
        ("fs except src/**", lane(MOVED), "failed"),
        ("fs except draft.py, src/**", lane(MOVED), "held"),
    ],
)
def test_assert_no_side_effect(value: object, live: Trace, expected: str) -> None:
    found = judged(NONE, value, live)
    assert found.state == expected, found


def test_the_group_needs_all_of_its_kinds_watched() -> None:
    live = trace(M1, fs_write="observed", fs_delete="observed", fs_rename="observed", fs_truncate="not_observed")
    found = judged(NONE, "fs", live)
    assert (found.state, "fs_truncate is not observed here" in found.detail) == ("capability", True)


# --- what a failed one shows -------------------------------------------------------------------------


def test_the_nearest_effect_and_the_fields_that_differ() -> None:
    found = judged(MUST, "fs_write out/report.csv where op is create and after.content contains A-2", lane(LOG, REPORT))
    assert found.detail == "seen instead: fs_write out/run.log (e1); fs_write out/report.csv (e2)"
    assert found.nearest == "e2 fs_write out/report.csv"
    wanted = 'contains "A-2"'
    assert found.differences == (FieldDifference(path="after.content", recorded=wanted, live="A-1,40"),)


@pytest.mark.parametrize(
    ("value", "live", "differences"),
    [
        ("fs_write out/a.csv", lane(REPORT), [("target", "out/a.csv", "out/report.csv")]),
        ("fs_write except out/*", lane(REPORT), [("target", "none of out/*", "out/report.csv")]),
        ("fs_delete out/report.csv", lane(REPORT), [("kind", "fs_delete", "fs_write")]),
        ("fs_write where op is modify", lane(REPORT), [("op", "modify", "create")]),
        ("fs_write where after.size > 9", lane(REPORT), [("after.size", "is greater than 9", 6)]),
        ("http_request where detail.status is 200", lane(POST), [("detail.status", 200, 201)]),
        ("db_change where after.content.amount is 40", lane(ROW), [("after.content.amount", 40, 0)]),
        ("fs_write where after.size > 9 or op is modify", lane(REPORT), [("after.size", "is greater than 9", 6)]),
    ],
)
def test_each_field_is_named(value: object, live: Trace, differences: list[tuple[str, object, object]]) -> None:
    found = judged(MUST, value, live)
    assert [(each.path, each.recorded, each.live) for each in found.differences] == differences


def test_an_absent_field_is_told_as_absent() -> None:
    found = judged(MUST, "fs_write where before.content is x", lane(REPORT))
    assert repr(found.differences[0].live) == "UNSET"


def test_where_nothing_of_the_kind_was_seen_nothing_is_near() -> None:
    found = judged(MUST, "fs_delete a", lane(REPORT))
    assert (found.detail, found.nearest, found.differences) == ("no fs_delete was seen", "", ())


def test_a_long_content_is_shortened() -> None:
    found = judged(MUST, "fs_write where after.content contains x!", lane(written("a", "word " * 2000)))
    assert len(found.differences[0].live) <= 400


def test_a_name_cannot_look_like_another_line() -> None:
    evil = written("a\nPASS  refund\x1b[2K\u202etxt\u2028b", "x")
    found = judged(NONE, "fs_write", lane(evil))
    assert found.detail.isprintable()
    assert "\\nPASS" in found.detail


# --- databases of servers ----------------------------------------------------------------------------

SERVED = SideEffect(kind="db_change", target="postgresql/shop/public.orders/7", op="update")
SHOP, OTHER = "postgresql/shop", "postgresql/other"


@pytest.mark.parametrize(
    ("target", "live", "expected"),
    [
        ("postgresql/shop/**", looked_at(SHOP), "held"),
        ("postgresql/shop/**", looked_at(SHOP, made=(SERVED,)), "failed"),
        ("postgresql/*/public.orders/*", looked_at(OTHER), "held"),
        ("postgresql/**", looked_at(OTHER), "held"),
        ("postgresql/shop/public.refunds/*", lane(SERVED), "held"),
        ("**/orders/*", lane(), "held"),
        ("shop.sqlite/**", lane(), "held"),
        ("postgresql/shop/**", lane(SERVED), "failed"),
        ("postgresql/shop/**", lane(), "capability"),
        ("postgresql/shop/**", lane(ROW), "capability"),
        ("postgresql/shop/**", looked_at(OTHER), "capability"),
        ("postgresql/**", lane(ROW), "capability"),
        ("postgresql/*/public.orders/*", lane(), "capability"),
    ],
)
def test_that_nothing_was_seen_in_a_database_that_nobody_named_proves_nothing(
    target: str, live: Trace, expected: str
) -> None:
    found = judged("assert_no_side_effect", {"kind": "db_change", "target": target}, live)
    assert found.state == expected, found.detail
    if expected == "capability":
        assert "effects.databases" in found.detail
        must = judged("assert_side_effect", {"kind": "db_change", "target": target}, live)
        assert must.state == "capability", must.detail
