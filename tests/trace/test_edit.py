"""Dropping records keeps the order of the others; a cassette has no times."""

from runwright.trace import (
    Header,
    PolicyRecord,
    SideEffect,
    SideEffectRecord,
    ToolRecord,
    Trace,
    as_cassette,
    dumps_trace,
    loads_trace,
    without,
)


def record(
    id: str, after: tuple[str, ...] = (), inferred: tuple[str, ...] = (), parent: str | None = None
) -> ToolRecord:
    return ToolRecord(
        id=id,
        name="x",
        outcome="ok",
        fidelity="raw",
        after=after,
        after_inferred=inferred,
        parent=parent,
        t=1.0,
        duration=2.0,
    )


def trace(*records: ToolRecord) -> Trace:
    return Trace(
        header=Header(kind="run", trace_id="x", started_at="2026-11-30T00:00:00Z", duration=3.0), records=records
    )


def edges(found: Trace) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    return {each.id: (each.after, each.after_inferred) for each in found.records}


def test_nothing_dropped_is_nothing_changed() -> None:
    whole = trace(record("a"), record("b", ("a",)))
    assert without(whole, []) == whole


def test_what_came_after_a_dropped_record_comes_after_what_that_came_after() -> None:
    found = without(trace(record("a"), record("b", ("a",)), record("c", ("b",)), record("d", ("c",))), ["b", "c"])
    assert edges(found) == {"a": ((), ()), "d": (("a",), ())}


def test_a_path_over_an_inferred_edge_is_inferred() -> None:
    chain = (record("a"), record("b", (), ("a",)), record("c", ("b",)))
    assert edges(without(trace(*chain), ["b"]))["c"] == ((), ("a",))
    other = (record("a"), record("b", ("a",)), record("c", (), ("b",)))
    assert edges(without(trace(*other), ["b"]))["c"] == ((), ("a",))


def test_the_parent_of_a_dropped_parent_is_the_parent() -> None:
    nested = (record("a"), record("b", parent="a"), record("c", parent="b"), record("d", parent="c"))
    assert [each.parent for each in without(trace(*nested), ["b", "c"]).records] == [None, "a"]
    assert [each.parent for each in without(trace(*nested), ["a"]).records] == [None, "b", "c"]


def test_nothing_is_about_a_dropped_record() -> None:
    effect = SideEffectRecord(id="e1", side_effect=SideEffect(kind="fs_write", target="x", caused_by="a"))
    policy = PolicyRecord(id="p1", policy="limit", verdict="allow", on="b")
    whole = Trace(header=Header(kind="run", trace_id="x"), records=(record("a"), record("b"), effect, policy))
    found = without(whole, ["a"])
    assert found.effects[0].side_effect.caused_by is None
    assert found.records[-1] == policy
    assert without(whole, ["b"]).records[-1].on is None  # type: ignore[union-attr] # the policy
    assert without(whole, ["b"]).effects == [effect]


def test_what_is_left_is_a_valid_trace() -> None:
    found = without(trace(record("a"), record("b", ("a",)), record("c", ("b",), parent="b")), ["b"])
    assert loads_trace(dumps_trace(found)) == found


def test_a_cassette_has_ids_and_edges_and_the_window_but_no_times_on_records() -> None:
    found = as_cassette(trace(record("a"), record("b", ("a",))))
    assert found.header.kind == "cassette"
    assert (found.header.started_at, found.header.duration) == ("2026-11-30T00:00:00Z", 3.0)
    assert [(each.id, each.after, each.t, each.duration) for each in found.records] == [
        ("a", (), None, None),
        ("b", ("a",), None, None),
    ]
