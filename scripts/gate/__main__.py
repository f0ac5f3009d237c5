"""Measure the secret gate beside its peers, and write the tables of docs/reference/secret-gate.md.

    python -m scripts.gate [--write] [--values N] [--without-peers]

Three sets, made with fixed seeds: planted secrets of every kind in ten positions, harmless look-alikes, and the real
samples where this machine has them, each finding of which was judged by hand. Fixtura is installed from PyPI into an
environment of its own. Exit 1 where a target is missed; each miss is told by its kind and position, never by value.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scripts.gate import benign, planted
from scripts.gate.measure import failures, measure
from scripts.gate.tables import markdown

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "reference" / "secret-gate.md"


def main() -> int:
    """0 when every target is met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the tables into the page")
    parser.add_argument("--values", type=int, default=planted.VALUES, help="values of each kind")
    parser.add_argument("--harmless", type=int, default=benign.SIZE, help="harmless items")
    parser.add_argument("--without-peers", action="store_true", help="leave detect-secrets and Fixtura out")
    given = parser.parse_args()
    measured = measure(given.values, given.harmless, not given.without_peers)
    tables = markdown(measured)
    print(tables)
    for item in measured.missed:
        print(f"missed: {item.kind}, {item.position}", file=sys.stderr)
    faults = failures(measured)
    for fault in faults:
        print(f"not at its target: {fault}", file=sys.stderr)
    if given.write:
        text = PAGE.read_text(encoding="utf-8")
        before, _, rest = text.partition("<!-- measured -->\n")
        _, _, after = rest.partition("<!-- /measured -->")
        PAGE.write_text(f"{before}<!-- measured -->\n{tables}\n<!-- /measured -->{after}", encoding="utf-8")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
