"""Reports to render: one of every verdict word, and one that holds everything that is hard to print."""

from runwright.reports.model import (
    WORDS,
    AgentReport,
    ControlReport,
    DifferenceReport,
    EffectsReport,
    FlowReport,
    JudgementReport,
    MissReport,
    Problem,
    RunReport,
    WordName,
)

EXITS: dict[WordName, int] = {"PASS": 0, "FAIL": 1}

HOSTILE = 'a <b>&amp;"quoted"\x00\x1b[31m ]]> \u2028 |`*_ <script>alert(1)</script>\nPASS  forged  (line)'


def flow(word: WordName, **fields: object) -> FlowReport:
    """A flow with this verdict."""
    given: dict[str, object] = {
        "name": f"a flow that gets {word}",
        "path": f"flows/{word.lower()}.flow.yaml",
        "word": word,
        "exit": EXITS.get(word, 2),
        "summary": word,
        "duration": 0.25,
    }
    return FlowReport(**{**given, **fields})  # type: ignore[arg-type]


def report(*flows: FlowReport, problems: tuple[Problem, ...] = (), interrupted: bool = False) -> RunReport:
    """A report of these flows, its exit and totals as the suite would count them."""
    exits = {flow.exit for flow in flows} | ({2} if problems or not flows else set())
    totals = {word: count for word in WORDS if (count := sum(flow.word == word for flow in flows))}
    return RunReport(
        tool_version="0.0.0",
        started_at="2025-05-01T10:00:00.123456+00:00",
        duration=1.5,
        exit=130 if interrupted else max(exits),
        interrupted=interrupted,
        totals=totals,
        problems=problems,
        flows=flows,
    )


MISS = MissReport(
    reason="no recorded exchange answers the request",
    later=False,
    nearest="m2",
    differences=(
        DifferenceReport(path="$.request.parameters.temperature", recorded=0, live=0.7),
        DifferenceReport(path="$.request.parameters.seed", live=7),
        DifferenceReport(
            path="$.request.messages[0].content[0].text", recorded="x" * 5000 + "old", live="x" * 5000 + "new"
        ),
    ),
)

EVERYTHING = report(
    flow("PASS", summary="PASS, not judged after m2", real_tools=("issue_refund", "lookup_order")),
    flow(
        "FAIL",
        control=ControlReport(id="no-double-refund", title="one refund only"),
        judgements=(
            JudgementReport(assertion="assert_tool_call issue_refund x1", state="failed", detail="2 answered: m2, m3"),
            JudgementReport(assertion="assert_no_tool_call delete_customer", state="held"),
        ),
        miss=MISS,
        left_over=("m3", "m4"),
        not_judged=("assert: reply contains refunded",),
        never_compared=("$.request.tools[*].parameters",),
        not_replayed=("t1",),
        effects=EffectsReport(
            counts={"fs_write": 1, "http_request": 1},
            seen=("e1 fs_write create out/a.csv, 6 bytes", "e2 http_request POST https://a/x, status 201"),
            more=3,
            watched=("fs_write", "http_request"),
            unchanged=2,
            left_out={"cache": 4},
            not_seen=("a process was still running",),
            refused=("write config/app.toml: it can only be read",),
        ),
        notes=("a note",),
        agent=AgentReport(exit_code=3, ended="exited", stderr="Traceback\nValueError: no"),
        reply="done",
    ),
    *(flow(word, summary=f"{word}, because") for word in WORDS[2:]),
    flow("FAIL", name=HOSTILE, path="flows/a b.flow.yaml", summary=HOSTILE, reply=HOSTILE, notes=(HOSTILE,)),
    flow(
        "PASS",
        name="a hostile name",
        effects=EffectsReport(counts={"fs_write": 1}, seen=(HOSTILE,), refused=(HOSTILE,)),
    ),
    problems=(Problem(message="a proposal waits", place="flows/x.flow.yaml.new", hint="runwright review --list"),),
)
