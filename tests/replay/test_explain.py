"""What a refused agent is told, line by line."""

from __future__ import annotations

from runwright.match import MISSING, Difference
from runwright.replay import LiveMiss, wire_text

PLACE, REASON = "POST /v1/chat/completions", "no recorded request agrees; the nearest is m2"


def told(*differences, clean=str):
    return wire_text(LiveMiss(PLACE, "differs", REASON, nearest="m2", differences=differences), clean).split("\n")


def test_place_reason_and_each_difference():
    assert told(
        Difference("$.request.parameters.temperature", 0.2, MISSING),
        Difference("$.request.tools[0].description", "a", "b", about="look_up"),
    ) == [
        "runwright replay, POST /v1/chat/completions: no recorded request agrees; the nearest is m2",
        "  $.request.parameters.temperature: 0.2 -> (absent)",
        '  $.request.tools[0].description (look_up): "a" -> "b"',
        "nothing is served after a miss",
    ]


def test_it_stays_short():
    lines = told(*(Difference(f"$.request.parameters.p{n}", "x" * 5_000, ["y" * 5_000]) for n in range(40)))
    assert lines[-2] == "  and 28 more"
    assert len("\n".join(lines)) < 6_000


def test_a_secret_is_cleaned_before_its_text_is_cut():
    secret = "s" * 300
    lines = told(
        Difference("$.request.model", secret, [secret]), clean=lambda text: text.replace(secret, "[[redacted]]")
    )
    assert lines[1] == '  $.request.model: "[[redacted]]" -> ["[[redacted]]"]'
