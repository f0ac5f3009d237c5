"""What held an agent, and what it tried: asserted, or only told."""

from __future__ import annotations

from dataclasses import replace

from runwright.flow import AgentSpec, FlowResult, Surroundings, Word, decide, evidence_of
from tests.flow.made import GOOD, facts, flow

AGENT = AgentSpec(command=("python", "agent.py"), tools="real", contain=True)
HELD = {"egress": "enforced", "enforced_by": ("a network namespace", "seccomp")}
CALLED = {"assert_tool_call": "lookup_order"}


def verdict(*steps: object, agent: AgentSpec = AGENT, **surroundings: object) -> FlowResult:
    evidence = evidence_of(GOOD, Surroundings(output="Your 40 are refunded.", **surroundings))
    return decide(flow(*steps, agent=agent), replace(facts(), evidence=evidence))


def test_the_verdict_names_what_held_the_agent() -> None:
    result = verdict("assert_no_egress", **HELD)
    assert result.summary == "PASS, the agent held by a network namespace, seccomp"
    assert result.judgements[0].detail == "held by a network namespace, seccomp"
    for agent in (
        replace(AGENT, allow_egress=("a.example",)),
        replace(AGENT, allow_local=(5432,)),
        replace(AGENT, protect=("config/",)),
    ):
        assert "held by" in verdict(CALLED, agent=agent, **HELD).summary
    assert verdict(CALLED, **HELD).summary == "PASS"


def test_what_nothing_held_is_a_capability() -> None:
    assert verdict("assert_no_egress").word is Word.CAPABILITY
    assert verdict("assert_no_egress", egress="observed", enforced_by=("seccomp",)).word is Word.CAPABILITY
    result = verdict(CALLED, agent=replace(AGENT, protect=("config/", "flows/")))
    assert result.summary == "CAPABILITY, agent.protect: nothing kept the agent from changing config/, flows/"


def test_an_attempt_fails_the_assertion_and_names_its_destinations() -> None:
    blocked = ("203.0.113.7:443", "203.0.113.7:443", *(f"198.51.100.{n}:53" for n in range(6)))
    result = verdict("assert_no_egress", **HELD, blocked=blocked)
    assert result.summary == (
        "FAIL, assert_no_egress: tried to reach 203.0.113.7:443 (2 times), 198.51.100.0:53, 198.51.100.1:53, "
        "198.51.100.2:53, 198.51.100.3:53 and 2 more"
    )


def test_an_attempt_that_no_assertion_asks_about_is_told_and_fails_nothing() -> None:
    result = verdict(CALLED, **HELD, blocked=("203.0.113.7:443",), refused=("config/app.toml",))
    assert result.word is Word.PASS
    assert result.notes == (
        "the agent was kept from reaching 203.0.113.7:443",
        "the agent was kept from changing config/app.toml",
    )


def test_a_path_or_host_forges_no_line() -> None:
    result = verdict("assert_no_egress", **HELD, blocked=("evil\nPASS",), refused=("a\x1b[2K\u202eb",))
    assert all(each.isprintable() for each in (result.summary, *result.notes))
