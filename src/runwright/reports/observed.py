"""What was observed of a command, as text and as JSON; its secrets are tokens by then."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import orjson

from runwright.errors import Exit
from runwright.record.observe import Observed
from runwright.secrets import Allowlist, clean_text, gate_trace, scan_trace
from runwright.trace import JSON, plain
from runwright.trace.model import EffectState, FaultRecord, PolicyRecord, SideEffect, SideEffectRecord
from runwright.trace.visible import visible

INDENT = "    "


def gated(observed: Observed, allow: Allowlist | None, out: Path | None = None) -> Observed:
    """What was observed with tokens for its secrets; SecretsFound for one that cannot be taken out."""
    trace, name = observed.trace, "" if out is None else str(out)
    if scan_trace(trace, allow, file=name):  # as a rule there is none, and looking takes a third of the time
        trace = gate_trace(trace, redact=True, allow=allow, name=name or "the report")
    told = trace.header.ext["observe"]
    outside = {token: clean_text(real) for token, real in observed.outside.items()}
    unchanged = told.get("unchanged") if isinstance(told, dict) else None
    names = tuple(str(each) for each in unchanged) if isinstance(unchanged, list) else ()
    return observed._replace(trace=trace, outside=outside, unchanged=names)


def exit_of(observed: Observed) -> Exit:
    """Whether all was seen: the command's own status is told, and is no part of it."""
    if observed.interrupted:
        return Exit.INTERRUPTED
    return Exit.NOT_JUDGED if _faults(observed) else Exit.OK


def observed_text(observed: Observed, *, diff: bool = False, outside: bool = False) -> str:
    """A line for each effect, then what may have hidden one, then what is no effect and how the command ended."""
    real = observed.outside if outside else {}
    lines: list[str] = []
    for record in observed.trace.effects:
        lines.append(_line(record.side_effect, real))
        if diff and record.side_effect.diff:
            lines += [INDENT + _visible(each) for each in record.side_effect.diff.split("\n")[:-1]]
    lines += [f"refused: {_visible(each)}" for each in _refused(observed)]
    lines += [f"not seen: {_visible(each.detail)}" for each in _faults(observed)]
    return "\n".join((*lines, _last(observed))) + "\n"


def observed_json(observed: Observed, trace: Path | None, *, outside: bool = False) -> str:
    """The same as one JSON document."""
    value: dict[str, JSON] = {
        "exit": int(exit_of(observed)),
        "status": observed.status,
        "interrupted": observed.interrupted,
        "effects": [_effect_json(each) for each in observed.trace.effects],
        "faults": [each.detail for each in _faults(observed)],
        "refused": [*_refused(observed)],
        "unchanged": list(observed.unchanged),
        "filtered": dict(observed.filtered),
        "operations": {"seen": observed.operations, "idle": observed.idle},
        "observation": dict(observed.trace.header.observation),
    }
    if outside:
        value["outside"] = dict(observed.outside)
    if trace is not None:
        value["trace"] = clean_text(str(trace))
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def _effect_json(record: SideEffectRecord) -> JSON:
    told: JSON = plain(record.side_effect)
    return {
        "id": record.id,
        **({} if record.t is None else {"t": record.t}),
        **(told if isinstance(told, dict) else {}),
    }


def _faults(observed: Observed) -> list[FaultRecord]:
    return [each for each in observed.trace.records if isinstance(each, FaultRecord)]


def _refused(observed: Observed) -> list[str]:
    found = (each for each in observed.trace.records if isinstance(each, PolicyRecord) and each.verdict == "deny")
    return [each.reason or "" for each in found]


def _line(effect: SideEffect, real: Mapping[str, str]) -> str:
    to = effect.detail.get("to") or effect.detail.get("leads")
    arrow = f" -> {_name(str(to), real)}" if to else ""
    return f"{effect.op or effect.kind:<9} {_name(effect.target, real)}{arrow}{_sizes(effect)}{_mode(effect)}"


def _name(target: str, real: Mapping[str, str]) -> str:
    return _visible(real.get(target, target))


def _sizes(effect: SideEffect) -> str:
    if effect.kind == "db_change":
        columns = effect.detail.get("columns")
        return f"  {', '.join(map(str, columns))}" if isinstance(columns, list) else ""
    before, after = _size(effect.before), _size(effect.after)
    if effect.op in ("link", "chmod", "chown", "setxattr") or before == after:
        return ""
    sizes = [each for each in (before, after) if each is not None]
    return f"  {' -> '.join(map(str, sizes))} bytes"


def _size(state: EffectState | None) -> int | None:
    return None if state is None else state.size


def _mode(effect: SideEffect) -> str:
    mode = effect.detail.get("mode")
    if isinstance(mode, dict):
        return f"  {mode['before']} -> {mode['after']}"
    return f"  {mode}" if mode else ""


def _visible(line: str) -> str:
    """A line of which no part can pass for another; a tab stays."""
    return "\t".join(map(visible, line.split("\t")))


def _last(observed: Observed) -> str:
    parts = [_count(len(observed.trace.effects), "effect")]
    if observed.unchanged:
        parts.append(f"{_count(len(observed.unchanged), 'file')} written and unchanged")
    if observed.filtered:
        kinds = ", ".join(_count(number, rule) for rule, number in observed.filtered.items())
        parts.append(f"left out: {kinds}")
    word = {Exit.OK: "OBSERVED", Exit.NOT_JUDGED: "UNVERIFIED"}.get(exit_of(observed), "INTERRUPTED")
    return f"{word}: {', '.join(parts)}; {_ending(observed)}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 or word == "own output" else f"{number} {word}s"


def _ending(observed: Observed) -> str:
    agent = observed.trace.header.agent
    words = ((agent and agent.command) or "").split()  # what redaction left of the quotes need not match
    name = _visible(words[0].strip("'\"").rpartition("/")[2]) if words else "the command"
    if observed.status is None:
        return f"how {name} ended is not known"
    return f"{name} {'was ended by signal' if observed.status < 0 else 'exited'} {abs(observed.status)}"
