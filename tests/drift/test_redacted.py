"""Secrets in what is compared: gone from what is shown, and no drift where a recording had them taken out."""

from __future__ import annotations

import json

from runwright.drift import AgentSpec, Comparison
from runwright.reports.drift import agent_drift_report, render_drift_text
from runwright.reports.json import render_json
from runwright.secrets import redact_trace
from runwright.survey import AgentSurvey, Surveyed
from tests.drift.made import drift, spec, told, tool, trace

KEY = "sk-proj-" + "Zq3xV7bK9mT2" * 4
OTHER = "sk-proj-" + "Wn8cR4dL6pY1" * 4
FILLER = "All work is careful work. " * 40


def shown(found: Comparison) -> str:
    """Both forms of the report."""
    surveyed = Surveyed(traces=(), flows=(), unread=(), notes=(), files=1)
    report = agent_drift_report(AgentSurvey(surveyed, (("a.jsonl", found),)), "desk:spec")
    assert json.loads(render_json(report))["verdict"] == "DRIFTED"
    return render_json(report) + render_drift_text(report)


def test_no_form_of_the_report_shows_a_secret() -> None:
    given: list[tuple[str, AgentSpec]] = [
        ("You refund.", spec(system_prompt=f"Use {KEY}.")),
        (f"Use {KEY}.", spec(system_prompt="You refund.")),
        (f"{FILLER}Use {KEY} {FILLER}", spec(system_prompt=f"{FILLER}Use {OTHER} {FILLER}")),
        ("You refund.", spec(tools=(tool(parameters={"properties": {KEY: {"default": OTHER}}}),))),
        ("You refund.", spec(tools=(tool(name=KEY),), parameters={"api_key": "hunter2-Rq9"})),
    ]
    for prompt, current in given:
        text = shown(drift(trace(prompt=prompt), current))
        for secret in (KEY, OTHER, KEY[8:40], OTHER[8:40], "hunter2"):
            assert secret not in text
        assert "redacted" in text


def test_terminals_are_not_steered() -> None:
    text = shown(drift(trace(prompt="\x1b[2Jgone\nDRIFTED"), spec(system_prompt="\x1b]0;title\x07")))
    assert "\x1b" not in text.split("}\n", 1)[-1].rsplit("}", 1)[-1]


def test_a_redacted_recording_is_of_the_agent_that_still_has_the_secret() -> None:
    recorded, counts = redact_trace(trace(prompt=f"You refund. The key is {KEY}."))
    assert counts
    assert drift(recorded, spec(system_prompt=f"You refund. The key is {KEY}.")).verdict == "SAME"
    assert drift(recorded, spec(system_prompt=f"You refund. The key is {OTHER}.")).verdict == "SAME"
    assert told(drift(recorded, spec(system_prompt="You refund. The key is none."))).keys() == {"$.system_prompt"}
    assert told(drift(recorded, spec(system_prompt=f"You repay. The key is {KEY}."))).keys() == {"$.system_prompt"}
    assert (
        drift(trace(prompt="The key is [[redacted:openai:1]]."), spec(system_prompt="The key is .")).verdict
        == "DRIFTED"
    )
