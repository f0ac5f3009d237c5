"""What held the agent, and what it tried all the same; nothing is certified that nobody held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runwright.flow.evidence import Evidence, Surroundings
from runwright.flow.judge_effects import SHOWN, behind_a_fault, hidden
from runwright.flow.spec import Flow
from runwright.flow.state import Found, failed, held
from runwright.flow.wants import wants_network
from runwright.trace.visible import visible


def judge_no_egress(evidence: Evidence) -> Found:
    """The network was held, and nothing was refused."""
    surroundings = evidence.surroundings
    if surroundings.blocked:
        return failed(f"tried to reach {listed_places(surroundings.blocked)}")
    if surroundings.egress != "enforced":
        return Found(state="capability", detail="the agent's network was not held, so nothing certifies it")
    if hidden(evidence, "http_request"):
        return behind_a_fault("http_request")
    return held(f"held by {', '.join(surroundings.enforced_by)}" if surroundings.enforced_by else "")


def held_by(flow: Flow, surroundings: Surroundings) -> str:
    """What held the agent, where the flow says what it may reach or change; empty where nothing did or it does not."""
    agent = flow.agent
    asks = agent is not None and (wants_network(flow) or bool(agent.allow_local or agent.protect))
    return f"the agent held by {', '.join(surroundings.enforced_by)}" if asks and surroundings.enforced_by else ""


def not_held(flow: Flow, surroundings: Surroundings) -> Iterator[str]:
    """What the flow says the agent cannot change, where nothing kept it from that."""
    if flow.agent is not None and flow.agent.protect and not surroundings.enforced_by:
        yield f"agent.protect: nothing kept the agent from changing {', '.join(flow.agent.protect)}"


def lost(flow: Flow, surroundings: Surroundings) -> Iterator[str]:
    """What the flow says the agent cannot change, and was changed all the same."""
    if flow.agent is not None and flow.agent.protect:
        yield from (f"agent.protect: {visible(each)}" for each in surroundings.lost)


def attempts(surroundings: Surroundings) -> Iterator[str]:
    """What the agent tried and was kept from, told beside the verdict: it did not happen."""
    if surroundings.blocked:
        yield f"the agent was kept from reaching {listed_places(surroundings.blocked)}"
    if surroundings.refused:
        yield f"the agent was kept from changing {listed_places(surroundings.refused)}"


def listed_places(places: Sequence[str]) -> str:
    """Places that an agent chose, each once, with how often it tried."""
    counted = {each: places.count(each) for each in dict.fromkeys(places)}
    told = [visible(f"{each} ({n} times)" if n > 1 else each) for each, n in list(counted.items())[:SHOWN]]
    return ", ".join(told) + (f" and {len(counted) - SHOWN} more" if len(counted) > SHOWN else "")
