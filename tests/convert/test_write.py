"""A proposal's files: beside the accepted ones, all past the gate, and nothing else touched."""

import json
from pathlib import Path

import msgspec
import pytest

from runwright.convert import accepted_traces, pending_files, render, write_proposal
from runwright.convert.pending import read_proposal
from runwright.convert.proposal import summary_lines
from runwright.errors import ReviewError, SecretsFound, UsageError
from runwright.trace import digest_bytes, dumps_trace, problems, read_trace, schema
from tests.convert.test_convert import KEY, OUT, converted, with_key
from tests.convert.traces import replaced, story, text

FLOW = f"{OUT}.flow.yaml"
CASSETTE = "cassettes/regressions/refund-twice.cassette.jsonl"


def files(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def accepted(root: Path) -> None:
    """The story as it was accepted before."""
    proposal = converted()
    for place, data in ((FLOW, proposal.flow.encode()), (CASSETTE, dumps_trace(proposal.cassette))):
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_bytes(data)


def changed():
    """The story with another last word."""
    answer = story().models[3].response
    run = replaced(story(), "m4", response=type(answer)(content=text("x", "Refunded.").content, stop_reason="end_turn"))
    return converted(run)


# --- writing ------------------------------------------------------------------------------------


def test_three_files_beside_the_accepted_ones(tmp_path):
    write_proposal(converted(), tmp_path)
    assert sorted(files(tmp_path)) == [f"{CASSETTE}.new", f"{FLOW}.new", f"{OUT}.proposal.json"]
    assert read_trace(tmp_path / f"{CASSETTE}.new") == converted().cassette


def test_accepted_files_stay_and_their_digests_are_the_base(tmp_path):
    accepted(tmp_path)
    before = files(tmp_path)
    write_proposal(changed(), tmp_path)
    after = files(tmp_path)
    assert {name: after[name] for name in before} == before
    base = json.loads(after[f"{OUT}.proposal.json"])["base"]
    assert base == {"flow": digest_bytes(before[FLOW]), "cassette": digest_bytes(before[CASSETTE])}


def test_two_conversions_write_the_same_bytes(tmp_path):
    for name in ("a", "b/c"):
        write_proposal(converted(), tmp_path / name)
    assert files(tmp_path / "a") == files(tmp_path / "b/c")


def test_a_proposal_is_replaced_by_the_next_one(tmp_path):
    write_proposal(converted(), tmp_path)
    write_proposal(changed(), tmp_path)
    assert read_trace(tmp_path / f"{CASSETTE}.new") == changed().cassette


def test_a_reviewers_edit_is_not_overwritten(tmp_path):
    write_proposal(converted(), tmp_path)
    flow = tmp_path / f"{FLOW}.new"
    flow.write_text(flow.read_text() + "# mine\n")
    before = files(tmp_path)
    with pytest.raises(ReviewError, match="edited"):
        write_proposal(changed(), tmp_path)
    assert files(tmp_path) == before


def test_a_secret_that_came_past_convert_stops_at_the_gate(tmp_path):
    proposal = converted()
    leaking = type(proposal)(
        name=proposal.name, paths=proposal.paths, flow=proposal.flow, cassette=with_key(), summary=proposal.summary
    )
    with pytest.raises(SecretsFound):
        write_proposal(leaking, tmp_path)
    worded = type(proposal)(
        name=proposal.name,
        paths=proposal.paths,
        flow=proposal.flow + f"# {KEY}\n",
        cassette=proposal.cassette,
        summary=proposal.summary,
    )
    with pytest.raises(SecretsFound):
        write_proposal(worded, tmp_path)
    noted = msgspec.structs.replace(
        proposal, summary=msgspec.structs.replace(proposal.summary, notes=(f"the token is {KEY}",))
    )
    with pytest.raises(SecretsFound):
        write_proposal(noted, tmp_path)
    assert files(tmp_path) == {}


def test_a_link_does_not_lead_the_proposal_out(tmp_path):
    outside, root = tmp_path / "outside", tmp_path / "root"
    outside.mkdir()
    root.mkdir()
    (root / "flows").symlink_to(outside)
    with pytest.raises(UsageError, match="link"):
        write_proposal(converted(), root)
    assert files(outside) == {}


# --- what is pending ----------------------------------------------------------------------------


def test_pending_files_are_found_under_flows_and_cassettes_alone(tmp_path):
    write_proposal(converted(), tmp_path)
    write_proposal(converted(out="shop/flows/a"), tmp_path)
    for place in (".venv/flows/x.flow.yaml.new", "node_modules/p/flows/x.flow.yaml.new", "docs/x.flow.yaml.new"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text("")
    assert [path.relative_to(tmp_path).as_posix() for path in pending_files(tmp_path)] == [
        f"{CASSETTE}.new",
        f"{FLOW}.new",
        f"{OUT}.proposal.json",
        "shop/cassettes/a.cassette.jsonl.new",
        "shop/flows/a.flow.yaml.new",
        "shop/flows/a.proposal.json",
    ]


def test_accepted_files_are_not_pending(tmp_path):
    accepted(tmp_path)
    assert pending_files(tmp_path) == ()


def test_accepted_cassettes_are_read_and_broken_ones_named(tmp_path):
    accepted(tmp_path)
    (tmp_path / "cassettes/broken.cassette.jsonl").write_text("{}\n")
    found, unread = accepted_traces(tmp_path)
    assert [flow for flow, _ in found] == [FLOW]
    assert len(unread) == 1
    assert "broken.cassette.jsonl" in unread[0]


# --- the proposal file --------------------------------------------------------------------------


def test_the_proposal_file_fits_its_schema_and_reads_back(tmp_path):
    run = replaced(story(), "m2", unknown=("$.request.parameters.*",), adopted=("$.streamed",))
    write_proposal(converted(run), tmp_path)
    place = tmp_path / f"{OUT}.proposal.json"
    assert list(problems("proposal-v1", json.loads(place.read_bytes()))) == []
    assert read_proposal(place, "x").summary == converted(run).summary


def test_every_field_of_the_schema_is_described():
    def bare(value, path):
        if isinstance(value, dict):
            for name, field in value.get("properties", {}).items():
                if "description" not in field:
                    yield f"{path}.{name}"
            for key, each in value.items():
                yield from bare(each, f"{path}.{key}")
        if isinstance(value, list):
            for each in value:
                yield from bare(each, path)

    assert list(bare(schema("proposal-v1"), "$")) == []


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda value: value.update(version=2), "version"),
        (lambda value: value.update(extra=1), "extra"),
        (lambda value: value.pop("base"), "base"),
        (lambda value: value["base"].update(flow="sha256:00"), "base"),
        (lambda value: value["summary"].pop("dropped"), "dropped"),
    ],
)
def test_a_proposal_file_that_breaks_its_schema_is_refused_with_its_place(tmp_path, edit, message):
    write_proposal(converted(), tmp_path)
    place = tmp_path / f"{OUT}.proposal.json"
    value = json.loads(place.read_bytes())
    edit(value)
    place.write_text(json.dumps(value))
    with pytest.raises(ReviewError, match=message) as raised:
        read_proposal(place, "p.json")
    assert raised.value.place.startswith("p.json: $")


def test_a_proposal_file_that_is_no_json_is_refused(tmp_path):
    (tmp_path / "p.json").write_text("{")
    with pytest.raises(ReviewError, match="not JSON"):
        read_proposal(tmp_path / "p.json", "p.json")


# --- the difference -----------------------------------------------------------------------------


def test_a_new_proposal_is_shown_against_nothing():
    shown = render(converted(), None, None)
    assert f"--- /dev/null\n+++ b/{FLOW}\n" in shown
    assert f"+++ b/{CASSETTE}\n" in shown
    assert all(line.startswith(("+", "--- /dev/null", "@@")) for line in shown.splitlines())


def test_no_change_is_no_difference():
    proposal = converted()
    assert render(proposal, proposal.flow.encode(), dumps_trace(proposal.cassette)) == ""


def test_one_changed_answer_is_a_few_lines(tmp_path):
    accepted(tmp_path)
    shown = render(changed(), (tmp_path / FLOW).read_bytes(), (tmp_path / CASSETTE).read_bytes())
    assert "-    text: I have refunded 40 for the broken teapot.\n+    text: Refunded.\n" in shown
    assert len(shown.splitlines()) < 30
    assert FLOW not in shown


@pytest.mark.parametrize(
    "fields",
    [
        {"streamed": True},
        {"chunks": ((0, 3),)},
        {"unknown": ("$.streamed",)},
        {"ext": {"k": 1}},
        {"fidelity": "reconstructed"},
    ],
)
def test_every_field_of_an_exchange_shows_in_the_difference(fields):
    proposal, other = converted(), converted(replaced(story(), "m4", **fields))
    assert render(other, proposal.flow.encode(), dumps_trace(proposal.cassette))


def test_a_change_within_a_repeated_message_shows():
    proposal = converted()
    first = story().models[0]
    request = type(first.request)(
        api=first.request.api,
        model=first.request.model,
        messages=(text("system", "Other."), *first.request.messages[1:]),
    )
    other = converted(replaced(story(), "m1", request=request))
    assert "Other." in render(other, proposal.flow.encode(), dumps_trace(proposal.cassette))


def later_request(**fields):
    """The story with another third request."""
    request = msgspec.structs.replace(story().models[2].request, **fields)
    return converted(replaced(story(), "m3", request=request))


@pytest.mark.parametrize(
    "fields",
    [
        {"parameters": {"temperature": 1}},
        {"tools": story().models[0].request.tools[:2]},
        {"model": "gpt-5"},
        {"provider": "azure"},
        {"messages": (text("system", "Other."), *story().models[2].request.messages[1:])},
        {"messages": story().models[2].request.messages[2:]},
    ],
    ids=["parameters", "tools", "model", "provider", "an earlier message", "compaction"],
)
def test_what_a_later_request_does_not_repeat_shows(fields):
    proposal = converted()
    shown = render(later_request(**fields), proposal.flow.encode(), dumps_trace(proposal.cassette))
    assert "other bytes" not in shown
    assert any(line.startswith("+") for line in shown.splitlines()[2:])


def test_the_same_records_in_other_bytes_are_not_called_equal():
    proposal = converted()
    data = dumps_trace(proposal.cassette)
    shown = render(proposal, proposal.flow.encode(), data[:-1] + b" \n")
    assert "other bytes" in shown or "unreadable" in shown


def test_an_accepted_cassette_that_cannot_be_read_is_shown_as_such():
    proposal = converted()
    shown = render(proposal, proposal.flow.encode(), b"{broken\n")
    assert "-unreadable:" in shown
    assert "-{broken" in shown


def test_a_long_conversation_is_shown_once(tmp_path):
    from runwright.trace.model import TextBlock
    from tests.convert.traces import exchange, trace

    talk, records = [], []
    for number in range(1, 101):
        talk.append(text("user", f"question {number}"))
        records.append(exchange(number, talk, TextBlock(text=f"answer {number}")))
        talk.append(text("assistant", f"answer {number}"))
    shown = render(converted(trace(*records), until=None, asserts=()), None, None)
    assert shown.count("question 7\n") <= 3
    assert shown.count("answer 7\n") <= 3


def test_the_summary_says_every_part_of_itself():
    run = replaced(story(), "m2", unknown=("$.request.parameters.*",), reconstructed=("$.response.usage",))
    lines = "\n".join(summary_lines(converted(run, accepted=(("flows/o.flow.yaml", story()),)).summary))
    for said in (
        "exchanges: m1",
        "until: m2",
        "unknown: m2",
        "suspected: m2",
        "suggested: ",
        "asserted: ",
        "already covered by: flows/o",
    ):
        assert said in lines


def test_what_many_records_say_alike_is_said_once():
    run = replaced(replaced(story(), "m2", unknown=("$.streamed",)), "m4", unknown=("$.streamed",))
    assert "unknown: m2, m4: $.streamed" in list(summary_lines(converted(run).summary))
