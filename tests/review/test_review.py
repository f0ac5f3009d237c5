"""What a reviewer sees and can answer, at a terminal and in scripts."""

import json

import msgspec
import pytest

from runwright.convert import write_proposal
from runwright.review import accept, as_json, commands, listing, pending, review_interactively, show
from tests.convert.test_convert import KEY, OUT, converted, with_key
from tests.convert.test_write import CASSETTE, FLOW, accepted, changed, files

OTHER = "flows/other"


@pytest.fixture
def two(tmp_path):
    """A repository with two pending proposals."""
    write_proposal(converted(), tmp_path)
    write_proposal(converted(out=OTHER), tmp_path)
    return tmp_path


def reviewed(root, *answers):
    """What was said, and what is still pending, when a person gives these answers and then goes away."""
    waiting, said = list(answers), []

    def ask(prompt):
        said.append(prompt)
        if not waiting:
            raise EOFError
        return waiting.pop(0)

    left = review_interactively(root, ask, said.append)
    return "\n".join(said), left


# --- states -------------------------------------------------------------------------------------


def test_states(tmp_path):
    assert pending(tmp_path) == ()
    write_proposal(converted(), tmp_path)
    assert [each.state for each in pending(tmp_path)] == ["new"]
    accept(tmp_path, OUT)
    write_proposal(changed(), tmp_path)
    assert [each.state for each in pending(tmp_path)] == ["change"]
    (tmp_path / FLOW).write_text("else\n")
    assert [each.state for each in pending(tmp_path)] == ["base_changed"]
    (tmp_path / f"{OUT}.proposal.json").write_text("{")
    assert [each.state for each in pending(tmp_path)] == ["broken"]


def test_a_pending_file_at_a_strange_place_is_listed_as_broken(tmp_path):
    place = tmp_path / "cassettes/a.flow.yaml.new"
    place.parent.mkdir()
    place.write_text("")
    assert [each.state for each in pending(tmp_path)] == ["broken"]


# --- shown --------------------------------------------------------------------------------------


def test_show_has_the_summary_and_both_differences(tmp_path):
    accepted(tmp_path)
    write_proposal(changed(), tmp_path)
    (item,) = pending(tmp_path)
    text = show(item)
    assert text.startswith(f"refund-twice  {FLOW}  (changes accepted files)\nexchanges: m1 lookup_order;")
    assert f"+++ b/{CASSETTE}\n" in text
    assert "+    text: Refunded.\n" in text


def test_show_follows_the_reviewers_edit(tmp_path):
    write_proposal(converted(), tmp_path)
    (tmp_path / f"{FLOW}.new").write_text("edited: true\n")
    assert "+edited: true\n" in show(pending(tmp_path)[0])


def test_show_says_what_is_wrong_with_a_broken_one(tmp_path):
    write_proposal(converted(), tmp_path)
    (tmp_path / f"{OUT}.proposal.json").unlink()
    assert "problem: flows/regressions/refund-twice.proposal.json: the proposal file is missing" in show(
        pending(tmp_path)[0]
    )


def test_a_terminal_is_not_steered_and_a_secret_not_shown(tmp_path):
    write_proposal(converted(), tmp_path)
    place = tmp_path / f"{FLOW}.new"
    place.write_text(f"name: \x1b[2J\u202e\nprompt: {KEY}\n")
    for text in (show(pending(tmp_path)[0]), json.dumps(as_json(pending(tmp_path)), ensure_ascii=False)):
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert KEY not in text


def test_a_redacted_proposal_can_be_shown_and_accepted(tmp_path):
    write_proposal(converted(with_key(), redact=True), tmp_path)
    assert "redacted: 1 " in show(pending(tmp_path)[0])
    accept(tmp_path, OUT)


def test_listing(two):
    assert listing(pending(two)) == f"other  {OTHER}.flow.yaml  (new)\nrefund-twice  {FLOW}  (new)"
    assert listing(()) == "nothing is pending"


def test_json_has_everything_a_script_needs(two):
    value = as_json(pending(two))
    (first, second) = value["pending"]
    assert (first["name"], second["name"]) == ("other", "refund-twice")
    assert second["flow"] == FLOW
    assert second["cassette"] == CASSETTE
    assert second["state"] == "new"
    assert second["problem"] is None
    assert second["summary"]["until"] == {"id": "m2", "why": ""}
    assert second["difference"].startswith("--- /dev/null")
    assert msgspec.json.decode(json.dumps(value)) == value


def test_without_a_terminal_each_prompt_has_its_command(two):
    text = commands(pending(two))
    for decision in ("accept", "reject"):
        assert f"runwright review --{decision} {OUT}" in text
        assert f"runwright review --{decision} {OTHER}" in text
    assert commands(()) == "nothing is pending"


# --- at a terminal ------------------------------------------------------------------------------


def test_accept_one_and_reject_the_other(two):
    said, left = reviewed(two, "r", "a")
    assert left == ()
    assert "[1/2] other" in said
    assert "[2/2] refund-twice" in said
    assert sorted(files(two)) == [CASSETTE, FLOW]


@pytest.mark.parametrize(
    "answers", [("s", "s"), ("q",), (), ("x", "q")], ids=["skip", "quit", "end of input", "nonsense"]
)
def test_nothing_is_decided_without_a_decision(two, answers):
    before = files(two)
    _, left = reviewed(two, *answers)
    assert left == ("other", "refund-twice")
    assert files(two) == before


def test_nonsense_is_asked_again(two):
    said, left = reviewed(two, "yes", "a", "q")
    assert "'yes' is none of" in said
    assert left == ("refund-twice",)


def test_what_cannot_be_accepted_says_why_and_can_be_rejected(tmp_path):
    write_proposal(converted(), tmp_path)
    (tmp_path / f"{CASSETTE}.new").write_bytes(b"")
    said, left = reviewed(tmp_path, "a", "r")
    assert "cassette.jsonl.new" in said
    assert left == ()
    assert files(tmp_path) == {}
