"""Whether the kept traces still have the fingerprints that were kept of them: python -m scripts.stability.check

Needs nothing but the package. Prints what this is, and each trace whose fingerprint is another; exits 1 where one is.
"""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path

import orjson

from runwright.fingerprint import as_json, fingerprint, fingerprint_digest
from runwright.trace import JSON, read_trace

TRACES = Path(__file__).resolve().parents[2] / "tests" / "vectors" / "fingerprints"
PRINTS = TRACES / "expected.json"


def taken() -> dict[str, JSON]:
    """The fingerprint of each kept trace, by its name."""
    return {path.stem: _print(path) for path in sorted(TRACES.glob("*.jsonl"))}


def kept() -> dict[str, JSON]:
    """The fingerprints that were kept."""
    found: dict[str, JSON] = json.loads(PRINTS.read_text(encoding="utf-8"))
    return found


def text_of(prints: dict[str, JSON]) -> str:
    """The file of kept fingerprints, in which a change shows line by line."""
    return json.dumps(prints, indent=1, ensure_ascii=False) + "\n"


def _print(path: Path) -> JSON:
    found = fingerprint(read_trace(path))
    return {"digest": fingerprint_digest(found), **as_json(found)}


def main() -> int:
    """0 where all are as they were."""
    now, then = json.loads(json.dumps(taken())), kept()
    other = sorted(name for name in {*now, *then} if now.get(name) != then.get(name))
    same = len(then) - len(other)
    print(f"Python {platform.python_version():8} orjson {orjson.__version__:8} {same} of {len(then)} the same")
    for name in other:
        print(f"  {name}")
    return 1 if other or not then else 0


if __name__ == "__main__":
    sys.exit(main())
