"""One scripted run, exported by many tools: the same fingerprint from each, over what both sides could know."""

from __future__ import annotations

import pytest

from runwright.fingerprint import agree, fingerprint
from runwright.trace import dumps_trace, loads_trace
from runwright.trace.model import Trace
from tests.readers.one_run import (
    EXEMPT,
    EXPORTS,
    FIELDS,
    OTHERS,
    SILENT,
    cell,
    groups,
    is_the_run,
    prints,
    table,
    traces,
)
from tests.samples import ROOT

WRITTEN = ("written as vcr", "written as har", "written as otlp", "written as atif")
NAMES = (*EXPORTS, "vercel 2", *WRITTEN)
UNTIMED = "openai_agents-state"
"""It has no time at all, so that what came first is only told by what asked for it."""


def test_every_export_holds_the_run() -> None:
    assert tuple(sorted(traces())) == tuple(sorted(NAMES))


@pytest.mark.parametrize("one", NAMES)
def test_each_agrees_with_every_other(one: str) -> None:
    """What is not compared, an exemption of one of the two names; two that lack the same can still compare the rest."""
    for other in NAMES:
        found = agree(prints()[one], prints()[other])
        exempt = {field for name in (one, other) for field in EXEMPT.get(name, ((), ""))[0]}
        left = set(FIELDS) - set(found.compared)
        assert found.differences == (), (one, other)
        assert left <= exempt, (one, other, found.not_compared)
        assert left == exempt or {one, other} <= EXEMPT.keys(), (one, other, left)
        silent = one in SILENT or other in SILENT
        assert found.verdict == ("UNVERIFIED" if silent else "SAME"), (one, other)


IN_OTHER_APIS = [(api, name) for api in OTHERS for name in (*OTHERS[api], *WRITTEN)]


@pytest.mark.parametrize(("api", "one"), IN_OTHER_APIS)
def test_so_it_is_in_other_apis(api: str, one: str) -> None:
    assert prints(api).keys() == {*OTHERS[api], *WRITTEN}
    assert prints(api)[one].tool_sequences == (("[lookup_order x2] x1",),)
    assert is_the_run(traces(api)[one])
    for other in prints(api):
        found = agree(prints(api)[one], prints(api)[other])
        exempt = {field for name in (one, other) for field in EXEMPT.get(name, ((), ""))[0]}
        assert (found.verdict, found.differences) == ("SAME", ()), (one, other)
        assert set(FIELDS) - set(found.compared) <= exempt, (one, other)


@pytest.mark.parametrize("name", EXEMPT)
def test_an_exemption_is_a_loss_that_the_trace_tells(name: str) -> None:
    fields, why = EXEMPT[name]
    told = [loss.detail for loss in traces()[name].header.losses if loss.kind == "not_captured"]
    assert any(detail.startswith(why) for detail in told), told
    assert fields


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SILENT])
def test_no_exemption_is_of_tools_or_their_order_where_messages_tell_them(name: str) -> None:
    assert not {"tools", "tool_sequences"} & set(EXEMPT.get(name, ((), ""))[0])
    assert prints()[name].tools == ("lookup_order(order: string)",)
    assert prints()[name].tool_sequences == (("[lookup_order x2] x1",),)


def test_what_is_the_same_hash_is_the_same_digest_of_the_graph() -> None:
    """Not over the shared basis alone: all that know the same hold the very same graph."""
    known = {print_of.graph_hash for name, print_of in prints().items() if name not in EXEMPT}
    assert len(known) == 1


@pytest.mark.parametrize("name", NAMES)
def test_the_trace_survives_being_kept(name: str) -> None:
    kept = loads_trace(dumps_trace(traces()[name]))
    assert fingerprint(kept) == prints()[name]


# --- what is another run -------------------------------------------------------------------------


def without(trace: Trace, place: int) -> Trace:
    gone = trace.models[place]
    return Trace(header=trace.header, records=tuple(each for each in trace.records if each is not gone))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SILENT])
def test_a_run_without_its_end_is_another_one(name: str) -> None:
    less = fingerprint(without(traces()[name], 1))
    assert [agree(less, prints()[other]).verdict for other in NAMES if other not in SILENT] == ["DRIFTED"] * 45


@pytest.mark.parametrize("name", [name for name in NAMES if name not in (*SILENT, UNTIMED)])
def test_a_run_without_its_beginning_is_another_one(name: str) -> None:
    less = fingerprint(without(traces()[name], 0))
    assert agree(less, prints()[name]).verdict == "DRIFTED"


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SILENT])
def test_each_says_the_answer(name: str) -> None:
    assert is_the_run(traces()[name])


# --- the page ------------------------------------------------------------------------------------


def test_the_page_shows_the_tables() -> None:
    page = (ROOT / "docs" / "explanation" / "one-run-many-exports.md").read_text(encoding="utf-8")
    assert table() in page, "run scripts/docs.py"


def test_a_group_is_compared_as_its_table_says() -> None:
    for mine in groups().values():
        for others in groups().values():
            assert len({cell(one, other) for one in mine for other in others if one != other}) <= 1


def test_every_file_that_was_made_is_one_of_the_exports() -> None:
    folder = ROOT / "tests" / "fixtures"
    made = {path.relative_to(folder).as_posix() for path in (folder / "order_desk").rglob("*") if path.is_file()}
    every = [EXPORTS, *OTHERS.values()]
    assert made <= {name for exports in every for export in exports.values() for name in export.files}
