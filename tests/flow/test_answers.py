"""An agent that answers each delivery on its own, output that was cut, and how an agent says that it failed."""

import pytest

from runwright.flow import AgentEnd, Evidence, NoSecretLeak, Said, Sent, Surroundings, Word, decide, judge
from runwright.flow.prose import parse_reply
from tests.flow.made import facts, flow

SAID = ("Your 40 are refunded.", "You are welcome.")


def evidence(*said: str, hidden: tuple[str, ...] = ()) -> Evidence:
    whole = "\n".join(said)
    return Evidence(
        reply=Said(text=whole, source="own"), surroundings=Surroundings(output=whole, said=said), hidden=hidden
    )


@pytest.mark.parametrize(
    ("written", "turn", "state"),
    [
        ("reply contains refunded", 0, "held"),
        ("reply contains refunded", 1, "failed"),
        ("reply contains welcome", 1, "held"),
        ("reply does not contain welcome", 0, "held"),
        ("reply equals You are welcome.", 1, "held"),
        ("reply contains welcome", 2, "failed"),
        ("reply contains welcome", None, "held"),
    ],
)
def test_a_delivery_has_its_own_answer(written: str, turn: int | None, state: str) -> None:
    assert judge(parse_reply(written, "x"), evidence(*SAID), turn=turn).state == state


@pytest.mark.parametrize(
    ("written", "state"), [("reply contains refunded", "held"), ("reply does not contain sorry", "not_judged")]
)
def test_of_a_cut_answer_only_what_is_there_is_judged(written: str, state: str) -> None:
    assert judge(parse_reply(written, "x"), evidence(*SAID, hidden=("message",)), turn=0).state == state


@pytest.mark.parametrize(
    ("sent", "hidden", "state"),
    [("fine", (), "held"), ("fine", ("message",), "not_judged"), ("quite-a-token", ("message",), "failed")],
)
def test_a_secret_may_stand_in_what_was_cut(sent: str, hidden: tuple[str, ...], state: str) -> None:
    known = Evidence(
        sent=(Sent(place="m1", text=sent),),
        surroundings=Surroundings(environment={"TOKEN": "quite-a-token"}),
        hidden=hidden,
    )
    assert judge(NoSecretLeak(names=("TOKEN",)), known).state == state


@pytest.mark.parametrize(
    ("end", "word", "told"),
    [
        (AgentEnd(status=200), Word.PASS, ""),
        (AgentEnd(status=204), Word.PASS, ""),
        (AgentEnd(status=302), Word.FAIL, "the agent answered with status 302"),
        (AgentEnd(status=500), Word.FAIL, "the agent answered with status 500"),
        (AgentEnd(error="its answer broke off"), Word.FAIL, "the agent gave no whole answer: its answer broke off"),
        (AgentEnd(exit_code=0), Word.PASS, ""),
        (AgentEnd(exit_code=3), Word.FAIL, "the agent exited with 3"),
        (AgentEnd(exit_code=-9, error="killed"), Word.FAIL, "the agent exited with -9"),
    ],
)
def test_how_an_agent_says_that_it_failed(end: AgentEnd, word: Word, told: str) -> None:
    result = decide(flow(), facts(agent=end))
    assert result.word is word
    assert told in result.summary
