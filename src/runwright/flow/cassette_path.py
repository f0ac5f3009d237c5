"""Where a flow's cassette is when the flow does not say."""

from __future__ import annotations

from pathlib import Path

SUFFIXES = (".flow.yaml", ".flow.yml", ".yaml", ".yml")


def cassette_path(flow: Path, named: str | None) -> Path:
    """The cassette named, from the flow's folder; else the mirrored one; else `BASE.trace.jsonl` beside the flow.

    Mirrored is `cassettes/a/b.cassette.jsonl` for `flows/a/b.flow.yaml`. Of those that exist the outermost wins; where
    nothing exists, the mirrored path of the nearest `flows` folder is what is missing.
    """
    if named is not None:
        return flow.parent / named
    mirrored, beside = _mirrored(flow), flow.parent / f"{_base(flow)}.trace.jsonl"
    existing = [path for path in (*mirrored, beside) if path.is_file()]
    return (existing or mirrored[-1:] or [beside])[0]


def _base(flow: Path) -> str:
    name = flow.name.removesuffix(".new")
    return next((name.removesuffix(suffix) for suffix in SUFFIXES if name.endswith(suffix)), name)


def _mirrored(flow: Path) -> list[Path]:
    path = flow if "flows" in flow.parts[:-1] else flow.absolute()
    parts, file = path.parts[:-1], f"{_base(flow)}.cassette.jsonl"
    return [Path(*parts[:at], "cassettes", *parts[at + 1 :], file) for at, part in enumerate(parts) if part == "flows"]
