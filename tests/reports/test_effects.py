"""What an agent did to the world, in every form of the report; names that it chose forge nothing."""

from __future__ import annotations

import json
from dataclasses import replace as with_fields

import pytest
from jsonschema import Draft202012Validator

from runwright.flow import Word
from runwright.reports import render_html, render_json, render_junit, render_markdown, render_text, report_of
from runwright.reports.effects import LINES, MOST, effect_line, effects_of
from runwright.trace.model import (
    EFFECT_KINDS,
    EffectState,
    FaultRecord,
    Header,
    PolicyRecord,
    SideEffect,
    SideEffectRecord,
    Trace,
)
from tests.reports.test_report import JUNIT, KEY, SCHEMA, result, suite

WRITTEN = SideEffect(
    kind="fs_write", target="out/a.csv", op="append", before=EffectState(size=3), after=EffectState(size=6)
)
FORGED = "a\nPASS  refund  (flows/a.flow.yaml)\r\x1b[2K\x1b[1A\u202etxt.exe\u2028b\u0085c"
FORMS = (render_text, render_json, render_junit, render_markdown, render_html)


def live(
    *made: SideEffect,
    how: str = "observed",
    refused: tuple[str, ...] = (),
    missed: tuple[str, ...] = (),
    **told: object,
) -> Trace:
    records = [SideEffectRecord(id=f"e{n}", side_effect=each) for n, each in enumerate(made, 1)]
    faults = [
        FaultRecord(id=f"f{n}", kind="observer_failed", detail=each, hides=("fs_write",))
        for n, each in enumerate(missed, 1)
    ]
    denied = [
        PolicyRecord(id=f"p{n}", policy="contain", verdict="deny", reason=each) for n, each in enumerate(refused, 1)
    ]
    header = Header(kind="run", trace_id="t", observation=dict.fromkeys(EFFECT_KINDS, how), ext={"observe": told})
    return Trace(header=header, records=(*records, *denied, *faults))


def reported(trace: Trace | None, **fields: object):
    given = suite(result(**{"word": Word.PASS, "exit": 0, "summary": "PASS", **fields}))
    return report_of(with_fields(given, runs=tuple(with_fields(each, trace=trace) for each in given.runs)))


@pytest.mark.parametrize(
    ("effect", "line"),
    [
        (WRITTEN, "e1 fs_write append out/a.csv, 3 -> 6 bytes"),
        (
            SideEffect(kind="fs_delete", target="a", op="delete", before=EffectState(size=3)),
            "e1 fs_delete delete a, 3 bytes",
        ),
        (SideEffect(kind="fs_rename", target="a", op="move", detail={"to": "b"}), "e1 fs_rename move a -> b"),
        (SideEffect(kind="fs_write", target="a", op="symlink", detail={"leads": "b"}), "e1 fs_write symlink a -> b"),
        (
            SideEffect(kind="http_request", target="https://a/x", op="POST", detail={"status": 201}),
            "e1 http_request POST https://a/x, status 201",
        ),
        (
            SideEffect(kind="db_change", target="d/t/1", op="update", detail={"columns": ["a", "b"]}),
            "e1 db_change update d/t/1, a, b",
        ),
        (SideEffect(kind="fs_write", target=FORGED), None),
    ],
)
def test_an_effect_is_one_line(effect: SideEffect, line: str | None) -> None:
    found = effect_line(SideEffectRecord(id="e1", side_effect=effect))
    assert found.isprintable()
    assert line is None or found == line


def test_the_summary_is_in_every_form() -> None:
    report = reported(
        live(WRITTEN, unchanged=["b"], filtered={"cache": 4}, refused=("write config/x",), missed=("it went on",))
    )
    for render in FORMS:
        text = render(report)
        for part in ("fs_write append out/a.csv, 3 -", "write config/x", "cache", "it went on"):
            assert part in text, (render, part)
    text = render_text(report)
    assert "    side effects: 1 fs_write; 1 file written and unchanged; left out: 4 cache\n" in text
    shown = ("e1 fs_write append out/a.csv, 3 -> 6 bytes", "not seen: it went on", "refused: write config/x")
    assert "".join(f"\n      {each}" for each in shown) in text
    assert [each.message for each in Draft202012Validator(SCHEMA).iter_errors(json.loads(render_json(report)))] == []


def test_where_somebody_watched_and_nothing_happened_that_is_said() -> None:
    assert "side effects: none seen" in render_text(reported(live()))
    assert "side effects" not in render_text(reported(live(how="not_observed")))
    assert "side effects" not in render_text(reported(None))
    assert effects_of(live(WRITTEN, how="not_observed")) is not None
    refused = reported(live(how="not_observed", refused=("reach 203.0.113.9:443",)))
    for render in (render_text, render_markdown, render_html):
        assert "side effects: not looked for" in render(refused)


def test_many_are_counted_and_a_few_are_shown() -> None:
    report = reported(live(*[WRITTEN] * (MOST + 20)))
    effects = report.flows[0].effects
    assert (effects.counts, len(effects.seen), effects.more) == ({"fs_write": MOST + 20}, MOST, 20)
    text = render_text(report)
    assert (text.count("out/a.csv"), f"and {MOST + 20 - LINES} more" in text) == (LINES, True)


@pytest.mark.parametrize("word", [Word.PASS, Word.FAIL])
def test_a_name_forges_no_line_and_steers_no_terminal(word: Word) -> None:
    evil = SideEffect(kind="fs_rename", target=FORGED, op="move", detail={"to": FORGED})
    fields: dict[str, object] = {"word": word, "exit": int(word is Word.FAIL), "summary": word.value}
    report = reported(live(evil, refused=(FORGED,), missed=(FORGED,)), **fields)
    for render in FORMS:
        text = render(report)
        assert "refund" in text
        assert not any(line.lstrip(" >*").startswith("PASS  refund") for line in text.splitlines()), render
        assert not set("\r\x1b\u202e\u2028\u0085") & set(text), render
    JUNIT.validate(render_junit(report))


def test_a_secret_in_a_name_is_a_token() -> None:
    report = reported(live(SideEffect(kind="fs_write", target=f"out/{KEY}.txt", op="create")))
    for render in FORMS:
        assert KEY[:16] not in render(report), render
