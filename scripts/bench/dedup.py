"""How well the distance of two runs tells tasks and failures apart, and how long grouping takes.

The corpus is none of this repository: tau-bench's published trajectories (50 tasks, four trials each, rewards known),
SWE-agent's, and the annotated conversations of Who&When, in folders of these names. Without it only time is measured.

    python scripts/bench/dedup.py [--corpus DIR] [--json]
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import re
import sys
import time
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from runwright.errors import RunwrightError
from runwright.fingerprint import (
    Fingerprint,
    Seen,
    behaviours,
    distance,
    fingerprint,
    groups,
    told_apart,
)
from runwright.fingerprint.distance import WEIGHTS
from runwright.fingerprint.follows import calls
from runwright.readers.many import files_of, read_many
from runwright.trace import digest

PUBLISHED = "0.71 [0.61-0.78]"
"""Retrieval by patterns of trajectories, 275 of them, as published for another system; embeddings were at chance."""

NEAREST = 5
THRESHOLDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
COUNTS = (1_000, 3_000, 10_000)
Pairs = Mapping[tuple[int, int], float]
Measure = Callable[[Fingerprint, Fingerprint], float]


class Known(NamedTuple):
    """A run, which task it is of, and whether it failed."""

    print: Fingerprint
    task: str
    failed: bool


def tau_bench(folder: Path) -> list[Known]:
    found = [trace for trace in _traces(folder / "tau-bench") if "reward" in trace.header.ext]
    return [Known(fingerprint(each), str(each.header.ext["task_id"]), each.header.ext["reward"] != 1) for each in found]


def swe_agent(folder: Path) -> list[Known]:
    """Runs of one issue, by the end of the file's name; whether they solved it is not told."""
    return [
        Known(fingerprint(trace), re.split("__", path.stem)[-1], failed=False)
        for path, trace in _named(folder / "swe-agent-traj")
    ]


def who_and_when(folder: Path) -> list[Known]:
    """Conversations of two systems: which one is taken for the task."""
    return [
        Known(fingerprint(trace), "hand" if "Hand-Crafted" in path.name else "made", failed=True)
        for path, trace in _named(folder / "who-and-when")
    ]


def _traces(folder: Path) -> Iterator:
    return (trace for _, trace in _named(folder))


def _named(folder: Path) -> Iterator:
    for group in read_many(files_of([folder])):
        yield from ((group.files[0], run.trace) for run in group.runs)


# --- measures ---------------------------------------------------------------------------------------


def part(field: str) -> Measure:
    def measure(one: Fingerprint, other: Fingerprint) -> float:
        return next((each.distance for each in distance(one, other).parts if each.field == field), 0.0)

    return measure


def whole(one: Fingerprint, other: Fingerprint) -> float:
    return distance(one, other).value


def without(field: str) -> Measure:
    def measure(one: Fingerprint, other: Fingerprint) -> float:
        left = [each for each in distance(one, other).parts if each.field != field]
        total = sum(each.weight for each in left)
        return sum(each.distance * each.weight for each in left) / total if total else 0.0

    return measure


def tool_mix(one: Fingerprint, other: Fingerprint) -> float:
    """Jensen-Shannon distance of how often each tool is called, whatever the order."""
    sides = [calls(each.tool_sequences) for each in (one, other)]
    first, second = ({name: n / side.total() for name, n in side.items()} for side in sides)
    if not first or not second:
        return float(first != second)
    names = {*first, *second}
    middle = {name: (first.get(name, 0) + second.get(name, 0)) / 2 for name in names}
    divergence = sum(
        share / 2 * math.log2(share / middle[name]) for side in (first, second) for name, share in side.items()
    )
    return math.sqrt(max(divergence, 0.0))


def length(one: Fingerprint, other: Fingerprint) -> float:
    counts = [calls(each.tool_sequences).total() for each in (one, other)]
    return abs(counts[0] - counts[1]) / max(*counts, 1)


# --- quality ----------------------------------------------------------------------------------------


def auc(near: Iterable[float], far: Iterable[float]) -> float:
    """How often one of the first is smaller than one of the second; a tie is half."""
    first, second = list(near), sorted(far)
    below = sum(len(second) - (bisect_left(second, each) + bisect_right(second, each)) / 2 for each in first)
    return below / (len(first) * len(second))


def of_tasks(runs: Sequence[Known], pairs: Pairs) -> float:
    """Pairs of one task against pairs of two."""
    alike = {pair: runs[pair[0]].task == runs[pair[1]].task for pair in pairs}
    return auc((pairs[each] for each in pairs if alike[each]), (pairs[each] for each in pairs if not alike[each]))


def scores(runs: Sequence[Known], pairs: Pairs) -> list[float]:
    """For each run the share of failed ones among those nearest to it, of other tasks only."""
    found = []
    for one, mine in enumerate(runs):
        others = [at for at, each in enumerate(runs) if each.task != mine.task]
        away = {at: pairs[min(one, at), max(one, at)] for at in others}
        limit = sorted(away.values())[NEAREST - 1]
        near = [at for at in others if away[at] <= limit]
        found.append(sum(runs[at].failed for at in near) / len(near))
    return found


def of_failures(runs: Sequence[Known], found: Sequence[float], chosen: Sequence[int] | None = None) -> float:
    """Failed runs against passed ones, by what their neighbours were."""
    at = range(len(runs)) if chosen is None else chosen
    bad, good = ([-found[each] for each in at if runs[each].failed is failed] for failed in (True, False))
    return auc(bad, good)


def interval(runs: Sequence[Known], found: Sequence[float]) -> tuple[float, float]:
    """95 % over a thousand draws of the tasks."""
    by, tasks = random.Random(1), sorted({each.task for each in runs})
    of = {task: [at for at, each in enumerate(runs) if each.task == task] for task in tasks}
    drawn = sorted(
        of_failures(runs, found, [at for task in by.choices(tasks, k=len(tasks)) for at in of[task]])
        for _ in range(1000)
    )
    return drawn[25], drawn[974]


def paired(runs: Sequence[Known], measure: Measure) -> dict[tuple[int, int], float]:
    return {(a, b): measure(runs[a].print, runs[b].print) for a, b in combinations(range(len(runs)), 2)}


def measures(runs: Sequence[Known]) -> dict[str, Measure]:
    compared = [each.field for each in distance(runs[0].print, runs[0].print).parts]
    return {
        "distance": whole,
        **{f"{field} alone": part(field) for field in compared},
        **{f"without {field}": without(field) for field in compared},
        "tool mix, Jensen-Shannon": tool_mix,
        "number of calls": length,
    }


# --- time -------------------------------------------------------------------------------------------


def generated(count: int, kinds: int) -> list[Seen]:
    """Runs of so many behaviours; each is a shape of arguments and a graph of its own."""
    base = Fingerprint(
        tools=(), tool_sequences=(("look x1", "pay x2"),), endpoints=(), models=("m",), side_effect_kinds=(),
        graph_hash="", outcome_class="success",
        basis=("arguments", "concurrency", "exchanges", "models", "order", "outcome", "tools"),
    )  # fmt: skip
    prints = [replace(base, tools=(f"look(k{at}: number)",), graph_hash=digest(at)) for at in range(kinds)]
    return [Seen(f"run {at}", prints[at % kinds]) for at in range(count)]


def seconds(count: int, kinds: int) -> float:
    runs = generated(count, kinds)
    began = time.process_time()
    made = groups(behaviours(runs))
    told_apart([each.exemplar.print for each in made])
    assert len(made) == kinds
    return time.process_time() - began


def exponent(times: Mapping[int, float]) -> float:
    """The slope of log time over log count."""
    points = [(math.log(count), math.log(spent)) for count, spent in times.items()]
    x, y = (sum(each) / len(points) for each in zip(*points, strict=True))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


# --- tables -----------------------------------------------------------------------------------------


def tau_tables(runs: list[Known]) -> Iterator[list[str]]:
    yield ["tau-bench, AUC", "same task", f"failed, {NEAREST} nearest"]
    for name, measure in measures(runs).items():
        pairs = paired(runs, measure)
        found = scores(runs, pairs)
        told = f"{of_failures(runs, found):.3f}"
        if measure is whole:
            low, high = interval(runs, found)
            told += f" [{low:.2f}-{high:.2f}]"
        yield [name, f"{of_tasks(runs, pairs):.3f}", told]
    yield ["published elsewhere, other data", "", PUBLISHED]


def other_tables(sets: Mapping[str, list[Known]]) -> Iterator[list[str]]:
    chosen = {"distance": whole, **{f"{field} alone": part(field) for field in ("tool_sequences", "tools")}}
    yield ["same task, AUC", "runs", "behaviours", *chosen]
    for name, runs in sets.items():
        found = behaviours([Seen(str(at), each.print) for at, each in enumerate(runs)])
        told = [f"{of_tasks(runs, paired(runs, measure)):.3f}" for measure in chosen.values()]
        yield [name, str(len(runs)), str(len(found)), *told]


def group_table(runs: list[Known]) -> Iterator[list[str]]:
    yield ["tau-bench, --threshold", "groups", "the largest", "pairs in a group of one task", "such pairs in a group"]
    found = behaviours([Seen(str(at), each.print) for at, each in enumerate(runs)])
    alike = sum(n * (n - 1) // 2 for n in Counter(each.task for each in runs).values())
    for threshold in THRESHOLDS:
        made = groups(found, threshold)
        members = [[int(run.name) for one in each.behaviours for run in one.runs] for each in made]
        together = [(a, b) for each in members for a, b in combinations(each, 2)]
        right = sum(runs[a].task == runs[b].task for a, b in together)
        yield [str(threshold), str(len(made)), str(max(map(len, members))),
               f"{right / max(len(together), 1):.2f}", f"{right / alike:.2f}"]  # fmt: skip


def time_table() -> Iterator[list[str]]:
    yield ["seconds to group and name", *map(str, COUNTS), "exponent"]
    for name, kinds in (("12 behaviours", lambda _: 12), ("each run its own", lambda count: count)):
        times = {count: seconds(count, kinds(count)) for count in COUNTS}
        yield [name, *(f"{spent:.2f}" for spent in times.values()), f"{exponent(times):.2f}"]


def tables(corpus: Path | None) -> Iterator[list[list[str]]]:
    if corpus is not None:
        tau = tau_bench(corpus)
        yield list(tau_tables(tau))
        yield list(group_table(tau))
        yield list(other_tables({"SWE-agent": swe_agent(corpus), "Who&When": who_and_when(corpus)}))
    yield list(time_table())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=os.environ.get("RUNWRIGHT_CORPUS"))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    corpus = Path(options.corpus) if options.corpus else None
    if corpus is None or not (corpus / "tau-bench").is_dir():
        print("skipped: quality. The corpus is not here; name it with --corpus or RUNWRIGHT_CORPUS", file=sys.stderr)
        corpus = None
    try:
        found = list(tables(corpus))
    except RunwrightError as error:
        print(error, file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps([{"head": head, "rows": rows} for head, *rows in found], indent=1))
        return 0
    print(f"weights: {', '.join(f'{field} {weight:g}' for field, weight in WEIGHTS.items())}\n")
    for head, *rows in found:
        print("".join(f"| {' | '.join(row)} |\n" for row in (head, ["---"] * len(head), *rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
