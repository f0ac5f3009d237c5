"""A captured run becomes a proposal: the whole way, on values."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from runwright.convert import ConvertOptions, convert, render
from runwright.convert.covered import same_behaviour
from runwright.errors import FlowError, NotConvertible, SecretsFound, UsageError
from runwright.flow import parse_flow
from runwright.secrets import Allowlist, Entry, tokens_in
from runwright.trace import dumps_trace, loads_trace, read_trace
from runwright.trace.model import (
    FaultRecord,
    ImageBlock,
    Loss,
    Message,
    ModelError,
    Record,
    Source,
    Specification,
    TextBlock,
    Trace,
)
from tests.convert.traces import TASK, exchange, replaced, story, text, trace

OUT = "flows/regressions/refund-twice"
ONCE = "assert_tool_call: {tool: issue_refund, times: 1}"
KEY = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
STORY = {"out": OUT, "agent_command": "python agent.py", "tools": "real", "until": "m2", "asserts": (ONCE,)}


def converted(run: Trace | None = None, **options):
    return convert(run or story(), ConvertOptions(**{**STORY, **options}))


def flow_of(proposal):
    return parse_flow(proposal.flow.encode(), Path(proposal.paths.flow), {})


def with_key(run: Trace | None = None) -> Trace:
    """The story, in which the first refund's result holds a key."""
    return reworded(run or story(), b'"text":"{}"', b'"text":"token ' + KEY.encode() + b'"')


def reworded(run: Trace, old: bytes, new: bytes) -> Trace:
    """The run with some of its words replaced, wherever they stand."""
    data = msgspec.json.encode(run.records)
    assert old in data
    return trace(*msgspec.json.decode(data.replace(old, new), type=list[Record]))


# --- the story ----------------------------------------------------------------------------------


def test_the_story_loads_as_a_flow():
    flow = flow_of(converted())
    assert flow.replay.until == "m2"
    assert flow.turns == (TASK,)
    assert flow.agent is not None
    assert flow.agent.command == ("python", "agent.py")
    assert len(flow.steps) == 1


def test_the_story_keeps_every_exchange_without_its_clock():
    cassette = converted().cassette
    assert cassette.header.kind == "cassette"
    assert [record.id for record in cassette.records] == ["m1", "t1", "m2", "t2", "m3", "t3", "m4"]
    assert all(record.t is None and record.duration is None for record in cassette.records)
    assert [record.after for record in cassette.records] == [record.after for record in story().records]
    assert (cassette.header.started_at, cassette.header.duration) == ("2026-05-04T10:00:00Z", 9.0)
    assert cassette.header.source == story().header.source


def test_the_cassette_is_sealed_and_reads_back():
    cassette = converted().cassette
    assert loads_trace(dumps_trace(cassette)) == cassette


def test_the_specification_is_completed_and_the_captures_own_kept():
    told = Specification(model="blake3:" + "b" * 64)
    run = msgspec.structs.replace(story(), header=msgspec.structs.replace(story().header, specification=told))
    specification = converted(run).cassette.header.specification
    assert specification.model == told.model
    assert set(specification.tools) == {"lookup_order", "issue_refund", "delete_customer"}


def test_what_an_exchange_does_not_know_enters_no_specification():
    run = replaced(story(), "m1", unknown=("$.request.tools[0].description", "$.request.parameters.*"))
    specification = converted(run).cassette.header.specification
    assert (specification.tools, specification.parameters) == (None, None)
    assert specification.system_prompt is not None


def test_the_summary_says_what_came_of_the_run():
    lost = Loss(kind="not_representable", detail="a span event")
    run = trace(
        exchange(9, [text("user", TASK)], error=ModelError(message="slow", status=503)),
        *story().records,
        losses=(lost,),
    )
    first = replaced(run, "m9", request=story().records[0].request, t=0.0)
    summary = converted(first).summary
    assert [each.id for each in summary.dropped] == ["m9"]
    assert summary.kept == {"model": 4, "tool": 3}
    assert summary.lost == (lost,)
    assert [f"{each.id} {each.does}" for each in summary.exchanges] == [
        "m1 lookup_order",
        "m2 issue_refund",
        "m3 issue_refund",
        "m4 reply",
    ]
    assert summary.asserted == (ONCE,)
    assert ONCE not in [each.assertion for each in summary.suggested]


def test_dropping_noise_keeps_the_edges_whole():
    retry = replaced(
        trace(exchange(9, [text("user", TASK)], error=ModelError(message="slow", status=503)), *story().records),
        "m9",
        request=story().records[0].request,
        t=0.0,
    )
    cassette = converted(retry).cassette
    ids = {record.id for record in cassette.records}
    assert all(set(record.after) <= ids for record in cassette.records)


def test_every_suggestion_makes_a_flow_that_loads():
    for until in ("m1", "m2", "m3", "m4", "end"):
        proposal = converted(until=until, asserts=())
        taken = tuple(each.assertion for each in proposal.summary.suggested)
        assert taken
        assert len(flow_of(converted(until=until, asserts=taken)).steps) == len(taken)


def test_until_is_taken_from_a_denied_call_and_said():
    proposal = converted(replaced(story(), "t1", outcome="denied"), until=None, asserts=())
    assert proposal.summary.until.id == "m1"
    assert flow_of(proposal).replay.until == "m1"
    assert "t1: lookup_order was denied" in proposal.flow


def test_a_flow_without_agent_or_assertion_says_what_that_means():
    notes = converted(agent_command=None, tools=None, asserts=()).summary.notes
    assert any("only check its own recording" in note for note in notes)
    assert any("no assertion" in note for note in notes)
    assert converted().summary.notes == ()


def test_suspected_records_are_named():
    run = trace(*story().records, FaultRecord(id="f1", kind="dropped_spans", detail="2 spans", hides=("tool",)))
    assert [(each.id, each.what) for each in converted(run).summary.suspected] == [
        ("f1", "dropped_spans: 2 spans; it may hide tool")
    ]
    failed = replaced(story(), "m4", error=ModelError(message="no", status=400), response=None)
    assert [each.id for each in converted(failed).summary.suspected] == ["m4"]


# --- refused ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "assertion",
    [
        "assert: reply contains refunded",
        "assert_outcome: success",
        "assert_tool_call: {tool: issue_refund, times: 2}",
        "assert_tool_call: delete_customer",
    ],
)
def test_an_assertion_that_until_leaves_open_is_refused(assertion):
    with pytest.raises(FlowError, match="cannot be decided"):
        converted(asserts=(assertion,))


@pytest.mark.parametrize(
    "assertion",
    ["assert: reply contains refunded", "assert_outcome: success", "assert_tool_call: {tool: issue_refund, times: 2}"],
)
def test_the_same_assertion_is_fine_without_until(assertion):
    assert len(flow_of(converted(until=None, asserts=(assertion,))).steps) == 1


def test_an_assertion_of_an_unknown_kind_is_refused():
    with pytest.raises(FlowError, match="assert_tool_calls"):
        converted(asserts=("assert_tool_calls: issue_refund",))


def test_a_run_without_answers_is_refused():
    with pytest.raises(NotConvertible, match="m4"):
        converted(replaced(story(), "m4", response=None))


def test_a_run_without_the_users_words_is_refused_unless_they_are_given():
    run = trace(exchange(1, [text("system", "s")], TextBlock(text="hi")))
    with pytest.raises(NotConvertible, match="no user message") as raised:
        converted(run, until=None, asserts=())
    assert "--prompt" in raised.value.hint
    assert flow_of(converted(run, until=None, asserts=(), prompt="say hi")).turns == ("say hi",)


def test_a_turn_without_words_cannot_be_said_again():
    picture = Message(role="user", content=(ImageBlock(source=Source(kind="url", data="https://a.example/i.png")),))
    first = trace(exchange(1, [picture], TextBlock(text="x")))
    with pytest.raises(NotConvertible, match=r"m1: .* no text") as raised:
        converted(first, until=None, asserts=())
    assert raised.value.hint == "give --prompt TEXT"
    assert converted(first, until=None, asserts=(), prompt="look")
    told = [text("user", "hi"), text("assistant", "x"), picture]
    later = trace(exchange(1, told[:1], TextBlock(text="x")), exchange(2, told, TextBlock(text="y")))
    with pytest.raises(NotConvertible, match=r"m2: .* no text"):
        converted(later, until=None, asserts=(), prompt="look")


def test_strict_refuses_unknown_fields_and_without_it_they_are_listed():
    run = replaced(story(), "m2", unknown=("$.request.parameters.*",))
    with pytest.raises(NotConvertible, match="strict"):
        converted(run, strict=True)
    assert [(each.id, each.paths) for each in converted(run).summary.unknown] == [("m2", ("$.request.parameters.*",))]


def test_an_unknown_until_is_refused():
    with pytest.raises(UsageError, match="m9"):
        converted(until="m9")


# --- crashed runs, from real files --------------------------------------------------------------


def test_a_crashed_run_is_converted_up_to_its_last_whole_exchange(tmp_path):
    lines = dumps_trace(story()).splitlines(keepends=True)
    crashed = tmp_path / "crashed.jsonl"
    crashed.write_bytes(b"".join(lines[:-3]) + lines[-3][:20])
    proposal = converted(read_trace(crashed, allow_incomplete=True))
    assert [exchange.id for exchange in proposal.cassette.models] == ["m1", "m2", "m3"]
    assert any(
        isinstance(record, FaultRecord) and record.kind == "interruption" for record in proposal.cassette.records
    )
    assert any("interruption" in each.what for each in proposal.summary.suspected)
    assert loads_trace(dumps_trace(proposal.cassette)).complete


# --- secrets ------------------------------------------------------------------------------------


def test_a_secret_stops_the_conversion_and_is_not_shown():
    with pytest.raises(SecretsFound) as raised:
        converted(with_key())
    assert KEY not in str(raised.value) + raised.value.hint
    assert "m3" in str(raised.value)
    assert raised.value.exit_code == 1


def test_redacted_it_is_a_token_everywhere_and_nothing_leads_back():
    proposal = converted(with_key(), redact=True)
    written = dumps_trace(proposal.cassette).decode() + proposal.flow + render(proposal, None, None)
    assert KEY not in written
    assert tokens_in(written)
    assert list(proposal.summary.redacted.values()) == [1]
    assert proposal.summary.source.digest is None
    assert convert(with_key(), ConvertOptions(**STORY, redact=True)) == proposal


def test_the_specification_of_a_redacted_run_is_of_the_redacted_words():
    def keyed(key):
        run = replaced(
            story(),
            "m1",
            request=msgspec.structs.replace(
                story().models[0].request, messages=(text("system", f"use {key}"), text("user", TASK))
            ),
        )
        return converted(run, redact=True, asserts=()).cassette.header.specification

    assert keyed(KEY) == keyed("ghp_" + "Z9y8x7w6v5u4t3s2r1q0" + "Z9y8x7w6v5u4t3s2")


def test_a_secret_in_a_given_assertion_is_found_too():
    with pytest.raises(SecretsFound):
        converted(
            asserts=(f"assert_tool_call: {{tool: issue_refund, where: {{note: {{equals: {KEY}}}}}}}",),
            until=None,
            redact=True,
        )


def test_a_redacted_prompt_says_what_to_do():
    run = replaced(
        story(),
        "m1",
        request=msgspec.structs.replace(story().models[0].request, messages=(text("user", f"my token is {KEY}"),)),
    )
    run = trace(run.records[0])
    proposal = converted(run, until=None, asserts=(), redact=True)
    assert any("made-up" in note for note in proposal.summary.notes)


def test_what_the_allowlist_names_passes():
    with pytest.raises(SecretsFound) as raised:
        converted(with_key())
    rule = str(raised.value).splitlines()[1].split()[-1]
    allow = Allowlist((Entry(rule=rule, place="*", reason="made up", reviewer="me"),))
    assert KEY in dumps_trace(converted(with_key(), allow=allow).cassette).decode()


# --- the same everywhere ------------------------------------------------------------------------

TWICE = """
import sys
from tests.convert.test_convert import converted
from runwright.convert.proposal import file_bytes, proposal_file
from runwright.trace import dumps_trace
proposal = converted()
sys.stdout.buffer.write(file_bytes(proposal_file(proposal, None, None)))
sys.stdout.buffer.write(dumps_trace(proposal.cassette) + proposal.flow.encode())
"""


def test_the_same_bytes_in_any_folder_process_and_hash_seed(tmp_path):
    root = Path(__file__).resolve().parents[2]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", TWICE],
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root), "TZ": zone},
            check=True,
            capture_output=True,
        ).stdout
        for folder, seed, zone in ((tmp_path, "1", "UTC"), ("/", "2", "Asia/Tokyo"))
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 1000


def test_nothing_is_written_and_the_arguments_stay(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = story()
    converted(run)
    assert run == story()
    assert list(tmp_path.iterdir()) == []


# --- covered ------------------------------------------------------------------------------------


def test_an_accepted_flow_with_the_same_behaviour_is_named():
    other = converted().cassette
    accepted = (("flows/other.flow.yaml", other), (f"{OUT}.flow.yaml", other))
    assert converted(accepted=accepted).summary.covered_by == ("flows/other.flow.yaml",)


@pytest.mark.parametrize(
    "other",
    [
        replaced(story(), "m4", response=None, error=ModelError(message="x", status=500)),
        replaced(story(), "m1", request=msgspec.structs.replace(story().models[0].request, model="gpt-5")),
        trace(*story().records[:4], *story().records[6:]),
    ],
    ids=["outcome", "model", "one call less"],
)
def test_another_behaviour_covers_nothing(other):
    assert converted(accepted=(("flows/other.flow.yaml", other),)).summary.covered_by == ()


def test_runs_whose_order_or_end_is_not_known_cover_nothing():
    whole = story()
    unknown = ("$.request.messages", "$.response")
    blind = trace(*(msgspec.structs.replace(each, unknown=unknown) for each in whole.models))
    assert not same_behaviour(blind, blind)
    assert same_behaviour(whole, whole)


def test_ids_times_and_words_do_not_make_another_behaviour():
    other = reworded(reworded(story(), b':"call_', b':"toolu_'), b"teapot", b"mug")
    assert converted(accepted=(("flows/other.flow.yaml", other),)).summary.covered_by == ("flows/other.flow.yaml",)
