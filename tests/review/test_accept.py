"""Accepting is both files or neither; whatever a reviewer could not have meant is refused, and then nothing changes."""

import json
import os
from pathlib import Path

import pytest

from runwright.convert import write_proposal
from runwright.errors import FlowError, IncompleteTrace, ReviewError, RunwrightError, SecretsFound, TraceError
from runwright.flow import load_flow
from runwright.review import accept, find, pending, reject
from runwright.trace import dumps_trace, read_trace
from tests.convert.test_convert import KEY, OUT, converted, with_key
from tests.convert.test_write import CASSETTE, FLOW, accepted, changed, files
from tests.convert.traces import story

NOTE = f"{OUT}.proposal.json"


def edit(root: Path, place: str, old: str, new: str) -> None:
    text = (root / place).read_text(encoding="utf-8")
    assert old in text
    (root / place).write_text(text.replace(old, new), encoding="utf-8")


def refused(root: Path, kind: type[RunwrightError], match: str | None) -> RunwrightError:
    """Accepting raises this and changes nothing."""
    before = files(root)
    with pytest.raises(kind, match=match) as raised:
        accept(root, "refund-twice")
    assert files(root) == before
    return raised.value


# --- accepted -----------------------------------------------------------------------------------


def test_both_files_are_in_place_and_nothing_waits(tmp_path):
    write_proposal(converted(), tmp_path)
    assert accept(tmp_path, "refund-twice") == (tmp_path / FLOW, tmp_path / CASSETTE)
    assert sorted(files(tmp_path)) == [CASSETTE, FLOW]
    assert read_trace(tmp_path / CASSETTE) == converted().cassette
    assert load_flow(tmp_path / FLOW, {}).cassette.resolve() == (tmp_path / CASSETTE).resolve()
    assert pending(tmp_path) == ()


def test_accepted_files_are_replaced_by_a_change(tmp_path):
    accepted(tmp_path)
    write_proposal(changed(), tmp_path)
    accept(tmp_path, OUT)
    assert read_trace(tmp_path / CASSETTE) == changed().cassette


def test_a_reviewers_edit_is_what_is_accepted(tmp_path):
    write_proposal(converted(), tmp_path)
    edit(
        tmp_path,
        f"{FLOW}.new",
        "# - assert_no_tool_call",
        "- assert_no_tool_call",
    )
    accept(tmp_path, "refund-twice")
    assert len(load_flow(tmp_path / FLOW, {}).steps) == 2


def test_a_variable_that_is_not_set_here_is_no_reason_to_refuse(tmp_path):
    write_proposal(converted(agent_command="python ${AGENT_FILE}"), tmp_path)
    accept(tmp_path, "refund-twice")
    assert "${AGENT_FILE}" in (tmp_path / FLOW).read_text()


def test_what_is_named_may_be_a_path_with_or_without_suffix(tmp_path):
    for name in ("refund-twice", OUT, FLOW, f"{FLOW}.new", f"./{OUT}", NOTE):
        write_proposal(converted(), tmp_path)
        assert find(tmp_path, name).paths.flow == FLOW


# --- refused ------------------------------------------------------------------------------------


def test_an_unknown_name_lists_what_waits(tmp_path):
    write_proposal(converted(), tmp_path)
    with pytest.raises(ReviewError, match="'other'") as raised:
        accept(tmp_path, "other")
    assert raised.value.hint == "pending: refund-twice"
    assert raised.value.exit_code == 2


def test_a_name_that_two_proposals_have_must_be_a_path(tmp_path):
    write_proposal(converted(), tmp_path)
    write_proposal(converted(out="flows/other/refund-twice"), tmp_path)
    error = refused(tmp_path, ReviewError, "2 proposals")
    assert "flows/other/refund-twice" in error.hint
    accept(tmp_path, "flows/other/refund-twice")


@pytest.mark.parametrize("place", [FLOW, CASSETTE])
def test_a_base_that_changed(tmp_path, place):
    accepted(tmp_path)
    write_proposal(changed(), tmp_path)
    (tmp_path / place).write_bytes((tmp_path / place).read_bytes() + b"# edited\n")
    assert "convert again" in refused(tmp_path, ReviewError, f"{place} changed").hint


@pytest.mark.parametrize("place", [FLOW, CASSETTE])
def test_a_base_that_appeared(tmp_path, place):
    write_proposal(converted(), tmp_path)
    (tmp_path / place).write_bytes(b"")
    refused(tmp_path, ReviewError, f"{place} changed")


def test_a_base_that_went_away(tmp_path):
    accepted(tmp_path)
    write_proposal(changed(), tmp_path)
    (tmp_path / FLOW).unlink()
    refused(tmp_path, ReviewError, "changed")


@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        (lambda data: data[:-200], IncompleteTrace),
        (lambda data: data.replace(b"teapot", b"kettle"), IncompleteTrace),
        (lambda data: data.replace(b'"lane":"tool"', b'"lane":"took"'), TraceError),
        (lambda data: b"", TraceError),
    ],
    ids=["no seal", "wrong seal", "unknown lane", "empty"],
)
def test_a_cassette_that_is_not_whole(tmp_path, damage, kind):
    write_proposal(converted(), tmp_path)
    place = tmp_path / f"{CASSETTE}.new"
    place.write_bytes(damage(place.read_bytes()))
    refused(tmp_path, kind, None)


def test_a_sealed_run_is_no_cassette(tmp_path):
    write_proposal(converted(), tmp_path)
    (tmp_path / f"{CASSETTE}.new").write_bytes(dumps_trace(story()))
    refused(tmp_path, ReviewError, "kind is 'run'")


def test_a_flow_that_does_not_load(tmp_path):
    write_proposal(converted(), tmp_path)
    edit(tmp_path, f"{FLOW}.new", "assert_tool_call:", "assert_tool_cal:")
    refused(tmp_path, FlowError, "assert_tool_cal")


def test_a_flow_that_replays_another_cassette(tmp_path):
    write_proposal(converted(), tmp_path)
    edit(tmp_path, f"{FLOW}.new", "refund-twice.cassette.jsonl", "other.cassette.jsonl")
    refused(tmp_path, ReviewError, "replays")


def test_a_flow_that_is_strict_up_to_nothing(tmp_path):
    write_proposal(converted(), tmp_path)
    edit(tmp_path, f"{FLOW}.new", "until: m2", "until: m7")
    assert "m1, m2, m3, m4" in refused(tmp_path, FlowError, "'m7'").hint


def test_an_edited_assertion_that_until_leaves_open(tmp_path):
    write_proposal(converted(), tmp_path)
    edit(tmp_path, f"{FLOW}.new", "times: 1}\n", "times: 1}\n  - assert_outcome: success\n")
    refused(tmp_path, FlowError, "cannot be decided")


def test_a_secret_that_the_reviewer_wrote(tmp_path):
    write_proposal(converted(), tmp_path)
    edit(tmp_path, f"{FLOW}.new", "Please refund it.", f"My token is {KEY}.")
    assert KEY not in str(refused(tmp_path, SecretsFound, None))


def test_a_secret_in_a_resealed_cassette(tmp_path):
    write_proposal(converted(), tmp_path)
    leaking = type(story())(header=converted().cassette.header, records=with_key().records)
    (tmp_path / f"{CASSETTE}.new").write_bytes(dumps_trace(leaking))
    assert KEY not in str(refused(tmp_path, SecretsFound, None))


@pytest.mark.parametrize("place", [f"{FLOW}.new", f"{CASSETTE}.new", NOTE])
def test_a_file_that_is_missing(tmp_path, place):
    write_proposal(converted(), tmp_path)
    (tmp_path / place).unlink()
    refused(tmp_path, ReviewError, "missing")


@pytest.mark.parametrize("target", ["../../outside.flow.yaml", "flows/other.flow.yaml"])
def test_a_proposal_file_cannot_point_elsewhere(tmp_path, target):
    write_proposal(converted(), tmp_path)
    note = json.loads((tmp_path / NOTE).read_text())
    (tmp_path / NOTE).write_text(json.dumps({**note, "flow": target}))
    refused(tmp_path, ReviewError, "own place")


# --- both or neither ----------------------------------------------------------------------------


@pytest.mark.parametrize("before", [lambda root: None, accepted], ids=["new", "change"])
def test_a_failure_between_the_files_is_undone(tmp_path, monkeypatch, before):
    before(tmp_path)
    write_proposal(changed(), tmp_path)
    was = files(tmp_path)
    real = Path.replace

    def replace(self, target):
        if self.name.endswith(".flow.yaml.new"):
            raise OSError(28, "No space left on device")
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(OSError, match="No space"):
        accept(tmp_path, "refund-twice")
    assert files(tmp_path) == was


def test_a_kill_between_the_files_can_be_finished(tmp_path):
    accepted(tmp_path)
    write_proposal(changed(), tmp_path)
    killed_between(tmp_path)
    assert find(tmp_path, OUT).state == "half_accepted"
    with pytest.raises(ReviewError, match="half accepted"):
        reject(tmp_path, OUT)
    accept(tmp_path, OUT)
    assert sorted(files(tmp_path)) == [CASSETTE, FLOW]
    assert read_trace(tmp_path / CASSETTE) == changed().cassette


def killed_between(root: Path) -> None:
    """Accept in a process that dies at the second replacement, with no time to undo anything."""
    child = os.fork()
    if child == 0:
        real = Path.replace

        def replace(self, target):
            if str(self).endswith(".flow.yaml.new"):
                os._exit(9)
            return real(self, target)

        Path.replace = replace
        accept(root, OUT)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 9


@pytest.mark.parametrize("place", [FLOW, CASSETTE, f"{FLOW}.new"])
def test_what_changed_since_the_kill_is_not_overwritten(tmp_path, place):
    accepted(tmp_path)
    write_proposal(changed(), tmp_path)
    killed_between(tmp_path)
    (tmp_path / place).write_bytes((tmp_path / place).read_bytes() + b"#\n")
    refused(tmp_path, ReviewError, "cut off")


# --- rejected -----------------------------------------------------------------------------------


def test_reject_removes_the_proposal_and_nothing_else(tmp_path):
    accepted(tmp_path)
    before = files(tmp_path)
    write_proposal(changed(), tmp_path)
    removed = reject(tmp_path, "refund-twice")
    assert sorted(path.name for path in removed) == [
        "refund-twice.cassette.jsonl.new",
        "refund-twice.flow.yaml.new",
        "refund-twice.proposal.json",
    ]
    assert files(tmp_path) == before


@pytest.mark.parametrize("left", [f"{FLOW}.new", f"{CASSETTE}.new", NOTE])
def test_leftovers_can_be_rejected(tmp_path, left):
    write_proposal(converted(), tmp_path)
    for place in {f"{FLOW}.new", f"{CASSETTE}.new", NOTE} - {left}:
        (tmp_path / place).unlink()
    reject(tmp_path, "refund-twice")
    assert files(tmp_path) == {}


def test_an_unknown_name_is_not_rejected(tmp_path):
    with pytest.raises(ReviewError, match="no proposal is called"):
        reject(tmp_path, "x")
