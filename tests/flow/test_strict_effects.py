"""`effects: strict`: the live side effects are the recorded ones, one for one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from msgspec import UNSET
from msgspec.structs import replace as changed

from runwright.flow import AgentEnd, EffectsSpec, Facts, FlowResult, Replay, Word, compare_effects, decide
from runwright.match import Matcher
from runwright.trace.digests import digest_bytes
from runwright.trace.model import (
    EFFECT_KINDS,
    EffectState,
    FaultRecord,
    Header,
    Record,
    SideEffect,
    SideEffectRecord,
    ToolRecord,
    Trace,
)
from tests.flow.made import M1, M2, M3, M4, MISSED, facts, flow

FILES = ("fs_write", "fs_delete", "fs_rename", "fs_truncate")
STARTED = "2026-03-01T10:00:00+00:00"
SPEC = EffectsSpec(compare="strict")


def state(text: str) -> EffectState:
    return EffectState(digest=digest_bytes(text.encode()), size=len(text), content=text)


def bare(text: str) -> EffectState:
    return EffectState(digest=digest_bytes(text.encode()), size=len(text))


def write(target: str, text: str = "x", **more: object) -> SideEffect:
    return SideEffect(**{"kind": "fs_write", "target": target, "op": "create", "after": state(text), **more})


def post(url: str, **detail: object) -> SideEffect:
    return SideEffect(kind="http_request", target=url, op="POST", detail={"status": 200, **detail})


def row(target: str, op: str) -> SideEffect:
    return SideEffect(kind="db_change", target=target, op=op)


def side(*records: Record | SideEffect, watched: tuple[str, ...] = EFFECT_KINDS) -> Trace:
    """A run of the story's exchanges and effects, in line order."""
    numbered, n = [], 0
    for each in records:
        n += isinstance(each, SideEffect)
        numbered.append(SideEffectRecord(id=f"e{n}", side_effect=each) if isinstance(each, SideEffect) else each)
    observation = {kind: "observed" if kind in watched else "not_observed" for kind in EFFECT_KINDS}
    header = Header(kind="run", trace_id="t", started_at=STARTED, duration=60.0, observation=observation)
    return Trace(header=header, records=tuple(numbered))


def served(*exchanges: Record) -> list[Record]:
    return [changed(each, ext={"recorded": each.id}) for each in exchanges]


def judged(
    recorded: Trace, live: Trace, *, spec: EffectsSpec = SPEC, given: tuple[str, ...] = (), until: str | None = None
) -> FlowResult:
    """The verdict of a flow that compares, on exchanges that all agreed up to the live side's end."""
    matcher = matcher_of(recorded, given, until)
    misses = [matcher.serve(each.request, streamed=False) for each in live.models]
    missed = matcher.missed
    made = flow(effects=spec, replay=Replay(until=until))
    told = replace(
        facts(live),
        cassette=recorded,
        effects=compare_effects(made, recorded, live, matcher),
        left_over=matcher.left_over(),
        miss=SimpleNamespace(later=missed.later, reason=missed.reason, nearest=None) if missed else None,
    )
    assert misses or not live.models
    return decide(made, told)


def matcher_of(recorded: Trace, given: tuple[str, ...], until: str | None) -> Matcher:
    def flag(text: str) -> list[object]:
        at = text.find("sk-live-")
        return [SimpleNamespace(rule="key", start=at, end=at + 12)] if at >= 0 else []

    window = (datetime(2026, 6, 1, 10, tzinfo=UTC), datetime(2026, 6, 1, 11, tzinfo=UTC))
    return Matcher(recorded, flag=flag, live_window=lambda: window, given=given, until=until)


def both(recorded: list[SideEffect], live: list[SideEffect], **more: object) -> FlowResult:
    exchange = changed(M1)
    return judged(side(exchange, *recorded), side(*served(exchange), *live), **more)


def word_of(recorded: list[SideEffect], live: list[SideEffect], **more: object) -> Word:
    return both(recorded, live, **more).word


# --- what is the same --------------------------------------------------------------------------------

RECORDED_ID, LIVE_ID = "7b0c6e1e-8f5a-4c3c-9d5e-0a1b2c3d4e5f", "11112222-3333-4444-8555-666677778888"
OTHER_ID = "99990000-aaaa-4bbb-8ccc-ddddeeeeffff"

SAME: dict[str, tuple[list[SideEffect], list[SideEffect]]] = {
    "nothing at all": ([], []),
    "one write": ([write("a")], [write("a")]),
    "in another order": ([write("a"), write("b")], [write("b"), write("a")]),
    "the same request twice": ([post("https://a/x")] * 2, [post("https://a/x")] * 2),
    "requests in another order": (
        [post("https://a/x", request="d1"), post("https://a/x", request="d2")],
        [post("https://a/x", request="d2"), post("https://a/x", request="d1")],
    ),
    "what the service answered, and who saw it": (
        [post("https://a/x", response="d1", via="hooks")],
        [post("https://a/x", response="d2", via="proxy")],
    ),
    "a fresh id in the content": ([write("a", f"id {RECORDED_ID}")], [write("a", f"id {LIVE_ID}")]),
    "a fresh id in the name": ([write(f"out/{RECORDED_ID}.txt")], [write(f"out/{LIVE_ID}.txt")]),
    "a fresh id in name and index": (
        [write(f"out/{RECORDED_ID}.txt"), write("index", RECORDED_ID)],
        [write("index", LIVE_ID), write(f"out/{LIVE_ID}.txt")],
    ),
    "the time of the run": ([write("a", "at 2026-03-01T10:00:30Z")], [write("a", "at 2026-06-01T10:00:30Z")]),
    "an ephemeral port": ([post("http://127.0.0.1:40001/x")], [post("http://127.0.0.1:40002/x")]),
    "names outside of the workspace": (
        [write("/outside/0011223344556677", after=EffectState(size=3))],
        [write("/outside/8899aabbccddeeff", after=EffectState(size=3))],
    ),
    "a move out of the workspace": (
        [SideEffect(kind="fs_rename", target="a", op="move", detail={"to": "/outside/0011223344556677"})],
        [SideEffect(kind="fs_rename", target="a", op="move", detail={"to": "/outside/8899aabbccddeeff"})],
    ),
    "a redacted secret": ([write("a", "key [[redacted:key:1]]")], [write("a", "key sk-live-0042")]),
    "how often it was written, and by which calls": (
        [write("a", detail={"operations": ["write: append"], "links": 2, "owner": {"before": "0:0", "after": "1:1"}})],
        [write("a", detail={"operations": ["openat: create", "write: append"]})],
    ),
    "the mask of whoever runs it": ([write("a", detail={"mode": "0755"})], [write("a", detail={"mode": "0775"})]),
    "a digest alone": ([write("a", after=bare("big"))], [write("a", after=bare("big"))]),
    "a digest and a content": ([write("a", after=bare("x"))], [write("a")]),
    "a fresh id in a diff, the content not kept": (
        [write("a", after=bare("1"), diff=f"+{RECORDED_ID}\n")],
        [write("a", after=bare("2"), diff=f"+{LIVE_ID}\n")],
    ),
    "a cause that only one side knows": ([write("a", caused_by="c1")], [write("a")]),
}


@pytest.mark.parametrize("name", SAME)
def test_what_is_the_same(name: str) -> None:
    recorded, live = SAME[name]
    result = both(recorded, live)
    assert result.word is Word.PASS, result.summary
    assert [(each.assertion, each.state) for each in result.judgements] == [("effects: strict", "held")]


# --- what is not -------------------------------------------------------------------------------------

DIFFERENT: dict[str, tuple[list[SideEffect], list[SideEffect], list[tuple[str, object, object]]]] = {
    "one that did not happen": ([write("a")], [], [("fs_write a", "create", UNSET)]),
    "one that was not recorded": ([], [write("a")], [("fs_write a", UNSET, "create")]),
    "twice, once recorded": (
        [post("https://a/x")],
        [post("https://a/x")] * 2,
        [("http_request POST https://a/x", UNSET, "POST")],
    ),
    "another kind": (
        [write("a")],
        [SideEffect(kind="fs_delete", target="a")],
        [("fs_write a kind", "fs_write", "fs_delete"), ("fs_write a after", {}, None)],
    ),
    "another op": ([write("a")], [write("a", op="append")], [("fs_write a op", "create", "append")]),
    "another content": ([write("a", "40")], [write("a", "41")], [("fs_write a after.content", "40", "41")]),
    "another content before": (
        [write("a", before=state("1"))],
        [write("a", before=state("2"))],
        [("fs_write a before.content", "1", "2")],
    ),
    "nothing before": ([write("a", before=state("1"))], [write("a")], [("fs_write a before", {}, None)]),
    "another digest": (
        [write("a", after=bare("1"))],
        [write("a", after=bare("2"))],
        [("fs_write a after.digest", digest_bytes(b"1"), digest_bytes(b"2"))],
    ),
    "another size outside": (
        [write("/outside/0011223344556677", after=EffectState(size=3))],
        [write("/outside/8899aabbccddeeff", after=EffectState(size=4))],
        [("fs_write /outside/0011223344556677 after.size", 3, 4)],
    ),
    "another diff": (
        [write("a", after=bare("1"), diff="+1\n")],
        [write("a", after=bare("2"), diff="+2\n")],
        [("fs_write a diff", "+1\n", "+2\n")],
    ),
    "another status": (
        [post("https://a/x")],
        [post("https://a/x", status=500)],
        [("http_request POST https://a/x detail.status", 200, 500)],
    ),
    "another body": (
        [post("https://a/x", request="d1")],
        [post("https://a/x", request="d2")],
        [("http_request POST https://a/x detail.request", "d1", "d2")],
    ),
    "another name in the query": (
        [post("https://a/x", template="https://a/x?order")],
        [post("https://a/x", template="https://a/x?force&order")],
        [("http_request POST https://a/x detail.template", "https://a/x?order", "https://a/x?force&order")],
    ),
    "another place": (
        [SideEffect(kind="fs_rename", target="a", op="move", detail={"to": "b"})],
        [SideEffect(kind="fs_rename", target="a", op="move", detail={"to": "c"})],
        [("fs_rename a -> b detail.to", "b", "c")],
    ),
    "made executable": ([write("a")], [write("a", detail={"mode": "0755"})], [("fs_write a detail.mode", UNSET, "07")]),
    "another name for the same": ([write("a", "42")], [write("b", "42")], [("fs_write a target", "a", "b")]),
    "two rows changed places": (
        [row("d/t/1", "update"), row("d/t/2", "delete")],
        [row("d/t/1", "delete"), row("d/t/2", "update")],
        [("db_change update d/t/1 op", "update", "delete"), ("db_change delete d/t/2 op", "delete", "update")],
    ),
    "an id that is another's": (
        [write("a", RECORDED_ID), write("b", OTHER_ID)],
        [write("a", OTHER_ID), write("b", RECORDED_ID)],
        [("fs_write a after.content", RECORDED_ID, OTHER_ID), ("fs_write b after.content", OTHER_ID, RECORDED_ID)],
    ),
    "one id for two": (
        [write("a", RECORDED_ID), write("b", OTHER_ID)],
        [write("a", LIVE_ID), write("b", LIVE_ID)],
        [("fs_write b after.content", OTHER_ID, LIVE_ID)],
    ),
    "a time that is not of the run": (
        [write("a", "2026-03-01T10:00:30Z")],
        [write("a", "2031-03-01T10:00:30Z")],
        [("fs_write a after.content", "2026-03-01T10:00:30Z", "2031-03-01T10:00:30Z")],
    ),
    "a secret that is none": (
        [write("a", "key [[redacted:key:1]]")],
        [write("a", "key nothing")],
        [("fs_write a after.content", "key [[redacted:key:1]]", "key nothing")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_is_different_is_named_with_its_fields(name: str) -> None:
    recorded, live, differences = DIFFERENT[name]
    result = both(recorded, live)
    assert result.word is Word.FAIL, result.summary
    assert result.summary.startswith("FAIL, effects: strict: ")
    found = [(each.path, each.recorded, each.live) for each in result.judgements[0].differences]
    assert found == differences


def test_the_verdict_names_each_kind_of_difference() -> None:
    result = both([write("a", "1"), write("b"), write("c")], [write("a", "2"), write("d", "4")])
    assert result.judgements[0].detail == (
        "1 differs: fs_write a (e1 -> e1); 2 did not happen: fs_write b (e2), fs_write c (e3); "
        "1 was not recorded: fs_write d (e2)"
    )


def test_an_effect_belongs_to_the_call_that_it_belonged_to() -> None:
    def ran(id: str, call_id: str) -> ToolRecord:
        return ToolRecord(id=id, name="tool", outcome="ok", call_id=call_id, fidelity="raw")

    recorded = side(M1, ran("t1", "c1"), ran("t2", "c2"), write("a", caused_by="t1"))
    for cause, word in (("t8", Word.PASS), ("t9", Word.FAIL), (None, Word.PASS), ("gone", Word.PASS)):
        live = side(*served(M1), ran("t8", "c1"), ran("t9", "c2"), write("a", caused_by=cause))
        assert judged(recorded, live).word is word, cause
    by_reply = side(M1, M2, write("a", caused_by="m1"))
    for cause, word in (("m1", Word.PASS), ("m2", Word.FAIL)):
        live = side(*served(M1, M2), write("a", caused_by=cause))
        result = judged(by_reply, live)
        assert result.word is word, result.summary
    assert [(each.path, each.recorded, each.live) for each in result.judgements[0].differences] == [
        ("fs_write a caused_by", "m1", "m2")
    ]


def test_an_id_that_the_agent_was_given_is_no_fresh_one() -> None:
    recorded, live = [write("a", RECORDED_ID)], [write("a", LIVE_ID)]
    assert word_of(recorded, live) is Word.PASS
    assert word_of(recorded, live, given=(f"order {RECORDED_ID}",)) is Word.FAIL


def test_what_requests_bound_is_bound_in_effects() -> None:
    def asked(id: str) -> Record:
        return changed(M1, request=changed(M1.request, parameters={"trace": id}))

    recorded = side(asked(RECORDED_ID), write("a", RECORDED_ID))
    live = side(*served(asked(LIVE_ID)), write("a", LIVE_ID))
    assert judged(recorded, live).word is Word.PASS
    live = side(*served(asked(LIVE_ID)), write("a", OTHER_ID))
    assert judged(recorded, live).word is Word.FAIL


def test_a_thousand_that_only_their_ids_tell_apart() -> None:
    def lane(first: int) -> list[SideEffect]:
        ids = [f"{first:08x}-0000-4000-8000-{n:012x}" for n in range(1000)]
        return [write(f"out/{each}.txt", f"{n} {each}") for n, each in enumerate(ids)]

    assert word_of(lane(1), lane(2)[::-1]) is Word.PASS


# --- what is left out, and what cannot be judged -----------------------------------------------------


def test_ignored_targets_are_left_out_on_both_sides_and_an_ignore_of_nothing_is_stale() -> None:
    spec = replace(SPEC, ignore=("cache/**",))
    assert word_of([write("a"), write("cache/1")], [write("a"), write("cache/2", "y")], spec=spec) is Word.PASS
    assert word_of([write("a")], [write("a"), write("b")], spec=replace(SPEC, ignore=("b",))) is Word.PASS
    result = both([write("a")], [write("a")], spec=spec)
    assert (result.word, result.summary) == (Word.STALE, "STALE, effects.ignore cache/** matched nothing")
    moved = [SideEffect(kind="fs_rename", target="cache/1", op="move", detail={"to": "src/app.py"})]
    assert word_of([], moved, spec=spec) is Word.FAIL


def test_a_kind_that_the_recording_watched_and_this_run_did_not_is_a_capability() -> None:
    result = judged(side(M1, write("a")), side(*served(M1), write("a"), watched=("fs_delete",)))
    assert (result.word, "not observed here: fs_write, fs_rename" in result.summary) == (Word.CAPABILITY, True)


def test_a_kind_that_the_recording_did_not_watch_is_not_compared_and_that_is_said() -> None:
    recorded = side(M1, write("a"), watched=FILES)
    result = judged(recorded, side(*served(M1), write("a"), post("https://a/x")))
    assert result.word is Word.PASS, result.summary
    assert result.notes == ("side effects not compared, as the recording did not observe them: http_request",)


@pytest.mark.parametrize("how", ["imported", "inferred", "not_observed"])
def test_a_recording_that_nobody_watched_has_nothing_to_compare(how: str) -> None:
    header = Header(kind="run", trace_id="t", observation={"fs_write": how})
    recorded = Trace(header=header, records=(M1, SideEffectRecord(id="e1", side_effect=write("a"))))
    result = judged(recorded, side(*served(M1), write("a")))
    assert (result.word, "there are none to compare" in result.summary) == (Word.CAPABILITY, True)


def test_where_nothing_compared_them_it_is_no_pass() -> None:
    made = flow(effects=SPEC)
    result = decide(made, facts(side(*served(M1))))
    assert (result.word, "nothing compared the side effects" in result.summary) == (Word.CAPABILITY, True)


def fault(*hides: str) -> FaultRecord:
    return FaultRecord(id="f1", kind="observer_failed", detail="d", hides=hides)


def test_what_a_fault_in_the_live_run_may_explain_is_not_judged() -> None:
    recorded = side(M1, write("a"))
    for live in (side(*served(M1), fault("fs_write")), side(*served(M1), write("a"), fault("fs_write"))):
        result = judged(recorded, live)
        assert (result.word, "a fault" in result.summary) == (Word.UNVERIFIED, True), result.summary
    assert judged(recorded, side(*served(M1), fault("fs_delete"))).word is Word.FAIL
    assert judged(recorded, side(*served(M1), write("a"), write("b"), fault("fs_write"))).word is Word.FAIL


def test_what_a_fault_in_the_recording_may_explain_is_not_judged() -> None:
    recorded = side(M1, write("a"), fault("fs_write"))
    assert judged(recorded, side(*served(M1), write("a"), write("b"))).word is Word.UNVERIFIED
    assert judged(recorded, side(*served(M1))).word is Word.FAIL


# --- replay.until ------------------------------------------------------------------------------------

DIVERGED = changed(MISSED, request=changed(MISSED.request, parameters={"seed": 1}))
STORY = side(M1, write("a"), M2, write("b"), M3, write("c"), M4)


def test_after_a_later_miss_effects_are_not_judged_and_those_not_reached_are_listed() -> None:
    live = side(*served(M1), write("a"), *served(M2), write("other", "y"), DIVERGED)
    result = judged(STORY, live, until="m2")
    assert result.word is Word.PASS, result.summary
    assert result.not_judged == ("m3", "m4", "fs_write b (e2)", "fs_write c (e3)", "fs_write other (live e2)")


def test_what_is_strict_is_judged_all_the_same() -> None:
    head = served(M1, M2)
    live = side(head[0], write("a", "wrong"), head[1], DIVERGED)
    result = judged(STORY, live, until="m2")
    assert (result.word, "fs_write a (e1 -> e1)" in result.summary) == (Word.FAIL, True)
    live = side(head[0], head[1], DIVERGED)
    assert "did not happen: fs_write a" in judged(STORY, live, until="m2").summary
    live = side(head[0], write("a"), write("z"), head[1], DIVERGED)
    assert "was not recorded: fs_write z" in judged(STORY, live, until="m2").summary


def test_a_file_that_goes_on_being_written_is_not_judged_by_its_half() -> None:
    recorded = side(M1, M2, write("log", "1\n2\n3\n"), M3, M4)
    live = side(*served(M1), write("log", "1\n"), *served(M2), DIVERGED)
    assert judged(recorded, live, until="m2").word is Word.PASS


def test_an_effect_that_nobody_can_tell_the_time_of_is_not_taken_for_a_later_one() -> None:
    timed = [changed(each, t=float(n)) for n, each in enumerate((*served(M1, M2), DIVERGED))]
    known = SideEffectRecord(id="e1", t=9.0, side_effect=write("z"))
    assert judged(side(M1, M2, M3, M4), side(*timed, known), until="m2").word is Word.PASS
    result = judged(side(M1, M2, M3, M4), side(*timed, changed(known, t=None)), until="m2")
    assert (result.word, "when it happened" in result.summary) == (Word.UNVERIFIED, True), result.summary


def test_without_a_miss_all_is_judged_whatever_until_says() -> None:
    live = side(*served(M1), write("a"), *served(M2), write("b"), *served(M3), write("x", "y"), *served(M4))
    result = judged(STORY, live, until="m2")
    assert (result.word, "fs_write c" in result.summary) == (Word.FAIL, True)


def test_a_run_that_was_cut_short_says_nothing_of_the_rest() -> None:
    result = decide(flow(effects=SPEC), replace(facts(side(M1)), agent=AgentEnd(ended="timeout")))
    assert result.judgements[0].state in ("not_judged", "capability")


def test_a_recording_alone_is_its_own(tmp_path: object) -> None:
    made = replace(flow(effects=SPEC), agent=None)
    result = decide(made, Facts(evidence=facts(side(M1)).evidence, cassette=side(M1), recording_only=True))
    assert (result.word, result.judgements[0].state) == (Word.PASS, "held")


def test_where_everything_differs_the_first_fields_are_told() -> None:
    many = [write(f"f{n}", str(n)) for n in range(300)]
    result = both(many, [])
    assert len(result.judgements[0].differences) == 100
    assert "300 did not happen: fs_write f0 (e1), " in result.summary
    assert "and 295 more" in result.summary
