"""Every row about traces in one run: starting, checking, fingerprints, diff, drift and coverage, beside their peers.

    python scripts/bench/together.py [--quick] [--json]

Runs the scripts beside this one, each of which says what its numbers are against, and puts their numbers into one
table, or one JSON document. It takes some minutes, and less with `--quick`, which takes small files.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
WHOLE = {
    "startup": [],
    "trace": ["--records", "100000", "--memory", "1024"],
    "diff": [],
    "drift": [],
}
QUICK = {
    "startup": ["--rounds", "3"],
    "trace": ["--megabytes", "2", "--records", "10000"],
    "diff": ["--records", "200"],
    "drift": ["--traces", "2", "--long", "50"],
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {name: measured(name, words) for name, words in (QUICK if given.quick else WHOLE).items()}
    if given.json:
        print(json.dumps(found, indent=2))
        return
    for name, value in found.items():
        print(f"\n{name}")
        for what, number in rows(value):
            print(f"  {what:70} {number:>12.4g}")


def measured(name: str, words: list[str]) -> object:
    """What a script of this folder found; it must succeed."""
    print(f"{name} ...", file=sys.stderr, flush=True)
    command = [sys.executable, str(HERE / f"{name}.py"), *words, "--json"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def rows(value: object, path: str = "") -> Iterator[tuple[str, float]]:
    """Each number with the words that lead to it."""
    if isinstance(value, dict):
        size = f"{value['records']} records" if "records" in value else ""
        for key, each in value.items():
            if key != "records":
                yield from rows(each, ", ".join(filter(None, (path, size, str(key)))))
    elif isinstance(value, list):
        for each in value:
            yield from rows(each, path)
    elif isinstance(value, int | float):
        yield path, value


if __name__ == "__main__":
    main()
