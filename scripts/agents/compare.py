"""An agent of one library against what it sends, and against a changed one: compare.py NAME [DIR]

DIR keeps what was sent, as a model log, and what the adapter says of the agent and of the changed one.
"""

from __future__ import annotations

import json
import sys
import tempfile
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "fixtures")]

import model_server  # noqa: E402
import msgspec  # noqa: E402

from runwright.drift import AgentSpec, Comparison, agent_drift  # noqa: E402
from runwright.readers import read_foreign  # noqa: E402
from runwright.spec import spec_of  # noqa: E402
from runwright.trace import Trace  # noqa: E402

CHANGED = "$.tools.lookup_order."


def main() -> int:
    """0 where the agent is what it sends, and the changed one is not."""
    name = sys.argv[1]
    desk: Any = import_module(f"{name}_desk")
    if hasattr(desk, "compared"):  # a library without a model
        same, drifted = desk.compared()
    else:
        with model_server.serving() as base:
            sent = recorded(desk, base)
            said, changed_one = (spec_of(desk.agent(base, each())) for each in (desk.lookup, desk.lookup_changed))
            same, drifted = against(sent, said), against(sent, changed_one)
        for folder in map(Path, sys.argv[2:3]):
            keep(folder, said, changed_one)
    expected = set(desk.EXPECTED)
    missing = expected - {each.split(".")[1] for each in same.compared}
    changed = [each.path for each in drifted.differences]
    good = same.verdict == "SAME" and not missing and changed and all(each.startswith(CHANGED) for each in changed)
    told = [what for what, agent, field in untold(desk) if getattr(spec_of(agent), field) is not None]
    good = good and not told
    print(f"{'holds' if good else 'FAILS'}  {name}: compared {', '.join(same.compared)}")
    print(f"       changed: {', '.join(changed)}")
    for each in (*same.differences, *same.not_compared, *same.notes, *sorted(missing), *told):
        print(f"       {each}")
    return 0 if good else 1


def untold(desk: Any) -> list[tuple[str, object, str]]:
    """Agents of which a fact is not known before they run, each with what it is and with the name of the fact."""
    return desk.untold() if hasattr(desk, "untold") else []


def recorded(desk: Any, base: str) -> Trace:
    """What the agent sends, as a model log."""
    model_server.LOG.clear()
    desk.run(desk.agent(base, desk.lookup()))
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        log.write_text(written())
        return read_foreign([log])


def written() -> str:
    """The lines of the model log."""
    return "".join(f"{json.dumps(line)}\n" for line in model_server.LOG)


def keep(folder: Path, said: AgentSpec, changed: AgentSpec) -> None:
    """Write what was sent and said into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sent.jsonl").write_text(written())
    for name, spec in (("said", said), ("changed", changed)):
        text = msgspec.json.format(msgspec.json.encode(spec), indent=1)
        (folder / f"{name}.json").write_bytes(text + b"\n")


def against(sent: Trace, spec: AgentSpec) -> Comparison:
    """How the trace compares with what an agent is built from."""
    return agent_drift(sent, spec, datetime.now(UTC))


if __name__ == "__main__":
    raise SystemExit(main())
