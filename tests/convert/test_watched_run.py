"""A run that was watched becomes a flow that holds the next one to what it did, through the real path."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from runwright.convert.convert import convert
from runwright.convert.options import ConvertOptions
from runwright.flow import FlowResult, Word
from runwright.record.observe import cannot_observe
from runwright.run import RunOptions, run_flow, run_one
from runwright.trace import dumps_trace
from tests.run.story import shop

BARE = {"PATH": os.pathsep.join((str(Path(sys.executable).parent), "/usr/bin", "/bin"))}
WRITES = ('return {"order_id"', 'open("out.csv", "w").write("A-4471,40")\n    return {"order_id"')

pytestmark = pytest.mark.skipif(bool(cannot_observe()), reason=cannot_observe())


def test_a_kept_run_is_converted_and_guards_what_it_wrote(tmp_path: Path) -> None:
    made = shop(tmp_path)
    made.agent(WRITES)
    made.spec(("steps:", "effects: {}\nsteps:"))
    kept = run_one(made.flow, RunOptions(environment=BARE, timeout=30, keep=True)).trace
    assert kept is not None
    options = ConvertOptions(out="flows/report", agent_command="python agent.py", tools="real")
    proposal = convert(kept, options)
    line = "  # - assert_side_effect: {kind: fs_write, target: out.csv, op: create, after: {content: {equals: "
    assert f'{line}"A-4471,40"}}}}}}  # e1 (observed)\n' in proposal.flow
    flow = tmp_path / proposal.paths.flow
    (tmp_path / proposal.paths.cassette).write_bytes(dumps_trace(proposal.cassette))
    text = proposal.flow.replace("  # - assert_side_effect", "  - assert_side_effect")
    flow.write_text(text.replace("# effects: strict", "effects: strict"))

    def run() -> FlowResult:
        (tmp_path / "out.csv").unlink(missing_ok=True)
        return run_flow(flow, RunOptions(environment=BARE, timeout=30))

    result = run()
    assert result.word is Word.PASS, result.summary
    made.agent((WRITES[0], WRITES[1].replace("A-4471,40", "A-4471,41")))
    result = run()
    assert (result.word, [each.state for each in result.judgements]) == (Word.FAIL, ["failed", "failed"])
    assert [(each.path, each.recorded, each.live) for each in result.judgements[1].differences] == [
        ("fs_write out.csv after.content", "A-4471,40", "A-4471,41")
    ]
